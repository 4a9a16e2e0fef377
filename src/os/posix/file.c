#define _GNU_SOURCE
#include "os/steps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int fd_of(const os_file *file) { return (int)file->handle; }

// --- open files ---------------------------------------------------------------------------------

bool os_file_open(os_file *file, const char *path, os_file_mode mode) {
    static const int flags[] = {
        [OS_FILE_READ] = O_RDONLY | O_NONBLOCK,
        [OS_FILE_WRITE] = O_WRONLY,
        [OS_FILE_REPLACE] = O_WRONLY | O_CREAT | O_TRUNC,
        [OS_FILE_CREATE] = O_RDWR | O_APPEND | O_CREAT | O_EXCL,
        [OS_FILE_APPEND] = O_RDWR | O_APPEND,
        [OS_FILE_LOCK] = O_RDWR | O_CREAT,
    };
    mode_t rights = mode == OS_FILE_LOCK ? 0600 : 0666;
    file->handle = open(path, flags[mode] | O_CLOEXEC, rights);
    return file->handle >= 0;
}

bool os_file_close(os_file *file) {
    int fd = fd_of(file);
    *file = OS_FILE_NONE;
    return fd < 0 || close(fd) == 0;
}

bool os_file_duplicate(const os_file *file, os_file *copy) {
    copy->handle = fcntl(fd_of(file), F_DUPFD_CLOEXEC, 0);
    return copy->handle >= 0;
}

os_file os_standard_input(void) { return (os_file){STDIN_FILENO}; }

os_file os_standard_output(void) { return (os_file){STDOUT_FILENO}; }

os_file os_standard_error(void) { return (os_file){STDERR_FILENO}; }

bool os_file_is_terminal(const os_file *file) { return isatty(fd_of(file)); }

bool os_terminal_has_escapes(const os_file *file) {
    const char *name = getenv("TERM");
    return os_file_is_terminal(file) && name && *name && strcmp(name, "dumb") != 0;
}

bool os_terminal_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

void os_terminal_size(const os_file *file, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(fd_of(file), TIOCGWINSZ, &size) != 0)
        return;
    *columns = size.ws_col ? size.ws_col : *columns;
    *rows = size.ws_row ? size.ws_row : *rows;
}

bool os_file_read(const os_file *file, void *bytes, size_t size, size_t *got) {
    ssize_t n;
    do
        n = read(fd_of(file), bytes, size);
    while (n < 0 && errno == EINTR);
    *got = n > 0 ? (size_t)n : 0;
    return n >= 0;
}

bool os_pipe_read_now(const os_file *pipe, void *bytes, size_t size, size_t *got) {
    return os_file_read(pipe, bytes, size, got); // the loop has made it non-blocking
}

bool os_file_read_at(const os_file *file, uint64_t place, void *bytes, size_t size, size_t *got) {
    ssize_t n;
    do
        n = pread(fd_of(file), bytes, size, (off_t)place);
    while (n < 0 && errno == EINTR);
    *got = n > 0 ? (size_t)n : 0;
    return n >= 0;
}

bool os_file_write(const os_file *file, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        ssize_t n = write(fd_of(file), at, size);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool os_file_write_at(const os_file *file, uint64_t place, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        ssize_t n = pwrite(fd_of(file), at, size, (off_t)place);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
        place += n > 0 ? (uint64_t)n : 0;
    }
    return true;
}

bool os_file_truncate(const os_file *file, uint64_t size) {
    return ftruncate(fd_of(file), (off_t)size) == 0;
}

bool os_file_sync(const os_file *file) {
    // EINVAL and EROFS: there is nothing to sync.
    return fsync(fd_of(file)) == 0 || errno == EINVAL || errno == EROFS;
}

bool os_file_sync_data(const os_file *file) {
    return fdatasync(fd_of(file)) == 0 || errno == EINVAL || errno == EROFS;
}

