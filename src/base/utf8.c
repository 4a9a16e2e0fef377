#include "base/utf8.h"

static int length_by_first(unsigned char c) {
    return c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
}

// Whether the second byte may follow the first: what keeps out overlong forms, surrogates and code
// points past the last.
static bool second_fits(unsigned char first, unsigned char second) {
    unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high;
}

// How many bytes at the start of t fit the character its first byte announces.
static int fitting(text t, int length) {
    int n = 1;
    while (n < length && (size_t)n < t.len) {
        unsigned char c = (unsigned char)t.at[n];
        if (n == 1 ? !second_fits((unsigned char)t.at[0], c) : (c & 0xc0) != 0x80)
            break;
        n++;
    }
    return n;
}

int utf8_length(text t) {
    int length = t.len ? length_by_first((unsigned char)t.at[0]) : 0;
    return length && fitting(t, length) == length ? length : 0;
}

// Skips all valid characters; says whether one of several bytes was among them.
static bool skip_valid(text *t) {
    bool several = false;
    for (int n; (n = utf8_length(*t)) != 0; *t = text_skip(*t, (size_t)n))
        several |= n > 1;
    return several;
}

bool utf8_is_valid(text t) {
    skip_valid(&t);
    return t.len == 0;
}

bool utf8_is_cut(text t) {
    if (!skip_valid(&t) || t.len == 0)
        return false;
    int length = length_by_first((unsigned char)t.at[0]);
    return length && (size_t)fitting(t, length) == t.len;
}

text utf8_cut(text t, size_t bytes) {
    if (t.len <= bytes)
        return t;
    while (bytes && ((unsigned char)t.at[bytes] & 0xc0) == 0x80)
        bytes--;
    return (text){t.at, bytes};
}
