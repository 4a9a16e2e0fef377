#include "os/steps.h"

#include "os/windows/input.h"
#include "os/windows/wide.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Windows leaves the two lowest bits of a handle to programs. The first one marks a file whose
// writes go to its end.
enum { AT_END = 1 };

static HANDLE handle_of(const os_file *file) {
    return (HANDLE)(file->handle == -1 ? -1 : file->handle & ~(intptr_t)AT_END);
}

static bool is_at_end(const os_file *file) { return file->handle != -1 && file->handle & AT_END; }

static bool fail(int error) {
    errno = error;
    return false;
}

// --- open files ---------------------------------------------------------------------------------

enum { SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

bool os_file_open(os_file *file, const char *path, os_file_mode mode) {
    static const struct {
        DWORD access, how;
    } modes[] = {
        [OS_FILE_READ] = {GENERIC_READ, OPEN_EXISTING},
        [OS_FILE_WRITE] = {GENERIC_WRITE, OPEN_EXISTING},
        [OS_FILE_REPLACE] = {GENERIC_WRITE, CREATE_ALWAYS},
        [OS_FILE_CREATE] = {GENERIC_READ | GENERIC_WRITE, CREATE_NEW},
        [OS_FILE_APPEND] = {GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING},
        [OS_FILE_LOCK] = {GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS},
    };
    wchar_t wide[WIDE_PATH];
    *file = OS_FILE_NONE;
    if (!wide_path(path, wide))
        return false;
    // Folders can be opened with this flag; reading them fails then.
    DWORD flags = mode == OS_FILE_READ ? FILE_FLAG_BACKUP_SEMANTICS : 0;
    HANDLE handle = CreateFileW(wide, modes[mode].access, SHARE_ALL, NULL, modes[mode].how,
                                FILE_ATTRIBUTE_NORMAL | flags, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return fail_as_windows();
    bool appends = mode == OS_FILE_CREATE || mode == OS_FILE_APPEND;
    file->handle = (intptr_t)handle | (appends ? AT_END : 0);
    return true;
}

bool os_file_close(os_file *file) {
    os_file closed = *file;
    *file = OS_FILE_NONE;
    return closed.handle == -1 || CloseHandle(handle_of(&closed)) || fail_as_windows();
}

bool os_file_duplicate(const os_file *file, os_file *copy) {
    HANDLE self = GetCurrentProcess(), made;
    *copy = OS_FILE_NONE;
    if (!DuplicateHandle(self, handle_of(file), self, &made, 0, FALSE, DUPLICATE_SAME_ACCESS))
        return fail_as_windows();
    copy->handle = (intptr_t)made | (is_at_end(file) ? AT_END : 0);
    return true;
}

static os_file standard(DWORD number) {
    HANDLE handle = GetStdHandle(number);
    return handle ? (os_file){(intptr_t)handle} : OS_FILE_NONE;
}

os_file os_standard_input(void) { return standard(STD_INPUT_HANDLE); }

os_file os_standard_output(void) { return standard(STD_OUTPUT_HANDLE); }

os_file os_standard_error(void) { return standard(STD_ERROR_HANDLE); }

bool os_file_is_terminal(const os_file *file) {
    DWORD mode;
    return GetConsoleMode(handle_of(file), &mode);
}

bool os_terminal_has_escapes(const os_file *file) {
    DWORD mode;
    HANDLE console = handle_of(file);
    return GetConsoleMode(console, &mode) &&
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

bool os_terminal_is_utf8(void) { return GetConsoleOutputCP() == CP_UTF8; }

void os_terminal_size(const os_file *file, int *columns, int *rows) {
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(handle_of(file), &info))
        return;
    *columns = info.srWindow.Right - info.srWindow.Left + 1;
    *rows = info.srWindow.Bottom - info.srWindow.Top + 1;
}

bool os_file_read(const os_file *file, void *bytes, size_t size, size_t *got) {
    return input_take(file, bytes, size, got) || input_read(handle_of(file), bytes, size, got);
}

bool os_pipe_read_now(const os_file *pipe, void *bytes, size_t size, size_t *got) {
    (void)pipe;
    (void)bytes;
    (void)size;
    *got = 0;
    return false; // a read of the loop is always under way
}

// Reading and writing at a place moves the place where the file is read; this puts it back.
static LARGE_INTEGER place_of(HANDLE handle) {
    LARGE_INTEGER place = {.QuadPart = 0};
    SetFilePointerEx(handle, place, &place, FILE_CURRENT);
    return place;
}

static OVERLAPPED place_at(uint64_t place) {
    return (OVERLAPPED){.Offset = (DWORD)place, .OffsetHigh = (DWORD)(place >> 32)};
}

bool os_file_read_at(const os_file *file, uint64_t place, void *bytes, size_t size, size_t *got) {
    HANDLE handle = handle_of(file);
    LARGE_INTEGER before = place_of(handle);
    OVERLAPPED at = place_at(place);
    DWORD count = 0, most = size < INT32_MAX ? (DWORD)size : INT32_MAX;
    bool fine = ReadFile(handle, bytes, most, &count, &at);
    DWORD error = fine ? 0 : GetLastError();
    SetFilePointerEx(handle, before, NULL, FILE_BEGIN);
    *got = count;
    return fine || error == ERROR_HANDLE_EOF || fail_by_code(error);
}

static bool write_all(HANDLE handle, const char *bytes, size_t size, OVERLAPPED *at) {
    while (size > 0) {
        DWORD count = 0, most = size < 1 << 30 ? (DWORD)size : 1 << 30;
        if (!WriteFile(handle, bytes, most, &count, at))
            return fail_as_windows();
        bytes += count;
        size -= count;
        if (at && at->Offset != UINT32_MAX)
            *at = place_at(((uint64_t)at->OffsetHigh << 32 | at->Offset) + count);
    }
    return true;
}

bool os_file_write(const os_file *file, const void *bytes, size_t size) {
    OVERLAPPED end = place_at(UINT64_MAX); // for Windows: the end, wherever it is
    return write_all(handle_of(file), bytes, size, is_at_end(file) ? &end : NULL);
}

bool os_file_write_at(const os_file *file, uint64_t place, const void *bytes, size_t size) {
    HANDLE handle = handle_of(file);
    LARGE_INTEGER before = place_of(handle);
    OVERLAPPED at = place_at(place);
    bool fine = write_all(handle, bytes, size, &at);
    int error = errno;
    SetFilePointerEx(handle, before, NULL, FILE_BEGIN);
    return fine || fail(error);
}

bool os_file_truncate(const os_file *file, uint64_t size) {
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (LONGLONG)size};
    return SetFileInformationByHandle(handle_of(file), FileEndOfFileInfo, &end, sizeof end) ||
           fail_as_windows();
}

bool os_file_sync(const os_file *file) {
    HANDLE handle = handle_of(file);
    return GetFileType(handle) != FILE_TYPE_DISK || FlushFileBuffers(handle) || fail_as_windows();
}

bool os_file_sync_data(const os_file *file) { return os_file_sync(file); }

bool os_file_lock(const os_file *file) {
    // Locked bytes cannot be read by others: one that no file has.
    OVERLAPPED far_off = place_at((uint64_t)1 << 62);
    if (LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &far_off))
        return true;
    DWORD error = GetLastError();
    return fail_by_code(error == ERROR_IO_PENDING ? ERROR_LOCK_VIOLATION : error);
}

