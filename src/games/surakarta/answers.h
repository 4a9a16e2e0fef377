// Surakarta's answers to the contract (contract/contract.h), inline.
#ifndef KRATON_GAMES_SURAKARTA_ANSWERS_H
#define KRATON_GAMES_SURAKARTA_ANSWERS_H

#include "games/surakarta/evaluate.h"
#include "games/surakarta/params.h"
#include "games/tables.h"
#include "rules/game.h"
#include "rules/move.h"

typedef sk_pos game_pos;
typedef sk_eval game_eval;
typedef struct {
    char unused;
} game_memory;

typedef struct {
    const kraton_tb *tables;
    int pieces; // the most they know
} game_prober;

#define GAME_NAME "surakarta"
#define game_bench_fens sk_bench_fens
extern const char *const sk_bench_fens[]; // NULL at the end

enum {
    GAME_POINTS = SK_POINTS,
    GAME_MAX_MOVES = SK_MAX_MOVES,
    GAME_SLOTS = 2 * SK_POINTS * SK_POINTS, // side, from, to: all pieces are alike
    GAME_BEFORES = 2 * SK_POINTS,           // side, to
    GAME_VICTIMS = 2,
    GAME_PARTS = 2, // the pieces of each side
    GAME_NETWORKS = 1
};

// --- position -----------------------------------------------------------------------------------

static inline game_pos game_position(const rules_state *state) { return state->pos.sk; }

static inline game_step game_past(const rules_state *state, uint32_t n) {
    return (game_step){state->past[n].key, state->past[n].move, false};
}

ALWAYS_INLINE uint64_t game_key(const game_pos *pos) { return pos->key; }
ALWAYS_INLINE int game_stm(const game_pos *pos) { return pos->stm; }
ALWAYS_INLINE int game_quiet(const game_pos *pos) { return pos->quiet; }
ALWAYS_INLINE uint64_t game_compute_key(const game_pos *pos) { return sk_compute_key(pos); }

ALWAYS_INLINE uint64_t game_key_after(const game_pos *pos, rules_move move) {
    int from = move_from(move), to = move_to(move), us = pos->stm, them = us ^ 1;
    uint64_t taken = pos->pieces[them] >> to & 1 ? sk_point_key[them][to] : 0;
    return pos->key ^ sk_point_key[us][from] ^ sk_point_key[us][to] ^ sk_white_key ^ taken;
}

ALWAYS_INLINE uint64_t game_part_key(const game_pos *pos, int part) {
    return pos->pieces[part] * 0x9e3779b97f4a7c15u;
}

ALWAYS_INLINE void game_make(game_pos *pos, rules_move move) { sk_make(pos, move); }

ALWAYS_INLINE void game_make_null(game_pos *pos) {
    pos->stm ^= 1;
    pos->key ^= sk_white_key;
}

ALWAYS_INLINE bool game_in_check(const game_pos *pos) {
    (void)pos;
    return false;
}

ALWAYS_INLINE bool game_gives_check(const game_pos *pos, rules_move move) {
    (void)pos, (void)move;
    return false;
}

// With few pieces having to move is often the whole trouble.
ALWAYS_INLINE bool game_may_pass(const game_pos *pos) {
    return bits_count(pos->pieces[pos->stm]) >= PARAM_NULL_PIECES;
}

// --- moves --------------------------------------------------------------------------------------

ALWAYS_INLINE int game_generate_noisy(const game_pos *pos, rules_move *list) {
    return sk_generate_captures(pos, list);
}

ALWAYS_INLINE int game_generate_quiet(const game_pos *pos, rules_move *list) {
    return sk_generate_quiets(pos, list);
}

ALWAYS_INLINE bool game_is_legal(const game_pos *pos, rules_move move) {
    return sk_is_legal(pos, move);
}

ALWAYS_INLINE int game_victim(const game_pos *pos, rules_move move) {
    return (int)(pos->pieces[pos->stm ^ 1] >> move_to(move) & 1);
}

ALWAYS_INLINE bool game_is_noisy(const game_pos *pos, rules_move move) {
    return game_victim(pos, move) != 0;
}

