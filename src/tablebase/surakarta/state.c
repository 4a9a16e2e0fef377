#include "tablebase/surakarta/state.h"

#include "rules/game.h"
#include "rules/surakarta/text.h"

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
