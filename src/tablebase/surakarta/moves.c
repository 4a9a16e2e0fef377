#include "tablebase/surakarta/moves.h"

#include "rules/game.h"
#include "rules/surakarta/text.h"

// An unknown distance is longer than any other: a capture is the shortest way.
static int length_of(const tb_move *move) {
    return move->distance == KRATON_TB_NO_DISTANCE ? INT16_MAX : move->distance;
}

// Whether a is to stand before b. `waiting` is what waiting is worth to the side to move.
static bool is_better(const tb_move *a, const tb_move *b, int waiting) {
    if (a->value != b->value)
        return a->value > b->value;
    if (a->value == waiting)
        return a->captures && !b->captures;
    return a->value > waiting ? length_of(a) < length_of(b) : length_of(a) > length_of(b);
}

static bool look_up(const tb_oracle *oracle, const sk_pos *pos, tb_move *move) {
    sk_pos after = *pos;
    move->captures = sk_make(&after, move->move);
    int value = TB_LOSS, next = 0; // of a side without pieces
    if (after.pieces[after.stm] &&
        !oracle->look_up(oracle->context, tb_placement_of(&after), &value, &next))
        return false;
    if (move->captures)
        next = 0;
    move->value = (int8_t)-value;
    move->distance = (int16_t)(move->captures || next > 0 ? next + 1 : next);
    return true;
}

int tb_rank_moves_by(const tb_oracle *oracle, tb_rules rules, const sk_pos *pos,
                     tb_move moves[SK_MAX_MOVES]) {
    rules_move list[SK_MAX_MOVES];
    int n = sk_generate(pos, list);
    int waiting = tb_waiting_value(rules, bits_count(pos->pieces[pos->stm]),
                                   bits_count(pos->pieces[pos->stm ^ 1]));
    for (int i = 0; i < n; i++) {
        tb_move now = {.move = list[i]};
        if (!look_up(oracle, pos, &now))
            return -1;
        int at = i;
        for (; at > 0 && is_better(&now, &moves[at - 1], waiting); at--)
            moves[at] = moves[at - 1];
        moves[at] = now;
    }
    return n;
}

static bool look_up_open(void *context, tb_placement p, int *value, int *distance) {
    *value = kraton_tb_value(context, p.movers, p.others);
    if (*value == KRATON_TB_UNKNOWN)
        return false;
    *distance = kraton_tb_distance(context, p.movers, p.others);
    return true;
}

tb_oracle tb_oracle_of(kraton_tb *tables) { return (tb_oracle){tables, look_up_open}; }

int tb_rank_moves(kraton_tb *tables, tb_rules rules, const sk_pos *pos,
                  tb_move moves[SK_MAX_MOVES]) {
    tb_oracle oracle = tb_oracle_of(tables);
    return tb_rank_moves_by(&oracle, rules, pos, moves);
}

// --- lines --------------------------------------------------------------------------------------

int tb_write_line(const tb_oracle *oracle, tb_rules rules, const sk_pos *from, int per_line,
                  writer *out) {
    enum { LONGEST = 12 * 256 }; // a capture takes at most 255 plies
    sk_pos pos = *from;
    int ply = 0, value, distance;
    while (ply < LONGEST && pos.pieces[pos.stm] && pos.pieces[pos.stm ^ 1] &&
           oracle->look_up(oracle->context, tb_placement_of(&pos), &value, &distance) &&
           distance > 0) {
        tb_move moves[SK_MAX_MOVES];
        if (tb_rank_moves_by(oracle, rules, &pos, moves) < 1)
            break;
        if (ply > 0)
            write_char(out, per_line && ply % per_line == 0 ? '\n' : ' ');
        sk_format_move(&pos, moves[0].move, NOTATION_NATIVE, out);
        (void)sk_make(&pos, moves[0].move);
        ply++;
    }
    return ply;
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

int tb_state_line(kraton_tb *tables, tb_rules rules, const rules_state *s, int per_line,
                  writer *out) {
    tb_oracle oracle = tb_oracle_of(tables);
    return tb_write_line(&oracle, rules, &s->pos.sk, per_line, out);
}

void tb_write_fen(uint64_t mover_pieces, uint64_t other_pieces, writer *out) {
    sk_pos pos = sk_set_up(mover_pieces, other_pieces, SK_BLACK);
    sk_format_fen(&pos, out);
}
