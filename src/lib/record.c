// Game records of libkraton.
#include "base/encoding.h"
#include "lib/lib.h"
#include "records/format.h"

#include <stdlib.h>

struct kraton_record {
    record r;
};

struct kraton_reader {
    record_reader reader;
};

_Static_assert((int)KRATON_READ_END == (int)RECORD_END && (int)KRATON_READ_BAD == (int)RECORD_BAD,
               "states of reading");

// The formats by their numbers in kraton.h, which never change.
static const char *const format_names[] = {"contest", "pgn", "dhtmlxq", "json", "moves",
                                           "xqf",     "cbr", "cbl",     "wxf",  "dpxq"};
enum { FORMATS = sizeof format_names / sizeof format_names[0] };
_Static_assert(KRATON_FORMAT_DPXQ == FORMATS - 1, "formats");
_Static_assert((int)FORMATS == (int)RECORD_FORMATS, "a number in kraton.h for every format");

static bool find_format(kraton_format format, record_format *found) {
    return format >= 0 && (int)format < FORMATS &&
           record_format_find(text_of(format_names[format]), found);
}

const char *kraton_format_name(kraton_format format) {
    return format >= 0 && (int)format < FORMATS ? format_names[format] : NULL;
}

// --- making and asking --------------------------------------------------------------------------

kraton_record *kraton_record_new(const kraton_game *game) {
    LIB_NEED(game, "game", NULL, NULL);
    kraton_record *r = malloc(sizeof *r);
    if (r)
        record_init(&r->r, lib_game(game));
    return r;
}

kraton_record *kraton_record_of_position(const kraton_position *p) {
    LIB_NEED(p, "position", NULL, NULL);
    const rules_game *game = rules_game_of(p->state);
    kraton_record *r = kraton_record_new(lib_game_out(game));
    bool fine = r != NULL;
    for (uint32_t i = 0; fine && i < rules_ply(p->state); i++)
        fine = record_add_move(&r->r, rules_move_at(p->state, i));
    if (!fine) {
        kraton_record_free(r);
        return NULL;
    }
    if (strcmp(p->first, rules_start_fen(game)) != 0)
        memcpy(r->r.fen, p->first, sizeof r->r.fen);
    r->r.result = rules_result(p->state).outcome;
    return r;
}

void kraton_record_free(kraton_record *r) {
    if (r)
        record_free(&r->r);
    free(r);
}

const kraton_game *kraton_record_game(const kraton_record *r) {
    return r ? lib_game_out(r->r.game) : NULL;
}

