#include "os/steps.h"
#include "os/windows/wide.h"

#include <malloc.h>

bool os_step_map(os_map *map, const os_file *file, size_t size) {
    HANDLE mapping = CreateFileMappingW((HANDLE)file->handle, NULL, PAGE_READONLY, 0, 0, NULL);
    void *bytes = mapping ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0) : NULL;
    DWORD error = GetLastError();
    if (mapping)
        CloseHandle(mapping);
    if (!bytes)
        return fail_by_code(error);
    *map = (os_map){bytes, size};
    return true;
}

void os_map_advise(const os_map *map, os_map_advice advice) {
    WIN32_MEMORY_RANGE_ENTRY range = {(void *)(uintptr_t)map->bytes, map->size};
    if (map->bytes && advice == OS_MAP_SOON)
        (void)PrefetchVirtualMemory(GetCurrentProcess(), 1, &range, 0);
}

void os_map_close(os_map *map) {
    if (map->bytes)
        UnmapViewOfFile(map->bytes);
    *map = (os_map){NULL, 0};
}

// Blocks that are large enough begin at a large page: more addresses are reserved than memory is
// taken.
void *os_memory_new(size_t bytes) {
    size_t surplus = bytes >= OS_LARGE_PAGE ? OS_LARGE_PAGE : 0;
    if (bytes == 0 || bytes > SIZE_MAX - surplus)
        return NULL;
    char *reserved = VirtualAlloc(NULL, bytes + surplus, MEM_RESERVE, PAGE_READWRITE);
    if (!reserved)
        return NULL;
    size_t before = surplus ? (size_t)(-(uintptr_t)reserved % OS_LARGE_PAGE) : 0;
    void *memory = VirtualAlloc(reserved + before, bytes, MEM_COMMIT, PAGE_READWRITE);
    if (!memory)
        VirtualFree(reserved, 0, MEM_RELEASE);
    return memory;
}

void os_memory_free(void *memory, size_t bytes) {
    MEMORY_BASIC_INFORMATION info;
    (void)bytes;
    if (memory && VirtualQuery(memory, &info, sizeof info))
        VirtualFree(info.AllocationBase, 0, MEM_RELEASE);
}

void *os_aligned_new(size_t alignment, size_t bytes) { return _aligned_malloc(bytes, alignment); }

void os_aligned_free(void *memory) { _aligned_free(memory); }
