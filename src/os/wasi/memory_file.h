// Files of a program in a browser: they are in its memory and end with it.
#ifndef KRATON_OS_WASI_MEMORY_FILE_H
#define KRATON_OS_WASI_MEMORY_FILE_H

#include "os/file.h"

// The bytes of an open file.
const uint8_t *memory_file_bytes(const os_file *file);

#endif
