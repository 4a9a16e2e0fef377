#include "records/record.h"

#include "base/encoding.h"
#include "base/minmax.h"
#include "records/format.h"
#include "rules/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define FORMAT_ADDRESS(upper, lower) &format_##lower,
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

bool record_format_of_name(const char *name, record_format *format) {
    const char *dot = strrchr(name, '.');
    for (int i = 0; dot && i < RECORD_FORMATS; i++)
        if (!formats[i]->write_file_name && (strcasecmp(dot + 1, formats[i]->extension) == 0 ||
                                             strcasecmp(dot + 1, formats[i]->name) == 0)) {
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

// Whether a row recognises the start of a file. Text has no blanks in front.
static bool is_of_format(const format_row *row, text start) {
    if (!row->is_binary)
        start = text_trim(start);
    return row->detect && row->detect(start);
}

record_format record_detect(text bytes) {
    enum { LOOKED_AT = 4096 };
    buffer utf8 = {0};
    size_t bad;
    record_format found = RECORD_MOVES;
    text raw = {bytes.at, min_size(bytes.len, 4 * LOOKED_AT)}, start = {0};
    if (encoding_to_utf8(encoding_detect(raw), raw, &utf8, &bad))
        start = text_trim(buffer_text(&utf8));
    start.len = min_size(start.len, LOOKED_AT);
    for (int i = RECORD_FORMATS - 1; i >= 0; i--)
        if (is_of_format(formats[i], formats[i]->is_binary ? raw : start))
            found = (record_format)i;
    buffer_free(&utf8);
    return found;
}

// Formats that nobody had files of, or few: by what they start with.
static const struct {
    const char *name, *sign;
    bool is_at_start; // else somewhere in the first bytes
} unread[] = {
    {"PFC (Pengfei)", "<n version", false},
    {"CBF", "<ChineseChessRecord", false},
    {"CCM (China Game Centre)", "\x01", true},
};

const char *record_find_unread(text bytes) {
    enum { LOOKED_AT = 512 };
    text start = {bytes.at, min_size(bytes.len, LOOKED_AT)};
    for (size_t i = 0; i < sizeof unread / sizeof unread[0]; i++) {
        size_t at = text_find(start, unread[i].sign);
        if (at < start.len && (at == 0 || !unread[i].is_at_start))
            return unread[i].name;
    }
    return NULL;
}

// --- one record ---------------------------------------------------------------------------------

void record_init(record *r, const rules_game *game) {
    memset(r, 0, sizeof *r);
    r->game = game;
}

void record_free(record *r) {
    free(r->moves);
    free(r->nodes);
    buffer_free(&r->comments);
    buffer_free(&r->remarks);
    memset(r, 0, sizeof *r);
}

const char *record_find_tag(const record *r, const char *name) {
    for (int i = 0; i < r->tag_count; i++)
        if (strcmp(r->tags[i].name, name) == 0)
            return r->tags[i].value;
    return NULL;
}

// --- reading ------------------------------------------------------------------------------------

// Makes UTF-8 of a text. What is not text at all has zero bytes.
static void decode(record_reader *reader, text bytes) {
    encoding e = encoding_detect(bytes);
    if (e == ENCODING_UTF8 && utf8_is_valid(bytes))
        reader->all = text_starts(bytes, "\xef\xbb\xbf") ? text_skip(bytes, 3) : bytes;
    else if (encoding_lines_to_utf8(e, bytes, &reader->decoded, &reader->damaged, &reader->unsure))
        reader->all = buffer_text(&reader->decoded);
    else
        fault_set(&reader->broken, "line 1: the text cannot be decoded as %s", encoding_name(e));
    const char *zero = reader->all.len ? memchr(reader->all.at, '\0', reader->all.len) : NULL;
    if (zero)
        fault_set(&reader->broken, "line 1: not a record: byte %zu is 0, and that is no text",
                  (size_t)(zero - reader->all.at) + 1);
}

record_reader record_read(text bytes, record_format format, const rules_game *game) {
    record_reader reader = {
        .format = format, .game = game, .all = bytes, .line = 1, .notation = -1};
    const char *other = format == RECORD_MOVES ? record_find_unread(bytes) : NULL;
    if (other)
        fault_set(&reader.broken,
                  "line 1: the file looks like %s, which is not read: save it as PGN, XQF or "
                  "DhtmlXQ there",
                  other);
    else if (!formats[format]->is_binary)
        decode(&reader, bytes);
    reader.rest = reader.all;
    return reader;
}

void record_close(record_reader *reader) {
    buffer_free(&reader->decoded);
    reader->all = reader->rest = (text){0};
}

void record_tell_damage(record *r, size_t damaged) {
    if (damaged)
        record_remark(r, "%zu damaged character%s shown as \xef\xbf\xbd", damaged,
                      damaged > 1 ? "s are" : " is");
}

// Remarks on lines of a text in several encodings that do not show which they are in.
static void tell_doubt(record *r, size_t unsure) {
    if (unsure)
        record_remark(r, "%zu line%s could be in GB18030 or in Big5: read as those around them",
                      unsure, unsure > 1 ? "s" : "");
}

// Remarks on a start position that no game can have, such as a pawn behind its own line.
static void tell_oddity(record *r) {
    rules_pos pos;
    fault odd = {""};
    memset(&pos, 0, sizeof pos);
    if (r->fen[0] && r->game->tell_oddity && r->game->parse_fen(&pos, text_of(r->fen), NULL))
        r->game->tell_oddity(&pos, &odd);
    if (odd.line[0])
        record_remark(r, "%s", odd.line);
}

// A strict reader keeps everything or nothing. Some remarks name their line themselves.
static record_status refuse_dropped(const record *r, bool is_binary, uint32_t line, fault *why) {
    if (text_starts(text_of(r->dropped.line), "line "))
        *why = r->dropped;
    else if (is_binary)
        record_refuse_byte(why, 0, "%s", r->dropped.line);
    else
        record_refuse(why, line, "%s", r->dropped.line);
    return RECORD_BAD;
}

record_status record_next(record_reader *reader, record *r, fault *why) {
    const format_row *format = formats[reader->format];
    record_free(r);
    record_init(r, reader->game);
    why->line[0] = '\0';
    if (reader->is_strict && reader->damaged)
        fault_set(&reader->broken, "line 1: damaged characters (%zu)", reader->damaged);
    bool is_others = format->game && r->game && r->game != format->game;
    if (is_others && !reader->broken.line[0] && (format->is_binary || !reader_is_blank(reader)))
        record_refuse(&reader->broken, reader->line, "%s records are %s's", format->title,
                      rules_properties_of(format->game)->title);
    if (reader->broken.line[0]) {
        bool is_told = reader->rest.len == 0;
        *why = reader->broken;
        reader->rest.len = 0;
        return is_told ? RECORD_END : RECORD_BAD;
    }
    if (!format->is_binary && reader_is_blank(reader))
        return RECORD_END;
    if (format->game)
        r->game = format->game;
    uint32_t line = reader->line;
    record_status status = format->next(reader, r, why);
    if (status == RECORD_OK) {
        record_tell_damage(r, reader->damaged);
        tell_doubt(r, reader->unsure);
        reader->damaged = reader->unsure = 0;
        tell_oddity(r);
        text remarks = buffer_text(&r->remarks), first = text_next_line(&remarks);
        fault_set(why, "%.*s", (int)first.len, first.at);
    }
    if (status == RECORD_OK && reader->is_strict && r->dropped.line[0])
        status = refuse_dropped(r, format->is_binary, line, why);
    return status;
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

record_status record_refuse(fault *why, uint32_t line, const char *format, ...) {
    fault inner;
    va_list args;
    va_start(args, format);
    vsnprintf(inner.line, sizeof inner.line, format, args);
    va_end(args);
    fault_set(why, "line %u: %.230s", (unsigned)line, inner.line);
    return RECORD_BAD;
}

record_status record_refuse_byte(fault *why, size_t byte, const char *format, ...) {
    fault inner;
    va_list args;
    va_start(args, format);
    vsnprintf(inner.line, sizeof inner.line, format, args);
    va_end(args);
    fault_set(why, "byte %zu: %.220s", byte, inner.line);
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

// --- what a format cannot hold ------------------------------------------------------------------

// Headings without a value: ?, ????.??.??, -
static bool says_nothing(const char *value) { return value[strspn(value, "?.- ")] == '\0'; }

// The headings of a record as they come back from a format; empty where it has none at all.
static void read_back(const record *r, record_format format, record *back) {
    record head = *r; // without its moves
    buffer out = {0};
    fault why;
    head.moves = NULL;
    head.nodes = NULL;
    head.count = head.node_count = head.last = head.commented = 0;
    head.comments = head.remarks = (buffer){0};
    record_init(back, r->game);
    if (formats[format]->holds & HOLDS_TAGS && record_write(&head, format, &out, &why)) {
        record_reader reader = record_read(buffer_text(&out), format, r->game);
        record_next(&reader, back, &why);
        record_close(&reader);
    }
    buffer_free(&out);
}

typedef struct {
    char dropped_text[160], cut_text[64], changed_text[64];
    writer dropped, cut, changed;
} losses;

static void compare_heading(losses *l, const char *name, const char *value, const char *back) {
    if (says_nothing(value) || (back && strcmp(value, back) == 0))
        return;
    writer *list = !back || !back[0]                         ? &l->dropped
                   : strncmp(value, back, strlen(back)) == 0 ? &l->cut
                                                             : &l->changed;
    write_format(list, "%s%s", list->used ? ", " : "", name);
}

static void compare_headings(losses *l, const record *r, const record *back) {
    const struct {
        const char *name, *value, *back;
    } fields[] = {
        {"Event", r->event, back->event},
        {"Site", r->site, back->site},
        {"Date", r->date, back->date},
        {rules_side_name(r->game, 0), r->first, back->first},
        {rules_side_name(r->game, 1), r->second, back->second},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        compare_heading(l, fields[i].name, fields[i].value, fields[i].back);
    for (int i = 0; i < r->tag_count; i++)
        compare_heading(l, r->tags[i].name, r->tags[i].value,
                        record_find_tag(back, r->tags[i].name));
    if (r->result != back->result)
        compare_heading(l, "Result", result_word(r->result), NULL);
}

// The counters of a FEN: what stands behind the side to move.
static text counters_of(const record *r) {
    text fen = text_of(r->fen[0] ? r->fen : rules_start_fen(r->game));
    text_next_word(&fen);
    text_next_word(&fen);
    return text_trim(fen);
}

static void compare_counters(losses *l, const record *r, const record *back) {
    text own = counters_of(r);
    if (own.len && !text_equal(own, counters_of(back)))
        compare_heading(l, "the FEN's counters", own.at, NULL);
}

bool record_tell_losses(const record *r, record_format format, fault *remark) {
    const format_row *row = formats[format];
    if (row->holds == HOLDS_ALL || !r->game)
        return false;
    losses l;
    record back;
    l.dropped = writer_on(l.dropped_text, sizeof l.dropped_text);
    l.cut = writer_on(l.cut_text, sizeof l.cut_text);
    l.changed = writer_on(l.changed_text, sizeof l.changed_text);
    tree_write_losses(r, row, &l.dropped, &l.changed);
    read_back(r, format, &back);
    compare_headings(&l, r, &back);
    if (row->holds & HOLDS_TAGS)
        compare_counters(&l, r, &back);
    record_free(&back);
    writer w = writer_on(remark->line, sizeof remark->line);
    if (l.dropped.used)
        write_format(&w, "%s%s dropped: the format %s has no place for them", l.dropped_text,
                     l.dropped.overflow ? "..." : "", row->name);
    if (l.cut.used)
        write_format(&w, "%s%s%s cut: the format %s has less room", w.used ? "; " : "", l.cut_text,
                     l.cut.overflow ? "..." : "", row->name);
    if (l.changed.used)
        write_format(&w, "%s%s%s changed: the format %s writes some characters as others",
                     w.used ? "; " : "", l.changed_text, l.changed.overflow ? "..." : "",
                     row->name);
    return w.used != 0;
}

// --- file names ---------------------------------------------------------------------------------

void record_write_file_name(const record *r, record_format format, unsigned number, writer *out) {
    if (formats[format]->write_file_name)
        formats[format]->write_file_name(r, out);
    else
        write_format(out, "%04u.%s", number, formats[format]->extension);
}

bool record_read_file_name(record *r, text name) {
    for (int i = 0; i < RECORD_FORMATS; i++)
        if (formats[i]->read_file_name && formats[i]->game == r->game &&
            formats[i]->read_file_name(r, name))
            return true;
    return false;
}
