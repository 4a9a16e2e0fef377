#include "search_common.h"

static void signature_is_reproducible(void **unused) {
    (void)unused;
    search_signature a = search_bench(6), b = search_bench(6);
    print_message("%llu nodes, %lld us\n", (unsigned long long)a.nodes, (long long)a.time_us);
    assert_true(a.nodes > 0);
    assert_int_equal(a.nodes, b.nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(signature_is_reproducible)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
