#include "records/record.h"

#include "base/encoding.h"
#include "base/vector.h"
#include "records/format.h"

#include <stdio.h>
#include <stdlib.h>

#define FORMAT_ADDRESS(upper, lower) &lower##_format,
static const format_row *const formats[RECORD_FORMATS] = {RECORD_FORMAT_TABLE(FORMAT_ADDRESS)};
#undef FORMAT_ADDRESS

bool record_format_find(text name, record_format *format) {
    for (int i = 0; i < RECORD_FORMATS; i++)
        if (text_is(name, formats[i]->name)) {
            *format = (record_format)i;
            return true;
        }
    return false;
}

void record_write_format_names(writer *out, bool written_only) {
    const char *between = "";
    for (int i = 0; i < RECORD_FORMATS; i++)
        if (!written_only || formats[i]->write) {
            write_format(out, "%s%s", between, formats[i]->name);
            between = ", ";
        }
}

const char *record_format_name(record_format format) { return formats[format]->name; }

bool record_format_holds(record_format format, const rules_game *game) {
    return !formats[format]->game || formats[format]->game == game;
}

bool record_format_is_written(record_format format) { return formats[format]->write != NULL; }

bool record_format_is_single(record_format format) { return formats[format]->is_single; }

const char *record_format_type(record_format format) { return formats[format]->type; }

bool record_says_game(text bytes, record_format format) {
    const format_row *row = formats[format];
    return row->game || (row->says_game && row->says_game(bytes));
}

record_format record_format_for(const rules_game *game) {
    for (int i = 0; i < RECORD_FORMATS; i++)
        if (formats[i]->game == game && formats[i]->is_usual)
            return (record_format)i;
    return RECORD_PGN;
}

static text skip_mark(text bytes) {
    return text_starts(bytes, "\xef\xbb\xbf") ? text_skip(bytes, 3) : bytes;
}

record_format record_detect(text bytes) {
    text start = text_trim(skip_mark(bytes));
    if (start.len > 4096)
        start.len = 4096;
    for (int i = 0; i < RECORD_FORMATS; i++)
        if (formats[i]->detect && formats[i]->detect(start))
            return (record_format)i;
    return RECORD_MOVES;
}

// --- one record ---------------------------------------------------------------------------------

void record_init(record *r, const rules_game *game) {
    memset(r, 0, sizeof *r);
    r->game = game;
}

void record_free(record *r) {
    free(r->moves);
    memset(r, 0, sizeof *r);
}

bool record_add_move(record *r, rules_move move) {
    rules_move *grown = vector_reserve(r->moves, &r->capacity, r->count + 1, sizeof *grown);
    if (!grown)
        return false;
    r->moves = grown;
    r->moves[r->count++] = move;
    return true;
}

const char *record_find_tag(const record *r, const char *name) {
    for (int i = 0; i < r->tag_count; i++)
        if (strcmp(r->tags[i].name, name) == 0)
            return r->tags[i].value;
    return NULL;
}

