// SPSA: it climbs a hill it cannot see, in spite of noise, and its state survives a file.
#include "base/rng.h"
#include "lab/spsa/spsa.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static spsa three(int iterations) {
    spsa s = {.count = 4, .iterations = iterations, .rate = 0.02, .seed = 3};
    s.params[0] = spsa_usual("FIRST", 100);
    s.params[1] = spsa_usual("SECOND", 40);
    s.params[2] = spsa_usual("FIXED", 7);
    s.params[3] = spsa_usual("THIRD", 5);
    s.params[2].is_fixed = true;
    return s;
}

// How far values are from the best ones, 150, 25 and 9, in steps.
static double badness(const int *v) {
    return pow((v[0] - 150) / 10.0, 2) + pow((v[1] - 25) / 4.0, 2) + pow((v[3] - 9) / 0.5, 2);
}

// A pair of games between two sets of values: the better one wins more often.
static int play(rng *r, const int *plus, const int *minus) {
    double chance = 1 / (1 + exp(-(badness(minus) - badness(plus)) / 8));
    int result = 0;
    for (int game = 0; game < 2; game++)
        result += (double)rng_below(r, 1 << 20) / (1 << 20) < chance ? 1 : -1;
    return result;
}

static void test_climbs(void **state) {
    (void)state;
    spsa s = three(4000);
    rng r = {9};
    while (s.done < s.iterations) {
        int plus[SPSA_MAX], minus[SPSA_MAX], sign[SPSA_MAX];
        spsa_draw(&s, plus, minus, sign);
        for (int i = 0; i < s.count; i++) {
            assert_in_range(plus[i], s.params[i].low, s.params[i].high);
            assert_in_range(minus[i], s.params[i].low, s.params[i].high);
        }
        assert_true(sign[2] == 0 && plus[2] == 7 && minus[2] == 7);
        spsa_learn(&s, sign, play(&r, plus, minus));
    }
    assert_true(fabs(s.params[0].value - 150) < 15);
    assert_true(fabs(s.params[1].value - 25) < 6);
    assert_true(fabs(s.params[3].value - 9) < 1.5);
    assert_true(s.params[2].value == 7);
}

static void test_state(void **state) {
    (void)state;
    spsa s = three(50), again;
    fault why;
    int plus[2][SPSA_MAX], minus[2][SPSA_MAX], sign[2][SPSA_MAX];
    for (int i = 0; i < 17; i++) {
        spsa_draw(&s, plus[0], minus[0], sign[0]);
        spsa_learn(&s, sign[0], i % 3 - 1);
    }
    s.params[2] = s.params[3]; // fixed ones are not written
    s.count = 3;
    buffer bytes = {0};
    spsa_write(&s, &bytes);
    assert_true(spsa_read(&again, buffer_text(&bytes), &why));
    spsa_draw(&s, plus[0], minus[0], sign[0]);
    spsa_draw(&again, plus[1], minus[1], sign[1]);
    assert_memory_equal(plus[0], plus[1], 3 * sizeof(int));
    assert_memory_equal(minus[0], minus[1], 3 * sizeof(int));
    assert_int_equal(again.done, 17);
    text all = buffer_text(&bytes);
    for (size_t len = 0; len < all.len; len++) {
        bool good = spsa_read(&again, (text){all.at, len}, &why); // no crash, whatever is cut off
        assert_true(good || why.line[0]);
    }
    static const char *const wrong[] = {"",
                                        "spsa 2\n",
                                        "spsa 1\niterations 5\nrate 1\nA 5 5 9 1 1\n",
                                        "spsa 1\niterations 5\nrate 1\nA x 5 1 9 1\n",
                                        "spsa 1\niterations 0\nrate 1\nA 5 5 1 9 1\n",
                                        "spsa 1\niterations 5\nrate 1\nA 5 5 1 9 0\n",
                                        "spsa 1\niterations 5\nrate 1\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(spsa_read(&again, text_of(wrong[i]), &why));
    buffer_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_climbs), cmocka_unit_test(test_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
