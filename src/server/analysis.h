// Analysis for visitors: a position's best lines from our engine, streaming in. One at a time for
// each session, within a quota, behind the house bots, not while a tournament is being played, not
// for somebody who is playing a rated game of the same kind, and not of a position that stands on
// the board of one.
#ifndef KRATON_SERVER_ANALYSIS_H
#define KRATON_SERVER_ANALYSIS_H

#include "dialect/dialect.h"
#include "server/session.h"

enum {
    ANALYSIS_MOST_MS = 10000, // of one position
    ANALYSIS_BURST = 30,      // positions at once,
    ANALYSIS_RATE = 1         // and a second
};

void analysis_on_line(world *w, int64_t id, const dialect_info *info, int number);
void analysis_on_answer(world *w, int64_t id, rules_move move, const dialect_info *info,
                        const char *why);
// The session goes, or begins another.
void analysis_forget(session *s);

#endif
