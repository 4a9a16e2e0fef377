// Unpacks zlib streams (RFC 1950 and 1951). For the few small files that records come in: the
// engines and the library need no zlib for them. Time is linear in input and output; any bytes are
// survived.
#ifndef KRATON_BASE_INFLATE_H
#define KRATON_BASE_INFLATE_H

#include "base/buffer.h"

// Adds what the stream holds to the buffer, at most so many bytes. False where it is damaged, cut
// off or longer, or memory runs out; then the buffer holds what came before.
MUST_USE bool inflate_zlib(text packed, size_t most, buffer *out);

#endif
