#include "os/windows/wide.h"

#include <errno.h>

enum { GBK = 936 };

bool fail_by_code(DWORD code) {
    switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_PATHNAME:
    case ERROR_MOD_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
    case ERROR_CURRENT_DIRECTORY:
        errno = EACCES;
        break;
    case ERROR_LOCK_VIOLATION:
        errno = EWOULDBLOCK;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_COMMITMENT_LIMIT:
        errno = ENOMEM;
        break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        errno = ENOSPC;
        break;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
    case ERROR_PIPE_NOT_CONNECTED:
        errno = EPIPE;
        break;
    case ERROR_TOO_MANY_OPEN_FILES:
        errno = EMFILE;
        break;
    case ERROR_DIR_NOT_EMPTY:
        errno = ENOTEMPTY;
        break;
    case ERROR_DIRECTORY:
        errno = ENOTDIR;
        break;
    case ERROR_FILENAME_EXCED_RANGE:
        errno = ENAMETOOLONG;
        break;
    case ERROR_BAD_EXE_FORMAT:
    case ERROR_EXE_MACHINE_TYPE_MISMATCH:
        errno = ENOEXEC;
        break;
    case ERROR_INVALID_HANDLE:
        errno = EBADF;
        break;
    default:
        errno = code == ERROR_CALL_NOT_IMPLEMENTED || code == ERROR_NOT_SUPPORTED ? ENOSYS : EIO;
    }
    return false;
}

bool fail_as_windows(void) { return fail_by_code(GetLastError()); }

static bool widen(unsigned code_page, const char *path, wchar_t wide[WIDE_PATH]) {
    return MultiByteToWideChar(code_page, MB_ERR_INVALID_CHARS, path, -1, wide, WIDE_PATH) > 0;
}

bool wide_path(const char *path, wchar_t wide[WIDE_PATH]) {
    if (widen(CP_UTF8, path, wide))
        return true;
    if (GetLastError() == ERROR_INSUFFICIENT_BUFFER) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (widen(GBK, path, wide) && GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES)
        return true;
    // CP_ACP would be UTF-8: the manifest says so.
    DWORD system = 0;
    GetLocaleInfoW(LOCALE_SYSTEM_DEFAULT, LOCALE_IDEFAULTANSICODEPAGE | LOCALE_RETURN_NUMBER,
                   (wchar_t *)&system, sizeof system / sizeof(wchar_t));
    if (widen(system, path, wide) || widen(GBK, path, wide))
        return true;
    errno = EINVAL;
    return false;
}

bool narrow(const wchar_t *wide, char *text, size_t size) {
    int room = size > INT_MAX ? INT_MAX : (int)size;
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, room, NULL, NULL) > 0)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

bool narrow_path(const wchar_t *wide, char *path, size_t size) {
    if (!narrow(wide, path, size))
        return false;
    for (char *c = path; *c; c++)
        *c = *c == '\\' ? '/' : *c;
    return true;
}
