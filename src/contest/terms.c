#include "contest/terms.h"

#include <stdlib.h>

enum { ELO0, ELO1, ALPHA, BETA, NORMALISED, TERMS };

// Infinite bounds would leave nothing to test, and so would errors of nothing or of a half.
static const struct {
    const char *name, *range;
} terms[TERMS] = {[ELO0] = {"elo0", "a number from -1000 to 1000"},
                  [ELO1] = {"elo1", "a number from -1000 to 1000"},
                  [ALPHA] = {"alpha", "a number between 0 and 0.5"},
                  [BETA] = {"beta", "a number between 0 and 0.5"},
                  [NORMALISED] = {"normalised", "0 or 1"}};

// False for what is not a number: no comparison with it holds.
static bool is_in_range(int term, double value) {
    if (term == ELO0 || term == ELO1)
        return value >= -SPRT_MOST_ELO && value <= SPRT_MOST_ELO;
    if (term == ALPHA || term == BETA)
        return value > 0 && value < 0.5;
    return value == 0 || value == 1;
}

static bool read_term(text part, double values[TERMS], fault *why) {
    size_t equals = text_find(part, "=");
    text key = {part.at, equals}, given = text_skip(part, equals + 1);
    int i = 0;
    while (i < TERMS && !text_is(key, terms[i].name))
        i++;
    if (i == TERMS)
        return fault_set(why, "no term %s (elo0, elo1, alpha, beta, normalised)",
                         fault_quote(key).shown);
    char number[64], *end;
    writer w = writer_on(number, sizeof number);
    write_text(&w, given);
    double value = strtod(number, &end);
    if (end == number || *end || w.overflow || !is_in_range(i, value))
        return fault_set(why, "%s takes %s, not %s", terms[i].name, terms[i].range,
                         fault_quote(given).shown);
    values[i] = value;
    return true;
}

bool contest_sprt_parse(text spec, contest_sprt *test, fault *why) {
    double values[TERMS] = {[ELO0] = 0, [ELO1] = 5, [ALPHA] = 0.05, [BETA] = 0.05};
    while (spec.len) {
        size_t comma = text_find(spec, ",");
        if (!read_term((text){spec.at, comma}, values, why))
            return false;
        spec = text_skip(spec, comma + 1);
    }
    if (values[ELO0] >= values[ELO1])
        return fault_set(why, "elo0 must be below elo1");
    *test = (contest_sprt){values[ELO0], values[ELO1], values[ALPHA], values[BETA],
                           values[NORMALISED] != 0};
    return true;
}
