// The builder's tables in memory, in the form of the slow solver's: for tests and measurements.
#ifndef KRATON_TABLEBASE_BUILD_SOLUTION_H
#define KRATON_TABLEBASE_BUILD_SOLUTION_H

#include "tablebase/build_kernel.h"
#include "tablebase/solve.h"

// As tb_solve; kernels NULL: the best this processor has. tb_index_prepare must have been called.
MUST_USE bool tb_build_solution(tb_solution *solution, tb_rules rules, int pieces, int threads,
                                const tb_kernels *kernels);

#endif
