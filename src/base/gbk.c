#include "base/gbk.h"

#include <errno.h>
#include <iconv.h>

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
