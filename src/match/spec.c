#include "match/spec.h"

#include "base/encoding.h"
#include "base/suggest.h"

#include <ctype.h>
#include <stdlib.h>

static char *copy_text(text t) {
    char *copy = malloc(t.len + 1);
    if (copy) {
        memcpy(copy, t.at, t.len);
        copy[t.len] = '\0';
    }
    return copy;
}

static void free_command(match_engine *e) {
    for (int i = 0; i < ENGINE_WORDS && e->command[i]; i++) {
        free(e->command[i]);
        e->command[i] = NULL;
    }
}

void match_engine_free(match_engine *e) {
    free_command(e);
    free(e->directory);
    free(e->first_lines);
    *e = (match_engine){0};
}

static bool add_word(match_engine *e, text word, fault *why) {
    int n = 0;
    while (e->command[n])
        n++;
    if (n == ENGINE_WORDS)
        return fault_set(why, "the command has more than %d words", ENGINE_WORDS);
    e->command[n] = copy_text(word);
    return e->command[n] != NULL || fault_set(why, "out of memory");
}

// Cuts the command into words, with the shell's quotes but none of its other magic.
static bool set_command(match_engine *e, text value, fault *why) {
    free_command(e);
    char word[4096];
    while ((value = text_trim(value)).len) {
        writer w = writer_on(word, sizeof word);
        char quote = 0;
        size_t i = 0;
        for (; i < value.len; i++) {
            char c = value.at[i];
            if (quote ? c == quote : c == '\'' || c == '"')
                quote = quote ? 0 : c;
            else if (!quote && (c == ' ' || c == '\t'))
                break;
            else
                write_char(&w, c);
        }
        if (quote)
            return fault_set(why, "a quote is not closed in %s", fault_quote(value).shown);
        if (w.overflow)
            return fault_set(why, "a word of the command is too long");
        if (!add_word(e, (text){word, w.used}, why))
            return false;
        value = text_skip(value, i);
    }
    return e->command[0] != NULL || fault_set(why, "cmd is empty");
}

// Names and values go into files of many forms: whole UTF-8 characters, nothing below the blank.
static bool is_printable(text t) {
    for (size_t i = 0; i < t.len; i++)
        if ((unsigned char)t.at[i] < 0x20 || t.at[i] == 0x7f)
            return false;
    return utf8_is_valid(t);
}

static bool set_option(match_engine *e, text name, text value, fault *why) {
    int i = 0;
    while (i < e->option_count && !text_is(name, e->options[i].name))
        i++;
    if (i == ENGINE_OPTIONS)
        return fault_set(why, "more than %d options", ENGINE_OPTIONS);
    writer n = writer_on(e->options[i].name, sizeof e->options[i].name);
    writer v = writer_on(e->options[i].value, sizeof e->options[i].value);
    write_text(&n, name);
    write_text(&v, value);
    if (n.overflow || v.overflow || name.len == 0 || !is_printable(name) || !is_printable(value))
        return fault_set(why, "the option %s is too long, not plain text, or has no name",
                         fault_quote(name).shown);
    if (i == e->option_count)
        e->option_count++;
    return true;
}

// Adds a line to those sent before the greeting.
static bool add_first_line(match_engine *e, text line, fault *why) {
    size_t before = e->first_lines ? strlen(e->first_lines) : 0;
    if (!is_printable(line) || before + line.len > FIRST_LINES_MAX)
        return fault_set(why, "initstr %s is too long or not plain text", fault_quote(line).shown);
    char *grown = realloc(e->first_lines, before + line.len + 2);
    if (!grown)
        return fault_set(why, "out of memory");
    memcpy(grown + before, line.at, line.len);
    memcpy(grown + before + line.len, "\n", 2);
    e->first_lines = grown;
    return true;
}

// As cutechess has it: `\n` stands between lines.
static bool set_first_lines(match_engine *e, text lines, fault *why) {
    free(e->first_lines);
    e->first_lines = NULL;
    while (lines.len) {
        size_t end = text_find(lines, "\\n");
        if (!add_first_line(e, (text){lines.at, end}, why))
            return false;
        lines = text_skip(lines, end + 2);
    }
    return true;
}

