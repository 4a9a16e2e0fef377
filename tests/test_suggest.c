// Which word is suggested for a misspelt one.
#include "base/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static suggestion suggest_option(const char *given) {
    static const char *const words[] = {"engine",   "each", "concurrency", "games", "rounds",
                                        "openings", "tc",   "option.Hash", "st"};
    suggestion s = suggest_for(text_of(given));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        suggest_offer(&s, words[i]);
    return s;
}

static void assert_suggests(const char *given, const char *wanted) {
    suggestion s = suggest_option(given);
    if (wanted)
        assert_string_equal(s.best ? s.best : "(none)", wanted);
    else
        assert_null(s.best);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_suggests("egnine", "engine"); // exchanged
    assert_suggests("engin", "engine");
    assert_suggests("engiine", "engine");
    assert_suggests("ENGINE", "engine");
    assert_suggests("conurency", "concurrency"); // two letters missing
    assert_suggests("rouns", "rounds");
    assert_suggests("eech", "each");
    assert_suggests("opening", "openings");
    assert_suggests("option.hash", "option.Hash");
    assert_suggests("conc", "concurrency"); // the beginning of a word
}

static void test_nothing_near(void **state) {
    (void)state;
    assert_suggests("", NULL);
    assert_suggests("x", NULL);
    assert_suggests("xy", NULL); // one of two letters could be anything
    assert_suggests("frobnicate", NULL);
    assert_suggests("co", NULL);
    assert_suggests("a word that is far too long to be compared with any other", NULL);
}

static void test_hint(void **state) {
    (void)state;
    suggestion near = suggest_option("gmaes"), far = suggest_option("qqqqq");
    assert_string_equal(suggest_hint(&near).shown, "; did you mean games?");
    assert_string_equal(suggest_hint_with(&near, "--").shown, "; did you mean --games?");
    assert_string_equal(suggest_hint(&far).shown, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_nothing_near),
        cmocka_unit_test(test_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
