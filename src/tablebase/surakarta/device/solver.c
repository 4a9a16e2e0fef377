#include "tablebase/surakarta/device/solver.h"

#include "base/minmax.h"
#include "tablebase/surakarta/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char tb_kernels_source[];
extern const size_t tb_kernels_source_size;

enum {
    CHUNK = 256,       // words of a row in a work-group
    LAUNCH = 1 << 20,  // work-groups of a launch
    BLOCK = 1 << 26,   // entries that are emitted at a time
    SYMMETRY_BITS = 3, // of an entry of `folded`
    COUNTS = 17,       // numbers that `settle` counts
    COUNT_LOST = 8,
    FIRST_WIN = 16 // where, in kernels.cl
};

// The constants of the game, as the kernels have them.
typedef struct {
    uint64_t turned[6][64][TB_SYMMETRIES];
    uint64_t near[SK_POINTS], ring[SK_POINTS];
    uint32_t choose[TB_MAX_PIECES + 1][SK_POINTS];
    uint16_t digits[256];
    uint8_t station[64];
    uint8_t compose[TB_SYMMETRIES][TB_SYMMETRIES];
} board_tables;

// All sets of one number of pieces, on the device.
typedef struct {
    uint32_t sets, reps;
    device_buffer folded, members, stable;
    device_buffer wide, narrow; // sets as 64 bits, and those of 32 points as 32
    uint64_t *host_members;     // the representatives
} piece_sets;

// Rows are the representatives of one side, columns the other side's sets on the free points.
typedef struct {
    int row_pieces, column_pieces;
    uint32_t rows, columns, words, chunks;
    uint32_t parts, part_rows;
} shape;

typedef struct {
    device_buffer parts[SOLVER_PARTS];
} plane;

// One side to move.
typedef struct {
    int movers, others;
    bool attacks, defends; // the movers can force a win; the others can
    shape here;            // rows are the others
    shape there;           // rows are the movers
    plane open, losable, found_won, found_lost, distances;
    plane won, just_lost;
    bool any_won, any_lost; // in the last round
    const uint8_t *behind;
} turn;

struct solver {
    device *device;
    device_buffer board, counts;
    piece_sets sides[TB_MAX_PIECES];
    device_program *programs[2][2]; // [split]: sets as 32 and as 64 bits
    bool split;                     // planes or values of this pair have several parts
    solver_plan plan;
    bool weaker_forces; // under `count` between unequal sides
    turn turns[2];
    int turn_count;
    solver_count *count;
};

// --- the device ---------------------------------------------------------------------------------

static int compose(int t, int s) {
    for (int both = 0; both < TB_SYMMETRIES; both++) {
        bool same = true;
        for (int p = 0; p < SK_POINTS && same; p++)
            same = tb_turn(both, sk_bit(p)) == tb_turn(t, tb_turn(s, sk_bit(p)));
        if (same)
            return both;
    }
    return 0;
}

static void fill_board(board_tables *b) {
    memset(b, 0, sizeof *b);
    memcpy(b->turned, tb_index.turned, sizeof b->turned);
    memcpy(b->near, sk_neighbours, sizeof b->near);
    memcpy(b->ring, sk_ring_bits, sizeof b->ring);
    memcpy(b->digits, tb_digits_of, sizeof b->digits);
    memcpy(b->station, sk_ring_point, sizeof b->station);
    for (int k = 0; k <= TB_MAX_PIECES; k++)
        memcpy(b->choose[k], tb_choose[k], sizeof b->choose[k]);
    for (int t = 0; t < TB_SYMMETRIES; t++)
        for (int s = 0; s < TB_SYMMETRIES; s++)
            b->compose[t][s] = (uint8_t)compose(t, s);
}

static bool failed(const solver *s, fault *why) { return device_failed(s->device, why); }

