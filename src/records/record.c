#include "records/record.h"

#include <stdlib.h>

static const char *const format_names[] = {"contest", "pgn", "dhtmlxq", "json", "moves"};
enum { FORMATS = sizeof format_names / sizeof format_names[0] };

bool record_format_find(text name, record_format *format) {
    for (int i = 0; i < FORMATS; i++)
        if (text_is(name, format_names[i])) {
            *format = (record_format)i;
            return true;
        }
    return false;
}

const char *record_format_name(record_format format) { return format_names[format]; }

void record_init(record *r, const rules_game *game) {
    memset(r, 0, sizeof *r);
    r->game = game;
}

void record_free(record *r) {
    free(r->moves);
    memset(r, 0, sizeof *r);
}

bool record_add_move(record *r, rules_move move) {
    if (r->count == r->capacity) {
        uint32_t capacity = r->capacity ? r->capacity * 2 : 128;
        rules_move *grown = realloc(r->moves, capacity * sizeof *grown);
        if (!grown)
            return false;
        r->moves = grown;
        r->capacity = capacity;
    }
    r->moves[r->count++] = move;
    return true;
}

const char *record_find_tag(const record *r, const char *name) {
    for (int i = 0; i < r->tag_count; i++)
        if (strcmp(r->tags[i].name, name) == 0)
            return r->tags[i].value;
    return NULL;
}
