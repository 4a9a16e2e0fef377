#include "server/tournament.h"

#include "server/rating.h"

#include <stdlib.h>

struct tournaments {
    table running; // by number
};

tournaments *tournaments_new(world *w) {
    (void)w;
    return calloc(1, sizeof(tournaments));
}

static void free_one(tournament *t) {
    schedule_free(t->schedule);
    free(t->pairings);
    free(t);
}

void tournaments_free(tournaments *all) {
    uint32_t at = 0;
    for (tournament *t; all && (t = table_next(&all->running, &at));)
        free_one(t);
    if (all)
        table_free(&all->running);
    free(all);
}

static bool is_running(const tournament *t) {
    return t->row.state == TOURNAMENT_RUNNING || t->row.state == TOURNAMENT_PAUSED;
}

// --- reading ------------------------------------------------------------------------------------

static void take_entrant(void *context, const stored_entrant *e) {
    tournament *t = context;
    stored_player p;
    if (t->count == TOURNAMENT_PLAYERS)
        return;
    t->entrants[t->count].player = e->player;
    t->entrants[t->count].has_withdrawn = e->has_withdrawn;
    writer w = writer_on(t->entrants[t->count].name, PLAYER_NAME_SIZE);
    if (store_find_player(t->world->store, e->player, &p))
        write_string(&w, p.name);
    t->count++;
}

