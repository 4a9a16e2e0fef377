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

// Removes what was written and frees the writer; NULL is allowed.
void tb_writer_abandon(tb_writer *w);

#endif
