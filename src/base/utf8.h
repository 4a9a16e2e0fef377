// UTF-8: telling it from other bytes and cutting it without breaking a character.
#ifndef KRATON_BASE_UTF8_H
#define KRATON_BASE_UTF8_H

#include "base/text.h"

// Bytes of the character t starts with, 0 where it starts with none (overlong forms, surrogates and
// cut characters are none).
int utf8_length(text t);

bool utf8_is_valid(text t);

// Whether t is UTF-8 but for a last character that is cut off. ASCII alone does not count as such.
bool utf8_is_cut(text t);

// The longest start of a valid t with at most `bytes` bytes that ends between two characters.
text utf8_cut(text t, size_t bytes);

#endif
