#include "protocol/message.h"

#include "base/encoding.h"

#include <inttypes.h>
#include <jansson.h>

void message_free(message *m) {
    buffer_free(&m->raw);
    buffer_free(&m->line);
    buffer_free(&m->json);
}

// --- building -----------------------------------------------------------------------------------

static message_field *add_field(message *m, const char *key, field_kind kind) {
    if (m->count == MESSAGE_FIELDS)
        return NULL;
    message_field *f = &m->fields[m->count++];
    *f = (message_field){.key = key, .kind = kind, .at = m->raw.len};
    return f;
}

void message_text(message *m, const char *key, text value) {
    message_field *f = add_field(m, key, FIELD_TEXT);
    if (!f)
        return;
    buffer_add(&m->raw, value);
    f->len = value.len;
}

void message_string(message *m, const char *key, const char *value) {
    message_text(m, key, text_of(value));
}

void message_number(message *m, const char *key, int64_t value) {
    message_field *f = add_field(m, key, FIELD_NUMBER);
    if (f)
        f->number = value;
}

void message_flag(message *m, const char *key, bool value) {
    message_field *f = add_field(m, key, FIELD_FLAG);
    if (f)
        f->number = value;
}

void message_list(message *m, const char *key) { add_field(m, key, FIELD_LIST); }

void message_item(message *m, const char *word) {
    message_field *f = &m->fields[m->count - 1];
    if (f->len)
        buffer_add(&m->raw, text_of(" "));
    buffer_add(&m->raw, text_of(word));
    f->len = m->raw.len - f->at;
}

void message_words(message *m, const char *key, text words) {
    message_text(m, key, words);
    m->fields[m->count - 1].kind = FIELD_LIST;
}

// --- spelling -----------------------------------------------------------------------------------

static void add(buffer *b, const char *terminated) { buffer_add(b, text_of(terminated)); }

static void add_number(buffer *b, int64_t number) {
    char digits[24];
    writer w = writer_on(digits, sizeof digits);
    write_number(&w, number);
    buffer_add(b, (text){digits, w.used});
}

static bool needs_percent(char c) { return (unsigned char)c <= ' ' || c == '%' || c == 0x7f; }

static void add_as_word(buffer *b, text value, bool is_list) {
    size_t plain = 0;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.at[i];
        if (!needs_percent(c))
            continue;
        buffer_add(b, (text){value.at + plain, i - plain});
        plain = i + 1;
        char code[4];
        writer w = writer_on(code, sizeof code);
        if (is_list && c == ' ')
            write_char(&w, ',');
        else
            write_format(&w, "%%%02X", (unsigned char)c);
        buffer_add(b, (text){code, w.used});
    }
    buffer_add(b, text_skip(value, plain));
}

// Nothing may have been written yet where all values are empty.
static text value_of(const message *m, const message_field *f) {
    return f->len ? (text){m->raw.bytes + f->at, f->len} : text_of("");
}

text message_as_line(message *m) {
    if (m->line.len)
        return (text){m->line.bytes, m->line.len};
    add(&m->line, m->verb);
    for (int i = 0; i < m->count; i++) {
        const message_field *f = &m->fields[i];
        add(&m->line, " ");
        add(&m->line, f->key);
        add(&m->line, "=");
        if (f->kind == FIELD_NUMBER)
            add_number(&m->line, f->number);
        else if (f->kind == FIELD_FLAG)
            add(&m->line, f->number ? "yes" : "no");
        else
            add_as_word(&m->line, value_of(m, f), f->kind == FIELD_LIST);
    }
    add(&m->line, "\n");
    return (text){m->line.bytes, m->line.len};
}

static void add_as_string(buffer *b, text value) {
    add(b, "\"");
    size_t plain = 0;
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.at[i];
        if (c >= ' ' && c != '"' && c != '\\')
            continue;
        buffer_add(b, (text){value.at + plain, i - plain});
        plain = i + 1;
        char code[8];
        writer w = writer_on(code, sizeof code);
        if (c < ' ')
            write_format(&w, "\\u%04x", c);
        else
            write_format(&w, "\\%c", c);
        buffer_add(b, (text){code, w.used});
    }
    buffer_add(b, text_skip(value, plain));
    add(b, "\"");
}

