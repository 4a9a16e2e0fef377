#include "tablebase/surakarta/build/pair.h"

#include "base/minmax.h"
#include "tablebase/surakarta/build/together.h"
#include "tablebase/surakarta/build/work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 8,
    USUAL_DIGITS = 5,       // distances to 31; more have not been seen
    SMALL_THINGS = 8 << 20, // bytes: the index, writers, the program
};

// One side to move.
typedef struct {
    const tb_rows *movers, *others;
    bool attacks, defends; // the movers can force a win; the others can
    // For all sets of the movers by the others' representatives.
    tb_plane open, losable, won, lost, seed;
    tb_plane later; // under `count`, for the second time: the captures that draw, the losable
    // The same positions for all sets of the others by the movers' representatives.
    tb_plane unwon, known_lost;
    // For all sets of the table's columns by the representatives of its rows.
    bool movers_are_rows;
    tb_plane first, digits[DIGITS];
    int digit_count;
    bool any_won, any_lost; // in the last round
} turn;

struct tb_pair {
    tb_pair_plan plan;
    bool weaker_forces; // under `count` between unequal sides
    tb_rows rows[3];    // of a, b pieces and one less than is captured from
    turn turns[2];      // a to move, b to move; one where they are equal
    int turn_count;
};

// How much of the work is done when captures are known, and when all rounds are played.
static const double captures_done = 0.25, rounds_done = 0.7;

static void show_progress(const tb_pair *pair, double done) {
    if (pair->plan.progress)
        pair->plan.progress(pair->plan.context, done);
}

// --- jobs in parts ------------------------------------------------------------------------------

typedef struct {
    const tb_kernels *kernels;
    void *job;
} shared;

static void do_step(void *what, uint32_t part, void *scratch) {
    const shared *s = what;
    s->kernels->step(s->job, part, scratch);
}

static void do_fold(void *what, uint32_t part, void *scratch) {
    const shared *s = what;
    s->kernels->fold(s->job, part, scratch);
}

static void do_capture(void *what, uint32_t part, void *scratch) {
    const shared *s = what;
    s->kernels->capture(s->job, part, scratch);
}

static void do_grow(void *what, uint32_t part, void *scratch) {
    (void)scratch;
    const shared *s = what;
    s->kernels->grow(s->job, part);
}

static void do_disjoint(void *what, uint32_t part, void *scratch) {
    (void)scratch;
    const shared *s = what;
    s->kernels->disjoint(s->job, part);
}

static bool share(const tb_pair *pair, tb_part *part, void *job, uint32_t parts, size_t scratch) {
    shared s = {pair->plan.kernels, job};
    return tb_work(pair->plan.threads, parts, part, &s, scratch);
}

static bool fold_plane(const tb_pair *pair, tb_fold_job *job) {
    if (pair->plan.ranks)
        return tb_fold_together(pair->plan.ranks, pair->plan.kernels, job);
    return share(pair, do_fold, job, tb_words_kept(job->source).end, tb_fold_scratch(job));
}

static tb_share share_of(const tb_pair *pair) {
    const tb_ranks *ranks = pair->plan.ranks;
    return ranks ? (tb_share){ranks->rank, ranks->count} : (tb_share){0, 1};
}

// --- captures -----------------------------------------------------------------------------------

// By point, the sets without it.
static uint64_t *make_avoid(const tb_rows *rows) {
    size_t length = tb_words_of(rows->sets);
    uint64_t *avoid = calloc(SK_POINTS * length, sizeof *avoid);
    if (!avoid)
        return NULL;
    uint64_t set = sk_bit(rows->pieces) - 1;
    for (uint32_t rank = 0; rank < rows->sets; rank++, set = tb_next_set(set))
        for (uint64_t free = SK_BOARD & ~set; free;)
            avoid[(size_t)bits_pop(&free) * length + rank / 64] |= (uint64_t)1 << rank % 64;
    return avoid;
}

// Two planes that belong together: lost and drawn for the side that moves after a capture.
typedef struct {
    tb_plane lost, drawn;
} outcome;

static bool make_outcome(const tb_pair *pair, outcome *o, const tb_rows *rows,
                         const tb_rows *columns) {
    *o = (outcome){0};
    return tb_plane_make(&o->lost, rows, columns, share_of(pair)) &&
           tb_plane_make(&o->drawn, rows, columns, share_of(pair));
}

