#include "os/library.h"

#include "os/windows/wide.h"

void *os_library_open(const char *name) {
    wchar_t wide[WIDE_PATH];
    return wide_path(name, wide) ? (void *)LoadLibraryW(wide) : NULL;
}

void (*os_library_find(void *library, const char *name))(void) {
    return (void (*)(void))GetProcAddress(library, name);
}
