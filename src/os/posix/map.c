#define _GNU_SOURCE
#include "os/map.h"

#include "os/file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

bool os_map_open(os_map *map, const char *path) {
    os_file file;
    os_file_status status;
    *map = (os_map){NULL, 0};
    if (!os_file_open(&file, path, OS_FILE_READ))
        return false;
    bool fine = os_file_get_status(&file, &status);
    if (fine && status.kind != OS_KIND_FILE) {
        errno = status.kind == OS_KIND_FOLDER ? EISDIR : EINVAL;
        fine = false;
    }
    if (fine && status.size > 0) {
        void *bytes = mmap(NULL, status.size, PROT_READ, MAP_SHARED, (int)file.handle, 0);
        fine = bytes != MAP_FAILED;
        if (fine)
            *map = (os_map){bytes, status.size};
    }
    int error = errno;
    (void)os_file_close(&file);
    errno = error;
    return fine;
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
