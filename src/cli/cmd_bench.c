#include "bench/bench.h"
#include "cli/options.h"
#include "match/bench.h"

#include <uv.h>

// The stub engine lies beside this program.
static int bench_match(void) {
    char self[4096], stub[4200];
    size_t size = sizeof self;
    if (uv_exepath(self, &size) != 0)
        return complain("kraton bench: cannot find this program's own file");
    const char *slash = strrchr(self, '/');
    writer w = writer_on(stub, sizeof stub);
    write_text(&w, (text){self, slash ? (size_t)(slash - self) : 0});
    write_string(&w, "/kraton-stub");
    return match_bench(stdout, self, stub);
}

int cmd_bench(const command *self, int argc, char **argv) {
    const option table[] = {{.name = NULL}};
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (strcmp(argv[0], "rules") == 0)
        return bench_rules(stdout);
    if (strcmp(argv[0], "papers") == 0)
        return bench_papers(stdout);
    if (strcmp(argv[0], "tables") == 0)
        return bench_tables(stdout);
    if (strcmp(argv[0], "match") == 0)
        return bench_match();
    complain("kraton bench: rules, papers, tables or match, not %s",
             fault_quote(text_of(argv[0])).shown);
    return STATUS_USAGE;
}
