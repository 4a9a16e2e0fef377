// Xiangqi's answers to the contract (contract/contract.h), inline.
#ifndef KRATON_GAMES_XIANGQI_ANSWERS_H
#define KRATON_GAMES_XIANGQI_ANSWERS_H

#include "games/xiangqi/evaluate.h"
#include "games/xiangqi/exchange.h"
#include "games/xiangqi/params.h"
#include "rules/game.h"
#include "rules/move.h"
#include "rules/xiangqi/repetition.h"

typedef xq_pos game_pos;
typedef xq_eval game_eval;

// Verdicts on cycles: the search meets the same ones again and again, and to judge a chase takes
// longer than a hundred nodes.
enum { XQ_CYCLES = 1024 };
typedef struct {
    struct {
        uint64_t key;
        int verdict;
    } cycle[XQ_CYCLES];
    xq_network_cache units;
} game_memory;

// There are no endgame tables.
struct game_tables;
typedef struct {
    char unused;
} game_prober;

#define GAME_NAME "xiangqi"
#define game_bench_fens xq_bench_fens
extern const char *const xq_bench_fens[]; // NULL at the end

enum {
    GAME_POINTS = XQ_POINTS,
    GAME_MAX_MOVES = XQ_MAX_MOVES,
    GAME_SLOTS = 16 * XQ_POINTS, // piece, to
    GAME_BEFORES = GAME_SLOTS,
    GAME_VICTIMS = XQ_TYPES,
    GAME_PARTS = 2, // pawns; kings and their guards
    GAME_NETWORKS = 1
};

// --- position -----------------------------------------------------------------------------------

static inline game_pos game_position(const rules_state *state) { return state->pos.xq; }

// Whether the mover was in check there is found by taking the later moves back.
static inline game_step game_past(const rules_state *state, uint32_t n) {
    xq_pos pos = state->pos.xq;
    for (uint32_t i = state->ply; i-- > n;)
        xq_undo(&pos, state->past[i].move, state->past[i].captured, state->past[i].quiet);
    return (game_step){state->past[n].key, state->past[n].move, xq_in_check(&pos, pos.stm)};
}

ALWAYS_INLINE uint64_t game_key(const game_pos *pos) { return pos->key; }
ALWAYS_INLINE int game_stm(const game_pos *pos) { return pos->stm; }
ALWAYS_INLINE int game_quiet(const game_pos *pos) { return pos->quiet; }

static inline uint64_t game_compute_key(const game_pos *pos) {
    xq_pos copy = *pos;
    xq_refresh(&copy);
    return copy.key;
}

ALWAYS_INLINE uint64_t game_key_after(const game_pos *pos, rules_move move) {
    int from = move_from(move), to = move_to(move);
    return pos->key ^ xq_key_change(pos->board[from], pos->board[to], from, to);
}

ALWAYS_INLINE uint64_t game_mix_set(uint64_t hash, xq_set set) {
    hash = (hash ^ (uint64_t)set) * 0x9e3779b97f4a7c15u;
    return (hash ^ hash >> 32 ^ (uint64_t)(set >> 64)) * 0xbf58476d1ce4e5b9u;
}

ALWAYS_INLINE uint64_t game_part_key(const game_pos *pos, int part) {
    const xq_set *red = pos->men, *black = pos->men + 8;
    if (part == 0)
        return game_mix_set(game_mix_set(0, red[XQ_PAWN]), black[XQ_PAWN]);
    // Both sides' guards stand on points of their own, so one set holds them.
    xq_set guards = red[XQ_ADVISOR] | red[XQ_ELEPHANT] | black[XQ_ADVISOR] | black[XQ_ELEPHANT];
    return game_mix_set((uint64_t)(pos->king[0] << 8 | pos->king[1]), guards);
}

ALWAYS_INLINE void game_make(game_pos *pos, rules_move move) { xq_make(pos, move); }

ALWAYS_INLINE void game_make_null(game_pos *pos) {
    pos->stm ^= 1;
    pos->key ^= xq_black_to_move;
}

ALWAYS_INLINE bool game_in_check(const game_pos *pos) {
    int king = pos->king[pos->stm], enemy = !pos->stm;
    return xq_takes_king(pos, xq_takers_of(pos, enemy), enemy, king, king, king);
}

// The points that matter for checks to a king on a point: its file and rank, the points from which
// a horse takes it, and the legs of such horses.
extern xq_set xq_check_zone[XQ_POINTS];

// Most moves neither leave nor enter the zone, and so give no check.
ALWAYS_INLINE bool game_gives_check(const game_pos *pos, rules_move move) {
    xq_set zone = xq_check_zone[pos->king[!pos->stm]];
    return (zone >> move_from(move) & 1 || zone >> move_to(move) & 1) && xq_checks(pos, move);
}

// Without men that attack across the board a side may be short of moves.
ALWAYS_INLINE bool game_may_pass(const game_pos *pos) {
    const xq_set *own = &pos->men[pos->stm << 3];
    return bits_wide_count(own[XQ_CHARIOT] | own[XQ_CANNON] | own[XQ_HORSE]) >= PARAM_NULL_PIECES;
}

// --- moves --------------------------------------------------------------------------------------

