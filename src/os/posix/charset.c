#include "os/charset.h"

#include <errno.h>
#include <iconv.h>

bool os_converter_open(os_converter *converter, os_charset from, os_charset to) {
    static const char *const names[] = {"UTF-8", "GB18030", "BIG5", "UTF-16LE", "UTF-16BE"};
    *converter = (os_converter){(intptr_t)iconv_open(names[to], names[from]), from, to};
    return converter->handle != -1;
}

void os_converter_close(os_converter *converter) { iconv_close((iconv_t)converter->handle); }

os_converted os_convert(const os_converter *converter, const char **in, size_t *left, char **out,
                        size_t *room) {
    char *source = (char *)(uintptr_t)*in; // not written to: the prototype is older than const
    size_t result = iconv((iconv_t)converter->handle, &source, left, out, room);
    *in = source;
    return result != (size_t)-1 ? OS_CONVERTED_ALL
           : errno == E2BIG     ? OS_CONVERTED_ROOM
                                : OS_CONVERTED_BAD;
}
