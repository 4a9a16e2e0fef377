// A command's options, declared as a table that serves to read them and to print the help.
// `--name value` and `--name=value`, `-x value` where there is a letter; `--` ends them. Only `--`
// with a letter behind it and a declared letter make an option: a move may begin with `-`
// or `--`.
#ifndef KRATON_CLI_OPTIONS_H
#define KRATON_CLI_OPTIONS_H

#include "cli/cli.h"

// The values of an option that may be given several times.
enum { OPTION_LIST_MAX = 256 };
typedef struct {
    const char *values[OPTION_LIST_MAX];
    int count;
} option_list;

typedef struct {
    const char *name;
    char letter;       // 0: none
    const char *value; // what the value is called in the help; NULL: a flag
    const char *help;
    bool *flag;          // set to true for a flag
    const char **string; // set to the value for an option that has one
    option_list *list;   // or added to, for one that may be given again
} option;

// Reads the options among argv[0..*argc) and leaves the other arguments in front, in order, their
// number in *argc and within what the command takes. The table ends with a NULL name. False when
// the command is to end with *status: after --help, or after a complaint.
MUST_USE bool options_read(const command *self, const option *table, int *argc, char **argv,
                           int *status);

#endif
