#include "base/encoding.h"

#include <errno.h>
#include <iconv.h>

// --- UTF-8 ---------------------------------------------------------------------------------------

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

// --- GBK -----------------------------------------------------------------------------------------

static gbk_status convert(const char *to, const char *from, text in, writer *out) {
    iconv_t cd = iconv_open(to, from);
    if (cd == (iconv_t)-1)
        return GBK_MISSING;
    char *source = (char *)in.at; // iconv does not write there, its prototype is older than const
    char *target = out->buffer + out->used;
    size_t left = in.len, room = out->capacity - 1 - out->used;
    size_t result = iconv(cd, &source, &left, &target, &room);
    int error = errno;
    iconv_close(cd);
    out->used = (size_t)(target - out->buffer);
    *target = '\0';
    if (result != (size_t)-1)
        return GBK_OK;
    if (error == E2BIG) {
        out->overflow = true;
        return GBK_FULL;
    }
    return error == EINVAL ? GBK_CUT : GBK_BAD;
}

gbk_status gbk_to_utf8(text gbk, writer *out) { return convert("UTF-8", "GB18030", gbk, out); }

gbk_status gbk_from_utf8(text utf8, writer *out) { return convert("GB18030", "UTF-8", utf8, out); }

size_t gbk_length(text t) {
    unsigned char first = (unsigned char)t.at[0];
    if (first < 0x81 || first == 0xff || t.len < 2)
        return 1;
    unsigned char second = (unsigned char)t.at[1];
    if (second >= 0x40)
        return 2;
    return second >= '0' && second <= '9' && t.len >= 4 ? 4 : 1;
}