// The kernels for rows with so many pieces. They are compiled when they are needed first.
static device_program *program_for(solver *s, int row_pieces) {
    int wide = SK_POINTS - row_pieces > 32;
    device_program **program = &s->programs[s->split][wide];
    if (!*program) {
        char options[64];
        snprintf(options, sizeof options, "-cl-std=CL1.2 -DSET=%s -DPARTS=%d",
                 wide ? "ulong" : "uint", s->split ? SOLVER_PARTS : 1);
        *program = device_compile(s->device, (const char *)tb_kernels_source,
                                  tb_kernels_source_size, options);
    }
    return *program;
}

solver *solver_open(text name, uint64_t largest, fault *why) {
    solver *s = calloc(1, sizeof *s);
    board_tables *tables = malloc(sizeof *tables);
    bool fine = s && tables;
    if (!fine)
        fault_set(why, "not enough memory");
    tb_index_prepare(2);
    fine = fine && (s->device = device_open(name, largest, why));
    if (fine) {
        fill_board(tables);
        s->board = device_new(s->device, sizeof *tables);
        s->counts = device_new(s->device, COUNTS * sizeof(uint32_t));
        device_write(s->device, &s->board, 0, tables, sizeof *tables);
        fine = !failed(s, why);
    }
    free(tables);
    if (!fine) {
        solver_close(s);
        return NULL;
    }
    return s;
}

device *solver_device(solver *s) { return s->device; }

// --- sets ---------------------------------------------------------------------------------------

static bool upload_sets(solver *s, piece_sets *side, int pieces) {
    uint32_t narrow = tb_choose[pieces][32];
    uint64_t *wide = malloc((size_t)side->sets * sizeof *wide);
    uint32_t *few = malloc((size_t)narrow * sizeof *few);
    bool fine = wide && few;
    uint64_t set = sk_bit(pieces) - 1;
    for (uint32_t i = 0; fine && i < side->sets; i++, set = tb_next_set(set))
        wide[i] = set;
    for (uint32_t i = 0; fine && i < narrow; i++)
        few[i] = (uint32_t)wide[i];
    if (fine) {
        side->wide = device_new(s->device, (uint64_t)side->sets * 8);
        side->narrow = device_new(s->device, (uint64_t)narrow * 4);
        device_write(s->device, &side->wide, 0, wide, (uint64_t)side->sets * 8);
        device_write(s->device, &side->narrow, 0, few, (uint64_t)narrow * 4);
    }
    free(wide);
    free(few);
    return fine;
}

// Numbers the representatives: the device marks them, the host counts the marks.
static bool number_reps(solver *s, piece_sets *side, device_buffer *marks, device_buffer *before) {
    device *d = s->device;
    uint32_t words = (side->sets + 31) / 32, reps = 0;
    uint32_t *numbers = malloc((size_t)words * sizeof *numbers);
    if (!numbers)
        return false;
    device_call(d, program_for(s, 1), "mark_representatives");
    device_give_buffer(d, &s->board);
    device_give_buffer(d, &side->wide);
    device_give_uint(d, side->sets);
    device_give_buffer(d, marks);
    device_run(d, (words + DEVICE_GROUP - 1) / DEVICE_GROUP);
    device_read(d, marks, 0, numbers, (uint64_t)words * 4);
    for (uint32_t i = 0; i < words; i++) {
        uint32_t here = (uint32_t)bits_count(numbers[i]);
        numbers[i] = reps;
        reps += here;
    }
    device_write(d, before, 0, numbers, (uint64_t)words * 4);
    free(numbers);
    return reps == side->reps;
}

