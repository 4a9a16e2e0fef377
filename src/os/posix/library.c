#include "os/library.h"

#include <dlfcn.h>
#include <string.h>

void *os_library_open(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

void (*os_library_find(void *library, const char *name))(void) {
    // ISO C has no conversion from an object pointer to a function pointer.
    void *symbol = dlsym(library, name);
    void (*function)(void);
    _Static_assert(sizeof symbol == sizeof function, "a function's address is like any other");
    memcpy(&function, &symbol, sizeof function);
    return function;
}
