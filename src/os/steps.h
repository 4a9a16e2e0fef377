// What os/whole.c needs of each system: steps of its functions, for nobody else.
#ifndef KRATON_OS_STEPS_H
#define KRATON_OS_STEPS_H

#include "os/file.h"
#include "os/map.h"

// Makes a file beside `path` with the rights of a new file; its name goes to `temporary`.
bool os_step_open_temporary(os_file *file, const char *path, char *temporary, size_t size);

// Maps an open file that is not empty.
bool os_step_map(os_map *map, const os_file *file, size_t size);

#endif
