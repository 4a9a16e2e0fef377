#include "tablebase/build_kernel.h"

#include <assert.h>
#include <string.h>

// A row's words within a strip are 1, 2 or 8: loops over them are written out by the compiler, who
// makes one or a few wide instructions of them, where the number is a constant.

ALWAYS_INLINE uint64_t pack_bits(uint64_t bits, uint64_t mask) {
#ifdef __BMI2__
    return _pext_u64(bits, mask);
#else
    uint64_t packed = 0;
    for (int i = 0; mask; i++)
        packed |= (bits >> bits_pop(&mask) & 1) << i;
    return packed;
#endif
}

ALWAYS_INLINE uint64_t unpack_bits(uint64_t bits, uint64_t mask) {
#ifdef __BMI2__
    return _pdep_u64(bits, mask);
#else
    uint64_t unpacked = 0;
    for (; mask; bits >>= 1)
        unpacked |= (bits & 1) << bits_pop(&mask);
    return unpacked;
#endif
}

// Bit k of word i becomes bit i of word k.
static void transpose(uint64_t m[64]) {
    uint64_t mask = 0x00000000ffffffff;
    for (int j = 32; j; j >>= 1, mask ^= mask << j)
        for (int k = 0; k < 64; k = ((k | j) + 1) & ~j) {
            uint64_t t = (m[k] >> j ^ m[k | j]) & mask;
            m[k] ^= t << j;
            m[k | j] ^= t;
        }
}

// --- steps --------------------------------------------------------------------------------------

ALWAYS_INLINE void add_to_marks(const tb_marks *marks, uint32_t strip, uint32_t row,
                                const uint64_t *found, const int words) {
    for (int k = 0; k < marks->count; k++) {
        uint64_t *mark = tb_plane_at(marks->planes[k], strip, row);
        for (int i = 0; i < words; i++)
            mark[i] |= found[i];
    }
}

ALWAYS_INLINE bool any_bit(const uint64_t *bits, const int words) {
    uint64_t any = 0;
    for (int i = 0; i < words; i++)
        any |= bits[i];
    return any != 0;
}

// One row: wins through steps to positions lost for the other side, losses where no step leads to
// one that the other side is not known to win.
ALWAYS_INLINE void step_row(tb_step_job *job, const uint64_t *lost_rows, const uint64_t *unwon_rows,
                            const tb_member *m, uint32_t strip, uint32_t row, const int words) {
    uint64_t *open = tb_plane_at(job->open, strip, row);
    uint64_t *losable = tb_plane_at(job->losable, strip, row);
    uint64_t won[TB_STRIP_WORDS], lost[TB_STRIP_WORDS];
    const uint64_t *seed = job->seed ? tb_plane_at(job->seed, strip, row) : NULL;
    for (int i = 0; i < words; i++) {
        won[i] = seed ? seed[i] : 0;
        lost[i] = unwon_rows ? losable[i] : 0;
    }
    bool look_for_wins = lost_rows && any_bit(open, words);
    bool look_for_losses = any_bit(lost, words);
    if (look_for_wins || look_for_losses) {
        for (int p = 0; p < job->movers->pieces; p++) {
            uint64_t to = sk_neighbours[m->points[p]] & ~m->set;
            while (to) {
                size_t other = (size_t)tb_member_moved(m, job->movers->pieces, p, bits_pop(&to)) *
                               (size_t)words;
                if (look_for_wins)
                    for (int i = 0; i < words; i++)
                        won[i] |= lost_rows[other + (size_t)i];
                if (look_for_losses)
                    for (int i = 0; i < words; i++)
                        lost[i] &= ~unwon_rows[other + (size_t)i];
            }
            look_for_losses = look_for_losses && any_bit(lost, words);
            if (!look_for_wins && !look_for_losses)
                break;
        }
    }
    for (int i = 0; i < words; i++) {
        won[i] &= open[i];
        open[i] &= ~(won[i] | lost[i]);
        losable[i] &= ~(won[i] | lost[i]);
    }
    memcpy(tb_plane_at(job->won, strip, row), won, (size_t)words * 8);
    memcpy(tb_plane_at(job->lost, strip, row), lost, (size_t)words * 8);
    if (any_bit(won, words)) {
        add_to_marks(&job->win_marks, strip, row, won, words);
        atomic_store_explicit(&job->any_won, true, memory_order_relaxed);
    }
    if (any_bit(lost, words)) {
        add_to_marks(&job->loss_marks, strip, row, lost, words);
        atomic_store_explicit(&job->any_lost, true, memory_order_relaxed);
    }
}