static void free_outcome(outcome *o) {
    tb_plane_free(&o->lost);
    tb_plane_free(&o->drawn);
}

// Reads a table, its movers having `movers` pieces, into planes of all sets of its columns' side by
// its rows' representatives.
static bool read_table(const tb_pair *pair, int movers, int others, const tb_rows *rows,
                       const tb_rows *columns, const outcome *out) {
    const tb_source *source = &pair->plan.smaller;
    tb_split split = tb_split_of(movers, others);
    assert(split.rows == rows->reps);
    uint64_t *avoid = make_avoid(columns);
    tb_load_job job = {
        .rows = rows, .columns = columns, .lost = &out->lost, .drawn = &out->drawn, .avoid = avoid};
    int8_t *values = calloc(1, 64 * (size_t)split.columns + 64);
    uint64_t *scratch = malloc(tb_load_scratch(&job));
    bool fine = avoid && values && scratch;
    tb_range parts = tb_words_kept(&out->lost);
    for (uint32_t part = parts.first; fine && part < parts.end; part++) {
        uint32_t row = part * 64, count = min_u32(split.rows - row, 64);
        source->read(source->context, movers, others, (uint64_t)row * split.columns,
                     (uint64_t)count * split.columns, values);
        pair->plan.kernels->load(&job, part, values, scratch);
    }
    free(avoid);
    free(values);
    free(scratch);
    return fine;
}

static tb_fold_job fold_job(const tb_rows *rows, const tb_rows *columns, const tb_plane *source,
                            const tb_plane *target, bool remove) {
    return (tb_fold_job){.rows = rows,
                         .columns = columns,
                         .source = source,
                         .targets = {{target, remove}},
                         .count = 1};
}

static bool fold_outcome(const tb_pair *pair, const tb_rows *rows, const tb_rows *columns,
                         const outcome *from, const outcome *to) {
    tb_fold_job lost = fold_job(rows, columns, &from->lost, &to->lost, false);
    tb_fold_job drawn = fold_job(rows, columns, &from->drawn, &to->drawn, false);
    return fold_plane(pair, &lost) && fold_plane(pair, &drawn);
}

// The smaller table after a capture by the movers, for all sets of the captured side by the movers'
// representatives.
static bool read_smaller(const tb_pair *pair, const turn *t, const tb_rows *left, outcome *out) {
    if (left->pieces == 0) { // wiped out: lost whatever the movers have
        tb_disjoint_job job = {left, t->movers, &out->lost};
        return share(pair, do_disjoint, &job, tb_row_parts(&out->lost, TB_PLAIN_ROWS, 1), 0);
    }
    tb_split split = tb_split_of(left->pieces, t->movers->pieces);
    if (!split.movers_are_rows)
        return read_table(pair, left->pieces, t->movers->pieces, t->movers, left, out);
    outcome turned;
    bool fine = make_outcome(pair, &turned, t->movers, left) &&
                read_table(pair, left->pieces, t->movers->pieces, left, t->movers, &turned) &&
                fold_outcome(pair, t->movers, left, &turned, out);
    free_outcome(&turned);
    return fine;
}

static bool grow_outcome(const tb_pair *pair, const turn *t, const outcome *smaller,
                         const outcome *grown) {
    tb_grow_job job = {
        t->movers, t->others, {&smaller->lost, &smaller->drawn}, {&grown->lost, &grown->drawn}};
    return share(pair, do_grow, &job, tb_row_parts(&grown->lost, TB_PLAIN_ROWS, 1), 0);
}

// What the other side has after a capture, for all sets of the movers by its representatives
// before. `grown` is room to work in.
static bool find_outcome(const tb_pair *pair, const turn *t, const outcome *grown,
                         const outcome *then) {
    tb_rows left;
    outcome smaller = {0};
    if (!tb_rows_make(&left, t->others->pieces - 1))
        return false;
    bool fine = make_outcome(pair, &smaller, &left, t->movers) &&
                read_smaller(pair, t, &left, &smaller) && grow_outcome(pair, t, &smaller, grown);
    free_outcome(&smaller);
    tb_rows_free(&left);
    return fine && fold_outcome(pair, t->others, t->movers, grown, then);
}

