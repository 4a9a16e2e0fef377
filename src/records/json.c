// One JSON object a line:
//   {"game":"NAME","first":"..","second":"..","event":"..","site":"..","date":"..","fen":"..",
//    "tags":{"ECCO":".."},"result":"first wins","moves":["h2e2","h9g7"]}
// game and moves are required; a key that is not here, a wrong type or a second value for a key is
// refused. Moves are read in any notation and written as h2e2 or c2-c3.
#include "records/format.h"
#include "records/words.h"

#include <jansson.h>

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

// The moves; and what servers write beside them, one a move, which is passed over.
static const char *const lists[] = {"moves", "used", "clocks", "scores"};
enum { LISTS = sizeof lists / sizeof lists[0] };

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
        if (!record_set_tag(r, text_of(key), words))
            return fault_set(why, "no room for the tag %s, or a name that is none",
                             fault_quote(text_of(key)).shown);
    }
    return true;
}

static bool read_key(const record_reader *reader, const char *key, json_t *value, record *r,
                     fault *why) {
    for (int i = 0; i < FIELDS; i++)
        if (strcmp(key, fields[i].key) == 0) {
            text words;
            if (!read_string(key, value, &words, why))
                return false;
            record_set_field((char *)r + fields[i].offset, fields[i].size, words);
            return true;
        }
    if (strcmp(key, "game") == 0)
        return read_game(reader, value, r, why);
    if (strcmp(key, "result") == 0)
        return read_result(value, r, why);
    if (strcmp(key, "tags") == 0)
        return read_tags(value, r, why);
    for (int i = 0; i < LISTS; i++)
        if (strcmp(key, lists[i]) == 0)
            return json_is_array(value) || fault_set(why, "'%s' is not a list", key);
    return fault_set(why, "no key %s in a record", fault_quote(text_of(key)).shown);
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

static bool read_object(const record_reader *reader, json_t *object, record *r, replay *p,
                        fault *why) {
    if (!json_is_object(object))
        return fault_set(why, "not a JSON object");
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) if (!read_key(reader, key, value, r, why)) return false;
    if (!json_object_get(object, "game"))
        return fault_set(why, "no 'game' in the record");
    if (!json_object_get(object, "moves"))
        return fault_set(why, "no 'moves' in the record");
    return replay_begin(p, r, reader->all.len, why) &&
           read_moves(reader, json_object_get(object, "moves"), p, why);
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
        replay_settle(&p, why);
    else
        record_refuse(why, number, "%s", inner.line);
    replay_end(&p);
    json_decref(object);
    return good ? RECORD_OK : RECORD_BAD;
}

// --- writing ------------------------------------------------------------------------------------

static json_t *list_moves(const record *r, fault *why) {
    replay p;
    json_t *list = json_array();
    bool good = replay_show(&p, r, why);
    for (uint32_t i = 0; good && i < r->count; i++) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        good = replay_write(&p, r->moves[i], NOTATION_NATIVE, &w, why) &&
               (json_array_append_new(list, json_string(word)) == 0 ||
                fault_set(why, "out of memory"));
    }
    replay_end(&p);
    if (good)
        return list;
    json_decref(list);
    return NULL;
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
    json_t *moves = list_moves(r, why);
    if (!moves)
        return false;
    json_t *object = json_object();
    bool good = set_strings(r, object);
    good = json_object_set_new(object, "moves", moves) == 0 && good;
    char *line = good ? json_dumps(object, JSON_COMPACT) : NULL;
    if (line) {
        buffer_string(out, line);
        buffer_string(out, "\n");
        free(line);
    } else {
        fault_set(why, "the record cannot be written as JSON");
    }
    json_decref(object);
    return line != NULL;
}

static bool json_detect(text start) { return text_starts(start, "{"); }

static bool json_says_game(text bytes) {
    (void)bytes; // a record without `game` is refused
    return true;
}

const format_row json_format = {
    .name = "json",
    .title = "JSON",
    .type = "application/json",
    .detect = json_detect,
    .says_game = json_says_game,
    .next = json_next,
    .write = json_write,
};
