#include "lab/papers/paper3.h"

#include "base/minmax.h"
#include "rules/surakarta/surakarta.h"
#include "rules/surakarta/text.h"

enum {
    TABLE_BITS = 19,
    MAX_PLY = PAPER3_MAX_DEPTH + 2 * SK_MAX_PIECES + 1, // quiescence takes a piece a ply
    MAX_HISTORY = 512, // plies without capture that are looked back for repetitions
    WIN = 20000,
    INFINITE = 30000,
    WINDOW_EXTRA = 20, // paper 3: so that the window is not empty at 0
    WINDOW_SHARE = 4,  // the share of the value that is added; ours, the paper's formula is lost
};

typedef enum { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT } bound;

typedef struct {
    uint64_t key;
    int16_t score;
    rules_move move;
    int8_t depth;
    uint8_t bound;
} entry;

struct paper3 {
    entry table[1 << TABLE_BITS];
    int32_t history[2][SK_POINTS][SK_POINTS]; // how often a step has cut off, by side
    rules_move killer[MAX_PLY][2];
    uint64_t keys[MAX_HISTORY + MAX_PLY]; // positions since the last capture before the root, on
    int past;                             // of them before the root
    int8_t loop_value[2][16];             // by side to move and the pieces about the loop
    rules_set rules;
    rules_move line[MAX_PLY + 1][MAX_PLY + 1]; // the best line from each ply on, MOVE_NONE behind
    rules_move last[MAX_PLY + 1];              // the root's, of the iteration before
    int follow;                                // the ply up to which that line is being played
    bool with_table;
    uint64_t nodes;
    const atomic_bool *stop;
    bool stopped;
};

// --- the evaluation, frozen ---------------------------------------------------------------------

typedef struct {
    int32_t opening, ending;
} value;

static const value material = {100, 100};
static const value lead_value[5] = {{0, 0}, {10, 20}, {10, 30}, {10, 40}, {10, 40}};

// By class under the symmetries of the square: the points, Black's or White's.
static const struct {
    uint64_t points;
    value worth;
} point_value[6] = {
    {0x840000021, {-12, -6}}, {0x4a1000852, {-4, -2}}, {0x30086100c, {-2, 0}},
    {0x012000480, {4, 4}},    {0x00c492300, {6, 4}},   {0x00030c000, {8, 4}},
};

// What a loop is worth to Black: `about` has a bit for each of the four pieces about it (3: behind
// the last before the loop, 2: that one, 1: the first after it, 0: behind it), set where it is
// Black's.
static int judge_loop(int stm, int about) {
    static const int8_t owned[3] = {4, 8, 10}, contested[4] = {10, 0, 40, 30};
    int before = about >> 3 & 1, last = about >> 2 & 1, first = about >> 1 & 1, behind = about & 1;
    if (last == first) {
        int worth = owned[(before == last) + (behind == first)];
        return last ? worth : -worth;
    }
    int mover = stm == SK_BLACK; // the bit of the mover's pieces
    int mover_backed = (last == mover ? before : behind) == mover;
    int other_backed = (last == mover ? behind : before) != mover;
    int worth = contested[mover_backed * 2 + other_backed];
    return mover ? worth : -worth;
}

static int look_at_loop(const int8_t value_of[16], uint32_t all, uint32_t black) {
    if (all >> 24 == 0)
        return 0; // the gap begins before an earlier loop
    int last = bits_highest(all), first = bits_lowest(all);
    uint32_t others = all & ~((uint32_t)1 << last | (uint32_t)1 << first);
    int before = others ? bits_highest(others) : first,
        behind = others ? bits_lowest(others) : last;
    return value_of[(black >> before & 1) << 3 | (black >> last & 1) << 2 |
                    (black >> first & 1) << 1 | (black >> behind & 1)];
}

static int look_at_circuit(const int8_t value_of[16], uint32_t all, uint32_t black) {
    int sum = 0;
    for (int turn = 0; turn < 32; turn += 8)
        sum += look_at_loop(value_of, bits_rotate_right(all, turn), bits_rotate_right(black, turn));
    return sum;
}

static int count_neighbours(uint64_t own) {
    return bits_count(own & own >> 1 & SK_NOT_F) + bits_count(own & own >> 7 & SK_NOT_F) +
           bits_count(own & own >> 6) + bits_count(own & own >> 5 & SK_NOT_A);
}

static int count_steps(uint64_t own, uint64_t other) {
    return sk_count_quiets(&(sk_pos){.pieces = {own, other}, .stm = SK_BLACK});
}

