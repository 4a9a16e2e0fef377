#include "base/minmax.h"
#include "cli/options.h"
#include "cli/sibling.h"
#include "client/load.h"
#include "os/process.h"

#include <stdio.h>

static bool read_count(const char *name, const char *value, int64_t most, int *count) {
    int64_t n;
    if (!value)
        return true;
    if (!text_to_int(text_of(value), 0, most, &n)) {
        complain("kraton bench: --%s takes a number up to %lld, not %s", name, (long long)most,
                 fault_quote(text_of(value)).shown);
        return false;
    }
    *count = (int)n;
    return true;
}

typedef struct {
    const char *games, *spectators, *rate, *idle, *plies;
} serve_counts;

static int bench_serve(const serve_counts *given) {
    server_bench_plan plan = {.games = 1000, .spectators = 500, .rate = 2000, .idle = 8000};
    char self[SIBLING_PATH_SIZE];
    fault why;
    if (!read_count("games", given->games, 5000, &plan.games) ||
        !read_count("spectators", given->spectators, 5000, &plan.spectators) ||
        !read_count("rate", given->rate, 1000000, &plan.rate) ||
        !read_count("idle", given->idle, 15000, &plan.idle) ||
        !read_count("plies", given->plies, 4000, &plan.most_plies))
        return STATUS_USAGE;
    plan.games = max_int(plan.games, 1);
    plan.program = self;
    if (!sibling_self(self, &why) || !server_bench(stdout, &plan, &why))
        return complain("kraton bench: %s", why.line);
    return STATUS_OK;
}

// Each engine searches its fixed positions and says what it took.
static int bench_signature(void) {
    for (int i = 0; rules_nth(i); i++) {
        char path[SIBLING_PATH_SIZE];
        const char *name = rules_properties_of(rules_nth(i))->engine;
        fault why;
        if (!sibling_find(name, path, &why))
            return complain("kraton bench: %s", why.line);
        printf("%s: ", rules_name(rules_nth(i)));
        fflush(stdout);
        char *const arguments[] = {(char *)(uintptr_t)name, "bench", NULL};
        int status;
        if (!os_process_run(path, arguments, &status) || status != 0)
            return complain("kraton bench: %s did not end well", name);
    }
    return STATUS_OK;
}

// Benches that no player needs.
static int bench_in_lab(char *what, const char *dir) {
    char name[] = "--dir";
    char *arguments[] = {what, name, (char *)(uintptr_t)dir};
    return sibling_become_lab("bench", dir ? 3 : 1, arguments);
}

int cmd_bench(const command *self, int argc, char **argv) {
    serve_counts counts = {0};
    const char *dir = NULL;
    const option table[] = {
        {"games", 0, "N", "serve: games at once (1000)", .string = &counts.games},
        {"spectators", 0, "N", "serve: who watches them (500)", .string = &counts.spectators},
        {"rate", 0, "N", "serve: moves a second (2000; 0: as many as go)", .string = &counts.rate},
        {"idle", 0, "N", "serve: idle connections afterwards (8000)", .string = &counts.idle},
        {"plies", 0, "N", "serve: games are given up after so many", .string = &counts.plies},
        {"dir", 0, "FOLDER", "tables: time lookups in these; papers: try paper 3's",
         .string = &dir},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (argc == 0 || strcmp(argv[0], "signature") == 0)
        return bench_signature();
    if (strcmp(argv[0], "rules") == 0 || strcmp(argv[0], "papers") == 0 ||
        strcmp(argv[0], "tables") == 0 || strcmp(argv[0], "match") == 0)
        return bench_in_lab(argv[0], dir);
    if (strcmp(argv[0], "serve") == 0)
        return bench_serve(&counts);
    complain("kraton bench: signature, rules, papers, tables, match or serve, not %s",
             fault_quote(text_of(argv[0])).shown);
    return STATUS_USAGE;
}
