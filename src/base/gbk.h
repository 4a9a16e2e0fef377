// GBK, the encoding of Chinese contest files, to and from UTF-8. Read and written as GB18030, which
// is GBK with longer codes for everything GBK lacks: no character is ever lost.
#ifndef KRATON_BASE_GBK_H
#define KRATON_BASE_GBK_H

#include "base/bits.h"
#include "base/text.h"

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
