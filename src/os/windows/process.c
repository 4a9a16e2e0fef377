#include "os/process.h"

#include "os/windows/wide.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <timeapi.h>

enum { COMMAND = 32768 }; // the longest command line of Windows

// --- this process -------------------------------------------------------------------------------

static UINT console_before; // the console's code page, put back at the end

static void restore_console(void) { SetConsoleOutputCP(console_before); }

// The command line is cut here, because that of the C library is in the code page of the system.
static bool take_arguments(int *count, char ***arguments) {
    int n;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
    char **all = wide ? calloc((size_t)n + 1, sizeof *all) : NULL;
    for (int i = 0; all && i < n; i++) {
        size_t size = 3 * wcslen(wide[i]) + 1;
        all[i] = malloc(size);
        if (!all[i] || !narrow(wide[i], all[i], size))
            return false;
    }
    LocalFree(wide);
    if (!all)
        return false;
    *count = n;
    *arguments = all; // until the process ends
    return true;
}

void os_process_begin(int *count, char ***arguments) {
    (void)take_arguments(count, arguments);
    // Bytes are written as they are, on every system.
    for (int file = 0; file < 3; file++)
        _setmode(file, _O_BINARY);
    _fmode = _O_BINARY;
    timeBeginPeriod(1); // waits of a millisecond instead of 16
    DWORD mode;
    if (GetConsoleMode(GetStdHandle(STD_OUTPUT_HANDLE), &mode) ||
        GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode)) {
        console_before = GetConsoleOutputCP();
        SetConsoleOutputCP(CP_UTF8);
        atexit(restore_console);
        setvbuf(stdout, NULL, _IOFBF, 1 << 12); // else every character of UTF-8 is written alone
    }
}

bool os_self_path(char *path, size_t size) {
    wchar_t wide[WIDE_PATH];
    DWORD len = GetModuleFileNameW(NULL, wide, WIDE_PATH);
    if (len == 0 || len == WIDE_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    return narrow_path(wide, path, size);
}

bool os_process_nice(int level) {
    static const DWORD classes[] = {0, BELOW_NORMAL_PRIORITY_CLASS, IDLE_PRIORITY_CLASS};
    DWORD class = classes[level <= 0 ? 0 : level < 15 ? 1 : 2];
    return !class || SetPriorityClass(GetCurrentProcess(), class) || fail_as_windows();
}

void os_process_ignore_broken_pipes(void) {}

void os_process_ignore_file_limit(void) {}

void os_process_raise_open_files(void) {}

bool os_process_become_user(const char *name) {
    (void)name;
    errno = ENOSYS;
    return false;
}

static void (*on_console)(int number);

static BOOL WINAPI take_console_event(DWORD event) {
    on_console(event == CTRL_C_EVENT ? SIGINT : SIGTERM);
    return TRUE;
}

void os_process_on_interrupt(void (*on_interrupt)(int number)) {
    on_console = on_interrupt;
    SetConsoleCtrlHandler(take_console_event, on_interrupt != NULL);
}

// --- jobs: limits, and children that end with this process --------------------------------------

static bool put_into_job(HANDLE process, JOBOBJECT_EXTENDED_LIMIT_INFORMATION *limits,
                         HANDLE *made) {
    HANDLE job = CreateJobObjectW(NULL, NULL);
    if (!job)
        return fail_as_windows();
    if (SetInformationJobObject(job, JobObjectExtendedLimitInformation, limits, sizeof *limits) &&
        AssignProcessToJobObject(job, process)) {
        *made = job;
        return true;
    }
    DWORD error = GetLastError();
    CloseHandle(job);
    return fail_by_code(error);
}

// Limits of this process and of those that it starts, for as long as it runs.
static bool limit(JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits) {
    HANDLE job = NULL;
    return put_into_job(GetCurrentProcess(), &limits, &job);
}

bool os_limit_memory(uint64_t bytes) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.ProcessMemoryLimit = bytes};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    return limit(limits);
}

bool os_limit_cpu(int64_t seconds) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_TIME;
    limits.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart = seconds * 10000000;
    return limit(limits);
}

bool os_limit_no_core(void) {
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    return true;
}

