#include "net/lines.h"

#include <stdlib.h>

static text without_cr(text line) {
    if (line.len && line.at[line.len - 1] == '\r')
        line.len--;
    return line;
}

static size_t longest(const lines *l) { return l->most ? l->most : LINES_MAX; }

static bool hold(lines *l, text bytes) {
    size_t need = l->len + bytes.len;
    if (need > longest(l) + 1) // a CR may yet turn out to be part of the end
        return false;
    if (need > l->capacity) {
        size_t capacity = need < 256 ? 256 : longest(l) + 1;
        char *grown = realloc(l->held, capacity);
        if (!grown)
            return false;
        l->held = grown;
        l->capacity = capacity;
    }
    memcpy(l->held + l->len, bytes.at, bytes.len);
    l->len = need;
    return true;
}

lines_status lines_next(lines *l, text *bytes, text *line) {
    const char *end = bytes->len ? memchr(bytes->at, '\n', bytes->len) : NULL;
    if (l->len == 0 && !end && l->held)
        lines_free(l);
    if (!end) {
        text rest = *bytes;
        *bytes = text_skip(rest, rest.len);
        return rest.len == 0 || hold(l, rest) ? LINES_NONE : LINES_TOO_LONG;
    }
    text piece = {bytes->at, (size_t)(end - bytes->at)};
    *bytes = text_skip(*bytes, piece.len + 1);
    if (l->len) {
        if (!hold(l, piece))
            return LINES_TOO_LONG;
        piece = (text){l->held, l->len};
        l->len = 0; // the bytes stay until the next call
    }
    *line = without_cr(piece);
    return line->len > longest(l) ? LINES_TOO_LONG : LINES_ONE;
}

void lines_free(lines *l) {
    free(l->held);
    *l = (lines){.most = l->most};
}