// A field of the structure by its name, with its size; NULL for tags.
static char *find_field(record *r, text name, size_t *size) {
    const struct {
        const char *name;
        char *value;
        size_t size;
    } fields[] = {
        {"First", r->first, sizeof r->first}, {"Second", r->second, sizeof r->second},
        {"Event", r->event, sizeof r->event}, {"Site", r->site, sizeof r->site},
        {"Date", r->date, sizeof r->date},    {"FEN", r->fen, sizeof r->fen},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (text_is(name, fields[i].name)) {
            *size = fields[i].size;
            return fields[i].value;
        }
    return NULL;
}

const char *kraton_record_get(const kraton_record *r, const char *name) {
    LIB_NEED(r && name, "record or name", NULL, NULL);
    size_t size;
    // The field is only read; find_field serves kraton_record_set too.
    const char *field = find_field((record *)&r->r, text_of(name), &size);
    return field ? field : record_find_tag(&r->r, name);
}

// A board as FEN, made canonical; the start position is an empty one.
static bool set_fen(record *r, const char *fen, kraton_error *error) {
    kraton_position *p = kraton_position_new(lib_game_out(r->game), NULL, fen, error);
    if (!p)
        return false;
    bool is_start = strcmp(p->first, rules_start_fen(r->game)) == 0;
    memcpy(r->fen, is_start ? "" : p->first, is_start ? 1 : sizeof r->fen);
    kraton_position_free(p);
    return true;
}

bool kraton_record_set(kraton_record *r, const char *name, const char *value, kraton_error *error) {
    LIB_NEED(r, "record", error, false);
    LIB_NEED(name, "name", error, false);
    LIB_NEED(value, "value", error, false);
    if (!utf8_is_valid(text_of(value)))
        return lib_refuse_words(error, "the value is not UTF-8");
    size_t size;
    char *field = find_field(&r->r, text_of(name), &size);
    if (field == r->r.fen && *value)
        return set_fen(&r->r, value, error);
    if (field) {
        record_set_field(field, size, text_of(value));
        return true;
    }
    return record_set_tag(&r->r, text_of(name), text_of(value)) ||
           lib_refuse_words(error, "not a tag name of 1 to 31 letters, digits and _, or too many "
                                   "tags");
}

const char *kraton_record_tag_nth(const kraton_record *r, int n) {
    return r && n >= 0 && n < r->r.tag_count ? r->r.tags[n].name : NULL;
}

kraton_outcome kraton_record_result(const kraton_record *r) {
    return r ? (kraton_outcome)r->r.result : KRATON_ONGOING;
}

void kraton_record_set_result(kraton_record *r, kraton_outcome result) {
    if (r && kraton_outcome_name(result))
        r->r.result = (rules_outcome)result;
}

uint32_t kraton_record_move_count(const kraton_record *r) { return r ? r->r.count : 0; }

kraton_move kraton_record_move_at(const kraton_record *r, uint32_t n) {
    return n < kraton_record_move_count(r) ? r->r.moves[n] : KRATON_NO_MOVE;
}

bool kraton_record_add_move(kraton_record *r, kraton_move move) {
    return r && record_add_move(&r->r, move);
}

// --- reading and writing ------------------------------------------------------------------------

kraton_reader *kraton_reader_new(const void *bytes, size_t size, kraton_format format,
                                 const kraton_game *game) {
    LIB_NEED(bytes || size == 0, "bytes", NULL, NULL);
    kraton_reader *reader = malloc(sizeof *reader);
    text all = {bytes, size};
    record_format known;
    if (!find_format(format, &known))
        known = record_detect(all);
    if (reader)
        reader->reader = record_read(all, known, lib_game(game));
    return reader;
}

void kraton_reader_free(kraton_reader *reader) {
    if (reader)
        record_close(&reader->reader);
    free(reader);
}

kraton_format kraton_reader_format(const kraton_reader *reader) {
    LIB_NEED(reader, "reader", NULL, KRATON_FORMAT_DETECT);
    text name = text_of(record_format_name(reader->reader.format));
    for (int i = 0; i < FORMATS; i++)
        if (text_is(name, format_names[i]))
            return (kraton_format)i;
    return KRATON_FORMAT_DETECT;
}

kraton_read_status kraton_reader_next(kraton_reader *reader, kraton_record *r,
                                      kraton_error *error) {
    LIB_NEED(reader, "reader", error, KRATON_READ_END);
    LIB_NEED(r, "record", error, KRATON_READ_END);
    fault why = {""};
    record_status status = record_next(&reader->reader, &r->r, &why);
    lib_refuse(error, &why);
    return (kraton_read_status)status;
}

static bool write_text_of(const record *r, kraton_format format, kraton_notation notation,
                          buffer *out, fault *why) {
    record_format known;
    if (!find_format(format, &known))
        return fault_set(why, "no such format");
    if (notation == KRATON_NOTATION_ANY)
        return record_write(r, known, out, why);
    if (notation < 0 || !rules_has_notation(r->game, (rules_notation)notation))
        return fault_set(why, "%s has no such notation", rules_name(r->game));
    return record_write_as(r, known, (rules_notation)notation, out, why);
}

char *kraton_record_write(const kraton_record *r, kraton_format format, kraton_notation notation,
                          size_t *size, kraton_error *error) {
    LIB_NEED(r, "record", error, NULL);
    buffer out = {0};
    fault why;
    bool fine = write_text_of(&r->r, format, notation, &out, &why);
    size_t length = out.len;
    buffer_char(&out, '\0');
    if (fine && out.failed)
        fine = fault_set(&why, "out of memory");
    if (!fine) {
        lib_refuse(error, &why);
        buffer_free(&out);
        return NULL;
    }
    if (size)
        *size = length;
    return out.bytes; // of malloc, as kraton_free expects
}

size_t kraton_record_file_name(const kraton_record *r, kraton_format format, unsigned number,
                               char *out, size_t size) {
    char name[1024];
    record_format known;
    writer w = writer_on(name, sizeof name);
    if (r && find_format(format, &known))
        record_write_file_name(&r->r, known, number, &w);
    return lib_copy_out((text){name, w.used}, out, size);
}
