// WebSocket frames of any kind, in any pieces, to a server: the first byte says in which.
#include "serve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    fuzz_server *f = fuzz_begin();
    int fd = fuzz_connect(f, true);
    fuzz_upgrade(fd);
    fuzz_turn(f, 1);
    fuzz_send_pieces(f, fd, data + 1, size - 1, (size_t)data[0] * 8 + 1);
    close(fd);
    fuzz_end(f);
    return 0;
}
