// How long a search of the archive by an index looks, in microseconds: then it answers with what it
// has found, and where to go on.
#ifndef KRATON_FEATURES_ARCHIVE_H
#define KRATON_FEATURES_ARCHIVE_H

enum { ARCHIVE_FOUND_US = 60000 };

#endif
