#include "records/balanced.h"

#include "records/mirror.h"

bool balanced_check(const rules_game *game, const rules_pos *pos) {
    rules_set set = rules_default_set(game);
    if (game->board_result(pos, &set).outcome != RULES_ONGOING || !game->has_equal_men(pos) ||
        game->in_check(pos) || game->has_winning_capture(pos))
        return false;
    rules_pos passed = *pos;
    game->pass(&passed);
    return !game->has_winning_capture(&passed);
}

uint64_t balanced_key(const rules_game *game, const rules_pos *pos) {
    return mirror_of_position(game, pos).key;
}

// Plays a random move that leaves nothing to be taken; false where there is none.
static bool play_quietly(const rules_game *game, rng *random, rules_pos *pos, rules_move *played) {
    rules_move moves[RULES_MAX_MOVES];
    rules_past past;
    for (int n = game->legal_moves(pos, moves); n > 0;) {
        uint32_t i = rng_below(random, (uint32_t)n);
        rules_pos next = *pos;
        game->make(&next, moves[i], &past);
        if (!game->has_winning_capture(&next)) {
            *pos = next;
            *played = moves[i];
            return true;
        }
        moves[i] = moves[--n];
    }
    return false;
}

bool balanced_try(const rules_game *game, const rules_pos *start, int plies, rng *random,
                  rules_pos *pos, rules_move *moves) {
    *pos = *start;
    for (int i = 0; i < plies; i++)
        if (!play_quietly(game, random, pos, &moves[i]))
            return false;
    game->reset_counters(pos);
    return balanced_check(game, pos);
}
