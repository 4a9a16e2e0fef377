// Bytes that grow: text for files, messages and records. A zeroed buffer is empty and valid. What
// does not fit into memory is remembered in `failed`, so that a caller checks once, at the end. The
// owner frees it. For one thread at a time.
#ifndef KRATON_BASE_BUFFER_H
#define KRATON_BASE_BUFFER_H

#include "base/bits.h"
#include "base/text.h"

typedef struct {
    char *bytes;
    size_t len, capacity;
    bool failed; // memory ran out; nothing more is added
} buffer;

static inline text buffer_text(const buffer *b) { return (text){b->bytes, b->len}; }

void buffer_add(buffer *b, text t);
void buffer_string(buffer *b, const char *terminated);
void buffer_char(buffer *b, char c);
void buffer_format(buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Makes room for so many more bytes, which the caller writes at bytes + len. False without memory.
MUST_USE bool buffer_reserve(buffer *b, size_t more);
// Removes bytes at the front, at most all of them.
void buffer_drop(buffer *b, size_t bytes);
// Empties it and keeps its memory; `failed` is forgotten.
void buffer_clear(buffer *b);
void buffer_free(buffer *b);

#endif
