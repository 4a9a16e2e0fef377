// Move ordering: the moves of a node, best first, each kind generated only when it is needed. First
// the move from the transposition table, then captures that do not lose material, the killers and
// the counter move, the other quiet moves by history, and last the captures that lose material.
#ifndef KRATON_SEARCH_MOVEPICK_H
#define KRATON_SEARCH_MOVEPICK_H

#include "search/worker.h"

typedef enum {
    PICK_TABLE,
    PICK_MAKE_NOISY,
    PICK_GOOD_NOISY,
    PICK_SPECIAL, // killers and the counter move
    PICK_MAKE_QUIET,
    PICK_QUIET,
    PICK_BAD_NOISY,
    PICK_DONE
} pick_stage;

// Which moves are still wanted.
typedef enum { PICK_ALL, PICK_CHECKS_AND_NOISY, PICK_ONLY_NOISY } pick_filter;

enum { PICK_SPECIALS = 3 };

typedef struct {
    worker *w;
    const frame *f;
    pick_stage stage;
    bool only_noisy;
    int least; // a capture is good if its exchange gains at least this
    rules_move table, special[PICK_SPECIALS];
    int next, end, bad_next, bad_end, special_next;
    rules_move move[GAME_MAX_MOVES];
    int32_t rank[GAME_MAX_MOVES];
    rules_move bad[GAME_MAX_MOVES];
} picker;

// All moves of the frame's position.
static inline void pick_begin(picker *p, worker *w, const frame *f, rules_move table) {
    const frame *before = f - 1;
    p->w = w, p->f = f, p->table = table;
    p->only_noisy = false;
    p->least = 0;
    p->special[0] = uses(HEURISTIC_KILLERS) ? f->killer[0] : MOVE_NONE;
    p->special[1] = uses(HEURISTIC_KILLERS) ? f->killer[1] : MOVE_NONE;
    p->special[2] = uses(HEURISTIC_COUNTER_MOVE) && before->move
                        ? w->history.counter[game_slot(&before->pos, before->move)]
                        : MOVE_NONE;
    p->special_next = p->bad_end = p->bad_next = 0;
    p->stage = table ? PICK_TABLE : PICK_MAKE_NOISY;
}

// Only the captures that gain at least `least`, and the table's move if it is one.
static inline void pick_begin_noisy(picker *p, worker *w, const frame *f, rules_move table,
                                    int least) {
    p->w = w, p->f = f;
    p->table = table && game_is_noisy(&f->pos, table) ? table : MOVE_NONE;
    p->only_noisy = true;
    p->least = least;
    p->bad_end = p->bad_next = 0;
    p->stage = p->table ? PICK_TABLE : PICK_MAKE_NOISY;
}

// The history of a quiet move: by itself, and as a reply to each of the last two moves.
ALWAYS_INLINE int history_of_quiet(worker *w, const frame *f, rules_move move) {
    int slot = game_slot(&f->pos, move);
    int alone = *history_butterfly(&w->history, &f->pos, move);
    if (!uses(HEURISTIC_CONTINUATION_HISTORY))
        return alone;
    return alone + (*(f - 1)->continuation)[slot] + (*(f - 2)->continuation)[slot];
}

// The history of a capture.
ALWAYS_INLINE int history_of_noisy(worker *w, const frame *f, rules_move move) {
    return uses(HEURISTIC_CAPTURE_HISTORY) ? *history_capture(&w->history, &f->pos, move) : 0;
}

static inline void pick_rank_noisy(picker *p) {
    const game_pos *pos = &p->f->pos;
    for (int i = 0; i < p->end; i++)
        p->rank[i] = PARAM_RANK_NOISY * game_rank_noisy(pos, p->move[i]) +
                     history_of_noisy(p->w, p->f, p->move[i]);
}

// A check that loses nothing: it may mate, so it goes before other quiet moves.
ALWAYS_INLINE int pick_rank_check(const picker *p, rules_move move) {
    const game_pos *pos = &p->f->pos;
    bool is_good = uses(HEURISTIC_CHECK_ORDER) && game_gives_check(pos, move) &&
                   game_wins_exchange(pos, move, 0);
    return is_good ? PARAM_RANK_CHECK : 0;
}

