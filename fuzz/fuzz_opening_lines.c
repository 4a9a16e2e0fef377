// Any bytes as a text of openings: every line comes with its fields or with a fault, and lines are
// counted right.
#include "records/opening_name.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    text rest = {(const char *)data, size};
    bool has_bars = opening_lines_detect(rest);
    opening_line line = {0};
    fault why;
    uint32_t last = 0;
    for (bool first = true; opening_lines_next(&rest, &line, &why); first = false) {
        check(line.number > last && line.number <= size);
        last = line.number;
        if (why.line[0]) {
            check(!strchr(why.line, '\n'));
            continue;
        }
        check(line.code.len && line.moves.len && (!first || has_bars));
        check((line.chinese.len == 0) == (line.english.len == 0));
        check(!memchr(line.code.at, '|', line.code.len) &&
              !memchr(line.code.at, '\n', line.code.len));
    }
    return 0;
}
