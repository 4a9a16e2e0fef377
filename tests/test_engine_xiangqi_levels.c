#include "level_common.h"

static void games_are_sound(void **unused) {
    (void)unused;
    check_games("xiangqi");
}

// Red's chariot on a4 stands before a pawn; its other moves are no worse than usual.
static void a_chariot_is_not_left(void **unused) {
    (void)unused;
    static const char *const bad[] = {"e0f0", "e0e1", "g3g4", "c3c4", NULL};
    check_hanging("xiangqi", "3k5/9/9/9/p3p4/R8/2P3P2/9/9/4K4 w - - 0 1", bad);
}

static void choices_repeat(void **unused) {
    (void)unused;
    check_choices("xiangqi");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(games_are_sound),
                                       cmocka_unit_test(a_chariot_is_not_left),
                                       cmocka_unit_test(choices_repeat)};
    if (!thoughts_init(&heard))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
