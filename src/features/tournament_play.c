// What moves a tournament on: games that begin, results, corrections.
#include "features/tournament.h"

// Pairings drawn in one turn; the last one then waits for the next second. Where somebody has
// withdrawn from a long tournament, all others would wait for it.
enum { MOST_DRAWN = 1000 };

static bool has_room(const tournament *t) {
    return t->row.concurrency == 0 || t->pairings_now[PAIRING_LIVE] < t->row.concurrency;
}

// --- beginning ----------------------------------------------------------------------------------

static bool terms_of(tournament *t, const stored_pairing *p, game_terms *terms, fault *why) {
    *terms = (game_terms){.rules = rules_find(text_of(t->row.game)), .rated = t->row.rated};
    return terms->rules && rules_set_parse(terms->rules, text_of(t->row.rules), &terms->set, why) &&
           referee_control_parse(text_of(t->row.control), &terms->control, why) &&
           tournament_opening(t, p->opening, terms->fen, why);
}

static bool begin_game(tournament *t, int i, fault *why) {
    const stored_pairing *p = &t->pairings[i];
    server *srv = t->server;
    game_terms terms;
    fault unrated;
    const game *g = NULL;
    member *a = member_get(srv, t->entrants[p->first].player);
    member *b = member_get(srv, t->entrants[p->second].player);
    if (a && b && terms_of(t, p, &terms, why)) {
        terms.rated = terms.rated && member_may_play_rated(a, b, &unrated);
        g = game_begin(srv, &terms, a, b, t->row.id, p->round + 1, why);
    }
    if (g)
        tournament_set_pairing(t, i, g->row.id, -1);
    member_release(a);
    member_release(b);
    return g != NULL;
}

// Keeps a result in the schedule and in the store. One that comes after another is logged: only
// what was drawn later saw it.
static void set_result(tournament *t, int i, int64_t played, int half_points) {
    const stored_pairing *p = &t->pairings[i];
    bool is_later = p->half_points >= 0;
    for (int j = 0; j < t->log_count && !is_later; j++)
        is_later = t->log[j].kind == LOG_RESULT && t->log[j].subject == p->number;
    if (is_later)
        tournament_log(t, LOG_RESULT, p->number, p->half_points, half_points);
    schedule_correct(t->schedule, (uint32_t)p->number, half_points);
    tournament_set_pairing(t, i, played, half_points);
}

// Begins an open pairing, or decides it where somebody has withdrawn. False: not now.
static bool begin_pairing(tournament *t, int i) {
    const stored_pairing *p = &t->pairings[i];
    bool gone[2] = {t->entrants[p->first].has_withdrawn, t->entrants[p->second].has_withdrawn};
    fault why;
    if (!gone[0] && !gone[1])
        return begin_game(t, i, &why);
    set_result(t, i, 0, gone[0] && gone[1] ? SCHEDULE_BOTH_LOST : gone[0] ? 0 : 2);
    return true;
}

// Begins open pairings while there is room. True where none is left and there is room still.
static bool begin_open(tournament *t) {
    for (; t->open_from < t->pairing_count && t->pairings_now[PAIRING_OPEN] > 0; t->open_from++)
        if (tournament_pairing_state(&t->pairings[t->open_from]) == PAIRING_OPEN &&
            (!has_room(t) || !begin_pairing(t, t->open_from)))
            return false; // tried again when a game ends, or in a second
    return has_room(t);
}

// --- going on -----------------------------------------------------------------------------------

// The next pairing; a whole round of it where results decide the next.
static schedule_status draw(tournament *t) {
    bool by_round = t->row.kind == SCHEDULE_SWISS || t->row.kind == SCHEDULE_KNOCKOUT;
    schedule_status status = SCHEDULE_WAIT, drawn = SCHEDULE_WAIT;
    schedule_game g;
    do {
        if (!tournament_reserve(t))
            break;
        status = schedule_next(t->schedule, &g);
        if (status != SCHEDULE_GAME)
            break;
        tournament_add_pairing(t, &g);
        drawn = SCHEDULE_GAME;
    } while (by_round);
    return drawn == SCHEDULE_GAME ? SCHEDULE_GAME : status;
}

// Whether the test between two has spoken. What it said stays, whatever the games under way bring.
static bool is_decided(tournament *t) {
    if (!t->row.sprt[0] || t->row.verdict != SPRT_RUNNING)
        return t->row.verdict != SPRT_RUNNING;
    contest_score judged;
    t->row.verdict = (int)tournament_judge(t, &judged);
    if (t->row.verdict != SPRT_RUNNING)
        store_set_tournament(t->server->store, &t->row);
    return t->row.verdict != SPRT_RUNNING;
}

