#include "tablebase/surakarta/probe.h"

#include "base/minmax.h"
#include "os/map.h"
#include "os/thread.h"
#include "tablebase/surakarta/index.h"
#include "tablebase/surakarta/reader.h"

#include <errno.h>
#include <stdlib.h>

enum {
    MOST = TB_MAX_PIECES,
    SLOTS = 64, // unpacked blocks kept: 4 MB
};

// One split. Read by all threads once opened.
typedef struct {
    const uint8_t *packed; // values in place; NULL: none
    bool is_there;
    tb_split split;
    tb_reader values, distances; // values: a value file, or a compressed one
    uint8_t *loaded;             // the copy of the values, where there is one
    size_t loaded_bytes;
} open_table;

// Blocks of distances or values unpacked last; the mutex guards all of it.
typedef struct {
    os_mutex mutex;
    const tb_reader *whose[SLOTS];
    uint64_t block[SLOTS];
    uint8_t (*bytes)[TB_BLOCK_BYTES];
} cache;

struct kraton_tb {
    tb_lookup *look_up;
    open_table tables[MOST][MOST]; // [movers][others]
    int pieces, longest;
    cache *unpacked; // written by lookups
    kraton_tb_listener *listener;
    void *context;
};

_Static_assert(KRATON_TB_TRADITIONAL == (int)TB_TRADITIONAL && KRATON_TB_COUNT == (int)TB_COUNT,
               "conventions");
_Static_assert(KRATON_TB_LOSS == (int)TB_LOSS && KRATON_TB_WIN == (int)TB_WIN, "values");

// --- opening ------------------------------------------------------------------------------------

static void report(const kraton_tb *t, const fault *why) {
    if (t->listener)
        t->listener(t->context, why->line);
}

