// What the files of libkraton share: how the types of kraton.h stand for ours. Not installed.
#ifndef KRATON_LIB_LIB_H
#define KRATON_LIB_LIB_H

#include "lib/kraton.h"
#include "records/record.h"
#include "rules/rules.h"

struct kraton_position {
    rules_state *state;         // owned
    uint32_t capacity;          // moves that it can hold
    char first[RULES_FEN_SIZE]; // the board before all moves
};

// A kraton_game is a rules_game.
static inline const rules_game *lib_game(const kraton_game *game) {
    return (const rules_game *)game;
}

static inline const kraton_game *lib_game_out(const rules_game *game) {
    return (const kraton_game *)game;
}

// Hands a fault to a caller who may not want it. Returns false.
bool lib_refuse(kraton_error *error, const fault *why);
// The same with words.
bool lib_refuse_words(kraton_error *error, const char *words);

// Ends a function whose argument must not be NULL and is, as kraton.h says.
#define LIB_NEED(argument, what, error, neutral)                                                   \
    do {                                                                                           \
        if (!(argument)) {                                                                         \
            lib_refuse_words(error, "NULL " what);                                                 \
            return neutral;                                                                        \
        }                                                                                          \
    } while (0)

// Copies text to a caller as kraton.h says; returns its length.
size_t lib_copy_out(text t, char *out, size_t size);

kraton_verdict lib_verdict(const rules_verdict *v);

#endif
