#include "bench/bench.h"
#include "cli/options.h"
#include "cli/sibling.h"
#include "match/bench.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int bench_match(void) {
    char self[SIBLING_PATH_SIZE], stub[SIBLING_PATH_SIZE];
    fault why;
    if (!sibling_self(self, &why) || !sibling_find("kraton-stub", stub, &why))
        return complain("kraton bench: %s", why.line);
    return match_bench(stdout, self, stub);
}

// Each engine searches its fixed positions and says what it took.
static int bench_signature(void) {
    for (int i = 0; rules_nth(i); i++) {
        char name[64], path[SIBLING_PATH_SIZE];
        writer w = writer_on(name, sizeof name);
        fault why;
        write_format(&w, "kraton-%s", rules_name(rules_nth(i)));
        if (!sibling_find(name, path, &why))
            return complain("kraton bench: %s", why.line);
        printf("%s: ", rules_name(rules_nth(i)));
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            execl(path, name, "bench", (char *)NULL);
            _exit(127);
        }
        int status = 0;
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
            return complain("kraton bench: %s did not end well", name);
    }
    return STATUS_OK;
}

int cmd_bench(const command *self, int argc, char **argv) {
    const option table[] = {{.name = NULL}};
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (argc == 0 || strcmp(argv[0], "signature") == 0)
        return bench_signature();
    if (strcmp(argv[0], "rules") == 0)
        return bench_rules(stdout);
    if (strcmp(argv[0], "papers") == 0)
        return bench_papers(stdout);
    if (strcmp(argv[0], "tables") == 0)
        return bench_tables(stdout);
    if (strcmp(argv[0], "match") == 0)
        return bench_match();
    complain("kraton bench: signature, rules, papers, tables or match, not %s",
             fault_quote(text_of(argv[0])).shown);
    return STATUS_USAGE;
}
