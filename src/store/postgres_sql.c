#include "store/postgres_sql.h"

#include "base/minmax.h"

const char postgres_prelude[] =
    "BEGIN;"
    "CREATE TABLE schema_version(version BIGINT NOT NULL);"
    "INSERT INTO schema_version VALUES(0);"
    "CREATE OR REPLACE FUNCTION instr(bytea, bytea) RETURNS integer LANGUAGE sql IMMUTABLE STRICT"
    " AS 'SELECT position($2 IN $1)';"
    "COMMIT";

// Texts are compared byte by byte, as SQLite does. Names of players are UNIQUE without regard to
// case by an index (schema.c).
static const struct {
    const char *from, *to;
} words[] = {
    {"INTEGER", "BIGINT"},          {"REAL", "DOUBLE PRECISION"}, {"BLOB", "BYTEA"},
    {"TEXT", "TEXT COLLATE \"C\""}, {" WITHOUT ROWID", ""},       {" COLLATE NOCASE UNIQUE", ""},
    {" CROSS JOIN", " JOIN"},
};

static bool is_small(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// What stands here in place of `rest`, or NULL; cuts off what it replaces.
static const char *replace(text *rest) {
    static const char hint[] = " INDEXED BY ";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_starts(*rest, words[i].from)) {
            *rest = text_skip(*rest, strlen(words[i].from));
            return words[i].to;
        }
    if (!text_starts(*rest, hint))
        return NULL;
    *rest = text_skip(*rest, strlen(hint));
    while (rest->len && is_small(rest->at[0]))
        *rest = text_skip(*rest, 1);
    return "";
}

// ?12 becomes $12. In lower(?1) it gets the order of the columns it is compared with.
static void add_parameter(text *rest, buffer *out, postgres_parameters *used) {
    int number = 0;
    bool is_lowered = out->len >= 6 && memcmp(out->bytes + out->len - 6, "lower(", 6) == 0;
    for (*rest = text_skip(*rest, 1); rest->len && rest->at[0] >= '0' && rest->at[0] <= '9';
         *rest = text_skip(*rest, 1))
        number = min_int(number * 10 + rest->at[0] - '0', QUERY_VALUES);
    used->count = max_int(used->count, number);
    used->is_used[max_int(number, 1) - 1] = true;
    buffer_format(out, is_lowered ? "$%d COLLATE \"C\"" : "$%d", number);
}

bool postgres_translate(const char *sql, buffer *out, postgres_parameters *used) {
    text rest = text_of(sql);
    while (rest.len) {
        const char *other = replace(&rest);
        if (other) {
            buffer_string(out, other);
        } else if (rest.at[0] == '?') {
            add_parameter(&rest, out, used);
        } else {
            buffer_char(out, rest.at[0]);
            rest = text_skip(rest, 1);
        }
    }
    buffer_char(out, '\0');
    return !out->failed;
}

void postgres_name(text sql, char name[STATEMENT_NAME_SIZE]) {
    uint64_t sum = 0xcbf29ce484222325u; // FNV-1a
    for (size_t i = 0; i < sql.len; i++)
        sum = (sum ^ (uint8_t)sql.at[i]) * 0x100000001b3u;
    writer w = writer_on(name, STATEMENT_NAME_SIZE);
    write_format(&w, "kraton_%016llx", (unsigned long long)sum);
}
