#include "records/balanced.h"

#include "rules/xiangqi/see.h"

// --- Xiangqi
// --------------------------------------------------------------------------------------

static bool xq_has_winning_capture(const xq_pos *pos) {
    rules_move captures[XQ_MAX_MOVES];
    int n = xq_generate_captures(pos, captures);
    for (int i = 0; i < n; i++)
        if (xq_see(pos, captures[i], xq_plain_values) > 0)
            return true;
    return false;
}

static bool xq_is_balanced(const xq_pos *pos) {
    for (int type = XQ_CHARIOT; type < XQ_KING; type++)
        if (bits_wide_count(pos->men[xq_piece(type, XQ_RED)]) !=
            bits_wide_count(pos->men[xq_piece(type, XQ_BLACK)]))
            return false;
    if (xq_in_check(pos, pos->stm))
        return false;
    xq_pos passed = *pos;
    passed.stm ^= 1;
    passed.key ^= xq_black_to_move;
    return !xq_has_winning_capture(pos) && !xq_has_winning_capture(&passed);
}

static uint64_t xq_mirrored_key(const xq_pos *pos, bool mirrored) {
    uint64_t key = pos->stm == XQ_BLACK ? xq_black_to_move : 0;
    for (int p = 0; p < XQ_POINTS; p++)
        key ^= xq_piece_keys[pos->board[p]][mirrored ? p + 8 - 2 * xq_file(p) : p];
    return key;
}

// --- Surakarta
// ------------------------------------------------------------------------------------

// What a capture brings when both sides go on taking on its target as long as they like.
static int sk_exchange(const sk_pos *pos, rules_move capture) {
    sk_pos after = *pos;
    sk_make(&after, capture);
    rules_move answers[SK_MAX_CAPTURES];
    int n = sk_generate_captures(&after, answers), best = 0;
    for (int i = 0; i < n; i++)
        if (move_to(answers[i]) == move_to(capture)) {
            int gain = sk_exchange(&after, answers[i]);
            best = gain > best ? gain : best;
        }
    return 1 - best;
}

static bool sk_has_winning_capture(const sk_pos *pos) {
    rules_move captures[SK_MAX_CAPTURES];
    int n = sk_generate_captures(pos, captures);
    for (int i = 0; i < n; i++)
        if (sk_exchange(pos, captures[i]) > 0)
            return true;
    return false;
}

static bool sk_is_balanced(const sk_pos *pos) {
    if (bits_count(pos->pieces[SK_BLACK]) != bits_count(pos->pieces[SK_WHITE]))
        return false;
    sk_pos passed = *pos;
    passed.stm ^= 1;
    passed.key ^= sk_white_key;
    return !sk_has_winning_capture(pos) && !sk_has_winning_capture(&passed);
}

// The image of a point under one of the eight symmetries of the square.
static int sk_turned_point(int point, int symmetry) {
    int row = point / 6, column = point % 6;
    if (symmetry & 1)
        column = 5 - column;
    if (symmetry & 2)
        row = 5 - row;
    return symmetry & 4 ? column * 6 + row : row * 6 + column;
}

static uint64_t sk_turned_key(const sk_pos *pos, int symmetry) {
    uint64_t key = pos->stm == SK_WHITE ? sk_white_key : 0;
    for (int side = 0; side < 2; side++)
        for (uint64_t men = pos->pieces[side]; men;)
            key ^= sk_point_key[side][sk_turned_point(bits_pop(&men), symmetry)];
    return key;
}

// --- both
// -----------------------------------------------------------------------------------------

bool balanced_check(const rules_game *game, const rules_pos *pos) {
    rules_set set = rules_default_set(game);
    return game->board_result(pos, &set).outcome == RULES_ONGOING &&
           (game == &rules_xiangqi ? xq_is_balanced(&pos->xq) : sk_is_balanced(&pos->sk));
}

uint64_t balanced_key(const rules_game *game, const rules_pos *pos) {
    bool xiangqi = game == &rules_xiangqi;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < (xiangqi ? 2 : 8); i++) {
        uint64_t key = xiangqi ? xq_mirrored_key(&pos->xq, i) : sk_turned_key(&pos->sk, i);
        least = key < least ? key : least;
    }
    return least;
}

static bool has_winning_capture(const rules_game *game, const rules_pos *pos) {
    return game == &rules_xiangqi ? xq_has_winning_capture(&pos->xq)
                                  : sk_has_winning_capture(&pos->sk);
}

// Plays a random move that leaves nothing to be taken; false where there is none.
static bool play_quietly(const rules_game *game, rng *random, rules_pos *pos, rules_move *played) {
    rules_move moves[RULES_MAX_MOVES];
    rules_past past;
    for (int n = game->legal_moves(pos, moves); n > 0;) {
        uint32_t i = rng_below(random, (uint32_t)n);
        rules_pos next = *pos;
        game->make(&next, moves[i], &past);
        if (!has_winning_capture(game, &next)) {
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
    if (game == &rules_xiangqi)
        pos->xq.quiet = 0, pos->xq.number = 1;
    else
        pos->sk.quiet = 0, pos->sk.number = 1;
    return balanced_check(game, pos);
}
