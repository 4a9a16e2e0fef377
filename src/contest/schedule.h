// Who plays whom, in which order. A schedule hands out games one by one and, for Swiss and
// knockout, waits for the results that decide the next round. The order depends on nothing but the
// players, the seed and the results, so the same run can be played again or taken up after a break.
#ifndef KRATON_CONTEST_SCHEDULE_H
#define KRATON_CONTEST_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    SCHEDULE_ROUND_ROBIN,
    SCHEDULE_GAUNTLET,
    SCHEDULE_SWISS,
    SCHEDULE_KNOCKOUT
} schedule_kind;

bool schedule_find(const char *name, schedule_kind *kind); // "round-robin", "gauntlet", ...

typedef struct {
    schedule_kind kind;
    int players; // 2 to SCHEDULE_MAX_PLAYERS
    int rounds;  // round robin, gauntlet: times everybody meets; Swiss: rounds; 0: as many as fit
    int games;   // per meeting, even: colours alternate and pairs share an opening
    uint64_t seed;
} schedule_rules;

enum { SCHEDULE_MAX_PLAYERS = 256 };

typedef struct {
    uint32_t index;    // of the game in the schedule, from 0
    int round;         // from 0
    int first, second; // players; `first` has the side that moves first
    uint32_t opening;  // number of the opening: the same for both games of a pair
} schedule_game;

typedef struct schedule schedule; // owned by whoever called schedule_new

// NULL when memory runs out.
schedule *schedule_new(const schedule_rules *rules);
void schedule_free(schedule *s);
typedef enum { SCHEDULE_GAME, SCHEDULE_WAIT, SCHEDULE_END } schedule_status;
// The next game to start; SCHEDULE_WAIT: results are needed first.
schedule_status schedule_next(schedule *s, schedule_game *game);
// The result of game `index`, in half points of the player that had `first`. Any order.
void schedule_report(schedule *s, uint32_t index, int half_points);
// Games in all, as far as known now (exact but for knockout).
uint32_t schedule_total(const schedule *s);

// A table line; sorted by schedule_standings.
typedef struct {
    int player, played, half_points, wins, draws, losses, byes;
    double buchholz, sonneborn_berger;
} schedule_standing;
// Fills in rules.players lines, best first; returns how many.
int schedule_standings(const schedule *s, schedule_standing *out);
// Half points of player a against b, and the number of their games.
void schedule_between(const schedule *s, int a, int b, int *half_points, int *games);

#endif
