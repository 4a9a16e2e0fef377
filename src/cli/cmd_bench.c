#include "bench/bench.h"
#include "cli/options.h"

int cmd_bench(const command *self, int argc, char **argv) {
    const option table[] = {{.name = NULL}};
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (strcmp(argv[0], "rules") == 0)
        return bench_rules(stdout);
    if (strcmp(argv[0], "papers") == 0)
        return bench_papers(stdout);
    complain("kraton bench: rules or papers, not %s", fault_quote(text_of(argv[0])).shown);
    return STATUS_USAGE;
}
