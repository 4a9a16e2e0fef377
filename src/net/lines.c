#include "net/lines.h"

static text without_cr(text line) {
    if (line.len && line.at[line.len - 1] == '\r')
        line.len--;
    return line;
}

static size_t longest(const lines *l) { return l->most ? l->most : LINES_MAX; }

static bool hold(lines *l, text bytes) {
    if (l->held.len + bytes.len > longest(l) + 1) // a CR may yet turn out to be part of the end
        return false;
    buffer_add(&l->held, bytes);
    return !l->held.failed;
}

lines_status lines_next(lines *l, text *bytes, text *line) {
    const char *end = bytes->len ? memchr(bytes->at, '\n', bytes->len) : NULL;
    if (l->held.len == 0 && !end)
        buffer_free(&l->held);
    if (!end) {
        text rest = *bytes;
        *bytes = text_skip(rest, rest.len);
        return rest.len == 0 || hold(l, rest) ? LINES_NONE : LINES_TOO_LONG;
    }
    text piece = {bytes->at, (size_t)(end - bytes->at)};
    *bytes = text_skip(*bytes, piece.len + 1);
    if (l->held.len) {
        if (!hold(l, piece))
            return LINES_TOO_LONG;
        piece = buffer_text(&l->held);
        buffer_clear(&l->held); // the bytes stay until the next call
    }
    *line = without_cr(piece);
    return line->len > longest(l) ? LINES_TOO_LONG : LINES_ONE;
}

void lines_free(lines *l) { buffer_free(&l->held); }
