// Totals of a match: scores between engines, time and search statistics of each, and how games were
// lost. Games are added in the order of the schedule, so totals do not depend on which ended first.
#ifndef KRATON_MATCH_TALLY_H
#define KRATON_MATCH_TALLY_H

#include "contest/stats.h"
#include "match/game.h"

typedef struct {
    int64_t games, wins, draws, losses;
    int64_t moves, time_us;
    int64_t depths, depth_moves; // sum of depths, moves that said one
    int64_t nodes, node_time_us; // of the moves that said how many
    int64_t lost_by[REFEREE_REASONS];
    int64_t protocol_errors, wrong_claims, warnings;
} match_account;

typedef struct {
    int engines;
    int64_t games, first_wins, draws, second_wins, aborted;
    int64_t plies;
    match_account *accounts; // by engine
    contest_score *between;  // [a * engines + b], from a's point of view
    struct match_open_pair {
        bool open;
        uint32_t opening;
        int half_points;
    } * open_pairs; // the first game of a pair of a against b, until the second comes
} match_tally;

MUST_USE bool match_tally_init(match_tally *t, int engines);
void match_tally_free(match_tally *t);
void match_tally_add(match_tally *t, const match_game *g);

#endif
