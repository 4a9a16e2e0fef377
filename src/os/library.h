// Shared libraries that are looked up at run time, so that a program works without them.
#ifndef KRATON_OS_LIBRARY_H
#define KRATON_OS_LIBRARY_H

// A library by its file name, or NULL where there is none that can be loaded. It stays loaded until
// the program ends. Any thread.
void *os_library_open(const char *name);

// A function of the library; NULL where it has none of that name.
void (*os_library_find(void *library, const char *name))(void);

#endif
