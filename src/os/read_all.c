#include "os/file.h"

#include <errno.h>
#include <stdlib.h>

bool os_file_read_all(const os_file *file, size_t most, char **bytes, size_t *size) {
    size_t capacity = 1 << 16, len = 0, got = 1;
    char *all = malloc(capacity);
    int error = all ? 0 : ENOMEM;
    while (!error && got > 0) {
        if (len == capacity) {
            char *more = realloc(all, capacity *= 2);
            all = more ? more : all;
            error = more ? 0 : ENOMEM;
            continue;
        }
        if (!os_file_read(file, all + len, capacity - len, &got))
            error = errno;
        len += got;
        if (len > most)
            error = EFBIG;
    }
    if (error) {
        free(all);
        errno = error;
        return false;
    }
    *bytes = all;
    *size = len;
    return true;
}
