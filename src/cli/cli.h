// What the commands of `kraton` share: the shape of a command, how one complains, how it gets its
// game, and its options. The commands are in cmd_*.c; main.c holds the table of them. The program
// is single-threaded; only main exits.
#ifndef KRATON_CLI_CLI_H
#define KRATON_CLI_CLI_H

#include "rules/rules.h"

// What a command returns and the program exits with; docs/commands.md lists them for users.
// STATUS_BAD: the input is bad, something failed, or a check found something wrong. STATUS_USAGE:
// the command line is wrong, whatever the input.
// STATUS_UNREAD: whoever read the output has gone, as `| head` does; what a shell makes of SIGPIPE.
enum {
    STATUS_OK = 0,
    STATUS_BAD = 1,
    STATUS_USAGE = 2,
    STATUS_INTERRUPTED = 130,
    STATUS_UNREAD = 141
};

struct option;

typedef struct command {
    const char *name;      // of a subcommand with its command's: "tb build"
    const char *arguments; // after the name in the usage line
    const char *summary;   // one line for the list of commands
    const char *details;   // further lines of its help, with an example
    int least, most;       // arguments apart from options; most -1: any number
    int (*run)(const struct command *self, int argc, char **argv);
    const struct command *parts; // its subcommands, for run_part; the last one has no name
    bool is_passed_on;           // its arguments are another program's
    // Set for a run that is to show its options, not to do anything: see commands_visit.
    void (*visit)(const struct command *self, const struct option *table, void *context);
    void *context;
} command;

// All commands; the last one has no name.
extern const command all_commands[];
extern const command tb_commands[];

// Shows the options of all commands and subcommands, in order. Nothing else is done.
void commands_visit(void (*visit)(const command *c, const struct option *table, void *context),
                    void *context);
// Complains of a command that does not exist, and suggests one. Returns STATUS_USAGE.
int commands_complain(const char *name);

// Runs the subcommand that the first argument names.
int run_part(const command *self, int argc, char **argv);

// Whether `kraton serve` is part of this build; on Windows it is refused.
extern const bool has_server;

int cmd_perft(const command *self, int argc, char **argv);
int cmd_moves(const command *self, int argc, char **argv);
int cmd_show(const command *self, int argc, char **argv);
int cmd_judge(const command *self, int argc, char **argv);
int cmd_convert(const command *self, int argc, char **argv);
int cmd_play(const command *self, int argc, char **argv);
int cmd_bench(const command *self, int argc, char **argv);
int cmd_match(const command *self, int argc, char **argv);
int cmd_rate(const command *self, int argc, char **argv);
int cmd_doctor(const command *self, int argc, char **argv);
int cmd_man(const command *self, int argc, char **argv);
int cmd_completion(const command *self, int argc, char **argv);
int cmd_sprt(const command *self, int argc, char **argv);
int cmd_book_build(const command *self, int argc, char **argv);
int cmd_book_grow(const command *self, int argc, char **argv);
int cmd_book_merge(const command *self, int argc, char **argv);
int cmd_book_show(const command *self, int argc, char **argv);
int cmd_book_lines(const command *self, int argc, char **argv);
int cmd_openings(const command *self, int argc, char **argv);
int cmd_archive_import(const command *self, int argc, char **argv);
int cmd_store_copy(const command *self, int argc, char **argv);
int cmd_join(const command *self, int argc, char **argv);
int cmd_serve(const command *self, int argc, char **argv);
int cmd_lab(const command *self, int argc, char **argv);
int cmd_engine(const command *self, int argc, char **argv);
int cmd_analyse(const command *self, int argc, char **argv);
int cmd_engine_check(const command *self, int argc, char **argv);

// One line on standard error. Bytes that are not printable UTF-8 are shown as '?', so that
// whatever came in cannot disturb the terminal. Returns STATUS_BAD, for commands to end with.
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same about a wrong command line. Returns STATUS_USAGE.
int misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Help and complaints say `program` where they would say `words`: "kraton-tables" for "kraton tb".
void speak_as(const char *words, const char *program);

// Prints the four lines of --version. Returns STATUS_OK.
int print_version(const char *program);

// Whether `given` is one of the words, which have | between them.
bool is_word_of(const char *given, const char *words);
// Complains that it is none of them, and suggests the nearest one. `where` begins the line: "kraton
// book". Returns STATUS_USAGE.
int misuse_word(const char *where, const char *given, const char *words);

// Prints an object as one line of JSON and frees it; docs/json.md has the fields. Returns
// STATUS_OK, or STATUS_BAD after a complaint that memory ran out.
struct json_t;
int print_json(struct json_t *object);

// The game of that name. NULL after a complaint: the usage is wrong.
const rules_game *find_game(const char *name);
// A notation of the game by name; false after a complaint: the usage is wrong.
MUST_USE bool find_notation(const rules_game *game, const char *name, rules_notation *notation);
// The rule set that the option --rules names; the default one if it is NULL. False after a
// complaint: the usage is wrong.
MUST_USE bool find_rules(const rules_game *game, const char *name, rules_set *set);

// A new game with a rule set (NULL: the default one) from a FEN (NULL: from the start) with room
// for RULES_MAX_PLIES moves; freed with free(). NULL after a complaint.
rules_state *new_game(const rules_game *game, const rules_set *set, const char *fen);

// --- options -------------------------------------------------------------------------------------

// A command's options, declared as a table that serves to read them and to print the help.
// `--name value` and `--name=value`, `-x value` where there is a letter; `--` ends them. Only `--`
// with a letter behind it and a declared letter make an option: a move may begin with `-`
// or `--`.

// The values of an option that may be given several times.
enum { OPTION_LIST_MAX = 256 };
typedef struct {
    const char *values[OPTION_LIST_MAX];
    int count;
} option_list;

typedef struct option {
    const char *name;
    char letter;       // 0: none
    const char *value; // what the value is called in the help, or all its words: a|b; NULL: a flag
    const char *help;  // NULL: another spelling of the option before, not shown
    bool *flag;        // set to true for a flag
    const char **string; // set to the value for an option that has one
    option_list *list;   // or added to, for one that may be given again
} option;

// An option as static data, for long tables: its value goes to a place in a struct.
typedef struct {
    const char *name;
    char letter;
    const char *value, *help; // as above
    size_t place;             // offset of a bool for a flag, else of a const char *
    bool is_list;             // of an option_list instead
} option_row;

// Makes the table of these rows, `count` of them and a last one without a name, for the struct at
// `base`.
void options_place(const option_row *rows, size_t count, void *base, option *table);

// Reads the options among argv[0..*argc) and leaves the other arguments in front, in order, their
// number in *argc and within what the command takes. The table ends with a NULL name. False when
// the command is to end with *status: after --help, or after a complaint.
MUST_USE bool options_read(const command *self, const option *table, int *argc, char **argv,
                           int *status);

// Whether an option takes the value: any, unless the table has its words. False after a complaint.
MUST_USE bool option_takes(const command *self, const option *o, const char *value);

// Reads the value of an option as a number. NULL, for an option that was not given, leaves *number
// as it is. False after a complaint.
MUST_USE bool option_number(const command *self, const char *name, const char *value, int64_t low,
                            int64_t high, int64_t *number);
// The same for an int.
MUST_USE bool option_int(const command *self, const char *name, const char *value, int low,
                         int high, int *number);
// The same for a number that need not be whole.
MUST_USE bool option_real(const command *self, const char *name, const char *value, double low,
                          double high, double *number);

#endif
