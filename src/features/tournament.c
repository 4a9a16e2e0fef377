#include "features/tournament.h"

#include "base/vector.h"
#include "features/features.h"
#include "os/clock.h"

#include <stdlib.h>

typedef struct {
    int games_live;                        // under way
    bool has_work;                         // some of those that run want a slice
    table running;                         // by number
    tournament *recent[TOURNAMENT_RECENT]; // the last asked for first; NULL: none
} tournaments;

enum {
    SLICE_US = 1000, // of processor time
    TELL_US = 250000 // between two tellings of the standings to all that follow
};

static tournaments *all_of(const server *srv) { return feature_state(srv, &tournament_feature); }

static void *start(server *srv, fault *why) {
    (void)srv;
    (void)why;
    return calloc(1, sizeof(tournaments));
}

static void free_one(tournament *t) {
    buffer_free(&t->shown);
    schedule_free(t->schedule);
    openings_free(t->book);
    free(t->pairings);
    free(t->log);
    free(t);
}

static void free_all(void *state) {
    tournaments *all = state;
    uint32_t at = 0;
    for (tournament *t; (t = table_next(&all->running, &at));)
        free_one(t);
    for (int i = 0; i < TOURNAMENT_RECENT; i++)
        if (all->recent[i])
            free_one(all->recent[i]);
    table_free(&all->running);
    free(all);
}

static void remove_recent(tournaments *all, const tournament *t) {
    for (int i = 0; i < TOURNAMENT_RECENT; i++)
        if (all->recent[i] == t) {
            for (; i + 1 < TOURNAMENT_RECENT; i++)
                all->recent[i] = all->recent[i + 1];
            all->recent[i] = NULL;
        }
}

static tournament *find_recent(const tournaments *all, int64_t id) {
    for (int i = 0; i < TOURNAMENT_RECENT && all->recent[i]; i++)
        if (all->recent[i]->row.id == id)
            return all->recent[i];
    return NULL;
}

// Makes it the first of the recent ones. The last is freed, now or by its last holder.
static void put_recent(tournaments *all, tournament *t) {
    remove_recent(all, t);
    tournament *last = all->recent[TOURNAMENT_RECENT - 1];
    for (int i = TOURNAMENT_RECENT - 1; i > 0; i--)
        all->recent[i] = all->recent[i - 1];
    all->recent[0] = t;
    if (last && last->holds == 0)
        free_one(last);
}

tournament *tournament_running(server *srv, int64_t id) {
    return table_find(&all_of(srv)->running, id);
}

bool tournament_set_running(tournament *t) {
    tournaments *all = all_of(t->server);
    stored_player owner;
    if (!table_add(&all->running, t->row.id, t))
        return false;
    remove_recent(all, t);
    t->is_arbiters =
        store_find_player(t->server->store, t->row.owner, &owner) && owner.role == ROLE_ARBITER;
    return true;
}

void tournament_forget(tournament *t) {
    table_remove(&all_of(t->server)->running, t->row.id);
    free_one(t);
}

void tournament_note_change(tournament *t) {
    t->has_news = true;
    buffer_free(&t->shown);
}

bool tournament_is_running(const tournament *t) {
    return t->row.state == TOURNAMENT_RUNNING || t->row.state == TOURNAMENT_PAUSED;
}

const char *tournament_state_name(tournament_state state) {
    static const char *const names[] = {"open", "running", "paused", "over", "called off"};
    return names[state];
}

// --- pairings and the log -----------------------------------------------------------------------

pairing_state tournament_pairing_state(const stored_pairing *p) {
    return p->half_points >= 0 ? PAIRING_PLAYED : p->game ? PAIRING_LIVE : PAIRING_OPEN;
}

bool tournament_reserve(tournament *t) {
    stored_pairing *grown = vector_reserve(t->pairings, &t->pairing_capacity,
                                           (size_t)t->pairing_count + 1, sizeof *grown);
    if (grown)
        t->pairings = grown;
    return grown != NULL;
}

// Counts a pairing under its state, or (-1) no longer.
static void count_pairing(tournament *t, const stored_pairing *p, int by) {
    t->pairings_now[tournament_pairing_state(p)] += by;
    if (tournament_pairing_state(p) != PAIRING_LIVE)
        return;
    t->entrants[p->first].live += by;
    t->entrants[p->second].live += by;
}

static void put_pairing(tournament *t, const stored_pairing *p) {
    t->pairings[t->pairing_count++] = *p;
    count_pairing(t, p, 1);
}

void tournament_add_pairing(tournament *t, const schedule_game *g) {
    stored_pairing p = {.number = (int)g->index,
                        .round = g->round,
                        .first = g->first,
                        .second = g->second,
                        .opening = (int)g->opening,
                        .half_points = -1};
    put_pairing(t, &p);
    store_add_pairing(t->server->store, t->row.id, &p);
    tournament_note_change(t);
}

