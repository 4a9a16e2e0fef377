#include "lab/puzzles/prover.h"

#include "base/minmax.h"
#include "games/tables.h"
#include "os/clock.h"
#include "search/search.h"

#include <stdlib.h>

enum {
    HASH_MB = 4,    // a small table is emptied quickly
    MAX_PLIES = 64, // that a state of ours holds
    FEW_MOVES = 5,  // positions with fewer legal moves leave nothing to find
    LONGEST_MATE = PUZZLE_MAX_MOVES,
    QUICK = 8, // a first look takes this part of the nodes; most positions end there
};

// Centipawns: how far ahead the best move leaves the solver at least, and how much worse the second
// best is. Where all pieces are alike a piece is about a hundred.
typedef struct {
    int32_t ahead, margin;
} measure;
static const measure ONE_PIECE = {80, 80}, MATERIAL = {150, 200};

struct prover {
    prover_terms terms;
    measure measure;
    search *search;
    rules_state *state;
    kraton_tb *tables;
};

prover *prover_new(const prover_terms *terms) {
    prover *p = calloc(1, sizeof *p);
    void *memory = malloc(rules_state_size(MAX_PLIES));
    search *s = search_new();
    if (!p || !memory || !s || !search_set_hash(s, HASH_MB)) {
        free(p);
        free(memory);
        search_free(s);
        return NULL;
    }
    rules_set set = rules_default_set(terms->game);
    bool is_plain = rules_properties_of(terms->game)->has_circuits;
    *p = (prover){.terms = *terms, .search = s, .measure = is_plain ? ONE_PIECE : MATERIAL};
    p->state = rules_state_new(memory, terms->game, &set, MAX_PLIES);
    p->tables = game_tables_for(terms->tables, &set);
    return p;
}

void prover_free(prover *p) {
    if (!p)
        return;
    search_free(p->search);
    free(p->state);
    free(p);
}

// --- by the search ------------------------------------------------------------------------------

// The two best moves of the last depth that both were searched to, and since when the first of them
// has been the best.
typedef struct {
    rules_move best;
    int32_t score[2];
    int depth[2];
    uint64_t settled; // nodes
    rules_move reply;
} lines;

static void on_report(void *context, const search_report *r) {
    lines *l = context;
    if (r->bound != SCORE_EXACT || r->variation > 2 || r->pv_count == 0)
        return;
    l->score[r->variation - 1] = r->score;
    l->depth[r->variation - 1] = r->depth;
    if (r->variation != 1)
        return;
    if (l->best != r->pv[0])
        l->settled = r->nodes;
    l->best = r->pv[0];
    l->reply = r->pv_count > 1 ? r->pv[1] : MOVE_NONE;
}

// Searches the position on the state for its best moves.
static lines look(prover *p, int variations, uint64_t nodes) {
    lines l = {.best = MOVE_NONE, .score = {-SCORE_INFINITE, -SCORE_INFINITE}};
    search_limits limits = {.nodes = nodes * (uint64_t)variations,
                            .clock_us = -1,
                            .variations = variations,
                            .start_us = clock_us()};
    search_listener listener = {.on_report = on_report, .context = &l};
    search_clear(p->search);
    search_set_state(p->search, p->state);
    search_start(p->search, &limits, &listener);
    search_wait(p->search);
    return l;
}

static bool is_mate(int32_t score) { return score > SCORE_MATE_BOUND; }

// Plies to the end of the game.
static int mate_plies(int32_t score) { return SCORE_MATE - score; }

// Whether one move stands out: it wins on the board and no other does, or it wins something that no
// other does.
static bool stands_out(const prover *p, const lines *l, bool wants_mate) {
    if (l->best == MOVE_NONE || l->depth[0] != l->depth[1] || !l->depth[1])
        return false;
    if (wants_mate)
        return is_mate(l->score[0]) && !is_mate(l->score[1]);
    return score_is_open(l->score[0]) && l->score[0] >= p->measure.ahead &&
           l->score[1] <= l->score[0] - p->measure.margin && l->score[1] <= l->score[0] / 2;
}

static int captures_here(const prover *p) {
    rules_move moves[RULES_MAX_MOVES];
    int count = rules_legal_moves(p->state, moves), captures = 0;
    while (captures < count && rules_is_capture(p->state, moves[captures]))
        captures++;
    return captures;
}

// What kind the puzzle on the state is if its first move is this one; false: none, because the move
// is the one anybody would look at first.
static bool classify(prover *p, rules_move best, bool is_mating, puzzle_kind *kind) {
    bool is_mate = is_mating && rules_properties_of(p->terms.game)->has_check;
    *kind = is_mate ? PUZZLE_MATE : PUZZLE_TACTIC;
    if (is_mate || !rules_is_capture(p->state, best))
        return true;
    rules_route routes[4];
    int ways = rules_capture_routes(p->state, best, routes);
    if (ways == 0)
        return true;
    *kind = PUZZLE_LOOP;
    return captures_here(p) > 1 || routes[0].loops > 1;
}

