#include "os/charset.h"

#include "os/windows/wide.h"

enum { GBK = 936, BIG5 = 950, GB18030 = 54936 };

bool os_converter_open(os_converter *converter, os_charset from, os_charset to) {
    *converter = (os_converter){CP_UTF8, from, to};
    os_charset other = from == OS_CHARSET_UTF8 ? to : from;
    if (other == OS_CHARSET_BIG5)
        converter->handle = BIG5;
    else if (other == OS_CHARSET_GB18030) // without it the codes of four bytes are missing
        converter->handle = IsValidCodePage(GB18030) ? GB18030 : GBK;
    return IsValidCodePage((UINT)converter->handle);
}

void os_converter_close(os_converter *converter) { (void)converter; }

// Bytes of the character at *in, as its first ones tell; 0 where they tell of none.
static size_t length_of(os_charset charset, const unsigned char *in, size_t left) {
    unsigned char c = in[0];
    bool is_lead = c > 0x80 && c < 0xff;
    switch (charset) {
    case OS_CHARSET_UTF8:
        return c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    case OS_CHARSET_GB18030:
        return c < 0x80                                              ? 1
               : is_lead && left > 1 && in[1] >= '0' && in[1] <= '9' ? 4
               : is_lead                                             ? 2
                                                                     : 0;
    case OS_CHARSET_BIG5:
        return c < 0x80 ? 1 : is_lead ? 2 : 0;
    default: {
        unsigned char high = left > 1 ? in[charset == OS_CHARSET_UTF16LE] : 0;
        return high >= 0xd8 && high < 0xdc ? 4 : 2;
    }
    }
}

static bool is_wide(os_charset charset) {
    return charset == OS_CHARSET_UTF16LE || charset == OS_CHARSET_UTF16BE;
}

// One character as UTF-16; 0 where the bytes are none.
static int decode(const os_converter *c, const char *in, size_t bytes, wchar_t wide[2]) {
    if (!is_wide(c->from)) {
        UINT page = c->from == OS_CHARSET_UTF8 ? CP_UTF8 : (UINT)c->handle;
        return MultiByteToWideChar(page, MB_ERR_INVALID_CHARS, in, (int)bytes, wide, 2);
    }
    for (size_t i = 0; i < bytes / 2; i++) {
        unsigned char first = (unsigned char)in[2 * i], second = (unsigned char)in[2 * i + 1];
        wide[i] =
            (wchar_t)(c->from == OS_CHARSET_UTF16LE ? second << 8 | first : first << 8 | second);
    }
    bool is_low = wide[bytes / 2 - 1] >= 0xdc00 && wide[bytes / 2 - 1] < 0xe000;
    return is_low == (bytes == 4) ? (int)(bytes / 2) : 0;
}

// The bytes of a character, 0 where it is missing there.
static int encode(const os_converter *c, const wchar_t *wide, int count, char bytes[8]) {
    if (is_wide(c->to)) {
        for (int i = 0; i < count && i < 2; i++) {
            bytes[2 * i + (c->to == OS_CHARSET_UTF16BE)] = (char)wide[i];
            bytes[2 * i + (c->to == OS_CHARSET_UTF16LE)] = (char)(wide[i] >> 8);
        }
        return 2 * count;
    }
    BOOL is_missing = FALSE;
    UINT page = c->to == OS_CHARSET_UTF8 ? CP_UTF8 : (UINT)c->handle;
    bool is_whole = page == CP_UTF8 || page == GB18030; // these have every character
    int n = WideCharToMultiByte(page, is_whole ? 0 : WC_NO_BEST_FIT_CHARS, wide, count, bytes, 8,
                                NULL, is_whole ? NULL : &is_missing);
    return is_missing ? 0 : n;
}

os_converted os_convert(const os_converter *converter, const char **in, size_t *left, char **out,
                        size_t *room) {
    while (*left > 0) {
        wchar_t wide[2];
        char bytes[8];
        size_t length = length_of(converter->from, (const unsigned char *)*in, *left);
        int units = length && length <= *left ? decode(converter, *in, length, wide) : 0;
        int n = units > 0 ? encode(converter, wide, units, bytes) : 0;
        if (n <= 0)
            return OS_CONVERTED_BAD;
        if ((size_t)n > *room)
            return OS_CONVERTED_ROOM;
        for (int i = 0; i < n; i++)
            *(*out)++ = bytes[i];
        *room -= (size_t)n;
        *in += length;
        *left -= length;
    }
    return OS_CONVERTED_ALL;
}
