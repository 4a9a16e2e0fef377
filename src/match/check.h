// Checks that an engine follows its protocol: starts it, asks it for moves in many ways, and
// reports what it does wrong.
#ifndef KRATON_MATCH_CHECK_H
#define KRATON_MATCH_CHECK_H

#include "match/player.h"

typedef enum { CHECK_OK, CHECK_WRONG, CHECK_SKIPPED } check_result;

// What a check found. `what` and `detail` are short texts; the detail may be empty.
typedef void check_listener(void *context, check_result result, const char *what,
                            const char *detail);

typedef struct {
    int made, wrong, skipped;
} check_counts;

// Tells the listener of each check as soon as it is made, and of each that cannot be made. False
// without memory.
MUST_USE bool match_check(const match_engine *engine, const rules_game *game, const char *kraton,
                          check_listener *listener, void *context, check_counts *counts);

#endif
