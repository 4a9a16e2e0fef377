// kraton sprt: the likelihood ratio, the verdict and the strength that counts of results show.
#include "cli/cli.h"
#include "contest/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_COUNT = 1000000000 }; // in one place of --pairs or --games

typedef struct {
    const char *pairs, *games, *bounds, *model, *alpha, *beta;
} sprt_options;

static text next_part(text *rest) {
    size_t comma = text_find(*rest, ",");
    text part = text_trim((text){rest->at, comma});
    *rest = text_skip(*rest, comma + 1);
    return part;
}

// Exactly `n` counts joined by commas.
static bool read_counts(const char *name, const char *value, int n, int64_t *counts) {
    text rest = text_of(value);
    int commas = 0;
    for (const char *at = value; *at; at++)
        commas += *at == ',';
    bool good = commas == n - 1;
    for (int i = 0; good && i < n; i++)
        good = text_to_int(next_part(&rest), 0, MOST_COUNT, &counts[i]);
    if (!good)
        complain("kraton sprt: --%s takes %d counts from 0 to %d joined by commas, not %s", name, n,
                 MOST_COUNT, fault_quote(text_of(value)).shown);
    return good;
}

static bool read_double(text word, double *number) {
    char copy[64], *end;
    writer w = writer_on(copy, sizeof copy);
    write_text(&w, word);
    *number = strtod(copy, &end);
    return word.len && !w.overflow && end == copy + word.len && isfinite(*number);
}

static bool read_bounds(const char *value, contest_sprt *test) {
    text rest = text_of(value);
    text first = next_part(&rest);
    if (read_double(first, &test->elo0) && read_double(text_trim(rest), &test->elo1) &&
        test->elo0 < test->elo1 && test->elo0 >= -SPRT_MOST_ELO && test->elo1 <= SPRT_MOST_ELO)
        return true;
    complain("kraton sprt: --bounds takes ELO0,ELO1 from -%d to %d, the lower one first, not %s",
             SPRT_MOST_ELO, SPRT_MOST_ELO, fault_quote(text_of(value)).shown);
    return false;
}

static bool read_error_rate(const char *name, const char *value, double *rate) {
    if (!value || (read_double(text_of(value), rate) && *rate > 0 && *rate < 0.5))
        return true;
    complain("kraton sprt: --%s takes a number between 0 and 0.5, not %s", name,
             fault_quote(text_of(value)).shown);
    return false;
}

static bool read_model(const char *value, contest_sprt *test) {
    return !value || contest_sprt_model(text_of(value), test); // the table has the words
}

static bool read_score(const sprt_options *o, contest_score *score) {
    int64_t games[3];
    if (o->pairs)
        return read_counts("pairs", o->pairs, 5, score->pairs);
    if (!read_counts("games", o->games, 3, games))
        return false;
    score->wins = games[0];
    score->draws = games[1];
    score->losses = games[2];
    return true;
}

// `-` if the results say nothing: there are none, or every game went one way. Without an error if
// the interval has no end, or all came out the same.
static void print_elo(const char *name, double elo, double error) {
    if (!isfinite(elo))
        printf("%s: -\n", name);
    else if (!isfinite(error))
        printf("%s: %.2f\n", name, elo + 0.0); // 0.0: no sign for a zero
    else
        printf("%s: %.2f +- %.2f\n", name, elo + 0.0, error);
}

static void print_figures(const contest_sprt *test, const contest_score *score) {
    double lower, upper;
    contest_sprt_bounds(test, &lower, &upper);
    contest_estimate e = contest_estimate_of(score);
    contest_sprt_verdict verdict = contest_sprt_judge(test, score);
    printf("llr: %.4f\n", contest_llr(test, score));
    printf("bounds: %.4f %.4f\n", lower, upper);
    printf("verdict: %s\n", verdict == SPRT_ACCEPTED_H1   ? "H1 accepted"
                            : verdict == SPRT_ACCEPTED_H0 ? "H0 accepted"
                                                          : "running");
    print_elo("elo", e.elo, e.elo_error);
    print_elo("nelo", e.nelo, e.nelo_error);
    if (isnan(e.los))
        printf("los: -\n");
    else
        printf("los: %.4f\n", e.los);
}

int cmd_sprt(const command *self, int argc, char **argv) {
    sprt_options o = {0};
    const option table[] = {
        {"pairs", 0, "P0,P1,P2,P3,P4", "pairs of games with 0 to 4 half points",
         .string = &o.pairs},
        {"games", 0, "W,D,L", "or single games: won, drawn, lost", .string = &o.games},
        {"bounds", 0, "ELO0,ELO1", "the two hypotheses (0,5)", .string = &o.bounds},
        {"model", 0, "logistic|normalised|normalized", "the Elo of the bounds (logistic)",
         .string = &o.model},
        {"alpha", 0, "P", "chance to accept H1 wrongly (0.05)", .string = &o.alpha},
        {"beta", 0, "P", "chance to accept H0 wrongly (0.05)", .string = &o.beta},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!o.pairs == !o.games)
        return misuse("kraton sprt: it takes either --pairs or --games (kraton help sprt)");
    contest_sprt test = {0, 5, 0.05, 0.05, false};
    contest_score score = {0};
    if (!read_score(&o, &score) || (o.bounds && !read_bounds(o.bounds, &test)) ||
        !read_model(o.model, &test) || !read_error_rate("alpha", o.alpha, &test.alpha) ||
        !read_error_rate("beta", o.beta, &test.beta))
        return STATUS_USAGE;
    print_figures(&test, &score);
    return STATUS_OK;
}
