// The terms of a sequential test as people write them.
#include "contest/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static contest_sprt read(const char *spec) {
    contest_sprt t;
    fault why = {""};
    if (!contest_sprt_parse(text_of(spec), &t, &why))
        fail_msg("%s: %s", spec, why.line);
    return t;
}

static void test_defaults(void **state) {
    (void)state;
    contest_sprt t = read("");
    assert_true(t.elo0 == 0 && t.elo1 == 5 && t.alpha == 0.05 && t.beta == 0.05 && !t.normalised);
}

static void test_any_order(void **state) {
    (void)state;
    contest_sprt t = read("beta=0.1,normalised=1,elo1=-2.5,elo0=-5,alpha=1e-3");
    assert_true(t.elo0 == -5 && t.elo1 == -2.5 && t.alpha == 1e-3 && t.beta == 0.1 && t.normalised);
}

// The test stays as it was, and the reason is the expected one.
static void assert_refused(const char *spec, const char *reason) {
    contest_sprt t = {1, 2, 0.3, 0.4, true};
    fault why = {""};
    assert_false(contest_sprt_parse(text_of(spec), &t, &why));
    assert_string_equal(why.line, reason);
    assert_true(t.elo0 == 1 && t.elo1 == 2 && t.alpha == 0.3 && t.beta == 0.4 && t.normalised);
}

static void test_refused(void **state) {
    (void)state;
    assert_refused("elo1=inf", "elo1 takes a number from -1000 to 1000, not 'inf'");
    assert_refused("elo0=-inf", "elo0 takes a number from -1000 to 1000, not '-inf'");
    assert_refused("elo1=nan", "elo1 takes a number from -1000 to 1000, not 'nan'");
    assert_refused("elo1=1e400", "elo1 takes a number from -1000 to 1000, not '1e400'");
    assert_refused("elo1=", "elo1 takes a number from -1000 to 1000, not ''");
    assert_refused("elo1", "elo1 takes a number from -1000 to 1000, not ''");
    assert_refused("elo1=5 Elo", "elo1 takes a number from -1000 to 1000, not '5 Elo'");
    assert_refused("alpha=0", "alpha takes a number between 0 and 0.5, not '0'");
    assert_refused("beta=0.5", "beta takes a number between 0 and 0.5, not '0.5'");
    assert_refused("normalised=2", "normalised takes 0 or 1, not '2'");
    assert_refused("elo=5", "no term 'elo' (elo0, elo1, alpha, beta, model); did you mean elo0?");
    assert_refused("elo0=0,,elo1=5", "no term '' (elo0, elo1, alpha, beta, model)");
    assert_refused("elo0=5", "elo0 must be below elo1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
