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
    DISTANCE_SLOTS = 64, // unpacked blocks kept: 4 MB
    VALUE_SLOTS = 8192,  // 32 MB, touched only where values are compressed
    LOCKS = 16,
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

typedef struct {
    const tb_reader *whose; // NULL: empty
    uint64_t block;
} cache_slot;

// Blocks of distances or values unpacked last. A mutex guards every LOCKS-th slot and its unpacker,
// so that threads seldom wait for each other.
typedef struct {
    os_mutex mutexes[LOCKS];
    tb_unpacker *unpackers[LOCKS]; // NULL: not made yet
    uint32_t slots;
    size_t block_bytes;
    cache_slot *slot;
    uint8_t *bytes;
} cache;

struct kraton_tb {
    tb_lookup *look_up;
    open_table tables[MOST][MOST]; // [movers][others]
    int pieces, longest;
    cache *unpacked_values, *unpacked_distances; // written by lookups
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
    tb_file_state state = tb_reader_open_values(&table->values, folder, rules, a, b, &why);
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

static void free_cache(cache *c) {
    for (int i = 0; c && i < LOCKS; i++) {
        os_mutex_destroy(&c->mutexes[i]);
        tb_unpacker_free(c->unpackers[i]);
    }
    if (c) {
        free(c->slot);
        free(c->bytes);
    }
    free(c);
}

static cache *new_cache(uint32_t slots, size_t block_bytes) {
    cache *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    *c = (cache){.slots = slots,
                 .block_bytes = block_bytes,
                 .slot = calloc(slots, sizeof *c->slot),
                 .bytes = malloc(slots * block_bytes)};
    for (int i = 0; i < LOCKS; i++)
        os_mutex_init(&c->mutexes[i]);
    if (c->slot && c->bytes)
        return c;
    free_cache(c);
    return NULL;
}

kraton_tb *kraton_tb_open(const char *folder, int rules, unsigned how, kraton_tb_listener *listener,
                          void *context) {
    kraton_tb *t = rules == TB_TRADITIONAL || rules == TB_COUNT ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return NULL;
    *t = (kraton_tb){.look_up = tb_lookup_best(),
                     .unpacked_values = new_cache(VALUE_SLOTS, TB_PACKED_BYTES),
                     .unpacked_distances = new_cache(DISTANCE_SLOTS, TB_BLOCK_BYTES),
                     .listener = listener,
                     .context = context};
    int most = find_most_pieces(t, folder, (tb_rules)rules);
    if (most > 0)
        prepare_index(most);
    for (int n = 2; n <= most; n++)
        for (int a = 1; a < n; a++)
            open_values(t, folder, (tb_rules)rules, a, n - a, how);
    if (t->pieces > 0 && t->unpacked_values && t->unpacked_distances)
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
    free_cache(t->unpacked_values);
    free_cache(t->unpacked_distances);
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

// A byte of a block of distances or compressed values; -1 where it is damaged.
static int unpacked_byte(const kraton_tb *t, cache *c, const tb_reader *reader, uint64_t at) {
    uint64_t block = at / c->block_bytes;
    uint32_t slot =
        (uint32_t)(((uint64_t)(uintptr_t)reader / sizeof *reader * 7 + block) % c->slots);
    uint32_t lock = slot % LOCKS;
    uint8_t *bytes = c->bytes + slot * c->block_bytes;
    cache_slot *s = &c->slot[slot];
    int byte = -1;
    fault why;
    os_mutex_lock(&c->mutexes[lock]);
    bool fine = s->whose == reader && s->block == block;
    if (!fine) {
        if (!c->unpackers[lock])
            c->unpackers[lock] = tb_unpacker_new();
        fine = tb_reader_block(reader, block, bytes, c->unpackers[lock], &why);
        *s = (cache_slot){fine ? reader : NULL, block};
    }
    if (fine)
        byte = bytes[at % c->block_bytes];
    os_mutex_unlock(&c->mutexes[lock]);
    if (!fine)
        report(t, &why);
    return byte;
}

// A byte for games that are over: its lowest digits are loss, draw, win.
static const uint8_t over[1] = {0 + 3 * 1 + 9 * 2};

// A compressed value is looked up at once.
static kraton_tb_spot find_compressed(const kraton_tb *t, const open_table *table, uint64_t index) {
    int byte = unpacked_byte(t, t->unpacked_values, &table->values, index / TB_VALUES_PER_BYTE);
    if (byte < 0)
        return (kraton_tb_spot){NULL, 0};
    int value = tb_value_in((uint8_t)byte, (unsigned)(index % TB_VALUES_PER_BYTE));
    return (kraton_tb_spot){over, (unsigned)(value - TB_LOSS)};
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
    int byte = unpacked_byte(t, t->unpacked_distances, &table->distances, index);
    return byte < 0 ? KRATON_TB_NO_DISTANCE : byte;
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