static int evaluate(const paper3 *p, const sk_pos *pos) {
    uint64_t black = pos->pieces[SK_BLACK], white = pos->pieces[SK_WHITE];
    uint64_t stations = pos->ring[SK_BLACK], all = stations | pos->ring[SK_WHITE];
    int blacks = bits_count(black), whites = bits_count(white), lead = blacks - whites;
    int sign = lead < 0 ? -1 : 1, ahead = lead * sign > 4 ? 4 : lead * sign;
    value sum = {material.opening * lead + lead_value[ahead].opening * sign,
                 material.ending * lead + lead_value[ahead].ending * sign};
    for (int i = 0; i < 6; i++) {
        int more =
            bits_count(black & point_value[i].points) - bits_count(white & point_value[i].points);
        sum.opening += more * point_value[i].worth.opening;
        sum.ending += more * point_value[i].worth.ending;
    }
    const int8_t *value_of = p->loop_value[pos->stm];
    int rest = count_steps(black, white) - count_steps(white, black) + count_neighbours(white) -
               count_neighbours(black) + (pos->stm == SK_BLACK ? 8 : -8) +
               look_at_circuit(value_of, (uint32_t)all, (uint32_t)stations) +
               look_at_circuit(value_of, (uint32_t)(all >> 32), (uint32_t)(stations >> 32));
    int pieces = blacks + whites, phase = pieces <= 4 ? 0 : (pieces - 4) * 256 / 20;
    int score = ((sum.opening + rest) * phase + (sum.ending + rest) * (256 - phase)) / 256;
    return pos->stm == SK_BLACK ? score : -score;
}

// --- the end of the game ------------------------------------------------------------------------

// Who has more pieces wins, or nobody; from the mover's point of view.
static int count_out(const sk_pos *pos, rules_end end, int ply) {
    int lead = bits_count(pos->pieces[pos->stm]) - bits_count(pos->pieces[pos->stm ^ 1]);
    if (end != END_COUNT || lead == 0)
        return 0;
    return lead > 0 ? WIN - ply : ply - WIN;
}

static bool is_over(const paper3 *p, const sk_pos *pos, int ply, int *score) {
    if (pos->pieces[pos->stm] == 0 || pos->pieces[pos->stm ^ 1] == 0) {
        *score = pos->pieces[pos->stm] ? WIN - ply : ply - WIN;
        return true;
    }
    if (p->rules.no_capture && pos->quiet >= p->rules.no_capture) {
        *score = count_out(pos, p->rules.no_capture_end, ply);
        return true;
    }
    int now = p->past + ply, times = 1;
    for (int back = 4; p->rules.repetition && back <= pos->quiet && back <= now; back += 2)
        times += p->keys[now - back] == pos->key;
    if (p->rules.repetition && times >= p->rules.repetition) {
        *score = count_out(pos, p->rules.repetition_end, ply);
        return true;
    }
    return false;
}

// --- the order of moves -------------------------------------------------------------------------

typedef struct {
    int n;
    rules_move move[SK_MAX_MOVES];
    int32_t rank[SK_MAX_MOVES];
} ranked;

// The move of the table, captures, two killers, then by history.
static void rank_moves(const paper3 *p, const sk_pos *pos, int ply, rules_move first,
                       ranked *list) {
    int captures = sk_generate_captures(pos, list->move);
    list->n = captures + sk_generate_quiets(pos, list->move + captures);
    for (int i = 0; i < list->n; i++) {
        rules_move move = list->move[i];
        if (move == first)
            list->rank[i] = INT32_MAX;
        else if (i < captures)
            list->rank[i] = INT32_MAX - 1;
        else if (move == p->killer[ply][0] || move == p->killer[ply][1])
            list->rank[i] = INT32_MAX - 2;
        else
            list->rank[i] = p->history[pos->stm][move_from(move)][move_to(move)];
    }
}

// The best ranked of those not taken yet, the first of equals.
static rules_move take_next(ranked *list, int i) {
    int best = i;
    for (int j = i + 1; j < list->n; j++)
        if (list->rank[j] > list->rank[best])
            best = j;
    rules_move move = list->move[best];
    int32_t rank = list->rank[best];
    for (int j = best; j > i; j--)
        list->move[j] = list->move[j - 1], list->rank[j] = list->rank[j - 1];
    list->move[i] = move, list->rank[i] = rank;
    return move;
}

