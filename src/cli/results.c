#include "cli/results.h"

#include "base/buffer.h"
#include "base/encoding.h"
#include "base/vector.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "records/record.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <strings.h>

enum { NAME_SIZE = 256 };

// --- the sums -----------------------------------------------------------------------------------

static int64_t hash_of(text name) {
    uint64_t h = 0xcbf29ce484222325u; // FNV-1a
    for (size_t i = 0; i < name.len; i++)
        h = (h ^ (unsigned char)name.at[i]) * 0x100000001b3u;
    return (int64_t)(h >> 2) + 1; // above 0
}

// Tables hold numbers from 1 as pointers; 0 is no entry.
static int number_at(const table *t, int64_t key) { return (int)(uintptr_t)table_find(t, key) - 1; }

// The key under which a name is or belongs; names of the same hash follow one another.
static int64_t key_of(const results *r, text name, int *number) {
    int64_t key = hash_of(name);
    while ((*number = number_at(&r->by_name, key)) >= 0 && !text_is(name, r->names[*number]))
        key++;
    return key;
}

int results_find(const results *r, const char *name) {
    int number;
    key_of(r, text_of(name), &number);
    return number;
}

// The number of a player, who is added if need be. -1 with the reason on failure.
static int take_player(results *r, text name, fault *why) {
    int number;
    int64_t key = key_of(r, name, &number);
    if (number >= 0)
        return number;
    if (r->players == RATINGS_MAX_PLAYERS) {
        fault_set(why, "more than %d players", RATINGS_MAX_PLAYERS);
        return -1;
    }
    char **grown =
        vector_reserve(r->names, &r->name_capacity, (size_t)r->players + 1, sizeof *grown);
    char *copy = malloc(name.len + 1);
    if (grown)
        r->names = grown;
    if (!grown || !copy || !table_add(&r->by_name, key, (void *)((uintptr_t)r->players + 1))) {
        free(copy);
        fault_set(why, "out of memory");
        return -1;
    }
    memcpy(copy, name.at, name.len);
    copy[name.len] = '\0';
    r->names[r->players] = copy;
    return r->players++;
}

static ratings_row *take_row(results *r, int first, int second) {
    int64_t key = (int64_t)first * RATINGS_MAX_PLAYERS + second + 1; // above 0
    int at = number_at(&r->by_pair, key);
    if (at >= 0)
        return &r->rows[at];
    ratings_row *grown = vector_reserve(r->rows, &r->row_capacity, r->row_count + 1, sizeof *grown);
    if (grown)
        r->rows = grown;
    if (!grown || !table_add(&r->by_pair, key, (void *)((uintptr_t)r->row_count + 1)))
        return NULL;
    r->rows[r->row_count] = (ratings_row){.first = first, .second = second};
    return &r->rows[r->row_count++];
}

static bool add_game(results *r, text first, text second, rules_outcome result, fault *why) {
    first = text_trim(first);
    second = text_trim(second);
    if (result == RULES_ONGOING || !first.len || !second.len || text_equal(first, second)) {
        r->left_out++;
        return true;
    }
    int a = take_player(r, first, why), b = a < 0 ? -1 : take_player(r, second, why);
    if (a < 0 || b < 0)
        return false;
    ratings_row *row = take_row(r, a, b);
    if (!row)
        return fault_set(why, "out of memory");
    row->wins += result == RULES_FIRST_WINS;
    row->draws += result == RULES_DRAW;
    row->losses += result == RULES_SECOND_WINS;
    r->games++;
    return true;
}

static bool read_result(text word, rules_outcome *result) {
    static const struct {
        const char *word;
        rules_outcome result;
    } words[] = {{"1-0", RULES_FIRST_WINS},
                 {"0-1", RULES_SECOND_WINS},
                 {"1/2-1/2", RULES_DRAW},
                 {"1/2", RULES_DRAW},
                 {"0.5-0.5", RULES_DRAW},
                 {"*", RULES_ONGOING},
                 {"first wins", RULES_FIRST_WINS},
                 {"second wins", RULES_SECOND_WINS},
                 {"draw", RULES_DRAW},
                 {"ongoing", RULES_ONGOING},
                 {"", RULES_ONGOING}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_is(word, words[i].word)) {
            *result = words[i].result;
            return true;
        }
    return false;
}