static inline int game_generate_noisy(const game_pos *pos, rules_move *list) {
    xq_guard g = xq_guard_king(pos);
    const rules_move *end = xq_write_kind(pos, XQ_CAPTURES, XQ_ANYWHERE, list);
    return (int)(xq_keep_safe(pos, &g, list, end) - list);
}

static inline int game_generate_quiet(const game_pos *pos, rules_move *list) {
    xq_guard g = xq_guard_king(pos);
    const rules_move *end = xq_write_kind(pos, XQ_QUIETS, XQ_ANYWHERE, list);
    return (int)(xq_keep_safe(pos, &g, list, end) - list);
}

ALWAYS_INLINE bool game_is_legal(const game_pos *pos, rules_move move) {
    return xq_is_legal(pos, move);
}

ALWAYS_INLINE int game_victim(const game_pos *pos, rules_move move) {
    return xq_type(pos->board[move_to(move)]);
}

ALWAYS_INLINE bool game_is_noisy(const game_pos *pos, rules_move move) {
    return pos->board[move_to(move)] != XQ_EMPTY;
}

ALWAYS_INLINE int game_worth(int victim) { return xq_plain_values[victim]; }

ALWAYS_INLINE int game_slot(const game_pos *pos, rules_move move) {
    return pos->board[move_from(move)] * XQ_POINTS + move_to(move);
}

ALWAYS_INLINE int game_before(const game_pos *pos, rules_move move) { return game_slot(pos, move); }

ALWAYS_INLINE bool game_wins_exchange(const game_pos *pos, rules_move move, int least) {
    return xq_exchange_at_least(pos, move, least);
}

// The most valuable victim first, the cheapest taker first.
ALWAYS_INLINE int game_rank_noisy(const game_pos *pos, rules_move move) {
    int taker = xq_type(pos->board[move_from(move)]);
    return game_worth(game_victim(pos, move)) * 8 - xq_plain_values[taker] % 20000;
}

// --- judgement ----------------------------------------------------------------------------------

ALWAYS_INLINE bool game_takes_network(const network *n) { return xq_network_fits(n); }

static inline void game_refresh(game_eval *e, const game_pos *pos, const network *n) {
    xq_eval_refresh(e, pos, n);
}

ALWAYS_INLINE void game_update(game_eval *next, game_eval *now, const game_pos *before,
                               rules_move move) {
    xq_eval_update(next, now, before, move);
}

ALWAYS_INLINE void game_update_null(game_eval *next, game_eval *now) {
    xq_eval_update_null(next, now);
}

ALWAYS_INLINE int32_t game_evaluate(const game_pos *pos, game_eval *e, game_memory *memory) {
    return xq_evaluate(pos, e, memory ? &memory->units : NULL);
}

ALWAYS_INLINE bool game_is_over(const game_pos *pos, int *verdict) {
    (void)pos, (void)verdict; // mate and stalemate show when there is no move
    return false;
}

ALWAYS_INLINE int game_cut_off(const game_pos *pos, rules_end end) {
    (void)pos, (void)end; // a draw is all the rule sets know
    return 0;
}

ALWAYS_INLINE int game_stuck(const game_pos *pos, const rules_set *set) {
    (void)pos, (void)set; // mated or stalemated: lost
    return -1;
}

// Whether every move of the side that moved into (or out of) the position gave check.
static inline bool game_checks_always(const game_step *path, int n, int first) {
    for (int i = first; i <= n; i += 2)
        if (!path[i].in_check)
            return false;
    return true;
}

static inline int game_judge_chases(const game_pos *pos, const rules_set *set,
                                    const game_step *path, int n, game_memory *memory) {
    uint64_t key = pos->key;
    for (int i = 0; i < n; i++)
        key = (key ^ path[i].move) * 0x9e3779b97f4a7c15u;
    int at = (int)(key >> 54);
    if (memory->cycle[at].key == key)
        return memory->cycle[at].verdict;
    xq_cycle cycle = xq_judge_offences(pos, &path->move, sizeof *path, n, set->repetition_end);
    rules_outcome outcome = xq_cycle_outcome(&cycle, set->repetition_end);
    rules_outcome win = pos->stm == XQ_RED ? RULES_FIRST_WINS : RULES_SECOND_WINS;
    memory->cycle[at].key = key;
    return memory->cycle[at].verdict = outcome == RULES_DRAW ? 0 : outcome == win ? 1 : -1;
}

// `path` begins at the first occurrence; path[n] is the position itself. Checks are known from the
// path and weigh more than any chase; only where neither side always checks must chases be judged.
static inline int game_judge_cycle(const game_pos *pos, const rules_set *set, const game_step *path,
                                   int n, game_memory *memory) {
    if (set->repetition_end == END_DRAW)
        return 0;
    bool we = game_checks_always(path, n, 1), they = game_checks_always(path, n, 2);
    if (we || they)
        return they - we;
    return set->repetition_end == END_SIMPLE ? 0 : game_judge_chases(pos, set, path, n, memory);
}

static inline game_prober game_prober_of(const struct game_tables *tables, const rules_set *set) {
    (void)tables, (void)set;
    return (game_prober){0};
}

ALWAYS_INLINE bool game_probe(const game_prober *prober, const game_pos *pos, int *verdict) {
    (void)prober, (void)pos, (void)verdict;
    return false;
}

#endif
