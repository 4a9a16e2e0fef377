#include "cli/terminal.h"

#include "base/minmax.h"
#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_terminal(os_file file) { return os_file_is_terminal(&file); }

bool stdin_is_terminal(void) { return is_terminal(os_standard_input()); }

bool stderr_is_terminal(void) { return is_terminal(os_standard_error()); }

// Whether the environment names a UTF-8 locale; it need not be installed.
static bool is_utf8_asked_for(void) {
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *name = NULL;
    for (int i = 0; i < 3 && !(name && *name); i++)
        name = getenv(variables[i]);
    const char *dot = name ? strchr(name, '.') : NULL;
    return dot && (strncasecmp(dot, ".UTF-8", 6) == 0 || strncasecmp(dot, ".utf8", 5) == 0);
}

// The width of the window; 0 if unknown.
static int count_columns(void) {
    os_file out = os_standard_output();
    int columns = 0, rows = 0;
    os_terminal_size(&out, &columns, &rows);
    return columns;
}

static int board_width(const rules_state *state) {
    char board[RULES_BOARD_SIZE];
    writer w = writer_on(board, sizeof board);
    rules_draw(state, &(rules_drawing){.last = MOVE_NONE}, &w); // in ASCII a byte is a column
    int width = 0;
    for (text rest = {board, w.used}; rest.len;) {
        int n = (int)text_next_line(&rest).len;
        width = max_int(width, n);
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
    os_file out = os_standard_output();
    bool shown = os_terminal_has_escapes(&out);
    return (terminal){
        .unicode = !dumb && (os_terminal_is_utf8() || is_utf8_asked_for()),
        .columns = count_columns(),
        .colour = shown && !(no_colour && *no_colour),
        .redraws = shown,
        .screen = shown && stdin_is_terminal(),
    };
}
