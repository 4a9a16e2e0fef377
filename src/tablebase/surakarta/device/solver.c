#include "tablebase/surakarta/device/solver.h"

#include "base/minmax.h"
#include "os/clock.h"
#include "os/file.h"
#include "tablebase/surakarta/device/planes.h"
#include "tablebase/surakarta/reader.h"

#include <stdlib.h>
#include <string.h>

// Where the numbers that a round counts are, in kernels.cl.
enum { COUNTS = SOLVER_COUNTS, COUNT_LOST = 8, FIRST_WIN = 16 };

// --- work on rows -------------------------------------------------------------------------------

// A kernel that handles the rows of a turn, chunk by chunk. Its first arguments tell it where; the
// others are given by `rest`, for each part.
typedef struct {
    const char *kernel;
    turn *turn;
    int round;
    bool second;
    const plane *source; // of what is known about the other turn
    const plane *target;
    int kind;    // fold: the bit of `losable`
    int streams; // planes that it goes through from one end to the other
} row_job;

typedef void give_rest(solver *s, const row_job *job, uint32_t part);

static void run_rows(solver *s, const row_job *job, bool with_sets, give_rest *rest) {
    device *d = s->device;
    const shape *h = &job->turn->here;
    device_program *program = solver_program(s, h->row_pieces);
    uint32_t most = max_u32(SOLVER_LAUNCH / h->chunks, 1);
    for (uint32_t part = 0; part < h->parts; part++)
        for (uint32_t row = 0; row < solver_part_rows(h, part); row += most) {
            device_call(d, program, job->kernel);
            if (with_sets)
                solver_give_sets(s, h);
            else
                device_give_buffer(d, &s->sides[h->row_pieces].stable);
            device_give_uint(d, part * h->part_rows);
            device_give_uint(d, row);
            device_give_uint(d, h->chunks);
            device_give_uint(d, h->words);
            rest(s, job, part);
            uint32_t rows = min_u32(solver_part_rows(h, part) - row, most);
            device_expect(d, (uint64_t)rows * h->words * 4 * (uint64_t)job->streams);
            device_run(d, (uint64_t)rows * h->chunks);
        }
}

static void give_wins(solver *s, const row_job *job, uint32_t part) {
    device_give_buffer(s->device, &job->source->parts[part]);
    device_give_buffer(s->device, &job->turn->open.parts[part]);
    device_give_buffer(s->device, &job->turn->found.parts[part]);
}

static void give_distances(solver *s, const turn *t, uint32_t part) {
    bool has = t->distances.parts[part].memory != NULL;
    device_give_int(s->device, has);
    device_give_buffer(s->device, has ? &t->distances.parts[part] : &s->counts);
}

static void give_round(solver *s, const row_job *job, uint32_t part) {
    device_give_uint(s->device, job->turn->here.columns);
    device_give_int(s->device, job->round);
    device_give_int(s->device, job->second);
    device_give_buffer(s->device, &job->turn->open.parts[part]);
    device_give_buffer(s->device, &job->turn->losable.parts[part]);
}

static void give_settle(solver *s, const row_job *job, uint32_t part) {
    give_round(s, job, part);
    device_give_buffer(s->device, &job->turn->found.parts[part]);
    device_give_buffer(s->device, &s->counts);
    give_distances(s, job->turn, part);
}

static void give_losses(solver *s, const row_job *job, uint32_t part) {
    give_round(s, job, part);
    device_give_buffer(s->device, &job->source->parts[part]);
    device_give_buffer(s->device, &job->turn->found.parts[part]);
    device_give_buffer(s->device, &s->sides[job->turn->others].stable);
    device_give_buffer(s->device, &s->counts);
    give_distances(s, job->turn, part);
}

static void give_fold(solver *s, const row_job *job, uint32_t part) {
    device *d = s->device;
    const turn *t = job->turn;
    const piece_sets *movers = &s->sides[t->movers];
    device_give_buffer(d, &t->found.parts[part]);
    device_give_buffer(d, &t->open.parts[part]);
    device_give_buffer(d, &t->losable.parts[part]);
    device_give_int(d, job->kind);
    device_give_buffer(d, &movers->folded);
    device_give_buffer(d, &movers->members);
    device_give_buffer(d, &movers->stable);
    device_give_uint(d, t->there.words);
    device_give_uint(d, t->there.part_rows);
    solver_give_plane(s, job->target);
}