void tournament_go_on(tournament *t) {
    schedule_status status = SCHEDULE_GAME;
    if (t->server->is_full)
        return; // in a second, when there is room
    bool decided = is_decided(t);
    int drawn = 0;
    while (t->row.state == TOURNAMENT_RUNNING && !decided && status == SCHEDULE_GAME &&
           drawn++ < MOST_DRAWN && begin_open(t))
        status = draw(t);
    bool done = decided || (status == SCHEDULE_END && t->pairings_now[PAIRING_OPEN] == 0);
    if (done && t->pairings_now[PAIRING_LIVE] == 0 && t->row.state == TOURNAMENT_RUNNING) {
        schedule_finish(t->schedule);
        tournament_set_state(t, TOURNAMENT_OVER);
    }
    if (t->has_news)
        turns_want(&t->server->turns);
    tournament_tell(t);
    if (!tournament_is_running(t))
        tournament_forget(t);
}

// --- results ------------------------------------------------------------------------------------

static int pairing_of(const tournament *t, int64_t played) {
    for (int i = t->pairing_count - 1; i >= 0; i--)
        if (t->pairings[i].game == played)
            return i;
    return -1;
}

// Half points of `first`; -1: no result, so that it is played again.
static int half_points_of(const stored_game *row) {
    switch (row->outcome) {
    case RULES_FIRST_WINS:
        return 2;
    case RULES_SECOND_WINS:
        return 0;
    case RULES_DRAW:
        return 1;
    default:
        return -1;
    }
}

void tournaments_on_result(server *srv, const stored_game *row) {
    tournament *t = row->tournament ? tournament_running(srv, row->tournament) : NULL;
    int i = t ? pairing_of(t, row->id) : -1;
    if (i < 0 || t->pairings[i].half_points >= 0)
        return;
    int half_points = half_points_of(row);
    if (half_points >= 0)
        set_result(t, i, row->id, half_points);
    else
        tournament_set_pairing(t, i, 0, -1);
    if (!t->is_deciding)
        tournament_go_on(t);
}

void tournaments_on_corrected(server *srv, const stored_game *row, int before) {
    (void)before;
    tournament *t = row->tournament ? tournament_get(srv, row->tournament) : NULL;
    int i = t ? pairing_of(t, row->id) : -1;
    int half_points = half_points_of(row);
    if (i < 0 || t->pairings[i].half_points < 0 || t->pairings[i].half_points == half_points) {
        tournament_release(t);
        return;
    }
    bool runs = tournament_is_running(t);
    if (half_points < 0 && !runs)
        half_points = SCHEDULE_BOTH_LOST; // too late to play it again
    set_result(t, i, half_points < 0 ? 0 : row->id, half_points);
    if (runs) {
        tournament_go_on(t);
    } else {
        tournament_tell(t);
        tournament_release(t);
    }
}

// --- taking up ----------------------------------------------------------------------------------

// One after the other, from the latest back: a callback of the store may not write.
static void take_number(void *context, const stored_tournament *t) { *(int64_t *)context = t->id; }

// Games that ended without the tournament's hearing of it: as they were taken up, by other rules.
static void reconcile(tournament *t) {
    for (int i = 0; i < t->pairing_count; i++) {
        const stored_pairing *p = &t->pairings[i];
        stored_game row;
        if (tournament_pairing_state(p) != PAIRING_LIVE ||
            !store_find_game(t->server->store, p->game, &row) || !row.ended)
            continue;
        int half_points = half_points_of(&row);
        if (half_points >= 0)
            set_result(t, i, row.id, half_points);
        else
            tournament_set_pairing(t, i, 0, -1);
    }
}

void tournaments_recover(server *srv) {
    for (int64_t id = INT64_MAX, last; id > 0; id = last) {
        last = 0;
        store_each_tournament(srv->store, id, 1, true, take_number, &last);
        tournament *t = last ? tournament_get(srv, last) : NULL;
        if (last && (!t || !tournament_set_running(t))) {
            server_log("tournament %lld cannot be taken up; it stays as it is", (long long)last);
            tournament_release(t);
        } else if (t) {
            reconcile(t);
            tournament_go_on(t);
        }
    }
}