// --- PGN ----------------------------------------------------------------------------------------

typedef struct {
    char game[NAME_SIZE], red[NAME_SIZE], white[NAME_SIZE], black[NAME_SIZE], result[NAME_SIZE];
    bool any;
} pgn_tags;

// Who moves first: the first side of the game that the tags name, else Red, else White.
static bool is_black_first(const pgn_tags *t) {
    for (int i = 0; rules_nth(i); i++)
        if (strcasecmp(t->game, rules_properties_of(rules_nth(i))->pgn_game) == 0)
            return strcasecmp(rules_side_name(rules_nth(i), 0), "Black") == 0;
    return false;
}

static bool end_pgn_game(results *r, pgn_tags *t, fault *why) {
    rules_outcome result = RULES_ONGOING;
    const char *light = t->red[0] ? t->red : t->white;
    bool black_first = is_black_first(t), any = t->any;
    text first = text_of(black_first ? t->black : light);
    text second = text_of(black_first ? light : t->black);
    if (any && !read_result(text_of(t->result), &result))
        return fault_set(why, "%s is no result (1-0, 0-1, 1/2-1/2, *)",
                         fault_quote(text_of(t->result)).shown);
    bool good = !any || add_game(r, first, second, result, why);
    *t = (pgn_tags){.any = false};
    return good;
}

// Copies a value, with \" and \\ as the characters they stand for.
static void copy_value(text value, char out[NAME_SIZE]) {
    writer w = writer_on(out, NAME_SIZE);
    for (size_t i = 0; i < value.len; i++) {
        bool escaped = value.at[i] == '\\' && i + 1 < value.len;
        i += escaped;
        write_char(&w, value.at[i]);
    }
}

// Splits `[Name "value"]`; false if the line is no tag.
static bool parse_tag(text line, text *name, text *value) {
    size_t end = 1;
    while (end < line.len && (isalnum((unsigned char)line.at[end]) || line.at[end] == '_'))
        end++;
    if (!text_starts(line, "[") || end == 1 || line.at[line.len - 1] != ']')
        return false;
    *name = (text){line.at + 1, end - 1};
    *value = text_trim((text){line.at + end, line.len - 1 - end});
    if (value->len < 2 || value->at[0] != '"' || value->at[value->len - 1] != '"')
        return false;
    *value = (text){value->at + 1, value->len - 2};
    return true;
}

static void set_tag(pgn_tags *t, text name, text value) {
    const struct {
        const char *name;
        char *value;
    } tags[] = {{"Game", t->game},
                {"Red", t->red},
                {"White", t->white},
                {"Black", t->black},
                {"Result", t->result}};
    t->any = true;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (name.len == strlen(tags[i].name) && strncasecmp(name.at, tags[i].name, name.len) == 0)
            copy_value(value, tags[i].value);
}

// Only the tags are read. Tags after moves begin another game.
static bool read_pgn(results *r, text bytes, unsigned *line_number, fault *why) {
    pgn_tags tags = {.any = false};
    bool in_moves = false;
    while (bytes.len) {
        text line = text_trim(text_next_line(&bytes)), name, value;
        ++*line_number;
        if (line.len && parse_tag(line, &name, &value)) {
            if (in_moves && !end_pgn_game(r, &tags, why))
                return false;
            in_moves = false;
            set_tag(&tags, name, value);
        } else if (line.len) {
            in_moves = true;
        }
    }
    return end_pgn_game(r, &tags, why);
}

// --- other formats ------------------------------------------------------------------------------

static text json_text(const json_t *object, const char *key) {
    const char *value = json_string_value(json_object_get(object, key));
    return text_of(value ? value : "");
}

