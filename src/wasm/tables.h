// Endgame tables in a browser. They are small and quickly made, so they are built in memory instead
// of being fetched: those of five pieces take a fraction of a second.
#ifndef KRATON_WASM_TABLES_H
#define KRATON_WASM_TABLES_H

#include "rules/rules.h"

#define WASM_TABLES_FOLDER "tables" // in memory
enum { WASM_TABLES_PIECES = 5 };

// Builds the tables of all conventions, once. False, with the reason, where the game has none or
// memory runs out.
MUST_USE bool wasm_tables_make(const rules_game *game, fault *why);

// Writes what the tables say of a position and its moves (wasm/main.c has the form), building them
// first where needed. False, with the reason, where they do not know.
MUST_USE bool wasm_tables_write(const rules_state *state, writer *out, fault *why);

#endif
