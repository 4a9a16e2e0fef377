// Any bytes as records of one format: the body of the fuzz_record_ programs. What is accepted is
// written in every format that holds it, and read back as the same game.
#ifndef KRATON_FUZZ_RECORD_H
#define KRATON_FUZZ_RECORD_H

#include "records/record.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

// Whether a format keeps the counters of a position, and whose turn it is where nobody has moved.
static bool keeps_position(record_format format, const record *r) {
    return format == RECORD_PGN || format == RECORD_JSON || format == RECORD_MOVES ||
           (format == RECORD_DHTMLXQ && r->count);
}

static void check_written(const record *r, record_format format) {
    buffer out = {0};
    fault why = {""};
    if (record_write(r, format, &out, &why)) {
        record back;
        record_init(&back, NULL);
        record_reader reader = record_read((text){out.bytes, out.len}, format, r->game);
        check(record_next(&reader, &back, &why) == RECORD_OK);
        check(back.game == r->game && back.count == r->count);
        check(r->count == 0 || memcmp(back.moves, r->moves, r->count * sizeof *r->moves) == 0);
        fault lost;
        if (!record_tell_losses(r, format, &lost) || strstr(lost.line, "variation") == NULL)
            check(back.node_count == r->node_count || r->node_count <= 1);
        if (keeps_position(format, r))
            check(strcmp(back.fen, r->fen) == 0);
        check(format == RECORD_MOVES || back.result == r->result);
        check(record_next(&reader, &back, &why) == RECORD_END);
        record_free(&back);
        record_close(&reader);
    } else { // only what the format cannot hold
        check(format != RECORD_PGN && format != RECORD_MOVES && why.line[0] != '\0');
    }
    buffer_free(&out);
}

static int fuzz_records(const uint8_t *data, size_t size, record_format format) {
    const rules_game *game = NULL;
    if (format == RECORD_MOVES && size) { // nothing else says which
        game = rules_nth(data[0] % RULES_GAMES);
        data++;
        size--;
    }
    text bytes = {(const char *)data, size};
    record_detect(bytes);
    record_reader reader = record_read(bytes, format, game);
    record r;
    fault why;
    record_init(&r, NULL);
    record_status status;
    for (int games = 0; games < 20 && (status = record_next(&reader, &r, &why)); games++) {
        check(!strchr(why.line, '\n'));
        if (status == RECORD_BAD) {
            check(text_starts(text_of(why.line), "line ") ||
                  text_starts(text_of(why.line), "byte "));
            continue;
        }
        for (int f = 0; f < RECORD_FORMATS; f++)
            check_written(&r, (record_format)f);
    }
    record_free(&r);
    record_close(&reader);
    return 0;
}

#endif
