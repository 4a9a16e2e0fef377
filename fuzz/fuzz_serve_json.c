// A message from a page: read as a request, written back in both spellings.
#include "protocol/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    request r;
    fault why;
    if (!request_read_json(&r, (text){(const char *)data, size}, &why))
        return 0;
    message m = {.verb = "echo"};
    for (int i = 0; i < r.count; i++)
        message_text(&m, "value", r.fields[i].value);
    text json = message_as_json(&m), line = message_as_line(&m);
    // What we write we can read.
    static request again;
    if (line.len < REQUEST_SPACE && !request_read_line(&again, (text){line.at, line.len - 1}, &why))
        __builtin_trap();
    if (r.count < 2 && !request_read_json(&again, json, &why))
        __builtin_trap();
    message_free(&m);
    return 0;
}