static const char *const keys[] = {"cmd",    "name", "dialect", "dir",   "tc",     "restart",
                                   "ponder", "st",   "depth",   "nodes", "margin", "initstr"};

// Keys of other programs: `what` is said of them.
static const struct {
    const char *key, *what;
} foreign_keys[] = {
    {"proto", "dialect"},
    {"protocol", "dialect"},
    {"command", "cmd"},
    {"arg", "cmd='PROGRAM ARGUMENT...'"},
    {"args", "cmd='PROGRAM ARGUMENT...'"},
    {"timemargin", "margin (in seconds)"},
    {"plies", "depth"},
    {"workingDirectory", "dir"},
    {"options", "option.NAME"},
};

// What the key was meant to be, to be freed by nobody; NULL: nothing is similar.
static const char *similar_key(text key) {
    for (size_t i = 0; i < sizeof foreign_keys / sizeof foreign_keys[0]; i++)
        if (text_is(key, foreign_keys[i].key))
            return foreign_keys[i].what;
    suggestion option = suggest_for((text){key.at, text_find(key, ".")});
    suggest_offer(&option, "option");
    if (option.best)
        return "option.NAME";
    suggestion near = suggest_for(key);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        suggest_offer(&near, keys[i]);
    if (near.best)
        return near.best;
    suggest_offer(&near, "command");
    return near.best ? "cmd" : NULL;
}

static bool refuse_key(text key, fault *why) {
    const char *similar = similar_key(key);
    if (text_is(key, "conf"))
        return fault_set(why, "conf=NAME comes before all other keys, and in --engine only");
    return fault_set(why,
                     "no key %s%s%s%s (cmd, name, dialect, dir, tc, st, depth, nodes, margin, "
                     "restart, ponder, initstr, option.NAME); a comma inside a value is written "
                     "\\,",
                     fault_quote(key).shown, similar ? "; did you mean " : "",
                     similar ? similar : "", similar ? "?" : "");
}

// Limits given beside tc stay whatever tc says, before or after them.
static void keep_limits(match_engine *e) {
    const referee_control *own = &e->limits;
    if (own->move_time_us)
        e->control.move_time_us = own->move_time_us;
    if (own->depth)
        e->control.depth = own->depth;
    if (own->nodes)
        e->control.nodes = own->nodes;
    if (own->margin_us)
        e->control.margin_us = own->margin_us;
}

static bool set_limit(match_engine *e, text key, text value, fault *why) {
    char spec[128];
    writer w = writer_on(spec, sizeof spec);
    write_text(&w, key);
    write_char(&w, '=');
    write_text(&w, value);
    referee_control one;
    if (w.overflow || text_find(value, ",") < value.len)
        return fault_set(why, "%.*s takes one number", (int)key.len, key.at);
    if (!referee_control_parse((text){spec, w.used}, &one, why))
        return false;
    referee_control *own = &e->limits;
    own->move_time_us = one.move_time_us ? one.move_time_us : own->move_time_us;
    own->depth = one.depth ? one.depth : own->depth;
    own->nodes = one.nodes ? one.nodes : own->nodes;
    own->margin_us = one.margin_us ? one.margin_us : own->margin_us;
    keep_limits(e);
    return true;
}

static bool set_switch(text key, text value, const char *on, const char *off, bool *is_on,
                       fault *why) {
    *is_on = text_is(value, on);
    return *is_on || text_is(value, off) ||
           fault_set(why, "%.*s takes %s or %s, not %s", (int)key.len, key.at, off, on,
                     fault_quote(value).shown);
}

static bool set_dialect(match_engine *e, text name, fault *why) {
    e->dialect_known = dialect_find(name, &e->dialect);
    if (e->dialect_known)
        return true;
    suggestion near = suggest_for(name);
    for (int i = 0; i < DIALECTS; i++)
        suggest_offer(&near, dialect_name((dialect_id)i));
    return fault_set(why, "no dialect %s (uci, ucci, cecp, sau)%s", fault_quote(name).shown,
                     suggest_hint(&near).shown);
}