static inline void pick_rank_quiet(picker *p) {
    for (int i = 0; i < p->end; i++)
        p->rank[i] = history_of_quiet(p->w, p->f, p->move[i]) + pick_rank_check(p, p->move[i]);
}

// Selection sort, one step: the best of the moves left.
ALWAYS_INLINE rules_move pick_best(picker *p) {
    int best = p->next;
    for (int i = best + 1; i < p->end; i++)
        if (p->rank[i] > p->rank[best])
            best = i;
    rules_move move = p->move[best];
    p->move[best] = p->move[p->next], p->rank[best] = p->rank[p->next];
    p->next++;
    return move;
}

ALWAYS_INLINE bool pick_is_special(const picker *p, rules_move move) {
    return move == p->special[0] || move == p->special[1] || move == p->special[2];
}

// Whether a quiet move passes the filter.
ALWAYS_INLINE bool pick_wants(const picker *p, pick_filter filter, rules_move quiet) {
    return filter == PICK_ALL ||
           (filter == PICK_CHECKS_AND_NOISY && game_gives_check(&p->f->pos, quiet));
}

// The next killer or counter move that passes the filter, or MOVE_NONE.
ALWAYS_INLINE rules_move pick_special(picker *p, pick_filter filter) {
    const game_pos *pos = &p->f->pos;
    while (p->special_next < PICK_SPECIALS) {
        int i = p->special_next++;
        rules_move move = p->special[i];
        bool is_new = move != p->table && (i < 1 || move != p->special[0]) &&
                      (i < 2 || move != p->special[1]);
        if (move && is_new && !game_is_noisy(pos, move) && game_is_legal(pos, move) &&
            pick_wants(p, filter, move))
            return move;
    }
    return MOVE_NONE;
}

// The next move that passes the filter, or MOVE_NONE. The filter may get narrower from call to
// call, never wider.
static inline rules_move pick_next(picker *p, pick_filter filter) {
    const game_pos *pos = &p->f->pos;
    rules_move move;
    switch (p->stage) {
    case PICK_TABLE:
        p->stage = PICK_MAKE_NOISY;
        return p->table;
    case PICK_MAKE_NOISY:
        p->end = game_generate_noisy(pos, p->move);
        p->next = 0;
        pick_rank_noisy(p);
        p->stage = PICK_GOOD_NOISY;
        // fall through
    case PICK_GOOD_NOISY:
        while (p->next < p->end) {
            move = pick_best(p);
            if (move == p->table)
                continue;
            if (game_wins_exchange(pos, move, p->least))
                return move;
            p->bad[p->bad_end++] = move;
        }
        if (p->only_noisy) {
            p->stage = PICK_DONE;
            return MOVE_NONE;
        }
        p->stage = PICK_SPECIAL;
        // fall through
    case PICK_SPECIAL:
        if (filter != PICK_ONLY_NOISY && (move = pick_special(p, filter)))
            return move;
        p->stage = PICK_MAKE_QUIET;
        // fall through
    case PICK_MAKE_QUIET:
        if (filter != PICK_ONLY_NOISY) {
            p->end = game_generate_quiet(pos, p->move);
            p->next = 0;
            pick_rank_quiet(p);
        }
        p->stage = PICK_QUIET;
        // fall through
    case PICK_QUIET:
        while (filter != PICK_ONLY_NOISY && p->next < p->end) {
            move = filter == PICK_ALL ? pick_best(p) : p->move[p->next++];
            if (move != p->table && !pick_is_special(p, move) && pick_wants(p, filter, move))
                return move;
        }
        p->stage = PICK_BAD_NOISY;
        // fall through
    case PICK_BAD_NOISY:
        if (p->bad_next < p->bad_end)
            return p->bad[p->bad_next++];
        p->stage = PICK_DONE;
        // fall through
    case PICK_DONE:
        return MOVE_NONE;
    }
    return MOVE_NONE;
}

#endif
