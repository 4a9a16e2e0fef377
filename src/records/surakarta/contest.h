// What reading, repairing and naming contest records share. contest.c has the format.
#ifndef KRATON_RECORDS_SURAKARTA_CONTEST_H
#define KRATON_RECORDS_SURAKARTA_CONTEST_H

#include "records/format.h"

enum { CONTEST_SIDE = 6 };

// The four results as they are written, by rules_outcome.
extern const char *const contest_results[4];

// What the lines with # say besides names, date and place.
typedef struct {
    bool is_by_colour; // the result, as in 黑方胜: the colours as the file has them
    fault unknown;     // words for a result that say nothing known; else empty
    buffer notes;      // lines that are no heading
} contest_said;

// Reads a line without its #.
void contest_read_heading(text line, record *r, contest_said *said);
// The lines that are no heading become the comment of the start. Frees them; false without memory.
MUST_USE bool contest_keep_notes(record *r, contest_said *said);
// Who wins by words such as 先手胜, 后手负, 黑方胜, A1胜出 or 平局.
rules_outcome contest_result_of(const record *r, text words, contest_said *said);

// Reads a file that cannot be played as it is in other ways, and remarks on what was repaired.
MUST_USE bool contest_repair(record_reader *reader, record *r);

// The name of a file: SU-FIRST vs SECOND-RESULT-DATE.txt.
void contest_write_name(const record *r, writer *out);
bool contest_read_name(record *r, text name);

#endif
