#include "tablebase/surakarta/build/writer.h"

#include "base/minmax.h"
#include "os/file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <zstd.h>

// Entries are collected until they fill a block of values, which is TB_VALUES_PER_BYTE blocks of
// distances.
enum { BATCH = TB_WRITER_BATCH };

typedef struct {
    char path[TB_PATH_SIZE], part[TB_PATH_SIZE];
    os_file file;
    uint64_t written, blocks;
    uint64_t first; // block, of a share
    uint8_t *directory;
} output;

// Bytes in memory.
typedef struct {
    uint8_t *bytes;
    size_t count, room;
} store;

struct tb_writer {
    tb_rules rules;
    tb_split split;
    char dir[TB_PATH_SIZE];
    output out[TB_PACKED + 1]; // by kind
    uint64_t added;
    uint32_t collected;
    uint8_t digits[BATCH];
    uint8_t distances[BATCH];
    tb_counter counted;
    ZSTD_CCtx *zstd;
    uint8_t packed[ZSTD_COMPRESSBOUND(TB_BLOCK_BYTES)];
    bool is_share;
    store held; // a share's distances
};

// --- files --------------------------------------------------------------------------------------

static bool complain_of(const char *path, fault *why) {
    return fault_set(why, "%s: %s", path, strerror(errno));
}

static bool write_all(output *out, const uint8_t *bytes, size_t count, fault *why) {
    if (!os_file_write_at(&out->file, out->written, bytes, count))
        return complain_of(out->part, why);
    out->written += count;
    return true;
}

static bool open_output(tb_writer *w, tb_kind kind, os_file_mode mode, fault *why) {
    output *out = &w->out[kind];
    writer part = writer_on(out->part, sizeof out->part);
    uint64_t blocks = tb_blocks_of(kind, w->split.size);
    if (!tb_file_path(out->path, w->dir, kind, w->rules, w->split.movers, w->split.others))
        return fault_set(why, "the path of the folder is too long");
    write_format(&part, "%s.part", out->path);
    if (part.overflow)
        return fault_set(why, "the path of the folder is too long");
    out->directory = malloc(tb_directory_bytes(kind, blocks));
    if (!out->directory)
        return fault_set(why, "not enough memory");
    if (!os_file_open(&out->file, out->part, mode))
        return complain_of(out->part, why);
    if (mode != OS_FILE_REPLACE)
        return true;
    // The header comes last, when everything in it is known.
    return write_all(out, (const uint8_t[TB_HEADER_BYTES]){0}, TB_HEADER_BYTES, why);
}

// --- entries ------------------------------------------------------------------------------------

static bool add_block(output *out, tb_kind kind, const uint8_t *bytes, size_t count, fault *why) {
    uint8_t *entry = out->directory + tb_directory_bytes(kind, out->blocks++);
    if (kind != TB_VALUES) {
        tb_put_64(entry, out->written);
        entry += 8;
    }
    tb_put_64(entry, tb_checksum(bytes, count));
    return write_all(out, bytes, count, why);
}

// Keeps a packed block of distances until it is known where it goes.
static bool hold_block(tb_writer *w, size_t count, fault *why) {
    output *out = &w->out[TB_DISTANCES];
    store *held = &w->held;
    uint8_t *entry = out->directory + tb_directory_bytes(TB_DISTANCES, out->blocks++);
    if (held->count + count > held->room) {
        size_t room = 2 * held->room + TB_BLOCK_BYTES + count;
        uint8_t *bytes = realloc(held->bytes, room);
        if (!bytes)
            return fault_set(why, "not enough memory");
        held->bytes = bytes;
        held->room = room;
    }
    tb_put_64(entry, held->count);
    tb_put_64(entry + 8, tb_checksum(w->packed, count));
    memcpy(held->bytes + held->count, w->packed, count);
    held->count += count;
    return true;
}

