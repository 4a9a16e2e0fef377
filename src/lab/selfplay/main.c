// kraton-lab-surakarta and kraton-lab-xiangqi: the part of the lab that needs the search of a game,
// ENGINE_GAME. The engines start it for `selfplay`, `puzzles` and `bench tables`.
#include "games/network.h"
#include "games/tables.h"
#include "lab/data/packed.h"
#include "lab/puzzles/maker.h"
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

static int refuse(const rules_game *game, const char *verb, const char *words,
                  const char *argument) {
    fprintf(stderr, "kraton-%s %s: %s%s\n", rules_name(game), verb, words, argument);
    return 2;
}

typedef struct {
    const char *name;
    int64_t low, high, usual;
} number_option;

typedef struct {
    const char *name; // NULL behind the last
    const char **word;
} word_option;

// Reads one option with its value at *a and moves on; 0, or the status after a complaint.
static int read_option(const rules_game *game, const char *verb, const number_option *numbers,
                       int number_count, const word_option *words, char ***a, int64_t *value) {
    const char *name = *(*a)++, *given = **a;
    int n = 0;
    while (n < number_count && strcmp(name, numbers[n].name) != 0)
        n++;
    while (words->name && strcmp(name, words->name) != 0)
        words++;
    if (n == number_count && !words->name)
        return refuse(game, verb, "no such option (--help): ", name);
    if (!given)
        return refuse(game, verb, "a value is missing after ", name);
    (*a)++;
    if (words->name)
        *words->word = given;
    else if (!text_to_int(text_of(given), numbers[n].low, numbers[n].high, &value[n]))
        return refuse(game, verb, "not a sensible number: ", given);
    return 0;
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

static const number_option numbers[NUMBERS] = {
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
    const word_option words[] = {
        {"--out", &c->path}, {"--tables", &c->tables}, {"--network", &c->network}, {NULL, NULL}};
    for (char **a = arguments; *a;) {
        c->resumes |= strcmp(*a, "--resume") == 0;
        if (strcmp(*a, "--resume") == 0) {
            a++;
            continue;
        }
        int status = read_option(game, "selfplay", numbers, NUMBERS, words, &a, c->value);
        if (status)
            return status;
    }
    return c->path ? 0 : refuse(game, "selfplay", "--out FILE says where the games go", "");
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
        return refuse(game, "selfplay", "no endgame tables in ", c.tables) - 1;
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
        status = refuse(game, "selfplay", "", why.line) - 1;
    network_free(n);
    game_tables_close(tables);
    return status;
}

// --- puzzles ------------------------------------------------------------------------------------

enum { PUZZLE_COUNT, PUZZLE_NODES, PUZZLE_SEED, PUZZLE_GAMES, PUZZLE_NUMBERS };

static const number_option puzzle_numbers[PUZZLE_NUMBERS] = {
    [PUZZLE_COUNT] = {"--count", 1, 100000, 200},
    [PUZZLE_NODES] = {"--nodes", 100, INT64_MAX, 100000},
    [PUZZLE_SEED] = {"--seed", 0, INT64_MAX, 1},
    [PUZZLE_GAMES] = {"--games", 1, 1000000000, 1000000000},
};

// The command as typed, for the file it makes.
static void write_command(char **arguments, writer *w) {
    write_string(w, "kraton-" ENGINE_GAME " puzzles");
    for (char **a = arguments; *a; a++) {
        const char *slash = strrchr(*a, '/'); // folders are of the machine
        write_format(w, " %s", slash && slash[1] ? slash + 1 : *a);
    }
}

static int puzzles(const rules_game *game, char **arguments) {
    const char *out = NULL, *folder = NULL;
    const word_option words[] = {{"--out", &out}, {"--tables", &folder}, {NULL, NULL}};
    int64_t value[PUZZLE_NUMBERS];
    int status = 0, count = 0;
    char command[1024];
    writer w = writer_on(command, sizeof command);
    write_command(arguments, &w);
    for (int i = 0; i < PUZZLE_NUMBERS; i++)
        value[i] = puzzle_numbers[i].usual;
    for (char **a = arguments; *a && !status;) {
        if ((*a)[0] != '-')
            arguments[count++] = *a++;
        else
            status = read_option(game, "puzzles", puzzle_numbers, PUZZLE_NUMBERS, words, &a, value);
    }
    if (status)
        return status;
    if (!out)
        return refuse(game, "puzzles", "--out FILE says where the puzzles go", "");
    game_tables *tables = folder ? game_tables_open(game, folder, NULL, NULL) : NULL;
    if (folder && !tables)
        return refuse(game, "puzzles", "no endgame tables in ", folder) - 1;
    if (count == 0 && !tables)
        return refuse(game, "puzzles", "name files of packed games, or --tables FOLDER", "");
    maker_terms terms = {.game = game,
                         .paths = (const char *const *)arguments,
                         .path_count = count,
                         .out = out,
                         .wanted = (int)value[PUZZLE_COUNT],
                         .games = (int)value[PUZZLE_GAMES],
                         .nodes = (uint64_t)value[PUZZLE_NODES],
                         .seed = (uint64_t)value[PUZZLE_SEED],
                         .tables = tables,
                         .command = command,
                         .stop = &interrupted};
    os_process_on_interrupt(on_interrupt);
    fault why;
    if (!puzzles_make(&terms, &why))
        status = refuse(game, "puzzles", "", why.line) - 1;
    game_tables_close(tables);
    return status;
}

// --- the program --------------------------------------------------------------------------------

static int usage(FILE *to) {
    fputs("usage: kraton-lab-" ENGINE_GAME " selfplay --out FILE [OPTION...]\n"
          "       kraton-lab-" ENGINE_GAME " puzzles FILE... --out FILE [OPTION...]\n"
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
          "puzzles finds positions with one best move in such games, and in tables:\n"
          "  --count N --games N                how many puzzles; games looked through in a file\n"
          "  --nodes N                          of each search that proves one\n"
          "  --tables FOLDER --seed N           also endgames, chosen by this seed\n"
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
    if (argc > 1 && strcmp(argv[1], "puzzles") == 0)
        return puzzles(game, argv + 2);
    if (argc == 4 && strcmp(argv[1], "bench") == 0 && strcmp(argv[2], "tables") == 0)
        return bench_tables(game, argv[3]);
    return usage(argc > 1 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
}
