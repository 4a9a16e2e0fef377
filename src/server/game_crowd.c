// What spectators of a game are shown. To send to one costs as much as to play a move, so a crowd
// is sent to less often the larger it is: moves that follow each other quickly are sent together.
// Who watches almost alone, or a slow game, notices nothing of it.
#include "base/minmax.h"
#include "server/game.h"

enum {
    CROWD_LEAST = 100,       // spectators
    CROWD_US = 300,          // between two times, for each of them,
    CROWD_MOST_US = 1500000, // and at most
    CROWD_TICK_MS = 20
};

static bool is_player(const game *g, const session *s) {
    return s->member && game_side_of(g, s->member) >= 0;
}

static bool is_due(const game *g) {
    return clock_us() - g->crowd.shown_at >= min_i64(g->watch_count * CROWD_US, CROWD_MOST_US);
}

static void stop_waiting(game *g) {
    for (game **at = &g->server->crowds; *at; at = &(*at)->crowd.next)
        if (*at == g) {
            *at = g->crowd.next;
            return;
        }
}

void game_skip_held(watch *w) {
    w->lines_from = w->game->crowd.lines.len;
    w->jsons_from = w->game->crowd.jsons.len;
}

static void send_held(watch *w) {
    const game *g = w->game;
    if (!is_player(g, w->session))
        session_send_ready(w->session, text_skip(buffer_text(&g->crowd.lines), w->lines_from),
                           text_skip(buffer_text(&g->crowd.jsons), w->jsons_from));
    game_skip_held(w);
}

void game_show_held(game *g) {
    if (g->crowd.lines.len == 0)
        return;
    stop_waiting(g);
    for (watch *w = watch_of_game(g->watches.first); w; w = watch_of_game(w->link_of_game.next)) {
        send_held(w);
        w->lines_from = w->jsons_from = 0;
    }
    buffer_free(&g->crowd.lines);
    buffer_free(&g->crowd.jsons);
    g->crowd.shown_at = clock_us();
}

static void on_tick(uv_timer_t *timer) {
    server *srv = timer->data;
    for (game *g = srv->crowds, *next; g; g = next) {
        next = g->crowd.next;
        if (is_due(g))
            game_show_held(g);
    }
    if (!srv->crowds)
        uv_timer_stop(timer);
}

static void wait_to_show(game *g) {
    server *srv = g->server;
    g->crowd.next = srv->crowds;
    srv->crowds = g;
    if (!uv_is_active((uv_handle_t *)&srv->showing))
        uv_timer_start(&srv->showing, on_tick, CROWD_TICK_MS, CROWD_TICK_MS);
}

static bool hold(game *g, message *m) {
    text line = message_as_line(m), json = message_as_json(m);
    bool is_first = g->crowd.lines.len == 0;
    if (!buffer_reserve(&g->crowd.lines, line.len) ||
        !buffer_reserve(&g->crowd.jsons, json.len + 1))
        return false;
    buffer_add(&g->crowd.lines, line);
    buffer_add(&g->crowd.jsons, json);
    buffer_char(&g->crowd.jsons, '\n');
    if (is_first)
        wait_to_show(g);
    return true;
}

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
        send_held(w);
        session_send_last(w->session, own);
    }
}

static void skip_owner(game *g, int64_t owner) {
    for (watch *w = watch_of_game(g->watches.first); w; w = watch_of_game(w->link_of_game.next))
        if (is_owner(w, owner))
            game_skip_held(w);
}

void game_show(game *g, message *m, message *own, int64_t owner) {
    if (g->watch_count < CROWD_LEAST && g->crowd.lines.len == 0) {
        show_now(g, m, own, owner);
        return;
    }
    if (own)
        show_owner(g, own, owner);
    if (!hold(g, m)) {
        game_show_held(g);
        show_now(g, m, NULL, 0);
        return;
    }
    if (own)
        skip_owner(g, owner);
    if (game_is_over(g) || is_due(g))
        game_show_held(g);
}
