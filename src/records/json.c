// One JSON object a line:
//   {"game":"NAME","first":"..","second":"..","event":"..","site":"..","date":"..","fen":"..",
//    "tags":{"ECCO":".."},"result":"first wins","moves":["h2e2","h9g7"],
//    "comments":{"0":"..","2":".."},"marks":{"1":[1]},"used":[..],"clocks":[..],
//    "lines":[{"of":0,"at":2,"moves":["b9c7"],"comments":{..},..}]}
// game and moves are required; a key that is not here, a wrong type or a second value for a key is
// refused. Moves are read in any notation and written as h2e2 or c2-c3. Comments and marks are
// known by the ply of their move. A line is a variation: it leaves line number `of` (0 is the main
// line, 1 the first of `lines`) and replaces the move at ply `at`.
#include "records/format.h"
#include "records/words.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct {
    const char *key;
    size_t offset, size;
} json_field;

#define FIELD(name)                                                                                \
    { #name, offsetof(record, name), sizeof((record *)0)->name }
static const json_field fields[] = {
    FIELD(first), FIELD(second), FIELD(event), FIELD(site), FIELD(date), FIELD(fen),
};
#undef FIELD
enum { FIELDS = sizeof fields / sizeof fields[0] };

// What belongs to a line, the main line included: lists and objects. Servers write `scores` beside
// the moves, which is passed over.
static const char *const lists[] = {"moves", "used", "clocks", "scores"};
static const char *const objects[] = {"comments", "marks"};
enum { LISTS = sizeof lists / sizeof lists[0], OBJECTS = sizeof objects / sizeof objects[0] };

// --- reading ------------------------------------------------------------------------------------

static bool read_string(const char *key, const json_t *value, text *out, fault *why) {
    if (!json_is_string(value))
        return fault_set(why, "%s is not a string", fault_quote(text_of(key)).shown);
    *out = (text){json_string_value(value), json_string_length(value)};
    return true;
}

static bool read_game(const record_reader *reader, const json_t *value, record *r, fault *why) {
    text name;
    if (!read_string("game", value, &name, why))
        return false;
    r->game = rules_find(name);
    if (!r->game)
        return fault_set(why, "no game %s", fault_quote(name).shown);
    if (reader->game && reader->game != r->game)
        return fault_set(why, "a game of %s, not of %s", rules_name(r->game),
                         rules_name(reader->game));
    return true;
}

static bool read_result(const json_t *value, record *r, fault *why) {
    text word;
    if (!read_string("result", value, &word, why))
        return false;
    for (int i = RULES_ONGOING; i <= RULES_DRAW; i++)
        if (text_is(word, rules_outcome_name((rules_outcome)i))) {
            r->result = (rules_outcome)i;
            return true;
        }
    return fault_set(why, "no result %s (first wins, second wins, draw, ongoing)",
                     fault_quote(word).shown);
}

static bool read_tags(json_t *tags, record *r, fault *why) {
    const char *key;
    json_t *value;
    text words;
    if (!json_is_object(tags))
        return fault_set(why, "'tags' is not an object");
    json_object_foreach(tags, key, value) {
        if (!read_string(key, value, &words, why))
            return false;
        record_read_other_tag(r, text_of(key), words);
    }
    return true;
}

static bool check_line_key(const char *key, const json_t *value, fault *why) {
    for (int i = 0; i < LISTS; i++)
        if (strcmp(key, lists[i]) == 0)
            return json_is_array(value) || fault_set(why, "'%s' is not a list", key);
    for (int i = 0; i < OBJECTS; i++)
        if (strcmp(key, objects[i]) == 0)
            return json_is_object(value) || fault_set(why, "'%s' is not an object", key);
    return fault_set(why, "no key %s in a record", fault_quote(text_of(key)).shown);
}

static bool read_key(const record_reader *reader, const char *key, json_t *value, record *r,
                     fault *why) {
    for (int i = 0; i < FIELDS; i++)
        if (strcmp(key, fields[i].key) == 0) {
            text words;
            if (!read_string(key, value, &words, why))
                return false;
            record_read_field(r, key, (char *)r + fields[i].offset, fields[i].size, words);
            return true;
        }
    if (strcmp(key, "game") == 0)
        return read_game(reader, value, r, why);
    if (strcmp(key, "result") == 0)
        return read_result(value, r, why);
    if (strcmp(key, "tags") == 0)
        return read_tags(value, r, why);
    if (strcmp(key, "lines") == 0)
        return json_is_array(value) || fault_set(why, "'lines' is not a list");
    return check_line_key(key, value, why);
}

// A rank of 10 makes the squares of the whole list a1 to i10.
static int settle(const json_t *moves, const rules_game *game) {
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *word = json_string_value(json_array_get(moves, i));
        if (word && words_has_rank_10(game, text_of(word)))
            return WORDS_ANY_FROM_1;
    }
    return WORDS_ANY;
}

