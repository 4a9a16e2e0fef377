// kraton moves, show and perft: the moves of a position, its board, and the number of lines of
// play.
#include "cli/cli.h"
#include "cli/terminal.h"
#include "os/clock.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static int print_moves_json(const rules_state *state, json_t *moves) {
    const rules_game *game = rules_game_of(state);
    char position[RULES_FEN_SIZE];
    writer w = writer_on(position, sizeof position);
    rules_format_fen(state, &w);
    return print_json(json_pack("{s:s, s:s, s:s, s:O}", "game", rules_name(game), "fen", position,
                                "to_move", rules_side_name(game, rules_side_to_move(state)),
                                "moves", moves));
}

int cmd_moves(const command *self, int argc, char **argv) {
    const char *fen = NULL, *notation_name = "native";
    bool json = false;
    const option table[] = {
        {"fen", 0, "FEN", "from this position instead of the start", .string = &fen},
        {"notation", 0, "NOTATION", "native; sau; iccs, wxf, chinese, uci0, uci1",
         .string = &notation_name},
        {"json", 0, NULL, "one line of JSON", .flag = &json},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = find_game(argv[0]);
    rules_notation notation;
    if (!game || !find_notation(game, notation_name, &notation))
        return STATUS_USAGE;
    rules_state *state = new_game(game, NULL, fen);
    if (!state)
        return STATUS_BAD;
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(state, moves);
    json_t *words = json_array();
    for (int i = 0; i < n; i++) {
        char shown[RULES_MOVE_SIZE];
        writer w = writer_on(shown, sizeof shown);
        rules_format_move(state, moves[i], notation, &w);
        if (json)
            json_array_append_new(words, json_string(shown));
        else
            puts(shown);
    }
    if (json)
        status = print_moves_json(state, words);
    json_decref(words);
    free(state);
    return status;
}

int cmd_show(const command *self, int argc, char **argv) {
    const char *fen = NULL;
    bool ascii = false, flip = false, no_colour = false;
    const option table[] = {
        {"fen", 0, "FEN", "this position instead of the start", .string = &fen},
        {"flip", 0, NULL, "as the second side sees it", .flag = &flip},
        {"ascii", 0, NULL, "plain ASCII whatever the locale", .flag = &ascii},
        {"no-color", 0, NULL, "no colours; NO_COLOR in the environment does the same",
         .flag = &no_colour},
        {"no-colour", 0, NULL, NULL, .flag = &no_colour},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = find_game(argv[0]);
    if (!game)
        return STATUS_USAGE;
    rules_state *state = new_game(game, NULL, fen);
    if (!state)
        return STATUS_BAD;
    terminal term = terminal_look();
    rules_drawing how = {
        .unicode = term.unicode && !ascii, .colour = term.colour && !no_colour, .flipped = flip};
    char board[RULES_BOARD_SIZE];
    writer w = writer_on(board, sizeof board);
    rules_draw(state, &how, &w);
    fputs(board, stdout);
    terminal_warn_if_narrow(&term, state);
    printf("%s to move\n", rules_side_name(game, rules_side_to_move(state)));
    free(state);
    return STATUS_OK;
}

// --- perft ---------------------------------------------------------------------------------------

enum { MAX_DEPTH = 20 };

static uint64_t count(const rules_state *state, int depth, bool reference, uint64_t *captures) {
    *captures = 0;
    return depth == 0
               ? 1
               : rules_perft(state, depth, reference ? PERFT_REFERENCE : PERFT_FAST, captures);
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
        return STATUS_USAGE;
    int64_t depth;
    if (!text_to_int(text_of(argv[1]), 1, MAX_DEPTH, &depth))
        return misuse("kraton perft: the depth is 1 to %d, not %s", MAX_DEPTH,
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
