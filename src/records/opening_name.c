#include "records/opening_name.h"

#include "base/embedded.h"
#include "os/thread.h"
#include "records/mirror.h"

#include <stdlib.h>

extern const embedded_file embedded_openings[];

// --- the text -----------------------------------------------------------------------------------

text opening_lines_built_in(const rules_game *game) {
    return embedded_find(embedded_openings, rules_name(game));
}

static text cut_comment(text line) {
    const char *comment = line.len ? memchr(line.at, '#', line.len) : NULL;
    if (comment)
        line.len = (size_t)(comment - line.at);
    return text_trim(line);
}

static text cut_field(text *line) {
    const char *bar = line->len ? memchr(line->at, '|', line->len) : NULL;
    text field = {line->at, bar ? (size_t)(bar - line->at) : line->len};
    *line = text_skip(*line, field.len + 1);
    return text_trim(field);
}

bool opening_lines_next(text *rest, opening_line *line, fault *why) {
    text content = {0};
    while (rest->len && content.len == 0) {
        content = cut_comment(text_next_line(rest));
        line->number++;
    }
    if (content.len == 0)
        return false;
    why->line[0] = '\0';
    line->code = cut_field(&content);
    line->chinese = cut_field(&content);
    line->english = cut_field(&content);
    line->moves = text_trim(content);
    bool named = line->chinese.len || line->english.len;
    if (line->code.len == 0 || line->moves.len == 0 ||
        (named && (!line->chinese.len || !line->english.len)))
        fault_set(why, "line %u: not CODE | Chinese | English | MOVES", (unsigned)line->number);
    return true;
}

bool opening_lines_detect(text bytes) {
    text content = {0};
    while (bytes.len && content.len == 0)
        content = cut_comment(text_next_line(&bytes));
    return content.len && memchr(content.at, '|', content.len);
}

// --- the table ----------------------------------------------------------------------------------

enum { MOST_OPENINGS = 512, TABLE_SLOTS = 1 << 14, MOST_KEYS = TABLE_SLOTS / 2, LINE_PLIES = 64 };

typedef struct {
    uint64_t key; // 0: free
    uint16_t opening;
} slot;

// Written once, by read_table. All games share the table: no two have a position in common.
static opening_name openings[MOST_OPENINGS];
static const rules_game *games[MOST_OPENINGS]; // of the openings
static int opening_count;
static slot slots[TABLE_SLOTS];
static int key_count;
static os_once once = OS_ONCE_INIT;

// The slot of a key, or the free one where it belongs.
static slot *find_slot(uint64_t key) {
    size_t i = key % TABLE_SLOTS;
    while (slots[i].key && slots[i].key != key)
        i = (i + 1) % TABLE_SLOTS;
    return &slots[i];
}

static void fill_slot(slot *free_one, uint64_t key, int opening) {
    if (key_count < MOST_KEYS) {
        *free_one = (slot){key, (uint16_t)opening};
        key_count++;
    }
}

// A copy that lasts as long as the program.
static const char *keep(text t) {
    char *copy = malloc(t.len + 1);
    if (!copy)
        return "";
    memcpy(copy, t.at, t.len);
    copy[t.len] = '\0';
    return copy;
}

typedef void visit_line(const opening_line *line, rules_state *s, const record *r);

// The position after the line has the name, whatever passed through it before.
static void add_name(const opening_line *line, rules_state *s, const record *r) {
    if (line->chinese.len == 0 || opening_count == MOST_OPENINGS)
        return;
    fault why;
    for (uint32_t i = 0; i < r->count; i++)
        if (!rules_play(s, r->moves[i], &why))
            return;
    uint64_t key = mirror_of(s).key;
    slot *at = find_slot(key);
    if (at->key == 0)
        fill_slot(at, key, opening_count);
    games[opening_count] = rules_game_of(s);
    openings[opening_count++] = (opening_name){keep(line->code), keep(line->chinese),
                                               keep(line->english), keep(line->moves)};
}

// What a line passes through behind a named position is of that opening, until the next.
static void add_positions(const opening_line *line, rules_state *s, const record *r) {
    (void)line;
    const slot *last = NULL;
    fault why;
    for (uint32_t i = 0; i < r->count && rules_play(s, r->moves[i], &why); i++) {
        uint64_t key = mirror_of(s).key;
        slot *at = find_slot(key);
        if (at->key == 0 && last)
            fill_slot(at, key, last->opening);
        if (at->key)
            last = at;
    }
}

static void visit_lines(const rules_game *game, visit_line *visit) {
    text rest = opening_lines_built_in(game);
    opening_line line = {0};
    fault why;
    record r;
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(LINE_PLIES));
    record_init(&r, game);
    while (memory && opening_lines_next(&rest, &line, &why)) {
        record_reader reader = record_read(line.moves, RECORD_MOVES, game);
        if (record_next(&reader, &r, &why) == RECORD_OK)
            visit(&line, rules_state_new(memory, game, &set, LINE_PLIES), &r);
        record_close(&reader);
    }
    record_free(&r);
    free(memory);
}

static void read_table(void) {
    const rules_game *game;
    for (int i = 0; (game = rules_nth(i)); i++) {
        visit_lines(game, add_name);
        visit_lines(game, add_positions);
    }
}

static bool has_names(const rules_game *game) { return opening_lines_built_in(game).len > 0; }

const opening_name *opening_name_nth(const rules_game *game, int n) {
    os_once_run(&once, read_table);
    for (int i = 0; i < opening_count; i++)
        if (games[i] == game && n-- == 0)
            return &openings[i];
    return NULL;
}

static const opening_name *name_at(const rules_state *s) {
    const slot *at = find_slot(mirror_of(s).key);
    return at->key ? &openings[at->opening] : NULL;
}

const opening_name *opening_name_at(const rules_state *s) {
    if (!has_names(rules_game_of(s)))
        return NULL;
    os_once_run(&once, read_table);
    return name_at(s);
}

const opening_name *opening_name_of(const rules_state *s) {
    const opening_name *name = opening_name_at(s);
    if (name || !has_names(rules_game_of(s)) || rules_ply(s) == 0)
        return name;
    size_t size = rules_state_size(rules_ply(s));
    rules_state *copy = malloc(size);
    if (!copy)
        return NULL;
    memcpy(copy, s, size); // the header and the moves that were played
    while (!name && rules_undo(copy))
        name = name_at(copy);
    free(copy);
    return name;
}

const opening_name *opening_name_of_record(const record *r) {
    if (!has_names(r->game))
        return NULL;
    void *memory = malloc(rules_state_size(LINE_PLIES)); // no line is longer
    if (!memory)
        return NULL;
    fault why;
    rules_set set = rules_default_set(r->game);
    rules_state *s = rules_state_new(memory, r->game, &set, LINE_PLIES);
    const opening_name *name = NULL;
    if (r->fen[0] == '\0' || rules_set_fen(s, text_of(r->fen), &why)) {
        name = opening_name_at(s);
        for (uint32_t i = 0; i < r->count && rules_play(s, r->moves[i], &why); i++) {
            const opening_name *next = opening_name_at(s);
            name = next ? next : name;
        }
    }
    free(memory);
    return name;
}
