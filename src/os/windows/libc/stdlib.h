// <stdlib.h> with what the C library of Windows lacks.
#include_next <stdlib.h>

#ifndef KRATON_OS_WINDOWS_STDLIB_H
#define KRATON_OS_WINDOWS_STDLIB_H

// malloc aligns to 16 bytes, all that is asked for here; free takes it back. NULL for more than
// that.
static inline void *aligned_alloc(size_t alignment, size_t size) {
    return alignment <= 16 ? malloc(size) : NULL;
}

#endif