static bool play(prover *p, puzzle *found, rules_move move) {
    fault why;
    if (found->count == PUZZLE_MAX_MOVES || !rules_play(p->state, move, &why))
        return false;
    found->moves[found->count++] = move;
    return true;
}

static bool is_over(const prover *p) { return rules_result(p->state).outcome != RULES_ONGOING; }

// The reply that resists longest, by a search of its own.
static rules_move best_reply(prover *p, uint64_t nodes) { return look(p, 1, nodes).best; }

// Follows the line: the solver's only moves and the best replies to them. A mate must be followed
// to its end; another line ends where more than one move is good.
static bool follow(prover *p, puzzle *found, rules_move first, bool is_mating) {
    // A mate that was seen once is found again quickly.
    uint64_t nodes = p->terms.nodes / (is_mating ? QUICK : 2);
    if (!play(p, found, first))
        return false;
    while (!is_over(p)) {
        if (!is_mating && found->count >= PUZZLE_MAX_MOVES - 4)
            return true;
        rules_move reply = best_reply(p, nodes);
        fault why;
        if (reply == MOVE_NONE || !rules_play(p->state, reply, &why))
            return !is_mating;
        lines l = is_over(p) ? (lines){.best = MOVE_NONE} : look(p, 2, nodes);
        bool ends_now = is_mating && l.best != MOVE_NONE && mate_plies(l.score[0]) == 1;
        // The last move of a mate may be any that mates.
        bool goes_on = ends_now || stands_out(p, &l, is_mating);
        if (!goes_on)
            return !is_mating;
        if (found->count + 2 > PUZZLE_MAX_MOVES)
            return false;
        found->moves[found->count++] = reply;
        if (!play(p, found, l.best))
            return false;
    }
    return is_mating || found->count > 0;
}

// Cuts the moves behind the solver's last capture: they show nothing any more. False if nothing is
// won within the line.
static bool cut_to_capture(prover *p, puzzle *found) {
    fault why;
    int last = 0;
    if (!rules_set_fen(p->state, text_of(found->fen), &why))
        return false;
    for (int i = 0; i < found->count; i++) {
        if (i % 2 == 0 && rules_is_capture(p->state, found->moves[i]))
            last = i + 1;
        if (!rules_play(p->state, found->moves[i], &why))
            return false;
    }
    found->count = last;
    return last > 0;
}

static int log2_of(uint64_t n) {
    int bits = 0;
    while (n >>= 1)
        bits++;
    return bits;
}

// How hard it is, on the scale of ratings: from how long the search takes to find the move, the
// length of the line and the quiet moves in it.
static int rate(prover *p, const puzzle *found, uint64_t settled) {
    fault why;
    int solver_moves = (found->count + 1) / 2, quiet = 0;
    if (!rules_set_fen(p->state, text_of(found->fen), &why))
        return 0;
    for (int i = 0; i < found->count; i++) {
        bool is_quiet = !rules_is_capture(p->state, found->moves[i]);
        if (!rules_play(p->state, found->moves[i], &why))
            return 0;
        quiet += i % 2 == 0 && is_quiet && !rules_in_check(p->state);
    }
    int rating = 500 + 75 * log2_of(settled / 16 + 1) + 110 * (solver_moves - 1) + 120 * quiet;
    return max_int(600, min_int(2400, rating / 10 * 10));
}

static bool set_up(prover *p, const char *fen, puzzle *found) {
    fault why;
    rules_move moves[RULES_MAX_MOVES];
    found->count = 0;
    writer w = writer_on(found->fen, sizeof found->fen);
    write_string(&w, fen);
    return rules_set_fen(p->state, text_of(fen), &why) && !is_over(p) &&
           rules_legal_moves(p->state, moves) >= FEW_MOVES;
}

static int piece_count(const prover *p) {
    return rules_piece_count(p->state, 0) + rules_piece_count(p->state, 1);
}

bool prover_try(prover *p, const char *fen, rules_move before, puzzle *found) {
    if (!set_up(p, fen, found))
        return false;
    if (p->tables && piece_count(p) <= kraton_tb_pieces(p->tables))
        return false; // the tables know better
    lines l = look(p, 2, p->terms.nodes / QUICK);
    bool is_mating = is_mate(l.score[0]);
    if (is_mating ? is_mate(l.score[1]) : !stands_out(p, &l, false))
        return false; // two moves mate, or none stands out
    l = look(p, 2, p->terms.nodes);
    is_mating = is_mate(l.score[0]) && mate_plies(l.score[0]) <= LONGEST_MATE;
    if (!stands_out(p, &l, is_mating) || (!is_mating && move_to(l.best) == move_to(before)) ||
        !classify(p, l.best, is_mating, &found->kind) || !follow(p, found, l.best, is_mating) ||
        (!is_mating && !cut_to_capture(p, found)))
        return false;
    found->rating = rate(p, found, l.settled);
    return found->rating > 0;
}

