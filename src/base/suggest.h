// Suggestions for misspelt words: options, commands, games, keys. Offer every word that would have
// been right; the nearest one is kept if it is near enough to be what was meant.
//
//     suggestion s = suggest_for(key);
//     for (int i = 0; i < KEYS; i++)
//         suggest_offer(&s, keys[i]);
//     return fault_set(why, "no key %s%s", fault_quote(key).shown, suggest_hint(&s).shown);
//
// Nothing allocates; the words offered must outlive the suggestion.
#ifndef KRATON_BASE_SUGGEST_H
#define KRATON_BASE_SUGGEST_H

#include "base/text.h"

typedef struct {
    text given;
    const char *best; // NULL: no word is near enough
    int distance;     // typing mistakes between `given` and `best`
} suggestion;

suggestion suggest_for(text given);
// Keeps the word if it is nearer than the best one so far. Case does not matter. A letter too many,
// missing, wrong, or exchanged with its neighbour is one mistake; a long word may have more of them
// than a short one. A word that begins with what was given, three letters or more, is near, too,
// and one of three letters of which the last is missing.
void suggest_offer(suggestion *s, const char *word);
// `; did you mean WORD?` for the end of a message, or nothing.
typedef struct {
    char shown[64];
} suggest_text;
suggest_text suggest_hint(const suggestion *s);
// The same with something before the word: `; did you mean --WORD?`.
suggest_text suggest_hint_with(const suggestion *s, const char *before);

#endif
