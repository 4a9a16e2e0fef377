#include "records/record.h"

#include "base/gbk.h"
#include "base/utf8.h"
#include "records/format.h"

#include <stdio.h>
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

static text skip_mark(text bytes) {
    return text_starts(bytes, "\xef\xbb\xbf") ? text_skip(bytes, 3) : bytes;
}

record_format record_detect(text bytes) {
    text start = text_trim(skip_mark(bytes));
    if (start.len > 4096)
        start.len = 4096;
    if (text_find(start, "[DhtmlXQ") < start.len)
        return RECORD_DHTMLXQ;
    if (text_starts(start, "{"))
        return RECORD_JSON;
    if (text_starts(start, "#") || text_starts(start, "!"))
        return RECORD_CONTEST;
    size_t digits = 0;
    while (digits < start.len && start.at[digits] >= '0' && start.at[digits] <= '9')
        digits++;
    bool numbered = digits && digits < 4 && text_starts(text_skip(start, digits), ".");
    return text_starts(start, "[") || numbered ? RECORD_PGN : RECORD_MOVES;
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
    record_free(r);
    record_init(r, reader->game);
    why->line[0] = '\0';
    switch (reader->format) {
    case RECORD_CONTEST:
        return contest_next(reader, r, why);
    case RECORD_PGN:
        return pgn_next(reader, r, why);
    case RECORD_DHTMLXQ:
        return dhtmlxq_next(reader, r, why);
    case RECORD_JSON:
        return json_next(reader, r, why);
    case RECORD_MOVES:
        return moves_next(reader, r, why);
    }
    return RECORD_END;
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

static bool write_format_of(const record *r, record_format format, rules_notation notation,
                            buffer *out, fault *why) {
    switch (format) {
    case RECORD_CONTEST:
        return contest_write(r, out, why);
    case RECORD_PGN:
        return pgn_write(r, notation, out, why);
    case RECORD_DHTMLXQ:
        return fault_set(why, "DhtmlXQ is read, not written");
    case RECORD_JSON:
        return json_write(r, out, why);
    case RECORD_MOVES:
        return moves_write(r, notation, out, why);
    }
    return false;
}

bool record_write_as(const record *r, record_format format, rules_notation notation, buffer *out,
                     fault *why) {
    size_t before = out->len;
    if (!r->game)
        return fault_set(why, "the record says no game");
    if (write_format_of(r, format, notation, out, why))
        return true;
    out->len = before; // half a game is worth nothing
    return false;
}

bool record_write(const record *r, record_format format, buffer *out, fault *why) {
    bool iccs = format == RECORD_PGN && r->game == rules_find(text_of("xiangqi"));
    return record_write_as(r, format, iccs ? NOTATION_ICCS : NOTATION_NATIVE, out, why);
}