static void fold_found(solver *s, turn *t, bool won, bool second, const plane *target) {
    row_job job = {
        .kernel = "fold", .turn = t, .target = target, .kind = won == second, .streams = 1};
    run_rows(s, &job, true, give_fold);
}

// --- captures -----------------------------------------------------------------------------------

typedef struct {
    row_job job;
    const smaller_table *smaller;
} capture_job;

static void give_capture(solver *s, const row_job *job, uint32_t part) {
    device *d = s->device;
    const turn *t = job->turn;
    const smaller_table *smaller = ((const capture_job *)job)->smaller;
    const tb_split *split = &smaller->split;
    const piece_sets *rows = &s->sides[t->others == 1 ? 1 : split->row_pieces];
    device_give_uint(d, t->here.columns);
    device_give_int(d, t->attacks);
    device_give_int(d, job->second);
    device_give_int(d, t->others == 1);
    device_give_int(d, split->movers_are_rows);
    device_give_buffer(d, &rows->folded);
    device_give_buffer(d, &rows->members);
    device_give_uint(d, split->columns);
    device_give_ulong(d, smaller->part_bytes);
    device_give_buffer(d, &t->open.parts[part]);
    device_give_buffer(d, &t->losable.parts[part]);
    device_give_buffer(d, &t->found.parts[part]);
    solver_give_plane(s, &smaller->values);
}

static void find_captures(solver *s, turn *t, bool second) {
    smaller_table smaller;
    solver_upload_smaller(s, t, &smaller);
    capture_job job = {{.kernel = "capture", .turn = t, .second = second, .streams = 3}, &smaller};
    run_rows(s, &job.job, true, give_capture);
    device_wait(s->device);
    solver_free_plane(s, &smaller.values);
}

// --- rounds -------------------------------------------------------------------------------------

static const uint32_t no_counts[COUNTS] = {[FIRST_WIN] = UINT32_MAX};

// The position of a win that the round has found.
static tb_placement read_win(solver *s, const turn *t, uint32_t row) {
    const shape *h = &t->here;
    uint32_t part = row / h->part_rows, word = 0;
    uint32_t *words = calloc(h->words, sizeof *words);
    tb_placement found = {0, 0};
    if (!words)
        return found;
    device_read(s->device, &t->found.parts[part],
                (uint64_t)(row - part * h->part_rows) * h->words * 4, words,
                (uint64_t)h->words * 4);
    while (word < h->words && words[word] == 0)
        word++; // losses are not in it yet: they are found after the wins are counted
    if (word < h->words) {
        uint32_t column = word * 32 + (uint32_t)bits_lowest(words[word]);
        found = solver_placement(s, t, row, column);
    }
    free(words);
    return found;
}

static uint64_t weighted(const uint32_t *counts) {
    uint64_t sum = 0;
    for (int log = 0; log < 4; log++)
        sum += ((uint64_t)counts[2 * log] | (uint64_t)counts[2 * log + 1] << 32) << log;
    return sum;
}

// The value of what a pass finds: the second one finds draws.
static int value_found(bool won, bool second) { return second ? TB_DRAW : won ? TB_WIN : TB_LOSS; }

static void read_counts(solver *s, uint32_t counts[COUNTS]) {
    device_read(s->device, &s->counts, 0, counts, COUNTS * sizeof *counts);
    device_write(s->device, &s->counts, 0, no_counts, sizeof no_counts);
}

static void settle_wins(solver *s, turn *t, int round, bool second) {
    uint32_t counts[COUNTS] = {0};
    solver_count *sum = &s->count[t == &s->turns[0] ? 0 : 1];
    row_job settle = {
        .kernel = "settle_wins", .turn = t, .round = round, .second = second, .streams = 1};
    run_rows(s, &settle, false, give_settle);
    read_counts(s, counts);
    uint64_t won = weighted(counts);
    t->any_won = won > 0;
    sum->placements[value_found(true, second) - TB_LOSS][round] += won;
    if (won && !second)
        sum->longest_win = read_win(s, t, counts[FIRST_WIN]);
}

