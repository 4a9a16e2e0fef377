// Marks of moves: one definition, by winning chance.
#include "match/mark.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_marks_follow_the_winning_chance(void **state) {
    (void)state;
    static const struct {
        int32_t before, after;
        const char *mark;
    } rows[] = {{0, 0, ""},           {0, 100, ""},       {0, -49, ""},       {0, -52, "?!"},
                {0, -100, "?!"},      {0, -104, "?"},     {0, -200, "?"},     {0, -212, "??"},
                {25, -25, ""},        {26, -26, "?!"},    {600, 500, ""},     {600, 350, "?"},
                {1000, 750, ""},      {-500, -900, "?!"}, {-900, -1500, ""},  {20000, 1000, ""},
                {20000, 500, "?"},    {29990, 29980, ""}, {29990, 20000, ""}, {29990, -29990, "??"},
                {20000, -20000, "??"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(mark_of(rows[i].before, rows[i].after, false), rows[i].mark);
        assert_string_equal(mark_of(rows[i].before, rows[i].after, true), "");
    }
}

static void test_every_mark_has_a_loss(void **state) {
    (void)state;
    for (int32_t before = -3000; before <= 3000; before += 10)
        for (int32_t after = -3000; after <= 3000; after += 10)
            if (mark_of(before, after, false)[0])
                assert_true(mark_loss(before, after, false) > 0);
}

static void test_chances(void **state) {
    (void)state;
    assert_true(fabs(mark_chance(0) - 0.5) < 1e-9);
    assert_true(fabs(mark_chance(250) - 0.7311) < 1e-4);
    assert_true(mark_chance(mark_score(true, 3)) > 0.999999);
    assert_true(mark_chance(mark_score(true, -3)) < 0.000001);
    for (int32_t score = 0; score < 30000; score += 100)
        assert_true(fabs(mark_chance(score) + mark_chance(-score) - 1) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks_follow_the_winning_chance),
        cmocka_unit_test(test_every_mark_has_a_loss),
        cmocka_unit_test(test_chances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
