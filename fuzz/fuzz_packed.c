// Any bytes as packed games: what is accepted is the same after writing and reading it again.
#include "lab/data/packed.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    packed_file file = {.map = {data, size}};
    packed_game *g = malloc(sizeof *g), *again = malloc(sizeof *again);
    for (size_t place = 0, start = 0; packed_next(&file, &place, g) == PACKED_GAME; start = place) {
        buffer out = {0};
        packed_encode(g, &out);
        check(out.len == place - start);
        packed_file copy = {.map = {(const uint8_t *)out.bytes, out.len}};
        size_t end = 0;
        check(packed_next(&copy, &end, again) == PACKED_GAME && end == out.len);
        check(again->ply_count == g->ply_count && again->number == g->number);
        buffer_free(&out);
    }
    free(again);
    free(g);
    return 0;
}
