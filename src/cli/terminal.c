#include "cli/terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

terminal terminal_look(void) {
    const char *name = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    bool dumb = name && strcmp(name, "dumb") == 0;
    bool shown = isatty(STDOUT_FILENO) && name && *name && !dumb;
    return (terminal){
        .unicode = !dumb && strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .colour = shown && !(no_colour && *no_colour),
        .redraws = shown,
        .screen = shown && isatty(STDIN_FILENO),
    };
}
