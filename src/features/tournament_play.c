// What moves a tournament on: who enters and withdraws, its start, games that begin, results,
// corrections, its end.
#include "features/rating.h"
#include "features/tournament.h"
#include "server/account.h"
#include "server/background.h"

#include <stdlib.h>

// Pairings drawn in one turn; the rest follow in the next. Without this limit, somebody who
// withdraws from a long tournament would block the loop. Small Swiss rounds are drawn without a
// job.
// LOOK_AHEAD: pairings a player that are drawn while they cannot begin yet.
enum { MOST_DRAWN = 1000, DRAWN_AT_ONCE = 32, LOOK_AHEAD = 4 };

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

// Keeps a result in the schedule and in the store. A changed result is logged, because pairings
// drawn before the change were drawn with the old one.
static void set_result(tournament *t, int i, int64_t played, int half_points) {
    const stored_pairing *p = &t->pairings[i];
    bool is_later = p->half_points >= 0;
    for (int j = 0; j < t->log_count && !is_later; j++)
        is_later = t->log[j].kind == LOG_RESULT && t->log[j].subject == p->number;
    if (is_later)
        tournament_log(t, LOG_RESULT, p->number, p->half_points, half_points);
    schedule_correct(t->schedule, (uint32_t)p->number, half_points);
    t->changes++;
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

// Whether one of its players plays as many games as it may.
static bool is_waiting(const tournament *t, const stored_pairing *p) {
    return t->row.per_player && (t->entrants[p->first].live >= t->row.per_player ||
                                 t->entrants[p->second].live >= t->row.per_player);
}

// Begins open pairings while there is room. True where another one could begin if it were drawn:
// players who are free may find each other further down the schedule.
static bool begin_open(tournament *t) {
    for (int i = t->open_from; i < t->pairing_count && t->pairings_now[PAIRING_OPEN] > 0; i++) {
        if (tournament_pairing_state(&t->pairings[i]) == PAIRING_OPEN) {
            t->wants_more = tournament_is_spent(t);
            if (t->wants_more || !has_room(t))
                return false; // tried again when a game ends, or in a second
            if (!is_waiting(t, &t->pairings[i]) && !begin_pairing(t, i))
                return false;
        }
        if (i == t->open_from && tournament_pairing_state(&t->pairings[i]) != PAIRING_OPEN)
            t->open_from++;
    }
    return has_room(t) && t->pairings_now[PAIRING_OPEN] < LOOK_AHEAD * t->count;
}

// --- going on -----------------------------------------------------------------------------------

// A round being drawn by a job: on a copy of the schedule, which takes the schedule's place unless
// something has changed meanwhile.
typedef struct {
    background_job job;
    int64_t tournament;
    uint64_t changes;
    schedule *copy;
} drawing;

static void run_drawing(background_job *job) { schedule_draw(((drawing *)job)->copy); }

static void after_drawing(background_job *job) {
    drawing *d = (drawing *)job;
    server *srv = d->job.server;
    tournament *t = srv->stopping ? NULL : tournament_running(srv, d->tournament);
    if (t && t->is_drawing && t->changes == d->changes) {
        schedule_free(t->schedule);
        t->schedule = d->copy;
        d->copy = NULL;
    }
    schedule_free(d->copy);
    free(d);
    if (!t || !t->is_drawing)
        return;
    t->is_drawing = false;
    tournament_go_on(t);
}

// False: it is drawn at once instead.
static bool draw_later(tournament *t) {
    drawing *d = t->count > DRAWN_AT_ONCE ? calloc(1, sizeof *d) : NULL;
    if (!d)
        return false;
    *d = (drawing){.job = {.queue = BACKGROUND_DRAWS, .run = run_drawing, .after = after_drawing},
                   .tournament = t->row.id,
                   .changes = t->changes,
                   .copy = schedule_copy(t->schedule)};
    t->is_drawing = d->copy && background_start(t->server, &d->job);
    if (t->is_drawing)
        return true;
    schedule_free(d->copy);
    free(d);
    return false;
}

// The next pairing; a whole round of it where results decide the next.
static schedule_status draw(tournament *t) {
    bool by_round = t->row.kind == SCHEDULE_SWISS || t->row.kind == SCHEDULE_KNOCKOUT;
    schedule_status status = SCHEDULE_WAIT, drawn = SCHEDULE_WAIT;
    schedule_game g;
    if (schedule_is_about_to_draw(t->schedule) && draw_later(t))
        return SCHEDULE_WAIT;
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

// Whether the SPRT has a verdict. The verdict stays, whatever the games under way bring.
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
    if (t->server->is_full || t->is_drawing || t->task == TASK_VOID)
        return; // in a second, when there is room; when the round is drawn; called off
    tournament_begin_slice(t);
    t->wants_more = false;
    bool decided = is_decided(t);
    int drawn = 0;
    while (t->row.state == TOURNAMENT_RUNNING && !decided && status == SCHEDULE_GAME &&
           drawn++ < MOST_DRAWN && begin_open(t))
        status = draw(t);
    if (t->wants_more || drawn > MOST_DRAWN) {
        t->wants_more = true;
        tournament_want_work(t);
    }
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
    if (i < 0 || t->pairings[i].half_points >= 0 || t->task == TASK_VOID)
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

// --- what players and directors do -------------------------------------------------------------

int tournament_number_of(const tournament *t, int64_t player) {
    for (int i = 0; i < t->count; i++)
        if (t->entrants[i].player == player)
            return i;
    return -1;
}

// In a rated tournament everybody may meet everybody in a rated game.
static bool fits_in(const tournament *t, const member *m, fault *why) {
    bool good = true;
    if (t->row.rated && m->kind == PLAYER_GUEST)
        return fault_set(why, "guests play unrated games");
    for (int i = 0; good && t->row.rated && i < t->count; i++) {
        member *other = member_get(t->server, t->entrants[i].player);
        good = other ? member_may_play_rated(m, other, why) : fault_set(why, "out of memory");
        member_release(other);
    }
    return good;
}

bool tournament_enter(tournament *t, const member *m, fault *why) {
    if (t->row.state != TOURNAMENT_OPEN)
        return fault_set(why, "it has begun");
    if (tournament_number_of(t, m->id) >= 0)
        return fault_set(why, "%s has entered already", m->name);
    if (t->count == (t->row.sprt[0] ? 2 : TOURNAMENT_PLAYERS))
        return fault_set(why, "it is full");
    if (!fits_in(t, m, why))
        return false;
    stored_entrant e = {.number = t->count, .player = m->id};
    store_add_entrant(t->server->store, t->row.id, &e);
    tournament_put_entrant(t, &e);
    tournament_note_change(t);
    tournament_tell(t);
    return true;
}

static void remove_entrant(tournament *t, int number) {
    store_clear_entrants(t->server->store, t->row.id);
    for (int i = number; i + 1 < t->count; i++)
        t->entrants[i] = t->entrants[i + 1];
    t->count--;
    for (int i = 0; i < t->count; i++) {
        stored_entrant e = {.number = i, .player = t->entrants[i].player};
        store_add_entrant(t->server->store, t->row.id, &e);
    }
    tournament_note_change(t);
    tournament_tell(t);
}

bool tournament_withdraw(tournament *t, const member *m, fault *why) {
    int number = tournament_number_of(t, m->id);
    if (number < 0 || t->entrants[number].has_withdrawn || t->row.ended)
        return fault_set(why, "%s does not take part", m->name);
    if (t->row.state == TOURNAMENT_OPEN) {
        remove_entrant(t, number);
        return true;
    }
    server *srv = t->server;
    t->entrants[number].has_withdrawn = true;
    tournament_note_change(t);
    store_withdraw_entrant(srv->store, t->row.id, number, server_wall());
    tournament_log(t, LOG_WITHDRAWN, number, 0, 0);
    schedule_withdraw(t->schedule, number);
    t->changes++;
    t->is_deciding = true;
    for (int i = 0; i < t->pairing_count; i++) {
        const stored_pairing p = t->pairings[i];
        bool is_its = p.first == number || p.second == number;
        game *g =
            is_its && tournament_pairing_state(&p) == PAIRING_LIVE ? game_find(srv, p.game) : NULL;
        if (g)
            game_decide(g, p.second == number, "withdrew from the tournament");
    }
    t->is_deciding = false;
    tournament_go_on(t);
    return true;
}

static int by_rating(const void *a, const void *b) {
    const stored_rating *x = a, *y = b;
    return x->rating != y->rating ? (x->rating < y->rating) - (x->rating > y->rating)
                                  : (x->player > y->player) - (x->player < y->player);
}

// The best first: Swiss and knockout keep them apart. In a gauntlet the first to enter meets all,
// and in a test between two the first is who is tested.
static void place_entrants(tournament *t) {
    server *srv = t->server;
    stored_rating order[TOURNAMENT_PLAYERS];
    for (int i = 0; i < t->count; i++)
        order[i] = rating_of(srv, t->entrants[i].player, t->row.game);
    if (t->row.kind != SCHEDULE_GAUNTLET && !t->row.sprt[0])
        qsort(order, (size_t)t->count, sizeof order[0], by_rating);
    store_clear_entrants(srv->store, t->row.id);
    int count = t->count;
    t->count = 0;
    for (int i = 0; i < count; i++) {
        stored_entrant e = {.number = i, .player = order[i].player};
        store_add_entrant(srv->store, t->row.id, &e);
        tournament_put_entrant(t, &e);
    }
}

// Who was banned or has closed its account since it entered, and programs of such.
static void remove_gone(tournament *t) {
    for (int i = t->count - 1; i >= 0; i--) {
        member *m = member_get(t->server, t->entrants[i].player);
        if (!m || account_is_shut_out(m))
            remove_entrant(t, i);
        member_release(m);
    }
}

bool tournament_start(tournament *t, fault *why) {
    if (t->row.state != TOURNAMENT_OPEN)
        return fault_set(why, "it has begun");
    remove_gone(t);
    if (t->count < 2)
        return fault_set(why, "nobody to play against has entered");
    if (!tournament_make_schedule(t, why))
        return false;
    if (!tournament_set_running(t))
        return fault_set(why, "out of memory");
    place_entrants(t);
    t->row.started = server_wall();
    tournament_set_state(t, TOURNAMENT_RUNNING);
    tournament_go_on(t);
    return true;
}

static void do_task(tournament *t, game *g) {
    if (t->task == TASK_VOID)
        game_void(g, "the tournament was called off");
    else
        game_hold_clock(g, HOLD_TOURNAMENT, t->task == TASK_HOLD);
}

// Goes through the pairings until the slice is used up. False: there are no more.
static bool go_on_with_task(tournament *t) {
    tournament_begin_slice(t);
    for (; t->task_at < t->pairing_count; t->task_at++) {
        if (tournament_is_spent(t))
            return true;
        const stored_pairing *p = &t->pairings[t->task_at];
        game *g = p->half_points < 0 && p->game ? game_find(t->server, p->game) : NULL;
        if (g && !game_is_over(g))
            do_task(t, g);
    }
    return false;
}

void tournament_work(tournament *t) {
    if (t->task != TASK_NONE) {
        if (go_on_with_task(t)) {
            tournament_want_work(t);
        } else if (t->task == TASK_VOID) {
            tournament_forget(t);
            return;
        } else {
            t->task = TASK_NONE;
        }
    }
    if (t->wants_more && t->task != TASK_VOID)
        tournament_go_on(t);
}

void tournament_set_task(tournament *t, tournament_task task) {
    t->task = task;
    t->task_at = 0;
    tournament_want_work(t);
}

bool tournament_pause(tournament *t, bool pause, fault *why) {
    if (!tournament_is_running(t))
        return fault_set(why, "it is not being played");
    tournament_set_state(t, pause ? TOURNAMENT_PAUSED : TOURNAMENT_RUNNING);
    tournament_set_task(t, pause ? TASK_HOLD : TASK_RELEASE);
    tournament_go_on(t);
    return true;
}

bool tournament_call_off(tournament *t, fault *why) {
    server *srv = t->server;
    if (t->row.ended)
        return fault_set(why, "it is over");
    bool ran = tournament_running(srv, t->row.id) == t;
    tournament_set_state(t, TOURNAMENT_CALLED_OFF);
    tournament_tell(t);
    if (!ran)
        return true;
    tournament_set_task(t, TASK_VOID); // its games no longer report to it
    return true;
}

// --- taking up ----------------------------------------------------------------------------------

// Loads one at a time, newest first, because a callback of the store may not write.
static void take_number(void *context, const stored_tournament *t) { *(int64_t *)context = t->id; }

// Results of games that ended during recovery, before the tournament was loaded.
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
            log_write(LEVEL_WARNING, "tournament %lld cannot be taken up; it stays as it is",
                      (long long)last);
            tournament_release(t);
        } else if (t) {
            reconcile(t);
            bool is_paused = t->row.state == TOURNAMENT_PAUSED; // a pause takes many turns
            tournament_set_task(t, is_paused ? TASK_HOLD : TASK_RELEASE);
            tournament_go_on(t);
        }
    }
}