ALWAYS_INLINE void step_rows(tb_step_job *job, uint32_t strip, uint32_t first, uint32_t end,
                             const int words) {
    const uint64_t *lost_rows = job->new_lost ? tb_plane_at(job->new_lost, strip, 0) : NULL;
    const uint64_t *unwon_rows = job->unwon ? tb_plane_at(job->unwon, strip, 0) : NULL;
    uint64_t set = tb_unrank_set(first, job->movers->pieces);
    tb_member m;
    for (uint32_t row = first; row < end; row++, set = tb_next_set(set)) {
        tb_member_set(&m, set, job->movers->pieces);
        step_row(job, lost_rows, unwon_rows, &m, strip, row, words);
    }
}

static void step(tb_step_job *job, uint32_t part) {
    uint32_t strips = job->open->strips, rows = job->open->rows;
    uint32_t strip = part % strips, first = part / strips * job->chunk;
    uint32_t end = rows - first < job->chunk ? rows : first + job->chunk;
    if (job->open->words == 1)
        step_rows(job, strip, first, end, 1);
    else if (job->open->words == 2)
        step_rows(job, strip, first, end, 2);
    else
        step_rows(job, strip, first, end, TB_STRIP_WORDS);
}

// --- folding ------------------------------------------------------------------------------------

// 64 columns of a plane, or the rest of them, as rows of `length` words; returns the columns that
// have a bit.
static uint64_t transpose_columns(const tb_plane *plane, uint32_t word, uint64_t *turned,
                                  size_t length) {
    size_t lanes = plane->columns - word * 64 < 64 ? plane->columns - word * 64 : 64;
    uint64_t used = 0;
    for (size_t block = 0; block < length; block++) {
        uint64_t m[64], any = 0;
        uint32_t first = (uint32_t)block * 64;
        uint32_t rows = plane->rows - first < 64 ? plane->rows - first : 64;
        const uint64_t *from = tb_plane_word(plane, word, first);
        for (uint32_t i = 0; i < rows; i++)
            any |= m[i] = from[(size_t)i * plane->words];
        memset(m + rows, 0, (64 - rows) * sizeof *m);
        used |= any;
        if (any)
            transpose(m);
        for (size_t i = 0; i < lanes; i++)
            turned[i * length + block] = m[i];
    }
    return used;
}

// Images of one representative of the columns' side: where in the target its rows are.
typedef struct {
    uint32_t rank[TB_SYMMETRIES];
    int slot[TB_SYMMETRIES]; // the first symmetry with the same image
} images;

static images images_of(uint64_t set) {
    images im;
    for (int s = 0; s < TB_SYMMETRIES; s++) {
        im.rank[s] = tb_rank_set(tb_turn(s, set));
        im.slot[s] = 0;
        while (im.rank[im.slot[s]] != im.rank[s])
            im.slot[s]++;
    }
    return im;
}

static void scatter(const tb_rows *rows, const uint64_t *bits, const images *im, uint64_t *out,
                    size_t out_words) {
    for (size_t i = 0; i < tb_words_of(rows->sets); i++)
        for (uint64_t word = bits[i]; word;) {
            uint32_t folded = rows->folded[i * 64 + (size_t)bits_pop(&word)];
            uint32_t rep = folded & ((1u << TB_REP_BITS) - 1);
            uint64_t symmetries = folded >> TB_REP_BITS;
            do {
                size_t slot = (size_t)im->slot[bits_pop(&symmetries)];
                out[slot * out_words + rep / 64] |= (uint64_t)1 << rep % 64;
            } while (symmetries);
        }
}

