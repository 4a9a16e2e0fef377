#include "tablebase/surakarta/build/bits.h"
#include "tablebase/surakarta/build/kernel.h"

#include <string.h>

typedef uint64_t strip_bits[TB_STRIP_WORDS];

// For every point, which of the columns of a strip have it.
static void find_holders(const tb_rows *columns, const tb_plane *plane, uint32_t strip,
                         strip_bits holders[SK_POINTS]) {
    memset(holders, 0, SK_POINTS * sizeof *holders);
    uint32_t width = plane->words * 64, first = strip * width;
    for (uint32_t i = 0; i < width && first + i < columns->reps; i++)
        for (uint64_t set = columns->members[first + i]; set;)
            holders[bits_pop(&set)][i / 64] |= (uint64_t)1 << i % 64;
}

// The columns there are in a strip.
static void find_columns(const tb_plane *plane, uint32_t strip, strip_bits all) {
    for (uint32_t i = 0; i < TB_STRIP_WORDS; i++) {
        uint32_t first = (strip * plane->words + i) * 64;
        bool there = i < plane->words && first < plane->columns;
        uint32_t left = there ? plane->columns - first : 0;
        all[i] = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
    }
}

// --- masks --------------------------------------------------------------------------------------

// A route that some column of the strips allows.
typedef struct {
    uint64_t blockers; // own pieces there, the mover apart, and it is closed
    uint32_t to;
    uint32_t mask;
} open_route;

// One capture of a row: the row it leads to, and which columns allow it.
typedef struct {
    uint32_t row, mask;
} capture_list;

typedef struct {
    _Alignas(64) strip_bits holders[TB_CAPTURE_GROUP][SK_POINTS];
    strip_bits all[TB_CAPTURE_GROUP];
    strip_bits masks[TB_CAPTURE_GROUP][TB_MAX_ROUTES];
    open_route routes[TB_MAX_ROUTES];
    uint32_t begin[SK_POINTS + 1]; // of a point's routes
    capture_list captures[TB_MAX_PIECES * TB_MAX_WAYS * TB_MAX_WAY];
} capture_masks;

_Static_assert(sizeof(capture_masks) <= TB_CAPTURE_SCRATCH, "scratch");

// The columns that have the prey and nothing in the way.
static bool find_mask(const strip_bits holders[SK_POINTS], tb_route route, strip_bits mask) {
    memcpy(mask, holders[route.to], sizeof(strip_bits));
    while (route.crossed) {
        const uint64_t *hold = holders[bits_pop(&route.crossed)];
        for (int i = 0; i < TB_STRIP_WORDS; i++)
            mask[i] &= ~hold[i];
    }
    return tb_any(mask, TB_STRIP_WORDS);
}

static void find_masks(capture_masks *c, const tb_capture_job *job, tb_range strips) {
    for (uint32_t s = 0; s < strips.end - strips.first; s++) {
        find_holders(job->others, job->open, strips.first + s, c->holders[s]);
        find_columns(job->open, strips.first + s, c->all[s]);
    }
    uint32_t count = 0;
    for (int from = 0; from < SK_POINTS; from++) {
        c->begin[from] = count;
        for (int way = 0; way < tb_routes_of[from].ways; way++)
            for (int k = 0; k < tb_routes_of[from].count[way]; k++) {
                tb_route route = tb_routes_of[from].routes[way][k];
                bool any = false;
                for (uint32_t s = 0; s < strips.end - strips.first; s++)
                    any |= find_mask(c->holders[s], route, c->masks[s][count]);
                c->routes[count] = (open_route){route.crossed | sk_bit(route.to), route.to, count};
                count += any;
            }
    }
    c->begin[SK_POINTS] = count;
}

// --- rows ---------------------------------------------------------------------------------------

// A row's captures, as far as its own pieces leave the way free.
static int list_captures(capture_masks *c, const tb_member *m, int pieces) {
    int count = 0;
    for (int p = 0; p < pieces; p++) {
        int from = m->points[p];
        uint64_t rest = m->set ^ sk_bit(from);
        for (uint32_t r = c->begin[from]; r < c->begin[from + 1]; r++)
            if (!(rest & c->routes[r].blockers))
                c->captures[count++] = (capture_list){
                    tb_member_moved(m, pieces, p, (int)c->routes[r].to), c->routes[r].mask};
    }
    return count;
}

// The free points next to a row's pieces where they are so few that the other side could block them
// all; 0 where it cannot.
static uint64_t find_exits(uint64_t set, int others) {
    uint64_t to = 0;
    for (uint64_t points = set; points;)
        to |= sk_neighbours[bits_pop(&points)];
    to &= ~set;
    return bits_count(to) > others ? 0 : to;
}

// The columns under which the row's pieces can move at all, given that there are few exits.
ALWAYS_INLINE void find_movable(const capture_masks *c, uint32_t s, uint64_t exits, int count,
                                uint64_t *movable, const int words) {
    for (int i = 0; i < words; i++)
        movable[i] = 0;
    while (exits) {
        const uint64_t *holders = c->holders[s][bits_pop(&exits)];
        for (int i = 0; i < words; i++)
            movable[i] |= ~holders[i];
    }
    for (int k = 0; k < count; k++)
        for (int i = 0; i < words; i++)
            movable[i] |= c->masks[s][c->captures[k].mask][i];
}

ALWAYS_INLINE void add_wide(const capture_masks *c, uint32_t s, const uint64_t *plane, int count,
                            uint64_t *found) {
    tb_wide sum = {0};
    for (int k = 0; k < count; k++)
        sum |= *(const tb_wide *)(plane + (size_t)c->captures[k].row * TB_STRIP_WORDS) &
               *(const tb_wide *)c->masks[s][c->captures[k].mask];
    *(tb_wide *)found = sum;
}

