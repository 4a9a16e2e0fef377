#include "lab/papers/paper4.h"

#include "records/mirror.h"
#include "records/opening_name.h"
#include "records/record.h"
#include "rules/game.h"

#include <stdlib.h>

// --- the openings -------------------------------------------------------------------------------

static bool is_of_the_paper(text code) {
    static const char *const codes[] = {"A01", "A02", "A05", "A06", "A07", "A08",
                                        "A40", "A51", "A62", "D00", "E10"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (text_is(code, codes[i]))
            return true;
    return false;
}

enum { MOST_ANSWERS = 128, LINE_PLIES = 64 };

typedef struct {
    const rules_state *asked;
    mirror at;
    rules_move moves[MOST_ANSWERS];
    int count;
} answers;

// What a line plays on in the position asked about, if it passes through it.
static void add_answer(answers *a, const record *line, rules_state *s) {
    fault why;
    for (uint32_t i = 0; i < line->count && a->count < MOST_ANSWERS; i++) {
        mirror here = mirror_of(s);
        if (here.key == a->at.key) {
            rules_move images[MIRROR_IMAGES];
            int n = mirror_moves(&a->at, mirror_move(&here, line->moves[i]), images);
            for (int k = 0; k < n && a->count < MOST_ANSWERS; k++)
                if (rules_is_legal(a->asked, images[k]))
                    a->moves[a->count++] = images[k];
            return;
        }
        if (!rules_play(s, line->moves[i], &why))
            return;
    }
}

static void gather_answers(answers *a) {
    text rest = opening_lines_built_in(&rules_xiangqi);
    opening_line line = {0};
    fault why;
    record r;
    rules_set set = rules_default_set(&rules_xiangqi);
    void *memory = malloc(rules_state_size(LINE_PLIES));
    record_init(&r, &rules_xiangqi);
    while (memory && opening_lines_next(&rest, &line, &why)) {
        record_reader reader = record_read(line.moves, RECORD_MOVES, &rules_xiangqi);
        if (is_of_the_paper(line.code) && record_next(&reader, &r, &why) == RECORD_OK)
            add_answer(a, &r, rules_state_new(memory, &rules_xiangqi, &set, LINE_PLIES));
        record_close(&reader);
    }
    record_free(&r);
    free(memory);
}

rules_move paper4_book_move(const rules_state *s, rng *random) {
    if (rules_game_of(s) != &rules_xiangqi || rules_occurrences(s) > 1)
        return MOVE_NONE;
    answers a = {.asked = s, .at = mirror_of(s)};
    gather_answers(&a);
    if (a.count == 0)
        return MOVE_NONE;
    return a.moves[random ? rng_below(random, (uint32_t)a.count) : 0];
}

// --- minimax ------------------------------------------------------------------------------------

enum { MOST_POINTS = 10000, ASK_EVERY = 4096 }; // nodes between two questions

typedef struct {
    const paper4_options *options;
    xq_pos pos;
    uint64_t nodes;
    bool is_stopped;
} search_state;

// Lines of expected moves, one a ply.
typedef struct {
    rules_move moves[PAPER4_MAX_DEPTH];
    int length;
} line_of_play;

static int count_men(const xq_pos *pos, int type, int side) {
    return bits_wide_count(pos->men[xq_piece(type, side)]);
}

static int count_side(const xq_pos *pos, int side) {
    static const int points[XQ_TYPES] = {0, 18, 9, 8, PAPER4_PAWN, 4, 4, PAPER4_GENERAL};
    static const xq_set home = ((xq_set)1 << XQ_POINTS / 2) - 1; // Red's half
    int total = 0;
    for (int type = XQ_CHARIOT; type <= XQ_KING; type++)
        total += points[type] * count_men(pos, type, side);
    xq_set pawns = pos->men[xq_piece(XQ_PAWN, side)];
    xq_set across = side == XQ_RED ? pawns & ~home : pawns & home;
    return total + PAPER4_PAWN * bits_wide_count(across);
}

static int evaluate(const xq_pos *pos) {
    return count_side(pos, pos->stm) - count_side(pos, !pos->stm);
}

static bool is_stopped(search_state *s) {
    if (++s->nodes % ASK_EVERY == 0 && s->options->should_stop)
        s->is_stopped |= s->options->should_stop(s->options->of);
    return s->is_stopped;
}

// The points to be had in so many plies. Maximum and minimum are the same seen from either side.
static int search(search_state *s, int alpha, int beta, int depth, line_of_play *line) {
    line->length = 0;
    if (is_stopped(s))
        return alpha;
    if (depth == 0)
        return evaluate(&s->pos);
    rules_move moves[XQ_MAX_MOVES];
    int count = xq_generate(&s->pos, moves);
    if (count == 0)
        return -PAPER4_GENERAL - depth; // the general is lost, and the sooner the worse
    int best = -MOST_POINTS;
    for (int i = 0; i < count && best < beta; i++) {
        line_of_play rest;
        uint16_t quiet = s->pos.quiet;
        int captured = xq_make(&s->pos, moves[i]);
        int points = -search(s, -beta, best > alpha ? -best : -alpha, depth - 1, &rest);
        xq_undo(&s->pos, moves[i], captured, quiet);
        if (s->is_stopped && line->length) // what was not looked at to the end counts for nothing
            break;
        if (points > best) {
            best = points;
            line->moves[0] = moves[i];
            memcpy(line->moves + 1, rest.moves, (size_t)rest.length * sizeof rest.moves[0]);
            line->length = rest.length + 1;
        }
    }
    return best;
}

paper4_thought paper4_choose(const rules_state *s, const paper4_options *options) {
    paper4_thought t = {.move = MOVE_NONE};
    if (rules_game_of(s) != &rules_xiangqi)
        return t;
    if (options->has_book)
        t.move = paper4_book_move(s, options->random);
    if (t.move != MOVE_NONE) {
        t.is_book = true;
        t.line[0] = t.move;
        t.line_length = 1;
        return t;
    }
    search_state search_of = {.options = options, .pos = s->pos.xq};
    line_of_play line;
    int depth = options->depth < 1                  ? 1
                : options->depth > PAPER4_MAX_DEPTH ? PAPER4_MAX_DEPTH
                                                    : options->depth;
    t.points = search(&search_of, -MOST_POINTS, MOST_POINTS, depth, &line);
    t.nodes = search_of.nodes;
    t.line_length = line.length;
    memcpy(t.line, line.moves, (size_t)line.length * sizeof line.moves[0]);
    t.move = line.length ? line.moves[0] : MOVE_NONE;
    return t;
}
