// Pairings in their order. A schedule hands out games one by one and, for Swiss and
// knockout, waits for the results that decide the next round. The order depends on nothing but the
// players, the seed and the results, so the same run can be played again or taken up after a break.
//
//   round robin  everybody meets everybody, `rounds` times over; Berger's table, so that meetings
//                begun and not begun differ by one at most
//   gauntlet     player 0, or each of the first `seeds`, meets everybody else, `rounds` times over;
//                seeds do not meet each other
//   Swiss        see swiss.h; a bye brings a point for each game of the meeting
//   knockout     a bracket that keeps the best apart for longest; byes go to the best. A tied
//                meeting is played on, a pair of games at a time, up to SCHEDULE_EXTRA_PAIRS; then
//                the better placed goes on, since a run has to end and a lot would tell less
//
// A player who withdraws is not paired in later Swiss rounds; in a knockout the next opponent goes
// on. Round robin and gauntlet keep their games; the caller decides them.
// A result may be corrected: it counts in the standings and in all rounds not drawn yet.
//
// A meeting is `games` games with the colours changed after each; games 2k and 2k+1 are a pair from
// one opening, and every pair has an opening of its own.
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

// "round-robin", "gauntlet", "swiss", "knockout".
bool schedule_find(const char *name, schedule_kind *kind);
const char *schedule_name(schedule_kind kind);

typedef struct {
    schedule_kind kind;
    int players;   // 2 to SCHEDULE_MAX_PLAYERS
    int rounds;    // round robin, gauntlet: times everybody meets; Swiss: rounds; 0: as many as fit
    int games;     // per meeting, at least 1; even to be fair
    uint64_t seed; // Swiss, knockout: 0 places the players as they are numbered, others by lot
    int seeds;     // gauntlet: players who meet the others; 0: one
    bool keeps_colours; // in a meeting, the player with the lower number has all first moves
} schedule_rules;

enum { SCHEDULE_MAX_PLAYERS = 256, SCHEDULE_EXTRA_PAIRS = 5 };

typedef struct {
    uint32_t index;    // of the game in the schedule, from 0
    int round;         // from 0
    int first, second; // players; `first` has the side that moves first
    uint32_t opening;  // number of the opening: the same for both games of a pair
} schedule_game;

typedef struct schedule schedule; // owned by whoever called schedule_new

// NULL where the rules make no sense, for more than 2^32 games, or when memory runs out.
schedule *schedule_new(const schedule_rules *rules);
void schedule_free(schedule *s);
schedule *schedule_copy(const schedule *s); // NULL when memory runs out
typedef enum { SCHEDULE_GAME, SCHEDULE_WAIT, SCHEDULE_END } schedule_status;
// The next game to start; SCHEDULE_WAIT: results are needed first; SCHEDULE_END: all have been
// given out.
schedule_status schedule_next(schedule *s, schedule_game *game);
// Whether schedule_next is about to draw a Swiss round, which takes up to half a second; and
// drawing it, so that the next calls are quick.
bool schedule_is_about_to_draw(const schedule *s);
void schedule_draw(schedule *s);
enum { SCHEDULE_BOTH_LOST = 3 }; // a result besides 0 to 2 half points: neither came
// The result of game `index`, in half points of the player that had `first`. Any order; a second
// report of the same game is ignored.
void schedule_report(schedule *s, uint32_t index, int half_points);
// Another result for a game that had one; -1: none, it is to be played again.
void schedule_correct(schedule *s, uint32_t index, int half_points);
// A player plays no more.
void schedule_withdraw(schedule *s, int who);
// No more games will be asked for: a knockout's final is decided as it stands.
void schedule_finish(schedule *s);
// Games in all, as far as known now (exact but for knockout and for those who will withdraw).
uint32_t schedule_total(const schedule *s);

// A table line. Half points include those for byes. Buchholz: the points of the opponents, added up
// over all games; Sonneborn-Berger: the same times what was won from each; a bye counts as games
// against somebody with as many points as oneself.
typedef struct {
    int player, played, half_points, wins, draws, losses, byes;
    double buchholz, sonneborn_berger;
} schedule_standing;
// Fills in rules.players lines, best first; returns how many. By points, then Buchholz (Swiss) or
// Sonneborn-Berger, wins, number; in a gauntlet by the share of the points; in a knockout by how
// far a player has come, then by points.
int schedule_standings(const schedule *s, schedule_standing *out);
// Half points of player a against b, and the number of their games.
void schedule_between(const schedule *s, int a, int b, int *half_points, int *games);

#endif
