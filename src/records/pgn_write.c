// PGN, written: the usual tags in a fixed order, then whatever else the record holds,
// then the moves in lines of at most 80 bytes.
#include "records/format.h"
#include "records/opening_name.h"

enum { LINE_LIMIT = 80 };

static const char *const notation_names[] = {
    [NOTATION_NATIVE] = "Native", [NOTATION_SAU] = "SAU",         [NOTATION_ICCS] = "ICCS",
    [NOTATION_WXF] = "WXF",       [NOTATION_CHINESE] = "Chinese", [NOTATION_UCI0] = "UCI0",
    [NOTATION_UCI1] = "UCI1",     [NOTATION_CONTEST] = "Contest",
};

const char *pgn_notation_name(rules_notation notation) { return notation_names[notation]; }

int pgn_notation_of(text name, int otherwise) {
    return text_is(name, notation_names[NOTATION_UCI1]) ? NOTATION_UCI1 : otherwise;
}

static void write_tag(buffer *out, const char *name, const char *value) {
    buffer_string(out, "[");
    buffer_string(out, name);
    buffer_string(out, " \"");
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            buffer_string(out, "\\");
        buffer_add(out, (text){c, 1});
    }
    buffer_string(out, "\"]\n");
}

// The opening's code and name, where the record does not say them itself.
static void write_opening(const record *r, buffer *out) {
    const opening_name *name = opening_name_of_record(r);
    if (name && !record_find_tag(r, "ECCO") && !record_find_tag(r, "Opening")) {
        write_tag(out, "ECCO", name->code);
        write_tag(out, "Opening", name->chinese);
    }
}

static void write_tags(const record *r, rules_notation notation, buffer *out) {
    write_tag(out, "Game", rules_properties_of(r->game)->pgn_game);
    write_tag(out, "Event", r->event);
    write_tag(out, "Site", r->site);
    write_tag(out, "Date", r->date);
    write_tag(out, rules_side_name(r->game, 0), r->first);
    write_tag(out, rules_side_name(r->game, 1), r->second);
    write_tag(out, "Result", result_word(r->result));
    for (int i = 0; i < r->tag_count; i++)
        write_tag(out, r->tags[i].name, r->tags[i].value);
    write_opening(r, out);
    if (r->fen[0])
        write_tag(out, "FEN", r->fen);
    write_tag(out, "Format", pgn_notation_name(notation));
}

// Adds a word and the blank or line end before it.
static void write_word(buffer *out, size_t *line, const char *word) {
    size_t length = strlen(word);
    if (*line && *line + 1 + length > LINE_LIMIT) {
        buffer_string(out, "\n");
        *line = 0;
    } else if (*line) {
        buffer_string(out, " ");
        ++*line;
    }
    buffer_string(out, word);
    *line += length;
}

// A comment, broken between its words as the moves are.
static void write_comment(buffer *out, size_t *line, const char *comment) {
    text rest = text_of(comment);
    bool is_first = true;
    for (text next = text_next_word(&rest); next.len; next = text_next_word(&rest)) {
        char word[LINE_LIMIT];
        writer w = writer_on(word, sizeof word);
        if (is_first)
            write_char(&w, '{');
        write_text(&w, next);
        if (text_trim(rest).len == 0)
            write_char(&w, '}');
        write_word(out, line, word);
        is_first = false;
    }
}

bool record_write_notes(const record *r, rules_notation notation, const record_note *notes,
                        uint32_t count, buffer *out, fault *why) {
    replay p;
    bool good = replay_show(&p, r, why), is_interrupted = true; // the number is to be said (again)
    if (out->len)
        buffer_string(out, "\n");
    write_tags(r, notation, out);
    buffer_string(out, "\n");
    size_t line = 0;
    unsigned turn = good ? (unsigned)rules_side_to_move(p.state) : 0; // counts half moves
    for (uint32_t i = 0; good && i < r->count; i++, turn++) {
        char word[24 + RULES_MOVE_SIZE], move[RULES_MOVE_SIZE];
        writer w = writer_on(move, sizeof move);
        good = replay_write(&p, r->moves[i], notation, &w, why);
        w = writer_on(word, sizeof word);
        if (turn % 2 == 0 || is_interrupted)
            write_format(&w, "%u%s ", turn / 2 + 1, turn % 2 ? "..." : ".");
        write_format(&w, "%s%s", move, i < count ? notes[i].mark : "");
        write_word(out, &line, word);
        is_interrupted = i < count && notes[i].comment[0];
        if (is_interrupted)
            write_comment(out, &line, notes[i].comment);
    }
    write_word(out, &line, result_word(r->result));
    buffer_string(out, "\n");
    replay_end(&p);
    return good;
}

bool pgn_write(const record *r, rules_notation notation, buffer *out, fault *why) {
    return record_write_notes(r, notation, NULL, 0, out, why);
}
