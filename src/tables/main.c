// kraton-tables: `kraton tb` as a program of its own, for machines that build or ask endgame tables
// and need neither the server nor its libraries.
#include "cli/cli.h"
#include "os/process.h"

#include <locale.h>
#include <stdio.h>

int main(int argc, char **argv) {
    static const command self = {.name = "tb",
                                 .arguments = "COMMAND [ARGUMENT...]",
                                 .summary = "Endgame tables: builder, prober, verifier.",
                                 .details = "",
                                 .most = -1,
                                 .run = run_part,
                                 .parts = tb_commands};
    os_process_begin(&argc, &argv);
    setlocale(LC_CTYPE, "");
    speak_as("kraton tb", "kraton-tables");
    bool version = argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0);
    int status = version ? print_version("kraton-tables") : self.run(&self, argc - 1, argv + 1);
    if (fflush(stdout) != 0 || ferror(stdout))
        status = complain("kraton-tables: cannot write the output");
    return status;
}
