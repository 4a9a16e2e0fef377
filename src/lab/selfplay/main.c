// kraton-lab-surakarta and kraton-lab-xiangqi: the part of the lab that needs the search of a game,
// ENGINE_GAME. The engines start it for `selfplay` and `bench tables`.
#include "games/network.h"
#include "games/tables.h"
#include "lab/data/packed.h"
#include "lab/selfplay/selfplay.h"
#include "lab/selfplay/tables_bench.h"
#include "os/process.h"
#include "search/search.h"

#include <stdio.h>
#include <string.h>

// --- self-play ----------------------------------------------------------------------------------

static atomic_bool interrupted; // set by the signal handler

static void on_interrupt(int signal_number) {
    (void)signal_number;
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
}

static int refuse(const rules_game *game, const char *words, const char *argument) {
    fprintf(stderr, "kraton-%s selfplay: %s%s\n", rules_name(game), words, argument);
    return 2;
}

enum {
    GAMES,
    THREADS,
    NODES,
    RANDOM,
    SEED,
    BALANCE,
    OPENINGS,
    WIN_SCORE,
    WIN_PLIES,
    DRAW_SCORE,
    DRAW_PLIES,
    DRAW_AFTER,
    MAX_PLIES,
    NUMBERS
};

static const struct {
    const char *name;
    int64_t low, high, usual;
} numbers[NUMBERS] = {
    [GAMES] = {"--games", 1, 1000000000, 100},
    [THREADS] = {"--threads", 1, SELFPLAY_MAX_THREADS, 1},
    [NODES] = {"--nodes", 1, INT64_MAX, 5000},
    [RANDOM] = {"--random", 0, 100, 10},
    [SEED] = {"--seed", 0, INT64_MAX, 1},
    [BALANCE] = {"--balance", 1, 32000, 150},
    [OPENINGS] = {"--openings", 1, 10000, 0},
    [WIN_SCORE] = {"--win-score", 0, 32000, 1500},
    [WIN_PLIES] = {"--win-plies", 1, 100, 6},
    [DRAW_SCORE] = {"--draw-score", 0, 1000, 10},
    [DRAW_PLIES] = {"--draw-plies", 0, 1000, 0},
    [DRAW_AFTER] = {"--draw-after", 0, 1000, 80},
    [MAX_PLIES] = {"--max-plies", 101, PACKED_MAX_PLIES, 600},
};

typedef struct {
    const char *path, *tables, *network;
    bool resumes;
    int64_t value[NUMBERS];
} choices;

// Reads the arguments; 0, or the status after a complaint.
static int read_choices(const rules_game *game, char **arguments, choices *c) {
    for (int i = 0; i < NUMBERS; i++)
        c->value[i] = numbers[i].usual;
    for (char **a = arguments; *a; a++) {
        int n = 0;
        while (n < NUMBERS && strcmp(*a, numbers[n].name) != 0)
            n++;
        const char **word = strcmp(*a, "--out") == 0       ? &c->path
                            : strcmp(*a, "--tables") == 0  ? &c->tables
                            : strcmp(*a, "--network") == 0 ? &c->network
                                                           : NULL;
        if (strcmp(*a, "--resume") == 0) {
            c->resumes = true;
            continue;
        }
        if (n == NUMBERS && !word)
            return refuse(game, "no such option (--help): ", *a);
        if (!a[1])
            return refuse(game, "a value is missing after ", *a);
        a++;
        if (word)
            *word = *a;
        else if (!text_to_int(text_of(*a), numbers[n].low, numbers[n].high, &c->value[n]))
            return refuse(game, "not a sensible number: ", *a);
    }
    return c->path ? 0 : refuse(game, "--out FILE says where the games go", "");
}

static selfplay_terms terms_of(const rules_game *game, const choices *c) {
    const int64_t *v = c->value;
    return (selfplay_terms){.game = game,
                            .path = c->path,
                            .resumes = c->resumes,
                            .games = (int)v[GAMES],
                            .threads = (int)v[THREADS],
                            .random_plies = (int)v[RANDOM],
                            .balance = (int)v[BALANCE],
                            .openings_within = (int)v[OPENINGS],
                            .nodes = (uint64_t)v[NODES],
                            .seed = (uint64_t)v[SEED],
                            .win_score = (int)v[WIN_SCORE],
                            .win_plies = (int)v[WIN_PLIES],
                            .draw_score = (int)v[DRAW_SCORE],
                            .draw_plies = (int)v[DRAW_PLIES],
                            .draw_after = (int)v[DRAW_AFTER],
                            .max_plies = (int)v[MAX_PLIES],
                            .tables_text = "none",
                            .stop = &interrupted};
}

static bool can_use(const network *n, fault *why) {
    search *s = search_new();
    bool good = s && search_set_network(s, n);
    search_free(s);
    return good || fault_set(why, "the network has another shape than the engine's");
}

static int selfplay(const rules_game *game, char **arguments) {
    choices c = {0};
    int status = read_choices(game, arguments, &c);
    if (status)
        return status;
    selfplay_terms terms = terms_of(game, &c);
    game_tables *tables = c.tables ? game_tables_open(game, c.tables, NULL, NULL) : NULL;
    if (c.tables && !tables)
        return refuse(game, "no endgame tables in ", c.tables) - 1;
    char pieces[32];
    writer w = writer_on(pieces, sizeof pieces);
    if (tables) {
        write_format(&w, "of up to %d pieces", game_tables_pieces(tables));
        terms.tables = tables;
        terms.tables_text = pieces;
    }
    os_process_on_interrupt(on_interrupt);
    fault why;
    network *n;
    bool good = network_choose(c.network ? c.network : "default", rules_name(game), &n, &why);
    terms.network = n;
    if (!good || !can_use(n, &why) || !selfplay_run(&terms, &why))
        status = refuse(game, "", why.line) - 1;
    network_free(n);
    game_tables_close(tables);
    return status;
}

// --- the program --------------------------------------------------------------------------------

static int usage(FILE *to) {
    fputs("usage: kraton-lab-" ENGINE_GAME " selfplay --out FILE [OPTION...]\n"
          "       kraton-lab-" ENGINE_GAME " bench tables FOLDER\n\n"
          "selfplay plays games against itself and writes them packed, for kraton tune and for"
          " networks:\n"
          "  --games N --resume --threads N     how many games the file gets; go on with it\n"
          "  --nodes N --tables FOLDER          for each move\n"
          "  --network none|default|FILE        the evaluation\n"
          "  --random N --seed N --balance CP   openings: random moves that favour neither side\n"
          "  --win-score CP --win-plies N --draw-score CP --draw-plies N --draw-after N\n"
          "  --max-plies N                      when a game is decided\n"
          "  --openings CP                      write only openings, as FENs\n"
          "docs/tuning.md explains them. bench tables measures the search with the endgame tables"
          " of a\nfolder.\n",
          to);
    return to == stdout ? 0 : 2;
}

static int bench_tables(const rules_game *game, const char *folder) {
    fault why;
    if (tables_bench(game, folder, stdout, &why))
        return 0;
    fprintf(stderr, "kraton-" ENGINE_GAME ": %s\n", why.line);
    return 1;
}

int main(int argc, char **argv) {
    const rules_game *game = rules_find(text_of(ENGINE_GAME));
    if (argc > 1 && strcmp(argv[1], "selfplay") == 0)
        return selfplay(game, argv + 2);
    if (argc == 4 && strcmp(argv[1], "bench") == 0 && strcmp(argv[2], "tables") == 0)
        return bench_tables(game, argv[3]);
    return usage(argc > 1 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
}
