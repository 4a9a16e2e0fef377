#include "tablebase/surakarta/device/planes.h"

#include "base/minmax.h"
#include "tablebase/surakarta/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char tb_kernels_source[];
extern const size_t tb_kernels_source_size;

// The constants of the game, as the kernels have them.
typedef struct {
    uint64_t turned[6][64][TB_SYMMETRIES];
    uint64_t near[SK_POINTS], ring[SK_POINTS];
    uint32_t choose[TB_MAX_PIECES + 1][SK_POINTS];
    uint16_t digits[256];
    uint8_t station[64];
    uint8_t compose[TB_SYMMETRIES][TB_SYMMETRIES];
} board_tables;

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

bool solver_failed(const solver *s, fault *why) { return device_failed(s->device, why); }

device_program *solver_program(solver *s, int row_pieces) {
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
        s->counts = device_new(s->device, SOLVER_COUNTS * sizeof(uint32_t));
        device_write(s->device, &s->board, 0, tables, sizeof *tables);
        fine = !solver_failed(s, why);
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

static void make_sets(solver *s, piece_sets *side, int pieces) {
    device *d = s->device;
    uint32_t narrow = tb_choose[pieces][32];
    side->wide = device_new(d, (uint64_t)side->sets * 8);
    side->narrow = device_new(d, (uint64_t)narrow * 4);
    device_call(d, solver_program(s, 1), "make_sets");
    device_give_buffer(d, &s->board);
    device_give_uint(d, side->sets);
    device_give_uint(d, (uint32_t)pieces);
    device_give_uint(d, narrow);
    device_give_buffer(d, &side->wide);
    device_give_buffer(d, &side->narrow);
    device_run(d, (side->sets + DEVICE_GROUP - 1) / DEVICE_GROUP);
}

// Numbers the representatives: the device marks them, the host counts the marks.
static bool number_reps(solver *s, piece_sets *side, device_buffer *marks, device_buffer *before) {
    device *d = s->device;
    uint32_t words = (side->sets + 31) / 32, reps = 0;
    uint32_t *numbers = malloc((size_t)words * sizeof *numbers);
    if (!numbers)
        return false;
    device_call(d, solver_program(s, 1), "mark_representatives");
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
    fault ignored;
    return reps == side->reps || solver_failed(s, &ignored);
}

bool solver_make_side(solver *s, int pieces) {
    piece_sets *side = &s->sides[pieces];
    device *d = s->device;
    if (side->sets)
        return true;
    side->sets = tb_choose[pieces][SK_POINTS];
    side->reps = tb_count_reps(pieces);
    uint64_t words = (side->sets + 31) / 32;
    make_sets(s, side, pieces);
    side->folded = device_new(d, (uint64_t)side->sets * 4);
    side->members = device_new(d, (uint64_t)side->reps * 8);
    side->stable = device_new(d, side->reps);
    device_buffer marks = device_new(d, words * 4), before = device_new(d, words * 4);
    bool fine = number_reps(s, side, &marks, &before);
    if (fine) {
        device_call(d, solver_program(s, 1), "fold_sets");
        device_give_buffer(d, &s->board);
        device_give_buffer(d, &side->wide);
        device_give_uint(d, side->sets);
        device_give_buffer(d, &marks);
        device_give_buffer(d, &before);
        device_give_buffer(d, &side->folded);
        device_give_buffer(d, &side->members);
        device_give_buffer(d, &side->stable);
        device_run(d, (side->sets + DEVICE_GROUP - 1) / DEVICE_GROUP);
    }
    device_free(d, &marks);
    device_free(d, &before);
    return fine;
}

void solver_free_sides(solver *s, int from) {
    for (int k = from; k < TB_MAX_PIECES; k++) {
        piece_sets *side = &s->sides[k];
        device_buffer *const buffers[] = {&side->folded, &side->members, &side->stable, &side->wide,
                                          &side->narrow};
        for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
            device_free(s->device, buffers[i]);
        memset(side, 0, sizeof *side);
    }
}

const device_buffer *solver_columns(const solver *s, int pieces, int row_pieces) {
    const piece_sets *side = &s->sides[pieces];
    return SK_POINTS - row_pieces > 32 ? &side->wide : &side->narrow;
}

// --- planes -------------------------------------------------------------------------------------

shape solver_shape(int row_pieces, int column_pieces, bool distances, uint64_t largest) {
    shape h = {.row_pieces = row_pieces,
               .column_pieces = column_pieces,
               .rows = tb_count_reps(row_pieces),
               .columns = tb_choose[column_pieces][SK_POINTS - row_pieces]};
    h.words = (h.columns + 31) / 32;
    h.chunks = (h.words + SOLVER_CHUNK - 1) / SOLVER_CHUNK;
    uint64_t row_bytes =
        distances ? max_u64(h.columns, (uint64_t)h.words * 4) : (uint64_t)h.words * 4;
    uint64_t rows = largest / row_bytes;
    h.part_rows = (uint32_t)min_u64(max_u64(rows, 1), h.rows);
    h.parts = (h.rows + h.part_rows - 1) / h.part_rows;
    return h;
}

uint32_t solver_part_rows(const shape *h, uint32_t part) {
    return min_u32(h->rows - part * h->part_rows, h->part_rows);
}

void solver_clear(solver *s, const device_buffer *buffer) {
    device_call(s->device, solver_program(s, 1), "clear");
    device_give_buffer(s->device, buffer);
    device_give_ulong(s->device, buffer->bytes / 4);
    device_expect(s->device, buffer->bytes);
    device_run(s->device, min_u64(buffer->bytes / 4 / DEVICE_GROUP + 1, 65536));
}

void solver_make_plane(solver *s, plane *p, const shape *h, bool bytes) {
    for (uint32_t part = 0; part < h->parts; part++) {
        uint64_t row = bytes ? h->columns : (uint64_t)h->words * 4;
        p->parts[part] = device_new(s->device, solver_part_rows(h, part) * row);
        solver_clear(s, &p->parts[part]);
    }
}

void solver_free_plane(solver *s, plane *p) {
    for (int part = 0; part < SOLVER_PARTS; part++)
        device_free(s->device, &p->parts[part]);
}

void solver_give_plane(solver *s, const plane *p) {
    for (int part = 0; part < (s->split ? SOLVER_PARTS : 1); part++)
        device_give_buffer(s->device, &p->parts[p->parts[part].memory ? part : 0]);
}

turn *solver_other(solver *s, const turn *t) {
    return &s->turns[s->turn_count == 1 || t == &s->turns[1] ? 0 : 1];
}

void solver_free_turns(solver *s) {
    for (int i = 0; i < 2; i++) {
        turn *t = &s->turns[i];
        plane *const planes[] = {&t->open, &t->losable, &t->found, &t->distances, &t->won};
        for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
            solver_free_plane(s, planes[k]);
    }
    solver_free_plane(s, &s->just_lost);
    s->turn_count = 0;
}

void solver_give_sets(solver *s, const shape *h) {
    device_give_buffer(s->device, &s->board);
    device_give_buffer(s->device, &s->sides[h->row_pieces].members);
    device_give_buffer(s->device, solver_columns(s, h->column_pieces, h->row_pieces));
}

static uint64_t behind_bytes(int movers, int others) {
    return others == 1 ? 0 : tb_split_of(others - 1, movers).size / TB_VALUES_PER_BYTE + 1;
}

uint64_t solver_parts(const solver *s, int a, int b, bool distances) {
    uint64_t largest = device_about(s->device)->largest;
    uint64_t parts = max_u64(solver_shape(a, b, distances, largest).parts,
                             solver_shape(b, a, distances, largest).parts);
    uint64_t behind = max_u64(behind_bytes(a, b), behind_bytes(b, a));
    return max_u64(parts, (behind + largest - 1) / largest);
}

void solver_upload_smaller(solver *s, const turn *t, smaller_table *smaller) {
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

void solver_close(solver *s) {
    if (!s)
        return;
    if (s->device) {
        solver_free_turns(s);
        solver_free_sides(s, 0);
        device_free(s->device, &s->board);
        device_free(s->device, &s->counts);
        device_close(s->device);
    }
    free(s);
}

tb_placement solver_placement(solver *s, const turn *t, uint32_t row, uint32_t column) {
    tb_placement p = {0, 0};
    device_read(s->device, &s->sides[t->others].members, (uint64_t)row * 8, &p.others, 8);
    p.movers = tb_spread(tb_unrank_set(column, t->movers), p.others);
    return p;
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
    shape shapes[2] = {solver_shape(b, a, distances, largest),
                       solver_shape(a, b, distances, largest)};
    uint64_t bytes = 2 * (uint64_t)SOLVER_BLOCK;
    // While captures are looked at there is no `just_lost`.
    bytes += max_u64(behind, max_u64(plane_bytes(&shapes[0]), plane_bytes(&shapes[1])));
    for (int k = 1; k <= a; k++)
        bytes += side_bytes(k);
    for (int i = 0; i < (a == b ? 1 : 2); i++) {
        bytes += 3 * plane_bytes(&shapes[i]) + plane_bytes(&shapes[1 - i]);
        bytes += distances ? (uint64_t)shapes[i].rows * shapes[i].columns : 0;
    }
    *need = bytes;
    if (bytes > memory)
        return fault_set(why,
                         "%dv%d takes %s of memory on %s; %s may be used; %sfewer pieces take less",
                         a, b, tb_amount_of(bytes).shown, info->name, tb_amount_of(memory).shown,
                         distances ? "--values-only or " : "");
    uint64_t one = max_u64((uint64_t)tb_choose[a][SK_POINTS] * 8,
                           5 * max_u64(tb_split_of(a, b).columns, tb_split_of(b, a).columns));
    if (solver_parts(s, a, b, distances) > SOLVER_PARTS || one > largest)
        return fault_set(why, "%dv%d would need allocations of more than %s on %s", a, b,
                         tb_amount_of(largest).shown, info->name);
    return true;
}

void solver_make_room(solver *s, int a, int b, bool distances) {
    uint64_t need, kept = 0, memory = device_about(s->device)->memory;
    fault ignored;
    for (int k = a + 1; k < TB_MAX_PIECES; k++)
        kept += s->sides[k].sets ? side_bytes(k) : 0;
    (void)!solver_fits(s, a, b, distances, memory, &need, &ignored);
    if (need + kept > memory / 10 * 9)
        solver_free_sides(s, a + 1);
}

uint64_t solver_transfers(int a, int b, bool distances) {
    uint64_t entries = tb_split_of(a, b).size * (a == b ? 1 : 2);
    return behind_bytes(a, b) + (a == b ? 0 : behind_bytes(b, a)) +
           (distances ? 2 * entries : entries / TB_VALUES_PER_BYTE);
}

// Cycles of a compute unit per position, measured.
static const double GPU_CYCLES = 75, CPU_CYCLES = 4000;

double solver_seconds(const solver *s, int a, int b) {
    const device_info *info = device_about(s->device);
    double entries = (double)tb_split_of(a, b).size * (a == b ? 1 : 2);
    double cycles = entries * (info->is_gpu ? GPU_CYCLES : CPU_CYCLES);
    return cycles / (max_u32(info->units, 1) * (double)max_u32(info->clock, 1000) * 1e6);
}
