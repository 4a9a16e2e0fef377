// The standard input. Windows has no way to wait for bytes in a pipe or for a line on the console
// together with something else, so a thread reads them into a buffer from the first wait on.
#ifndef KRATON_OS_WINDOWS_INPUT_H
#define KRATON_OS_WINDOWS_INPUT_H

#include "os/file.h"
#include "os/windows/wide.h"

// For the standard input: an event that is set while bytes or the end can be read; it starts the
// thread. NULL for other files, and where it cannot be started.
HANDLE input_readable(const os_file *file);
// Whether reading another file than that would return at once.
bool input_is_ready(const os_file *file);

// Takes what the thread has read, waiting for some. False where the thread does not run: then the
// caller reads the file itself.
bool input_take(const os_file *file, void *bytes, size_t size, size_t *got);

// Reads a file, a pipe or a line of the console; the end is no failure.
bool input_read(HANDLE handle, void *bytes, size_t size, size_t *got);

#endif