static bool write_values(tb_writer *w, fault *why) {
    uint32_t bytes = (w->collected + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE;
    memset(w->digits + w->collected, 0, (size_t)bytes * TB_VALUES_PER_BYTE - w->collected);
    for (uint32_t i = 0; i < bytes; i++) {
        const uint8_t *d = w->digits + (size_t)i * TB_VALUES_PER_BYTE;
        w->digits[i] = (uint8_t)(d[0] + 3 * (d[1] + 3 * (d[2] + 3 * (d[3] + 3 * d[4]))));
    }
    return add_block(&w->out[TB_VALUES], TB_VALUES, w->digits, bytes, why);
}

static bool write_distances(tb_writer *w, fault *why) {
    for (uint32_t at = 0; at < w->collected; at += TB_BLOCK_BYTES) {
        uint32_t left = w->collected - at, count = min_u32(left, TB_BLOCK_BYTES);
        size_t n = ZSTD_compress2(w->zstd, w->packed, sizeof w->packed, w->distances + at, count);
        if (ZSTD_isError(n))
            return fault_set(why, "packing distances: %s", ZSTD_getErrorName(n));
        if (!(w->is_share ? hold_block(w, n, why)
                          : add_block(&w->out[TB_DISTANCES], TB_DISTANCES, w->packed, n, why)))
            return false;
    }
    return true;
}

static bool flush(tb_writer *w, fault *why) {
    bool fine = write_distances(w, why) && write_values(w, why);
    w->collected = 0;
    return fine;
}

bool tb_writer_add(tb_writer *w, const int8_t *values, const uint8_t *distances, uint64_t count,
                   fault *why) {
    assert(count <= w->split.size - w->added);
    while (count > 0) {
        uint32_t room = BATCH - w->collected, n = (uint32_t)min_u64(count, room);
        for (uint32_t i = 0; i < n; i++)
            w->digits[w->collected + i] = (uint8_t)(values[i] - TB_LOSS);
        memcpy(w->distances + w->collected, distances, n);
        tb_counter_add(&w->counted, &w->split, w->added, values, distances, n);
        w->collected += n;
        w->added += n;
        values += n;
        distances += n;
        count -= n;
        if (w->collected == BATCH && !flush(w, why))
            return false;
    }
    return true;
}

// --- beginning and end --------------------------------------------------------------------------

static void release(tb_writer *w) {
    for (int kind = TB_VALUES; kind <= TB_PACKED; kind++) {
        os_file_close(&w->out[kind].file);
        free(w->out[kind].directory);
    }
    ZSTD_freeCCtx(w->zstd);
    free(w->held.bytes);
    free(w);
}

void tb_writer_abandon(tb_writer *w) {
    if (!w)
        return;
    for (int kind = TB_VALUES; kind <= TB_PACKED; kind++)
        if (w->out[kind].file.handle >= 0)
            os_path_remove(w->out[kind].part);
    release(w);
}

// Of 4v4 under `count` level 1 leaves 0.096 bytes an entry, level 3 0.089 at the same 460 MB a
// second; level 9 would leave 0.073 at a tenth of the speed.
enum { ZSTD_LEVEL = 3 };

// A writer without files.
static tb_writer *open_writer(const char *dir, tb_rules rules, const tb_split *split, fault *why) {
    tb_writer *w = calloc(1, sizeof *w);
    if (!w) {
        fault_set(why, "not enough memory");
        return NULL;
    }
    w->rules = rules;
    w->split = *split;
    for (int kind = TB_VALUES; kind <= TB_PACKED; kind++)
        w->out[kind].file = OS_FILE_NONE;
    writer path = writer_on(w->dir, sizeof w->dir);
    write_string(&path, dir);
    w->zstd = ZSTD_createCCtx();
    if (path.overflow)
        fault_set(why, "the path of the folder is too long");
    else if (!w->zstd ||
             ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)))
        fault_set(why, "not enough memory");
    else
        return w;
    tb_writer_abandon(w);
    return NULL;
}

tb_writer *tb_writer_open(const char *dir, tb_rules rules, const tb_split *split, fault *why) {
    tb_writer *w = open_writer(dir, rules, split, why);
    if (w && open_output(w, TB_VALUES, OS_FILE_REPLACE, why) &&
        open_output(w, TB_DISTANCES, OS_FILE_REPLACE, why))
        return w;
    tb_writer_abandon(w);
    return NULL;
}

static tb_header summarise(const tb_writer *w) {
    tb_header h = {.rules = w->rules,
                   .movers = w->split.movers,
                   .others = w->split.others,
                   .entries = w->split.size};
    h.tally = tb_counter_sum(&w->counted, &h.longest);
    return h;
}

static bool complete(output *out, tb_kind kind, tb_header header, fault *why) {
    uint64_t bytes = tb_directory_bytes(kind, out->blocks);
    uint8_t encoded[TB_HEADER_BYTES];
    if (!write_all(out, out->directory, bytes, why))
        return false;
    header.kind = kind;
    header.blocks = out->blocks;
    header.bytes = out->written;
    header.directory = tb_checksum(out->directory, bytes);
    tb_header_encode(&header, encoded);
    return (os_file_write_at(&out->file, 0, encoded, sizeof encoded) && os_file_sync(&out->file) &&
            os_file_close(&out->file)) ||
           complain_of(out->part, why);
}

