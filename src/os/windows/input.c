#include "os/windows/input.h"

#include <string.h>

enum { HELD = 1 << 16, LINE = 1024 };

// One for the process, as the standard input is. `lock` guards the rest once the thread runs.
static struct {
    INIT_ONCE once;
    SRWLOCK lock;
    CONDITION_VARIABLE taken; // some of the buffer is free again
    HANDLE readable;          // NULL: the thread does not run
    bool is_at_end;
    size_t begin, end; // of what is held
    char held[HELD];
} input;

// A line of the console in UTF-8. Control-Z at its start is the end.
static bool read_console(HANDLE console, void *bytes, size_t size, size_t *got) {
    wchar_t line[LINE];
    DWORD most = size / 3 < LINE ? (DWORD)(size / 3) : LINE, count = 0;
    *got = 0;
    if (most == 0 || !ReadConsoleW(console, line, most, &count, NULL))
        return fail_as_windows();
    if (count == 0 || line[0] == 26)
        return true;
    int n = WideCharToMultiByte(CP_UTF8, 0, line, (int)count, bytes, (int)size, NULL, NULL);
    *got = (size_t)n;
    return n > 0 || fail_as_windows();
}

bool input_read(HANDLE handle, void *bytes, size_t size, size_t *got) {
    DWORD mode, most = size < INT32_MAX ? (DWORD)size : INT32_MAX, count = 0;
    if (GetConsoleMode(handle, &mode))
        return read_console(handle, bytes, size, got);
    bool fine = ReadFile(handle, bytes, most, &count, NULL);
    DWORD error = fine ? 0 : GetLastError();
    *got = count;
    return fine || error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF || fail_by_code(error);
}

static DWORD WINAPI read_ahead(void *handle) {
    static char bytes[4096];
    for (size_t got = 1; got > 0;) {
        if (!input_read(handle, bytes, sizeof bytes, &got))
            got = 0;
        AcquireSRWLockExclusive(&input.lock);
        if (input.begin == input.end)
            input.begin = input.end = 0;
        while (HELD - input.end < got) {
            memmove(input.held, input.held + input.begin, input.end - input.begin);
            input.end -= input.begin;
            input.begin = 0;
            if (HELD - input.end < got)
                SleepConditionVariableSRW(&input.taken, &input.lock, INFINITE, 0);
        }
        memcpy(input.held + input.end, bytes, got);
        input.end += got;
        input.is_at_end = got == 0;
        SetEvent(input.readable);
        ReleaseSRWLockExclusive(&input.lock);
    }
    return 0;
}

static BOOL CALLBACK start_reading(INIT_ONCE *once, void *handle, void **context) {
    (void)once;
    (void)context;
    HANDLE readable = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (!readable)
        return TRUE;
    input.readable = readable;
    HANDLE thread = CreateThread(NULL, 0, read_ahead, handle, 0, NULL);
    if (thread) {
        CloseHandle(thread);
        return TRUE;
    }
    CloseHandle(readable);
    input.readable = NULL;
    return TRUE;
}

static bool is_standard_input(const os_file *file) {
    return (HANDLE)file->handle == GetStdHandle(STD_INPUT_HANDLE);
}

HANDLE input_readable(const os_file *file) {
    HANDLE handle = (HANDLE)file->handle;
    if (!is_standard_input(file) || GetFileType(handle) == FILE_TYPE_DISK)
        return NULL;
    InitOnceExecuteOnce(&input.once, start_reading, handle, NULL);
    return input.readable;
}

bool input_take(const os_file *file, void *bytes, size_t size, size_t *got) {
    if (!is_standard_input(file) || !input.readable)
        return false;
    AcquireSRWLockExclusive(&input.lock);
    while (input.begin == input.end && !input.is_at_end) {
        ReleaseSRWLockExclusive(&input.lock);
        WaitForSingleObject(input.readable, INFINITE);
        AcquireSRWLockExclusive(&input.lock);
    }
    size_t there = input.end - input.begin, n = there < size ? there : size;
    memcpy(bytes, input.held + input.begin, n);
    input.begin += n;
    if (input.begin == input.end && !input.is_at_end)
        ResetEvent(input.readable);
    WakeConditionVariable(&input.taken);
    ReleaseSRWLockExclusive(&input.lock);
    *got = n;
    return true;
}

bool input_is_ready(const os_file *file) {
    HANDLE handle = (HANDLE)file->handle;
    DWORD there = 0;
    if (GetFileType(handle) != FILE_TYPE_PIPE)
        return true;
    return !PeekNamedPipe(handle, NULL, 0, NULL, &there, NULL) || there > 0;
}
