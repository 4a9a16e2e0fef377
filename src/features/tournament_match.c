// Where games of a tournament start from, and the test between two players.
#include "features/tournament.h"

#include "contest/stats.h"

#include <stdio.h>
#include <stdlib.h>

// --- openings -----------------------------------------------------------------------------------

// Lines out of a list separated by commas.
static void cut_into_lines(char *list, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (list[i] == ',')
            list[i] = '\n';
}

// The openings of a list (which it may change), in its order. NULL with the reason.
static openings *read_list(const rules_game *rules, char *list, size_t len, fault *why) {
    openings_choice choice = {.plies = -1};
    cut_into_lines(list, len);
    return openings_load(rules, (text){list, len}, &choice, why);
}

static bool check_openings(const rules_game *rules, openings *book, fault *why) {
    _Alignas(16) char memory[8192];
    rules_set set = rules_default_set(rules);
    if (rules_state_size(1) > sizeof memory)
        return fault_set(why, "openings: no room");
    rules_state *s = rules_state_new(memory, rules, &set, 1);
    for (uint32_t i = 0; i < openings_count(book); i++) {
        char fen[RULES_FEN_SIZE];
        if (!openings_fen(book, i, fen) || !rules_set_fen(s, text_of(fen), why))
            return false;
        if (rules_result(s).outcome != RULES_ONGOING)
            return fault_set(why, "openings: number %u is over already", (unsigned)i + 1);
    }
    return true;
}

static bool read_openings(text given, const rules_game *rules, stored_tournament *t, text *list,
                          fault *why) {
    writer w = writer_on(t->openings, sizeof t->openings);
    int64_t seed = (int64_t)(t->created & 0xffffff);
    if (given.len == 0)
        return true;
    if (text_is(given, "random") || text_starts(given, "random:")) {
        if (given.len > 6 && !text_to_int(text_skip(given, 7), 0, INT64_MAX / 2, &seed))
            return fault_set(why, "openings: random, random:SEED, or FENs separated by commas");
        write_format(&w, "random:%lld", (long long)seed);
        return true;
    }
    char *copy = malloc(given.len);
    if (!copy)
        return fault_set(why, "out of memory");
    memcpy(copy, given.at, given.len);
    fault cause = {""};
    openings *book = read_list(rules, copy, given.len, &cause);
    bool good = book && check_openings(rules, book, &cause);
    openings_free(book);
    free(copy);
    write_string(&w, OPENING_LIST);
    *list = given;
    return good || fault_set(why, "openings: %.200s", cause.line);
}

static openings *make_book(tournament *t, fault *why) {
    const rules_game *rules = rules_find(text_of(t->row.game));
    openings_choice choice = {.plies = -1};
    int64_t seed = 0;
    size_t len;
    if (text_starts(text_of(t->row.openings), "random:")) {
        if (text_to_int(text_skip(text_of(t->row.openings), 7), 0, INT64_MAX, &seed))
            choice.seed = (uint64_t)seed;
        return openings_new(rules, &choice);
    }
    char *list = store_openings(t->server->store, t->row.id, &len);
    openings *book = list ? read_list(rules, list, len, why) : NULL;
    free(list);
    return book;
}

bool tournament_opening(tournament *t, int number, char fen[RULES_FEN_SIZE], fault *why) {
    fen[0] = '\0';
    if (!t->row.openings[0])
        return true;
    if (!t->book)
        t->book = make_book(t, why);
    return (t->book && openings_fen(t->book, (uint32_t)number, fen)) ||
           fault_set(why, "the openings cannot be read");
}

// --- the test -----------------------------------------------------------------------------------

contest_sprt tournament_test(const stored_tournament *t) {
    contest_sprt test = {0, 5, 0.05, 0.05, false};
    fault why;
    (void)!contest_sprt_parse(text_of(t->sprt), &test, &why); // it was read when it was stored
    return test;
}

bool tournament_read_match(const request *r, const rules_game *rules, stored_tournament *t,
                           text *list, fault *why) {
    *list = (text){"", 0};
    contest_sprt test;
    text spec = request_text(r, "sprt");
    if (!read_openings(request_text(r, "openings"), rules, t, list, why))
        return false;
    if (spec.len == 0)
        return true;
    if (t->kind != SCHEDULE_ROUND_ROBIN)
        return fault_set(why, "sprt: a round robin of two");
    fault cause;
    if (!contest_sprt_parse(spec, &test, &cause))
        return fault_set(why, "sprt: %.200s", cause.line);
    writer w = writer_on(t->sprt, sizeof t->sprt);
    write_format(&w, "elo0=%g,elo1=%g,alpha=%g,beta=%g", test.elo0, test.elo1, test.alpha,
                 test.beta);
    if (test.normalised)
        write_string(&w, ",normalised=1");
    return true;
}

// Half points of the first entrant; -1: nothing to count.
static int points_of_first(const stored_pairing *p) {
    if (p->half_points < 0 || p->half_points > 2)
        return -1;
    return p->first == 0 ? p->half_points : 2 - p->half_points;
}

static void add_pairing(const tournament *t, int i, contest_score *score) {
    const stored_pairing *p = &t->pairings[i];
    int points = points_of_first(p);
    if (points < 0)
        return;
    contest_add_game(score, points);
    int before = i > 0 && p[-1].opening == p->opening ? points_of_first(&p[-1]) : -1;
    if (before >= 0)
        contest_add_pair(score, points + before);
}

contest_score tournament_score(const tournament *t) {
    contest_score score = {0};
    for (int i = 0; i < t->pairing_count; i++)
        add_pairing(t, i, &score);
    return score;
}

contest_sprt_verdict tournament_judge(const tournament *t, contest_score *judged) {
    contest_sprt test = tournament_test(&t->row);
    contest_sprt_verdict verdict = SPRT_RUNNING;
    *judged = (contest_score){0};
    for (int i = 0; i < t->pairing_count && verdict == SPRT_RUNNING; i++) {
        if (tournament_pairing_state(&t->pairings[i]) != PAIRING_PLAYED)
            break;
        add_pairing(t, i, judged);
        bool ends_pair = i % 2 || t->row.games % 2;
        if (ends_pair)
            verdict = contest_sprt_judge(&test, judged);
    }
    return verdict;
}
