// One row of a table against the rules: every entry must be what its moves make of it. Forward
// moves only; distances are what keeps values from justifying one another in circles.
//
// A job is read by any number of threads; each has findings of its own.
#ifndef KRATON_TABLEBASE_SURAKARTA_VERIFY_ROW_H
#define KRATON_TABLEBASE_SURAKARTA_VERIFY_ROW_H

#include "tablebase/surakarta/reader.h"
#include "tablebase/surakarta/verify_index.h"

// Value and distance of an entry in one number.
typedef uint16_t verify_entry;
ALWAYS_INLINE verify_entry verify_entry_of(int value, int distance) {
    return (verify_entry)((value - TB_LOSS) << 8 | distance);
}
ALWAYS_INLINE int verify_value(verify_entry e) { return (e >> 8) + TB_LOSS; }
ALWAYS_INLINE int verify_distance(verify_entry e) { return e & 255; }

typedef struct {
    const verify_index *index;
    tb_rules rules;
    verify_layout layout;      // of the table at hand
    const verify_entry *table; // its entries
    const verify_entry *quiet; // those behind a step: sides changed
    verify_layout after;       // the layout behind a capture
    const tb_reader *captured; // the values there; NULL where the last piece is taken
} verify_job;

typedef struct {
    uint64_t positions, wrong;
    uint64_t first_wrong;   // index, where there is one
    char what[160];         // and what is wrong there
    uint64_t placements[3]; // by value + 1
    int longest[3];
} verify_findings;

void verify_row(const verify_job *job, uint64_t row, verify_findings *findings);

#endif
