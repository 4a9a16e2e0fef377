#include "base/suggest.h"

#include "base/minmax.h"

#include <ctype.h>

enum { COMPARED = 32, LEAST_PREFIX = 3 };

static int lower(char c) { return tolower((unsigned char)c); }

// Mistakes that may be forgiven: with one in a word of two letters, any word would do.
static int most_mistakes(size_t len) { return len < 3 ? 0 : len < 5 ? 1 : len < 9 ? 2 : 3; }

suggestion suggest_for(text given) {
    return (suggestion){given, NULL, most_mistakes(given.len) + 1};
}

// Optimal string alignment: the least number of letters to insert, remove, change, or exchange with
// their neighbours. Rows of the usual table, of which the last three are kept.
static int count_mistakes(text a, text b) {
    int rows[3][COMPARED + 1];
    for (int j = 0; j <= (int)b.len; j++)
        rows[0][j] = j;
    for (int i = 1; i <= (int)a.len; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= (int)b.len; j++) {
            int x = lower(a.at[i - 1]), y = lower(b.at[j - 1]);
            row[j] = min_int(above[j - 1] + (x != y), min_int(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == lower(b.at[j - 2]) && y == lower(a.at[i - 2]))
                row[j] = min_int(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a.len % 3][b.len];
}

// Of two letters only the last one of three may be missing.
static bool is_beginning(text start, text word) {
    if (start.len < LEAST_PREFIX - (word.len == LEAST_PREFIX) || start.len > word.len)
        return false;
    for (size_t i = 0; i < start.len; i++)
        if (lower(start.at[i]) != lower(word.at[i]))
            return false;
    return true;
}

void suggest_offer(suggestion *s, const char *word) {
    text offered = text_of(word);
    if (s->given.len > COMPARED || offered.len > COMPARED)
        return;
    int mistakes = count_mistakes(s->given, offered);
    if (is_beginning(s->given, offered))
        mistakes = min_int(mistakes, s->given.len < LEAST_PREFIX ? 0 : 1);
    if (mistakes < s->distance) {
        s->distance = mistakes;
        s->best = word;
    }
}

suggest_text suggest_hint_with(const suggestion *s, const char *before) {
    suggest_text hint;
    writer w = writer_on(hint.shown, sizeof hint.shown);
    if (s->best)
        write_format(&w, "; did you mean %s%s?", before, s->best);
    return hint;
}

suggest_text suggest_hint(const suggestion *s) { return suggest_hint_with(s, ""); }
