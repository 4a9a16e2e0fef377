// What the commands of `kraton` share: the shape of a command, how one complains, and how it gets
// its game. The commands are in cmd_*.c; main.c holds the table of them. The program is
// single-threaded; only main exits.
#ifndef KRATON_CLI_CLI_H
#define KRATON_CLI_CLI_H

#include "rules/rules.h"

// What a command returns and the program exits with.
enum { STATUS_OK = 0, STATUS_BAD = 1, STATUS_USAGE = 2 };

typedef struct command {
    const char *name;
    const char *arguments; // after the name in the usage line
    const char *summary;   // one line for the list of commands
    const char *details;   // further lines of its help, with an example
    int least, most;       // arguments apart from options; most -1: any number
    int (*run)(const struct command *self, int argc, char **argv);
} command;

int cmd_perft(const command *self, int argc, char **argv);
int cmd_moves(const command *self, int argc, char **argv);
int cmd_show(const command *self, int argc, char **argv);
int cmd_judge(const command *self, int argc, char **argv);
int cmd_convert(const command *self, int argc, char **argv);
int cmd_play(const command *self, int argc, char **argv);
int cmd_bench(const command *self, int argc, char **argv);
int cmd_match(const command *self, int argc, char **argv);
int cmd_sprt(const command *self, int argc, char **argv);
int cmd_tb(const command *self, int argc, char **argv);
int cmd_book(const command *self, int argc, char **argv);
int cmd_openings(const command *self, int argc, char **argv);
int cmd_join(const command *self, int argc, char **argv);
int cmd_serve(const command *self, int argc, char **argv);
int cmd_lab(const command *self, int argc, char **argv);
int cmd_engine(const command *self, int argc, char **argv);
int cmd_analyse(const command *self, int argc, char **argv);
int cmd_engine_check(const command *self, int argc, char **argv);

// One line on standard error. Bytes that are not printable UTF-8 are shown as '?', so that
// whatever came in cannot disturb the terminal. Returns STATUS_BAD, for commands to end with.
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The game of that name, or NULL after a complaint.
const rules_game *find_game(const char *name);

// A new game by the options --rules and --fen (NULL where they were not given) with room for
// RULES_MAX_PLIES moves, to be given back with free(); NULL after a complaint.
rules_state *new_game(const rules_game *game, const char *rules, const char *fen);

// A notation of the game by name; false after a complaint.
bool find_notation(const rules_game *game, const char *name, rules_notation *notation);

#endif
