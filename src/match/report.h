// What a run shows people: a live table on a terminal, plain lines elsewhere, and the final tables.
#ifndef KRATON_MATCH_REPORT_H
#define KRATON_MATCH_REPORT_H

#include "match/runner.h"

#include <stdio.h>

typedef struct {
    FILE *out;
    bool live;    // out is a terminal: the table is redrawn in place
    bool unicode; // bars and dots beyond ASCII
    bool quiet;   // no line for each game
    int signal;   // set at the end: the one that interrupted the run; 0: none
    // its own:
    int drawn;         // lines of the table now on the screen
    char last[5][160]; // the last games
    int last_count;
} match_report;

// The observer's functions, with the report as their context.
void match_report_game(void *report, const match_run *run, const match_game *g, bool replayed);
void match_report_tick(void *report, const match_run *run);
void match_report_warning(void *report, uint32_t index, uint32_t ply, const char *engine,
                          const char *words);
// The final tables: standings, crosstable, what each engine did, and the test's verdict.
void match_report_end(void *report, const match_run *run, match_end end);

#endif
