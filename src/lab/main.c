// kraton-lab: what only researchers run, apart from what needs a search (lab/selfplay). `kraton
// tune` and `kraton bench rules|papers|tables|records|match` start it, so its messages are in the
// name of `kraton`.
#include "base/suggest.h"
#include "cli/cli.h"
#include "lab/bench/bench.h"
#include "lab/data/positions.h"
#include "lab/tune/command.h"
#include "lab/tune/view.h"
#include "os/file.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static int run_bench(const command *self, int argc, char **argv) {
    const char *dir = NULL;
    const option table[] = {
        {"dir", 0, "FOLDER", "tables: time lookups in these; papers: try paper 3's",
         .string = &dir},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (strcmp(argv[0], "rules") == 0)
        return bench_rules(stdout);
    if (strcmp(argv[0], "papers") == 0)
        return bench_papers(stdout, dir);
    if (strcmp(argv[0], "tables") == 0)
        return dir ? bench_lookups(stdout, dir) : bench_tables(stdout);
    if (strcmp(argv[0], "records") == 0)
        return bench_records(stdout);
    if (strcmp(argv[0], "match") == 0)
        return bench_match(stdout);
    if (strcmp(argv[0], "sessions") == 0)
        return bench_sessions(stdout);
    complain("kraton-lab bench: rules, papers, tables, records, match or sessions, not %s",
             fault_quote(text_of(argv[0])).shown);
    return STATUS_USAGE;
}

static void print_counts(const position_counts *c) {
    printf("%llu games, %llu plies: %llu positions kept, left out: %llu of openings, %llu in check,"
           " %llu captures, %llu scores, %llu duplicates\n",
           (unsigned long long)c->games, (unsigned long long)c->plies, (unsigned long long)c->kept,
           (unsigned long long)c->openings, (unsigned long long)c->checks,
           (unsigned long long)c->captures, (unsigned long long)c->scores,
           (unsigned long long)c->duplicates);
}

// Writes the positions of a reader for tools/train-network.py: docs/networks.md has the format.
static bool write_views(position_reader *r, const network_game *game, const char *path,
                        fault *why) {
    const network_shape shape = {
        .inputs = game->inputs, .width = 1, .king_buckets = 1, .output_buckets = 1};
    FILE *out = fopen(path, "wb");
    if (!out)
        return fault_set(why, "%s: %s", path, strerror(errno));
    fprintf(out, "KRATONPS 1 %s %d\n", game->game, game->points);
    position next;
    bool more = true, good = true;
    while (good && (good = positions_next(r, &next, &more, why)) && more) {
        network_view view;
        good = game->look(&shape, text_of(next.fen), &view, why);
        int sign = view.side == 0 ? 1 : -1;
        int16_t values[] = {(int16_t)(sign * next.score), (int16_t)view.hand, (int16_t)view.plain};
        uint8_t result = view.side == 0 ? next.half_points : (uint8_t)(2 - next.half_points);
        uint8_t record[VIEW_MAX_POINTS / 2 + 8], *at = record;
        for (int point = 0; point < game->points; point += 2)
            *at++ = (uint8_t)(view.board[point] | view.board[point + 1] << 4);
        *at++ = (uint8_t)view.side;
        *at++ = result;
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            *at++ = (uint8_t)(values[i] & 255);
            *at++ = (uint8_t)((uint16_t)values[i] >> 8);
        }
        fwrite(record, 1, (size_t)(at - record), out);
    }
    bool written = !ferror(out);
    if ((fclose(out) != 0 || !written) && good)
        good = fault_set(why, "%s: %s", path, strerror(errno));
    return good;
}

// Writes the positions of a reader, or how many there are.
static bool print_positions(position_reader *r, bool only_counts, fault *why) {
    static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};
    position next;
    bool more = true;
    while (more && positions_next(r, &next, &more, why))
        if (more && !only_counts)
            printf("%s ; %s ; %d\n", next.fen, results[next.half_points], next.score);
    if (only_counts && !more) {
        position_counts counts = positions_count(r);
        print_counts(&counts);
    }
    return !more;
}

