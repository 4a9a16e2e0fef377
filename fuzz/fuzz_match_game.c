// A journal's line: what is read can be written and read again.
#include "match/game.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int i = 0; rules_nth(i); i++) {
        match_game g, again;
        fault why = {""};
        if (!match_game_read(&g, rules_nth(i), (text){(const char *)data, size}, &why)) {
            assert(why.line[0]);
            continue;
        }
        match_game_style style = {.game = rules_nth(i), .first = "a", .second = "b", .times = true};
        buffer line = {0};
        match_game_write(&g, &style, &line);
        bool good = match_game_read(&again, rules_nth(i), (text){line.bytes, line.len}, &why);
        assert(good);
        assert(again.count == g.count);
        match_game_free(&g);
        match_game_free(&again);
        buffer_free(&line);
    }
    return 0;
}
