#include "cli/place.h"

#include "cli/cli.h"
#include "records/record.h"

#include <stdlib.h>

static void join_arguments(int argc, char **argv, buffer *line) {
    if (argc && strchr(argv[0], '/'))
        buffer_add(line, text_of("fen "));
    for (int i = 0; i < argc; i++) {
        buffer_add(line, text_of(argv[i]));
        buffer_add(line, text_of(" "));
    }
}

static rules_state *place_of_record(const record *r) {
    fault why;
    rules_state *s = new_game(r->game, NULL, r->fen[0] ? r->fen : NULL);
    for (uint32_t i = 0; s && i < r->count; i++)
        if (!rules_play(s, r->moves[i], &why)) {
            complain("kraton: %s", why.line);
            free(s);
            return NULL;
        }
    return s;
}

rules_state *place_of_arguments(const rules_game *game, int argc, char **argv) {
    if (argc == 0)
        return new_game(game, NULL, NULL);
    buffer line = {0};
    join_arguments(argc, argv, &line);
    if (line.failed) {
        complain("kraton: out of memory");
        return NULL;
    }
    record_reader reader = record_read((text){line.bytes, line.len}, RECORD_MOVES, game);
    record r;
    fault why = {""};
    rules_state *s = NULL;
    record_init(&r, game);
    record_status status = record_next(&reader, &r, &why);
    if (status == RECORD_OK)
        s = place_of_record(&r);
    else if (status == RECORD_END)
        s = new_game(game, NULL, NULL);
    else
        complain("kraton: %s", strncmp(why.line, "line 1: ", 8) == 0 ? why.line + 8 : why.line);
    record_free(&r);
    buffer_free(&line);
    return s;
}