// Copies the values to memory in large pages, uncompressed: with small pages each random access
// also costs a walk through the page tables. False when there is no memory.
static bool load_values(open_table *table) {
    uint64_t entries = table->values.header.entries;
    size_t bytes = (size_t)((entries + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE);
    uint8_t *copy = os_memory_new(bytes);
    bool fine = copy != NULL;
    if (fine && table->packed)
        memcpy(copy, table->packed, bytes);
    fault ignored;
    for (uint64_t block = 0; fine && !table->packed && block < table->values.header.blocks; block++)
        fine = tb_reader_unpack(&table->values, block, copy + block * TB_PACKED_BYTES, &ignored);
    if (!fine) {
        os_memory_free(copy, bytes);
        return false;
    }
    table->packed = table->loaded = copy;
    table->loaded_bytes = bytes;
    tb_reader_close(&table->values);
    return true;
}

static void open_values(kraton_tb *t, const char *folder, tb_rules rules, int a, int b,
                        unsigned how) {
    open_table *table = &t->tables[a][b];
    fault why;
    tb_file_state state = tb_reader_open(&table->values, folder, TB_VALUES, rules, a, b, &why);
    if (state == TB_FILE_ABSENT)
        state = tb_reader_open(&table->values, folder, TB_PACKED, rules, a, b, &why);
    if (state == TB_FILE_FINE && !(how & KRATON_TB_TRUST) &&
        !tb_reader_check(&table->values, &why)) {
        tb_reader_close(&table->values);
        state = TB_FILE_BAD;
    }
    if (state == TB_FILE_BAD)
        report(t, &why);
    if (state != TB_FILE_FINE)
        return;
    table->split = tb_split_of(a, b);
    table->is_there = true;
    if (table->values.header.kind == TB_VALUES)
        table->packed = table->values.bytes + TB_HEADER_BYTES;
    if (how & KRATON_TB_LOAD && !load_values(table)) {
        fault_set(&why, "%s: not enough memory to load it; read from the file", table->values.name);
        report(t, &why);
    }
    t->pieces = max_int(t->pieces, a + b);
    t->longest = max_int(t->longest, table->values.header.longest);
    if (tb_reader_open(&table->distances, folder, TB_DISTANCES, rules, a, b, &why) == TB_FILE_BAD)
        report(t, &why);
}

// The most pieces of any file of this convention, so that no more of the index is made than needed.
static int find_most_pieces(const kraton_tb *t, const char *folder, tb_rules rules) {
    int most;
    if (tb_file_most_pieces(folder, rules, &most))
        return most;
    fault why;
    fault_set(&why, "%s: %s", folder, strerror(errno));
    report(t, &why);
    return 0;
}

// The index's tables are written once, whichever thread opens first.
static void prepare_index(int pieces) {
    static os_mutex mutex = OS_MUTEX_INIT; // guards writing them
    os_mutex_lock(&mutex);
    tb_index_prepare(pieces);
    os_mutex_unlock(&mutex);
}

kraton_tb *kraton_tb_open(const char *folder, int rules, unsigned how, kraton_tb_listener *listener,
                          void *context) {
    kraton_tb *t = rules == TB_TRADITIONAL || rules == TB_COUNT ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return NULL;
    *t = (kraton_tb){.look_up = tb_lookup_best(), .listener = listener, .context = context};
    t->unpacked = calloc(1, sizeof *t->unpacked);
    if (!t->unpacked) {
        free(t);
        return NULL;
    }
    os_mutex_init(&t->unpacked->mutex);
    int most = find_most_pieces(t, folder, (tb_rules)rules);
    if (most > 0)
        prepare_index(most);
    for (int n = 2; n <= most; n++)
        for (int a = 1; a < n; a++)
            open_values(t, folder, (tb_rules)rules, a, n - a, how);
    t->unpacked->bytes = malloc(SLOTS * sizeof *t->unpacked->bytes);
    if (t->pieces > 0 && t->unpacked->bytes)
        return t;
    kraton_tb_close(t);
    return NULL;
}

void kraton_tb_close(kraton_tb *t) {
    if (!t)
        return;
    for (int a = 1; a < MOST; a++)
        for (int b = 1; a + b <= MOST; b++) {
            tb_reader_close(&t->tables[a][b].values);
            tb_reader_close(&t->tables[a][b].distances);
            os_memory_free(t->tables[a][b].loaded, t->tables[a][b].loaded_bytes);
        }
    free(t->unpacked->bytes);
    os_mutex_destroy(&t->unpacked->mutex);
    free(t->unpacked);
    free(t);
}

int kraton_tb_pieces(const kraton_tb *t) { return t->pieces; }

int kraton_tb_longest(const kraton_tb *t) { return t->longest; }

// --- looking up ---------------------------------------------------------------------------------

// The table of a position and its index there; NULL where there is none.
ALWAYS_INLINE const open_table *find_table(const kraton_tb *t, uint64_t movers, uint64_t others) {
    int a = bits_count(movers), b = bits_count(others);
    if (a == 0 || b == 0 || a + b > t->pieces || ((movers | others) & ~SK_BOARD) ||
        (movers & others))
        return NULL;
    const open_table *table = &t->tables[a][b];
    return table->is_there ? table : NULL;
}

// A block of distances or compressed values; NULL where it is damaged. Called under the mutex.
static const uint8_t *unpack(const kraton_tb *t, const tb_reader *reader, uint64_t block) {
    cache *c = t->unpacked;
    size_t slot = ((size_t)reader / sizeof *reader * 7 + block) % SLOTS;
    if (c->whose[slot] == reader && c->block[slot] == block)
        return c->bytes[slot];
    fault why;
    c->whose[slot] = NULL;
    bool fine = reader->header.kind == TB_PACKED
                    ? tb_reader_unpack(reader, block, c->bytes[slot], &why)
                    : tb_reader_distances(reader, block, c->bytes[slot], &why);
    if (!fine) {
        report(t, &why);
        return NULL;
    }
    c->whose[slot] = reader;
    c->block[slot] = block;
    return c->bytes[slot];
}

// A byte for games that are over: its lowest digits are loss, draw, win.
static const uint8_t over[1] = {0 + 3 * 1 + 9 * 2};

// A compressed value is looked up at once.
static kraton_tb_spot find_compressed(const kraton_tb *t, const open_table *table, uint64_t index) {
    kraton_tb_spot spot = {NULL, 0};
    uint64_t byte = index / TB_VALUES_PER_BYTE;
    os_mutex_lock(&t->unpacked->mutex);
    const uint8_t *bytes = unpack(t, &table->values, byte / TB_PACKED_BYTES);
    if (bytes) {
        int value =
            tb_value_in(bytes[byte % TB_PACKED_BYTES], (unsigned)(index % TB_VALUES_PER_BYTE));
        spot = (kraton_tb_spot){over, (unsigned)(value - TB_LOSS)};
    }
    os_mutex_unlock(&t->unpacked->mutex);
    return spot;
}

kraton_tb_spot kraton_tb_find(const kraton_tb *t, uint64_t movers, uint64_t others) {
    const open_table *table = find_table(t, movers, others);
    if (table) {
        uint64_t index = t->look_up(&table->split, (tb_placement){movers, others});
        if (!table->packed)
            return find_compressed(t, table, index);
        kraton_tb_spot spot = {table->packed + index / TB_VALUES_PER_BYTE,
                               (unsigned)(index % TB_VALUES_PER_BYTE)};
        __builtin_prefetch(spot.byte);
        return spot;
    }
    if ((movers == 0) != (others == 0) && !((movers | others) & ~SK_BOARD))
        return (kraton_tb_spot){over, movers ? 2 : 0};
    return (kraton_tb_spot){NULL, 0};
}

int kraton_tb_value_at(kraton_tb_spot spot) {
    return spot.byte ? tb_value_in(*spot.byte, spot.digit) : KRATON_TB_UNKNOWN;
}

int kraton_tb_value(const kraton_tb *t, uint64_t movers, uint64_t others) {
    return kraton_tb_value_at(kraton_tb_find(t, movers, others));
}

int kraton_tb_distance(kraton_tb *t, uint64_t movers, uint64_t others) {
    const open_table *table = find_table(t, movers, others);
    if (!table)
        return kraton_tb_value(t, movers, others) == KRATON_TB_UNKNOWN ? KRATON_TB_NO_DISTANCE : 0;
    if (!table->distances.bytes)
        return KRATON_TB_NO_DISTANCE;
    uint64_t index = t->look_up(&table->split, (tb_placement){movers, others});
    os_mutex_lock(&t->unpacked->mutex);
    const uint8_t *bytes = unpack(t, &table->distances, index / TB_BLOCK_BYTES);
    int distance = bytes ? bytes[index % TB_BLOCK_BYTES] : KRATON_TB_NO_DISTANCE;
    os_mutex_unlock(&t->unpacked->mutex);
    return distance;
}

int kraton_tb_nth(const kraton_tb *t, int n, kraton_tb_split *split) {
    for (int pieces = 2; pieces <= t->pieces; pieces++)
        for (int a = 1; a < pieces; a++) {
            const open_table *table = &t->tables[a][pieces - a];
            const tb_header *h = &table->values.header;
            if (!table->is_there || n-- > 0)
                continue;
            *split = (kraton_tb_split){.movers = a,
                                       .others = pieces - a,
                                       .has_distances = table->distances.bytes != NULL,
                                       .entries = h->entries,
                                       .win = h->tally.win,
                                       .draw = h->tally.draw,
                                       .loss = h->tally.loss,
                                       .longest_win = h->tally.longest_win,
                                       .longest_loss = h->tally.longest_loss};
            return 1;
        }
    return 0;
}