bool match_engine_set(match_engine *e, text key, text value, fault *why) {
    if (text_is(key, "cmd"))
        return set_command(e, value, why);
    if (text_is(key, "name")) {
        writer w = writer_on(e->name, sizeof e->name);
        write_text(&w, value);
        return (!w.overflow && is_printable(value)) ||
               fault_set(why, "the name %s is too long or not plain UTF-8 text",
                         fault_quote(value).shown);
    }
    if (text_is(key, "dialect"))
        return set_dialect(e, value, why);
    if (text_is(key, "initstr"))
        return set_first_lines(e, value, why);
    if (text_is(key, "dir")) {
        free(e->directory);
        e->directory = copy_text(value);
        return e->directory != NULL || fault_set(why, "out of memory");
    }
    if (text_is(key, "tc")) {
        bool good = referee_control_parse(value, &e->control, why);
        keep_limits(e);
        return good;
    }
    if (referee_control_has(key))
        return set_limit(e, key, value, why);
    if (text_is(key, "restart")) {
        bool always;
        bool good = set_switch(key, value, "always", "auto", &always, why);
        e->restart = always ? RESTART_ALWAYS : RESTART_AUTO;
        return good;
    }
    if (text_is(key, "ponder"))
        return set_switch(key, value, "on", "off", &e->ponder, why);
    if (text_starts(key, "option."))
        return set_option(e, text_skip(key, 7), value, why);
    return refuse_key(key, why);
}

// The key this part begins with: a word before a `=`, known or not. An option of the engine's own
// may have blanks in its name, and needs no value. Empty: the part has no key.
static text key_of(text part) {
    bool is_option = text_starts(part, "option.");
    size_t n = 0;
    while (n < part.len && part.at[n] != '=' && part.at[n] != ',' &&
           (is_option || isalnum((unsigned char)part.at[n]) ||
            (part.at[n] && strchr("._-", part.at[n]))))
        n++;
    bool ends = is_option || (n < part.len && part.at[n] == '=');
    return (text){part.at, ends ? n : 0};
}

// Whether another part begins here, behind a comma in the value of `key`. A time control has
// settings of its own.
static bool part_begins(text key, text rest) {
    text next = key_of(rest);
    return next.len && !(text_is(key, "tc") && referee_control_has(next));
}

// Copies a value up to the comma that ends it; how far that is, the comma included.
static size_t read_value(text key, text rest, writer *value) {
    bool is_command = text_is(key, "cmd");
    char quote = 0;
    size_t i = 0;
    for (; i < rest.len; i++) {
        char c = rest.at[i];
        if (c == ',' && !quote && part_begins(key, text_skip(rest, i + 1)))
            break;
        if (c == '\\' && i + 1 < rest.len && rest.at[i + 1] == ',')
            c = rest.at[++i];
        else if (is_command && (quote ? c == quote : c == '\'' || c == '"'))
            quote = quote ? 0 : c;
        write_char(value, c);
    }
    return i + 1;
}

bool match_engine_parse(match_engine *e, text spec, fault *why) {
    while (spec.len) {
        char room[4096];
        writer value = writer_on(room, sizeof room);
        text key = key_of(spec);
        if (key.len)
            spec = text_skip(spec, key.len + (key.len < spec.len && spec.at[key.len] == '='));
        else
            key = text_of("cmd");
        spec = text_skip(spec, read_value(key, spec, &value));
        if (value.overflow)
            return fault_set(why, "an engine's description is too long");
        if (!match_engine_set(e, key, (text){room, value.used}, why))
            return false;
    }
    return true;
}

// --- JSON ---------------------------------------------------------------------------------------

