// What the programs for browsers ask of a process: there is none.
#include "os/process.h"

uint64_t os_memory_total(void) { return 0; }

uint64_t os_memory_available(void) { return 0; }

int os_processor_count(void) { return 1; }

void *os_library_open(const char *name) {
    (void)name;
    return NULL;
}

void (*os_library_find(void *library, const char *name))(void) {
    (void)library;
    (void)name;
    return NULL;
}
