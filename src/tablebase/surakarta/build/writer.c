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
enum { BATCH = TB_BLOCK_BYTES * TB_VALUES_PER_BYTE };

typedef struct {
    char path[TB_PATH_SIZE], part[TB_PATH_SIZE];
    os_file file;
    uint64_t written, blocks;
    uint8_t *directory;
} output;

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
};

// --- files --------------------------------------------------------------------------------------

static bool complain_of(const char *path, fault *why) {
    return fault_set(why, "%s: %s", path, strerror(errno));
}

static bool write_all(output *out, const uint8_t *bytes, size_t count, fault *why) {
    if (!os_file_write(&out->file, bytes, count))
        return complain_of(out->part, why);
    out->written += count;
    return true;
}

static bool open_output(tb_writer *w, tb_kind kind, fault *why) {
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
    if (!os_file_open(&out->file, out->part, OS_FILE_REPLACE))
        return complain_of(out->part, why);
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
        if (!add_block(&w->out[TB_DISTANCES], TB_DISTANCES, w->packed, n, why))
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
    if (w && open_output(w, TB_VALUES, why) && open_output(w, TB_DISTANCES, why))
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
    if (w && open_output(w, kind, why))
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

// Level 9 leaves 0.022 bytes an entry of the tables to seven pieces under `count`, level 3 0.023;
// blocks of 4096 bytes would take 0.025.
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
