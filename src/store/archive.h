// Finished games found by what they were.
#ifndef KRATON_STORE_ARCHIVE_H
#define KRATON_STORE_ARCHIVE_H

#include "store/games.h"

// What is asked for; whatever is 0, -1 or empty does not matter.
typedef struct {
    int64_t before;   // ids below
    int64_t player;   // on either side
    int64_t opponent; // on the other
    const char *game; // its rules' name
    int outcome;      // rules_outcome; -1: any
    const char *reason;
    const char *opening; // the beginning of its code or of a name
    int64_t tournament;
    bool rated; // only those
    bool has_key;
    uint64_t key; // of a position it came to (records/mirror.h), where has_key
    int limit;
} archive_query;

// Newest first.
void store_each_game(store *s, const archive_query *q, void (*take)(void *, const stored_game *g),
                     void *context);
// The opening's name, for finding it.
void store_set_opening(store *s, int64_t game, const char *opening);

#endif
