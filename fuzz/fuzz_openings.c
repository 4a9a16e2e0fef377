// Any bytes as a file of openings: what is accepted are sound positions, each of them written as it
// would be read.
#include "records/openings.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const rules_game *game = rules_nth(data[0] % RULES_GAMES);
    openings_choice choice = {.shuffled = data[0] & 2, .seed = data[1], .plies = data[1] % 8 - 1};
    fault why = {""};
    openings *o = openings_load(game, (text){(const char *)data + 2, size - 2}, &choice, &why);
    if (!o) {
        check(why.line[0] != '\0' && !strchr(why.line, '\n'));
        return 0;
    }
    check(openings_count(o) > 0);
    for (uint32_t k = 0; k < openings_count(o) && k < 20; k++) {
        char fen[RULES_FEN_SIZE];
        check(openings_fen(o, k, fen) == fen);
        openings *again = openings_load(game, text_of(fen), &choice, &why);
        char same[RULES_FEN_SIZE];
        check(again && openings_count(again) == 1);
        check(strcmp(openings_fen(again, 0, same), fen) == 0);
        openings_free(again);
    }
    openings_free(o);
    return 0;
}