bool os_limit_to_idle_time(void) {
    return SetPriorityClass(GetCurrentProcess(), IDLE_PRIORITY_CLASS) || fail_as_windows();
}

void os_prefer_to_end(void) {}

bool os_family_take(os_family *family, int process, int processor) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE job = NULL;
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (processor >= 0 && processor < 64) {
        limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_AFFINITY;
        limits.BasicLimitInformation.Affinity = (ULONG_PTR)1 << processor;
    }
    family->handle = 0;
    HANDLE handle = OpenProcess(PROCESS_SET_QUOTA | PROCESS_TERMINATE, FALSE, (DWORD)process);
    if (!handle)
        return fail_as_windows();
    bool taken = put_into_job(handle, &limits, &job);
    CloseHandle(handle);
    if (!taken)
        return false;
    family->handle = (intptr_t)job;
    return true;
}

void os_family_learn(os_family *family, int process) {
    (void)family;
    (void)process;
}

void os_family_end(os_family *family) {
    if (family->handle)
        CloseHandle((HANDLE)family->handle);
    family->handle = 0;
}

// --- programs -----------------------------------------------------------------------------------

static bool has_ending(const wchar_t *path) {
    static const wchar_t *const endings[] = {L".exe", L".com", L".bat", L".cmd"};
    size_t len = wcslen(path);
    for (int i = 0; i < 4; i++)
        if (len > 4 && _wcsicmp(path + len - 4, endings[i]) == 0)
            return true;
    return false;
}

