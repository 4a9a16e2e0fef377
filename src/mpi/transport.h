// The ranks of this run, over MPI. An error of MPI ends all ranks.
#ifndef KRATON_MPI_TRANSPORT_H
#define KRATON_MPI_TRANSPORT_H

#include "tablebase/tablebase.h"

// NULL, with MPI ended, where there are more than TB_MAX_RANKS.
tb_ranks *transport_start(int *argc, char ***argv);
void transport_end(void);
void transport_abort(int status); // ends all ranks

#endif
