// Reads the files of a split: mapped into memory, values in place, distances a block at a time. A
// file that is damaged, cut off or something else is refused with a line that names it.
//
// A reader owns its mapping until it is closed and is only read in between, by any number of
// threads. tb_index_prepare must have been called for the split.
#ifndef KRATON_TABLEBASE_SURAKARTA_READER_H
#define KRATON_TABLEBASE_SURAKARTA_READER_H

#include "os/map.h"
#include "tablebase/surakarta/file.h"

typedef enum { TB_FILE_FINE, TB_FILE_ABSENT, TB_FILE_BAD } tb_file_state;

typedef struct {
    tb_header header;
    os_map map;
    const uint8_t *bytes; // of the map, the whole file; NULL: not open
    const uint8_t *directory;
    char name[TB_NAME_SIZE]; // for messages
} tb_reader;

// Opens a file and checks its header, size and directory. Absent and bad ones leave a line in *why
// and nothing to close.
MUST_USE tb_file_state tb_reader_open(tb_reader *r, const char *dir, tb_kind kind, tb_rules rules,
                                      int movers, int others, fault *why);
void tb_reader_close(tb_reader *r); // allowed on one that is not open

// Checks a block against its checksum.
MUST_USE bool tb_reader_check_block(const tb_reader *r, uint64_t block, fault *why);
// All of them. This reads the file once, some 10 GB a second where it is in memory already.
MUST_USE bool tb_reader_check(const tb_reader *r, fault *why);

// How many entries a block has.
uint64_t tb_reader_block_size(const tb_reader *r, uint64_t block);

// --- values -------------------------------------------------------------------------------------

extern uint16_t tb_digits_of[256]; // by byte: its five digits, two bits each; 3 where there is none

// The value in a byte; 2 where it has none.
ALWAYS_INLINE int tb_value_in(uint8_t byte, unsigned digit) {
    return (tb_digits_of[byte] >> 2 * digit & 3) + TB_LOSS;
}

ALWAYS_INLINE int tb_reader_value(const tb_reader *r, uint64_t index) {
    const uint8_t *packed = r->bytes + TB_HEADER_BYTES;
    return tb_value_in(packed[index / TB_VALUES_PER_BYTE], (unsigned)(index % TB_VALUES_PER_BYTE));
}

// The values of `count` entries from `first` on.
void tb_reader_values(const tb_reader *r, uint64_t first, uint64_t count, int8_t *values);

// Uncompresses a block of compressed values into room for TB_PACKED_BYTES bytes, its checksum
// checked.
MUST_USE bool tb_reader_unpack(const tb_reader *r, uint64_t block, uint8_t *packed, fault *why);

// The same from a file of either form, its blocks checked where they are compressed.
MUST_USE bool tb_reader_read_values(const tb_reader *r, uint64_t first, uint64_t count,
                                    int8_t *values, fault *why);
// Opens the values of a split, in whichever form they are there.
MUST_USE tb_file_state tb_reader_open_values(tb_reader *r, const char *dir, tb_rules rules,
                                             int movers, int others, fault *why);

// --- distances ----------------------------------------------------------------------------------

// Unpacks a block into room for TB_BLOCK_BYTES distances, its checksum checked.
MUST_USE bool tb_reader_distances(const tb_reader *r, uint64_t block, uint8_t *distances,
                                  fault *why);

// --- many blocks --------------------------------------------------------------------------------

// Working memory for one thread at a time; making it anew for every block takes longer than
// uncompressing.
typedef struct tb_unpacker tb_unpacker;
tb_unpacker *tb_unpacker_new(void);    // NULL: no memory
void tb_unpacker_free(tb_unpacker *u); // NULL is allowed

// As tb_reader_unpack or tb_reader_distances, whichever the file asks for. Without an unpacker
// (NULL) it is slower.
MUST_USE bool tb_reader_block(const tb_reader *r, uint64_t block, uint8_t *bytes, tb_unpacker *u,
                              fault *why);

#endif
