// A game in the terminal: its state and what is shown of it. cmd_play.c reads what people type.
#ifndef KRATON_CLI_SCREEN_H
#define KRATON_CLI_SCREEN_H

#include "cli/cli.h"
#include "cli/terminal.h"

enum { PLAY_LINE_SIZE = 1024, PLAY_MESSAGE_SIZE = 2048 };
enum { SCREEN_NONSENSE = 20 }; // lines in a row without meaning that end a game nobody types

typedef struct opponent opponent;

typedef struct {
    const rules_game *game;
    char start[RULES_FEN_SIZE]; // the FEN it began with
    rules_state *state;
    opponent *computer;   // who gives hints, too
    bool is_offered_draw; // by the computer, with its last move
    rules_verdict agreed; // a resignation or a draw by agreement; ongoing: neither
    terminal term;
    rules_drawing how;
    rules_notation notation; // moves are shown in; with UCI1, squares are read as a1 to i10
    bool changed;            // the board is to be shown again
    bool unsaved;            // moves were played that are in no file
    bool left;
    int nonsense; // lines in a row that meant nothing
    bool noise;   // bytes that nobody types
    char saved_as[PLAY_LINE_SIZE];
    char message[PLAY_MESSAGE_SIZE]; // about the last line typed
} play;

// The state of the game, resignations and agreed draws included.
rules_verdict play_verdict(const play *p);
// "Black", "Red", ...: the side to move.
const char *play_mover(const play *p);

// The side resigns.
void play_resign(play *p, int side);
// Sets the message.
void play_say(play *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Shows the board if it changed, then the message.
void screen_show(play *p);
// Asks for a line. ANSWER_END is the end of the input or Ctrl-C. ANSWER_NOISE is a line that is too
// long or no text, from something that is no terminal.
typedef enum { ANSWER_LINE, ANSWER_END, ANSWER_NOISE } answer;
answer screen_ask(const char *prompt, char line[PLAY_LINE_SIZE]);
// Complains about input that nobody types. Returns STATUS_BAD.
int screen_complain_noise(void);
// Makes Ctrl-C end the question that waits for an answer, and the game with it.
void screen_catch_interrupt(void);
bool screen_is_interrupted(void);
// Sets the message to the legal moves; to those from one square if `square` is not empty.
void screen_list_moves(play *p, text square);

#endif
