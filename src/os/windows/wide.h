// Shared by the files of this folder: text and errors at the border to Windows.
//
// Inside the program text is UTF-8 and paths have slashes. Windows gets UTF-16 by its wide calls.
#ifndef KRATON_OS_WINDOWS_WIDE_H
#define KRATON_OS_WINDOWS_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>
// windows.h without the parts that nobody here needs.
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

enum { WIDE_PATH = 4096 };

// Leaves GetLastError() in errno, as its nearest code there. Always false.
bool fail_as_windows(void);
// The same for a given code of Windows.
bool fail_by_code(DWORD code);

// A path for the wide calls. Bytes that are not UTF-8 come from older programs, such as managers
// that send paths in GBK: they are read as GBK if there is such a file, else in the code page of
// the system. False with ENAMETOOLONG or EINVAL.
bool wide_path(const char *path, wchar_t wide[WIDE_PATH]);
// UTF-16 as UTF-8, ended by a zero; false with ENAMETOOLONG where it does not fit.
bool narrow(const wchar_t *wide, char *text, size_t size);
// The same with slashes for backslashes.
bool narrow_path(const wchar_t *wide, char *path, size_t size);

#endif