static void put_row(const tb_fold_target *target, uint32_t row, const uint64_t *from) {
    const tb_plane *plane = target->plane;
    for (uint32_t strip = 0; strip < plane->strips; strip++) {
        uint64_t *to = tb_plane_at(plane, strip, row);
        for (uint32_t i = 0; i < plane->words; i++, from++) {
            if (target->way == TB_FOLD_STORE)
                to[i] = *from;
            else if (target->way == TB_FOLD_ADD)
                to[i] |= *from;
            else
                to[i] &= ~*from;
        }
    }
}

static void fold(const tb_fold_job *job, uint32_t part, uint64_t *scratch) {
    size_t length = tb_words_of(job->rows->sets);
    const tb_plane *to = job->targets[0].plane;
    size_t out_words = (size_t)to->strips * to->words;
    uint64_t *out = scratch + tb_lanes_of(job->columns) * length;
    uint64_t used = transpose_columns(job->source, part, scratch, length);
    for (uint32_t i = 0; i < 64 && part * 64 + i < job->columns->reps; i++) {
        images im = images_of(job->columns->members[part * 64 + i]);
        memset(out, 0, TB_SYMMETRIES * out_words * sizeof *out);
        if (used >> i & 1)
            scatter(job->rows, scratch + i * length, &im, out, out_words);
        for (int t = 0; t < job->count; t++)
            for (int s = 0; s < TB_SYMMETRIES; s++)
                if (im.slot[s] == s && (used >> i & 1 || job->targets[t].way == TB_FOLD_STORE))
                    put_row(&job->targets[t], im.rank[s], out + (size_t)s * out_words);
    }
}

// --- captures -----------------------------------------------------------------------------------

// For every point, which of the columns of a strip have it.
static void find_holders(const tb_rows *columns, const tb_plane *plane, uint32_t strip,
                         uint64_t holders[SK_POINTS][TB_STRIP_WORDS]) {
    memset(holders, 0, SK_POINTS * sizeof *holders);
    uint32_t width = plane->words * 64, first = strip * width;
    for (uint32_t i = 0; i < width && first + i < columns->reps; i++)
        for (uint64_t set = columns->members[first + i]; set;)
            holders[bits_pop(&set)][i / 64] |= (uint64_t)1 << i % 64;
}

// The columns there are in a strip.
static void find_columns(const tb_plane *plane, uint32_t strip, uint64_t all[TB_STRIP_WORDS]) {
    for (uint32_t i = 0; i < TB_STRIP_WORDS; i++) {
        uint32_t first = (strip * plane->words + i) * 64;
        bool there = i < plane->words && first < plane->columns;
        uint32_t left = there ? plane->columns - first : 0;
        all[i] = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
    }
}

typedef struct {
    uint64_t holders[SK_POINTS][TB_STRIP_WORDS];
    uint64_t all[SK_POINTS][TB_STRIP_WORDS]; // the first is in use
    uint64_t masks[SK_POINTS][TB_MAX_WAYS][TB_MAX_WAY][TB_STRIP_WORDS];
} capture_masks;

_Static_assert(sizeof(capture_masks) == TB_CAPTURE_SCRATCH * sizeof(uint64_t), "scratch");

static void fill_masks(capture_masks *c, const tb_rows *columns, const tb_plane *plane,
                       uint32_t strip) {
    find_holders(columns, plane, strip, c->holders);
    find_columns(plane, strip, c->all[0]);
    for (int from = 0; from < SK_POINTS; from++)
        for (int way = 0; way < tb_routes_of[from].ways; way++)
            for (int k = 0; k < tb_routes_of[from].count[way]; k++) {
                tb_route route = tb_routes_of[from].routes[way][k];
                uint64_t *mask = c->masks[from][way][k];
                memcpy(mask, c->holders[route.to], sizeof c->masks[from][way][k]);
                for (uint64_t crossed = route.crossed; crossed;) {
                    const uint64_t *hold = c->holders[bits_pop(&crossed)];
                    for (int i = 0; i < TB_STRIP_WORDS; i++)
                        mask[i] &= ~hold[i];
                }
            }
}