static void remember_cut(paper3 *p, const sk_pos *pos, int ply, int depth, rules_move move) {
    if (pos->pieces[pos->stm ^ 1] >> move_to(move) & 1)
        return;
    if (p->killer[ply][0] != move) {
        p->killer[ply][1] = p->killer[ply][0];
        p->killer[ply][0] = move;
    }
    int32_t *history = &p->history[pos->stm][move_from(move)][move_to(move)];
    if (*history < INT32_MAX / 4)
        *history += depth * depth;
}

// --- the table ----------------------------------------------------------------------------------

// Wins are kept by their distance from the position, not from the root.
static int score_to_table(int score, int ply) {
    return score > WIN - MAX_PLY ? score + ply : score < MAX_PLY - WIN ? score - ply : score;
}

static int score_from_table(int score, int ply) {
    return score > WIN - MAX_PLY ? score - ply : score < MAX_PLY - WIN ? score + ply : score;
}

static entry *find_entry(paper3 *p, uint64_t key) { return &p->table[key >> (64 - TABLE_BITS)]; }

static void store(paper3 *p, const sk_pos *pos, int ply, int depth, int score, bound kind,
                  rules_move move) {
    *find_entry(p, pos->key) = (entry){.key = pos->key,
                                       .score = (int16_t)score_to_table(score, ply),
                                       .move = move,
                                       .depth = (int8_t)depth,
                                       .bound = (uint8_t)kind};
}

// Whether the entry answers the question of this window at this depth.
static bool settles(const entry *e, int depth, int alpha, int beta, int score) {
    if (e->depth < depth)
        return false;
    return e->bound == BOUND_EXACT || (e->bound == BOUND_LOWER && score >= beta) ||
           (e->bound == BOUND_UPPER && score <= alpha);
}

// --- the search ---------------------------------------------------------------------------------

static bool must_stop(paper3 *p) {
    if (p->stop && (p->nodes & 1023) == 0 && atomic_load_explicit(p->stop, memory_order_relaxed))
        p->stopped = true;
    return p->stopped;
}

// Captures only, until nobody wants to go on.
static int play_out_captures(paper3 *p, const sk_pos *pos, int ply, int alpha, int beta) {
    p->nodes++;
    if (must_stop(p))
        return 0;
    if (pos->pieces[pos->stm] == 0)
        return ply - WIN;
    int best = evaluate(p, pos);
    if (best >= beta || ply >= MAX_PLY - 1)
        return best;
    if (best > alpha)
        alpha = best;
    rules_move moves[SK_MAX_CAPTURES];
    int n = sk_generate_captures(pos, moves);
    for (int i = 0; i < n; i++) {
        sk_pos next = *pos;
        sk_make(&next, moves[i]);
        int score = -play_out_captures(p, &next, ply + 1, -beta, -alpha);
        if (score > best)
            best = score;
        if (best >= beta)
            break;
        if (best > alpha)
            alpha = best;
    }
    return best;
}

static int search(paper3 *p, const sk_pos *pos, int ply, int depth, int alpha, int beta);

// A move's value: the first with the whole window, the others with an empty one first.
static int try_move(paper3 *p, const sk_pos *next, int ply, int depth, int alpha, int beta,
                    bool first) {
    if (first)
        return -search(p, next, ply + 1, depth - 1, -beta, -alpha);
    int score = -search(p, next, ply + 1, depth - 1, -alpha - 1, -alpha);
    if (score > alpha && score < beta)
        score = -search(p, next, ply + 1, depth - 1, -beta, -alpha);
    return score;
}

static void keep_line(paper3 *p, int ply, rules_move move) {
    p->line[ply][0] = move;
    memcpy(&p->line[ply][1], p->line[ply + 1], sizeof p->line[0] - sizeof p->line[0][0]);
}

