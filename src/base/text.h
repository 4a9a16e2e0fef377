// Bounded text: a writer that never overruns and a slice for reading. Everything that prints into
// memory or parses input uses these two; neither allocates, and both are safe on any bytes.
#ifndef KRATON_BASE_TEXT_H
#define KRATON_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A run of bytes owned by somebody else; not terminated.
typedef struct {
    const char *at;
    size_t len;
} text;

static inline text text_of(const char *terminated) {
    return (text){terminated, strlen(terminated)};
}

static inline bool text_equal(text a, text b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool text_is(text a, const char *terminated) {
    return text_equal(a, text_of(terminated));
}

bool text_starts(text a, const char *prefix);
// Where needle (not empty) first occurs in a, or a.len.
size_t text_find(text a, const char *needle);
text text_skip(text a, size_t bytes); // a without its first bytes (at most all of them)
text text_trim(text a);               // without blanks, tabs, CR and LF at both ends
text text_next_word(text *rest); // cuts the next blank-separated word off rest; empty at the end
text text_next_line(text *rest); // cuts the next line off rest, its CR LF removed

// Reads all of a as a decimal number within [low, high].
bool text_to_int(text a, int64_t low, int64_t high, int64_t *value)
    __attribute__((warn_unused_result));

// Writes into a caller's buffer, always terminated; what does not fit is dropped and remembered.
typedef struct {
    char *buffer;
    size_t capacity, used;
    bool overflow;
} writer;

writer writer_on(char *room, size_t capacity); // capacity at least 1
void write_char(writer *w, char c);
void write_text(writer *w, text t);
void write_string(writer *w, const char *terminated);
void write_number(writer *w, int64_t number); // as %lld, at a fraction of its cost
void write_format(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

// One line that says what was wrong and where; every parser reports its error so.
typedef struct {
    char line[256];
} fault;

// Fills in the fault and returns false, so that parsers can end with it. Bytes that are not
// printable, nor UTF-8, are shown as '?' when they come through fault_quote.
bool fault_set(fault *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A short printable copy of untrusted input for messages: at most 40 bytes, quoted, cut with "...".
typedef struct {
    char shown[64];
} quoted;
quoted fault_quote(text t);

#endif