static bool read_moves(const record_reader *reader, const json_t *moves, replay *p, fault *why) {
    int how = reader->notation < 0 ? settle(moves, p->r->game) : reader->notation;
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const json_t *value = json_array_get(moves, i);
        fault inner;
        text word;
        if (!read_string("moves", value, &word, &inner) || !replay_word(p, how, word, &inner))
            return fault_set(why, "move %zu, %s: %s", i + 1,
                             fault_quote(json_is_string(value) ? word : text_of("")).shown,
                             inner.line);
    }
    return true;
}

// --- lines --------------------------------------------------------------------------------------

// A line that was read: its nodes follow one another.
typedef struct {
    uint32_t node, ply, count; // the first node and its ply, and how many there are
} json_line;

// The node of a ply of the line that a key names; false where the line has no such ply.
static bool find_ply(const json_line *line, const char *key, uint32_t *node, fault *why) {
    int64_t ply;
    if (!text_to_int(text_of(key), 0, UINT16_MAX, &ply) || ply >= line->ply + line->count ||
        (ply < line->ply && (ply || line->node > 1))) // the start is the main line's
        return fault_set(why, "the line has no ply %s", fault_quote(text_of(key)).shown);
    *node = ply ? line->node + (uint32_t)ply - line->ply : 0;
    return true;
}

static bool read_comments(json_t *line_object, const json_line *line, record *r, fault *why) {
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(line_object, "comments"), key, value) {
        uint32_t node;
        text words;
        if (!find_ply(line, key, &node, why) || !read_string(key, value, &words, why))
            return false;
        if (!record_set_comment(r, node, words))
            return fault_set(why, "out of memory");
    }
    json_object_foreach(json_object_get(line_object, "marks"), key, value) {
        uint32_t node;
        size_t i;
        json_t *nag;
        if (!find_ply(line, key, &node, why))
            return false;
        if (!json_is_array(value))
            return fault_set(why, "marks are up to four numbers from 1 to 255");
        json_array_foreach(value, i, nag) {
            json_int_t n = json_integer_value(nag);
            if (node == 0 || n < 1 || n > 255 || !record_add_mark(r, node, (int)n))
                return fault_set(why, "marks are up to four numbers from 1 to 255");
        }
    }
    return true;
}

// Reads a list of times into the nodes of a line; `offset` is where they go in a node.
static bool read_times(const json_t *line_object, const char *key, const json_line *line,
                       size_t offset, record *r, fault *why) {
    const json_t *times = json_object_get(line_object, key);
    if (json_array_size(times) > line->count)
        return fault_set(why, "'%s' has more entries than there are moves", key);
    for (size_t i = 0; i < json_array_size(times); i++) {
        const json_t *time = json_array_get(times, i);
        bool is_known = json_is_integer(time) && json_integer_value(time) >= 0;
        if (!is_known && !json_is_null(time))
            return fault_set(why, "'%s' holds microseconds or null", key);
        int64_t us = is_known ? json_integer_value(time) : -1;
        memcpy((char *)&r->nodes[line->node + i] + offset, &us, sizeof us);
    }
    return true;
}

static bool read_clocks(const json_t *object, const json_line *line, record *r, fault *why) {
    if (json_array_size(json_object_get(object, "scores")))
        record_drop(r, "'scores' are left out: a record has no place for them");
    return read_times(object, "used", line, offsetof(record_node, used), r, why) &&
           read_times(object, "clocks", line, offsetof(record_node, clock), r, why);
}

// Reads the moves of a line and what is said about them; the game stands where it begins.
static bool read_line(const record_reader *reader, json_t *object, replay *p, json_line *line,
                      fault *why) {
    *line = (json_line){p->r->node_count ? p->r->node_count : 1, rules_ply(p->state) + 1, 0};
    if (!read_moves(reader, json_object_get(object, "moves"), p, why))
        return false;
    line->count = p->r->node_count > line->node ? p->r->node_count - line->node : 0;
    return read_clocks(object, line, p->r, why) && read_comments(object, line, p->r, why);
}

// Goes to where a variation begins.
static bool go_to_start(const json_t *object, const json_line *lines, replay *p, fault *why) {
    json_int_t of = json_integer_value(json_object_get(object, "of"));
    json_int_t at = json_integer_value(json_object_get(object, "at"));
    const json_line *from = &lines[of];
    if (at < from->ply || at >= (json_int_t)from->ply + from->count)
        return fault_set(why, "line %lld has no move at ply %lld to replace", (long long)of,
                         (long long)at);
    replay_go(p, p->r->nodes[from->node + (uint32_t)at - from->ply].parent);
    return true;
}