static void send_pairing(const tournament *t, const stored_pairing *p);

void tournament_set_pairing(tournament *t, int i, int64_t played, int half_points) {
    stored_pairing *p = &t->pairings[i];
    count_pairing(t, p, -1);
    p->game = played;
    p->half_points = half_points;
    count_pairing(t, p, 1);
    if (tournament_pairing_state(p) == PAIRING_OPEN && i < t->open_from)
        t->open_from = i;
    store_set_pairing(t->server->store, t->row.id, p);
    send_pairing(t, p);
    tournament_note_change(t);
}

static bool put_entry(tournament *t, const stored_tournament_entry *e) {
    stored_tournament_entry *grown =
        vector_reserve(t->log, &t->log_capacity, (size_t)t->log_count + 1, sizeof *grown);
    if (!grown)
        return false;
    t->log = grown;
    t->log[t->log_count++] = *e;
    return true;
}

void tournament_log(tournament *t, tournament_log_kind kind, int subject, int before, int now) {
    stored_tournament_entry e = {.number = t->log_count ? t->log[t->log_count - 1].number + 1 : 0,
                                 .pairings = t->pairing_count,
                                 .kind = kind,
                                 .subject = subject,
                                 .before = before,
                                 .now = now};
    store_add_tournament_entry(t->server->store, t->row.id, &e);
    if (!put_entry(t, &e))
        log_write(LEVEL_WARNING, "out of memory"); // the store has it
}

// --- reading ------------------------------------------------------------------------------------

typedef struct {
    tournament *tournament;
    bool good;
} reading;

void tournament_put_entrant(tournament *t, const stored_entrant *e) {
    stored_player p;
    if (t->count == TOURNAMENT_PLAYERS)
        return;
    t->entrants[t->count].player = e->player;
    t->entrants[t->count].has_withdrawn = e->has_withdrawn;
    writer w = writer_on(t->entrants[t->count].name, PLAYER_NAME_SIZE);
    if (store_find_player(t->server->store, e->player, &p))
        write_string(&w, p.name);
    t->count++;
}

static void take_entrant(void *context, const stored_entrant *e) {
    tournament_put_entrant(((reading *)context)->tournament, e);
}

static void take_pairing(void *context, const stored_pairing *p) {
    reading *r = context;
    r->good = r->good && tournament_reserve(r->tournament);
    if (r->good)
        put_pairing(r->tournament, p);
}

static void take_entry(void *context, const stored_tournament_entry *e) {
    reading *r = context;
    r->good = r->good && put_entry(r->tournament, e);
}

bool tournament_make_schedule(tournament *t, fault *why) {
    schedule_rules rules = {.kind = (schedule_kind)t->row.kind,
                            .players = t->count,
                            .rounds = t->row.rounds,
                            .games = t->row.games};
    schedule_free(t->schedule);
    t->schedule = schedule_new(&rules);
    if (!t->schedule)
        return fault_set(why, "such a tournament cannot be played");
    uint32_t games = schedule_total(t->schedule);
    if (games <= TOURNAMENT_GAMES)
        return true;
    schedule_free(t->schedule);
    t->schedule = NULL;
    return fault_set(why, "%u games are too many", (unsigned)games);
}

// The result a pairing had before any was changed.
static int first_result(const tournament *t, const stored_pairing *p) {
    for (int i = 0; i < t->log_count; i++)
        if (t->log[i].kind == LOG_RESULT && t->log[i].subject == p->number)
            return t->log[i].before;
    return p->half_points;
}

static void replay_entry(tournament *t, const stored_tournament_entry *e) {
    if (e->kind == LOG_WITHDRAWN)
        schedule_withdraw(t->schedule, e->subject);
    else
        schedule_correct(t->schedule, (uint32_t)e->subject, e->now);
}

// Replays the schedule with the stored pairings and results.
static bool replay(tournament *t, fault *why) {
    if (!tournament_make_schedule(t, why))
        return false;
    int logged = 0;
    for (int i = 0; i < t->pairing_count; i++) {
        const stored_pairing *p = &t->pairings[i];
        schedule_game g;
        while (logged < t->log_count && t->log[logged].pairings <= i)
            replay_entry(t, &t->log[logged++]);
        if (schedule_next(t->schedule, &g) != SCHEDULE_GAME || (int)g.index != p->number ||
            g.first != p->first || g.second != p->second)
            return fault_set(why, "it does not follow its schedule");
        int result = first_result(t, p);
        if (result >= 0)
            schedule_report(t->schedule, g.index, result);
    }
    while (logged < t->log_count)
        replay_entry(t, &t->log[logged++]);
    if (t->row.state == TOURNAMENT_OVER)
        schedule_finish(t->schedule);
    return true;
}

