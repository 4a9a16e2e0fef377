// Games of records become games of the archive and of the explorer: `kraton archive import`. For a
// store that no server uses.
#ifndef KRATON_FEATURES_IMPORT_H
#define KRATON_FEATURES_IMPORT_H

#include "records/record.h"
#include "store/store.h"

typedef enum { IMPORT_NEW, IMPORT_KNOWN, IMPORT_FAILED } import_status;

// Adds a record with all it holds, unless the same record was imported before; the same game with
// other words or variations is another. A game that an earlier version imported without its record
// (same start, moves of the main line, names and result) gets it now. The caller commits. `now`:
// since 1970, in microseconds. IMPORT_FAILED with the reason.
import_status import_record(store *s, const record *r, int64_t now, fault *why);

#endif