// --- by the tables ------------------------------------------------------------------------------

// The value of the position on the state by the tables, for the side to move.
static int table_value(const prover *p) {
    const rules_properties *properties = rules_properties_of(p->terms.game);
    uint64_t boards[2] = {0, 0};
    rules_verdict verdict = rules_result(p->state);
    int mover = rules_side_to_move(p->state);
    if (verdict.outcome == RULES_DRAW)
        return KRATON_TB_DRAW;
    if (verdict.outcome != RULES_ONGOING)
        return (verdict.outcome == RULES_FIRST_WINS) == (mover == 0) ? KRATON_TB_WIN
                                                                     : KRATON_TB_LOSS;
    for (int point = 0; point < properties->files * properties->ranks; point++) {
        char piece = rules_piece_at(p->state, point);
        if (piece != '.')
            boards[piece != 'b'] |= 1ull << point;
    }
    return kraton_tb_value(p->tables, boards[mover], boards[mover ^ 1]);
}

// The move that alone keeps the value of the position; MOVE_NONE: there is none or more than one.
static rules_move only_move(prover *p, int value) {
    rules_move moves[RULES_MAX_MOVES], only = MOVE_NONE;
    int count = rules_legal_moves(p->state, moves);
    fault why;
    for (int i = 0; i < count; i++) {
        if (!rules_play(p->state, moves[i], &why))
            return MOVE_NONE;
        int after = table_value(p);
        rules_undo(p->state);
        if (after == KRATON_TB_UNKNOWN)
            return MOVE_NONE;
        if (-after < value)
            continue;
        if (only != MOVE_NONE)
            return MOVE_NONE;
        only = moves[i];
    }
    return only;
}

// A reply that keeps the value and leaves the solver one move again.
static bool find_test(prover *p, int value, rules_move *reply, rules_move *answer) {
    rules_move moves[RULES_MAX_MOVES];
    int count = rules_legal_moves(p->state, moves);
    fault why;
    for (int i = 0; i < count; i++) {
        if (!rules_play(p->state, moves[i], &why))
            return false;
        bool keeps = !is_over(p) && table_value(p) == value;
        *answer = keeps ? only_move(p, value) : MOVE_NONE;
        rules_undo(p->state);
        *reply = moves[i];
        if (*answer != MOVE_NONE)
            return true;
    }
    return false;
}

// What a puzzle of the tables asks for: a loop to be found among several captures, a move that
// prepares one, or just the only move that keeps the value.
static puzzle_kind table_kind(prover *p, const puzzle *found, int value) {
    fault why;
    if (value == KRATON_TB_DRAW || !rules_set_fen(p->state, text_of(found->fen), &why))
        return PUZZLE_DRAW;
    bool takes = rules_is_capture(p->state, found->moves[0]);
    if (takes && captures_here(p) > 1)
        return PUZZLE_LOOP;
    for (int i = 0; i < found->count; i++) {
        if (!takes && i > 0 && i % 2 == 0 && rules_is_capture(p->state, found->moves[i]))
            return PUZZLE_TACTIC;
        if (!rules_play(p->state, found->moves[i], &why))
            break;
    }
    return PUZZLE_WIN;
}

bool prover_try_tables(prover *p, const char *fen, puzzle *found) {
    fault why;
    rules_move reply, answer;
    if (!p->tables || !set_up(p, fen, found))
        return false;
    int value = table_value(p);
    if (value != KRATON_TB_DRAW && value != KRATON_TB_WIN)
        return false;
    rules_move first = only_move(p, value);
    bool is_plain =
        captures_here(p) == 1 && first != MOVE_NONE && rules_is_capture(p->state, first);
    if (first == MOVE_NONE || !play(p, found, first))
        return false;
    while (!is_over(p) && found->count + 2 <= PUZZLE_MAX_MOVES - 4 &&
           find_test(p, value, &reply, &answer))
        if (!play(p, found, reply) || !play(p, found, answer))
            return false;
    if (is_plain && found->count == 1)
        return false; // the only capture there is: nothing to find
    found->kind = table_kind(p, found, value);
    if (!rules_set_fen(p->state, text_of(fen), &why))
        return false;
    lines l = look(p, 1, p->terms.nodes / 2); // only to see how long a search needs to find it
    found->rating = rate(p, found, l.best == first ? l.settled : p->terms.nodes);
    return found->rating > 0;
}
