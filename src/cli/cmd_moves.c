#include "cli/options.h"

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