static void settle_losses(solver *s, turn *t, const plane *won, int round, bool second) {
    uint32_t counts[COUNTS] = {0};
    solver_count *sum = &s->count[t == &s->turns[0] ? 0 : 1];
    row_job losses = {.kernel = "find_losses",
                      .turn = t,
                      .round = round,
                      .second = second,
                      .source = won,
                      .streams = 2};
    run_rows(s, &losses, true, give_losses);
    read_counts(s, counts);
    uint64_t lost = weighted(counts + COUNT_LOST);
    t->any_lost = lost > 0;
    sum->placements[value_found(false, second) - TB_LOSS][round] += lost;
}

// Carries a turn's losses over and finds the wins they mean for the other side in the next round.
static void push_losses(solver *s, turn *t, bool second) {
    turn *other = solver_other(s, t);
    for (uint32_t part = 0; part < t->there.parts; part++)
        solver_clear(s, &s->just_lost.parts[part]);
    fold_found(s, t, false, second, &s->just_lost);
    row_job wins = {.kernel = "find_wins", .turn = other, .source = &s->just_lost, .streams = 1};
    run_rows(s, &wins, true, give_wins);
    other->any_coming = true;
}

// Every part of a round uses what the rounds before it have found. So wins are carried over only
// when the losses of both turns are found.
static void play_round(solver *s, int round, bool second) {
    bool won_before[2] = {s->turns[0].any_won, s->turns[1].any_won};
    for (int i = 0; i < s->turn_count; i++) {
        turn *t = &s->turns[i];
        t->any_won = false;
        if (t->any_coming || t->any_lost || won_before[i])
            settle_wins(s, t, round, second);
        t->any_coming = t->any_lost = false;
    }
    for (int i = 0; i < s->turn_count; i++) {
        turn *t = &s->turns[i], *other = solver_other(s, t);
        if (t->defends && (round == 1 || won_before[other - s->turns]))
            settle_losses(s, t, &other->won, round, second);
    }
    for (int i = 0; i < s->turn_count; i++)
        if (s->turns[i].any_won)
            fold_found(s, &s->turns[i], true, second, &s->turns[i].won);
    for (int i = 0; i < s->turn_count; i++) {
        solver_count *sum = &s->count[i];
        if (s->turns[i].any_lost)
            push_losses(s, &s->turns[i], second);
        sum->rounds += s->turns[i].any_won || s->turns[i].any_lost;
    }
}

static bool found_any(const solver *s) {
    bool any = false;
    for (int i = 0; i < s->turn_count; i++)
        any = any || s->turns[i].any_won || s->turns[i].any_lost;
    return any;
}

// One plane for both turns, of the larger of their shapes in each part.
static void make_just_lost(solver *s) {
    const shape *shapes[] = {&s->turns[0].there, &s->turns[s->turn_count - 1].there};
    for (uint32_t part = 0; part < SOLVER_PARTS; part++) {
        uint64_t bytes = 0;
        for (int i = 0; i < 2; i++)
            if (part < shapes[i]->parts)
                bytes = max_u64(bytes,
                                (uint64_t)solver_part_rows(shapes[i], part) * shapes[i]->words * 4);
        if (bytes)
            s->just_lost.parts[part] = device_new(s->device, bytes);
    }
}

static void begin_rounds(solver *s) {
    for (int i = 0; i < s->turn_count; i++) {
        s->turns[i].any_coming = s->turns[i].attacks;
        s->turns[i].any_won = s->turns[i].any_lost = false;
    }
}

// A guess at what is left after so many rounds: each leaves four fifths.
static double left_after(int round, bool second) {
    double left = second ? 0.3 : 1;
    while (round-- > 0)
        left *= 0.8;
    return left;
}

// Goes on after the rounds that were played before.
static bool play_rounds(solver *s, fault *why) {
    bool second = s->stage.pass == 1, more = true;
    if (s->stage.round == 0)
        begin_rounds(s);
    make_just_lost(s);
    device_write(s->device, &s->counts, 0, no_counts, sizeof no_counts);
    while (more) {
        if (++s->stage.round > UINT8_MAX)
            return fault_set(why, "distances beyond %d", UINT8_MAX);
        play_round(s, s->stage.round, second);
        if (s->plan.progress)
            s->plan.progress(s->plan.context, 0.9 - 0.7 * left_after(s->stage.round, second));
        more = found_any(s) && !solver_failed(s, why);
        if (more && !solver_save(s, why))
            return false;
    }
    device_wait(s->device);
    solver_free_plane(s, &s->just_lost);
    return !solver_failed(s, why);
}

