// The computer as an opponent: an engine as a child process, ours by default, and a second engine
// for hints, always ours and at full strength. And what the menu and the options say about it.
#ifndef KRATON_CLI_OPPONENT_H
#define KRATON_CLI_OPPONENT_H

#include "cli/screen.h"
#include "cli/sibling.h"
#include "match/thinker.h"

enum {
    OPPONENT_NAME_SIZE = 128,
    OPPONENT_NOBODY = -1,
    OPPONENT_LEVELS = 10,
    OPPONENT_LEVEL = 4
}; // the default one

struct opponent {
    int side;              // the computer's; OPPONENT_NOBODY: two people play
    int level;             // 0: not limited by one
    dialect_limits limits; // for a move
    const char *command;   // NULL: our own engine
    char rules[256];       // what our own engines are told
    char guard[SIBLING_PATH_SIZE];
    thinker *player, *adviser; // NULL: not started yet
    bool has_failed;           // it was started again in this position already
    bool is_in_book;           // its last move was
    bool has_score;
    int32_t score; // at its last move, from its point of view
};

// Starts the engine described by the fields, if one is to play. False, with the reason, if it
// cannot be started.
MUST_USE bool opponent_start(opponent *o, const play *p, fault *why);
void opponent_close(opponent *o);
// The next move belongs to another game.
void opponent_forget(opponent *o);
// The rule set of the game has changed; tells the engines.
void opponent_learn_rules(opponent *o, const play *p);
MUST_USE bool opponent_set_level(opponent *o, int level, fault *why);

// What it is called in records: "Kraton 0.1.0, level 4".
void opponent_write_name(const opponent *o, char name[OPPONENT_NAME_SIZE]);

// The computer moves and shows its evaluation. An engine that is gone is started again once; then
// the game goes on without it.
void opponent_move(play *p);
// Sets the message to a good move for the side to move.
void opponent_hint(play *p);
// Whether it accepts a draw.
bool opponent_accepts_draw(const opponent *o, const play *p);

// --- who plays -----------------------------------------------------------------------------------

typedef struct {
    const rules_game *game;
    int level; // 0: two people
} opponent_choice;

// Asks which game to play and, unless the options say it, against whom. The game is NULL if none is
// chosen; the program then ends with the status returned.
int opponent_choose(opponent_choice *choice, bool is_settled);

// The options about the computer; NULL: not given.
typedef struct {
    const char *level, *depth, *time, *side, *engine;
    bool two;
} opponent_options;

// Sets up the opponent by the options. False after a complaint.
MUST_USE bool opponent_read(const command *self, const opponent_options *said,
                            const rules_game *game, opponent *o);

#endif
