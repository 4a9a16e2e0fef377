// Encodings of text. UTF-8: telling it from other bytes and cutting it without breaking a
// character. Others: which one a file is in, and to and from UTF-8. GBK is read and written as
// GB18030, which is GBK with longer codes for everything GBK lacks: no character is ever lost.
// Nothing is kept between calls; any thread may call.
#ifndef KRATON_BASE_ENCODING_H
#define KRATON_BASE_ENCODING_H

#include "base/buffer.h"

// --- UTF-8 ---------------------------------------------------------------------------------------

// Bytes of the character t starts with, 0 where it starts with none (overlong forms, surrogates and
// cut characters are none).
int utf8_length(text t);

bool utf8_is_valid(text t);

// Whether t is UTF-8 but for a last character that is cut off. ASCII alone does not count as such.
bool utf8_is_cut(text t);

// The longest start of a valid t with at most `bytes` bytes that ends between two characters.
text utf8_cut(text t, size_t bytes);

// --- other encodings ---------------------------------------------------------------------------

typedef enum {
    ENCODING_UTF8,
    ENCODING_GB18030,
    ENCODING_BIG5,
    ENCODING_UTF16LE,
    ENCODING_UTF16BE
} encoding;

const char *encoding_name(encoding e);

// The encoding that the bytes are most likely in. Byte order marks and valid UTF-8 decide, and
// UTF-8 with some damage as long as most of it is good. UTF-16 is told by its zero bytes. Between
// GB18030 and Big5 the one wins that gives more of the characters that game records are full of;
// GB18030 where there is no evidence.
encoding encoding_detect(text bytes);

// Appends the bytes in UTF-8, without a byte order mark. Bytes that are no character become U+FFFD;
// *bad counts them. False when memory runs out or the C library lacks the conversion.
MUST_USE bool encoding_to_utf8(encoding e, text bytes, buffer *out, size_t *bad);

// The same for a text whose lines are mostly, but maybe not all, in one encoding, as in files made
// of several. Lines that are clearly UTF-8 are read so. GB18030 and Big5 are told apart by the line
// and its neighbours; *unsure counts the lines of a text in both that do not show theirs.
MUST_USE bool encoding_lines_to_utf8(encoding usual, text bytes, buffer *out, size_t *bad,
                                     size_t *unsure);

// Appends UTF-8 in another encoding. False, with nothing added, where a character is missing there.
MUST_USE bool encoding_from_utf8(encoding e, text utf8, buffer *out);

#endif
