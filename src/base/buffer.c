#include "base/buffer.h"

#include "base/minmax.h"
#include "base/vector.h"

#include <stdio.h>
#include <stdlib.h>

enum { LEAST_BYTES = 256 };

bool buffer_reserve(buffer *b, size_t more) {
    if (b->failed)
        return false;
    if (more <= b->capacity - b->len && b->bytes)
        return true;
    size_t wanted = more <= SIZE_MAX - b->len ? b->len + more : SIZE_MAX;
    char *grown = vector_reserve(b->bytes, &b->capacity, max_size(wanted, LEAST_BYTES), 1);
    if (grown)
        b->bytes = grown;
    b->failed = !grown;
    return grown != NULL;
}

void buffer_add(buffer *b, text t) {
    if (t.len == 0 || !buffer_reserve(b, t.len))
        return;
    memcpy(b->bytes + b->len, t.at, t.len);
    b->len += t.len;
}

void buffer_string(buffer *b, const char *terminated) { buffer_add(b, text_of(terminated)); }

void buffer_char(buffer *b, char c) { buffer_add(b, (text){&c, 1}); }

void buffer_format(buffer *b, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    // vsnprintf ends with a zero byte, which needs room but is not counted.
    if (n >= 0 && buffer_reserve(b, (size_t)n + 1)) {
        vsnprintf(b->bytes + b->len, (size_t)n + 1, format, again);
        b->len += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

void buffer_drop(buffer *b, size_t bytes) {
    bytes = min_size(bytes, b->len);
    b->len -= bytes;
    if (bytes && b->len)
        memmove(b->bytes, b->bytes + bytes, b->len);
}

void buffer_clear(buffer *b) {
    b->len = 0;
    b->failed = false;
}

void buffer_free(buffer *b) {
    free(b->bytes);
    *b = (buffer){0};
}
