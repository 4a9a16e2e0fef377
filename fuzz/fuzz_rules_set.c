// Rule sets as people type them: any bytes are read or refused, and what was read is written in a
// form that reads the same.
#include "rules/rules.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    text spec = {(const char *)data, size};
    for (int i = 0; rules_nth(i); i++) {
        rules_set set, again;
        fault why;
        if (!rules_set_parse(rules_nth(i), spec, &set, &why))
            continue;
        char written[256];
        writer w = writer_on(written, sizeof written);
        rules_set_format(rules_nth(i), &set, &w);
        if (w.overflow || !rules_set_parse(rules_nth(i), text_of(written), &again, &why) ||
            set.repetition != again.repetition || set.no_capture != again.no_capture ||
            set.repetition_end != again.repetition_end ||
            set.no_capture_end != again.no_capture_end || set.no_move_end != again.no_move_end ||
            set.flag_end != again.flag_end)
            abort();
    }
    return 0;
}
