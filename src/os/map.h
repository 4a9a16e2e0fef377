// Memory from the system: files mapped for reading, and large or aligned blocks. Any thread.
#ifndef KRATON_OS_MAP_H
#define KRATON_OS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A file as read-only memory. Its owner closes it.
typedef struct {
    const uint8_t *bytes; // NULL for an empty file
    size_t size;
} os_map;

// How a mapped file will be read.
typedef enum {
    OS_MAP_NORMAL,
    OS_MAP_RANDOM,     // single places in no order
    OS_MAP_SEQUENTIAL, // once, from the beginning to the end
    OS_MAP_SOON,       // all of it, soon: start reading now
} os_map_advice;

// Maps a plain file; anything else is refused. False, with the reason in errno, when it cannot.
// Never waits for the other end of a pipe.
bool os_map_open(os_map *map, const char *path) __attribute__((warn_unused_result));
// A hint; it may have no effect.
void os_map_advise(const os_map *map, os_map_advice advice);
// Allowed on a zeroed os_map and twice.
void os_map_close(os_map *map);

// The alignment of os_memory_new for blocks of at least this size.
enum { OS_LARGE_PAGE = 2 << 20 };

// Large memory for random access: zeroed, in large pages where the system grants them, and taken
// from the system only as it is touched. NULL when there is none.
void *os_memory_new(size_t bytes) __attribute__((warn_unused_result));
// `bytes` is what was asked for. NULL is allowed.
void os_memory_free(void *memory, size_t bytes);

// Memory at a multiple of `alignment` (a power of two), not zeroed. Freed by os_aligned_free, not
// by free. NULL when there is none.
void *os_aligned_new(size_t alignment, size_t bytes) __attribute__((warn_unused_result));
void os_aligned_free(void *memory);

#endif