tournament *tournament_get(server *srv, int64_t id) {
    tournament *t = tournament_running(srv, id);
    if (t)
        return t;
    fault why = {""};
    t = find_recent(all_of(srv), id);
    if (t) {
        t->holds++;
        return t;
    }
    t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->server = srv;
    t->holds = 1;
    reading r = {t, store_find_tournament(srv->store, id, &t->row)};
    if (r.good) {
        store_each_entrant(srv->store, id, take_entrant, &r);
        store_each_pairing(srv->store, id, take_pairing, &r);
        store_each_tournament_entry(srv->store, id, take_entry, &r);
        if (r.good && t->row.started)
            r.good = replay(t, &why);
        if (!r.good)
            log_write(LEVEL_WARNING, "tournament %lld: %s", (long long)id,
                      why.line[0] ? why.line : "no memory");
    }
    if (r.good) {
        put_recent(all_of(srv), t);
        return t;
    }
    free_one(t);
    return NULL;
}

void tournament_release(tournament *t) {
    if (!t || tournament_running(t->server, t->row.id) == t)
        return;
    t->holds--;
    if (t->holds == 0 && find_recent(all_of(t->server), t->row.id) != t)
        free_one(t);
}

// --- telling ------------------------------------------------------------------------------------

static bool follows(const session *s, int64_t id) {
    for (int i = 0; i < SESSION_FOLLOWS; i++)
        if (s->follows[i] == id)
            return true;
    return false;
}

static bool is_followed(const tournament *t) {
    for (const session *s = session_of(t->server->sessions.first); s; s = session_of(s->link.next))
        if (follows(s, t->row.id))
            return true;
    return false;
}

static void send_to_followers(const tournament *t, message *m, bool to_lobby) {
    for (session *s = session_of(t->server->sessions.first); s; s = session_of(s->link.next))
        if ((to_lobby && s->in_lobby) || follows(s, t->row.id))
            session_send_last(s, m);
}

static void send_pairing(const tournament *t, const stored_pairing *p) {
    message m = {.verb = "pairing"};
    message_number(&m, "tournament", t->row.id);
    message_number(&m, "number", p->number + 1);
    message_number(&m, "round", p->round + 1);
    message_string(&m, "first", t->entrants[p->first].name);
    message_string(&m, "second", t->entrants[p->second].name);
    if (p->game)
        message_number(&m, "game", p->game);
    static const char *const results[] = {"0-1", "1/2-1/2", "1-0", "0-0"};
    if (p->half_points >= 0)
        message_string(&m, "result", results[p->half_points]);
    send_to_followers(t, &m, false);
    message_free(&m);
}

static void send_standings(const tournament *t) {
    schedule_standing order[TOURNAMENT_PLAYERS];
    int count = schedule_standings(t->schedule, order);
    message m = {.verb = "standings"};
    message_number(&m, "tournament", t->row.id);
    message_list(&m, "players");
    for (int i = 0; i < count; i++)
        message_item(&m, t->entrants[order[i].player].name);
    message_list(&m, "points");
    char word[16];
    for (int i = 0; i < count; i++) {
        writer w = writer_on(word, sizeof word);
        write_format(&w, "%d%s", order[i].half_points / 2, order[i].half_points % 2 ? ".5" : "");
        message_item(&m, word);
    }
    message_list(&m, "played");
    for (int i = 0; i < count; i++) {
        writer w = writer_on(word, sizeof word);
        write_number(&w, order[i].played);
        message_item(&m, word);
    }
    send_to_followers(t, &m, false);
    message_free(&m);
}

void tournament_tell(tournament *t) {
    int64_t now = clock_us();
    bool waits = t->row.state == t->told_state && now - t->told_at < TELL_US;
    if (!t->has_news || waits)
        return;
    t->has_news = false;
    t->told_at = now;
    t->told_state = t->row.state;
    message m = {.verb = "tournament"};
    message_number(&m, "id", t->row.id);
    message_string(&m, "name", t->row.name);
    message_string(&m, "state", tournament_state_name(t->row.state));
    message_number(&m, "players", t->count);
    message_number(&m, "played", t->pairings_now[PAIRING_PLAYED]);
    message_number(&m, "live", t->pairings_now[PAIRING_LIVE]);
    if (t->schedule)
        message_number(&m, "games", schedule_total(t->schedule));
    send_to_followers(t, &m, true);
    message_free(&m);
    if (t->schedule && is_followed(t))
        send_standings(t);
}

void tournament_set_state(tournament *t, tournament_state state) {
    t->row.state = state;
    if (state == TOURNAMENT_OVER || state == TOURNAMENT_CALLED_OFF)
        t->row.ended = server_wall();
    store_set_tournament(t->server->store, &t->row);
    tournament_note_change(t);
    turns_want(&t->server->turns);
}

