// Bytes from a program: cut into lines, read as requests.
#include "protocol/message.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // The first byte says in which pieces the others come.
    size_t step = size ? (size_t)data[0] + 1 : 1;
    lines l = {0};
    for (size_t from = 1; from < size; from += step) {
        text bytes = {(const char *)data + from, size - from < step ? size - from : step}, line;
        lines_status status;
        while ((status = lines_next(&l, &bytes, &line)) == LINES_ONE) {
            request r;
            fault why;
            int64_t n;
            bool flag;
            if (line.len > LINES_MAX)
                abort();
            if (!request_read_line(&r, line, &why))
                continue;
            for (int i = 0; i < r.count; i++)
                if (memchr(r.fields[i].value.at, '\n', r.fields[i].value.len))
                    abort();
            (void)!request_number(&r, "game", 1, INT64_MAX, 0, &n, &why);
            (void)!request_flag(&r, "draw", false, &flag, &why);
        }
        if (status == LINES_TOO_LONG)
            break;
    }
    lines_free(&l);
    return 0;
}
