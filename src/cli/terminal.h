// What the terminal can show.
#ifndef KRATON_CLI_TERMINAL_H
#define KRATON_CLI_TERMINAL_H

#include "rules/rules.h"

typedef struct {
    bool unicode; // the locale writes UTF-8 and the terminal is not dumb
    int columns;  // of the window standard output is; 0: unknown
    bool colour;  // standard output is a terminal that knows colours, and NO_COLOR is not set
    bool redraws; // standard output is a terminal whose cursor can be moved
    bool screen;  // standard input and output are one terminal that can be cleared
} terminal;

// Whether a standard stream is a terminal.
bool stdin_is_terminal(void);
bool stderr_is_terminal(void);

// Looks at the locale (set from the environment by main), TERM and NO_COLOR.
terminal terminal_look(void);

// Prints a line if the window is narrower than the board.
void terminal_warn_if_narrow(const terminal *t, const rules_state *state);

#endif