static bool make_side(solver *s, int pieces) {
    piece_sets *side = &s->sides[pieces];
    device *d = s->device;
    if (side->sets)
        return true;
    side->sets = tb_choose[pieces][SK_POINTS];
    side->reps = tb_count_reps(pieces);
    uint64_t words = (side->sets + 31) / 32;
    side->host_members = malloc((size_t)side->reps * sizeof *side->host_members);
    bool fine = side->host_members && upload_sets(s, side, pieces);
    side->folded = device_new(d, (uint64_t)side->sets * 4);
    side->members = device_new(d, (uint64_t)side->reps * 8);
    side->stable = device_new(d, side->reps);
    device_buffer marks = device_new(d, words * 4), before = device_new(d, words * 4);
    fine = fine && number_reps(s, side, &marks, &before);
    if (fine) {
        device_call(d, program_for(s, 1), "fold_sets");
        device_give_buffer(d, &s->board);
        device_give_buffer(d, &side->wide);
        device_give_uint(d, side->sets);
        device_give_buffer(d, &marks);
        device_give_buffer(d, &before);
        device_give_buffer(d, &side->folded);
        device_give_buffer(d, &side->members);
        device_give_buffer(d, &side->stable);
        device_run(d, (side->sets + DEVICE_GROUP - 1) / DEVICE_GROUP);
        device_read(d, &side->members, 0, side->host_members, (uint64_t)side->reps * 8);
    }
    device_free(d, &marks);
    device_free(d, &before);
    return fine;
}

static void free_sides(solver *s) {
    for (int k = 0; k < TB_MAX_PIECES; k++) {
        piece_sets *side = &s->sides[k];
        device_buffer *const buffers[] = {&side->folded, &side->members, &side->stable, &side->wide,
                                          &side->narrow};
        for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
            device_free(s->device, buffers[i]);
        free(side->host_members);
        memset(side, 0, sizeof *side);
    }
}

// The sets of the columns, for rows with so many pieces.
static const device_buffer *column_sets(const solver *s, int pieces, int row_pieces) {
    const piece_sets *side = &s->sides[pieces];
    return SK_POINTS - row_pieces > 32 ? &side->wide : &side->narrow;
}

// --- planes -------------------------------------------------------------------------------------

// Planes are split so that one bit a position, or one byte where distances are kept, fits into one
// allocation.
static shape shape_of(int row_pieces, int column_pieces, bool distances, uint64_t largest) {
    shape h = {.row_pieces = row_pieces,
               .column_pieces = column_pieces,
               .rows = tb_count_reps(row_pieces),
               .columns = tb_choose[column_pieces][SK_POINTS - row_pieces]};
    h.words = (h.columns + 31) / 32;
    h.chunks = (h.words + CHUNK - 1) / CHUNK;
    uint64_t row_bytes =
        distances ? max_u64(h.columns, (uint64_t)h.words * 4) : (uint64_t)h.words * 4;
    uint64_t rows = largest / row_bytes;
    h.part_rows = (uint32_t)min_u64(max_u64(rows, 1), h.rows);
    h.parts = (h.rows + h.part_rows - 1) / h.part_rows;
    return h;
}

static uint32_t rows_of_part(const shape *h, uint32_t part) {
    return min_u32(h->rows - part * h->part_rows, h->part_rows);
}

static void make_plane(solver *s, plane *p, const shape *h, bool bytes) {
    for (uint32_t part = 0; part < h->parts; part++) {
        uint64_t row = bytes ? h->columns : (uint64_t)h->words * 4;
        p->parts[part] = device_new(s->device, rows_of_part(h, part) * row);
        device_clear(s->device, &p->parts[part], 0);
    }
}

static void free_plane(solver *s, plane *p) {
    for (int part = 0; part < SOLVER_PARTS; part++)
        device_free(s->device, &p->parts[part]);
}

static void clear_plane(solver *s, const plane *p, const shape *h) {
    for (uint32_t part = 0; part < h->parts; part++)
        device_clear(s->device, &p->parts[part], 0);
}

// All parts as arguments of a kernel that may need any of them.
static void give_plane(solver *s, const plane *p) {
    for (int part = 0; part < (s->split ? SOLVER_PARTS : 1); part++)
        device_give_buffer(s->device, &p->parts[p->parts[part].memory ? part : 0]);
}

// --- work on rows -------------------------------------------------------------------------------