// --- status -------------------------------------------------------------------------------------

static int64_t to_seconds(FILETIME time) {
    // In 100 ns since 1601.
    uint64_t t = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
    return (int64_t)(t / 10000000) - INT64_C(11644473600);
}

bool os_file_get_status(const os_file *file, os_file_status *status) {
    HANDLE handle = handle_of(file);
    BY_HANDLE_FILE_INFORMATION info;
    DWORD type = GetFileType(handle);
    if (type == FILE_TYPE_UNKNOWN && GetLastError() != NO_ERROR)
        return fail_as_windows();
    *status = (os_file_status){.kind = type == FILE_TYPE_PIPE ? OS_KIND_PIPE : OS_KIND_OTHER};
    if (type != FILE_TYPE_DISK)
        return true;
    if (!GetFileInformationByHandle(handle, &info))
        return fail_as_windows();
    bool is_folder = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    *status = (os_file_status){
        .kind = is_folder ? OS_KIND_FOLDER : OS_KIND_FILE,
        .size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow,
        .modified_s = to_seconds(info.ftLastWriteTime),
    };
    return true;
}

bool os_path_get_status(const char *path, os_file_status *status) {
    os_file file;
    wchar_t wide[WIDE_PATH];
    if (!wide_path(path, wide))
        return false;
    // No access at all is asked for, so that a file in use can be looked at.
    HANDLE handle =
        CreateFileW(wide, 0, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return fail_as_windows();
    file.handle = (intptr_t)handle;
    bool fine = os_file_get_status(&file, status);
    int error = errno;
    CloseHandle(handle);
    return fine || fail(error);
}

bool os_path_exists(const char *path) {
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) &&
           (GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES || fail_as_windows());
}

bool os_path_is_link(const char *path) {
    wchar_t wide[WIDE_PATH];
    DWORD attributes = wide_path(path, wide) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_REPARSE_POINT;
}