// A line of JSON for each game, as `kraton match` and the record format json have it.
static bool read_json(results *r, text bytes, unsigned *line_number, fault *why) {
    bool good = true;
    while (good && bytes.len) {
        text line = text_trim(text_next_line(&bytes));
        ++*line_number;
        if (!line.len)
            continue;
        json_error_t error;
        json_t *object = json_loadb(line.at, line.len, 0, &error);
        rules_outcome result;
        if (!json_is_object(object) && bytes.len == 0)
            r->is_cut = true; // a match that was killed, or still writes
        else if (!json_is_object(object))
            good = fault_set(why, "no JSON object: %s", error.text);
        else if (json_object_get(object, "kraton")) // the header of a journal
            good = true;
        else if (!read_result(json_text(object, "result"), &result))
            good =
                fault_set(why, "%s is no result", fault_quote(json_text(object, "result")).shown);
        else
            good =
                add_game(r, json_text(object, "first"), json_text(object, "second"), result, why);
        json_decref(object);
    }
    return good;
}

enum { COLUMNS = 3 }; // first, second, result

typedef struct {
    int count;
    char columns[COLUMNS][NAME_SIZE];
} csv_line;

// Splits a line. In quotes a field may hold commas, and quotes that are doubled. False: there are
// other than three fields, one is too long, or a quote is not closed.
static bool split_csv(text line, csv_line *split) {
    writer w = {0};
    bool in_quotes = false;
    split->count = 0;
    for (size_t i = 0; i <= line.len; i++) {
        bool at_start = i == 0 || (!in_quotes && line.at[i - 1] == ',');
        if (at_start && split->count == COLUMNS)
            return false;
        if (at_start) {
            w = writer_on(split->columns[split->count++], NAME_SIZE);
            text field = text_trim(text_skip(line, i));
            in_quotes = text_starts(field, "\"");
            if (in_quotes) {
                i = (size_t)(field.at - line.at);
                continue;
            }
        }
        if (i == line.len)
            break;
        bool is_quote = in_quotes && line.at[i] == '"';
        if (is_quote && i + 1 < line.len && line.at[i + 1] == '"')
            i++;
        else if (is_quote) {
            in_quotes = false;
            continue;
        } else if (!in_quotes && line.at[i] == ',')
            continue;
        write_char(&w, line.at[i]);
        if (w.overflow)
            return false;
    }
    return split->count == COLUMNS && !in_quotes;
}

// Whether the last column is called so.
static bool names_columns(const csv_line *split) {
    static const char *const words[] = {"result", "results", "score", "outcome"};
    text last = text_trim(text_of(split->columns[COLUMNS - 1]));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (last.len == strlen(words[i]) && strncasecmp(last.at, words[i], last.len) == 0)
            return true;
    return false;
}

// Whether the first line that is no comment is one of ours. Some records begin with # too.
static bool is_csv(text bytes) {
    while (bytes.len) {
        text line = text_trim(text_next_line(&bytes));
        csv_line split;
        rules_outcome result;
        if (line.len && line.at[0] != '#')
            return split_csv(line, &split) &&
                   (names_columns(&split) ||
                    read_result(text_trim(text_of(split.columns[2])), &result));
    }
    return false;
}

static bool read_csv(results *r, text bytes, unsigned *line_number, fault *why) {
    bool good = true, is_first = true;
    while (good && bytes.len) {
        text line = text_trim(text_next_line(&bytes));
        csv_line split;
        rules_outcome result;
        ++*line_number;
        if (!line.len || line.at[0] == '#')
            continue;
        bool is_split = split_csv(line, &split);
        if (is_split && read_result(text_trim(text_of(split.columns[2])), &result))
            good = add_game(r, text_of(split.columns[0]), text_of(split.columns[1]), result, why);
        else if (is_first && text_find(line, ",") == line.len)
            good = fault_set(why, "no results: neither PGN, JSON lines nor first,second,1-0");
        else if (!is_first || !is_split || !names_columns(&split))
            good = fault_set(why, "a result is written first,second,1-0, not %s",
                             fault_quote(line).shown);
        is_first = false;
    }
    return good;
}