// The planes of the rounds are not needed yet and serve as temporary memory.
static bool find_captures(const tb_pair *pair, turn *t) {
    outcome grown = {t->known_lost, t->unwon}, then = {t->won, t->lost};
    tb_capture_job captures = {.movers = t->movers,
                               .others = t->others,
                               .then_lost = &then.lost,
                               .then_drawn = &then.drawn,
                               .open = &t->open,
                               .wins = &t->seed,
                               .losable = &t->losable,
                               .draws = pair->weaker_forces && t->attacks ? &t->later : NULL,
                               .undrawn = pair->weaker_forces && t->defends ? &t->later : NULL};
    tb_disjoint_job disjoint = {t->others, t->movers, &t->unwon};
    uint32_t parts = tb_row_parts(&t->open, TB_CAPTURE_ROWS, TB_CAPTURE_GROUP);
    bool fine = find_outcome(pair, t, &grown, &then) &&
                share(pair, do_capture, &captures, parts, TB_CAPTURE_SCRATCH);
    tb_plane_clear(&t->known_lost);
    return fine &&
           share(pair, do_disjoint, &disjoint, tb_row_parts(&t->unwon, TB_PLAIN_ROWS, 1), 0);
}

// --- rounds -------------------------------------------------------------------------------------

// The planes that record what a round finds: `first` in the first pass, and the digits of the
// distance.
static bool add_marks(const tb_pair *pair, turn *t, int round, bool first, tb_marks *marks) {
    const tb_rows *rows = t->movers_are_rows ? t->movers : t->others;
    const tb_rows *columns = t->movers_are_rows ? t->others : t->movers;
    *marks = (tb_marks){.count = 0};
    if (first)
        marks->planes[marks->count++] = &t->first;
    for (int k = 0; round >> k; k++) {
        if (k == t->digit_count &&
            !tb_plane_make(&t->digits[t->digit_count++], columns, rows, share_of(pair)))
            return false;
        if (round >> k & 1)
            marks->planes[marks->count++] = &t->digits[k];
    }
    return true;
}

// Whether something was found, by any rank.
static bool anywhere(const tb_pair *pair, bool here) {
    const tb_ranks *ranks = pair->plan.ranks;
    return ranks ? ranks->sum(ranks->context, here) > 0 : here;
}

static bool step_turn(const tb_pair *pair, turn *t, const turn *other, int round,
                      const tb_marks *win_marks, const tb_marks *loss_marks) {
    bool start = round == 1;
    tb_step_job job = {.movers = t->movers,
                       .open = &t->open,
                       .losable = &t->losable,
                       .won = &t->won,
                       .lost = &t->lost,
                       .seed = start && t->attacks ? &t->seed : NULL,
                       .known_lost = t->attacks && other->any_lost ? &other->known_lost : NULL,
                       .unwon = t->defends && (start || other->any_won) ? &other->unwon : NULL};
    if (!t->movers_are_rows) {
        job.win_marks = *win_marks;
        job.loss_marks = *loss_marks;
    }
    bool fine = share(pair, do_step, &job, tb_row_parts(job.open, TB_STEP_ROWS, TB_STEP_GROUP),
                      TB_STEP_SCRATCH);
    t->any_won = anywhere(pair, job.any_won);
    t->any_lost = anywhere(pair, job.any_lost);
    return fine;
}

static void add_targets(tb_fold_job *job, const tb_marks *marks) {
    for (int k = 0; k < marks->count; k++)
        job->targets[job->count++] = (tb_fold_target){marks->planes[k], false};
}

static bool fold_turn(const tb_pair *pair, turn *t, const tb_marks *win_marks,
                      const tb_marks *loss_marks) {
    tb_fold_job won = fold_job(t->movers, t->others, &t->won, &t->unwon, true);
    tb_fold_job lost = fold_job(t->movers, t->others, &t->lost, &t->known_lost, false);
    if (t->movers_are_rows) {
        add_targets(&won, win_marks);
        add_targets(&lost, loss_marks);
    }
    return (!t->any_won || fold_plane(pair, &won)) && (!t->any_lost || fold_plane(pair, &lost));
}