bool os_file_lock(const os_file *file) { return flock(fd_of(file), LOCK_EX | LOCK_NB) == 0; }

// --- status -------------------------------------------------------------------------------------

static bool fill_status(const struct stat *s, os_file_status *status) {
    *status = (os_file_status){
        .kind = S_ISREG(s->st_mode)    ? OS_KIND_FILE
                : S_ISDIR(s->st_mode)  ? OS_KIND_FOLDER
                : S_ISFIFO(s->st_mode) ? OS_KIND_PIPE
                : S_ISSOCK(s->st_mode) ? OS_KIND_SOCKET
                                       : OS_KIND_OTHER,
        .size = (uint64_t)s->st_size,
        .modified_s = s->st_mtime,
    };
    return true;
}

bool os_file_get_status(const os_file *file, os_file_status *status) {
    struct stat s;
    return fstat(fd_of(file), &s) == 0 && fill_status(&s, status);
}

bool os_path_get_status(const char *path, os_file_status *status) {
    struct stat s;
    return stat(path, &s) == 0 && fill_status(&s, status);
}

bool os_path_exists(const char *path) { return access(path, F_OK) == 0; }

bool os_path_is_link(const char *path) {
    struct stat s;
    return lstat(path, &s) == 0 && S_ISLNK(s.st_mode);
}

bool os_path_is_absolute(const char *path) { return path[0] == '/'; }

const char *os_path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool os_path_is_program(const char *path) {
    os_file_status status;
    if (!os_path_get_status(path, &status))
        return false;
    if (status.kind == OS_KIND_FOLDER) {
        errno = EISDIR;
        return false;
    }
    return access(path, X_OK) == 0;
}

bool os_path_rename(const char *from, const char *to) { return rename(from, to) == 0; }

bool os_path_remove(const char *path) { return unlink(path) == 0; }

// --- whole files --------------------------------------------------------------------------------

static bool fail(int error) {
    errno = error;
    return false;
}

bool os_path_read_all(const char *path, size_t most, char **bytes, size_t *size) {
    // Unlike OS_FILE_READ this waits for the other end of a pipe.
    os_file file = {open(path, O_RDONLY | O_CLOEXEC)};
    if (file.handle < 0)
        return false;
    bool fine = os_file_read_all(&file, most, bytes, size);
    int error = errno;
    os_file_close(&file);
    return fine || fail(error);
}

bool os_step_open_temporary(os_file *file, const char *path, char *temporary, size_t size) {
    int n = snprintf(temporary, size, "%s.XXXXXX", path);
    if (n < 0 || (size_t)n >= size)
        return fail(ENAMETOOLONG);
    file->handle = mkostemp(temporary, O_CLOEXEC);
    if (file->handle < 0)
        return false;
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd_of(file), 0666 & ~mask) == 0)
        return true;
    int error = errno;
    os_file_close(file);
    unlink(temporary);
    return fail(error);
}

// --- folders ------------------------------------------------------------------------------------

bool os_folder_make(const char *path) { return mkdir(path, 0777) == 0 || errno == EEXIST; }

bool os_folder_list(const char *path, bool (*on_name)(void *context, const char *name),
                    void *context) {
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    errno = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !on_name(context, name))
            break;
        errno = 0;
    }
    int error = errno;
    closedir(folder);
    return error == 0 || fail(error);
}

bool os_folder_sync(const char *path) {
    os_file folder = {open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    bool fine = folder.handle >= 0 && os_file_sync(&folder);
    int error = errno;
    os_file_close(&folder);
    return fine || fail(error);
}

bool os_folder_lock(os_file *lock, const char *path) {
    lock->handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return lock->handle >= 0 && os_file_lock(lock);
}

bool os_disk_free(const char *path, uint64_t *bytes) {
    struct statvfs disk;
    if (statvfs(path, &disk) != 0)
        return false;
    *bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    return true;
}
