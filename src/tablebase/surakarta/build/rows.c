#include "tablebase/surakarta/build/rows.h"

#include "os/map.h"
#include "tablebase/surakarta/build/kernel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- sets ---------------------------------------------------------------------------------------

// Burnside: the mean, over the eight symmetries, of the sets each leaves as they are. Three of them
// swap points in 18 pairs, two turn nines of four, two mirror at a diagonal, with 6 points on it.
uint32_t tb_count_reps(int pieces) {
    uint32_t fixed = tb_choose[pieces][SK_POINTS];
    if (pieces % 2 == 0)
        fixed += 3 * tb_choose[pieces / 2][18];
    if (pieces % 4 == 0)
        fixed += 2 * tb_choose[pieces / 4][9];
    for (int pairs = 0; 2 * pairs <= pieces; pairs++)
        if (pieces - 2 * pairs <= 6)
            fixed += 2 * tb_choose[pairs][15] * tb_choose[pieces - 2 * pairs][6];
    return fixed / TB_SYMMETRIES;
}

// The representative is the smallest of its orbit, so it has its number when the others come.
static void fold_set(tb_rows *rows, uint32_t rank, uint64_t set) {
    tb_image image = tb_smallest_image(set);
    // Turning and mirroring undo themselves, but for the two quarter turns: each undoes the other.
    static const int inverse[TB_SYMMETRIES] = {0, 1, 2, 3, 4, 6, 5, 7};
    uint32_t symmetries = 0, rep = rows->reps;
    if (image.set == set)
        rows->members[rows->reps++] = set;
    else
        rep = rows->folded[tb_rank_set(image.set)] & ((1u << TB_REP_BITS) - 1);
    for (int s = 0; s < TB_SYMMETRIES; s++)
        if (tb_turn(s, set) == image.set) {
            symmetries |= 1u << s;
            rows->images[rep][inverse[s]] = rank;
        }
    rows->folded[rank] = rep | symmetries << TB_REP_BITS;
}

bool tb_rows_make(tb_rows *rows, int pieces) {
    uint32_t sets = tb_choose[pieces][SK_POINTS], reps = tb_count_reps(pieces);
    *rows = (tb_rows){.pieces = pieces,
                      .sets = sets,
                      .folded = malloc(sets * sizeof *rows->folded),
                      .members = malloc(reps * sizeof *rows->members),
                      .images = malloc(reps * sizeof *rows->images)};
    if (!rows->folded || !rows->members || !rows->images) {
        tb_rows_free(rows);
        return false;
    }
    uint64_t set = sk_bit(pieces) - 1;
    for (uint32_t rank = 0; rank < sets; rank++, set = tb_next_set(set))
        fold_set(rows, rank, set);
    assert(rows->reps == tb_count_reps(pieces));
    return true;
}

void tb_rows_free(tb_rows *rows) {
    free(rows->folded);
    free(rows->members);
    free(rows->images);
    *rows = (tb_rows){0};
}

// --- planes -------------------------------------------------------------------------------------

static tb_plane shape_of(uint32_t rows, uint32_t columns) {
    uint32_t all = (columns + 63) / 64, words = all <= 2 ? all : TB_STRIP_WORDS;
    uint32_t strips = (all + words - 1) / words;
    return (tb_plane){.rows = rows, .columns = columns, .words = words, .all = strips};
}

size_t tb_plane_words(const tb_plane *plane) {
    return (size_t)plane->strips * plane->rows * plane->words;
}

// Not zero where no strip is kept here.
static size_t bytes_of(const tb_plane *plane) {
    size_t words = tb_plane_words(plane);
    return (words ? words : 1) * sizeof *plane->bits;
}

size_t tb_plane_bytes(uint32_t rows, uint32_t columns, int count) {
    tb_plane plane = shape_of(rows, columns);
    plane.strips = (plane.all + (uint32_t)count - 1) / (uint32_t)count;
    return bytes_of(&plane);
}

static uint32_t share_begins(uint32_t all, int rank, int count) {
    return (uint32_t)((uint64_t)all * (uint64_t)rank / (uint64_t)count);
}

// Large pages, since rows are visited in no particular order.
bool tb_plane_make(tb_plane *plane, const tb_rows *rows, const tb_rows *columns, tb_share share) {
    *plane = shape_of(rows->sets, columns->reps);
    plane->first = share_begins(plane->all, share.rank, share.count);
    plane->strips = share_begins(plane->all, share.rank + 1, share.count) - plane->first;
    plane->bits = os_memory_new(bytes_of(plane));
    return plane->bits != NULL;
}

void tb_plane_clear(const tb_plane *plane) { memset(plane->bits, 0, bytes_of(plane)); }

void tb_plane_free(tb_plane *plane) {
    os_memory_free(plane->bits, bytes_of(plane));
    *plane = (tb_plane){0};
}

// --- routes -------------------------------------------------------------------------------------

tb_routes tb_routes_of[SK_POINTS];

// Station bits of a ring: six of every eight, the loops between one byte and the next.
static int next_station(int station, int direction) {
    int line = station / 8, place = station % 8 + direction;
    if (place < 0 || place > 5) {
        line = (line & 4) | ((line + direction) & 3);
        place = direction > 0 ? 0 : 5;
    }
    return line * 8 + place;
}

static void add_way(tb_routes *routes, int from, int station, int direction) {
    uint64_t crossed = 0;
    int way = routes->ways++, first_line = station / 8;
    bool over_loop = false;
    for (int i = 1; i < SK_STATIONS; i++) {
        station = next_station(station, direction);
        over_loop = over_loop || station / 8 != first_line;
        int point = sk_ring_point[station];
        if (point == from)
            continue; // the mover is no obstacle to itself
        // A point that was crossed before is either empty or ended the way there.
        if (over_loop && !(crossed & sk_bit(point)))
            routes->routes[way][routes->count[way]++] = (tb_route){(uint8_t)point, crossed};
        crossed |= sk_bit(point);
    }
}

AT_START static void fill_routes(void) {
    for (int from = 0; from < SK_POINTS; from++)
        for (uint64_t stations = sk_ring_bits[from]; stations;) {
            int station = bits_pop(&stations);
            add_way(&tb_routes_of[from], from, station, 1);
            add_way(&tb_routes_of[from], from, station, -1);
        }
}