static bool add_pairing(tournament *t, const stored_pairing *p) {
    if (t->pairing_count == t->pairing_capacity) {
        int capacity = t->pairing_capacity ? 2 * t->pairing_capacity : 64;
        stored_pairing *grown = realloc(t->pairings, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        t->pairings = grown;
        t->pairing_capacity = capacity;
    }
    t->pairings[t->pairing_count++] = *p;
    return true;
}

static void take_pairing(void *context, const stored_pairing *p) {
    if (!add_pairing(context, p))
        world_log("out of memory");
}

static bool make_schedule(tournament *t, fault *why) {
    schedule_rules rules = {.kind = (schedule_kind)t->row.kind,
                            .players = t->count,
                            .rounds = t->row.rounds,
                            .games = t->row.games};
    schedule_free(t->schedule);
    t->schedule = schedule_new(&rules);
    return t->schedule || fault_set(why, "such a tournament cannot be played");
}

// Goes through the schedule as it was gone through before.
static bool replay(tournament *t, fault *why) {
    if (!make_schedule(t, why))
        return false;
    for (int i = 0; i < t->pairing_count; i++) {
        const stored_pairing *p = &t->pairings[i];
        schedule_game g;
        if (schedule_next(t->schedule, &g) != SCHEDULE_GAME || (int)g.index != p->number ||
            g.first != p->first || g.second != p->second)
            return fault_set(why, "tournament %lld does not follow its schedule",
                             (long long)t->row.id);
        if (p->half_points >= 0)
            schedule_report(t->schedule, g.index, p->half_points);
        else
            t->live++;
    }
    return true;
}

tournament *tournament_get(world *w, int64_t id) {
    tournament *t = table_find(&w->tournaments->running, id);
    if (t)
        return t;
    fault why;
    t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->world = w;
    bool good = store_find_tournament(w->store, id, &t->row);
    if (good) {
        store_each_entrant(w->store, id, take_entrant, t);
        store_each_pairing(w->store, id, take_pairing, t);
        if (t->row.started)
            good = replay(t, &why);
    }
    if (good)
        return t;
    free_one(t);
    return NULL;
}

void tournament_release(tournament *t) {
    if (t && table_find(&t->world->tournaments->running, t->row.id) != t)
        free_one(t);
}

// --- playing ------------------------------------------------------------------------------------

// Whoever watches the lobby hears how it goes.
static void tell(tournament *t) {
    static const char *const states[] = {"open", "running", "paused", "over", "called off"};
    world *w = t->world;
    int played = 0;
    for (int i = 0; i < t->pairing_count; i++)
        played += t->pairings[i].half_points >= 0;
    message *m = world_message(w, "tournament");
    message_number(m, "id", t->row.id);
    message_string(m, "name", t->row.name);
    message_string(m, "state", states[t->row.state]);
    message_number(m, "players", t->count);
    message_number(m, "played", played);
    message_number(m, "live", t->live);
    if (t->schedule)
        message_number(m, "games", schedule_total(t->schedule));
    for (session *s = w->sessions; s; s = s->next)
        if (s->in_lobby)
            session_say(s, m);
}

static void set_state(tournament *t, tournament_state state) {
    t->row.state = state;
    if (state == TOURNAMENT_OVER || state == TOURNAMENT_CALLED_OFF)
        t->row.ended = world_wall();
    store_set_tournament(t->world->store, &t->row);
    pump_want_turn(&t->world->pump);
}

static bool terms_of(const tournament *t, game_terms *terms, fault *why) {
    *terms = (game_terms){.rules = rules_find(text_of(t->row.game)), .rated = t->row.rated};
    return terms->rules && rules_set_parse(terms->rules, text_of(t->row.rules), &terms->set, why) &&
           referee_control_parse(text_of(t->row.control), &terms->control, why);
}

static game *begin_game(tournament *t, int first, int second, int round, fault *why) {
    world *w = t->world;
    game_terms terms;
    member *a = member_get(w, t->entrants[first].player);
    member *b = member_get(w, t->entrants[second].player);
    game *g = a && b && terms_of(t, &terms, why)
                  ? game_begin(w, &terms, a, b, t->row.id, round + 1, why)
                  : NULL;
    member_release(a);
    member_release(b);
    return g;
}

// Begins a game of the schedule, or decides it where somebody has withdrawn. False: not now.
static bool begin_pairing(tournament *t, const schedule_game *s) {
    stored_pairing p = {.number = (int)s->index,
                        .round = s->round,
                        .first = s->first,
                        .second = s->second,
                        .half_points = -1};
    bool gone[2] = {t->entrants[s->first].has_withdrawn, t->entrants[s->second].has_withdrawn};
    fault why;
    if (gone[0] || gone[1]) {
        p.half_points = gone[0] && gone[1] ? 1 : gone[0] ? 0 : 2;
        schedule_report(t->schedule, s->index, p.half_points);
    } else {
        const game *g = begin_game(t, s->first, s->second, s->round, &why);
        if (!g)
            return false;
        p.game = g->row.id;
        t->live++;
    }
    store_add_pairing(t->world->store, t->row.id, &p);
    return add_pairing(t, &p);
}

// Begins whatever can begin; ends it where nothing is left.
static void go_on(tournament *t) {
    schedule_status status = SCHEDULE_GAME;
    while (t->row.state == TOURNAMENT_RUNNING &&
           (t->row.concurrency == 0 || t->live < t->row.concurrency)) {
        if (!t->has_pending)
            status = schedule_next(t->schedule, &t->pending);
        if (status != SCHEDULE_GAME)
            break;
        t->has_pending = !begin_pairing(t, &t->pending);
        if (t->has_pending)
            break; // tried again when a game ends, or in a second
    }
    if (status == SCHEDULE_END && t->live == 0 && t->row.state == TOURNAMENT_RUNNING)
        set_state(t, TOURNAMENT_OVER);
    tell(t);
    if (!is_running(t)) {
        table_remove(&t->world->tournaments->running, t->row.id);
        free_one(t);
    }
}

void tournaments_on_over(game *g) {
    world *w = g->world;
    tournament *t =
        g->row.tournament ? table_find(&w->tournaments->running, g->row.tournament) : NULL;
    if (!t)
        return;
    for (int i = 0; i < t->pairing_count; i++) {
        stored_pairing *p = &t->pairings[i];
        if (p->game != g->row.id || p->half_points >= 0)
            continue;
        fault why;
        t->live--;
        // A game without a result is played again.
        const game *again = g->row.outcome == RULES_ONGOING && t->row.state == TOURNAMENT_RUNNING
                                ? begin_game(t, p->first, p->second, p->round, &why)
                                : NULL;
        if (again) {
            p = &t->pairings[i];
            p->game = again->row.id;
            t->live++;
        } else {
            p->half_points = g->row.outcome == RULES_FIRST_WINS    ? 2
                             : g->row.outcome == RULES_SECOND_WINS ? 0
                                                                   : 1;
            schedule_report(t->schedule, (uint32_t)p->number, p->half_points);
        }
        store_set_pairing(w->store, t->row.id, p);
        break;
    }
    go_on(t);
}

void tournaments_every_second(world *w) {
    uint32_t at = 0;
    for (tournament *t; (t = table_next(&w->tournaments->running, &at));)
        if (t->has_pending && t->live == 0) {
            go_on(t);
            return; // the table may have changed
        }
}

// --- taking up ----------------------------------------------------------------------------------

typedef struct {
    int64_t ids[256];
    int count;
} numbers;

static void take_number(void *context, const stored_tournament *t) {
    numbers *n = context;
    n->ids[n->count++] = t->id;
}

bool tournaments_recover(world *w, fault *why) {
    numbers n = {.count = 0};
    store_each_tournament(w->store, INT64_MAX, 256, true, take_number, &n);
    for (int i = 0; i < n.count; i++) {
        tournament *t = tournament_get(w, n.ids[i]);
        if (!t || !table_add(&w->tournaments->running, n.ids[i], t))
            return fault_set(why, "tournament %lld cannot be taken up", (long long)n.ids[i]);
        go_on(t);
    }
    return true;
}

// --- what is done to it -------------------------------------------------------------------------

static int number_of(const tournament *t, int64_t player) {
    for (int i = 0; i < t->count; i++)
        if (t->entrants[i].player == player)
            return i;
    return -1;
}

bool tournament_enter(tournament *t, const member *m, fault *why) {
    if (t->row.state != TOURNAMENT_OPEN)
        return fault_set(why, "it has begun");
    if (number_of(t, m->id) >= 0)
        return fault_set(why, "%s has entered already", m->name);
    if (t->count == TOURNAMENT_PLAYERS)
        return fault_set(why, "it is full");
    if (t->row.rated && m->kind == PLAYER_GUEST)
        return fault_set(why, "guests play unrated games");
    stored_entrant e = {.number = t->count, .player = m->id};
    store_add_entrant(t->world->store, t->row.id, &e);
    take_entrant(t, &e);
    tell(t);
    return true;
}

bool tournament_withdraw(tournament *t, const member *m, fault *why) {
    int number = number_of(t, m->id);
    if (number < 0 || t->entrants[number].has_withdrawn || t->row.ended)
        return fault_set(why, "%s does not take part", m->name);
    if (t->row.state == TOURNAMENT_OPEN) {
        store_clear_entrants(t->world->store, t->row.id);
        for (int i = number; i + 1 < t->count; i++)
            t->entrants[i] = t->entrants[i + 1];
        t->count--;
        for (int i = 0; i < t->count; i++) {
            stored_entrant e = {.number = i, .player = t->entrants[i].player};
            store_add_entrant(t->world->store, t->row.id, &e);
        }
        return true;
    }
    t->entrants[number].has_withdrawn = true;
    store_withdraw_entrant(t->world->store, t->row.id, number, world_wall());
    int64_t id = t->row.id;
    world *w = t->world;
    for (int i = 0; i < t->pairing_count; i++) {
        const stored_pairing p = t->pairings[i];
        game *g = p.half_points < 0 && (p.first == number || p.second == number)
                      ? game_find(w, p.game)
                      : NULL;
        if (g)
            game_decide(g, p.second == number, "withdrew from the tournament");
        if (table_find(&w->tournaments->running, id) != t)
            return true; // that was its last game
    }
    tell(t);
    return true;
}

static int by_rating(const void *a, const void *b) {
    const stored_rating *x = a, *y = b;
    return x->rating != y->rating ? (x->rating < y->rating) - (x->rating > y->rating)
                                  : (x->player > y->player) - (x->player < y->player);
}

// The best first: Swiss and knockout keep them apart. In a gauntlet the first to enter meets all.
static void place_entrants(tournament *t) {
    world *w = t->world;
    stored_rating order[TOURNAMENT_PLAYERS];
    for (int i = 0; i < t->count; i++)
        order[i] = rating_of(w, t->entrants[i].player, t->row.game);
    if (t->row.kind != SCHEDULE_GAUNTLET)
        qsort(order, (size_t)t->count, sizeof order[0], by_rating);
    store_clear_entrants(w->store, t->row.id);
    int count = t->count;
    t->count = 0;
    for (int i = 0; i < count; i++) {
        stored_entrant e = {.number = i, .player = order[i].player};
        store_add_entrant(w->store, t->row.id, &e);
        take_entrant(t, &e);
    }
}

bool tournament_start(tournament *t, fault *why) {
    if (t->row.state != TOURNAMENT_OPEN)
        return fault_set(why, "it has begun");
    if (t->count < 2)
        return fault_set(why, "nobody to play against has entered");
    if (!make_schedule(t, why))
        return false;
    if (!table_add(&t->world->tournaments->running, t->row.id, t))
        return fault_set(why, "out of memory");
    place_entrants(t);
    t->row.started = world_wall();
    set_state(t, TOURNAMENT_RUNNING);
    go_on(t);
    return true;
}

bool tournament_pause(tournament *t, bool pause, fault *why) {
    if (!is_running(t))
        return fault_set(why, "it is not being played");
    set_state(t, pause ? TOURNAMENT_PAUSED : TOURNAMENT_RUNNING);
    for (int i = 0; i < t->pairing_count; i++) {
        game *g = t->pairings[i].half_points < 0 ? game_find(t->world, t->pairings[i].game) : NULL;
        if (g)
            game_pause(g, pause);
    }
    go_on(t);
    return true;
}

bool tournament_call_off(tournament *t, fault *why) {
    world *w = t->world;
    int64_t id = t->row.id;
    if (t->row.ended)
        return fault_set(why, "it is over");
    bool ran = table_find(&w->tournaments->running, id) == t;
    set_state(t, TOURNAMENT_CALLED_OFF);
    if (!ran)
        return true;
    table_remove(&w->tournaments->running, id); // its games no longer report to it
    for (int i = 0; i < t->pairing_count; i++) {
        game *g = t->pairings[i].half_points < 0 ? game_find(w, t->pairings[i].game) : NULL;
        if (g)
            game_void(g, "the tournament was called off");
    }
    return true; // the caller releases it
}
