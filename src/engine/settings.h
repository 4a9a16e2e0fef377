// The engine's options: what it offers, and what they are set to.
#ifndef KRATON_ENGINE_SETTINGS_H
#define KRATON_ENGINE_SETTINGS_H

#include "dialect/engine/engine.h"

enum { SETTINGS_OPTIONS = 16, SETTINGS_PATH_SIZE = 1024 };

typedef struct {
    int64_t hash_mb, threads, variations, level, overhead_ms, seed;
    bool ponder, splits_root, own_book;
    char rules[256], book_file[SETTINGS_PATH_SIZE], table_path[SETTINGS_PATH_SIZE];
    char eval_file[SETTINGS_PATH_SIZE]; // "none": the hand-made evaluation; "default"
} engine_settings;

// Fills in the defaults and the options of the game that go with them.
void settings_init(engine_settings *s, const rules_game *game,
                   dialect_option options[SETTINGS_OPTIONS]);
// What an option means, in a few words.
const char *settings_help(const char *name);
// Takes a valid value; false where there is no such option or the value is too long to keep.
MUST_USE bool settings_take(engine_settings *s, text name, text value);

#endif
