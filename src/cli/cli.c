#include "cli/cli.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

// Length of the printable character at the start of t, or 0. ASCII's control characters are not
// printable, nor are those of U+0080 to U+009F, which terminals obey as well.
static size_t printable_length(text t) {
    unsigned char c = (unsigned char)t.at[0];
    if (c < 0x20 || c == 0x7f)
        return 0;
    if (c == 0xc2 && t.len > 1 && (unsigned char)t.at[1] < 0xa0)
        return 0;
    return (size_t)utf8_length(t);
}

int complain(const char *format, ...) {
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (text rest = text_of(line); rest.len;) {
        size_t n = printable_length(rest);
        if (n)
            fwrite(rest.at, 1, n, stderr);
        else
            fputc('?', stderr);
        rest = text_skip(rest, n ? n : 1);
    }
    fputc('\n', stderr);
    return STATUS_BAD;
}

const rules_game *find_game(const char *name) {
    const rules_game *game = rules_find(text_of(name));
    if (game)
        return game;
    char known[64];
    writer w = writer_on(known, sizeof known);
    for (int i = 0; rules_nth(i); i++)
        write_format(&w, "%s%s", i ? ", " : "", rules_name(rules_nth(i)));
    complain("kraton: no game %s (%s)", fault_quote(text_of(name)).shown, known);
    return NULL;
}

rules_state *new_game(const rules_game *game, const char *rules, const char *fen) {
    fault why;
    rules_set set = rules_default_set(game);
    if (rules && !rules_set_parse(game, text_of(rules), &set, &why)) {
        complain("kraton: %s", why.line);
        return NULL;
    }
    void *memory = aligned_alloc(16, (rules_state_size(RULES_MAX_PLIES) + 15) & ~(size_t)15);
    if (!memory) {
        complain("kraton: out of memory");
        return NULL;
    }
    rules_state *state = rules_state_new(memory, game, &set, RULES_MAX_PLIES);
    if (fen && !rules_set_fen(state, text_of(fen), &why)) {
        complain("kraton: %s", why.line);
        free(memory);
        return NULL;
    }
    return state;
}

bool find_notation(const rules_game *game, const char *name, rules_notation *notation) {
    fault why;
    if (rules_find_notation(game, text_of(name), notation, &why))
        return true;
    complain("kraton: %s", why.line);
    return false;
}
