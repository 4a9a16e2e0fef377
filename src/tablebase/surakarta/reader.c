#include "tablebase/surakarta/reader.h"

#include "base/minmax.h"

#include <assert.h>
#include <errno.h>

#include <zstd.h>

enum { FULL_BYTES = 243 }; // 3 to the 5th: the bytes that hold digits

uint16_t tb_digits_of[256];

AT_START static void fill_digits(void) {
    for (int byte = 0; byte < 256; byte++) {
        unsigned digits = 0;
        for (int i = 0, rest = byte; i < TB_VALUES_PER_BYTE; i++, rest /= 3)
            digits |= (unsigned)(byte < FULL_BYTES ? rest % 3 : 3) << 2 * i;
        tb_digits_of[byte] = (uint16_t)digits;
    }
}

// --- opening ------------------------------------------------------------------------------------

// What is wrong with a mapped file, or NULL.
static const char *find_wrong(tb_reader *r, const tb_header *wanted) {
    const char *why;
    uint64_t size = r->map.size;
    tb_header *h = &r->header;
    if (size < TB_HEADER_BYTES)
        return "is cut off";
    if (!tb_header_decode(h, r->bytes, &why))
        return why;
    if (h->kind != wanted->kind || h->rules != wanted->rules || h->movers != wanted->movers ||
        h->others != wanted->others)
        return "holds another table than its name says";
    if (h->entries != wanted->entries || h->blocks != tb_blocks_of(h->kind, h->entries))
        return "holds another number of positions than its pieces have";
    uint64_t directory = tb_directory_bytes(h->kind, h->blocks);
    if (h->bytes != size)
        return size < h->bytes ? "is cut off" : "is longer than it says";
    if (size < TB_HEADER_BYTES + directory)
        return "is cut off";
    r->directory = r->bytes + size - directory;
    if (tb_checksum(r->directory, directory) != h->directory)
        return "is damaged: its directory";
    uint64_t packed = (h->entries + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE;
    if (h->kind == TB_VALUES && size != TB_HEADER_BYTES + packed + directory)
        return "has another size than its header asks for";
    return NULL;
}

tb_file_state tb_reader_open(tb_reader *r, const char *dir, tb_kind kind, tb_rules rules,
                             int movers, int others, fault *why) {
    char path[TB_PATH_SIZE];
    tb_header wanted = {.kind = kind,
                        .rules = rules,
                        .movers = movers,
                        .others = others,
                        .entries = tb_split_of(movers, others).size};
    *r = (tb_reader){.bytes = NULL};
    tb_file_name(r->name, kind, rules, movers, others);
    if (!tb_file_path(path, dir, kind, rules, movers, others)) {
        fault_set(why, "the path of the folder is too long");
        return TB_FILE_BAD;
    }
    if (!os_map_open(&r->map, path)) {
        bool absent = errno == ENOENT;
        fault_set(why, "%s: %s", path, strerror(errno));
        return absent ? TB_FILE_ABSENT : TB_FILE_BAD;
    }
    r->bytes = r->map.bytes;
    const char *wrong = r->bytes ? find_wrong(r, &wanted) : "is empty";
    if (!wrong)
        return TB_FILE_FINE;
    fault_set(why, "%s %s", path, wrong);
    tb_reader_close(r);
    return TB_FILE_BAD;
}

void tb_reader_close(tb_reader *r) {
    os_map_close(&r->map);
    r->bytes = NULL;
}

// --- blocks -------------------------------------------------------------------------------------

uint64_t tb_reader_block_size(const tb_reader *r, uint64_t block) {
    uint64_t full = tb_block_entries(r->header.kind), left = r->header.entries - block * full;
    return min_u64(left, full);
}

// Where a block lies in the file, and its checksum.
typedef struct {
    const uint8_t *at;
    uint64_t bytes, checksum;
} place;

// The bytes of a block; false where the directory points out of the file.
static bool find_block(const tb_reader *r, uint64_t block, place *p) {
    const uint8_t *entry = r->directory + tb_directory_bytes(r->header.kind, block);
    if (r->header.kind == TB_VALUES) {
        uint64_t n = tb_reader_block_size(r, block);
        *p = (place){r->bytes + TB_HEADER_BYTES + block * TB_BLOCK_BYTES,
                     (n + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE, tb_get_64(entry)};
        return true;
    }
    uint64_t all = (uint64_t)(r->directory - r->bytes), from = tb_get_64(entry);
    uint64_t to = block + 1 < r->header.blocks ? tb_get_64(entry + TB_DISTANCES_DIRECTORY) : all;
    if (from < TB_HEADER_BYTES || from > to || to > all)
        return false;
    *p = (place){r->bytes + from, to - from, tb_get_64(entry + 8)};
    return true;
}

// Whether all bytes of a block are digits.
static bool check_digits(const tb_reader *r, uint64_t block, const uint8_t *bytes, uint64_t count,
                         fault *why) {
    uint8_t highest = 0;
    for (uint64_t i = 0; i < count; i++)
        highest = bytes[i] > highest ? bytes[i] : highest;
    if (highest < FULL_BYTES)
        return true;
    return fault_set(why, "%s holds what is no value: block %llu", r->name,
                     (unsigned long long)block);
}

bool tb_reader_check_block(const tb_reader *r, uint64_t block, fault *why) {
    place p;
    if (!find_block(r, block, &p) || tb_checksum(p.at, p.bytes) != p.checksum)
        return fault_set(why, "%s is damaged: block %llu of %llu", r->name,
                         (unsigned long long)block, (unsigned long long)r->header.blocks);
    return r->header.kind != TB_VALUES || check_digits(r, block, p.at, p.bytes, why);
}

bool tb_reader_check(const tb_reader *r, fault *why) {
    place first;
    // Blocks lie one behind the other, from the header on.
    if (!find_block(r, 0, &first) || first.at != r->bytes + TB_HEADER_BYTES)
        return fault_set(why, "%s is damaged: its first block", r->name);
    for (uint64_t block = 0; block < r->header.blocks; block++)
        if (!tb_reader_check_block(r, block, why))
            return false;
    return true;
}

// Values from bytes of five, the first `digit` of the first one left out.
static void spread_digits(const uint8_t *packed, unsigned digit, uint64_t count, int8_t *values) {
    for (uint64_t i = 0; i < count; packed++, digit = 0)
        for (unsigned digits = (unsigned)tb_digits_of[*packed] >> 2 * digit;
             digit < TB_VALUES_PER_BYTE && i < count; digit++, i++, digits >>= 2)
            values[i] = (int8_t)((int)(digits & 3) + TB_LOSS);
}

void tb_reader_values(const tb_reader *r, uint64_t first, uint64_t count, int8_t *values) {
    assert(first + count <= r->header.entries);
    spread_digits(r->bytes + TB_HEADER_BYTES + first / TB_VALUES_PER_BYTE,
                  (unsigned)(first % TB_VALUES_PER_BYTE), count, values);
}

// --- compressed blocks --------------------------------------------------------------------------

tb_unpacker *tb_unpacker_new(void) { return (tb_unpacker *)ZSTD_createDCtx(); }

void tb_unpacker_free(tb_unpacker *u) { ZSTD_freeDCtx((ZSTD_DCtx *)u); }

// Uncompresses a block that must have so many bytes.
static bool uncompress(const tb_reader *r, uint64_t block, uint8_t *bytes, size_t size,
                       tb_unpacker *u, fault *why) {
    place p;
    if (!tb_reader_check_block(r, block, why) || !find_block(r, block, &p))
        return false;
    size_t n = u ? ZSTD_decompressDCtx((ZSTD_DCtx *)u, bytes, size, p.at, p.bytes)
                 : ZSTD_decompress(bytes, size, p.at, p.bytes);
    if (ZSTD_isError(n) || n != size)
        return fault_set(why, "%s does not unpack: block %llu", r->name, (unsigned long long)block);
    return true;
}

bool tb_reader_block(const tb_reader *r, uint64_t block, uint8_t *bytes, tb_unpacker *u,
                     fault *why) {
    uint64_t entries = tb_reader_block_size(r, block);
    if (r->header.kind == TB_DISTANCES)
        return uncompress(r, block, bytes, (size_t)entries, u, why);
    size_t size = (size_t)((entries + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE);
    return uncompress(r, block, bytes, size, u, why) && check_digits(r, block, bytes, size, why);
}

bool tb_reader_unpack(const tb_reader *r, uint64_t block, uint8_t *packed, fault *why) {
    return tb_reader_block(r, block, packed, NULL, why);
}

bool tb_reader_distances(const tb_reader *r, uint64_t block, uint8_t *distances, fault *why) {
    return tb_reader_block(r, block, distances, NULL, why);
}

bool tb_reader_read_values(const tb_reader *r, uint64_t first, uint64_t count, int8_t *values,
                           fault *why) {
    if (r->header.kind == TB_VALUES) {
        tb_reader_values(r, first, count, values);
        return true;
    }
    uint8_t packed[TB_PACKED_BYTES];
    uint64_t entries = tb_block_entries(TB_PACKED);
    while (count > 0) {
        uint64_t at = first % entries, n = min_u64(entries - at, count);
        if (!tb_reader_unpack(r, first / entries, packed, why))
            return false;
        spread_digits(packed + at / TB_VALUES_PER_BYTE, (unsigned)(at % TB_VALUES_PER_BYTE), n,
                      values);
        first += n;
        values += n;
        count -= n;
    }
    return true;
}

tb_file_state tb_reader_open_values(tb_reader *r, const char *dir, tb_rules rules, int movers,
                                    int others, fault *why) {
    tb_file_state state = tb_reader_open(r, dir, TB_VALUES, rules, movers, others, why);
    return state == TB_FILE_ABSENT ? tb_reader_open(r, dir, TB_PACKED, rules, movers, others, why)
                                   : state;
}