static bool is_file(const wchar_t *path) {
    DWORD attributes = GetFileAttributesW(path);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return fail_as_windows();
    errno = EISDIR;
    return !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

// The file of a program, whose name may lack its .exe.
static bool wide_program(const char *path, wchar_t wide[WIDE_PATH]) {
    if (!wide_path(path, wide))
        return false;
    if (has_ending(wide) && is_file(wide))
        return true;
    size_t len = wcslen(wide);
    if (len + 5 > WIDE_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    wcscpy(wide + len, L".exe");
    if (is_file(wide))
        return true;
    wide[len] = L'\0';
    if (is_file(wide))
        errno = EACCES; // there, but nothing that Windows runs
    return false;
}

bool os_path_is_program(const char *path) {
    wchar_t wide[WIDE_PATH];
    return wide_program(path, wide);
}

// Appends a word so that the C libraries of Windows read it back as it is: in quotes, with the
// backslashes before a quote doubled. `wide` is room for COMMAND characters.
static bool add_word(wchar_t command[COMMAND], size_t *len, const char *word, wchar_t *wide) {
    size_t room = COMMAND - *len, need = 2 * strlen(word) + 4, backslashes = 0;
    if (need > room || !MultiByteToWideChar(CP_UTF8, 0, word, -1, wide, COMMAND)) {
        errno = E2BIG;
        return false;
    }
    bool quoted = !*wide || wcspbrk(wide, L" \t\"");
    wchar_t *to = command + *len;
    if (*len > 0)
        *to++ = L' ';
    if (quoted)
        *to++ = L'"';
    for (const wchar_t *c = wide; *c; c++) {
        for (size_t i = 0; *c == L'"' && i <= backslashes; i++)
            *to++ = L'\\';
        backslashes = *c == L'\\' ? backslashes + 1 : 0;
        *to++ = *c;
    }
    for (size_t i = 0; quoted && i < backslashes; i++)
        *to++ = L'\\';
    if (quoted)
        *to++ = L'"';
    *to = L'\0';
    *len = (size_t)(to - command);
    return true;
}

typedef struct {
    HANDLE in, out, error;
} streams;

// Starts a program that has these streams alone; not yet running, so that it can be put into a job.
static bool start(PROCESS_INFORMATION *made, const wchar_t *program, char *const arguments[],
                  streams s) {
    wchar_t *command = malloc(2 * COMMAND * sizeof *command);
    size_t len = 0;
    bool fine = command != NULL;
    if (!fine)
        errno = ENOMEM;
    for (char *const *word = arguments; fine && *word; word++)
        fine = add_word(command, &len, *word, command + COMMAND);
    if (fine) {
        STARTUPINFOW info = {.cb = sizeof info,
                             .dwFlags = STARTF_USESTDHANDLES,
                             .hStdInput = s.in,
                             .hStdOutput = s.out,
                             .hStdError = s.error};
        HANDLE given[3] = {s.in, s.out, s.error};
        for (int i = 0; i < 3; i++)
            if (given[i])
                SetHandleInformation(given[i], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
        fine = CreateProcessW(program, command, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL,
                              &info, made) ||
               fail_as_windows();
    }
    int error = errno;
    free(command);
    errno = error;
    return fine;
}

static streams own_streams(void) {
    return (streams){GetStdHandle(STD_INPUT_HANDLE), GetStdHandle(STD_OUTPUT_HANDLE),
                     GetStdHandle(STD_ERROR_HANDLE)};
}

static void let_run(const PROCESS_INFORMATION *made) {
    ResumeThread(made->hThread);
    CloseHandle(made->hThread);
}

bool os_process_start(const char *path, char *const arguments[]) {
    wchar_t program[WIDE_PATH];
    PROCESS_INFORMATION made;
    if (!wide_program(path, program) || !start(&made, program, arguments, own_streams()))
        return false;
    let_run(&made);
    CloseHandle(made.hProcess);
    return true;
}

// Control-C is for the program that runs in the place of this one.
static BOOL WINAPI leave_to_child(DWORD event) {
    (void)event;
    return TRUE;
}

bool os_process_run(const char *path, char *const arguments[], int *status) {
    wchar_t program[WIDE_PATH];
    PROCESS_INFORMATION made;
    os_family family;
    fflush(NULL);
    if (!wide_program(path, program) || !start(&made, program, arguments, own_streams()))
        return false;
    (void)os_family_take(&family, (int)made.dwProcessId, -1);
    SetConsoleCtrlHandler(leave_to_child, TRUE);
    let_run(&made);
    WaitForSingleObject(made.hProcess, INFINITE);
    DWORD code = 1;
    GetExitCodeProcess(made.hProcess, &code);
    SetConsoleCtrlHandler(leave_to_child, FALSE);
    CloseHandle(made.hProcess);
    os_family_end(&family);
    *status = (int)code;
    return true;
}

// Windows cannot replace a process: this one waits, does nothing else and ends as the other does.
bool os_process_become(const char *path, char *const arguments[]) {
    int status;
    if (!os_process_run(path, arguments, &status))
        return false;
    exit(status);
}

// --- children -----------------------------------------------------------------------------------

// A pipe whose end here can be read with a time limit. Anonymous pipes cannot.
static bool make_output_pipe(HANDLE *here, HANDLE *there) {
    static LONG count;
    wchar_t name[64];
    swprintf(name, 64, L"\\\\.\\pipe\\kraton-%lu-%ld", GetCurrentProcessId(),
             InterlockedIncrement(&count));
    *here = CreateNamedPipeW(
        name, PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
        PIPE_TYPE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, 1 << 16, 1 << 16, 0, NULL);
    if (*here == INVALID_HANDLE_VALUE)
        return fail_as_windows();
    *there = CreateFileW(name, GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    if (*there != INVALID_HANDLE_VALUE)
        return true;
    DWORD error = GetLastError();
    CloseHandle(*here);
    return fail_by_code(error);
}

static bool find_along_path(const char *program, wchar_t found[WIDE_PATH]) {
    wchar_t wide[WIDE_PATH];
    if (strpbrk(program, "/\\"))
        return wide_program(program, found);
    return wide_path(program, wide) &&
           (SearchPathW(NULL, wide, L".exe", WIDE_PATH, found, NULL) > 0 || fail_as_windows());
}

bool os_child_start(os_child *child, const char *program, char *const arguments[]) {
    wchar_t found[WIDE_PATH];
    HANDLE in[2], out[2];
    PROCESS_INFORMATION made;
    os_family family;
    if (!find_along_path(program, found))
        return false;
    if (!CreatePipe(&in[0], &in[1], NULL, 0))
        return fail_as_windows();
    if (!make_output_pipe(&out[0], &out[1])) {
        CloseHandle(in[0]);
        CloseHandle(in[1]);
        return false;
    }
    bool started =
        start(&made, found, arguments, (streams){in[0], out[1], GetStdHandle(STD_ERROR_HANDLE)});
    int error = errno;
    CloseHandle(in[0]);
    CloseHandle(out[1]);
    if (!started) {
        CloseHandle(in[1]);
        CloseHandle(out[0]);
        errno = error;
        return false;
    }
    (void)os_family_take(&family, (int)made.dwProcessId, -1); // until this process ends
    let_run(&made);
    *child = (os_child){.process = (intptr_t)made.hProcess,
                        .input = {(intptr_t)in[1]},
                        .output = {(intptr_t)out[0]}};
    return true;
}

bool os_child_write(const os_child *child, const void *bytes, size_t size) {
    return os_file_write(&child->input, bytes, size);
}

bool os_child_read(const os_child *child, void *bytes, size_t size, int64_t microseconds,
                   size_t *got) {
    HANDLE output = (HANDLE)child->output.handle;
    OVERLAPPED reading = {.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL)};
    DWORD count = 0, most = size < INT32_MAX ? (DWORD)size : INT32_MAX;
    *got = 0;
    if (!reading.hEvent)
        return fail_as_windows();
    bool fine = ReadFile(output, bytes, most, &count, &reading);
    DWORD error = fine ? 0 : GetLastError();
    if (error == ERROR_IO_PENDING) {
        DWORD wait = microseconds < 0 ? INFINITE : (DWORD)((microseconds + 999) / 1000);
        if (WaitForSingleObject(reading.hEvent, wait) != WAIT_OBJECT_0)
            CancelIo(output);
        fine = GetOverlappedResult(output, &reading, &count, TRUE);
        error = fine ? 0 : GetLastError();
    }
    CloseHandle(reading.hEvent);
    *got = count;
    return fine || error == ERROR_BROKEN_PIPE ||
           fail_by_code(error == ERROR_OPERATION_ABORTED ? WAIT_TIMEOUT : error);
}

int64_t os_child_cpu_us(const os_child *child) {
    FILETIME made, ended, kernel, user;
    if (!GetProcessTimes((HANDLE)child->process, &made, &ended, &kernel, &user))
        return 0;
    uint64_t k = (uint64_t)kernel.dwHighDateTime << 32 | kernel.dwLowDateTime;
    uint64_t u = (uint64_t)user.dwHighDateTime << 32 | user.dwLowDateTime;
    return (int64_t)((k + u) / 10);
}

void os_child_end(os_child *child) {
    HANDLE process = (HANDLE)child->process;
    TerminateProcess(process, 1);
    WaitForSingleObject(process, INFINITE);
    CloseHandle(process);
    os_file_close(&child->input);
    os_file_close(&child->output);
}

// --- the machine --------------------------------------------------------------------------------

int os_processor_count(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (int)info.dwNumberOfProcessors : 1;
}

static DWORD_PTR allowed(void) {
    DWORD_PTR process, machine;
    return GetProcessAffinityMask(GetCurrentProcess(), &process, &machine) && process ? process : 1;
}

int os_processors_allowed(int numbers[OS_PROCESSORS]) {
    DWORD_PTR mask = allowed();
    int count = 0;
    for (int i = 0; i < 64; i++)
        if (mask >> i & 1)
            numbers[count++] = i;
    return count;
}

os_processors os_processors_use_one(void) {
    os_processors before = {{allowed()}};
    SetProcessAffinityMask(GetCurrentProcess(), before.bits[0] & -before.bits[0]);
    return before;
}

void os_processors_use(const os_processors *processors) {
    SetProcessAffinityMask(GetCurrentProcess(), processors->bits[0]);
}

static MEMORYSTATUSEX ask_memory(void) {
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    GlobalMemoryStatusEx(&status);
    return status;
}

uint64_t os_memory_total(void) { return ask_memory().ullTotalPhys; }

uint64_t os_memory_available(void) { return ask_memory().ullAvailPhys; }

// --- shared libraries ---------------------------------------------------------------------------

void *os_library_open(const char *name) {
    wchar_t wide[WIDE_PATH];
    return wide_path(name, wide) ? (void *)LoadLibraryW(wide) : NULL;
}

void (*os_library_find(void *library, const char *name))(void) {
    return (void (*)(void))GetProcAddress(library, name);
}
