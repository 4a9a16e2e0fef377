// Glicko-2 against the worked example of its author.
#include "contest/glicko.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double got, double wanted, double error) {
    if (fabs(got - wanted) > error)
        fail_msg("got %.6f, wanted %.6f", got, wanted);
}

static void test_the_authors_example(void **state) {
    (void)state;
    const glicko_result results[] = {
        {{1400, 30, 0.06}, 1}, {{1550, 100, 0.06}, 0}, {{1700, 300, 0.06}, 0}};
    glicko after = glicko_after((glicko){1500, 200, 0.06}, results, 3);
    assert_near(after.rating, 1464.06, 0.01);
    assert_near(after.deviation, 151.52, 0.01);
    assert_near(after.volatility, 0.05999, 0.00001);
}

static void test_what_one_wins_the_other_loses(void **state) {
    (void)state;
    glicko a = glicko_new(), b = glicko_new();
    for (int i = 0; i < 200; i++) {
        glicko_result won = {b, 1}, lost = {a, 0};
        glicko after = glicko_after(a, &won, 1);
        b = glicko_after(b, &lost, 1);
        a = after;
        assert_near(a.rating - 1500, 1500 - b.rating, 1e-6);
    }
    assert_true(a.rating > 1800 && a.deviation < 350 && a.deviation >= 30);
}

static void test_rest_makes_less_sure(void **state) {
    (void)state;
    glicko g = {1600, 50, 0.06};
    assert_true(glicko_rested(g, 30).deviation > 50);
    assert_near(glicko_rested(g, 1e9).deviation, 350, 0);
    assert_near(glicko_after(g, NULL, 0).deviation, glicko_rested(g, 1).deviation, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_authors_example),
        cmocka_unit_test(test_what_one_wins_the_other_loses),
        cmocka_unit_test(test_rest_makes_less_sure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