typedef struct {
    uint64_t lost[TB_STRIP_WORDS], drawn[TB_STRIP_WORDS], any[TB_STRIP_WORDS];
} prey;

ALWAYS_INLINE void capture_along(const tb_capture_job *job, const capture_masks *c,
                                 const tb_member *m, int p, int way, uint32_t strip, prey *found,
                                 const int words) {
    int pieces = job->movers->pieces, from = m->points[p];
    const tb_routes *routes = &tb_routes_of[from];
    uint64_t rest = m->set ^ sk_bit(from);
    for (int k = 0; k < routes->count[way]; k++) {
        const tb_route *route = &routes->routes[way][k];
        if (rest & (route->crossed | sk_bit(route->to)))
            return; // own pieces block what lies behind them as well
        const uint64_t *mask = c->masks[from][way][k];
        if (!any_bit(mask, words))
            continue;
        uint32_t row = tb_member_moved(m, pieces, p, route->to);
        const uint64_t *lost = tb_plane_at(job->then_lost, strip, row);
        const uint64_t *drawn = tb_plane_at(job->then_drawn, strip, row);
        for (int i = 0; i < words; i++) {
            found->any[i] |= mask[i];
            found->lost[i] |= lost[i] & mask[i];
            found->drawn[i] |= drawn[i] & mask[i];
        }
    }
}

// The columns whose points leave a step to the movers, as far as it can be said without looking at
// all of them.
ALWAYS_INLINE void find_steps(const capture_masks *c, const tb_member *m, int pieces, int others,
                              uint64_t *steps, const int words) {
    uint64_t to = 0;
    for (int p = 0; p < pieces; p++)
        to |= sk_neighbours[m->points[p]];
    to &= ~m->set;
    bool plenty = bits_count(to) > others; // more than could be blocked
    for (int i = 0; i < words; i++)
        steps[i] = plenty ? ~(uint64_t)0 : 0;
    while (!plenty && to) {
        const uint64_t *holders = c->holders[bits_pop(&to)];
        for (int i = 0; i < words; i++)
            steps[i] |= ~holders[i];
    }
}

ALWAYS_INLINE void store(const tb_plane *plane, uint32_t strip, uint32_t row, const uint64_t *bits,
                         const int words) {
    if (plane)
        memcpy(tb_plane_at(plane, strip, row), bits, (size_t)words * 8);
}

ALWAYS_INLINE void capture_row(const tb_capture_job *job, const capture_masks *c,
                               const tb_member *m, uint32_t strip, uint32_t row, const int words) {
    int pieces = job->movers->pieces;
    uint64_t open[TB_STRIP_WORDS], steps[TB_STRIP_WORDS], losable[TB_STRIP_WORDS],
        undrawn[TB_STRIP_WORDS];
    prey found = {0};
    for (int i = 0; i < words; i++)
        open[i] = c->all[0][i];
    for (int p = 0; p < pieces; p++) {
        for (int i = 0; i < words; i++)
            open[i] &= ~c->holders[m->points[p]][i];
        for (int way = 0; way < tb_routes_of[m->points[p]].ways; way++)
            capture_along(job, c, m, p, way, strip, &found, words);
    }
    find_steps(c, m, pieces, job->others->pieces, steps, words);
    for (int i = 0; i < words; i++) {
        found.lost[i] &= open[i];
        found.drawn[i] &= open[i];
        undrawn[i] = open[i] & ~found.lost[i] & (steps[i] | found.any[i]);
        losable[i] = undrawn[i] & ~found.drawn[i];
    }
    store(job->open, strip, row, open, words);
    store(job->wins, strip, row, found.lost, words);
    store(job->losable, strip, row, losable, words);
    store(job->draws, strip, row, found.drawn, words);
    store(job->undrawn, strip, row, undrawn, words);
}

