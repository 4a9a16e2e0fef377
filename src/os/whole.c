// Whole files read, written and mapped: the same on every system.
#include "os/steps.h"

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

bool os_path_write_all(const char *path, const void *bytes, size_t size) {
    char temporary[4096] = "";
    os_file file;
    os_file_status status;
    bool in_place = os_path_get_status(path, &status) && status.kind != OS_KIND_FILE;
    if (in_place ? !os_file_open(&file, path, OS_FILE_WRITE)
                 : !os_step_open_temporary(&file, path, temporary, sizeof temporary))
        return false;
    bool fine = os_file_write(&file, bytes, size) && os_file_sync(&file);
    int error = errno;
    if (!os_file_close(&file) && fine) {
        fine = false;
        error = errno;
    }
    if (fine && (in_place || os_path_rename(temporary, path)))
        return true;
    error = fine ? errno : error;
    if (!in_place)
        (void)os_path_remove(temporary);
    errno = error;
    return false;
}

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
    if (fine && status.size > 0)
        fine = os_step_map(map, &file, (size_t)status.size);
    int error = errno;
    (void)os_file_close(&file);
    errno = error;
    return fine;
}