ALWAYS_INLINE int game_worth(int victim) { return victim ? 100 : 0; }

ALWAYS_INLINE int game_slot(const game_pos *pos, rules_move move) {
    return (pos->stm * SK_POINTS + move_from(move)) * SK_POINTS + move_to(move);
}

ALWAYS_INLINE int game_before(const game_pos *pos, rules_move move) {
    return pos->stm * SK_POINTS + move_to(move);
}

// All pieces are worth the same and a capture takes one, so an exchange can go no worse than the
// first capture and the first recapture make it: none that begins with a capture loses, so that
// the search's bad captures and their pruning are Xiangqi's alone. Along an open circuit two pieces
// see each other, so what the mover attacks from its target is what attacks it there.
ALWAYS_INLINE bool game_wins_exchange(const game_pos *pos, rules_move move, int least) {
    int gain = game_worth(game_victim(pos, move));
    if (gain - 100 >= least)
        return true;
    if (gain < least)
        return false;
    sk_pos next = *pos;
    sk_make(&next, move);
    uint64_t takers = sk_capture_targets(&next, move_to(move));
    if (!takers)
        return true;
    if (gain)
        return false; // a capture that is answered nets nothing
    // A quiet move is made good where the taker can be taken in turn.
    int taker = bits_lowest(takers);
    sk_make(&next, move_of(taker, move_to(move)));
    return least <= 0 && sk_capture_targets(&next, move_to(move)) != 0;
}

// Captures nobody answers first.
ALWAYS_INLINE int game_rank_noisy(const game_pos *pos, rules_move move) {
    return game_wins_exchange(pos, move, 100) ? 1000 : 0;
}

// --- judgement ----------------------------------------------------------------------------------

ALWAYS_INLINE bool game_takes_network(const network *n) { return sk_units_fit(n); }

static inline void game_refresh(game_eval *e, const game_pos *pos, const network *n) {
    sk_eval_refresh(e, pos, n);
}

ALWAYS_INLINE void game_update(game_eval *next, game_eval *now, const game_pos *before,
                               rules_move move) {
    sk_eval_update(next, now, before, move);
}

ALWAYS_INLINE void game_update_null(game_eval *next, game_eval *now) {
    sk_eval_update_null(next, now);
}

ALWAYS_INLINE int32_t game_evaluate(const game_pos *pos, game_eval *e, game_memory *memory) {
    (void)memory;
    return sk_evaluate(pos, e);
}

ALWAYS_INLINE bool game_is_over(const game_pos *pos, int *verdict) {
    if (pos->pieces[pos->stm] && pos->pieces[pos->stm ^ 1])
        return false;
    *verdict = pos->pieces[pos->stm] ? 1 : -1;
    return true;
}

ALWAYS_INLINE int game_cut_off(const game_pos *pos, rules_end end) {
    if (end == END_LOSS)
        return -1;
    int balance = bits_count(pos->pieces[pos->stm]) - bits_count(pos->pieces[pos->stm ^ 1]);
    return end == END_COUNT ? (balance > 0) - (balance < 0) : 0;
}

ALWAYS_INLINE int game_stuck(const game_pos *pos, const rules_set *set) {
    return game_cut_off(pos, set->no_move_end);
}

ALWAYS_INLINE int game_judge_cycle(const game_pos *pos, const rules_set *set, const game_step *path,
                                   int n, game_memory *memory) {
    (void)path, (void)n, (void)memory; // what was played in between does not matter
    return game_cut_off(pos, set->repetition_end);
}

static inline game_prober game_prober_of(const struct game_tables *tables, const rules_set *set) {
    kraton_tb *chosen = game_tables_for(tables, set);
    return (game_prober){chosen, chosen ? kraton_tb_pieces(chosen) : 0};
}

ALWAYS_INLINE bool game_probe(const game_prober *prober, const game_pos *pos, int *verdict) {
    if (bits_count(sk_occupied(pos)) > prober->pieces)
        return false;
    *verdict = kraton_tb_value(prober->tables, pos->pieces[pos->stm], pos->pieces[pos->stm ^ 1]);
    return *verdict != KRATON_TB_UNKNOWN;
}

#endif