// Options may be numbers and truth values too.
static bool scalar_text(const json_t *value, char *room, size_t size, text *result) {
    writer w = writer_on(room, size);
    if (json_is_string(value))
        write_string(&w, json_string_value(value));
    else if (json_is_integer(value))
        write_format(&w, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        write_format(&w, "%g", json_real_value(value));
    else if (json_is_boolean(value))
        write_string(&w, json_is_true(value) ? "true" : "false");
    else
        return false;
    *result = (text){room, w.used};
    return !w.overflow;
}

// A list of words, or a line of them as fastchess has it.
static bool add_arguments(match_engine *e, const json_t *list, fault *why) {
    if (json_is_string(list)) {
        match_engine line = {0};
        text words = text_of(json_string_value(list));
        bool good = text_trim(words).len == 0 || set_command(&line, words, why);
        for (int i = 0; good && line.command[i]; i++)
            good = add_word(e, text_of(line.command[i]), why);
        match_engine_free(&line);
        return good;
    }
    if (list && !json_is_array(list))
        return fault_set(why, "args must be a list of strings");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (!word)
            return fault_set(why, "args must be a list of strings");
        if (!add_word(e, text_of(word), why))
            return false;
    }
    return true;
}

static bool add_option(match_engine *e, const char *name, const json_t *value, fault *why) {
    char room[4096];
    text shown;
    if (!name || !scalar_text(value, room, sizeof room, &shown))
        return fault_set(why, "option %.80s is neither text nor number", name ? name : "?");
    return set_option(e, text_of(name), shown, why);
}

// {"Hash": 64}, [{"name": "Hash", "value": 64}] as in cutechess, or [["Hash", "64"]] as in
// fastchess. An option without a value is one that cutechess knows and nobody has set.
static bool add_options(match_engine *e, const json_t *options, fault *why) {
    const char *name;
    const json_t *value;
    json_object_foreach((json_t *)(uintptr_t)options, name, value) {
        if (!add_option(e, name, value, why))
            return false;
    }
    for (size_t i = 0; i < json_array_size(options); i++) {
        const json_t *one = json_array_get(options, i);
        bool is_pair = json_is_array(one);
        name = json_string_value(is_pair ? json_array_get(one, 0) : json_object_get(one, "name"));
        value = is_pair ? json_array_get(one, 1) : json_object_get(one, "value");
        if ((value || is_pair || !name) && !add_option(e, name, value, why))
            return false;
    }
    return true;
}

// Whether the object has these keys alone, with whole numbers or objects as their values.
static bool has_only(const char *where, const json_t *object, const char *const words[],
                     fault *why) {
    const char *key;
    const json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        suggestion near = suggest_for(text_of(key));
        int i = 0;
        for (; words[i] && strcmp(words[i], key) != 0; i++)
            suggest_offer(&near, words[i]);
        if (!words[i])
            return fault_set(why, "%s: no key %s%s", where, fault_quote(text_of(key)).shown,
                             suggest_hint(&near).shown);
        if (!json_is_integer(value) && !json_is_object(value))
            return fault_set(why, "%s: %s takes a whole number", where, key);
    }
    return true;
}

// fastchess' limit: {"tc": {"time": ms, "increment": ms, "moves": n, "fixed_time": ms}, "nodes": n,
// "plies": n}.
static bool add_limit(match_engine *e, const json_t *limit, fault *why) {
    static const char *const own[] = {"tc", "nodes", "plies", NULL};
    static const char *const of_clock[] = {"time",       "increment",  "moves",
                                           "fixed_time", "timemargin", NULL};
    const json_t *clock = json_object_get(limit, "tc");
    if (clock && !json_is_object(clock))
        return fault_set(why, "limit: tc must be an object");
    if (!has_only("limit", limit, own, why) || !has_only("limit: tc", clock, of_clock, why))
        return false;
    const json_int_t time = json_integer_value(json_object_get(clock, "time")),
                     increment = json_integer_value(json_object_get(clock, "increment")),
                     moves = json_integer_value(json_object_get(clock, "moves")),
                     fixed = json_integer_value(json_object_get(clock, "fixed_time")),
                     margin = json_integer_value(json_object_get(clock, "timemargin")),
                     nodes = json_integer_value(json_object_get(limit, "nodes")),
                     plies = json_integer_value(json_object_get(limit, "plies"));
    const json_int_t most = 1000000000;
    if (time < 0 || increment < 0 || moves < 0 || fixed < 0 || margin < 0 || nodes < 0 ||
        plies < 0 || time > most || increment > most || fixed > most || margin > most ||
        moves > REFEREE_MAX_PERIOD || plies > 1000)
        return fault_set(why, "limit: a number is out of range");
    e->control = (referee_control){.has_clock = time > 0,
                                   .moves = (int32_t)moves,
                                   .base_us = time * 1000,
                                   .increment_us = increment * 1000,
                                   .move_time_us = fixed * 1000,
                                   .margin_us = margin * 1000,
                                   .nodes = nodes,
                                   .depth = (int32_t)plies};
    keep_limits(e);
    return true;
}

