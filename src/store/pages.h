// Checksums of the pages of an SQLite database, so that a bit that changed on the disk is noticed.
// They are in a file beside it, DATABASE-sums; SQLite writes the database through a layer (a VFS)
// that keeps them.
//
// | bytes | what |
// |---|---|
// | 0 to 7 | "KRSUMS1\n" |
// | 8 to 11 | the size of a page |
// | 12 to 15 | the first salt of the write-ahead log in use; 0: the database was closed |
// | 8 (N + 1), eight bytes | page N: the hash of its bytes, then the same combined with N; 0:
// unknown |
//
// Pages that are in the write-ahead log too are not compared: the log has checksums of its own, and
// what it has is what counts. A page's checksum is on the disk before the page is known to be, so
// no loss of power makes them differ otherwise.
#ifndef KRATON_STORE_PAGES_H
#define KRATON_STORE_PAGES_H

#include "base/bits.h"
#include "base/text.h"

enum { PAGES_NAMED = 16 }; // of the damaged ones

typedef struct {
    int count;                    // damaged pages
    int64_t numbers[PAGES_NAMED]; // the first of them
    int64_t own;                  // checksums that are damaged themselves; they are made anew
    bool is_changed;              // another program has written the database: all are made anew
    int64_t log_frame;            // the log breaks off here, ...
    int64_t log_lost;             // ... and so many pages behind it are lost; 0: it does not
} pages_report;

// The name of the layer, for sqlite3_open_v2; registers it first. NULL: SQLite refuses it.
const char *pages_layer(void);
// Compares all pages of a database that nobody uses with their checksums; where there are none yet,
// they are made. False with the reason where a file cannot be read or is none.
MUST_USE bool pages_check(const char *database, pages_report *report, fault *why);

#endif
