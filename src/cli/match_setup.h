// Inside `kraton match`: its options, its config file and engines, and what the plan of a match
// points into. cmd_match.c makes the plan.
#ifndef KRATON_CLI_MATCH_SETUP_H
#define KRATON_CLI_MATCH_SETUP_H

#include "cli/cli.h"
#include "cli/opening_judge.h"
#include "games/tables.h"
#include "match/runner.h"
#include "os/process.h"
#include "records/openings.h"

#include <jansson.h>

typedef struct {
    option_list engines;
    const command *self; // for complaints
    const char *each, *config, *rules, *schedule, *rounds, *games, *sprt, *openings, *plies, *seed,
        *concurrency, *move_limit, *resign, *draw, *sau_retries, *stall, *hello, *out, *json, *pgn,
        *records, *transcript, *tables, *engines_file, *opening_start, *opening_order, *affinity,
        *seeds, *wait, *events;
    bool shuffle, resume, no_times, quiet, no_swap, check_pv, append, overwrite;
} match_options;

enum { MATCH_OPTIONS = 39 };

// Everything the plan points into, to be given back at the end.
typedef struct {
    match_plan plan;
    match_engine engines[OPTION_LIST_MAX];
    openings *openings;
    opening_judge *judge; // of balanced ones
    game_tables *tables;
    json_t *config, *numbers;      // the config file, and its numbers as text
    json_t *engines_file;          // --engines: a list
    int processors[OS_PROCESSORS]; // of the games at a time
    buffer settings;
    uint64_t openings_sum; // of the openings file's bytes
    char kraton[4096], journal[4096], json[4096], pgn[4096];
    int status; // to end with if the plan cannot be made
} match_setup;

// The table of options, whose values go to *o; its last row has no name.
void match_options_table(match_options *o, option table[MATCH_OPTIONS + 1]);

// The functions return false after a complaint.

// Options that exclude each other, and words that are none of an option's.
MUST_USE bool match_options_agree(const match_options *o);
// Reads --affinity: `all`, or numbers and ranges joined by commas, as 0,2-5.
MUST_USE bool match_read_affinity(match_setup *setup, const char *spec);
// No two of the plan's files are the same, and none is a file that is read.
MUST_USE bool match_files_differ(const match_setup *setup, const match_options *o);

// Reads the config file: every option of the table may stand in it under its own name; the command
// line goes before it.
MUST_USE bool match_read_config(match_setup *setup, match_options *o, const option *table);
// Reads the engines of the config file, of --engines and of --engine, in this order.
MUST_USE bool match_read_engines(match_setup *setup, const match_options *o);
// Finds the protocols of the engines, and checks that they can play the match.
MUST_USE bool match_find_dialects(match_setup *setup);

#endif