ALWAYS_INLINE void capture_rows(const tb_capture_job *job, const capture_masks *c, uint32_t strip,
                                const int words) {
    uint64_t set = tb_unrank_set(0, job->movers->pieces);
    tb_member m;
    for (uint32_t row = 0; row < job->movers->sets; row++, set = tb_next_set(set)) {
        tb_member_set(&m, set, job->movers->pieces);
        capture_row(job, c, &m, strip, row, words);
    }
}

static void capture(const tb_capture_job *job, uint32_t strip, uint64_t *scratch) {
    capture_masks *c = (capture_masks *)scratch;
    fill_masks(c, job->others, job->open, strip);
    if (job->open->words == 1)
        capture_rows(job, c, strip, 1);
    else if (job->open->words == 2)
        capture_rows(job, c, strip, 2);
    else
        capture_rows(job, c, strip, TB_STRIP_WORDS);
}

// A column has at most one point of the row's set in this plane, for the smaller table has nothing
// where they have one in common.
static void grow(const tb_grow_job *job, uint32_t strip) {
    uint64_t holders[SK_POINTS][TB_STRIP_WORDS];
    int pieces = job->others->pieces;
    uint32_t words = job->grown->words;
    find_holders(job->movers, job->grown, strip, holders);
    uint64_t set = tb_unrank_set(0, pieces);
    tb_member m;
    for (uint32_t row = 0; row < job->others->sets; row++, set = tb_next_set(set)) {
        uint64_t *out = tb_plane_at(job->grown, strip, row);
        tb_member_set(&m, set, pieces);
        for (uint32_t i = 0; i < words; i++)
            out[i] = 0;
        for (int p = 0; p < pieces; p++) {
            const uint64_t *without =
                tb_plane_at(job->smaller, strip, tb_member_without(&m, pieces, p));
            for (uint32_t i = 0; i < words; i++)
                out[i] |= without[i] & holders[m.points[p]][i];
        }
    }
}

static void disjoint(const tb_disjoint_job *job, uint32_t strip) {
    uint64_t holders[SK_POINTS][TB_STRIP_WORDS], all[TB_STRIP_WORDS];
    find_holders(job->columns, job->plane, strip, holders);
    find_columns(job->plane, strip, all);
    uint64_t set = tb_unrank_set(0, job->rows->pieces);
    for (uint32_t row = 0; row < job->rows->sets; row++, set = tb_next_set(set)) {
        uint64_t *out = tb_plane_at(job->plane, strip, row);
        for (uint32_t i = 0; i < job->plane->words; i++)
            out[i] = all[i];
        for (uint64_t points = set; points;) {
            const uint64_t *hold = holders[bits_pop(&points)];
            for (uint32_t i = 0; i < job->plane->words; i++)
                out[i] &= ~hold[i];
        }
    }
}

// --- tables in the order of the index -----------------------------------------------------------

// The columns of a table's row among all sets.
static void find_row_columns(const uint64_t *avoid, uint64_t row_set, size_t length,
                             uint64_t *there) {
    const uint64_t *first = avoid + (size_t)bits_pop(&row_set) * length;
    memcpy(there, first, length * sizeof *there);
    while (row_set) {
        const uint64_t *more = avoid + (size_t)bits_pop(&row_set) * length;
        for (size_t i = 0; i < length; i++)
            there[i] &= more[i];
    }
}

