// Files, folders and the three standard streams, without buffering.
//
// What fails returns false and leaves the reason in errno, on every system. Opened files are not
// inherited by child processes. An os_file belongs to one thread at a time.
#ifndef KRATON_OS_FILE_H
#define KRATON_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    intptr_t handle; // -1: not open
} os_file;

#define OS_FILE_NONE ((os_file){-1})

typedef enum {
    OS_FILE_READ,    // an existing file; never waits for the other end of a pipe
    OS_FILE_WRITE,   // an existing file or device, for writing from its beginning
    OS_FILE_REPLACE, // for writing; made or emptied
    OS_FILE_CREATE,  // for reading and for writing at its end; must not exist
    OS_FILE_APPEND,  // for reading and for writing at its end; must exist
    OS_FILE_LOCK,    // for os_file_lock: made where it is missing, its content kept, private
} os_file_mode;

bool os_file_open(os_file *file, const char *path, os_file_mode mode)
    __attribute__((warn_unused_result));
// Allowed on OS_FILE_NONE. False when bytes written before could not be stored.
bool os_file_close(os_file *file);
// Opens another handle of the same open file; both are to be closed.
bool os_file_duplicate(const os_file *file, os_file *copy) __attribute__((warn_unused_result));

os_file os_standard_input(void);
os_file os_standard_output(void);
os_file os_standard_error(void);
bool os_file_is_terminal(const os_file *file);
// Whether it is a terminal that understands escape sequences (colours, moving the cursor).
bool os_terminal_has_escapes(const os_file *file);
// Whether the locale of the program, or the console, is in UTF-8.
bool os_terminal_is_utf8(void);
// The size of a terminal's window. What is not known stays as it is.
void os_terminal_size(const os_file *file, int *columns, int *rows);

// Reads at most `size` bytes as soon as there are some; *got is 0 at the end.
bool os_file_read(const os_file *file, void *bytes, size_t size, size_t *got)
    __attribute__((warn_unused_result));
// The same at a place of the file.
bool os_file_read_at(const os_file *file, uint64_t place, void *bytes, size_t size, size_t *got)
    __attribute__((warn_unused_result));
// For a pipe that an event loop reads: reads what is there without waiting. False where there is
// nothing, and always where only the loop may read (Windows).
bool os_pipe_read_now(const os_file *pipe, void *bytes, size_t size, size_t *got)
    __attribute__((warn_unused_result));
// These two write all of it.
bool os_file_write(const os_file *file, const void *bytes, size_t size)
    __attribute__((warn_unused_result));
bool os_file_write_at(const os_file *file, uint64_t place, const void *bytes, size_t size)
    __attribute__((warn_unused_result));
bool os_file_truncate(const os_file *file, uint64_t size) __attribute__((warn_unused_result));
// Returns when the bytes are on the disk. True for what cannot be synced, such as a pipe.
bool os_file_sync(const os_file *file) __attribute__((warn_unused_result));
// The same for its bytes alone; times and the like may follow later.
bool os_file_sync_data(const os_file *file) __attribute__((warn_unused_result));

// Takes the file for this process until it is closed or the process ends, however it ends. False
// with EWOULDBLOCK when another process has it, with another reason where there are no locks.
bool os_file_lock(const os_file *file) __attribute__((warn_unused_result));

typedef enum {
    OS_KIND_FILE,
    OS_KIND_FOLDER,
    OS_KIND_PIPE,
    OS_KIND_SOCKET,
    OS_KIND_OTHER, // a device
} os_kind;

typedef struct {
    os_kind kind;
    uint64_t size;      // of a file, in bytes
    int64_t modified_s; // seconds since 1970
} os_file_status;

bool os_file_get_status(const os_file *file, os_file_status *status);
// Follows links.
bool os_path_get_status(const char *path, os_file_status *status);
bool os_path_exists(const char *path);
// Whether it is itself a link to something else.
bool os_path_is_link(const char *path);
// Whether it starts at the root of the file system or of a drive.
bool os_path_is_absolute(const char *path);
// The part behind its last slash; on Windows behind a backslash or the colon of a drive too.
const char *os_path_name(const char *path);

#ifdef _WIN32
#define OS_PATH_LIST ";" // between the folders of PATH
#else
#define OS_PATH_LIST ":"
#endif
// Whether this user may run it; errno says why not.
bool os_path_is_program(const char *path);

// Replaces what is at `to`, in one step for whoever looks at it.
bool os_path_rename(const char *from, const char *to) __attribute__((warn_unused_result));
bool os_path_remove(const char *path);

// Reads a whole file or stream to its end: *bytes is to be freed. A file of more than `most` bytes
// fails with EFBIG.
bool os_file_read_all(const os_file *file, size_t most, char **bytes, size_t *size)
    __attribute__((warn_unused_result));
bool os_path_read_all(const char *path, size_t most, char **bytes, size_t *size)
    __attribute__((warn_unused_result));
// Replaces a plain file by these bytes, all or nothing, on the disk when it returns. Writes to
// anything else (a device, a pipe) as it is.
bool os_path_write_all(const char *path, const void *bytes, size_t size)
    __attribute__((warn_unused_result));

// Makes a folder; true when it is there already.
bool os_folder_make(const char *path) __attribute__((warn_unused_result));
// Calls on_name for every name in the folder, in no order, without "." and "..", until it returns
// false.
bool os_folder_list(const char *path, bool (*on_name)(void *context, const char *name),
                    void *context) __attribute__((warn_unused_result));
// Returns when the names in the folder are on the disk.
bool os_folder_sync(const char *path) __attribute__((warn_unused_result));
// Takes a folder for this process, as os_file_lock does; *lock is open until closed. False also
// where the folder cannot be opened: then *lock is OS_FILE_NONE.
bool os_folder_lock(os_file *lock, const char *path) __attribute__((warn_unused_result));
// Bytes that this user may still write to the file system of a folder.
bool os_disk_free(const char *path, uint64_t *bytes) __attribute__((warn_unused_result));

#endif