static int search(paper3 *p, const sk_pos *pos, int ply, int depth, int alpha, int beta) {
    int ended;
    p->line[ply][0] = MOVE_NONE;
    p->keys[p->past + ply] = pos->key;
    if (ply && is_over(p, pos, ply, &ended))
        return ended;
    if (depth == 0)
        return play_out_captures(p, pos, ply, alpha, beta);
    p->nodes++;
    if (must_stop(p))
        return 0;
    entry known = *find_entry(p, pos->key);
    bool hit = p->with_table && known.key == pos->key && known.bound != BOUND_NONE;
    int stored = score_from_table(known.score, ply);
    if (hit && ply && settles(&known, depth, alpha, beta, stored))
        return stored;

    bool following = p->follow == ply && p->last[ply] != MOVE_NONE;
    ranked list;
    rank_moves(p, pos, ply, hit ? known.move : following ? p->last[ply] : MOVE_NONE, &list);
    if (list.n == 0)
        return count_out(pos, p->rules.no_move_end, ply);
    int best = -INFINITE, floor = alpha;
    rules_move choice = MOVE_NONE;
    for (int i = 0; i < list.n && best < beta; i++) {
        rules_move move = take_next(&list, i);
        sk_pos next = *pos;
        sk_make(&next, move);
        p->follow = following && move == p->last[ply] ? ply + 1 : -1;
        int score = try_move(p, &next, ply, depth, alpha, beta, i == 0);
        if (p->stopped)
            return best;
        if (score > best)
            best = score, choice = move;
        if (best > alpha) {
            alpha = best;
            keep_line(p, ply, move);
        }
    }
    if (best >= beta)
        remember_cut(p, pos, ply, depth, choice);
    bound kind = best >= beta ? BOUND_LOWER : best > floor ? BOUND_EXACT : BOUND_UPPER;
    if (p->with_table)
        store(p, pos, ply, depth, best, kind, choice);
    return best;
}

// One iteration: a window about the last value, the wider the larger that is; what falls out of it
// is searched again with that side open.
static int search_window(paper3 *p, const sk_pos *root, int depth, int last) {
    int width = abs(last) / WINDOW_SHARE + WINDOW_EXTRA;
    int alpha = depth == 1 ? -INFINITE : last - width, beta = depth == 1 ? INFINITE : last + width;
    for (;;) {
        p->follow = 0;
        int score = search(p, root, 0, depth, alpha, beta);
        if (p->stopped)
            return score;
        if (score <= alpha && alpha > -INFINITE)
            alpha = -INFINITE;
        else if (score >= beta && beta < INFINITE)
            beta = INFINITE;
        else
            return score;
    }
}

// The keys of the positions since the last capture: taking back steps needs nothing but the moves.
static void look_back(paper3 *p, const rules_state *state, sk_pos pos) {
    int ply = (int)rules_ply(state), past = min_int(pos.quiet, ply);
    p->past = min_int(past, MAX_HISTORY);
    for (int i = 1; i <= p->past; i++) {
        rules_move move = rules_move_at(state, (uint32_t)(ply - i));
        sk_undo(&pos, move, false, (uint16_t)(pos.quiet - 1));
        p->keys[p->past - i] = pos.key;
    }
}

paper3 *ISA_NAME(paper3_new)(bool with_table) {
    paper3 *p = calloc(1, sizeof *p);
    if (p)
        p->with_table = with_table;
    return p;
}

paper3_thought ISA_NAME(paper3_choose)(paper3 *p, const rules_state *state, int depth,
                                       const atomic_bool *stop) {
    char fen[RULES_FEN_SIZE];
    writer out = writer_on(fen, sizeof fen);
    rules_format_fen(state, &out);
    sk_pos root;
    fault why;
    if (!sk_parse_fen(&root, (text){fen, out.used}, &why))
        return (paper3_thought){.move = MOVE_NONE};
    if (p->with_table)
        memset(p->table, 0, sizeof p->table);
    memset(p->history, 0, sizeof p->history);
    memset(p->killer, 0, sizeof p->killer);
    memset(p->last, 0, sizeof p->last);
    for (int i = 0; i < 32; i++)
        p->loop_value[i / 16][i % 16] = (int8_t)judge_loop(i / 16, i % 16);
    p->rules = *rules_set_of(state);
    p->nodes = 0;
    p->stop = stop;
    p->stopped = false;
    look_back(p, state, root);

    rules_move moves[SK_MAX_MOVES];
    paper3_thought thought = {.move = sk_generate(&root, moves) ? moves[0] : MOVE_NONE};
    if (depth > PAPER3_MAX_DEPTH)
        depth = PAPER3_MAX_DEPTH;
    for (int d = 1; d <= depth && thought.move != MOVE_NONE; d++) {
        int score = search_window(p, &root, d, thought.score);
        if (p->line[0][0] != MOVE_NONE)
            thought.move = p->line[0][0];
        if (p->stopped)
            break;
        memcpy(p->last, p->line[0], sizeof p->last);
        thought.score = score;
        thought.depth = d;
    }
    thought.nodes = p->nodes;
    return thought;
}
