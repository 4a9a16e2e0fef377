// Games of records become games of the archive and of the explorer: `kraton archive import`. For a
// store that no server uses.
#ifndef KRATON_FEATURES_IMPORT_H
#define KRATON_FEATURES_IMPORT_H

#include "records/record.h"
#include "store/store.h"

typedef enum { IMPORT_NEW, IMPORT_KNOWN, IMPORT_FAILED } import_status;

// Adds the main line of a record, unless the same game was imported before: same start, moves,
// names and result. The caller commits. `now`: since 1970, in microseconds. IMPORT_FAILED with the
// reason.
import_status import_record(store *s, const record *r, int64_t now, fault *why);

#endif