bool tb_writer_finish(tb_writer *w, tb_tally *tally, fault *why) {
    assert(w->added == w->split.size);
    tb_header header = summarise(w);
    bool fine = (w->collected == 0 || flush(w, why));
    for (int kind = TB_VALUES; kind <= TB_DISTANCES; kind++)
        fine = fine && complete(&w->out[kind], (tb_kind)kind, header, why);
    for (int kind = TB_DISTANCES; fine && kind >= TB_VALUES; kind--)
        fine = os_path_rename(w->out[kind].part, w->out[kind].path) ||
               complain_of(w->out[kind].path, why);
    fine = fine && (os_folder_sync(w->dir) || complain_of(w->dir, why));
    for (int kind = TB_VALUES; !fine && kind <= TB_DISTANCES; kind++)
        os_path_remove(w->out[kind].part);
    if (tally)
        *tally = header.tally;
    release(w);
    return fine;
}

// --- by several processes -----------------------------------------------------------------------

tb_writer *tb_writer_open_share(const char *dir, tb_rules rules, const tb_split *split,
                                uint64_t first, bool makes, fault *why) {
    os_file_mode mode = makes ? OS_FILE_REPLACE : OS_FILE_WRITE;
    tb_writer *w = open_writer(dir, rules, split, why);
    if (!w || !open_output(w, TB_VALUES, mode, why) || !open_output(w, TB_DISTANCES, mode, why)) {
        tb_writer_abandon(w);
        return NULL;
    }
    w->is_share = true;
    w->added = first;
    for (int kind = TB_VALUES; kind <= TB_DISTANCES; kind++) {
        uint64_t all = tb_blocks_of((tb_kind)kind, split->size);
        output *out = &w->out[kind];
        out->first = out->blocks = min_u64(first / tb_block_entries((tb_kind)kind), all);
    }
    w->out[TB_VALUES].written = TB_HEADER_BYTES + first / TB_VALUES_PER_BYTE;
    return w;
}

bool tb_writer_end_share(tb_writer *w, uint64_t *distance_bytes, fault *why) {
    bool fine = w->collected == 0 || flush(w, why);
    *distance_bytes = w->held.count;
    return fine;
}

bool tb_writer_place(tb_writer *w, uint64_t before, fault *why) {
    output *out = &w->out[TB_DISTANCES];
    out->written = TB_HEADER_BYTES + before;
    for (uint64_t i = out->first; i < out->blocks; i++) {
        uint8_t *entry = out->directory + tb_directory_bytes(TB_DISTANCES, i);
        tb_put_64(entry, tb_get_64(entry) + out->written);
    }
    if (!write_all(out, w->held.bytes, w->held.count, why))
        return false;
    for (int kind = TB_VALUES; kind <= TB_DISTANCES; kind++)
        if (!os_file_sync(&w->out[kind].file))
            return complain_of(w->out[kind].part, why);
    return true;
}

// A report: the counts, then for each kind its first block, how many, and their directory.
enum { COUNT_WORDS = sizeof(tb_counter) / sizeof(uint64_t) };

static size_t directory_words(tb_kind kind, uint64_t blocks) {
    return (size_t)tb_directory_bytes(kind, blocks) / sizeof(uint64_t);
}

uint64_t *tb_writer_report(const tb_writer *w, size_t *words) {
    *words = COUNT_WORDS;
    for (int kind = TB_VALUES; kind <= TB_DISTANCES; kind++)
        *words += 2 + directory_words((tb_kind)kind, w->out[kind].blocks - w->out[kind].first);
    uint64_t *report = malloc(*words * sizeof *report), *at = report;
    if (!report)
        return NULL;
    memcpy(at, &w->counted, sizeof w->counted);
    at += COUNT_WORDS;
    for (int kind = TB_VALUES; kind <= TB_DISTANCES; kind++) {
        const output *out = &w->out[kind];
        uint64_t blocks = out->blocks - out->first;
        *at++ = out->first;
        *at++ = blocks;
        memcpy(at, out->directory + tb_directory_bytes((tb_kind)kind, out->first),
               tb_directory_bytes((tb_kind)kind, blocks));
        at += directory_words((tb_kind)kind, blocks);
    }
    return report;
}

static void add_counts(tb_counter *sum, const uint64_t *counts) {
    uint64_t *to = &sum->entries[0][0][0];
    for (size_t i = 0; i < COUNT_WORDS; i++)
        to[i] += counts[i];
}

bool tb_writer_take_report(tb_writer *w, const uint64_t *report, size_t words) {
    const uint64_t *end = report + words;
    if (words < COUNT_WORDS)
        return false;
    add_counts(&w->counted, report);
    report += COUNT_WORDS;
    for (int kind = TB_VALUES; kind <= TB_DISTANCES; kind++) {
        if (end - report < 2)
            return false;
        uint64_t first = report[0], blocks = report[1],
                 all = tb_blocks_of((tb_kind)kind, w->split.size);
        size_t length = directory_words((tb_kind)kind, blocks);
        report += 2;
        if (first > all || blocks > all - first || (size_t)(end - report) < length)
            return false;
        memcpy(w->out[kind].directory + tb_directory_bytes((tb_kind)kind, first), report,
               length * sizeof *report);
        report += length;
    }
    return report == end;
}

