// Files in memory (memory_file.h); the standard streams are those of the system. Every folder is
// there.
#include "os/steps.h"
#include "os/wasi/memory_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 256, FIRST_HANDLE = 3 };

typedef struct {
    char *path; // NULL: free
    uint8_t *bytes;
    size_t size, room;
    size_t place; // of the next read
} memory_file;

static memory_file files[MOST_FILES];

static memory_file *file_of(const os_file *file) { return &files[file->handle - FIRST_HANDLE]; }

const uint8_t *memory_file_bytes(const os_file *file) { return file_of(file)->bytes; }

static memory_file *find(const char *path) {
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i].path && strcmp(files[i].path, path) == 0)
            return &files[i];
    errno = ENOENT;
    return NULL;
}

static memory_file *make(const char *path) {
    for (int i = 0; i < MOST_FILES; i++)
        if (!files[i].path) {
            files[i] = (memory_file){.path = strdup(path)};
            return files[i].path ? &files[i] : NULL;
        }
    errno = ENFILE;
    return NULL;
}

// --- open files ---------------------------------------------------------------------------------

bool os_file_open(os_file *file, const char *path, os_file_mode mode) {
    memory_file *f = find(path);
    bool may_make = mode == OS_FILE_REPLACE || mode == OS_FILE_CREATE || mode == OS_FILE_LOCK;
    if (f && mode == OS_FILE_CREATE) {
        errno = EEXIST;
        return false;
    }
    if (!f && may_make)
        f = make(path);
    if (!f)
        return false;
    if (mode == OS_FILE_REPLACE)
        f->size = 0;
    f->place = 0;
    file->handle = f - files + FIRST_HANDLE;
    return true;
}

bool os_file_close(os_file *file) {
    *file = OS_FILE_NONE;
    return true;
}

os_file os_standard_input(void) { return (os_file){STDIN_FILENO}; }

os_file os_standard_output(void) { return (os_file){STDOUT_FILENO}; }

os_file os_standard_error(void) { return (os_file){STDERR_FILENO}; }

bool os_file_read_at(const os_file *file, uint64_t place, void *bytes, size_t size, size_t *got) {
    const memory_file *f = file_of(file);
    *got = place < f->size ? f->size - (size_t)place : 0;
    *got = *got < size ? *got : size;
    if (*got)
        memcpy(bytes, f->bytes + place, *got);
    return true;
}

bool os_file_read(const os_file *file, void *bytes, size_t size, size_t *got) {
    if (file->handle >= FIRST_HANDLE) {
        memory_file *f = file_of(file);
        (void)!os_file_read_at(file, f->place, bytes, size, got);
        f->place += *got;
        return true;
    }
    ssize_t n = read((int)file->handle, bytes, size);
    *got = n > 0 ? (size_t)n : 0;
    return n >= 0;
}

static bool make_room(memory_file *f, size_t size) {
    if (size <= f->room)
        return true;
    size_t room = size > 2 * f->room ? size : 2 * f->room;
    uint8_t *bytes = realloc(f->bytes, room);
    if (!bytes)
        return false;
    memset(bytes + f->room, 0, room - f->room);
    f->bytes = bytes;
    f->room = room;
    return true;
}

bool os_file_write_at(const os_file *file, uint64_t place, const void *bytes, size_t size) {
    memory_file *f = file_of(file);
    size_t end = (size_t)place + size;
    if (!make_room(f, end))
        return false;
    memcpy(f->bytes + place, bytes, size);
    f->size = end > f->size ? end : f->size;
    return true;
}

bool os_file_write(const os_file *file, const void *bytes, size_t size) {
    if (file->handle >= FIRST_HANDLE)
        return os_file_write_at(file, file_of(file)->size, bytes, size);
    for (const char *at = bytes; size > 0;) {
        ssize_t n = write((int)file->handle, at, size);
        if (n < 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool os_file_truncate(const os_file *file, uint64_t size) {
    memory_file *f = file_of(file);
    if (!make_room(f, (size_t)size))
        return false;
    f->size = (size_t)size;
    return true;
}

bool os_file_sync(const os_file *file) {
    (void)file;
    return true;
}

bool os_file_lock(const os_file *file) {
    (void)file;
    return true;
}

bool os_file_get_status(const os_file *file, os_file_status *status) {
    *status = (os_file_status){.kind = OS_KIND_FILE, .size = file_of(file)->size};
    return true;
}

// --- paths --------------------------------------------------------------------------------------

bool os_path_get_status(const char *path, os_file_status *status) {
    const memory_file *f = find(path);
    *status = (os_file_status){.kind = OS_KIND_FILE, .size = f ? f->size : 0};
    return f != NULL;
}

bool os_path_exists(const char *path) { return find(path) != NULL; }

bool os_path_is_link(const char *path) {
    (void)path; // there are none
    return false;
}

bool os_path_rename(const char *from, const char *to) {
    memory_file *f = find(from);
    char *path = f ? strdup(to) : NULL;
    if (!path)
        return false;
    (void)os_path_remove(to);
    free(f->path);
    f->path = path;
    return true;
}

bool os_path_remove(const char *path) {
    memory_file *f = find(path);
    if (!f)
        return false;
    free(f->path);
    free(f->bytes);
    *f = (memory_file){0};
    return true;
}

bool os_step_open_temporary(os_file *file, const char *path, char *temporary, size_t size) {
    if ((size_t)snprintf(temporary, size, "%s.new", path) < size)
        return os_file_open(file, temporary, OS_FILE_REPLACE);
    errno = ENAMETOOLONG;
    return false;
}

bool os_path_read_all(const char *path, size_t most, char **bytes, size_t *size) {
    os_file file;
    return os_file_open(&file, path, OS_FILE_READ) && os_file_read_all(&file, most, bytes, size);
}

bool os_folder_make(const char *path) {
    (void)path;
    return true;
}

bool os_folder_list(const char *path, bool (*on_name)(void *context, const char *name),
                    void *context) {
    size_t len = strlen(path);
    for (int i = 0; i < MOST_FILES; i++) {
        const char *own = files[i].path;
        if (!own || strncmp(own, path, len) != 0 || own[len] != '/' || strchr(own + len + 1, '/'))
            continue;
        if (!on_name(context, own + len + 1))
            break;
    }
    return true;
}

bool os_folder_sync(const char *path) {
    (void)path;
    return true;
}

bool os_folder_lock(os_file *lock, const char *path) {
    (void)path;
    *lock = OS_FILE_NONE;
    return true;
}

bool os_disk_free(const char *path, uint64_t *bytes) {
    (void)path;
    *bytes = SIZE_MAX;
    return true;
}
