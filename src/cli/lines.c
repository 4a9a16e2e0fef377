#include "cli/lines.h"

#include <stdlib.h>

void lines_write_score(const rules_game *game, int mover, const dialect_info *info, writer *out) {
    int better = info->score >= 0 ? mover : !mover, size = abs(info->score);
    if (info->is_mate)
        write_format(out, "%s wins in %d", rules_side_name(game, better), size);
    else if (size >= DIALECT_WON)
        write_format(out, "%s wins", rules_side_name(game, better));
    else if (size == 0)
        write_string(out, "even");
    else
        write_format(out, "%s +%d.%02d", rules_side_name(game, better), size / 100, size % 100);
}

void lines_write_moves(rules_state *state, const rules_move *moves, int count,
                       rules_notation notation, size_t bytes, writer *out) {
    size_t start = out->used;
    int played = 0;
    for (; played < count; played++) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        rules_format_move(state, moves[played], notation, &w);
        if (played && out->used - start + w.used + 1 > bytes)
            break;
        if (!rules_play(state, moves[played], NULL))
            break;
        write_format(out, "%s%s", played ? " " : "", word);
    }
    while (played--)
        rules_undo(state);
}
