// Writes the two files of a split from its entries in the order of the index, handed over in parts
// of any size. Both appear under their names only when complete and synced, the values last; what a
// killed writer leaves behind (NAME.part) the next one writes over.
//
// A writer belongs to one thread at a time; different splits may be written at the same time.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_WRITER_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_WRITER_H

#include "tablebase/surakarta/file.h"
#include "tablebase/surakarta/stats.h"

typedef struct tb_writer tb_writer;

// NULL where memory or the disk will not do.
tb_writer *tb_writer_open(const char *dir, tb_rules rules, const tb_split *split, fault *why);

// The next `count` entries: values (TB_LOSS, TB_DRAW, TB_WIN) and distances. After a failure the
// writer is good for tb_writer_abandon only.
MUST_USE bool tb_writer_add(tb_writer *w, const int8_t *values, const uint8_t *distances,
                            uint64_t count, fault *why);

// Completes, syncs and renames the files once all entries are there, and frees the writer, whatever
// the outcome. The tally over all placements goes to *tally unless that is NULL.
MUST_USE bool tb_writer_finish(tb_writer *w, tb_tally *tally, fault *why);

// Writes the value file of a split alone, from its packed values (split->size / 5 bytes, rounded
// up). It appears under its name only when complete and synced.
MUST_USE bool tb_write_values(const char *dir, tb_rules rules, const tb_split *split,
                              const uint8_t *packed, const tb_counter *counted, fault *why);

// Writes the values compressed (TB_PACKED), from a value file, and the other way round. The file
// appears under its name only when complete and synced; the other one is left where it is.
MUST_USE bool tb_pack_values(const tb_reader *values, const char *dir, fault *why);
MUST_USE bool tb_unpack_values(const tb_reader *packed, const char *dir, fault *why);

// --- by several processes -----------------------------------------------------------------------

// A table is written by several writers, each with the batches that begin among the entries it has:
// values go to their place in the file at once, distances when it is known how many bytes come
// before them. The first rank completes the files.
enum { TB_WRITER_BATCH = TB_BLOCK_BYTES * TB_VALUES_PER_BYTE }; // entries: a block of values

// A writer of the entries from `first` on, a multiple of TB_WRITER_BATCH or the end. The one that
// makes the files opens them before the others do.
tb_writer *tb_writer_open_share(const char *dir, tb_rules rules, const tb_split *split,
                                uint64_t first, bool makes, fault *why);
// All entries of this writer have been added. Tells how many bytes of distances it has.
MUST_USE bool tb_writer_end_share(tb_writer *w, uint64_t *distance_bytes, fault *why);
// Writes the distances, so many bytes of others before them, and syncs.
MUST_USE bool tb_writer_place(tb_writer *w, uint64_t before, fault *why);
// What a writer knows of its share: counts and checksums. NULL: no memory; the caller frees it.
uint64_t *tb_writer_report(const tb_writer *w, size_t *words);
// Takes another one's report. False for something else.
MUST_USE bool tb_writer_take_report(tb_writer *w, const uint64_t *report, size_t words);
// Closes a writer that the first rank completes the files for.
void tb_writer_leave(tb_writer *w);
// tb_writer_finish for the first rank, which has the reports of all; so many bytes of distances.
MUST_USE bool tb_writer_finish_all(tb_writer *w, uint64_t distance_bytes, fault *why);

// Removes what was written and frees the writer; NULL is allowed.
void tb_writer_abandon(tb_writer *w);

#endif