static void add_as_array(buffer *b, text words) {
    add(b, "[");
    bool first = true;
    for (text word; (word = text_next_word(&words)).len; first = false) {
        if (!first)
            add(b, ",");
        add_as_string(b, word);
    }
    add(b, "]");
}

text message_as_json(message *m) {
    if (m->json.len)
        return (text){m->json.bytes, m->json.len};
    add(&m->json, "{\"t\":\"");
    add(&m->json, m->verb);
    add(&m->json, "\"");
    for (int i = 0; i < m->count; i++) {
        const message_field *f = &m->fields[i];
        text value = value_of(m, f);
        add(&m->json, ",\"");
        add(&m->json, f->key);
        add(&m->json, "\":");
        if (f->kind == FIELD_NUMBER)
            add_number(&m->json, f->number);
        else if (f->kind == FIELD_FLAG)
            add(&m->json, f->number ? "true" : "false");
        else if (f->kind == FIELD_LIST)
            add_as_array(&m->json, value);
        else
            add_as_string(&m->json, value);
    }
    add(&m->json, "}");
    return (text){m->json.bytes, m->json.len};
}

// --- requests -----------------------------------------------------------------------------------

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The value with its per cent signs undone, in the request's space where there are any.
static bool decode(request *r, text value, text *decoded, fault *why) {
    *decoded = value;
    if (!memchr(value.at, '%', value.len))
        return true;
    char *to = r->space + r->used;
    size_t len = 0;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.at[i];
        if (r->used + len >= sizeof r->space)
            return fault_set(why, "too long");
        if (c == '%') {
            int high = i + 2 < value.len ? hex_digit(value.at[i + 1]) : -1;
            int low = i + 2 < value.len ? hex_digit(value.at[i + 2]) : -1;
            if (high < 0 || low < 0)
                return fault_set(why, "%% without two hexadecimal digits");
            c = (char)(high * 16 + low);
            i += 2;
        }
        to[len++] = c;
    }
    *decoded = (text){to, len};
    r->used += len;
    return true;
}

static bool is_plain(text t) {
    for (size_t i = 0; i < t.len; i++)
        if ((unsigned char)t.at[i] < ' ' || t.at[i] == 0x7f)
            return false;
    return utf8_is_valid(t);
}

static bool add_to_request(request *r, text key, text value, fault *why) {
    if (r->count == REQUEST_FIELDS)
        return fault_set(why, "more than %d fields", REQUEST_FIELDS);
    if (!is_plain(key) || !is_plain(value))
        return fault_set(why, "bytes that are no printable UTF-8");
    r->fields[r->count].key = key;
    r->fields[r->count++].value = value;
    return true;
}

bool request_read_line(request *r, text line, fault *why) {
    r->count = 0;
    r->used = 0;
    r->verb = text_next_word(&line);
    if (r->verb.len == 0 || !is_plain(r->verb))
        return fault_set(why, "no verb");
    for (text word; (word = text_next_word(&line)).len;) {
        size_t equals = text_find(word, "=");
        if (equals == 0 || equals == word.len)
            return fault_set(why, "%s is no field: key=value", fault_quote(word).shown);
        text value;
        if (!decode(r, text_skip(word, equals + 1), &value, why) ||
            !add_to_request(r, (text){word.at, equals}, value, why))
            return false;
    }
    return true;
}

static bool keep(request *r, text value, text *kept, fault *why) {
    if (value.len > sizeof r->space - r->used)
        return fault_set(why, "too long");
    memcpy(r->space + r->used, value.at, value.len);
    *kept = (text){r->space + r->used, value.len};
    r->used += value.len;
    return true;
}

// An array of texts is a list: joined by commas, as in lines.
static bool keep_list(request *r, const json_t *array, text *kept, fault *why) {
    *kept = (text){r->space + r->used, 0};
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        text word = {json_string_value(item), json_string_length(item)}, part;
        if (!json_is_string(item) || memchr(word.at, ',', word.len))
            return fault_set(why, "a list of texts without commas is wanted");
        if ((i && !keep(r, text_of(","), &part, why)) || !keep(r, word, &part, why))
            return false;
    }
    kept->len = (size_t)(r->space + r->used - kept->at);
    return true;
}

