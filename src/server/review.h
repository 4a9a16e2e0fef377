// Whole games looked through by our engine, for the graph beside a replay: every position of a
// finished game with a few nodes each, behind everything else the engines do and not while a
// tournament is being played. Done once and kept, position by position, so that a restart goes on
// where it was asked again.
#ifndef KRATON_SERVER_REVIEW_H
#define KRATON_SERVER_REVIEW_H

#include "dialect/dialect.h"
#include "server/world.h"

enum {
    REVIEW_NODES = 50000,   // a position
    REVIEWS_WAITING = 64,   // games in line,
    REVIEWS_OF_ADDRESS = 8, // of one address
};

reviews *reviews_new(world *w);
void reviews_free(reviews *r);
void reviews_on_answer(world *w, int64_t id, rules_move move, const dialect_info *info,
                       const char *why);
void reviews_every_second(world *w);

#endif
