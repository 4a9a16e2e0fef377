#include "engine/settings.h"

#include "games/network.h"
#include "search/search.h"

enum { LARGEST_HASH_MB = 65536 };

// An option and the field it sets.
typedef struct {
    dialect_option option;
    const char *help;
    enum { FIELD_NONE, FIELD_NUMBER, FIELD_TRUTH, FIELD_TEXT } kind;
    size_t offset, size;
    enum { FOR_ALL, FOR_TABLES, FOR_NETWORKS } games; // those that have them
} setting;

#define FIELD(kind, name)                                                                          \
    FIELD_##kind, offsetof(engine_settings, name), sizeof(((engine_settings *)0)->name)

static const setting table[] = {
    {{"Hash", "hashsize", OPTION_SPIN, "16", 1, LARGEST_HASH_MB, NULL},
     "megabytes of the transposition table",
     FIELD(NUMBER, hash_mb),
     FOR_ALL},
    {{"Threads", "threads", OPTION_SPIN, "1", 1, SEARCH_MAX_THREADS, NULL},
     "search threads",
     FIELD(NUMBER, threads),
     FOR_ALL},
    {{"MultiPV", "multipv", OPTION_SPIN, "1", 1, SEARCH_MAX_VARIATIONS, NULL},
     "number of lines shown, best first",
     FIELD(NUMBER, variations),
     FOR_ALL},
    {{"Ponder", "ponder", OPTION_CHECK, "false", 0, 0, NULL},
     "the manager may use \"go ponder\"",
     FIELD(TRUTH, ponder),
     FOR_ALL},
    {{"Level", "level", OPTION_SPIN, "0", 0, 10, NULL},
     "0: full strength; 1, the weakest, to 10",
     FIELD(NUMBER, level),
     FOR_ALL},
    {{"Rules", "rules", OPTION_STRING, "", 0, 0, NULL},
     "the rule set: NAME, or NAME,field=value,...",
     FIELD(TEXT, rules),
     FOR_ALL},
    {{"OwnBook", "usebook", OPTION_CHECK, "false", 0, 0, NULL},
     "plays openings from a book",
     FIELD(TRUTH, own_book),
     FOR_ALL},
    {{"BookFile", "bookfiles", OPTION_STRING, "", 0, 0, NULL},
     "the book; empty: the one in the program",
     FIELD(TEXT, book_file),
     FOR_ALL},
    {{"TablePath", "egtbpaths", OPTION_STRING, "", 0, 0, NULL},
     "folder of endgame tables",
     FIELD(TEXT, table_path),
     FOR_TABLES},
    {{"EvalFile", NULL, OPTION_STRING, "none", 0, 0, NULL},
     "the evaluation: none (by hand), default (the network in the program), or a network's file",
     FIELD(TEXT, eval_file),
     FOR_NETWORKS},
    {{"Move Overhead", NULL, OPTION_SPIN, "10", 0, 5000, NULL},
     "milliseconds per move reserved for the way to the manager",
     FIELD(NUMBER, overhead_ms),
     FOR_ALL},
    {{"Split", NULL, OPTION_CHECK, "false", 0, 0, NULL},
     "threads share the root moves instead of the whole tree",
     FIELD(TRUTH, splits_root),
     FOR_ALL},
    {{"Seed", NULL, OPTION_SPIN, "0", 0, INT32_MAX, NULL},
     "seed of a level's and the book's choices; 0: another one each game",
     FIELD(NUMBER, seed),
     FOR_ALL},
    {{"Clear Hash", NULL, OPTION_BUTTON, NULL, 0, 0, NULL},
     "empties the transposition table",
     FIELD_NONE,
     0,
     0,
     FOR_ALL},
};
#undef FIELD
enum { SETTINGS = sizeof table / sizeof table[0] };
_Static_assert(sizeof table / sizeof table[0] < SETTINGS_OPTIONS, "room for the end of the list");

static bool take(engine_settings *s, const setting *set, text value) {
    void *field = (char *)s + set->offset;
    switch (set->kind) {
    case FIELD_NUMBER:
        return text_to_int(value, set->option.low, set->option.high, field);
    case FIELD_TRUTH:
        *(bool *)field = text_is(value, "true");
        return text_is(value, "true") || text_is(value, "false");
    case FIELD_TEXT: {
        if (text_is(value, "<empty>"))
            value.len = 0;
        if (value.len >= set->size)
            return false;
        writer w = writer_on(field, set->size);
        write_text(&w, value);
        return true;
    }
    case FIELD_NONE:
        break;
    }
    return true;
}

void settings_init(engine_settings *s, const rules_game *game,
                   dialect_option options[SETTINGS_OPTIONS]) {
    bool has_tables = rules_properties_of(game)->has_tables;
    int n = 0;
    *s = (engine_settings){0};
    for (int i = 0; i < SETTINGS; i++) {
        if ((table[i].games == FOR_TABLES && !has_tables) ||
            (table[i].games == FOR_NETWORKS && !search_takes_networks()))
            continue;
        options[n] = table[i].option;
        if (text_is(text_of(options[n].name), "Rules"))
            options[n].initial = rules_set_name(game, 0);
        if (text_is(text_of(options[n].name), "EvalFile") && network_has_own(rules_name(game)))
            options[n].initial = "default";
        bool taken = !options[n].initial || take(s, &table[i], text_of(options[n].initial));
        (void)taken; // all of them fit
        n++;
    }
    options[n] = (dialect_option){0};
}

const char *settings_help(const char *name) {
    for (int i = 0; i < SETTINGS; i++)
        if (text_is(text_of(name), table[i].option.name))
            return table[i].help;
    return "";
}

bool settings_take(engine_settings *s, text name, text value) {
    for (int i = 0; i < SETTINGS; i++)
        if (text_is(name, table[i].option.name))
            return take(s, &table[i], value);
    return false;
}