static bool check_variation(json_t *object, size_t number, tree_line *place, fault *why) {
    const char *key;
    json_t *value;
    if (!json_is_object(object) || json_array_size(json_object_get(object, "moves")) == 0)
        return fault_set(why, "a line is an object with moves");
    json_object_foreach(object, key, value) {
        bool is_place = strcmp(key, "of") == 0 || strcmp(key, "at") == 0;
        if (is_place ? !json_is_integer(value) : !check_line_key(key, value, why))
            return is_place ? fault_set(why, "'%s' is not a number", key) : false;
    }
    json_int_t of = json_integer_value(json_object_get(object, "of"));
    json_int_t at = json_integer_value(json_object_get(object, "at"));
    if (of < 0 || of >= (json_int_t)number)
        return fault_set(why, "a line leaves line %lld, which is not there", (long long)of);
    *place = (tree_line){(uint32_t)of, at < 0 || at > UINT16_MAX ? 0 : (uint32_t)at};
    return true;
}

// Plays the lines in an order that keeps the way between them short.
static bool play_variations(const record_reader *reader, const json_t *list, const uint32_t *order,
                            json_line *lines, replay *p, fault *why) {
    for (size_t i = 1; i <= json_array_size(list); i++) {
        json_t *object = json_array_get(list, order[i] - 1);
        fault inner = {""};
        if (!go_to_start(object, lines, p, &inner) ||
            !read_line(reader, object, p, &lines[order[i]], &inner))
            return fault_set(why, "line %u of 'lines': %s", (unsigned)order[i], inner.line);
    }
    return true;
}

static bool read_variations(const record_reader *reader, const json_t *list, const json_line *main,
                            replay *p, fault *why) {
    size_t count = json_array_size(list);
    json_line *lines = calloc(count + 1, sizeof *lines);
    tree_line *places = calloc(count + 1, sizeof *places);
    bool good = (lines && places) || fault_set(why, "out of memory");
    for (size_t i = 1; good && i <= count; i++) {
        fault inner = {""};
        good = check_variation(json_array_get(list, i - 1), i, &places[i], &inner) ||
               fault_set(why, "line %zu of 'lines': %s", i, inner.line);
    }
    uint32_t *order = good ? tree_order_lines(places, count + 1) : NULL;
    if (good)
        lines[0] = *main;
    good = good && (order || fault_set(why, "out of memory")) &&
           play_variations(reader, list, order, lines, p, why);
    free(order);
    free(places);
    free(lines);
    return good;
}

static bool read_object(const record_reader *reader, json_t *object, record *r, replay *p,
                        fault *why) {
    if (!json_is_object(object))
        return fault_set(why, "not a JSON object");
    const char *key;
    json_t *value;
    json_line main;
    json_object_foreach(object, key, value) if (!read_key(reader, key, value, r, why)) return false;
    if (!json_object_get(object, "game"))
        return fault_set(why, "no 'game' in the record");
    if (!json_object_get(object, "moves"))
        return fault_set(why, "no 'moves' in the record");
    return replay_begin(p, r, reader->all.len, why) && read_line(reader, object, p, &main, why) &&
           read_variations(reader, json_object_get(object, "lines"), &main, p, why);
}

static record_status json_next(record_reader *reader, record *r, fault *why) {
    uint32_t number = 0;
    text line = {0};
    while (reader->rest.len && text_trim(line).len == 0)
        line = reader_line(reader, &number);
    line = text_trim(line);
    if (line.len == 0)
        return RECORD_END;
    json_error_t error;
    json_t *object = json_loadb(line.at, line.len, JSON_REJECT_DUPLICATES, &error);
    if (!object)
        return record_refuse(why, number, "not JSON, at column %d: %s", error.column,
                             fault_quote(text_of(error.text)).shown);
    replay p = {0};
    fault inner;
    bool good = read_object(reader, object, r, &p, &inner);
    if (good)
        replay_go(&p, r->last);
    if (good)
        replay_settle(&p);
    else
        record_refuse(why, number, "%s", inner.line);
    replay_end(&p);
    json_decref(object);
    return good ? RECORD_OK : RECORD_BAD;
}

// --- writing ------------------------------------------------------------------------------------

// Adds an entry to a list or an object inside a line, which is made where it is missing.
static bool add_entry(json_t *line, const char *name, const char *key, json_t *value) {
    json_t *inside = json_object_get(line, name);
    if (!inside) {
        inside = key ? json_object() : json_array();
        if (json_object_set_new(line, name, inside) != 0) {
            json_decref(value);
            return false;
        }
    }
    return (key ? json_object_set_new(inside, key, value) : json_array_append_new(inside, value)) ==
           0;
}