// A kernel that handles the rows of a shape, chunk by chunk. Its first arguments tell it where; the
// others are given by `rest`, for each part.
typedef struct {
    const char *kernel;
    turn *turn;
    int round;
    bool second;
    const plane *source; // fold: what is carried over, and where
    const plane *target;
} row_job;

typedef void give_rest(solver *s, const row_job *job, uint32_t part);

// The arguments that most kernels begin with: the board, the rows' sets, the columns' sets.
static void give_sets(solver *s, const shape *h) {
    device_give_buffer(s->device, &s->board);
    device_give_buffer(s->device, &s->sides[h->row_pieces].members);
    device_give_buffer(s->device, column_sets(s, h->column_pieces, h->row_pieces));
}

static void run_rows(solver *s, const row_job *job, bool with_sets, give_rest *rest) {
    device *d = s->device;
    const shape *h = &job->turn->here;
    device_program *program = program_for(s, h->row_pieces);
    uint32_t most = max_u32(LAUNCH / h->chunks, 1);
    for (uint32_t part = 0; part < h->parts; part++)
        for (uint32_t row = 0; row < rows_of_part(h, part); row += most) {
            device_call(d, program, job->kernel);
            if (with_sets)
                give_sets(s, h);
            else
                device_give_buffer(d, &s->sides[h->row_pieces].stable);
            device_give_uint(d, part * h->part_rows);
            device_give_uint(d, row);
            device_give_uint(d, h->chunks);
            device_give_uint(d, h->words);
            rest(s, job, part);
            device_run(d, (uint64_t)min_u32(rows_of_part(h, part) - row, most) * h->chunks);
        }
}

static void give_wins(solver *s, const row_job *job, uint32_t part) {
    device_give_buffer(s->device, &job->source->parts[part]);
    device_give_buffer(s->device, &job->turn->open.parts[part]);
    device_give_buffer(s->device, &job->turn->found_won.parts[part]);
}

static void give_losses(solver *s, const row_job *job, uint32_t part) {
    device_give_buffer(s->device, &job->turn->open.parts[part]);
    device_give_buffer(s->device, &job->turn->losable.parts[part]);
    device_give_buffer(s->device, &job->source->parts[part]);
    device_give_buffer(s->device, &job->turn->found_lost.parts[part]);
}

static void give_settle(solver *s, const row_job *job, uint32_t part) {
    device *d = s->device;
    const turn *t = job->turn;
    bool distances = t->distances.parts[part].memory != NULL;
    device_give_uint(d, t->here.columns);
    device_give_int(d, job->round);
    device_give_int(d, t->any_won);
    device_give_int(d, t->any_lost);
    device_give_int(d, job->second);
    device_give_buffer(d, &t->open.parts[part]);
    device_give_buffer(d, &t->losable.parts[part]);
    device_give_buffer(d, &t->found_won.parts[part]);
    device_give_buffer(d, &t->found_lost.parts[part]);
    device_give_buffer(d, &s->counts);
    device_give_int(d, distances);
    device_give_buffer(d, distances ? &t->distances.parts[part] : &s->counts);
}

static void give_fold(solver *s, const row_job *job, uint32_t part) {
    device *d = s->device;
    const turn *t = job->turn;
    const piece_sets *movers = &s->sides[t->movers];
    device_give_buffer(d, &job->source->parts[part]);
    device_give_buffer(d, &movers->folded);
    device_give_buffer(d, &movers->members);
    device_give_buffer(d, &movers->stable);
    device_give_uint(d, t->there.words);
    device_give_uint(d, t->there.part_rows);
    give_plane(s, job->target);
}

static void fold_plane(solver *s, turn *t, const plane *source, const plane *target) {
    row_job job = {.kernel = "fold", .turn = t, .source = source, .target = target};
    run_rows(s, &job, true, give_fold);
}

// --- captures -----------------------------------------------------------------------------------

// The values behind captures, split like a plane.
typedef struct {
    plane values;
    tb_split split;
    uint64_t part_bytes;
} smaller_table;