// Both turns use what was known before the round, so both step before either folds.
static bool play_round(tb_pair *pair, int round, bool second) {
    tb_marks win_marks[2], loss_marks[2];
    bool fine = true;
    turn before[2] = {pair->turns[0], pair->turns[1]};
    for (int i = 0; fine && i < pair->turn_count; i++) {
        turn *t = &pair->turns[i];
        fine = add_marks(pair, t, round, !second, &win_marks[i]) &&
               add_marks(pair, t, round, !second && pair->weaker_forces, &loss_marks[i]);
    }
    for (int i = 0; fine && i < pair->turn_count; i++)
        fine = step_turn(pair, &pair->turns[i], &before[pair->turn_count - 1 - i], round,
                         &win_marks[i], &loss_marks[i]);
    for (int i = 0; fine && i < pair->turn_count; i++)
        fine = fold_turn(pair, &pair->turns[i], &win_marks[i], &loss_marks[i]);
    return fine;
}

static bool found_any(const tb_pair *pair) {
    bool any = false;
    for (int i = 0; i < pair->turn_count; i++)
        any = any || pair->turns[i].any_won || pair->turns[i].any_lost;
    return any;
}

static bool play_rounds(tb_pair *pair, bool second) {
    bool fine = true;
    double left = second ? 0.3 : 1;
    int round = 0;
    do {
        assert(round < UINT8_MAX);
        fine = play_round(pair, ++round, second);
        // The number of rounds is not known beforehand; the first ones take most of the time.
        left *= 0.8;
        show_progress(pair, rounds_done - (rounds_done - captures_done) * left);
    } while (fine && found_any(pair));
    return fine;
}

static void and_not_settled(turn *t) {
    for (size_t i = 0; i < tb_plane_words(&t->open); i++)
        t->later.bits[i] &= t->open.bits[i];
}

// The second pass finds the positions in which the weaker side can force a draw.
static void start_again(tb_pair *pair) {
    for (int i = 0; i < pair->turn_count; i++) {
        turn *t = &pair->turns[i];
        and_not_settled(t);
        tb_plane *plane = t->attacks ? &t->seed : &t->losable, old = *plane;
        *plane = t->later;
        t->later = old;
    }
}

// --- what it takes ------------------------------------------------------------------------------

static uint64_t rows_bytes(int pieces) {
    return (uint64_t)tb_choose[pieces][SK_POINTS] * 4 + (uint64_t)tb_count_reps(pieces) * 40;
}

// All sets of so many by the representatives of so many.
static uint64_t plane_bytes(int rows, int columns, int ranks) {
    return tb_plane_bytes(tb_choose[rows][SK_POINTS], tb_count_reps(columns), ranks);
}

static uint64_t turn_bytes(int movers, int others, tb_rules rules, int ranks) {
    bool twice = rules == TB_COUNT && movers != others;
    tb_split split = tb_split_of(movers, others);
    return (twice ? 6 : 5) * plane_bytes(movers, others, ranks) +
           2 * plane_bytes(others, movers, ranks) +
           (1 + USUAL_DIGITS) * plane_bytes(split.column_pieces, split.row_pieces, ranks);
}

// Memory that only the captures need.
static uint64_t capture_bytes(int movers, int others, int ranks) {
    return rows_bytes(others - 1) +
           2 * (plane_bytes(others - 1, movers, ranks) + plane_bytes(movers, others - 1, ranks));
}

static uint64_t scratch_bytes(int rows, int columns) {
    uint32_t lanes = min_u32(tb_count_reps(columns), 64);
    return (uint64_t)lanes * (1 + USUAL_DIGITS) * tb_choose[rows][SK_POINTS] / 8 +
           (uint64_t)SK_POINTS * tb_choose[rows][SK_POINTS] / 8;
}

uint64_t tb_pair_memory(int a, int b, tb_rules rules, int threads, int ranks) {
    uint64_t bytes = SMALL_THINGS + rows_bytes(a) + rows_bytes(b) + turn_bytes(a, b, rules, ranks);
    uint64_t captures = capture_bytes(a, b, ranks), other = capture_bytes(b, a, ranks);
    uint64_t scratch = scratch_bytes(a, b), other_scratch = scratch_bytes(b, a);
    if (ranks > 1)
        bytes += TB_TOGETHER_BYTES;
    if (a != b)
        bytes += turn_bytes(b, a, rules, ranks);
    return bytes + max_u64(captures, other) + (uint64_t)threads * max_u64(scratch, other_scratch);
}