ALWAYS_INLINE void add_narrow(const capture_masks *c, uint32_t s, const uint64_t *plane, int count,
                              uint64_t *found, const int words) {
    for (int i = 0; i < words; i++)
        found[i] = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < words; i++)
            found[i] |= plane[(size_t)c->captures[k].row * (size_t)words + (size_t)i] &
                        c->masks[s][c->captures[k].mask][i];
}

ALWAYS_INLINE void store(const tb_plane *plane, uint32_t strip, uint32_t row, const uint64_t *bits,
                         const int words) {
    if (plane)
        memcpy(tb_plane_at(plane, strip, row), bits, (size_t)words * sizeof *bits);
}

ALWAYS_INLINE void capture_row(const tb_capture_job *job, const capture_masks *c, uint64_t set,
                               int count, uint32_t strip, uint32_t s, uint32_t row,
                               const int words) {
    _Alignas(64) strip_bits open, won, drawn, movable, losable, undrawn;
    const uint64_t *lost_rows = tb_plane_at(job->then_lost, strip, 0);
    const uint64_t *drawn_rows = tb_plane_at(job->then_drawn, strip, 0);
    if (words == TB_STRIP_WORDS) {
        add_wide(c, s, lost_rows, count, won);
        add_wide(c, s, drawn_rows, count, drawn);
    } else {
        add_narrow(c, s, lost_rows, count, won, words);
        add_narrow(c, s, drawn_rows, count, drawn, words);
    }
    uint64_t exits = find_exits(set, job->others->pieces);
    if (exits)
        find_movable(c, s, exits, count, movable, words);
    else
        for (int i = 0; i < words; i++)
            movable[i] = ~(uint64_t)0;
    for (int i = 0; i < words; i++)
        open[i] = c->all[s][i];
    while (set) {
        const uint64_t *holders = c->holders[s][bits_pop(&set)];
        for (int i = 0; i < words; i++)
            open[i] &= ~holders[i];
    }
    for (int i = 0; i < words; i++) {
        won[i] &= open[i];
        drawn[i] &= open[i];
        undrawn[i] = open[i] & ~won[i] & movable[i];
        losable[i] = undrawn[i] & ~drawn[i];
    }
    store(job->open, strip, row, open, words);
    store(job->wins, strip, row, won, words);
    store(job->losable, strip, row, losable, words);
    store(job->draws, strip, row, drawn, words);
    store(job->undrawn, strip, row, undrawn, words);
}

void ISA_NAME(tb_capture)(const tb_capture_job *job, uint32_t part, void *scratch) {
    capture_masks *c = scratch;
    uint32_t groups = tb_parts_of(job->open->strips, TB_CAPTURE_GROUP);
    tb_range strips = tb_strips_of(job->open, part, TB_CAPTURE_GROUP);
    tb_range rows = tb_part_of(part / groups, job->open->rows, TB_CAPTURE_ROWS);
    find_masks(c, job, strips);
    uint64_t set = tb_unrank_set(rows.first, job->movers->pieces);
    for (uint32_t row = rows.first; row < rows.end; row++, set = tb_next_set(set)) {
        tb_member m;
        tb_member_set(&m, set, job->movers->pieces);
        int count = list_captures(c, &m, job->movers->pieces);
        for (uint32_t strip = strips.first; strip < strips.end; strip++) {
            uint32_t s = strip - strips.first;
            if (job->open->words == 1)
                capture_row(job, c, set, count, strip, s, row, 1);
            else if (job->open->words == 2)
                capture_row(job, c, set, count, strip, s, row, 2);
            else
                capture_row(job, c, set, count, strip, s, row, TB_STRIP_WORDS);
        }
    }
}

// --- what comes before --------------------------------------------------------------------------

// Two planes at once. A column has at most one point of the row's set in them, for the smaller
// table has nothing where they have one in common.
void ISA_NAME(tb_grow)(const tb_grow_job *job, uint32_t part) {
    uint32_t strip = job->grown[0]->first + part % job->grown[0]->strips;
    tb_range rows = tb_part_of(part / job->grown[0]->strips, job->others->sets, TB_PLAIN_ROWS);
    strip_bits holders[SK_POINTS];
    int pieces = job->others->pieces;
    uint32_t words = job->grown[0]->words;
    find_holders(job->movers, job->grown[0], strip, holders);
    uint64_t set = tb_unrank_set(rows.first, pieces);
    tb_member m;
    for (uint32_t row = rows.first; row < rows.end; row++, set = tb_next_set(set)) {
        uint64_t *out[2] = {tb_plane_at(job->grown[0], strip, row),
                            tb_plane_at(job->grown[1], strip, row)};
        tb_member_set(&m, set, pieces);
        for (int p = 0; p < pieces; p++) {
            uint32_t without = tb_member_without(&m, pieces, p);
            const uint64_t *hold = holders[m.points[p]];
            for (int k = 0; k < 2; k++) {
                const uint64_t *from = tb_plane_at(job->smaller[k], strip, without);
                for (uint32_t i = 0; i < words; i++)
                    out[k][i] |= from[i] & hold[i];
            }
        }
    }
}

void ISA_NAME(tb_disjoint)(const tb_disjoint_job *job, uint32_t part) {
    uint32_t strip = job->plane->first + part % job->plane->strips;
    tb_range rows = tb_part_of(part / job->plane->strips, job->rows->sets, TB_PLAIN_ROWS);
    strip_bits holders[SK_POINTS], all;
    find_holders(job->columns, job->plane, strip, holders);
    find_columns(job->plane, strip, all);
    uint64_t set = tb_unrank_set(rows.first, job->rows->pieces);
    for (uint32_t row = rows.first; row < rows.end; row++, set = tb_next_set(set)) {
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
