// A queue of the search's reports, from the search's thread to the engine's. The search never
// waits for the reader: when the queue is full the oldest report is dropped. Only the end of a
// search sets the event.
#ifndef KRATON_ENGINE_THOUGHT_H
#define KRATON_ENGINE_THOUGHT_H

#include "dialect/engine/engine.h"
#include "os/thread.h"
#include "search/search.h"

enum { THOUGHT_QUEUE = 256 };

// A report that owns its line of play.
typedef struct {
    search_report report; // its pv points nowhere
    rules_move pv[SEARCH_MAX_PLY];
} thought;

typedef struct {
    os_event done; // set at the end of a search
    os_mutex lock; // guards the rest
    thought queue[THOUGHT_QUEUE];
    unsigned first, count;
    thought lines[SEARCH_MAX_VARIATIONS]; // the last of each variation
    int line_count;
    bool is_done;
    search_result result;
} thoughts;

MUST_USE bool thoughts_init(thoughts *t);
void thoughts_free(thoughts *t);
// Forgets everything: before a search.
void thoughts_clear(thoughts *t);
// What the search is to be given.
search_listener thoughts_listener(thoughts *t);
// The oldest line that was not fetched yet.
bool thoughts_next(thoughts *t, thought *next);
// The end of the search, once it has come; afterwards the lines may be read without the lock.
bool thoughts_take_result(thoughts *t, search_result *result);

// A report of the search as protocols tell it.
dialect_report thought_to_tell(const search_report *r);

#endif