static bool read_records(results *r, text bytes, record_format format, unsigned *line_number,
                         fault *why) {
    record_reader reader = record_read(bytes, format, NULL);
    record game;
    record_init(&game, NULL);
    bool good = true;
    for (record_status status; good && (status = record_next(&reader, &game, why)) != RECORD_END;)
        good = status == RECORD_OK &&
               add_game(r, text_of(game.first), text_of(game.second), game.result, why);
    record_close(&reader);
    record_free(&game);
    *line_number = 0; // the reason has it
    return good;
}

static bool read_text(results *r, text bytes, record_format format, unsigned *line, fault *why) {
    if (text_starts(bytes, "\xef\xbb\xbf"))
        bytes = text_skip(bytes, 3);
    if (format == RECORD_PGN)
        return read_pgn(r, bytes, line, why);
    return text_starts(text_trim(bytes), "{") ? read_json(r, bytes, line, why)
                                              : read_csv(r, bytes, line, why);
}

bool results_add(results *r, text bytes, unsigned *line, fault *why) {
    record_format format = record_detect(bytes);
    *line = 0;
    if (format != RECORD_PGN && format != RECORD_JSON && is_csv(bytes))
        format = RECORD_MOVES;
    if (format != RECORD_PGN && format != RECORD_JSON && format != RECORD_MOVES)
        return read_records(r, bytes, format, line, why);
    if (utf8_is_valid(bytes))
        return read_text(r, bytes, format, line, why);
    buffer utf8 = {0};
    size_t bad = 0;
    bool good =
        (encoding_to_utf8(encoding_detect(bytes), bytes, &utf8, &bad) ||
         fault_set(why, "cannot be decoded as %s", encoding_name(encoding_detect(bytes)))) &&
        (!bad || fault_set(why, "neither UTF-8 nor GBK")) &&
        read_text(r, buffer_text(&utf8), format, line, why);
    buffer_free(&utf8);
    return good;
}

bool results_read(results *r, const char *path) {
    text bytes;
    fault why;
    unsigned line;
    if (!file_read(path, &bytes, &why)) {
        complain("kraton rate: %s", why.line);
        return false;
    }
    r->is_cut = false;
    bool good = results_add(r, bytes, &line, &why);
    if (good && r->is_cut)
        complain("kraton rate: %s: the last line is cut off; its game is left out",
                 file_label(path));
    free((void *)(uintptr_t)bytes.at);
    if (!good && line)
        complain("%s:%u: %s", file_label(path), line, why.line);
    else if (!good)
        complain("%s: %s", file_label(path), why.line);
    return good;
}

// Makes the look-up of names again after the numbers have changed.
static bool index_names(results *r) {
    table_free(&r->by_name);
    r->by_name = (table){0};
    for (int i = 0, number; i < r->players; i++) {
        int64_t key = key_of(r, text_of(r->names[i]), &number);
        if (!table_add(&r->by_name, key, (void *)((uintptr_t)i + 1)))
            return false;
    }
    return true;
}

bool results_remove(results *r, const bool *is_out, fault *why) {
    int *numbers = malloc((size_t)r->players * sizeof *numbers), kept = 0;
    if (!numbers)
        return fault_set(why, "out of memory");
    for (int i = 0; i < r->players; i++) {
        numbers[i] = is_out[i] ? -1 : kept;
        if (is_out[i])
            free(r->names[i]);
        else
            r->names[kept++] = r->names[i];
    }
    r->players = kept;
    size_t rows = 0;
    r->games = 0;
    for (size_t i = 0; i < r->row_count; i++) {
        ratings_row row = r->rows[i];
        row.first = numbers[row.first];
        row.second = numbers[row.second];
        if (row.first < 0 || row.second < 0)
            continue;
        r->games += (unsigned)(row.wins + row.draws + row.losses);
        r->rows[rows++] = row;
    }
    r->row_count = rows;
    free(numbers);
    table_free(&r->by_pair); // results that are read later get rows of their own
    r->by_pair = (table){0};
    return index_names(r) || fault_set(why, "out of memory");
}

void results_free(results *r) {
    for (int i = 0; i < r->players; i++)
        free(r->names[i]);
    free(r->names);
    free(r->rows);
    table_free(&r->by_name);
    table_free(&r->by_pair);
    *r = (results){0};
}
