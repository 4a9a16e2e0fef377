// The match runner: engines play a schedule of games, several at a time on one event loop. The
// schedule and the order of the output do not depend on the concurrency or on interruptions; with
// deterministic engines, neither do the moves.
#ifndef KRATON_MATCH_RUNNER_H
#define KRATON_MATCH_RUNNER_H

#include "match/live_game.h"
#include "match/output.h"
#include "match/tally.h"

typedef struct {
    const rules_game *game;
    rules_set set;
    const char *rules; // the set in words, for engines that have an option Rules; NULL: not told
    referee_limits limits;
    const match_engine *engines; // their protocols are known: match_detect
    int engine_count;
    schedule_rules schedule;
    bool sprt; // stop as soon as the SPRT between the two engines is decided
    contest_sprt test;
    // The FEN of opening number k, written into the buffer; NULL: the start position.
    const char *(*opening)(void *context, uint32_t number, char fen[RULES_FEN_SIZE]);
    // The moves that lead from the start position to it, and how many they are; -1: not known. May
    // be NULL where the above is.
    int (*opening_line)(void *context, uint32_t number, rules_move moves[OPENINGS_LINE_MAX]);
    void *opening_context;
    int concurrency; // games at a time
    int sau_retries;
    int64_t stall_us, hello_us, ready_us;
    const char *kraton; // path of kraton: player_world
    bool in_sessions;
    bool times; // write the fields that differ from run to run
    bool resume;
    const char *journal; // paths; NULL: none
    const char *json, *pgn;
    const char *records;     // folder for contest records
    const char *transcript;  // every line in both directions
    const char *events;      // what happens, as it happens; "-": standard output
    match_output_mode files; // what to do with files that exist; OUTPUT_RESUME by `resume` alone
    bool checks_pv;          // see pv_check.h
    int64_t wait_us;         // between two games of a slot
    const int *processors;   // of the slots, one each; NULL: any
    uint32_t opening_start;  // the first opening to take, from 0
    const char *settings;    // one line: what must be the same when the run is taken up again
} match_plan;

typedef struct match_run match_run;

typedef struct {
    // A game has been counted, in schedule order. replayed: it came from the journal.
    void (*on_game)(void *context, const match_run *run, const match_game *g, bool replayed);
    void (*on_tick)(void *context, const match_run *run); // four times a second
    // An engine said something wrong before the move at `ply` of game `index`, or has wrong
    // settings (ply 0).
    void (*on_warning)(void *context, uint32_t index, uint32_t ply, const char *engine,
                       const char *words);
    void *context;
} match_observer;

typedef enum { RUN_DONE, RUN_DECIDED, RUN_INTERRUPTED, RUN_FAILED } match_end;

// What an observer may look at.
const match_plan *match_run_plan(const match_run *run);
const match_tally *match_run_tally(const match_run *run);
const schedule *match_run_schedule(const match_run *run);
uint32_t match_run_total(const match_run *run); // games in the schedule as known now
int64_t match_run_elapsed_us(const match_run *run);
uint32_t match_run_played_now(const match_run *run); // games played, not taken from the journal

int match_run_signal(const match_run *run); // the signal that interrupted it; 0: none

// Plays it all. SIGINT and SIGTERM end it with RUN_INTERRUPTED, nothing lost; a second one ends the
// process. `finally` is called with the run before it is given back. RUN_FAILED comes with the
// reason.
match_end match_play(const match_plan *plan, const match_observer *observer,
                     void (*finally)(void *context, const match_run *run, match_end end),
                     fault *why);

#endif
