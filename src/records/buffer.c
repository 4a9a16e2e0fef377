#include "records/format.h"

#include <stdlib.h>

void buffer_add(buffer *b, text t) {
    if (b->failed || t.len == 0)
        return;
    if (t.len > b->capacity - b->len) {
        size_t capacity = b->capacity ? b->capacity : 4096;
        while (capacity - b->len < t.len)
            capacity *= 2;
        char *grown = realloc(b->bytes, capacity);
        if (!grown) {
            b->failed = true;
            return;
        }
        b->bytes = grown;
        b->capacity = capacity;
    }
    memcpy(b->bytes + b->len, t.at, t.len);
    b->len += t.len;
}

void buffer_string(buffer *b, const char *terminated) { buffer_add(b, text_of(terminated)); }

void buffer_free(buffer *b) {
    free(b->bytes);
    *b = (buffer){0};
}
