// The files of the endgame tables: their names and the header all kinds begin with. A split under
// one convention is two files, `RULES-MOVERSvOTHERS.values` and `.distances`; the first can be read
// in place, the second is compressed. `.packed` holds the values compressed, in place of the first.
// docs/tablebase-format.md specifies every byte.
//
// No state; any thread may call these.
#ifndef KRATON_TABLEBASE_SURAKARTA_FILE_H
#define KRATON_TABLEBASE_SURAKARTA_FILE_H

#include "tablebase/surakarta/entry.h"
#include "tablebase/surakarta/index.h"

typedef enum { TB_VALUES = 1, TB_DISTANCES, TB_PACKED } tb_kind;

enum {
    TB_FILE_VERSION = 1,
    TB_HEADER_BYTES = 128,
    TB_VALUES_PER_BYTE = 5, // a value is a digit of base 3
    TB_BLOCK_BYTES = 65536, // of values, of distances uncompressed
    TB_PACKED_BYTES = 4096, // of compressed values, uncompressed
    TB_NAME_SIZE = 32,
    TB_PATH_SIZE = 4096,
    // Of a block's entry in the directory at the end of a file.
    TB_VALUES_DIRECTORY = 8,     // checksum
    TB_DISTANCES_DIRECTORY = 16, // where it begins, checksum; of compressed values as well
};

typedef struct {
    tb_kind kind;
    tb_rules rules;
    int movers, others;
    uint64_t entries;
    tb_tally tally;
    int longest; // distance of all, forced draws included
    uint64_t blocks;
    uint64_t bytes;     // of the file
    uint64_t directory; // its checksum
} tb_header;

// How many entries a block has, the last one apart.
static inline uint64_t tb_block_entries(tb_kind kind) {
    static const uint64_t entries[] = {[TB_VALUES] = TB_BLOCK_BYTES * TB_VALUES_PER_BYTE,
                                       [TB_DISTANCES] = TB_BLOCK_BYTES,
                                       [TB_PACKED] = TB_PACKED_BYTES * TB_VALUES_PER_BYTE};
    return entries[kind];
}

static inline uint64_t tb_blocks_of(tb_kind kind, uint64_t entries) {
    return (entries + tb_block_entries(kind) - 1) / tb_block_entries(kind);
}

// Bytes of the directory of a file with so many blocks.
static inline uint64_t tb_directory_bytes(tb_kind kind, uint64_t blocks) {
    return blocks * (kind == TB_VALUES ? TB_VALUES_DIRECTORY : TB_DISTANCES_DIRECTORY);
}

void tb_header_encode(const tb_header *header, uint8_t bytes[TB_HEADER_BYTES]);
// False for a header of something else, of another version, or with a wrong checksum.
MUST_USE bool tb_header_decode(tb_header *header, const uint8_t bytes[TB_HEADER_BYTES],
                               const char **why);

// Numbers in files: lowest byte first.
void tb_put_64(uint8_t *bytes, uint64_t number);
uint64_t tb_get_64(const uint8_t *bytes);

uint64_t tb_checksum(const void *bytes, size_t count);

// Writes the name of a split's file.
void tb_file_name(char name[TB_NAME_SIZE], tb_kind kind, tb_rules rules, int movers, int others);
// Writes the path of a split's file; false where it does not fit.
MUST_USE bool tb_file_path(char path[TB_PATH_SIZE], const char *dir, tb_kind kind, tb_rules rules,
                           int movers, int others);
// Reads a file's name.
MUST_USE bool tb_file_parse_name(text name, tb_kind *kind, tb_rules *rules, int *movers,
                                 int *others);
// The most pieces of any file of a convention in a folder; 0 where there is none. False, with the
// reason in errno, when the folder cannot be read.
MUST_USE bool tb_file_most_pieces(const char *dir, tb_rules rules, int *most);

// A number of bytes for people.
typedef struct {
    char shown[24];
} tb_amount;

tb_amount tb_amount_of(uint64_t bytes);

#endif