// --- a pair -------------------------------------------------------------------------------------

static bool make_turn(tb_pair *pair, turn *t, const tb_rows *movers, const tb_rows *others) {
    bool equal = movers->pieces == others->pieces, weaker = movers->pieces < others->pieces;
    tb_split split = tb_split_of(movers->pieces, others->pieces);
    *t = (turn){.movers = movers,
                .others = others,
                .attacks = !pair->weaker_forces || equal || weaker,
                .defends = !pair->weaker_forces || equal || !weaker,
                .movers_are_rows = split.movers_are_rows};
    const tb_rows *rows = split.movers_are_rows ? movers : others;
    const tb_rows *columns = split.movers_are_rows ? others : movers;
    tb_share share = share_of(pair);
    return tb_plane_make(&t->open, movers, others, share) &&
           tb_plane_make(&t->losable, movers, others, share) &&
           tb_plane_make(&t->won, movers, others, share) &&
           tb_plane_make(&t->lost, movers, others, share) &&
           tb_plane_make(&t->seed, movers, others, share) &&
           tb_plane_make(&t->unwon, others, movers, share) &&
           tb_plane_make(&t->known_lost, others, movers, share) &&
           tb_plane_make(&t->first, columns, rows, share) &&
           (!pair->weaker_forces || tb_plane_make(&t->later, movers, others, share));
}

static bool solve(tb_pair *pair) {
    bool equal = pair->plan.a == pair->plan.b;
    bool fine = tb_rows_make(&pair->rows[0], pair->plan.a) &&
                (equal || tb_rows_make(&pair->rows[1], pair->plan.b));
    const tb_rows *a = &pair->rows[0], *b = &pair->rows[equal ? 0 : 1];
    pair->turn_count = equal ? 1 : 2;
    fine = fine && make_turn(pair, &pair->turns[0], a, b) &&
           (equal || make_turn(pair, &pair->turns[1], b, a));
    for (int i = 0; fine && i < pair->turn_count; i++) {
        fine = find_captures(pair, &pair->turns[i]);
        show_progress(pair, captures_done * (i + 1) / pair->turn_count);
    }
    fine = fine && play_rounds(pair, false);
    if (fine && pair->weaker_forces) {
        start_again(pair);
        fine = play_rounds(pair, true);
    }
    return fine;
}

tb_pair *tb_pair_solve(const tb_pair_plan *plan) {
    tb_pair *pair = calloc(1, sizeof *pair);
    if (!pair)
        return NULL;
    *pair =
        (tb_pair){.plan = *plan, .weaker_forces = plan->rules == TB_COUNT && plan->a != plan->b};
    if (!plan->kernels)
        pair->plan.kernels = ISA_PICK_V4(tb_kernels)();
    if (!solve(pair)) {
        tb_pair_free(pair);
        return NULL;
    }
    return pair;
}

static void free_turn(turn *t) {
    tb_plane *const planes[] = {&t->open,  &t->losable, &t->won,        &t->lost, &t->seed,
                                &t->later, &t->unwon,   &t->known_lost, &t->first};
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
        tb_plane_free(planes[i]);
    for (int k = 0; k < t->digit_count; k++)
        tb_plane_free(&t->digits[k]);
}

void tb_pair_free(tb_pair *pair) {
    if (!pair)
        return;
    free_turn(&pair->turns[0]);
    free_turn(&pair->turns[1]);
    tb_rows_free(&pair->rows[0]);
    tb_rows_free(&pair->rows[1]);
    free(pair);
}

// --- the tables ---------------------------------------------------------------------------------

static tb_emit_job emit_job(const tb_pair *pair, const turn *t) {
    int movers = t->movers->pieces, others = t->others->pieces;
    tb_emit_job job = {.rows = t->movers_are_rows ? t->movers : t->others,
                       .columns = t->movers_are_rows ? t->others : t->movers,
                       .first = &t->first,
                       .digit_count = t->digit_count,
                       .first_value = TB_WIN,
                       .other_value = TB_LOSS,
                       .waiting_value = (int8_t)tb_waiting_value(pair->plan.rules, movers, others)};
    for (int k = 0; k < t->digit_count; k++)
        job.digits[k] = &t->digits[k];
    if (pair->weaker_forces) {
        job.first_value = movers < others ? TB_WIN : TB_LOSS;
        job.other_value = TB_DRAW;
    }
    return job;
}

