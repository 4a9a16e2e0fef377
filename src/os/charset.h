// Text in other encodings than UTF-8, by what the system knows of them.
#ifndef KRATON_OS_CHARSET_H
#define KRATON_OS_CHARSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    OS_CHARSET_UTF8,
    OS_CHARSET_GB18030,
    OS_CHARSET_BIG5,
    OS_CHARSET_UTF16LE,
    OS_CHARSET_UTF16BE,
} os_charset;

// Its owner closes it. It belongs to one thread at a time.
typedef struct {
    intptr_t handle;
    os_charset from, to;
} os_converter;

// One of the two is UTF-8. False where the system does not know the other one.
bool os_converter_open(os_converter *converter, os_charset from, os_charset to)
    __attribute__((warn_unused_result));
void os_converter_close(os_converter *converter);

typedef enum {
    OS_CONVERTED_ALL,
    OS_CONVERTED_ROOM, // all that there was room for
    OS_CONVERTED_BAD,  // up to bytes that are no character, or one that is missing there
} os_converted;

// Converts from *in to *out and moves both on. Room for 8 bytes is always enough for a character.
os_converted os_convert(const os_converter *converter, const char **in, size_t *left, char **out,
                        size_t *room);

#endif