// --- a pair -------------------------------------------------------------------------------------

static void make_turn(solver *s, turn *t, int movers, int others, const uint8_t *behind) {
    bool distances = s->plan.distances;
    uint64_t largest = device_about(s->device)->largest;
    *t = (turn){.movers = movers,
                .others = others,
                .attacks = !s->weaker_forces || movers < others,
                .defends = !s->weaker_forces || movers > others,
                .here = solver_shape(others, movers, distances, largest),
                .there = solver_shape(movers, others, distances, largest),
                .behind = behind};
    solver_make_plane(s, &t->open, &t->here, false);
    solver_make_plane(s, &t->losable, &t->here, false);
    solver_make_plane(s, &t->found, &t->here, false);
    solver_make_plane(s, &t->won, &t->there, false);
    if (distances)
        solver_make_plane(s, &t->distances, &t->here, true);
}

// What nobody can force otherwise has the value of waiting.
static void count_rest(solver *s, turn *t, solver_count *count) {
    uint64_t all =
        (uint64_t)tb_choose[t->movers][SK_POINTS] * tb_choose[t->others][SK_POINTS - t->movers];
    for (int value = 0; value < 3; value++)
        for (int distance = 1; distance < 256; distance++)
            all -= count->placements[value][distance];
    int waiting = tb_waiting_value(s->plan.rules, t->movers, t->others);
    count->placements[waiting - TB_LOSS][0] = all;
}

bool solver_prepare(solver *s, const solver_plan *plan, fault *why) {
    bool equal = plan->a == plan->b;
    solver_free_turns(s);
    solver_make_room(s, plan->a, plan->b, plan->distances);
    s->plan = *plan;
    s->weaker_forces = plan->rules == TB_COUNT && !equal;
    s->turn_count = equal ? 1 : 2;
    s->split = solver_parts(s, plan->a, plan->b, plan->distances) > 1;
    if (!solver_make_side(s, 1) || !solver_make_side(s, plan->a - (plan->a > 1)) ||
        !solver_make_side(s, plan->b - (plan->b > 1)) || !solver_make_side(s, plan->a) ||
        !solver_make_side(s, plan->b))
        return solver_failed(s, why) ? false : fault_set(why, "not enough memory");
    make_turn(s, &s->turns[0], plan->a, plan->b, plan->behind[0]);
    if (!equal)
        make_turn(s, &s->turns[1], plan->b, plan->a, plan->behind[1]);
    return !solver_failed(s, why);
}

// One pass, from where it stands on.
static bool run_pass(solver *s, fault *why) {
    for (; s->stage.captured < s->turn_count; s->stage.captured++) {
        if (s->stage.captured > 0 && !solver_save(s, why))
            return false;
        find_captures(s, &s->turns[s->stage.captured], s->stage.pass == 1);
    }
    return !solver_failed(s, why) && (s->stage.round > 0 || solver_save(s, why)) &&
           play_rounds(s, why);
}

// Takes up the pair's checkpoint, or begins.
static bool begin_pair(solver *s, const solver_plan *plan, fault *why) {
    if (!solver_prepare(s, plan, why))
        return false;
    s->stage = (solver_stage){0, 0, 0};
    s->saved = clock_us();
    memset(s->count, 0, 2 * sizeof *s->count);
    if (!plan->checkpoint || !os_path_exists(plan->checkpoint) || solver_resume(s))
        return !solver_failed(s, why);
    return solver_prepare(s, plan, why); // what was read is not used
}

bool solver_run(solver *s, const solver_plan *plan, solver_count count[2], fault *why) {
    s->count = count;
    bool fine = begin_pair(s, plan, why);
    int passes = s->weaker_forces ? 2 : 1;
    while (fine && s->stage.pass < passes) {
        fine = run_pass(s, why);
        if (fine)
            s->stage = (solver_stage){s->stage.pass + 1, 0, 0};
    }
    for (int i = 0; i < s->turn_count; i++)
        count_rest(s, &s->turns[i], &count[i]);
    return fine && !solver_failed(s, why);
}
