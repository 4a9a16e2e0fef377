#include "level_common.h"

static void games_are_sound(void **unused) {
    (void)unused;
    check_games("surakarta");
}

static void choices_repeat(void **unused) {
    (void)unused;
    check_choices("surakarta");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(games_are_sound),
                                       cmocka_unit_test(choices_repeat)};
    if (!thoughts_init(&heard))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
