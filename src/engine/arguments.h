// What an engine takes on its command line: one table to read it by, for its help, for suggestions
// and for its manual page.
#ifndef KRATON_ENGINE_ARGUMENTS_H
#define KRATON_ENGINE_ARGUMENTS_H

#include "base/suggest.h"
#include "rules/rules.h"

typedef enum {
    ARGUMENT_NONE,
    ARGUMENT_OPTION,
    ARGUMENT_RULES,
    ARGUMENT_DEPTH,
    ARGUMENT_PLAYER,
    ARGUMENT_TIME,
    ARGUMENT_VERSION,
    ARGUMENT_MAN,
    ARGUMENT_HELP
} argument_kind;

// The option that an argument names; ARGUMENT_NONE: it names none.
argument_kind argument_find(const char *given);
// Offers every option and command, for an argument that is none of them.
void arguments_suggest(suggestion *near);
// Prints the help of a program of that name.
void arguments_print_help(const char *program);
// Prints its manual page, with the options that it offers to managers of games too. False where
// memory ran out.
MUST_USE bool arguments_print_manual(const char *program, const rules_game *game);

#endif
