#include "tablebase/surakarta/build/kernel.h"

const tb_kernels *ISA_NAME(tb_kernels)(void) {
    static const tb_kernels kernels = {.step = ISA_NAME(tb_step),
                                       .fold = ISA_NAME(tb_fold),
                                       .capture = ISA_NAME(tb_capture),
                                       .grow = ISA_NAME(tb_grow),
                                       .disjoint = ISA_NAME(tb_disjoint),
                                       .emit = ISA_NAME(tb_emit),
                                       .load = ISA_NAME(tb_load)};
    return &kernels;
}
