#include "lab/selfplay/tables_bench.h"

#include "base/rng.h"
#include "games/tables.h"
#include "search/search.h"

#include <stdlib.h>
#include <time.h>

enum { BOARDS = 10, ROUNDS = 5, NODES = 100000, POINTS = 36 };

// A board of so many pieces, the same every time, sides as equal as can be.
static void write_board(rng *dice, int pieces, char fen[RULES_FEN_SIZE]) {
    char board[POINTS + 1] = "111111111111111111111111111111111111";
    writer w = writer_on(fen, RULES_FEN_SIZE);
    for (int i = 0; i < pieces;) {
        uint32_t point = rng_below(dice, POINTS);
        if (board[point] == '1')
            board[point] = i++ % 2 ? 'w' : 'b';
    }
    for (int row = 0; row < 6; row++)
        write_format(&w, "%s%.6s", row ? "/" : "", board + 6 * row);
    write_string(&w, " b 0 1");
}

// Nodes a second of processor time over all boards.
static double measure(search *s, rules_state *state, int pieces) {
    rng dice = {(uint64_t)pieces};
    uint64_t nodes = 0;
    clock_t began = clock();
    for (int i = 0; i < BOARDS; i++) {
        char fen[RULES_FEN_SIZE];
        fault why;
        write_board(&dice, pieces, fen);
        if (!rules_set_fen(state, text_of(fen), &why))
            continue;
        search_limits limits = {.nodes = NODES, .clock_us = -1};
        search_clear(s);
        search_set_state(s, state);
        search_start(s, &limits, NULL);
        nodes += search_wait(s).nodes;
    }
    return (double)nodes * CLOCKS_PER_SEC / (double)(clock() - began);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void compare_boards(search *s, rules_state *state, const game_tables *tables, int pieces,
                           FILE *out) {
    double with[ROUNDS], without[ROUNDS], ratio[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        search_set_tables(s, NULL);
        without[i] = measure(s, state, pieces);
        search_set_tables(s, tables);
        with[i] = measure(s, state, pieces);
        ratio[i] = with[i] / without[i];
    }
    qsort(with, ROUNDS, sizeof *with, compare);
    qsort(without, ROUNDS, sizeof *without, compare);
    qsort(ratio, ROUNDS, sizeof *ratio, compare);
    fprintf(out, "  %-8d %12.0f %12.0f %7.2f    (%.2f - %.2f)\n", pieces, without[ROUNDS / 2],
            with[ROUNDS / 2], ratio[ROUNDS / 2], ratio[0], ratio[ROUNDS - 1]);
    fflush(out);
}

bool tables_bench(const rules_game *game, const char *folder, FILE *out, fault *why) {
    rules_set set = rules_default_set(game);
    game_tables *tables = game_tables_open(game, folder, NULL, NULL);
    void *memory = malloc(rules_state_size(1));
    search *s = search_new();
    bool fine = memory && s && game_tables_for(tables, &set);
    if (fine) {
        rules_state *state = rules_state_new(memory, game, &set, 1);
        fprintf(out,
                "Nodes a second without and with tables of up to %d pieces, %d boards each\n"
                "  %-8s %12s %12s   ratio    (from - to)\n",
                game_tables_pieces(tables), BOARDS, "pieces", "without", "with");
        for (int pieces = 10; pieces <= 16; pieces += 2)
            compare_boards(s, state, tables, pieces, out);
    } else {
        fault_set(why, "no endgame tables for this game's rules in %s", folder);
    }
    search_free(s);
    game_tables_close(tables);
    free(memory);
    return fine;
}
