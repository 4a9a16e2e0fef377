// What spectators of a game are shown. To send to one costs as much as to play a move, so a crowd
// is sent to less often the larger it is: moves that follow each other quickly are sent together.
// Who watches almost alone, or a slow game, notices nothing of it.
//
// What waits is bounded. Where it would be more, or there is no memory, it is dropped, and all are
// told the whole game instead. It goes to one spectator after the other, some in each turn of the
// loop: however many they are, players do not wait.
#include "base/minmax.h"
#include "server/game.h"

enum {
    CROWD_LEAST = 100,       // spectators
    CROWD_US = 300,          // between two times, for each of them,
    CROWD_MOST_US = 1500000, // and at most
    CROWD_HELD = 16384,      // bytes that wait, in either form
    CROWD_SLICE_US = 1000,   // of a turn of the loop
    CROWD_TICK_MS = 20,
    CROWD_SLICE_MS = 1 // between two slices
};

static bool is_player(const game *g, const session *s) {
    return s->member && game_side_of(g, s->member) >= 0;
}

// --- what waits ---------------------------------------------------------------------------------

static void on_tick(uv_timer_t *timer);

static void wake_in(server *srv, uint64_t ms) { uv_timer_start(&srv->showing, on_tick, ms, 0); }

static void wait_to_show(game *g) {
    server *srv = g->server;
    if (g->crowd.waits)
        return;
    g->crowd.waits = true;
    g->crowd.next = srv->crowds;
    srv->crowds = g;
    if (!uv_is_active((uv_handle_t *)&srv->showing))
        wake_in(srv, CROWD_TICK_MS);
}

static void stop_waiting(game *g) {
    if (!g->crowd.waits)
        return;
    game **at = &g->server->crowds;
    while (*at != g)
        at = &(*at)->crowd.next;
    *at = g->crowd.next;
    g->crowd.waits = false;
}

static void free_batch(crowd_batch *b) {
    buffer_free(&b->lines);
    buffer_free(&b->jsons);
}

static bool has_held(const game *g) { return g->crowd.is_anew || g->crowd.held.lines.len; }

void game_show_anew(game *g) {
    free_batch(&g->crowd.held);
    g->crowd.held.number++;
    g->crowd.is_anew = true;
    wait_to_show(g);
}

void game_skip_held(watch *w) {
    const crowd_batch *held = &w->game->crowd.held;
    w->batch = held->number;
    w->lines_from = held->lines.len;
    w->jsons_from = held->jsons.len;
}

static bool reserve(crowd_batch *b, text line, text json) {
    return line.len && json.len && buffer_reserve(&b->lines, line.len) &&
           buffer_reserve(&b->jsons, json.len + 1);
}

static void add(crowd_batch *b, text line, text json) {
    buffer_add(&b->lines, line);
    buffer_add(&b->jsons, json);
    buffer_char(&b->jsons, '\n');
}

void game_say(game *g, session *s, message *m) {
    if (s) {
        session_send(s, m);
        return;
    }
    crowd_batch *held = &g->crowd.held;
    text line = message_as_line(m), json = message_as_json(m);
    if (reserve(held, line, json))
        add(held, line, json);
    else
        held->lines.failed = true;
}

// --- showing it ---------------------------------------------------------------------------------

static void send_batch(watch *w, const crowd_batch *b) {
    if (w->batch > b->number)
        return;
    bool is_whole = w->batch < b->number;
    if (!is_player(w->game, w->session))
        session_send_ready(w->session,
                           text_skip(buffer_text(&b->lines), is_whole ? 0 : w->lines_from),
                           text_skip(buffer_text(&b->jsons), is_whole ? 0 : w->jsons_from));
    w->batch = b->number + 1;
    w->lines_from = w->jsons_from = 0;
}

// What waits is what is shown from now on. Without memory for a whole game it waits on.
static void begin_showing(game *g) {
    g->crowd.shown_at = clock_us();
    if (g->crowd.is_anew) {
        game_build_all(g);
        if (g->crowd.held.lines.failed) {
            free_batch(&g->crowd.held);
            return;
        }
    }
    g->crowd.is_anew = g->crowd.hurries = false;
    g->crowd.shown = g->crowd.held;
    g->crowd.held = (crowd_batch){.number = g->crowd.shown.number + 1};
    g->crowd.is_showing = true;
    g->crowd.next_watch = watch_of_game(g->watches.first);
}

