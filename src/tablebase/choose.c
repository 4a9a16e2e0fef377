#include "tablebase/choose.h"

uint32_t tb_choose[TB_MAX_PIECES + 1][SK_POINTS + 1];

AT_START static void fill_table(void) {
    for (int n = 0; n <= SK_POINTS; n++)
        tb_choose[0][n] = 1;
    for (int k = 1; k <= TB_MAX_PIECES; k++)
        for (int n = 1; n <= SK_POINTS; n++)
            tb_choose[k][n] = tb_choose[k][n - 1] + tb_choose[k - 1][n - 1];
}

uint64_t tb_unrank_set(uint32_t rank, int k) {
    uint64_t set = 0;
    int point = SK_POINTS - 1;
    for (; k > 0; k--, point--) {
        while (tb_choose[k][point] > rank)
            point--;
        rank -= tb_choose[k][point];
        set |= sk_bit(point);
    }
    return set;
}
