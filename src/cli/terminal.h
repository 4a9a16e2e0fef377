// What the terminal can show.
#ifndef KRATON_CLI_TERMINAL_H
#define KRATON_CLI_TERMINAL_H

#include <stdbool.h>

typedef struct {
    bool unicode; // the locale writes UTF-8 and the terminal is not dumb
    bool colour;  // standard output is a terminal that knows colours, and NO_COLOR is not set
    bool redraws; // standard output is a terminal whose cursor can be moved
    bool screen;  // standard input and output are one terminal that can be cleared
} terminal;

// Looks at the locale (set from the environment by main), TERM and NO_COLOR.
terminal terminal_look(void);

#endif
