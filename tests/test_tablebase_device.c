// The solver on an OpenCL device: its check finds what is wrong. (tests/cli/tb_device.sh compares
// its tables with those of the processor's builder.)
#include "base/text.h"
#include "tablebase/surakarta/device/solver.h"
#include "tablebase/surakarta/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { PACKED = 4096, SAMPLES = 100000 };

static solver *device_solver;

static int prepare(void **state) {
    (void)state;
    fault why;
    tb_index_prepare(4);
    device_solver = solver_open(text_of("cpu"), 0, &why);
    return 0;
}

static int release(void **state) {
    (void)state;
    solver_close(device_solver);
    return 0;
}

static void solve(int a, int b, uint8_t *behind[2], solver_count counts[2]) {
    fault why;
    solver_plan plan = {.a = a,
                        .b = b,
                        .rules = TB_TRADITIONAL,
                        .distances = true,
                        .behind = {behind[0], behind[1]}};
    assert_true(solver_run(device_solver, &plan, counts, &why));
}

static uint64_t check(int movers) {
    uint64_t wrong;
    tb_placement first;
    fault why;
    assert_true(solver_check(device_solver, movers, SAMPLES, 7, &wrong, &first, &why));
    assert_int_equal(wrong > 0, first.movers != 0);
    return wrong;
}

// 2v1 rests on 1v1. With other values behind its captures than it was built from, it is wrong.
static void test_check_finds_wrong_values(void **state) {
    (void)state;
    static uint8_t behind[PACKED];
    static solver_count counts[2];
    fault why;
    uint8_t *none[2] = {NULL, NULL}, *two[2] = {NULL, behind};
    if (!device_solver)
        skip();
    solve(1, 1, none, counts);
    assert_int_equal(counts[0].placements[TB_WIN - TB_LOSS][1], 704);
    assert_int_equal(check(1), 0);
    assert_true(solver_pack(device_solver, 1, behind, &why));
    solve(2, 1, two, counts);
    assert_int_equal(check(2), 0);
    assert_int_equal(check(1), 0);
    memset(behind, 0, sizeof behind); // all of them lost: every capture of the single piece wins
    assert_true(check(1) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_check_finds_wrong_values)};
    return cmocka_run_group_tests(tests, prepare, release);
}
