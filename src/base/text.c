#include "base/text.h"

#include "base/encoding.h"
#include "base/minmax.h"

#include <stdio.h>

bool text_starts(text a, const char *prefix) {
    size_t n = strlen(prefix);
    return a.len >= n && memcmp(a.at, prefix, n) == 0;
}

size_t text_find(text a, const char *needle) {
    size_t n = strlen(needle);
    for (text rest = a; rest.len >= n;) {
        const char *at = memchr(rest.at, needle[0], rest.len - n + 1);
        if (!at)
            break;
        if (memcmp(at, needle, n) == 0)
            return (size_t)(at - a.at);
        rest = text_skip(rest, (size_t)(at - rest.at) + 1);
    }
    return a.len;
}

text text_skip(text a, size_t bytes) {
    bytes = min_size(bytes, a.len);
    return bytes ? (text){a.at + bytes, a.len - bytes} : a; // an empty text may have no address
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

text text_trim(text a) {
    while (a.len && is_blank(a.at[0]))
        a = text_skip(a, 1);
    while (a.len && is_blank(a.at[a.len - 1]))
        a.len--;
    return a;
}

text text_next_word(text *rest) {
    while (rest->len && is_blank(rest->at[0]))
        *rest = text_skip(*rest, 1);
    text word = {rest->at, 0};
    while (word.len < rest->len && !is_blank(rest->at[word.len]))
        word.len++;
    *rest = text_skip(*rest, word.len);
    return word;
}

text text_next_line(text *rest) {
    if (rest->len == 0)
        return *rest;
    const char *end = memchr(rest->at, '\n', rest->len);
    text line = {rest->at, end ? (size_t)(end - rest->at) : rest->len};
    *rest = text_skip(*rest, line.len + 1);
    if (line.len && line.at[line.len - 1] == '\r')
        line.len--;
    return line;
}

bool text_to_int(text a, int64_t low, int64_t high, int64_t *value) {
    bool negative = a.len && a.at[0] == '-';
    if (negative)
        a = text_skip(a, 1);
    if (a.len == 0 || a.len > 18)
        return false;
    int64_t n = 0;
    for (size_t i = 0; i < a.len; i++) {
        if (a.at[i] < '0' || a.at[i] > '9')
            return false;
        n = n * 10 + (a.at[i] - '0');
    }
    if (negative)
        n = -n;
    if (n < low || n > high)
        return false;
    *value = n;
    return true;
}

writer writer_on(char *room, size_t capacity) {
    room[0] = '\0';
    return (writer){.buffer = room, .capacity = capacity};
}

void write_text(writer *w, text t) {
    size_t room = w->capacity - 1 - w->used;
    if (t.len > room) {
        t.len = room;
        w->overflow = true;
    }
    if (t.len)
        memcpy(w->buffer + w->used, t.at, t.len);
    w->used += t.len;
    w->buffer[w->used] = '\0';
}

void write_char(writer *w, char c) { write_text(w, (text){&c, 1}); }

void write_string(writer *w, const char *terminated) { write_text(w, text_of(terminated)); }

void write_number(writer *w, int64_t number) {
    char digits[20];
    size_t at = sizeof digits;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do
        digits[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (number < 0)
        digits[--at] = '-';
    write_text(w, (text){digits + at, sizeof digits - at});
}

void write_format(writer *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    size_t room = w->capacity - w->used;
    int n = vsnprintf(w->buffer + w->used, room, format, args);
    va_end(args);
    if (n < 0)
        return;
    if ((size_t)n >= room) {
        w->overflow = true;
        w->used = w->capacity - 1;
    } else {
        w->used += (size_t)n;
    }
}

bool fault_set(fault *f, const char *format, ...) {
    if (f) {
        va_list args;
        va_start(args, format);
        vsnprintf(f->line, sizeof f->line, format, args);
        va_end(args);
    }
    return false;
}

quoted fault_quote(text t) {
    quoted q;
    writer w = writer_on(q.shown, sizeof q.shown);
    write_char(&w, '\'');
    size_t left = 40;
    while (t.len) {
        int n = utf8_length(t);
        size_t bytes = n ? (size_t)n : 1;
        if (bytes > left)
            break;
        unsigned char c = (unsigned char)t.at[0];
        write_text(&w, n == 0 || c < 0x20 || c == 0x7f ? text_of("?") : (text){t.at, bytes});
        left -= bytes;
        t = text_skip(t, bytes);
    }
    write_string(&w, t.len ? "...'" : "'");
    return q;
}
