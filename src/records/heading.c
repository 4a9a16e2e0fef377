// Headings of a record as readers find them: fields, tags and results, with remarks on what cannot
// be kept.
#include "base/encoding.h"
#include "records/format.h"

#include <stdio.h>
#include <strings.h>

// --- remarks ------------------------------------------------------------------------------------

static void add_remark(record *r, const char *format, va_list args, fault *line) {
    vsnprintf(line->line, sizeof line->line, format, args);
    text words = text_of(line->line);
    for (int i = 0; i < 3 && !utf8_is_valid(words); i++)
        words.len--; // half a character at the end
    line->line[words.len] = '\0';
    if (r->remark_count++ >= RECORD_REMARKS)
        return;
    buffer_add(&r->remarks, words);
    buffer_char(&r->remarks, '\n');
}

void record_remark(record *r, const char *format, ...) {
    fault line;
    va_list args;
    va_start(args, format);
    add_remark(r, format, args, &line);
    va_end(args);
}

void record_drop(record *r, const char *format, ...) {
    fault line;
    va_list args;
    va_start(args, format);
    add_remark(r, format, args, &line);
    va_end(args);
    if (!r->dropped.line[0])
        r->dropped = line;
}

// --- fields and tags ----------------------------------------------------------------------------

bool record_set_field(char *field, size_t size, text value) {
    while (value.len && (unsigned char)value.at[0] <= ' ') // some programs put a length there
        value = text_skip(value, 1);
    value = text_trim(value);
    text kept = utf8_cut(value, size - 1);
    writer w = writer_on(field, size);
    write_text(&w, kept);
    for (char *c = field; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    return kept.len == value.len;
}

// Remarks on a value that takes the place of another.
static void tell_second(record *r, const char *name, const char *before, const char *now) {
    if (before && before[0] && strcmp(before, now) != 0)
        record_drop(r, "a second %s replaces %s", name, fault_quote(text_of(before)).shown);
}

static void tell_cut(record *r, const char *name, size_t size) {
    record_drop(r, "%s is cut: it has more than %zu bytes", name, size - 1);
}

void record_read_field(record *r, const char *name, char *field, size_t size, text value) {
    char before[RECORD_TAG_SIZE];
    record_set_field(before, sizeof before, text_of(field));
    if (!record_set_field(field, size, value))
        tell_cut(r, name, size);
    tell_second(r, name, before, field);
}

bool record_is_tag_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_tag_name(text name) {
    for (size_t c = 0; c < name.len; c++)
        if (!record_is_tag_char(name.at[c]))
            return false;
    return name.len != 0;
}

// The tag of that name, or the place behind the last.
static record_tag *find_tag(record *r, text name) {
    int i = 0;
    while (i < r->tag_count && !text_is(name, r->tags[i].name))
        i++;
    return &r->tags[i];
}

bool record_set_tag(record *r, text name, text value) {
    record_tag *tag = find_tag(r, name);
    bool is_new = tag == &r->tags[r->tag_count];
    if (!is_tag_name(name) || name.len >= sizeof tag->name ||
        (is_new && r->tag_count == RECORD_TAGS))
        return false;
    record_set_field(tag->name, sizeof tag->name, name);
    record_set_field(tag->value, sizeof tag->value, value);
    r->tag_count += is_new;
    return true;
}

void record_read_tag(record *r, text name, text value) {
    const record_tag *tag = find_tag(r, name);
    bool is_new = tag == &r->tags[r->tag_count];
    char before[RECORD_TAG_SIZE] = "", whole[RECORD_TAG_SIZE];
    if (!is_new)
        memcpy(before, tag->value, sizeof before);
    if (!record_set_tag(r, name, value)) {
        record_drop(r, "the tag %s is left out: %s", fault_quote(name).shown,
                    !is_tag_name(name)                   ? "its name is none"
                    : name.len >= sizeof r->tags[0].name ? "its name is too long"
                                                         : "there are more than 32");
        return;
    }
    tell_second(r, tag->name, before, tag->value);
    if (!record_set_field(whole, sizeof whole, value))
        tell_cut(r, tag->name, sizeof whole);
}

// Whether PGN has a tag of that name, in any case, that is no tag of the record but one of its
// fields.
static bool is_field_name(const record *r, text name) {
    const char *const names[] = {"Event",
                                 "Site",
                                 "Date",
                                 "Result",
                                 "FEN",
                                 "Game",
                                 "Format",
                                 r->game ? rules_side_name(r->game, 0) : "",
                                 r->game ? rules_side_name(r->game, 1) : ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (name.len == strlen(names[i]) && strncasecmp(name.at, names[i], name.len) == 0)
            return true;
    return false;
}

void record_read_other_tag(record *r, text name, text value) {
    if (is_field_name(r, name))
        record_drop(r, "the tag %s is left out: its name is another heading's",
                    fault_quote(name).shown);
    else
        record_read_tag(r, name, value);
}

// --- results ------------------------------------------------------------------------------------

static const char *const result_words[] = {"*", "1-0", "0-1", "1/2-1/2"};

const char *result_word(rules_outcome result) { return result_words[result]; }

bool result_of_word(text word, rules_outcome *result) {
    for (int i = RULES_ONGOING; i <= RULES_DRAW; i++)
        if (text_is(word, result_words[i])) {
            *result = (rules_outcome)i;
            return true;
        }
    return false;
}

// Whether the text has one of some Chinese characters.
static bool has_any(text words, const char *characters) {
    for (text rest = text_of(characters); rest.len;) {
        size_t length = (size_t)utf8_length(rest);
        for (size_t i = 0; i + length <= words.len; i++)
            if (memcmp(words.at + i, rest.at, length) == 0)
                return true;
        rest = text_skip(rest, length);
    }
    return false;
}

// Words that say that nobody knows. Several ? may once have been Chinese characters.
static bool says_nothing(text words) {
    static const char *const starts[] = {"-", "未", "不", "无", "無", "Unknown"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (text_starts(words, starts[i]))
            return true;
    return words.len == 0 || text_is(words, "?");
}

bool result_of_words(const rules_game *game, text words, rules_outcome *result) {
    const rules_properties *of = rules_properties_of(game);
    words = text_trim(words);
    if (result_of_word(words, result))
        return true;
    bool first = has_any(words, of->side_characters[0]) || has_any(words, "先");
    bool second = has_any(words, of->side_characters[1]) || has_any(words, "后後");
    bool won = has_any(words, "胜勝赢贏"), lost = has_any(words, "负負输輸");
    *result = RULES_ONGOING;
    if (has_any(words, "和平") || text_starts(words, "不分") || text_is(words, "1/2"))
        *result = RULES_DRAW;
    else if (says_nothing(words))
        return true;
    else if (first != second && won != lost)
        *result = first == won ? RULES_FIRST_WINS : RULES_SECOND_WINS;
    return *result != RULES_ONGOING;
}

void record_read_result(record *r, text words) {
    if (!result_of_words(r->game, words, &r->result))
        record_drop(r, "the result %s is not understood", fault_quote(words).shown);
}
