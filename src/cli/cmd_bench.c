#include "cli/cli.h"
#include "cli/screen.h"
#include "cli/sibling.h"
#include "client/load.h"
#include "features/archive_bench.h"
#include "os/process.h"

#include <stdio.h>

typedef struct {
    const char *games, *spectators, *moves, *rate, *idle, *plies;
    bool on_one;
} serve_counts;

static int bench_serve(const command *self, const serve_counts *given) {
    server_bench_plan plan = {
        .games = 1000, .spectators = 500, .moves = 60000, .rate = 2000, .idle = 8000};
    char program[SIBLING_PATH_SIZE];
    fault why;
    if (!option_int(self, "games", given->games, 1, 5000, &plan.games) ||
        !option_int(self, "spectators", given->spectators, 0, 5000, &plan.spectators) ||
        !option_int(self, "moves", given->moves, 1, 100000000, &plan.moves) ||
        !option_int(self, "rate", given->rate, 0, 1000000, &plan.rate) ||
        !option_int(self, "idle", given->idle, 0, 15000, &plan.idle) ||
        !option_int(self, "plies", given->plies, 0, 4000, &plan.most_plies))
        return STATUS_USAGE;
    plan.program = program;
    plan.on_one = given->on_one;
    if (!sibling_self(program, &why) || !server_bench(stdout, &plan, &why))
        return complain("kraton bench: %s", why.line);
    return STATUS_OK;
}

static bool is_to_go_on(void) { return !screen_is_interrupted(); }

static int bench_archive(const command *self, const char *games, const char *data) {
    archive_bench_plan plan = {.data = data ? data : "kraton-bench", .games = 1000000};
    fault why;
    if (!option_int(self, "games", games, 1, 100000000, &plan.games))
        return STATUS_USAGE;
    screen_catch_interrupt();
    if (!archive_bench(stdout, &plan, is_to_go_on, &why))
        return complain("kraton bench: %s", why.line);
    return STATUS_OK;
}

// Each engine searches its fixed positions and prints the number of nodes.
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

// Benchmarks for researchers are in kraton-lab.
static int bench_in_lab(char *what, const char *dir) {
    char name[] = "--dir";
    char *arguments[] = {what, name, (char *)(uintptr_t)dir};
    return sibling_become_lab("bench", dir ? 3 : 1, arguments);
}

int cmd_bench(const command *self, int argc, char **argv) {
    serve_counts counts = {0};
    const char *dir = NULL, *data = NULL;
    const option table[] = {
        {"games", 0, "N", "serve: games at once (1000); archive: games in it (1000000)",
         .string = &counts.games},
        {"spectators", 0, "N", "serve: spectators (500)", .string = &counts.spectators},
        {"one-game", 0, NULL, "serve: all spectators watch the same game", .flag = &counts.on_one},
        {"moves", 0, "N", "serve: moves in all (60000)", .string = &counts.moves},
        {"rate", 0, "N", "serve: moves a second (2000; 0: as many as possible)",
         .string = &counts.rate},
        {"idle", 0, "N", "serve: idle connections afterwards (8000)", .string = &counts.idle},
        {"plies", 0, "N", "serve: resign games after so many plies", .string = &counts.plies},
        {"data", 0, "DIR", "archive: the folder, made and kept (kraton-bench)", .string = &data},
        {"dir", 0, "FOLDER",
         "tables: measure lookups in these tables; papers: use them for paper 3", .string = &dir},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (argc == 0 || strcmp(argv[0], "signature") == 0)
        return bench_signature();
    if (strcmp(argv[0], "rules") == 0 || strcmp(argv[0], "papers") == 0 ||
        strcmp(argv[0], "tables") == 0 || strcmp(argv[0], "records") == 0 ||
        strcmp(argv[0], "match") == 0)
        return bench_in_lab(argv[0], dir);
    if (strcmp(argv[0], "serve") == 0)
        return bench_serve(self, &counts);
    if (strcmp(argv[0], "archive") == 0)
        return bench_archive(self, counts.games, data);
    return misuse_word("kraton bench", argv[0],
                       "signature|rules|papers|tables|records|match|serve|archive");
}