// Names that other programs use for a key, and those that say nothing about play.
static const char *key_of_others(const char *key) {
    static const char *const same[][2] = {
        {"command", "cmd"},       {"protocol", "dialect"},
        {"proto", "dialect"},     {"workingDirectory", "dir"},
        {"variants", NULL},       {"variant", NULL},
        {"stderrFile", NULL},     {"stderr", NULL},
        {"validateClaims", NULL}, {"timeout", NULL},
        {"whitepov", NULL},       {"rating", NULL},
        {"debug", NULL},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (strcmp(key, same[i][0]) == 0)
            return same[i][1];
    return key;
}

// A key whose value is a text, a number or a truth value.
static bool set_from_json(match_engine *e, const char *key, const json_t *value, fault *why) {
    char room[4096];
    text shown;
    const char *own = key_of_others(key);
    if (!own && strcmp(key, "whitepov") == 0 && json_is_true(value))
        return fault_set(why, "%s is not supported: leave it out", key);
    if (!own)
        return true;
    if (json_is_boolean(value) && strcmp(own, "restart") == 0)
        shown = text_of(json_is_true(value) ? "always" : "auto");
    else if (json_is_boolean(value) && strcmp(own, "ponder") == 0)
        shown = text_of(json_is_true(value) ? "on" : "off");
    else if (!scalar_text(value, room, sizeof room, &shown))
        return fault_set(why, "%.80s is neither text nor number", key);
    if (strcmp(own, "restart") == 0 && (text_is(shown, "on") || text_is(shown, "off")))
        shown = text_of(text_is(shown, "on") ? "always" : "auto"); // as cutechess says it
    bool is_default = shown.len == 0 && strcmp(own, "cmd") != 0;   // "dir": "" in both
    return is_default || match_engine_set(e, text_of(own), shown, why);
}

static bool add_first_lines(match_engine *e, const json_t *list, fault *why) {
    bool good = json_is_array(list) && set_first_lines(e, (text){"", 0}, why);
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const char *line = json_string_value(json_array_get(list, i));
        good = line && add_first_line(e, text_of(line), why);
        if (!line)
            break;
    }
    return good || fault_set(why, "initStrings must be a list of lines of plain text");
}

bool match_engine_from_json(match_engine *e, const json_t *object, fault *why) {
    if (!json_is_object(object))
        return fault_set(why, "an engine must be an object");
    const char *key;
    const json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        if (strcmp(key, "args") == 0)
            continue; // after cmd
        bool is_list = json_is_object(value) || json_is_array(value);
        bool good = strcmp(key, "options") == 0 && is_list ? add_options(e, value, why)
                    : strcmp(key, "limit") == 0 && json_is_object(value) ? add_limit(e, value, why)
                    : strcmp(key, "initStrings") == 0 ? add_first_lines(e, value, why)
                                                      : set_from_json(e, key, value, why);
        if (!good)
            return false;
    }
    return add_arguments(e, json_object_get(object, "args"), why);
}

void match_engine_complete(match_engine *e) {
    if (e->name[0] || !e->command[0])
        return;
    writer w = writer_on(e->name, sizeof e->name);
    write_string(&w, os_path_name(e->command[0]));
}