static bool add_remarks(const record *r, uint32_t n, json_t *line) {
    const record_node *node = &r->nodes[n];
    char key[16];
    writer w = writer_on(key, sizeof key);
    write_number(&w, node->ply);
    json_t *marks = node->marks[0] ? json_array() : NULL;
    for (size_t i = 0; marks && i < sizeof node->marks && node->marks[i]; i++)
        json_array_append_new(marks, json_integer(node->marks[i]));
    bool good = !marks || add_entry(line, "marks", key, marks);
    if (node->comment)
        good = add_entry(line, "comments", key, json_string(record_comment(r, n))) && good;
    return good;
}

static bool add_clocks(const record *r, uint32_t n, json_t *line) {
    const record_node *node = &r->nodes[n];
    return add_entry(line, "used", NULL, node->used < 0 ? json_null() : json_integer(node->used)) &&
           add_entry(line, "clocks", NULL,
                     node->clock < 0 ? json_null() : json_integer(node->clock));
}

static bool has_clocks(const record *r) {
    for (uint32_t n = 1; n < r->node_count; n++)
        if (r->nodes[n].clock >= 0 || r->nodes[n].used >= 0)
            return true;
    return false;
}

// Fills in the moves of all lines and what is said about them.
static bool set_lines(const record *r, const uint32_t *line_of, json_t **lines, fault *why) {
    replay p;
    bool good = replay_show(&p, r, why), timed = has_clocks(r);
    for (uint32_t n = 1; good && n < r->node_count; n++) {
        json_t *line = lines[line_of[n]];
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        good = replay_write(&p, n, NOTATION_NATIVE, &w, why);
        if (good && line_of[n] && !tree_is_continuation(r, n))
            json_object_update_new(line,
                                   json_pack("{si,si}", "of", (int)line_of[r->nodes[n].parent],
                                             "at", (int)r->nodes[n].ply));
        good = good && (add_entry(line, "moves", NULL, json_string(word)) ||
                        fault_set(why, "out of memory"));
        good = good && ((add_remarks(r, n, line) && (!timed || add_clocks(r, n, line))) ||
                        fault_set(why, "the record cannot be written as JSON"));
    }
    replay_end(&p);
    return good;
}

// Adds moves, comments and variations to the object.
static bool set_tree(const record *r, json_t *object, fault *why) {
    uint32_t count;
    uint32_t *line_of = tree_number_lines(r, &count);
    json_t **lines = calloc(count, sizeof *lines);
    bool good = (line_of && lines) || fault_set(why, "out of memory");
    json_object_set_new(object, "moves", json_array());
    for (uint32_t i = 0; good && i < count; i++)
        lines[i] = i ? json_object() : json_incref(object);
    if (good && record_comment(r, 0)[0])
        good = add_entry(object, "comments", "0", json_string(record_comment(r, 0)));
    good = good && set_lines(r, line_of, lines, why);
    for (uint32_t i = 1; good && i < count; i++)
        good = add_entry(object, "lines", NULL, json_incref(lines[i]));
    for (uint32_t i = 0; lines && i < count; i++)
        json_decref(lines[i]);
    free(lines);
    free(line_of);
    return good;
}

// Sets what has a value; false where it is not UTF-8 or memory is short.
static bool set_strings(const record *r, json_t *object) {
    bool good = json_object_set_new(object, "game", json_string(rules_name(r->game))) == 0;
    for (int i = 0; i < FIELDS; i++) {
        const char *value = (const char *)r + fields[i].offset;
        if (value[0])
            good = json_object_set_new(object, fields[i].key, json_string(value)) == 0 && good;
    }
    json_t *tags = r->tag_count ? json_object() : NULL;
    for (int i = 0; i < r->tag_count; i++)
        good =
            json_object_set_new(tags, r->tags[i].name, json_string(r->tags[i].value)) == 0 && good;
    if (tags)
        good = json_object_set_new(object, "tags", tags) == 0 && good;
    return json_object_set_new(object, "result", json_string(rules_outcome_name(r->result))) == 0 &&
           good;
}

static bool json_write(const record *r, rules_notation notation, buffer *out, fault *why) {
    (void)notation; // the native one
    json_t *object = json_object();
    bool good =
        (set_strings(r, object) || fault_set(why, "the record cannot be written as JSON")) &&
        set_tree(r, object, why);
    char *line = good ? json_dumps(object, JSON_COMPACT) : NULL;
    if (good && !line)
        fault_set(why, "the record cannot be written as JSON");
    if (line) {
        buffer_string(out, line);
        buffer_string(out, "\n");
        free(line);
    }
    json_decref(object);
    return line != NULL;
}

static bool json_detect(text start) { return text_starts(start, "{"); }

static bool json_says_game(text bytes) {
    (void)bytes; // a record without `game` is refused
    return true;
}

const format_row format_json = {
    .name = "json",
    .title = "JSON",
    .type = "application/json",
    .extension = "json",
    .holds = HOLDS_ALL,
    .detect = json_detect,
    .says_game = json_says_game,
    .next = json_next,
    .write = json_write,
};
