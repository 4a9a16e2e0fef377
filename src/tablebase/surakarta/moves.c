#include "tablebase/surakarta/moves.h"

#include "rules/game.h"
#include "rules/surakarta/text.h"

// Whether a is to stand before b. `waiting` is what waiting is worth to the side to move.
static bool is_better(const tb_move *a, const tb_move *b, int waiting) {
    if (a->value != b->value)
        return a->value > b->value;
    if (a->value == waiting)
        return a->captures && !b->captures;
    return a->value > waiting ? a->distance < b->distance : a->distance > b->distance;
}

static bool look_up(kraton_tb *tables, const sk_pos *pos, tb_move *move) {
    sk_pos after = *pos;
    move->captures = sk_make(&after, move->move);
    uint64_t movers = after.pieces[after.stm], others = after.pieces[after.stm ^ 1];
    int value = kraton_tb_value(tables, movers, others);
    if (value == KRATON_TB_UNKNOWN)
        return false;
    int next = move->captures ? 0 : kraton_tb_distance(tables, movers, others);
    move->value = (int8_t)-value;
    move->distance = (int16_t)(move->captures || next > 0 ? next + 1 : next);
    return true;
}

int tb_rank_moves(kraton_tb *tables, tb_rules rules, const sk_pos *pos,
                  tb_move moves[SK_MAX_MOVES]) {
    rules_move list[SK_MAX_MOVES];
    int n = sk_generate(pos, list);
    int waiting = tb_waiting_value(rules, bits_count(pos->pieces[pos->stm]),
                                   bits_count(pos->pieces[pos->stm ^ 1]));
    for (int i = 0; i < n; i++) {
        tb_move now = {.move = list[i]};
        if (!look_up(tables, pos, &now))
            return -1;
        int at = i;
        for (; at > 0 && is_better(&now, &moves[at - 1], waiting); at--)
            moves[at] = moves[at - 1];
        moves[at] = now;
    }
    return n;
}

// --- a game in progress -------------------------------------------------------------------------

const rules_game *tb_game(void) { return &rules_surakarta; }

static uint64_t movers(const rules_state *s) { return s->pos.sk.pieces[s->pos.sk.stm]; }

static uint64_t others(const rules_state *s) { return s->pos.sk.pieces[s->pos.sk.stm ^ 1]; }

int tb_state_value(kraton_tb *tables, const rules_state *s) {
    return kraton_tb_value(tables, movers(s), others(s));
}

int tb_state_distance(kraton_tb *tables, const rules_state *s) {
    return kraton_tb_distance(tables, movers(s), others(s));
}

_Static_assert((int)SK_MAX_MOVES <= (int)RULES_MAX_MOVES, "all moves of a position fit");

int tb_state_moves(kraton_tb *tables, tb_rules rules, const rules_state *s,
                   tb_move moves[RULES_MAX_MOVES]) {
    return tb_rank_moves(tables, rules, &s->pos.sk, moves);
}

void tb_write_fen(uint64_t mover_pieces, uint64_t other_pieces, writer *out) {
    sk_pos pos = sk_set_up(mover_pieces, other_pieces, SK_BLACK);
    sk_format_fen(&pos, out);
}