static bool add_json(request *r, const char *key, const json_t *json, fault *why) {
    char number[32];
    writer w = writer_on(number, sizeof number);
    text value, name = {0};
    if (json_is_string(json))
        value = (text){json_string_value(json), json_string_length(json)};
    else if (json_is_boolean(json))
        value = text_of(json_is_true(json) ? "yes" : "no");
    else if (json_is_integer(json)) {
        write_number(&w, json_integer_value(json));
        value = (text){number, w.used};
    } else if (!json_is_array(json))
        return fault_set(
            why, "%s is neither text nor a list of texts nor a whole number nor true or false",
            fault_quote(text_of(key)).shown);
    if (!keep(r, text_of(key), &name, why) ||
        !(json_is_array(json) ? keep_list(r, json, &value, why) : keep(r, value, &value, why)))
        return false;
    if (!text_is(name, "t"))
        return add_to_request(r, name, value, why);
    r->verb = value;
    return true;
}

bool request_read_json(request *r, text object, fault *why) {
    r->count = 0;
    r->used = 0;
    r->verb = (text){"", 0};
    json_error_t error;
    json_t *json = json_loadb(object.at, object.len, JSON_REJECT_DUPLICATES, &error);
    bool good = json_is_object(json) ? true : fault_set(why, "no JSON object");
    if (good) {
        const char *key;
        json_t *value;
        json_object_foreach(json, key, value) good = good && add_json(r, key, value, why);
    }
    json_decref(json);
    return good;
}

static int find_field(const request *r, const char *key) {
    for (int i = 0; i < r->count; i++)
        if (text_is(r->fields[i].key, key))
            return i;
    return -1;
}

bool request_has(const request *r, const char *key) { return find_field(r, key) >= 0; }

text request_text(const request *r, const char *key) {
    int i = find_field(r, key);
    return i >= 0 ? r->fields[i].value : (text){"", 0};
}

bool request_number(const request *r, const char *key, int64_t low, int64_t high, int64_t otherwise,
                    int64_t *value, fault *why) {
    *value = otherwise;
    if (!request_has(r, key))
        return true;
    text given = request_text(r, key);
    if (text_to_int(given, low, high, value))
        return true;
    return fault_set(why, "%s takes a number from %" PRId64 " to %" PRId64 ", not %s", key, low,
                     high, fault_quote(given).shown);
}

bool request_flag(const request *r, const char *key, bool otherwise, bool *value, fault *why) {
    text given = request_text(r, key);
    bool yes = text_is(given, "yes") || text_is(given, "true") || text_is(given, "1");
    bool no = text_is(given, "no") || text_is(given, "false") || text_is(given, "0");
    *value = yes || (!no && otherwise);
    return yes || no || !request_has(r, key) ||
           fault_set(why, "%s takes yes or no, not %s", key, fault_quote(given).shown);
}

// --- lines --------------------------------------------------------------------------------------

static text without_cr(text line) {
    if (line.len && line.at[line.len - 1] == '\r')
        line.len--;
    return line;
}

static size_t longest(const lines *l) { return l->most ? l->most : LINES_MAX; }

static bool hold(lines *l, text bytes) {
    if (l->held.len + bytes.len > longest(l) + 1) // a CR may yet turn out to be part of the end
        return false;
    buffer_add(&l->held, bytes);
    return !l->held.failed;
}

lines_status lines_next(lines *l, text *bytes, text *line) {
    const char *end = bytes->len ? memchr(bytes->at, '\n', bytes->len) : NULL;
    if (l->held.len == 0 && !end)
        buffer_free(&l->held);
    if (!end) {
        text rest = *bytes;
        *bytes = text_skip(rest, rest.len);
        return rest.len == 0 || hold(l, rest) ? LINES_NONE : LINES_TOO_LONG;
    }
    text piece = {bytes->at, (size_t)(end - bytes->at)};
    *bytes = text_skip(*bytes, piece.len + 1);
    if (l->held.len) {
        if (!hold(l, piece))
            return LINES_TOO_LONG;
        piece = buffer_text(&l->held);
        buffer_clear(&l->held); // the bytes stay until the next call
    }
    *line = without_cr(piece);
    return line->len > longest(l) ? LINES_TOO_LONG : LINES_ONE;
}

void lines_free(lines *l) { buffer_free(&l->held); }
