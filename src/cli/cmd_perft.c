// kraton perft: how many lines of play there are, the proof of a move generator.
#include "base/clock.h"
#include "cli/options.h"
#include "rules/surakarta/perft.h"
#include "rules/surakarta/reference.h"
#include "rules/surakarta/text.h"
#include "rules/xiangqi/perft.h"
#include "rules/xiangqi/reference.h"
#include "rules/xiangqi/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEPTH = 20 };

// The two games count on positions of their own; a FEN is the way there from the table of rules.
static uint64_t count_surakarta(text fen, int depth, bool reference, uint64_t *captures) {
    sk_pos pos;
    if (!sk_parse_fen(&pos, fen, NULL))
        return 0;
    return (reference ? sk_reference_perft : sk_perft)(&pos, depth, captures);
}

static uint64_t count_xiangqi(text fen, int depth, bool reference, uint64_t *captures) {
    xq_pos pos;
    if (!xq_parse_fen(&pos, fen, NULL))
        return 0;
    return (reference ? xq_reference_perft : xq_perft)(&pos, depth, captures);
}

static uint64_t count(const rules_state *state, int depth, bool reference, uint64_t *captures) {
    *captures = 0;
    if (depth == 0)
        return 1;
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(state, &w);
    bool surakarta = rules_game_of(state) == rules_find(text_of("surakarta"));
    return (surakarta ? count_surakarta : count_xiangqi)(text_of(fen), depth, reference, captures);
}

// A line for each move from here: how many lines of play begin with it.
static int divide(rules_state *state, int depth, bool reference) {
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(state, moves);
    for (int i = 0; i < n; i++) {
        char shown[RULES_MOVE_SIZE];
        writer w = writer_on(shown, sizeof shown);
        rules_format_move(state, moves[i], NOTATION_NATIVE, &w);
        fault why;
        if (!rules_play(state, moves[i], &why))
            return complain("kraton: %s", why.line);
        uint64_t captures;
        printf("%s %" PRIu64 "\n", shown, count(state, depth - 1, reference, &captures));
        rules_undo(state);
    }
    return STATUS_OK;
}

int cmd_perft(const command *self, int argc, char **argv) {
    const char *fen = NULL;
    bool reference = false, divided = false;
    const option table[] = {
        {"fen", 0, "FEN", "from this position instead of the start", .string = &fen},
        {"reference", 0, NULL, "count with the papers' generator", .flag = &reference},
        {"divide", 0, NULL, "for the last depth, first a line a move: MOVE NODES",
         .flag = &divided},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = find_game(argv[0]);
    if (!game)
        return STATUS_BAD;
    int64_t depth;
    if (!text_to_int(text_of(argv[1]), 1, MAX_DEPTH, &depth))
        return complain("kraton perft: the depth is 1 to %d, not %s", MAX_DEPTH,
                        fault_quote(text_of(argv[1])).shown);
    rules_state *state = new_game(game, NULL, fen);
    if (!state)
        return STATUS_BAD;
    for (int d = 1; d <= depth && status == STATUS_OK; d++) {
        if (divided && d == depth)
            status = divide(state, d, reference);
        uint64_t captures;
        int64_t began = clock_us();
        uint64_t nodes = count(state, d, reference, &captures);
        printf("%d %" PRIu64 " %" PRIu64 " %.6f\n", d, nodes, captures,
               (double)(clock_us() - began) / 1e6);
        fflush(stdout);
    }
    free(state);
    return status;
}
