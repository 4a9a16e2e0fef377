#include "cli/terminal.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Whether the locale that was asked for writes UTF-8, by its name: it need not be installed.
static bool is_utf8_asked_for(void) {
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *name = NULL;
    for (int i = 0; i < 3 && !(name && *name); i++)
        name = getenv(variables[i]);
    const char *dot = name ? strchr(name, '.') : NULL;
    return dot && (strncasecmp(dot, ".UTF-8", 6) == 0 || strncasecmp(dot, ".utf8", 5) == 0);
}

// Of the window, or 0 where it is unknown.
static int count_columns(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static int board_width(const rules_state *state) {
    char board[RULES_BOARD_SIZE];
    writer w = writer_on(board, sizeof board);
    rules_draw(state, &(rules_drawing){.last = MOVE_NONE}, &w); // in ASCII a byte is a column
    int width = 0;
    for (text rest = {board, w.used}; rest.len;) {
        int n = (int)text_next_line(&rest).len;
        width = n > width ? n : width;
    }
    return width;
}

void terminal_warn_if_narrow(const terminal *t, const rules_state *state) {
    int width = board_width(state);
    if (t->columns && t->columns < width)
        printf("The board is %d columns wide, this window %d.\n", width, t->columns);
}

terminal terminal_look(void) {
    const char *name = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    bool dumb = name && strcmp(name, "dumb") == 0;
    bool shown = isatty(STDOUT_FILENO) && name && *name && !dumb;
    return (terminal){
        .unicode = !dumb && (strcmp(nl_langinfo(CODESET), "UTF-8") == 0 || is_utf8_asked_for()),
        .columns = count_columns(),
        .colour = shown && !(no_colour && *no_colour),
        .redraws = shown,
        .screen = shown && isatty(STDIN_FILENO),
    };
}