static bool is_slash(char c) { return c == '/' || c == '\\'; }

bool os_path_is_absolute(const char *path) {
    return is_slash(path[0]) || (path[0] && path[1] == ':' && is_slash(path[2]));
}

const char *os_path_name(const char *path) {
    const char *name = path;
    for (const char *c = path; *c; c++)
        if (is_slash(*c) || (c == path + 1 && *c == ':'))
            name = c + 1;
    return name;
}

bool os_path_rename(const char *from, const char *to) {
    wchar_t old[WIDE_PATH], new[WIDE_PATH];
    return wide_path(from, old) && wide_path(to, new) &&
           (MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ||
            fail_as_windows());
}

bool os_path_remove(const char *path) {
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) && (DeleteFileW(wide) || fail_as_windows());
}

// --- whole files --------------------------------------------------------------------------------

bool os_path_read_all(const char *path, size_t most, char **bytes, size_t *size) {
    os_file file;
    if (!os_file_open(&file, path, OS_FILE_READ))
        return false;
    os_file_status status;
    bool is_folder = os_file_get_status(&file, &status) && status.kind == OS_KIND_FOLDER;
    bool fine = !is_folder && os_file_read_all(&file, most, bytes, size);
    int error = is_folder ? EISDIR : errno;
    os_file_close(&file);
    return fine || fail(error);
}

bool os_step_open_temporary(os_file *file, const char *path, char *temporary, size_t size) {
    LARGE_INTEGER ticks;
    for (int i = 0; i < 1000; i++) {
        QueryPerformanceCounter(&ticks);
        unsigned mark = ((unsigned)ticks.QuadPart ^ GetCurrentProcessId() << 16) + (unsigned)i;
        int n = snprintf(temporary, size, "%s.%06x", path, mark & 0xffffff);
        if (n < 0 || (size_t)n >= size)
            return fail(ENAMETOOLONG);
        if (os_file_open(file, temporary, OS_FILE_CREATE))
            return true;
        if (errno != EEXIST)
            return false;
    }
    return fail(EEXIST);
}

// --- folders ------------------------------------------------------------------------------------

bool os_folder_make(const char *path) {
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) && (CreateDirectoryW(wide, NULL) ||
                                     GetLastError() == ERROR_ALREADY_EXISTS || fail_as_windows());
}

bool os_folder_list(const char *path, bool (*on_name)(void *context, const char *name),
                    void *context) {
    wchar_t wide[WIDE_PATH];
    WIN32_FIND_DATAW found;
    char name[4 * MAX_PATH];
    if (!wide_path(path, wide))
        return false;
    size_t len = wcslen(wide);
    if (len + 3 > WIDE_PATH)
        return fail(ENAMETOOLONG);
    wcscpy(wide + len, L"\\*");
    HANDLE list = FindFirstFileW(wide, &found);
    if (list == INVALID_HANDLE_VALUE)
        return fail_as_windows();
    bool more = true;
    while (more) {
        if (narrow(found.cFileName, name, sizeof name) && strcmp(name, ".") != 0 &&
            strcmp(name, "..") != 0 && !on_name(context, name))
            break;
        more = FindNextFileW(list, &found);
    }
    DWORD error = more ? ERROR_NO_MORE_FILES : GetLastError();
    FindClose(list);
    return error == ERROR_NO_MORE_FILES || fail_by_code(error);
}

bool os_folder_sync(const char *path) {
    // Windows keeps the names of a folder in a journal of its own.
    os_file_status status;
    return os_path_get_status(path, &status);
}

bool os_folder_lock(os_file *lock, const char *path) {
    wchar_t wide[WIDE_PATH];
    *lock = OS_FILE_NONE;
    if (!wide_path(path, wide))
        return false;
    // Whoever wants this right as well has to wait. It does not disturb those who use the folder.
    HANDLE handle = CreateFileW(wide, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    bool is_locked = handle != INVALID_HANDLE_VALUE;
    DWORD error = is_locked ? 0 : GetLastError();
    if (error == ERROR_SHARING_VIOLATION) {
        handle =
            CreateFileW(wide, 0, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
        error = ERROR_LOCK_VIOLATION;
    }
    lock->handle = (intptr_t)handle;
    return is_locked || fail_by_code(error);
}

bool os_disk_free(const char *path, uint64_t *bytes) {
    wchar_t wide[WIDE_PATH];
    ULARGE_INTEGER available;
    if (!wide_path(path, wide))
        return false;
    if (!GetDiskFreeSpaceExW(wide, &available, NULL, NULL))
        return fail_as_windows();
    *bytes = available.QuadPart;
    return true;
}
