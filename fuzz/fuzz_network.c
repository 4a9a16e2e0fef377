// Any bytes as a network, once as they are and once with a checksum that fits: what is accepted is
// the same after writing and reading it again.
#include "games/network.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

static void read_bytes(text bytes) {
    fault why = {""};
    network *n = network_decode(bytes, "xiangqi", &why);
    if (!n) {
        check(why.line[0] != '\0' && !strchr(why.line, '\n'));
        return;
    }
    buffer out = {0};
    network_encode(n, &out);
    network *again = network_decode(buffer_text(&out), "xiangqi", &why);
    check(again && again->shape.width == n->shape.width && strcmp(again->text, n->text) == 0);
    network_free(again);
    network_free(n);
    buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_bytes((text){(const char *)data, size});
    if (size < 8)
        return 0;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size - 8; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    char *fitting = malloc(size);
    memcpy(fitting, data, size);
    for (size_t i = 0; i < 8; i++)
        fitting[size - 8 + i] = (char)(hash >> 8 * i & 0xff);
    read_bytes((text){fitting, size});
    free(fitting);
    return 0;
}
