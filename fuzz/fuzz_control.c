// Any bytes as a time control: what is accepted is written and read back as itself.
#include "referee/control.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    referee_control c, again;
    fault why = {""};
    if (!referee_control_parse((text){(const char *)data, size}, &c, &why)) {
        check(why.line[0] != '\0' && !strchr(why.line, '\n'));
        return 0;
    }
    char written[REFEREE_CONTROL_SIZE];
    writer w = writer_on(written, sizeof written);
    referee_control_format(&c, &w);
    check(!w.overflow && referee_control_parse(text_of(written), &again, &why));
    check(c.has_clock == again.has_clock && c.moves == again.moves && c.base_us == again.base_us);
    check(c.increment_us == again.increment_us && c.move_time_us == again.move_time_us);
    check(c.depth == again.depth && c.nodes == again.nodes && c.margin_us == again.margin_us);
    return 0;
}
