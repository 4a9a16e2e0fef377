// Which game is played and against whom: what the menu is answered and what the options say.
#ifndef KRATON_CLI_CHALLENGE_H
#define KRATON_CLI_CHALLENGE_H

#include "cli/opponent.h"

enum { CHALLENGE_NONSENSE = 20 }; // lines in a row, where no person is typing

// Complains of an input that nobody types; returns STATUS_BAD.
int challenge_noise(void);

typedef struct {
    const rules_game *game;
    int level; // 0: two people
} challenge_choice;

// Asks which game and, unless that is settled, whom against. The game stays NULL when nobody wants
// one. Returns the status to end with then.
int challenge_ask(challenge_choice *choice, bool is_settled);

// What the options say about the computer; NULL: nothing.
typedef struct {
    const char *level, *depth, *time, *side, *engine;
    bool two;
} challenge_options;

// Who plays, and how long the computer may think. False after a complaint.
MUST_USE bool challenge_read(const challenge_options *said, const rules_game *game, opponent *o);

#endif
