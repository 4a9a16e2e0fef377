// HTTP requests of any kind, in any pieces, to a server: the first byte says in which. Some are
// answered at once, some by another thread while more comes in.
#include "serve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    fuzz_server *f = fuzz_begin();
    int fd = fuzz_connect(f, true);
    fuzz_send_pieces(f, fd, data + 1, size - 1, (size_t)data[0] * 16 + 1);
    fuzz_turn(f, 2);
    fuzz_drain(fd);
    close(fd);
    fuzz_end(f);
    return 0;
}
