// In the place of libxxhash, in programs for browsers: zstd.h beside this says why their checksums
// need not be those of other systems. This is FNV-1a.
#ifndef KRATON_OS_WASI_XXHASH_H
#define KRATON_OS_WASI_XXHASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t XXH3_64bits(const void *bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const uint8_t *at = bytes; size > 0; at++, size--)
        hash = (hash ^ *at) * 0x100000001b3u;
    return hash;
}

#endif
