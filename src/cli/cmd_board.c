// kraton moves and kraton show: a position's moves and its board.
#include "cli/options.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>

int cmd_moves(const command *self, int argc, char **argv) {
    const char *fen = NULL, *notation_name = "native";
    const option table[] = {
        {"fen", 0, "FEN", "from this position instead of the start", .string = &fen},
        {"notation", 0, "NAME", "native; sau; iccs, wxf, chinese, uci0, uci1",
         .string = &notation_name},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = find_game(argv[0]);
    rules_notation notation;
    if (!game || !find_notation(game, notation_name, &notation))
        return STATUS_BAD;
    rules_state *state = new_game(game, NULL, fen);
    if (!state)
        return STATUS_BAD;
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(state, moves);
    for (int i = 0; i < n; i++) {
        char shown[RULES_MOVE_SIZE];
        writer w = writer_on(shown, sizeof shown);
        rules_format_move(state, moves[i], notation, &w);
        puts(shown);
    }
    free(state);
    return STATUS_OK;
}

int cmd_show(const command *self, int argc, char **argv) {
    const char *fen = NULL;
    bool ascii = false, flip = false, no_colour = false;
    const option table[] = {
        {"fen", 0, "FEN", "this position instead of the start", .string = &fen},
        {"flip", 0, NULL, "as the second side sees it", .flag = &flip},
        {"ascii", 0, NULL, "plain ASCII whatever the locale", .flag = &ascii},
        {"no-colour", 0, NULL, "no colours, on a terminal too", .flag = &no_colour},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = find_game(argv[0]);
    rules_state *state = game ? new_game(game, NULL, fen) : NULL;
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