// Eight bits as the lowest bits of eight bytes.
ALWAYS_INLINE uint64_t bits_to_bytes(uint64_t bits) {
    uint64_t spread = (bits & 255) * 0x0101010101010101 & 0x8040201008040201;
    return (spread + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
}

// 64 entries from bits: first, and the digits of the distance.
ALWAYS_INLINE void emit_entries(const tb_emit_job *job, uint64_t first, const uint64_t *digits,
                                int count, int8_t *values, uint8_t *distances) {
    uint8_t if_first = (uint8_t)(job->first_value ^ job->waiting_value);
    uint8_t if_other = (uint8_t)(job->other_value ^ job->waiting_value);
    uint64_t waiting = (uint8_t)job->waiting_value * (uint64_t)0x0101010101010101, other = 0;
    for (int k = 0; k < job->digit_count; k++)
        other |= digits[k];
    other &= ~first;
    for (int at = 0; at < count; at += 8) {
        uint64_t distance = 0;
        for (int k = 0; k < job->digit_count; k++)
            distance |= bits_to_bytes(digits[k] >> at) << k;
        uint64_t value =
            waiting ^ bits_to_bytes(first >> at) * if_first ^ bits_to_bytes(other >> at) * if_other;
        memcpy(distances + at, &distance, 8);
        memcpy(values + at, &value, 8);
    }
}

static void emit(const tb_emit_job *job, uint32_t part, int8_t *values, uint8_t *distances,
                 uint64_t *scratch) {
    size_t length = tb_words_of(job->columns->sets), plane = tb_lanes_of(job->rows) * length;
    uint64_t *there = scratch + plane * (size_t)(1 + job->digit_count);
    transpose_columns(job->first, part, scratch, length);
    for (int k = 0; k < job->digit_count; k++)
        transpose_columns(job->digits[k], part, scratch + plane * (size_t)(1 + k), length);
    for (uint32_t i = 0; i < 64 && part * 64 + i < job->rows->reps; i++) {
        find_row_columns(job->avoid, job->rows->members[part * 64 + i], length, there);
        for (size_t w = 0; w < length; w++) {
            const uint64_t *bits = scratch + i * length + w;
            uint64_t digits[8];
            for (int k = 0; k < job->digit_count; k++)
                digits[k] = pack_bits(bits[plane * (size_t)(1 + k)], there[w]);
            int count = bits_count(there[w]);
            emit_entries(job, pack_bits(*bits, there[w]), digits, count, values, distances);
            values += count;
            distances += count;
        }
    }
}

// The lowest bits of eight bytes.
ALWAYS_INLINE uint64_t bytes_to_bits(uint64_t bytes) {
    return (bytes & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

static void load(const tb_load_job *job, uint32_t part, const int8_t *values, uint64_t *scratch) {
    size_t length = tb_words_of(job->columns->sets), lanes = tb_lanes_of(job->rows);
    uint64_t *planes[2] = {scratch, scratch + lanes * length};
    memset(scratch, 0, 2 * lanes * length * sizeof *scratch);
    for (uint32_t i = 0; i < 64 && part * 64 + i < job->rows->reps; i++) {
        uint64_t *there = planes[0] + i * length;
        find_row_columns(job->avoid, job->rows->members[part * 64 + i], length, there);
        for (size_t w = 0; w < length; w++) {
            uint64_t mask = there[w], lost = 0, drawn = 0;
            int count = bits_count(mask);
            for (int at = 0; at < count; at += 8) {
                uint64_t eight;
                memcpy(&eight, values + at, 8);
                lost |= bytes_to_bits(eight >> 1) << at; // -1 alone has a second bit
                drawn |= bytes_to_bits(~eight) << at;
            }
            values += count;
            planes[0][i * length + w] = unpack_bits(lost, mask);
            planes[1][i * length + w] = unpack_bits(drawn, mask);
        }
    }
    for (int k = 0; k < 2; k++) {
        const tb_plane *plane = k ? job->drawn : job->lost;
        for (size_t block = 0; block < length; block++) {
            uint64_t m[64] = {0};
            for (size_t i = 0; i < lanes; i++)
                m[i] = planes[k][i * length + block];
            transpose(m);
            uint32_t first = (uint32_t)block * 64;
            for (uint32_t i = 0; i < 64 && first + i < plane->rows; i++)
                *tb_plane_word(plane, part, first + i) = m[i];
        }
    }
}

const tb_kernels *ISA_NAME(tb_kernels)(void) {
    static const tb_kernels kernels = {.step = step,
                                       .fold = fold,
                                       .capture = capture,
                                       .grow = grow,
                                       .disjoint = disjoint,
                                       .emit = emit,
                                       .load = load};
    return &kernels;
}