static int run_positions(const command *self, int argc, char **argv) {
    position_filter filter = position_filter_default();
    const char *seed = NULL, *window = NULL, *score = NULL, *binary = NULL;
    bool count = false;
    const option table[] = {
        {"seed", 0, "N", "of the order; 1", .string = &seed},
        {"window", 0, "N", "positions shuffled at a time, 0: in order; 100000", .string = &window},
        {"max-score", 0, "CP", "leave larger scores out; 2000", .string = &score},
        {"checks", 0, NULL, "also positions in check", .flag = &filter.checks},
        {"captures", 0, NULL, "also those whose best move is a capture", .flag = &filter.captures},
        {"duplicates", 0, NULL, "also those seen before", .flag = &filter.duplicates},
        {"count", 0, NULL, "only say how many there are", .flag = &count},
        {"binary", 0, "FILE", "write them there, for tools/train-network.py", .string = &binary},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    int64_t seeds = 1, held = filter.window, most = filter.max_score;
    if (!option_number(self, "seed", seed, 0, INT64_MAX, &seeds) ||
        !option_number(self, "window", window, 0, 100000000, &held) ||
        !option_number(self, "max-score", score, 0, INT16_MAX, &most))
        return STATUS_USAGE;
    filter.seed = (uint64_t)seeds;
    filter.window = (int)held;
    filter.max_score = (int)most;
    const rules_game *game = find_game(argv[0]);
    position_reader *reader = NULL;
    fault why;
    if (!game)
        return STATUS_BAD;
    const network_game *networks = network_game_find(game);
    if (binary && !networks)
        return complain("kraton-lab positions: there are no networks for %s", argv[0]);
    bool good =
        positions_open(&reader, game, (const char *const *)(argv + 1), argc - 1, &filter, &why) &&
        (binary ? write_views(reader, networks, binary, &why)
                : print_positions(reader, count, &why));
    positions_close(reader);
    return good ? STATUS_OK : complain("kraton-lab positions: %s", why.line);
}

// Evaluates a position, for the side to move, with a network or made by hand.
static bool print_evaluation(const network_game *game, const network *n, text line, fault *why) {
    text fen = text_trim((text){line.at, text_find(line, ";")});
    int32_t value;
    if (!game->evaluate(n, fen, &value, why))
        return false;
    printf("%.*s ; %d\n", (int)fen.len, fen.at, value);
    return true;
}

static int run_evaluate(const command *self, int argc, char **argv) {
    const char *path = NULL;
    const option table[] = {
        {"network", 0, "FILE", "evaluate with this network", .string = &path},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *rules = find_game(argv[0]);
    if (!rules)
        return STATUS_BAD;
    const network_game *game = network_game_find(rules);
    if (!game)
        return complain("kraton-lab evaluate: there are no networks for %s", argv[0]);
    fault why;
    char *bytes;
    size_t size;
    if (!os_path_read_all(argv[1], SIZE_MAX, &bytes, &size))
        return complain("kraton-lab evaluate: %s: %s", argv[1], strerror(errno));
    network *n = path ? network_open(path, game->game, &why) : NULL;
    bool good =
        !path ||
        (n && (game->fits(n) || fault_set(&why, "%s has another shape than the engine's", path)));
    text rest = {bytes, size};
    for (int number = 1; good && rest.len; number++) {
        text line = text_next_line(&rest);
        fault inner;
        if (text_trim(line).len && !print_evaluation(game, n, line, &inner))
            good = fault_set(&why, "%s:%d: %s", argv[1], number, inner.line);
    }
    network_free(n);
    free(bytes);
    return good ? STATUS_OK : complain("kraton-lab evaluate: %s", why.line);
}

static const command commands[] = {
    {"tune", "GAME FILE... [--out FILE]", "Fits the weights of an evaluation to finished games.",
     "Files hold packed games of self-play, positions, a line each, `FEN ; RESULT [; SCORE]`, or\n"
     "games as `kraton match` writes them. Ctrl-C ends it with the best weights so far. "
     "docs/tuning.md says more.\n\n"
     "  kraton tune surakarta positions.txt --out src/games/surakarta/weights.h\n",
     2, -1, .run = tune_command},
    {"train", "GAME FILE... --out FILE", "Trains a network for an evaluation from packed games.",
     "Writes the network with the least loss on held-out positions; docs/networks.md says more.\n\n"
     "  kraton-lab train xiangqi xiangqi.games --width 32 --out xiangqi.network\n",
     2, -1, .run = train_command},
    {"positions", "GAME FILE...",
     "Writes positions of packed games as text, shuffled and filtered.",
     "A line a position: `FEN ; RESULT ; SCORE`. Positions in check, with a capture as best move,\n"
     "with a large score or seen before are left out, unless options want them.\n\n"
     "  kraton-lab positions xiangqi games.packed --max-score 1000 >positions.txt\n",
     2, -1, .run = run_positions},
    {"evaluate", "GAME FILE [--network FILE]", "Evaluates positions with or without a network.",
     "FILE has a FEN a line; what follows a semicolon is ignored. The value is for the side to\n"
     "move.\n\n"
     "  kraton-lab evaluate xiangqi positions.txt --network xiangqi.network\n",
     2, 2, .run = run_evaluate},
    {"bench", "rules|papers|tables|records|match|sessions [--dir FOLDER]",
     "Measures what things cost, side by side.",
     "`rules` compares the generators with slower ones and with Fairy-Stockfish, `papers` shows\n"
     "what each idea of the papers is worth, `tables` compares indexes for endgame tables,\n"
     "`records` measures how fast records are read, `match` measures the match runner, `sessions` "
     "what sessions of engines would cost it.\n\n"
     "  kraton bench rules\n",
     1, 1, .run = run_bench},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int complain_command(const char *name) {
    suggestion near = suggest_for(text_of(name));
    for (int i = 0; i < COMMANDS; i++)
        suggest_offer(&near, commands[i].name);
    return misuse("kraton-lab: no command %s%s", fault_quote(text_of(name)).shown,
                  suggest_hint(&near).shown);
}

static int usage(FILE *to) {
    fputs("usage: kraton-lab COMMAND [ARGUMENT...]\n\n", to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].summary);
    fputs("\nGames against itself: kraton-surakarta selfplay, kraton-xiangqi selfplay.\n", to);
    return to == stdout ? STATUS_OK : STATUS_USAGE;
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    for (int i = 0; argc > 1 && i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            int status = commands[i].run(&commands[i], argc - 2, argv + 2);
            // A full disk may show only now.
            return fclose(stdout) == 0 ? status : complain("kraton: cannot write the output");
        }
    if (argc == 1)
        return usage(stderr);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return print_version("kraton-lab");
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    return help ? usage(stdout) : complain_command(argv[1]);
}