// A table being emitted, 64 rows at a time: one part is made while the one before is handed over.
typedef struct {
    const tb_kernels *kernels;
    tb_emit_job job;
    tb_split split;
    const tb_sink *sink;
    uint32_t part;       // in the making
    uint32_t first, end; // parts to be emitted
    uint64_t *scratch;
    int8_t *values[2];
    uint8_t *distances[2];
    bool fine;
} stream;

static void hand_over(stream *s, uint32_t part) {
    uint32_t row = part * 64, left = s->split.rows - row, count = min_u32(left, 64);
    s->fine = s->sink->write(s->sink->context, s->values[part % 2], s->distances[part % 2],
                             (uint64_t)count * s->split.columns);
    if (s->sink->progress)
        s->sink->progress(s->sink->progress_context,
                          rounds_done + (1 - rounds_done) * row / s->split.rows);
}

static void move_on(void *context, uint32_t which, void *scratch) {
    (void)scratch;
    stream *s = context;
    if (which == 0 && s->part < s->end)
        s->kernels->emit(&s->job, s->part, s->values[s->part % 2], s->distances[s->part % 2],
                         s->scratch);
    if (which == 1 && s->part > s->first)
        hand_over(s, s->part - 1);
}

static bool make_stream(stream *s) {
    size_t size = 64 * (size_t)s->split.columns + 64;
    s->job.avoid = make_avoid(s->job.columns);
    s->scratch = malloc(tb_emit_scratch(&s->job));
    s->fine = s->job.avoid && s->scratch;
    for (int i = 0; i < 2; i++) {
        s->values[i] = malloc(size);
        s->distances[i] = malloc(size);
        s->fine = s->fine && s->values[i] && s->distances[i];
    }
    return s->fine;
}

static void free_stream(stream *s) {
    free((void *)s->job.avoid);
    free(s->scratch);
    for (int i = 0; i < 2; i++) {
        free(s->values[i]);
        free(s->distances[i]);
    }
}

static const turn *turn_of(const tb_pair *pair, int movers) {
    return &pair->turns[movers == pair->plan.a ? 0 : 1];
}

// The parts of a table whose planes are kept here.
static void find_parts(const turn *t, uint32_t *first, uint32_t *end) {
    uint32_t all = tb_table_parts(t->movers_are_rows ? t->movers : t->others);
    *first = min_u32(t->first.first * t->first.words, all);
    *end = min_u32((t->first.first + t->first.strips) * t->first.words, all);
}

void tb_pair_share(const tb_pair *pair, int movers, uint64_t *first, uint64_t *end) {
    const turn *t = turn_of(pair, movers);
    tb_split split = tb_split_of(t->movers->pieces, t->others->pieces);
    uint32_t from, to;
    find_parts(t, &from, &to);
    *first = min_u64((uint64_t)from * 64 * split.columns, split.size);
    *end = min_u64((uint64_t)to * 64 * split.columns, split.size);
}

int tb_pair_keeper(const tb_pair *pair, int movers, uint64_t entry) {
    const turn *t = turn_of(pair, movers);
    tb_split split = tb_split_of(t->movers->pieces, t->others->pieces);
    uint32_t part = (uint32_t)(entry / split.columns / 64);
    return tb_plane_keeper(&t->first, part / t->first.words, pair->plan.ranks->count);
}

bool tb_pair_emit(const tb_pair *pair, int movers, const tb_sink *sink) {
    const turn *t = turn_of(pair, movers);
    stream s = {.kernels = pair->plan.kernels,
                .job = emit_job(pair, t),
                .split = tb_split_of(t->movers->pieces, t->others->pieces),
                .sink = sink};
    // If there are two tables, each has a thread of its own already; but ranks are all at one.
    bool alone = pair->turn_count == 1 || pair->plan.ranks;
    int threads = alone && pair->plan.threads > 1 ? 2 : 1;
    find_parts(t, &s.first, &s.end);
    bool fine = s.first == s.end || make_stream(&s);
    for (s.part = s.first; fine && s.first < s.end && s.part <= s.end; s.part++)
        fine = tb_work(threads, 2, move_on, &s, 0) && s.fine;
    free_stream(&s);
    return fine;
}
