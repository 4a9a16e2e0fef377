// kraton-mpi: `kraton tb build` and `tb verify` by several processes, on one machine or many:
//
//   mpirun -n 4 kraton-mpi tb build --pieces 8 --dir tables
//
// Rank 0 reads the command; the others wait for work. The folder is one that all can see.
#include "cli/cli.h"
#include "cli/cmd_tb.h"
#include "mpi/transport.h"

#include <locale.h>
#include <stdio.h>

static const command tb = {.name = "tb",
                           .arguments = "COMMAND [ARGUMENT...]",
                           .summary = "Endgame tables: tb build and tb verify by several ranks.",
                           .details = "",
                           .most = -1,
                           .run = run_part,
                           .parts = tb_commands};

static int lead(tb_ranks *ranks, int argc, char **argv) {
    if (argc < 2 || strcmp(argv[1], "tb") != 0) {
        complain("usage: mpirun -n N kraton-mpi tb build|verify [ARGUMENT...]");
        return STATUS_USAGE;
    }
    tb_program_ranks = ranks;
    int status = tb.run(&tb, argc - 2, argv + 2);
    if (fflush(stdout) != 0 || ferror(stdout))
        status = complain("kraton-mpi: cannot write the output");
    return status;
}

static int follow(tb_ranks *ranks) {
    for (;;) {
        fault why;
        int number = TB_ANNOUNCE_END;
        ranks->tell_all(ranks->context, &number, sizeof number);
        if (number == TB_ANNOUNCE_END)
            return STATUS_OK;
        if (number == TB_ANNOUNCE_VERIFY)
            tb_verify_follow(ranks);
        else if (!tb_build_follow(ranks, &why))
            return complain("kraton-mpi: rank %d: %s", ranks->rank, why.line);
    }
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    tb_ranks *ranks = transport_start(&argc, &argv);
    if (!ranks)
        return complain("kraton-mpi: at most %d ranks", TB_MAX_RANKS);
    int status = ranks->rank == 0 ? lead(ranks, argc, argv) : follow(ranks);
    if (ranks->broken)
        transport_abort(status);
    if (ranks->rank == 0)
        tb_announce(ranks, TB_ANNOUNCE_END);
    transport_end();
    return status;
}