static void show_until(game *g, int64_t until) {
    for (watch *w; (w = g->crowd.next_watch) && clock_us() < until;) {
        g->crowd.next_watch = watch_of_game(w->link_of_game.next);
        send_batch(w, &g->crowd.shown);
    }
    if (g->crowd.next_watch)
        return;
    free_batch(&g->crowd.shown);
    g->crowd.is_showing = false;
    if (!has_held(g))
        stop_waiting(g);
}

static bool is_due(const game *g) {
    int64_t pace = min_i64(g->watch_count * CROWD_US, CROWD_MOST_US);
    return g->crowd.hurries || clock_us() - g->crowd.shown_at >= pace;
}

static void show_slice(game *g, int64_t until) {
    if (!g->crowd.is_showing && has_held(g) && is_due(g))
        begin_showing(g);
    if (g->crowd.is_showing)
        show_until(g, until);
}

static void on_tick(uv_timer_t *timer) {
    server *srv = timer->data;
    int64_t until = clock_us() + CROWD_SLICE_US;
    bool has_more = false;
    for (game *g = srv->crowds, *next; g; g = next) {
        next = g->crowd.next;
        show_slice(g, until);
        has_more = has_more || g->crowd.is_showing;
    }
    if (srv->crowds)
        wake_in(srv, has_more ? CROWD_SLICE_MS : CROWD_TICK_MS);
}

static void show_if_due(game *g) {
    show_slice(g, clock_us() + CROWD_SLICE_US);
    if (g->crowd.is_showing)
        wake_in(g->server, CROWD_SLICE_MS);
}

void game_show_soon(game *g) {
    if (!has_held(g))
        return;
    g->crowd.hurries = true;
    show_if_due(g);
}

void game_show_held(game *g) {
    if (g->crowd.is_showing)
        show_until(g, INT64_MAX);
    if (has_held(g))
        begin_showing(g);
    if (g->crowd.is_showing)
        show_until(g, INT64_MAX);
    stop_waiting(g);
}

void game_show_crowds(server *srv) {
    while (srv->crowds)
        game_show_held(srv->crowds);
}

// --- messages -----------------------------------------------------------------------------------

static bool is_owner(const watch *w, int64_t player) {
    return w->session->member && w->session->member->id == player;
}

static void show_now(game *g, message *m, message *own, int64_t owner) {
    for (watch *w = watch_of_game(g->watches.first); w; w = watch_of_game(w->link_of_game.next))
        if (!is_player(g, w->session))
            session_send_last(w->session, own && is_owner(w, owner) ? own : m);
}

// Owners are sent their own words at once, after what was held for them.
static void show_owner(game *g, message *own, int64_t owner) {
    for (watch *w = watch_of_game(g->watches.first); w; w = watch_of_game(w->link_of_game.next)) {
        if (!is_owner(w, owner) || is_player(g, w->session))
            continue;
        if (g->crowd.is_showing)
            send_batch(w, &g->crowd.shown);
        send_batch(w, &g->crowd.held);
        session_send_last(w->session, own);
    }
}

static void skip_owner(game *g, int64_t owner) {
    for (watch *w = watch_of_game(g->watches.first); w; w = watch_of_game(w->link_of_game.next))
        if (is_owner(w, owner))
            game_skip_held(w);
}

static void hold(game *g, message *m, message *own, int64_t owner) {
    crowd_batch *held = &g->crowd.held;
    text line = message_as_line(m), json = message_as_json(m);
    bool fits = max_size(held->lines.len + line.len, held->jsons.len + json.len) <= CROWD_HELD;
    if (!fits || !reserve(held, line, json)) {
        game_show_anew(g);
        return;
    }
    if (own)
        show_owner(g, own, owner);
    add(held, line, json);
    if (own)
        skip_owner(g, owner);
    wait_to_show(g);
}

void game_show(game *g, message *m, message *own, int64_t owner) {
    if (g->watch_count < CROWD_LEAST && !g->crowd.waits) {
        show_now(g, m, own, owner);
        return;
    }
    if (!g->crowd.is_anew) // else it is told with the rest
        hold(g, m, own, owner);
    show_if_due(g);
}
