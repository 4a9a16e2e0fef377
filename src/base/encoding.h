// Encodings of text. UTF-8: telling it from other bytes and cutting it without breaking a
// character. GBK, the encoding of Chinese contest files, to and from UTF-8. GBK is read and written
// as GB18030, which is GBK with longer codes for everything GBK lacks: no character is ever lost.
#ifndef KRATON_BASE_ENCODING_H
#define KRATON_BASE_ENCODING_H

#include "base/bits.h"
#include "base/text.h"

// --- UTF-8 ---------------------------------------------------------------------------------------

// Bytes of the character t starts with, 0 where it starts with none (overlong forms, surrogates and
// cut characters are none).
int utf8_length(text t);

bool utf8_is_valid(text t);

// Whether t is UTF-8 but for a last character that is cut off. ASCII alone does not count as such.
bool utf8_is_cut(text t);

// The longest start of a valid t with at most `bytes` bytes that ends between two characters.
text utf8_cut(text t, size_t bytes);

// --- GBK -----------------------------------------------------------------------------------------

typedef enum {
    GBK_OK,
    GBK_BAD,     // bytes that are no character
    GBK_CUT,     // the last character is incomplete
    GBK_FULL,    // the writer was full
    GBK_MISSING, // the C library was installed without the conversion
} gbk_status;

// Appends the text in the other encoding. On failure what was converted so far stays.
MUST_USE gbk_status gbk_to_utf8(text gbk, writer *out);
MUST_USE gbk_status gbk_from_utf8(text utf8, writer *out);

// Bytes of the character t starts with, without checking them: for finding ASCII characters, which
// are also second bytes. At least 1; t is not empty.
size_t gbk_length(text t);

#endif
