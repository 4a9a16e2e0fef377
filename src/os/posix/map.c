#define _GNU_SOURCE
#include "os/steps.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

bool os_step_map(os_map *map, const os_file *file, size_t size) {
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, (int)file->handle, 0);
    if (bytes == MAP_FAILED)
        return false;
    *map = (os_map){bytes, size};
    return true;
}

void os_map_advise(const os_map *map, os_map_advice advice) {
    static const int system[] = {[OS_MAP_NORMAL] = MADV_NORMAL,
                                 [OS_MAP_RANDOM] = MADV_RANDOM,
                                 [OS_MAP_SEQUENTIAL] = MADV_SEQUENTIAL,
                                 [OS_MAP_SOON] = MADV_WILLNEED};
    if (map->bytes)
        (void)madvise((void *)(uintptr_t)map->bytes, map->size, system[advice]);
}

void os_map_close(os_map *map) {
    if (map->bytes)
        munmap((void *)(uintptr_t)map->bytes, map->size);
    *map = (os_map){NULL, 0};
}

// Blocks that are large enough begin at a large page: a surplus is asked for and given back.
void *os_memory_new(size_t bytes) {
    size_t surplus = bytes >= OS_LARGE_PAGE ? OS_LARGE_PAGE : 0;
    if (bytes == 0 || bytes > SIZE_MAX - surplus)
        return NULL;
    char *got = mmap(NULL, bytes + surplus, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        return NULL;
    if (!surplus)
        return got;
    size_t before = (size_t)(-(uintptr_t)got % OS_LARGE_PAGE);
    char *memory = got + before;
    // Only whole pages of the system can be given back.
    size_t page = (size_t)sysconf(_SC_PAGESIZE), kept = (bytes + page - 1) / page * page;
    if (before)
        munmap(got, before);
    if (before + kept < bytes + surplus)
        munmap(memory + kept, bytes + surplus - before - kept);
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

void os_memory_free(void *memory, size_t bytes) {
    if (memory)
        munmap(memory, bytes);
}

void *os_aligned_new(size_t alignment, size_t bytes) {
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void os_aligned_free(void *memory) { free(memory); }