// --- all that run -------------------------------------------------------------------------------

// Calls `act` for each running tournament; any of them may end by it.
static void each_running(server *srv, void (*act)(tournament *t, const member *m),
                         const member *m) {
    const table *running = &all_of(srv)->running;
    uint32_t at = 0;
    int count = 0;
    int64_t *ids = malloc((running->count + 1) * sizeof *ids);
    for (const tournament *t; ids && (t = table_next(running, &at));)
        ids[count++] = t->row.id;
    for (int i = 0; i < count; i++) {
        tournament *t = tournament_running(srv, ids[i]);
        if (t)
            act(t, m);
    }
    free(ids);
}

void tournament_begin_slice(tournament *t) { t->slice_until = clock_thread_us() + SLICE_US; }

bool tournament_is_spent(const tournament *t) { return clock_thread_us() > t->slice_until; }

void tournament_want_work(tournament *t) {
    all_of(t->server)->has_work = true;
    turns_want(&t->server->turns);
}

static void work_on(tournament *t, const member *m) {
    (void)m;
    tournament_work(t);
}

static bool work(server *srv) {
    tournaments *all = all_of(srv);
    if (!all->has_work)
        return false;
    all->has_work = false;
    each_running(srv, work_on, NULL);
    return all->has_work;
}

static void try_again(tournament *t, const member *m) {
    (void)m;
    if (t->task == TASK_VOID)
        return; // called off
    if (t->pairings_now[PAIRING_OPEN] > 0 || t->pairings_now[PAIRING_LIVE] == 0 || t->has_news)
        tournament_go_on(t);
}

static void tick(server *srv) {
    each_running(srv, try_again, NULL);
    if (all_of(srv)->has_work)
        turns_want(&srv->turns);
}

static void let_go_of(tournament *t, const member *m) {
    fault why;
    if (tournament_number_of(t, m->id) >= 0)
        (void)!tournament_withdraw(t, m, &why);
}

// Cached answers have the old name. This is rare, so all caches are dropped.
static void on_player_renamed(member *m) {
    tournaments *all = all_of(m->server);
    uint32_t at = 0;
    for (tournament *t; (t = table_next(&all->running, &at));)
        tournament_note_change(t);
    for (int i = 0; i < TOURNAMENT_RECENT && all->recent[i]; i++)
        buffer_free(&all->recent[i]->shown);
}

static void on_player_removed(const member *m) { each_running(m->server, let_go_of, m); }

// --- games under way ----------------------------------------------------------------------------

bool tournaments_need_quiet(server *srv) {
    const table *running = &all_of(srv)->running;
    uint32_t at = 0;
    for (const tournament *t; (t = table_next(running, &at));)
        for (int i = 0;
             t->is_arbiters && t->row.state == TOURNAMENT_RUNNING && i < t->pairing_count; i++) {
            const stored_pairing *p = &t->pairings[i];
            const game *g =
                tournament_pairing_state(p) == PAIRING_LIVE ? game_find(srv, p->game) : NULL;
            if (g && member_is_here(g->seats[0].member) && member_is_here(g->seats[1].member))
                return true;
        }
    return false;
}

// Calling off takes many turns: games that a restart found half way are voided now.
static void void_called_off(server *srv) {
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at));) {
        stored_tournament t;
        if (g->row.tournament && !game_is_over(g) && !tournament_running(srv, g->row.tournament) &&
            store_find_tournament(srv->store, g->row.tournament, &t) &&
            t.state == TOURNAMENT_CALLED_OFF)
            game_void(g, "the tournament was called off");
    }
}

static void on_game_begun(game *g) {
    const tournament *t =
        g->row.tournament ? tournament_running(g->server, g->row.tournament) : NULL;
    if (t)
        g->delay_us = t->row.delay * 1000000LL;
}

static void set_delays(server *srv) {
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at));) {
        stored_tournament t;
        if (g->row.tournament && !game_is_over(g) &&
            store_find_tournament(srv->store, g->row.tournament, &t))
            g->delay_us = t.delay * 1000000LL;
    }
}

static void on_recovered(server *srv) {
    set_delays(srv);
    tournaments_recover(srv);
    void_called_off(srv);
}

const feature tournament_feature = {.name = "tournaments",
                                    .verbs = tournament_verbs,
                                    .routes = tournament_routes,
                                    .start = start,
                                    .on_recovered = on_recovered,
                                    .tick = tick,
                                    .work = work,
                                    .free = free_all,
                                    .on_player_renamed = on_player_renamed,
                                    .on_player_removed = on_player_removed,
                                    .on_game_begun = on_game_begun,
                                    .on_result = tournaments_on_result,
                                    .on_corrected = tournaments_on_corrected};
