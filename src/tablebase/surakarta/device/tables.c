// Tables in the order of the index, from the planes of a pair, and their check by samples.
#include "base/minmax.h"
#include "tablebase/surakarta/device/planes.h"
#include "tablebase/surakarta/reader.h"

#include <stdlib.h>

// --- the tables ---------------------------------------------------------------------------------

typedef struct {
    turn *turn;
    tb_split split;
    uint32_t rows; // of a block, a multiple of five so that a block of values begins with a byte
    device_buffer values, distances, packed;
} output;

static uint32_t chunks_of(const tb_split *split) {
    return (split->columns + SOLVER_CHUNK * 32 - 1) / (SOLVER_CHUNK * 32);
}

static output make_output(solver *s, int movers, bool packed) {
    turn *t = &s->turns[movers == s->plan.a ? 0 : 1];
    output o = {.turn = t, .split = tb_split_of(t->movers, t->others)};
    uint64_t most = min_u64(SOLVER_BLOCK, device_about(s->device)->largest);
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

// The values of settled positions, by their bit of `losable`.
static int settled_value(const solver *s, const turn *t, int bit) {
    bool attacks_only = s->weaker_forces && t->movers < t->others;
    bool defends_only = s->weaker_forces && t->movers > t->others;
    return bit ? (attacks_only ? TB_DRAW : TB_LOSS) : (defends_only ? TB_DRAW : TB_WIN);
}

// The arguments that `emit` and `load` begin with: where in the table, and where in the planes.
static void give_block(solver *s, const output *o, uint32_t row, uint32_t from, bool load) {
    device *d = s->device;
    const turn *t = o->turn;
    const tb_split *split = &o->split;
    const piece_sets *rows = &s->sides[t->others];
    device_call(d, solver_program(s, split->row_pieces), load ? "load" : "emit");
    device_give_buffer(d, &s->board);
    device_give_buffer(d, &s->sides[split->row_pieces].members);
    device_give_buffer(d, solver_columns(s, split->column_pieces, split->row_pieces));
    device_give_uint(d, row);
    device_give_uint(d, from);
    device_give_uint(d, chunks_of(split));
    device_give_uint(d, split->columns);
    device_give_int(d, !split->movers_are_rows);
    device_give_buffer(d, &rows->folded);
    device_give_buffer(d, &rows->members);
    if (load)
        device_give_buffer(d, &rows->stable);
    device_give_uint(d, t->here.words);
    device_give_uint(d, t->here.columns);
    device_give_uint(d, t->here.part_rows);
    if (!load)
        device_give_int(d, settled_value(s, t, 0));
    device_give_int(d, settled_value(s, t, 1));
    device_give_int(d, tb_waiting_value(s->plan.rules, t->movers, t->others));
}

// Copies values and distances of the rows from `row` on from the planes, or to them. Returns how
// many entries they are.
static uint64_t run_block(solver *s, const output *o, uint32_t row, bool load) {
    device *d = s->device;
    const turn *t = o->turn;
    const plane none = {{s->counts}};
    uint32_t count = min_u32(o->split.rows - row, o->rows), chunks = chunks_of(&o->split);
    uint32_t most = max_u32(SOLVER_LAUNCH / chunks, 1);
    bool distances = t->distances.parts[0].memory && o->distances.memory;
    for (uint32_t from = 0; from < count; from += most) {
        give_block(s, o, row, from, load);
        device_give_buffer(d, &o->values);
        device_give_int(d, distances);
        device_give_buffer(d, distances ? &o->distances : &s->counts);
        solver_give_plane(s, &t->open);
        solver_give_plane(s, &t->losable);
        solver_give_plane(s, distances ? &t->distances : &none);
        device_run(d, (uint64_t)min_u32(count - from, most) * chunks);
    }
    return (uint64_t)count * o->split.columns;
}

bool solver_emit(solver *s, int movers, const tb_sink *sink, fault *why) {
    output o = make_output(s, movers, false);
    int8_t *values = malloc((size_t)o.values.bytes);
    uint8_t *distances = malloc((size_t)o.values.bytes);
    bool fine = (values && distances) || fault_set(why, "not enough memory");
    for (uint32_t row = 0; fine && row < o.split.rows; row += o.rows) {
        uint64_t count = run_block(s, &o, row, false);
        device_read(s->device, &o.values, 0, values, count);
        device_read(s->device, &o.distances, 0, distances, count);
        fine = !solver_failed(s, why) && sink->write(sink->context, values, distances, count);
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
        uint64_t count = run_block(s, &o, row, false), bytes = (count + 4) / TB_VALUES_PER_BYTE;
        device_call(d, solver_program(s, o.split.row_pieces), "pack");
        device_give_buffer(d, &o.values);
        device_give_ulong(d, count);
        device_give_buffer(d, &o.packed);
        device_run(d, (bytes + DEVICE_GROUP - 1) / DEVICE_GROUP);
        device_read(d, &o.packed, 0, packed, bytes);
        packed += bytes;
    }
    free_output(s, &o);
    return !solver_failed(s, why);
}

bool solver_load(solver *s, int movers, const solver_source *source, fault *why) {
    output o = make_output(s, movers, false);
    int8_t *values = malloc((size_t)o.values.bytes);
    uint8_t *distances = malloc((size_t)o.values.bytes);
    bool fine = (values && distances) || fault_set(why, "not enough memory");
    for (uint32_t row = 0; fine && row < o.split.rows; row += o.rows) {
        uint64_t first = (uint64_t)row * o.split.columns;
        uint64_t count = (uint64_t)min_u32(o.split.rows - row, o.rows) * o.split.columns;
        fine = source->read(source->context, first, count, values, distances, why);
        if (!fine)
            break;
        device_write(s->device, &o.values, 0, values, count);
        device_write(s->device, &o.distances, 0, distances, count);
        run_block(s, &o, row, true);
        device_wait(s->device);
        fine = !solver_failed(s, why);
    }
    free(values);
    free(distances);
    free_output(s, &o);
    return fine;
}

// --- one position -------------------------------------------------------------------------------

bool solver_look_up(solver *s, tb_placement p, int *value, int *distance, fault *why) {
    device *d = s->device;
    const turn *t = &s->turns[bits_count(p.movers) == s->plan.a ? 0 : 1];
    const shape *h = &t->here;
    uint32_t fold = 0, open = 0, losable = 0;
    device_read(d, &s->sides[t->others].folded, (uint64_t)tb_rank_set(p.others) * 4, &fold, 4);
    uint32_t row = fold / TB_SYMMETRIES, part = row / h->part_rows;
    p = tb_turn_placement((int)(fold % TB_SYMMETRIES), p);
    uint32_t column = tb_rank_set(tb_squeeze(p.movers, p.others));
    uint64_t in_part = row - part * h->part_rows, word = in_part * h->words + column / 32;
    uint8_t way = 0;
    device_read(d, &t->open.parts[part], word * 4, &open, 4);
    device_read(d, &t->losable.parts[part], word * 4, &losable, 4);
    *distance = -1;
    if (t->distances.parts[part].memory) {
        device_read(d, &t->distances.parts[part], in_part * h->columns + column, &way, 1);
        *distance = way;
    }
    *value = open >> column % 32 & 1 ? tb_waiting_value(s->plan.rules, t->movers, t->others)
                                     : settled_value(s, t, losable >> column % 32 & 1);
    return !solver_failed(s, why);
}

// --- checking -----------------------------------------------------------------------------------

static void give_check(solver *s, turn *t, const smaller_table *smaller, uint64_t seed,
                       uint64_t from, uint32_t each, const device_buffer *wrong) {
    device *d = s->device;
    const turn *next = solver_other(s, t);
    const tb_split *split = &smaller->split;
    const piece_sets *rows = &s->sides[t->others == 1 ? 1 : split->row_pieces];
    const plane none = {{s->counts}};
    bool distances = t->distances.parts[0].memory != NULL;
    solver_give_sets(s, &t->here);
    device_give_uint(d, t->here.rows);
    device_give_uint(d, t->here.words);
    device_give_uint(d, t->here.columns);
    device_give_uint(d, t->here.part_rows);
    device_give_ulong(d, seed);
    device_give_ulong(d, from);
    device_give_uint(d, each);
    device_give_int(d, settled_value(s, t, 0));
    device_give_int(d, settled_value(s, t, 1));
    device_give_int(d, tb_waiting_value(s->plan.rules, t->movers, t->others));
    device_give_int(d, settled_value(s, next, 0));
    device_give_int(d, settled_value(s, next, 1));
    device_give_uint(d, next->here.words);
    device_give_uint(d, next->here.columns);
    device_give_uint(d, next->here.part_rows);
    device_give_buffer(d, &s->sides[t->movers].folded);
    device_give_buffer(d, &s->sides[t->movers].members);
    device_give_int(d, t->others == 1);
    device_give_int(d, split->movers_are_rows);
    device_give_buffer(d, &rows->folded);
    device_give_buffer(d, &rows->members);
    device_give_uint(d, split->columns);
    device_give_ulong(d, smaller->part_bytes);
    device_give_int(d, distances);
    device_give_buffer(d, wrong);
    solver_give_plane(s, &t->open);
    solver_give_plane(s, &t->losable);
    solver_give_plane(s, distances ? &t->distances : &none);
    solver_give_plane(s, &next->open);
    solver_give_plane(s, &next->losable);
    solver_give_plane(s, distances ? &next->distances : &none);
    solver_give_plane(s, &smaller->values);
}

bool solver_check(solver *s, int movers, uint64_t samples, uint64_t seed, uint64_t *wrong,
                  tb_placement *first, fault *why) {
    enum { EACH = 32, GROUPS = 8192 };
    turn *t = &s->turns[movers == s->plan.a ? 0 : 1];
    smaller_table smaller;
    uint32_t found[3] = {0};
    device_buffer counter = device_new(s->device, sizeof found);
    solver_upload_smaller(s, t, &smaller);
    solver_clear(s, &counter);
    uint64_t all = (uint64_t)t->here.rows * t->here.columns;
    bool some = samples > 0 && samples < tb_split_of(movers, t->others).size;
    uint64_t groups = (some ? samples : all) / (DEVICE_GROUP * EACH) + 1;
    for (uint64_t done = 0; done < groups; done += GROUPS) {
        uint64_t from = done * DEVICE_GROUP * EACH;
        device_call(s->device, solver_program(s, t->here.row_pieces), "check_entries");
        give_check(s, t, &smaller, seed + from, some ? UINT64_MAX : from, EACH, &counter);
        device_run(s->device, min_u64(groups - done, GROUPS));
    }
    device_read(s->device, &counter, 0, found, sizeof found);
    solver_free_plane(s, &smaller.values);
    device_free(s->device, &counter);
    *wrong = found[0];
    *first = (tb_placement){0, 0};
    if (found[0])
        *first = solver_placement(s, t, found[1], found[2]);
    return !solver_failed(s, why);
}
