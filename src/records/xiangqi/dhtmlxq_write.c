// DhtmlXQ, written: dhtmlxq.c has the layout.
#include "records/xiangqi/dhtmlxq.h"
#include "records/xiangqi/stream.h"
#include "rules/game.h"

#include <stdlib.h>

// Writes words as the value of a field. A bracket that would end the field becomes a full-width
// one.
static void write_words(buffer *out, const char *words) {
    for (const char *c = words; *c; c++)
        if (*c == '\n')
            buffer_string(out, "||");
        else if (*c == '[' &&
                 (text_starts(text_of(c), "[/DhtmlXQ") || text_starts(text_of(c), "[DhtmlXQ_")))
            buffer_string(out, "［");
        else
            buffer_char(out, *c);
}

bool dhtmlxq_keeps(text words) {
    buffer written = {0}, back = {0};
    write_words(&written, words.at);
    dhtmlxq_read_words(buffer_text(&written), &back);
    bool is_same = text_equal(buffer_text(&back), words);
    buffer_free(&written);
    buffer_free(&back);
    return is_same;
}

static void write_field(buffer *out, const char *name, const char *value) {
    if (!value || !value[0])
        return;
    buffer_format(out, "[DhtmlXQ_%s]", name);
    write_words(out, value);
    buffer_format(out, "[/DhtmlXQ_%s]\n", name);
}

static void write_point(buffer *out, int point) {
    buffer_format(out, "%d%d", point % 9, 9 - point / 9);
}

static void write_board(const rules_state *state, buffer *out) {
    int points[PIECES];
    pieces_find(state, points);
    buffer_string(out, "[DhtmlXQ_binit]");
    for (int i = 0; i < PIECES; i++)
        if (points[i] < 0)
            buffer_string(out, "99");
        else
            write_point(out, points[i]);
    buffer_string(out, "[/DhtmlXQ_binit]\n");
}

// The name of a line's field.
static void write_line_name(const record *r, const uint32_t *line_of, uint32_t n, buffer *out) {
    if (line_of[n] == 0)
        buffer_string(out, "movelist]");
    else
        buffer_format(out, "move_%u_%u_%u]", (unsigned)line_of[r->nodes[n].parent],
                      (unsigned)r->nodes[n].ply, (unsigned)line_of[n]);
}

// A line that starts at a node.
static void write_line(const record *r, const uint32_t *line_of, uint32_t head, buffer *out) {
    buffer_string(out, "[DhtmlXQ_");
    write_line_name(r, line_of, head, out);
    for (uint32_t n = head; n; n = r->nodes[n].next) {
        write_point(out, move_from(r->nodes[n].move));
        write_point(out, move_to(r->nodes[n].move));
    }
    buffer_string(out, "[/DhtmlXQ_");
    write_line_name(r, line_of, head, out);
    buffer_char(out, '\n');
}

static void write_comment(const record *r, const uint32_t *line_of, uint32_t n, buffer *out) {
    char name[48];
    writer w = writer_on(name, sizeof name);
    write_string(&w, "comment");
    if (line_of[n])
        write_format(&w, "%u_", (unsigned)line_of[n]);
    write_number(&w, r->nodes[n].ply);
    write_field(out, name, record_comment(r, n));
}

static void write_tree(const record *r, const uint32_t *line_of, buffer *out) {
    uint32_t first = record_main_node(r, 1);
    if (first)
        write_line(r, line_of, first, out);
    else
        buffer_string(out, "[DhtmlXQ_movelist][/DhtmlXQ_movelist]\n");
    for (uint32_t n = 1; n < r->node_count; n++)
        if (!tree_is_continuation(r, n))
            write_line(r, line_of, n, out);
    for (uint32_t n = 0; n < r->node_count; n++)
        if (r->nodes[n].comment)
            write_comment(r, line_of, n, out);
}

// A tag as the field that it comes from, or as one of its own name.
static void write_tag(buffer *out, const record_tag *tag) {
    const char *field = tag->name;
    for (size_t i = 0; i < DHTMLXQ_TAGS; i++)
        if (strcmp(tag->name, dhtmlxq_tags[i].tag) == 0)
            field = dhtmlxq_tags[i].field;
    if (!dhtmlxq_is_own(text_of(field)))
        write_field(out, field, tag->value);
}

static void write_heading(const record *r, buffer *out) {
    static const char *const results[] = {"未知", "红胜", "黑胜", "和局"};
    write_field(out, "red", r->first);
    write_field(out, "black", r->second);
    write_field(out, "event", r->event);
    write_field(out, "place", r->site);
    write_field(out, "date", r->date);
    for (int i = 0; i < r->tag_count; i++)
        write_tag(out, &r->tags[i]);
    write_field(out, "result", results[r->result]);
}

bool dhtmlxq_write(const record *r, rules_notation notation, buffer *out, fault *why) {
    (void)notation; // the format's own
    replay p;
    uint32_t count;
    uint32_t *line_of = tree_number_lines(r, &count);
    bool good = replay_show(&p, r, why) && (line_of || fault_set(why, "out of memory"));
    if (good) {
        buffer_string(out, "[DhtmlXQ]\n");
        write_heading(r, out);
        write_field(out, "fen", r->fen);
        write_board(p.state, out);
        write_tree(r, line_of, out);
        buffer_string(out, "[/DhtmlXQ]\n");
        good = replay_check(&p, why);
    }
    replay_end(&p);
    free(line_of);
    return good;
}
