#include "os/steps.h"
#include "os/wasi/memory_file.h"

#include <stdlib.h>
#include <string.h>

// The file itself: it stays where it is as long as nobody writes to it.
bool os_step_map(os_map *map, const os_file *file, size_t size) {
    *map = (os_map){memory_file_bytes(file), size};
    return true;
}

void os_map_advise(const os_map *map, os_map_advice advice) {
    (void)map;
    (void)advice;
}

void os_map_close(os_map *map) { *map = (os_map){NULL, 0}; }

void *os_memory_new(size_t bytes) {
    enum { CACHE_LINE = 64 };
    void *memory = bytes ? os_aligned_new(CACHE_LINE, bytes) : NULL;
    return memory ? memset(memory, 0, bytes) : NULL;
}

void os_memory_free(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

void *os_aligned_new(size_t alignment, size_t bytes) {
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void os_aligned_free(void *memory) { free(memory); }
