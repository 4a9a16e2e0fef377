// The computer at the other side of the board: an engine as a child process, ours unless somebody
// wants another, and an adviser for hints, always ours and always in earnest.
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

// Starts the engine that the fields say, if any is to play. False, with the reason, where it cannot
// be had.
MUST_USE bool opponent_start(opponent *o, const play *p, fault *why);
void opponent_close(opponent *o);
// The next move belongs to another game.
void opponent_forget(opponent *o);
// The game goes on by the rules of its state, which have changed.
void opponent_learn_rules(opponent *o, const play *p);
MUST_USE bool opponent_set_level(opponent *o, int level, fault *why);

// What it is called in records: "Kraton 0.1.0, level 4".
void opponent_write_name(const opponent *o, char name[OPPONENT_NAME_SIZE]);

// Has the computer move, and says what it thinks. One that is gone is started again; where that
// does not help, the game goes on without it.
void opponent_move(play *p);
// Makes a good move for the side to move the message.
void opponent_hint(play *p);
// Whether it is content with a draw.
bool opponent_accepts_draw(const opponent *o, const play *p);

// --- who plays -----------------------------------------------------------------------------------

typedef struct {
    const rules_game *game;
    int level; // 0: two people
} opponent_choice;

// Asks which game and, unless that is settled, whom against. The game stays NULL when nobody wants
// one. Returns the status to end with then.
int opponent_choose(opponent_choice *choice, bool is_settled);

// What the options say about the computer; NULL: nothing.
typedef struct {
    const char *level, *depth, *time, *side, *engine;
    bool two;
} opponent_options;

// Who plays, and how long the computer may think. False after a complaint.
MUST_USE bool opponent_read(const command *self, const opponent_options *said,
                            const rules_game *game, opponent *o);

#endif
