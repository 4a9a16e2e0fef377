// PGN, written: the usual tags in a fixed order, then whatever else the record holds,
// then the moves in lines of at most 80 bytes.
#include "records/format.h"
#include "records/opening_name.h"

enum { LINE_LIMIT = 80 };

static const char *const notation_names[] = {
    [NOTATION_NATIVE] = "Native",   [NOTATION_SAU] = "SAU",         [NOTATION_ICCS] = "ICCS",
    [NOTATION_WXF] = "WXF",         [NOTATION_CHINESE] = "Chinese", [NOTATION_UCI0] = "UCI0",
    [NOTATION_UCI1] = "UCI1",       [NOTATION_CONTEST] = "Contest", [NOTATION_LETTER0] = "Letter0",
    [NOTATION_LETTER1] = "Letter1",
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

// --- comments -----------------------------------------------------------------------------------

// A comment as it is: line ends in it are its own, so that none are added. Braces cannot hold a
// closing brace; then it is written line by line, up to the end of each.
static void write_comment(buffer *out, size_t *line, const char *comment) {
    bool has_brace = strchr(comment, '}') != NULL;
    text first = text_of(comment);
    first = text_next_line(&first);
    if (*line)
        buffer_string(out, *line + first.len + 3 > LINE_LIMIT || has_brace ? "\n" : " ");
    for (text rest = text_of(comment), next; has_brace && rest.len;) {
        next = text_next_line(&rest);
        buffer_string(out, "; ");
        buffer_add(out, next);
        buffer_string(out, "\n");
    }
    if (!has_brace) {
        buffer_char(out, '{');
        buffer_string(out, comment);
        buffer_char(out, '}');
    }
    if (out->failed)
        return;
    size_t at = out->len;
    while (at > 0 && out->bytes[at - 1] != '\n')
        at--;
    *line = out->len - at;
}

static void write_duration(buffer *out, const char *name, int64_t us) {
    long long ms = (long long)(us / 1000);
    if (us >= 0)
        buffer_format(out, "[%%%s %lld:%02lld:%02lld.%03lld] ", name, ms / 3600000, ms / 60000 % 60,
                      ms / 1000 % 60, ms % 1000);
}

// --- the tree -----------------------------------------------------------------------------------

typedef struct {
    replay game;
    const record *r;
    buffer *out;
    size_t line; // bytes of the line so far
    rules_notation notation;
    unsigned first_side;
    unsigned depth;      // of variations
    bool is_interrupted; // the number is to be said (again)
    const record_note *notes;
    uint32_t note_count;
} pgn_writer;

// The marks behind a move: the first as a suffix where it has a sign of its own and nobody else's
// mark stands there.
static void write_marks(const record_node *node, const char *other, writer *suffix,
                        writer *others) {
    static const char *const signs[] = {"", "!", "?", "!!", "??", "!?", "?!"};
    for (size_t i = 0; i < sizeof node->marks && node->marks[i]; i++) {
        unsigned nag = node->marks[i];
        const char *sign = nag < sizeof signs / sizeof signs[0] ? signs[nag] : "";
        if (i == 0 && sign[0] && !other[0])
            write_string(suffix, sign);
        else if (!other[0] || strcmp(sign, other) != 0)
            write_format(others, "%s$%u", others->used ? " " : "", nag);
    }
}

// The comment of a node, with what somebody else says about it and the clock times before it.
static void write_remarks(pgn_writer *w, uint32_t n, const char *note) {
    const record_node *node = &w->r->nodes[n];
    buffer words = {0};
    write_duration(&words, "clk", node->clock);
    write_duration(&words, "emt", node->used);
    buffer_string(&words, note);
    if (words.len && words.bytes[words.len - 1] != ' ')
        buffer_char(&words, ' ');
    buffer_string(&words, record_comment(w->r, n));
    buffer_char(&words, '\0');
    if (!words.failed && words.len > 1) {
        if (words.bytes[words.len - 2] == ' ')
            words.bytes[words.len - 2] = '\0';
        write_comment(w->out, &w->line, words.bytes);
        w->is_interrupted = true;
    }
    w->out->failed |= words.failed;
    buffer_free(&words);
}

static bool write_move(pgn_writer *w, uint32_t n, bool opens, fault *why) {
    const record_node *node = &w->r->nodes[n];
    unsigned turn = w->first_side + node->ply - 1u;
    const record_note *note =
        w->depth == 0 && node->ply <= w->note_count ? &w->notes[node->ply - 1] : NULL;
    char word[64 + RULES_MOVE_SIZE], move[RULES_MOVE_SIZE], nags[32];
    writer m = writer_on(move, sizeof move), out = writer_on(word, sizeof word);
    writer others = writer_on(nags, sizeof nags);
    if (!replay_write(&w->game, n, w->notation, &m, why))
        return false;
    write_string(&out, opens ? "(" : "");
    if (turn % 2 == 0 || w->is_interrupted)
        write_format(&out, "%u%s ", turn / 2 + 1, turn % 2 ? "..." : ".");
    write_string(&out, move);
    bool is_marked = note && note->mark[0];
    if (is_marked)
        write_string(&out, note->mark);
    write_marks(node, is_marked ? note->mark : "", &out, &others);
    write_word(w->out, &w->line, word);
    if (others.used)
        write_word(w->out, &w->line, nags);
    w->is_interrupted = false;
    write_remarks(w, n, note ? note->comment : "");
    return true;
}

static bool write_tree(pgn_writer *w, fault *why) {
    tree_walk walk = tree_walk_start(w->r);
    bool good = true, opens = false;
    for (tree_step step; good && (step = tree_walk_next(&walk)) != TREE_END;) {
        if (step == TREE_MOVE) {
            good = write_move(w, walk.node, opens, why);
            opens = false;
            continue;
        }
        opens = step == TREE_OPEN;
        w->is_interrupted = true;
        w->depth += opens ? 1 : -1u;
        if (!opens) {
            buffer_char(w->out, ')');
            w->line++;
        }
    }
    return good;
}

bool record_write_notes(const record *r, rules_notation notation, const record_note *notes,
                        uint32_t count, buffer *out, fault *why) {
    pgn_writer w = {.r = r,
                    .out = out,
                    .notation = notation,
                    .is_interrupted = true,
                    .notes = notes,
                    .note_count = count};
    bool good = replay_show(&w.game, r, why);
    if (out->len)
        buffer_string(out, "\n");
    write_tags(r, notation, out);
    buffer_string(out, "\n");
    if (good && record_comment(r, 0)[0])
        write_comment(out, &w.line, record_comment(r, 0));
    w.first_side = good ? (unsigned)rules_side_to_move(w.game.state) : 0;
    good = good && write_tree(&w, why);
    write_word(out, &w.line, result_word(r->result));
    buffer_string(out, "\n");
    replay_end(&w.game);
    return good;
}

bool pgn_write(const record *r, rules_notation notation, buffer *out, fault *why) {
    return record_write_notes(r, notation, NULL, 0, out, why);
}