void tb_writer_leave(tb_writer *w) { release(w); }

bool tb_writer_finish_all(tb_writer *w, uint64_t distance_bytes, fault *why) {
    uint64_t value_bytes = (w->split.size + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE;
    w->added = w->split.size;
    for (int kind = TB_VALUES; kind <= TB_DISTANCES; kind++) {
        output *out = &w->out[kind];
        out->blocks = tb_blocks_of((tb_kind)kind, w->split.size);
        out->written = TB_HEADER_BYTES + (kind == TB_VALUES ? value_bytes : distance_bytes);
    }
    return tb_writer_finish(w, NULL, why);
}

// --- values alone -------------------------------------------------------------------------------

// Completes the file of one kind, syncs and renames it, and frees the writer.
static bool finish_one(tb_writer *w, tb_kind kind, tb_header header, bool fine, fault *why) {
    output *out = &w->out[kind];
    fine = fine && complete(out, kind, header, why) &&
           (os_path_rename(out->part, out->path) || complain_of(out->path, why)) &&
           (os_folder_sync(w->dir) || complain_of(w->dir, why));
    if (!fine)
        os_path_remove(out->part);
    release(w);
    return fine;
}

static tb_writer *open_one(const char *dir, tb_rules rules, const tb_split *split, tb_kind kind,
                           fault *why) {
    tb_writer *w = open_writer(dir, rules, split, why);
    if (w && open_output(w, kind, OS_FILE_REPLACE, why))
        return w;
    tb_writer_abandon(w);
    return NULL;
}

bool tb_write_values(const char *dir, tb_rules rules, const tb_split *split, const uint8_t *packed,
                     const tb_counter *counted, fault *why) {
    tb_writer *w = open_one(dir, rules, split, TB_VALUES, why);
    if (!w)
        return false;
    uint64_t bytes = (split->size + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE;
    bool fine = true;
    for (uint64_t at = 0; fine && at < bytes; at += TB_BLOCK_BYTES)
        fine = add_block(&w->out[TB_VALUES], TB_VALUES, packed + at,
                         (size_t)min_u64(bytes - at, TB_BLOCK_BYTES), why);
    w->counted = *counted;
    return finish_one(w, TB_VALUES, summarise(w), fine, why);
}

// Of the tables to eight pieces blocks of 4096 bytes leave 0.022 bytes an entry under `count` and
// take 4 us to uncompress, blocks of 16384 0.019 and 9 us.
enum { PACKED_LEVEL = 9 };

bool tb_pack_values(const tb_reader *values, const char *dir, fault *why) {
    const tb_header *h = &values->header;
    tb_split split = tb_split_of(h->movers, h->others);
    tb_writer *w = open_one(dir, h->rules, &split, TB_PACKED, why);
    if (!w)
        return false;
    uint64_t bytes = (split.size + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE;
    const uint8_t *packed = values->bytes + TB_HEADER_BYTES;
    bool fine = true;
    for (uint64_t at = 0; fine && at < bytes; at += TB_PACKED_BYTES) {
        size_t size = (size_t)min_u64(bytes - at, TB_PACKED_BYTES);
        size_t n = ZSTD_compressCCtx(w->zstd, w->packed, sizeof w->packed, packed + at, size,
                                     PACKED_LEVEL);
        fine = (!ZSTD_isError(n) || fault_set(why, "compressing: %s", ZSTD_getErrorName(n))) &&
               add_block(&w->out[TB_PACKED], TB_PACKED, w->packed, n, why);
    }
    return finish_one(w, TB_PACKED, *h, fine, why);
}

bool tb_unpack_values(const tb_reader *packed, const char *dir, fault *why) {
    const tb_header *h = &packed->header;
    tb_split split = tb_split_of(h->movers, h->others);
    tb_writer *w = open_one(dir, h->rules, &split, TB_VALUES, why);
    if (!w)
        return false;
    enum { TOGETHER = TB_BLOCK_BYTES / TB_PACKED_BYTES };
    uint64_t bytes = (split.size + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE;
    bool fine = true;
    for (uint64_t block = 0; fine && block < h->blocks; block++) {
        fine = tb_reader_unpack(packed, block, w->digits + block % TOGETHER * TB_PACKED_BYTES, why);
        uint64_t first = block / TOGETHER * TB_BLOCK_BYTES;
        if (fine && (block % TOGETHER == TOGETHER - 1 || block + 1 == h->blocks))
            fine = add_block(&w->out[TB_VALUES], TB_VALUES, w->digits,
                             (size_t)min_u64(bytes - first, TB_BLOCK_BYTES), why);
    }
    return finish_one(w, TB_VALUES, *h, fine, why);
}