static void upload_smaller(solver *s, const turn *t, smaller_table *smaller) {
    *smaller = (smaller_table){.part_bytes = device_about(s->device)->largest};
    if (t->others == 1) {
        smaller->values.parts[0] = device_new(s->device, 4);
        return;
    }
    smaller->split = tb_split_of(t->others - 1, t->movers);
    uint64_t bytes = (smaller->split.size + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE;
    for (int part = 0; part < SOLVER_PARTS && (uint64_t)part * smaller->part_bytes < bytes;
         part++) {
        uint64_t at = (uint64_t)part * smaller->part_bytes;
        uint64_t here = min_u64(bytes - at, smaller->part_bytes);
        smaller->values.parts[part] = device_new(s->device, here);
        device_write(s->device, &smaller->values.parts[part], 0, t->behind + at, here);
    }
}

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
    device_give_buffer(d, &t->found_won.parts[part]);
    give_plane(s, &smaller->values);
}

static bool find_captures(solver *s, turn *t, bool second) {
    smaller_table smaller;
    if (!make_side(s, 1) || (t->others > 1 && !make_side(s, t->others - 1)))
        return false;
    upload_smaller(s, t, &smaller);
    capture_job job = {{.kernel = "capture", .turn = t, .second = second}, &smaller};
    run_rows(s, &job.job, true, give_capture);
    device_wait(s->device);
    free_plane(s, &smaller.values);
    return true;
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
    device_read(s->device, &t->found_won.parts[part],
                (uint64_t)(row - part * h->part_rows) * h->words * 4, words,
                (uint64_t)h->words * 4);
    while (word < h->words && words[word] == 0)
        word++;
    if (word < h->words) {
        uint32_t column = word * 32 + (uint32_t)bits_lowest(words[word]);
        found.others = s->sides[h->row_pieces].host_members[row];
        found.movers = tb_spread(tb_unrank_set(column, h->column_pieces), found.others);
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

static void count_round(solver *s, turn *t, int round, bool second) {
    uint32_t counts[COUNTS] = {0};
    solver_count *sum = &s->count[t == &s->turns[0] ? 0 : 1];
    device_read(s->device, &s->counts, 0, counts, sizeof counts);
    uint64_t won = weighted(counts), lost = weighted(counts + COUNT_LOST);
    t->any_won = won > 0;
    t->any_lost = lost > 0;
    sum->placements[value_found(true, second) - TB_LOSS][round] += won;
    sum->placements[value_found(false, second) - TB_LOSS][round] += lost;
    sum->rounds += won || lost;
    if (won && !second)
        sum->longest_win = read_win(s, t, counts[FIRST_WIN]);
}

static void step_turn(solver *s, turn *t, const turn *other, int round, bool second) {
    bool start = round == 1;
    t->any_won = t->attacks && (start || other->any_lost);
    t->any_lost = t->defends && (start || other->any_won);
    if (t->any_won && !start) {
        clear_plane(s, &t->found_won, &t->here);
        row_job wins = {.kernel = "find_wins", .turn = t, .source = &other->just_lost};
        run_rows(s, &wins, true, give_wins);
    }
    if (t->any_lost) {
        row_job losses = {.kernel = "find_losses", .turn = t, .source = &other->won};
        run_rows(s, &losses, true, give_losses);
    }
    if (!t->any_won && !t->any_lost)
        return;
    device_write(s->device, &s->counts, 0, no_counts, sizeof no_counts);
    row_job settle = {.kernel = "settle", .turn = t, .round = round, .second = second};
    run_rows(s, &settle, false, give_settle);
    count_round(s, t, round, second);
}

static void fold_turn(solver *s, turn *t) {
    if (t->any_won)
        fold_plane(s, t, &t->found_won, &t->won);
    if (!t->any_lost)
        return;
    clear_plane(s, &t->just_lost, &t->there);
    fold_plane(s, t, &t->found_lost, &t->just_lost);
}

static bool found_any(const solver *s) {
    bool any = false;
    for (int i = 0; i < s->turn_count; i++)
        any = any || s->turns[i].any_won || s->turns[i].any_lost;
    return any;
}

// Both turns use what was known before the round, so both step before either folds.
static bool play_rounds(solver *s, bool second, fault *why) {
    double left = second ? 0.3 : 1;
    int round = 0;
    do {
        if (++round > UINT8_MAX)
            return fault_set(why, "distances beyond %d", UINT8_MAX);
        turn before[2] = {s->turns[0], s->turns[1]};
        for (int i = 0; i < s->turn_count; i++)
            step_turn(s, &s->turns[i], &before[s->turn_count - 1 - i], round, second);
        for (int i = 0; i < s->turn_count; i++)
            fold_turn(s, &s->turns[i]);
        left *= 0.8;
        if (s->plan.progress)
            s->plan.progress(s->plan.context, 0.9 - 0.7 * left);
    } while (found_any(s) && !failed(s, why));
    return !failed(s, why);
}

static uint64_t behind_bytes(int movers, int others) {
    return others == 1 ? 0 : tb_split_of(others - 1, movers).size / TB_VALUES_PER_BYTE + 1;
}

// How many allocations the largest plane of a pair, or the values behind its captures, take.
static uint64_t parts_of(const solver *s, int a, int b, bool distances) {
    uint64_t largest = device_about(s->device)->largest;
    uint64_t parts =
        max_u64(shape_of(a, b, distances, largest).parts, shape_of(b, a, distances, largest).parts);
    uint64_t behind = max_u64(behind_bytes(a, b), behind_bytes(b, a));
    return max_u64(parts, (behind + largest - 1) / largest);
}

// --- a pair -------------------------------------------------------------------------------------

static void make_turn(solver *s, turn *t, int movers, int others, const uint8_t *behind) {
    bool distances = s->plan.distances;
    uint64_t largest = device_about(s->device)->largest;
    *t = (turn){.movers = movers,
                .others = others,
                .attacks = !s->weaker_forces || movers < others,
                .defends = !s->weaker_forces || movers > others,
                .here = shape_of(others, movers, distances, largest),
                .there = shape_of(movers, others, distances, largest),
                .behind = behind};
    make_plane(s, &t->open, &t->here, false);
    make_plane(s, &t->losable, &t->here, false);
    make_plane(s, &t->found_won, &t->here, false);
    make_plane(s, &t->found_lost, &t->here, false);
    make_plane(s, &t->won, &t->there, false);
    make_plane(s, &t->just_lost, &t->there, false);
    if (distances)
        make_plane(s, &t->distances, &t->here, true);
}

static void free_turns(solver *s) {
    for (int i = 0; i < 2; i++) {
        turn *t = &s->turns[i];
        plane *const planes[] = {&t->open,      &t->losable, &t->found_won, &t->found_lost,
                                 &t->distances, &t->won,     &t->just_lost};
        for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
            free_plane(s, planes[k]);
    }
    s->turn_count = 0;
}

void solver_close(solver *s) {
    if (!s)
        return;
    if (s->device) {
        free_turns(s);
        free_sides(s);
        device_free(s->device, &s->board);
        device_free(s->device, &s->counts);
        device_close(s->device);
    }
    free(s);
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

bool solver_run(solver *s, const solver_plan *plan, solver_count count[2], fault *why) {
    bool equal = plan->a == plan->b, fine = true;
    free_turns(s);
    s->plan = *plan;
    s->count = count;
    s->weaker_forces = plan->rules == TB_COUNT && !equal;
    s->turn_count = equal ? 1 : 2;
    s->split = parts_of(s, plan->a, plan->b, plan->distances) > 1;
    memset(count, 0, 2 * sizeof *count);
    if (!make_side(s, plan->a) || !make_side(s, plan->b))
        return fault_set(why, "not enough memory");
    make_turn(s, &s->turns[0], plan->a, plan->b, plan->behind[0]);
    if (!equal)
        make_turn(s, &s->turns[1], plan->b, plan->a, plan->behind[1]);
    for (int pass = 0; fine && pass < (s->weaker_forces ? 2 : 1); pass++) {
        for (int i = 0; fine && i < s->turn_count; i++)
            fine = find_captures(s, &s->turns[i], pass == 1) || fault_set(why, "not enough memory");
        fine = fine && play_rounds(s, pass == 1, why);
    }
    for (int i = 0; i < s->turn_count; i++)
        count_rest(s, &s->turns[i], &count[i]);
    return fine && !failed(s, why);
}

// --- the tables ---------------------------------------------------------------------------------

typedef struct {
    turn *turn;
    tb_split split;
    uint32_t rows; // of a block, a multiple of five so that a block of values begins with a byte
    device_buffer values, distances, packed;
} output;

static output make_output(solver *s, int movers, bool packed) {
    turn *t = &s->turns[movers == s->plan.a ? 0 : 1];
    output o = {.turn = t, .split = tb_split_of(t->movers, t->others)};
    uint64_t most = min_u64(BLOCK, device_about(s->device)->largest);
    o.rows = (uint32_t)max_u64(most / o.split.columns / 5 * 5, 5);
    uint64_t entries = min_u64((uint64_t)o.rows * o.split.columns, o.split.size);
    o.values = device_new(s->device, entries);
    if (packed)
        o.packed = device_new(s->device, entries / TB_VALUES_PER_BYTE + 1);
    else
        o.distances = device_new(s->device, entries);
    return o;
}

static void free_output(solver *s, output *o) {
    device_free(s->device, &o->values);
    device_free(s->device, &o->distances);
    device_free(s->device, &o->packed);
}

// Values and distances of the rows from `row` on; returns how many entries.
static uint64_t emit_block(solver *s, const output *o, uint32_t row) {
    device *d = s->device;
    const turn *t = o->turn;
    const tb_split *split = &o->split;
    const piece_sets *rows = &s->sides[t->others];
    uint32_t count = min_u32(split->rows - row, o->rows);
    uint32_t chunks = (split->columns + CHUNK * 32 - 1) / (CHUNK * 32),
             most = max_u32(LAUNCH / chunks, 1);
    bool distances = t->distances.parts[0].memory && o->distances.memory;
    // Of the settled positions: how a bit of `losable` tells them apart.
    bool defends_only = s->weaker_forces && t->movers > t->others;
    bool attacks_only = s->weaker_forces && t->movers < t->others;
    for (uint32_t from = 0; from < count; from += most) {
        device_call(d, program_for(s, split->row_pieces), "emit");
        device_give_buffer(d, &s->board);
        device_give_buffer(d, &s->sides[split->row_pieces].members);
        device_give_buffer(d, column_sets(s, split->column_pieces, split->row_pieces));
        device_give_uint(d, row);
        device_give_uint(d, from);
        device_give_uint(d, chunks);
        device_give_uint(d, split->columns);
        device_give_int(d, !split->movers_are_rows);
        device_give_buffer(d, &rows->folded);
        device_give_buffer(d, &rows->members);
        device_give_uint(d, t->here.words);
        device_give_uint(d, t->here.columns);
        device_give_uint(d, t->here.part_rows);
        device_give_int(d, defends_only ? TB_DRAW : TB_WIN);
        device_give_int(d, attacks_only ? TB_DRAW : TB_LOSS);
        device_give_int(d, tb_waiting_value(s->plan.rules, t->movers, t->others));
        device_give_buffer(d, &o->values);
        device_give_int(d, distances);
        device_give_buffer(d, distances ? &o->distances : &s->counts);
        give_plane(s, &t->open);
        give_plane(s, &t->losable);
        if (distances)
            give_plane(s, &t->distances);
        else
            give_plane(s, &(plane){{s->counts}});
        device_run(d, (uint64_t)min_u32(count - from, most) * chunks);
    }
    return (uint64_t)count * split->columns;
}

bool solver_emit(solver *s, int movers, const tb_sink *sink, fault *why) {
    output o = make_output(s, movers, false);
    int8_t *values = malloc((size_t)o.values.bytes);
    uint8_t *distances = malloc((size_t)o.values.bytes);
    bool fine = (values && distances) || fault_set(why, "not enough memory");
    for (uint32_t row = 0; fine && row < o.split.rows; row += o.rows) {
        uint64_t count = emit_block(s, &o, row);
        device_read(s->device, &o.values, 0, values, count);
        device_read(s->device, &o.distances, 0, distances, count);
        fine = !failed(s, why) && sink->write(sink->context, values, distances, count);
        if (sink->progress)
            sink->progress(sink->progress_context, 0.9 + 0.1 * row / o.split.rows);
    }
    free(values);
    free(distances);
    free_output(s, &o);
    return fine;
}

bool solver_pack(solver *s, int movers, uint8_t *packed, fault *why) {
    output o = make_output(s, movers, true);
    device *d = s->device;
    for (uint32_t row = 0; row < o.split.rows; row += o.rows) {
        uint64_t count = emit_block(s, &o, row), bytes = (count + 4) / TB_VALUES_PER_BYTE;
        device_call(d, program_for(s, o.split.row_pieces), "pack");
        device_give_buffer(d, &o.values);
        device_give_ulong(d, count);
        device_give_buffer(d, &o.packed);
        device_run(d, (bytes + DEVICE_GROUP - 1) / DEVICE_GROUP);
        device_read(d, &o.packed, 0, packed, bytes);
        packed += bytes;
    }
    free_output(s, &o);
    return !failed(s, why);
}

// --- what it takes ------------------------------------------------------------------------------

static uint64_t plane_bytes(const shape *h) { return (uint64_t)h->rows * h->words * 4; }

static uint64_t side_bytes(int pieces) {
    return (uint64_t)tb_choose[pieces][SK_POINTS] * 12 + (uint64_t)tb_count_reps(pieces) * 9 +
           (uint64_t)tb_choose[pieces][32] * 4;
}

bool solver_fits(const solver *s, int a, int b, bool distances, uint64_t memory, uint64_t *need,
                 fault *why) {
    const device_info *info = device_about(s->device);
    uint64_t largest = info->largest, behind = max_u64(behind_bytes(a, b), behind_bytes(b, a));
    shape shapes[2] = {shape_of(b, a, distances, largest), shape_of(a, b, distances, largest)};
    uint64_t bytes = behind + 2 * (uint64_t)BLOCK;
    for (int k = 1; k <= a; k++)
        bytes += side_bytes(k);
    for (int i = 0; i < (a == b ? 1 : 2); i++) {
        bytes += 4 * plane_bytes(&shapes[i]) + 2 * plane_bytes(&shapes[1 - i]);
        bytes += distances ? (uint64_t)shapes[i].rows * shapes[i].columns : 0;
    }
    *need = bytes;
    if (bytes > memory)
        return fault_set(why, "%dv%d takes %.1f GB of memory on %s; %.1f GB may be used", a, b,
                         (double)bytes / 1e9, info->name, (double)memory / 1e9);
    uint64_t one = max_u64((uint64_t)tb_choose[a][SK_POINTS] * 8,
                           5 * max_u64(tb_split_of(a, b).columns, tb_split_of(b, a).columns));
    if (parts_of(s, a, b, distances) > SOLVER_PARTS || one > largest)
        return fault_set(why, "%dv%d would need allocations of more than %.1f GB on %s", a, b,
                         (double)largest / 1e9, info->name);
    return true;
}

uint64_t solver_transfers(int a, int b, bool distances) {
    uint64_t entries = tb_split_of(a, b).size * (a == b ? 1 : 2);
    return behind_bytes(a, b) + (a == b ? 0 : behind_bytes(b, a)) +
           (distances ? 2 * entries : entries / TB_VALUES_PER_BYTE);
}