void record_set_field(char *field, size_t size, text value) {
    writer w = writer_on(field, size);
    write_text(&w, utf8_cut(text_trim(value), size - 1));
    for (char *c = field; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
}

bool record_is_tag_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool record_set_tag(record *r, text name, text value) {
    record_tag tag;
    if (name.len == 0 || name.len >= sizeof tag.name)
        return false;
    for (size_t c = 0; c < name.len; c++)
        if (!record_is_tag_char(name.at[c]))
            return false;
    record_set_field(tag.name, sizeof tag.name, name);
    record_set_field(tag.value, sizeof tag.value, value);
    int i = 0;
    while (i < r->tag_count && strcmp(r->tags[i].name, tag.name) != 0)
        i++;
    if (i == RECORD_TAGS)
        return false;
    r->tags[i] = tag;
    if (i == r->tag_count)
        r->tag_count++;
    return true;
}

// --- reading ------------------------------------------------------------------------------------

record_reader record_read(text bytes, record_format format, const rules_game *game) {
    return (record_reader){.format = format,
                           .game = game,
                           .all = bytes,
                           .rest = skip_mark(bytes),
                           .line = 1,
                           .notation = -1,
                           .gbk = !utf8_is_valid(bytes) && !utf8_is_cut(bytes)};
}

record_status record_next(record_reader *reader, record *r, fault *why) {
    const format_row *format = formats[reader->format];
    record_free(r);
    record_init(r, reader->game);
    why->line[0] = '\0';
    if (!format->game)
        return format->next(reader, r, why);
    if (reader_is_blank(reader))
        return RECORD_END;
    if (r->game && r->game != format->game) {
        reader->rest = text_skip(reader->rest, reader->rest.len);
        return record_refuse(why, reader->line, "%s records are %s's", format->title,
                             rules_properties_of(format->game)->title);
    }
    r->game = format->game;
    return format->next(reader, r, why);
}

text reader_line(record_reader *reader, uint32_t *number) {
    *number = reader->line++;
    return text_next_line(&reader->rest);
}

bool reader_is_blank(const record_reader *reader) {
    text rest = reader->rest;
    while (rest.len && (rest.at[0] == ' ' || (rest.at[0] >= '\t' && rest.at[0] <= '\r')))
        rest = text_skip(rest, 1);
    return rest.len == 0;
}

bool reader_decode(const record_reader *reader, text raw, writer *out, fault *why) {
    static const char cut[] = "cut off in the middle of a character";
    if (!reader->gbk) {
        if (!utf8_is_valid(raw))
            return fault_set(why, "%s", cut);
        write_text(out, raw);
        return !out->overflow || fault_set(why, "too long");
    }
    switch (gbk_to_utf8(raw, out)) {
    case GBK_OK:
        return true;
    case GBK_CUT:
        return fault_set(why, "%s", cut);
    case GBK_FULL:
        return fault_set(why, "too long");
    case GBK_MISSING:
        return fault_set(why, "this system cannot convert GBK");
    case GBK_BAD:
        break;
    }
    return fault_set(why, "bytes that are neither UTF-8 nor GBK");
}

record_status record_refuse(fault *why, uint32_t line, const char *format, ...) {
    fault inner;
    va_list args;
    va_start(args, format);
    vsnprintf(inner.line, sizeof inner.line, format, args);
    va_end(args);
    fault_set(why, "line %u: %.230s", (unsigned)line, inner.line);
    return RECORD_BAD;
}

// --- writing ------------------------------------------------------------------------------------

static bool write_in(const format_row *format, const record *r, rules_notation notation,
                     buffer *out, fault *why) {
    if (!format->write)
        return fault_set(why, "%s is read, not written", format->title);
    if (format->game && r->game != format->game)
        return fault_set(why, "%s records are %s's", format->title,
                         rules_properties_of(format->game)->title);
    return format->write(r, notation, out, why);
}

bool record_write_as(const record *r, record_format format, rules_notation notation, buffer *out,
                     fault *why) {
    size_t before = out->len;
    if (!r->game)
        return fault_set(why, "the record says no game");
    if (write_in(formats[format], r, notation, out, why))
        return true;
    out->len = before; // half a game is worth nothing
    return false;
}

bool record_write(const record *r, record_format format, buffer *out, fault *why) {
    bool has_own = format == RECORD_PGN && r->game;
    rules_notation notation =
        has_own ? rules_properties_of(r->game)->pgn_notation : NOTATION_NATIVE;
    return record_write_as(r, format, notation, out, why);
}

// --- file names ---------------------------------------------------------------------------------

void record_write_file_name(const record *r, record_format format, unsigned number, writer *out) {
    if (formats[format]->write_file_name)
        formats[format]->write_file_name(r, out);
    else
        write_format(out, "%04u.%s", number, formats[format]->name);
}

bool record_read_file_name(record *r, text name) {
    for (int i = 0; i < RECORD_FORMATS; i++)
        if (formats[i]->read_file_name && formats[i]->game == r->game &&
            formats[i]->read_file_name(r, name))
            return true;
    return false;
}
