// Games over HTTP: those being played, one by its number, its moves, its record; the open seeks.
#include "features/features.h"
#include "features/game_record.h"
#include "server/api.h"
#include "server/lobby.h"

#include <stdlib.h>

enum { LIVE_MOST = 500, SEEKS_MOST = 500 };

// The position that spectators see.
static void write_shown(const game *g, char fen[RULES_FEN_SIZE]) {
    const rules_state *now = referee_state(g->judge);
    writer out = writer_on(fen, RULES_FEN_SIZE);
    uint32_t shown = game_plies_shown(g);
    size_t size = rules_state_size(rules_ply(now));
    rules_state *copy = shown < rules_ply(now) ? malloc(size) : NULL;
    if (copy)
        memcpy(copy, now, size);
    while (copy && rules_ply(copy) > shown)
        rules_undo(copy);
    rules_format_fen(copy ? copy : now, &out);
    free(copy);
}

// Since the side to move was asked; of a game that is shown later nothing is told.
static int64_t seconds_idle(const server *srv, const game *g) {
    return g->delay_us ? 0 : (server_now(srv) - g->asked_at) / 1000000;
}

static void get_live(api_call *c) {
    server *srv = c->server;
    int64_t most = api_query_number(c, "limit", 1, LIVE_MOST, 50);
    json_t *list = json_array();
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at)) && (int64_t)json_array_size(list) < most;) {
        game_copy copy;
        if (game_is_over(g) || !game_copy_get(srv, g->row.id, &copy))
            continue;
        json_t *j = game_copy_json(&copy);
        char fen[RULES_FEN_SIZE];
        write_shown(g, fen);
        json_object_set_new(j, "position", json_string(fen));
        json_object_set_new(j, "watching", json_integer(g->watch_count));
        json_object_set_new(j, "idle", json_integer(seconds_idle(srv, g)));
        if (copy.count)
            json_object_set_new(j, "last", json_string(copy.moves[copy.count - 1].move));
        json_array_append_new(list, j);
    }
    api_json(c, 200, json_pack("{so,sI}", "games", list, "live", (json_int_t)srv->live_games));
}

// The game of the path, or a refusal.
static bool find_game(api_call *c, game_copy *copy) {
    if (c->numbers[0] > 0 && game_copy_get(c->server, c->numbers[0], copy))
        return true;
    api_refuse(c, 404, "game", "there is no such game");
    return false;
}

static void get_game(api_call *c) {
    game_copy copy;
    if (!find_game(c, &copy))
        return;
    json_t *moves = json_array(), *j = game_copy_json(&copy);
    for (int ply = 1; ply <= copy.count; ply++)
        json_array_append_new(moves, json_string(copy.moves[ply - 1].move));
    json_object_set_new(j, "moves", moves);
    game_copy_add_tree(&copy, j);
    game_copy_free(&copy);
    api_json(c, 200, j);
}

static void get_moves(api_call *c) {
    game_copy copy;
    if (!find_game(c, &copy))
        return;
    json_t *moves = json_array();
    for (int ply = 1; ply <= copy.count; ply++)
        json_array_append_new(moves, game_copy_move_json(&copy, ply));
    api_json(c, 200,
             json_pack("{sI,sI,so}", "id", (json_int_t)copy.row.id, "begun",
                       (json_int_t)copy.row.begun, "moves", moves));
    game_copy_free(&copy);
}

static void get_record(api_call *c) {
    game_copy copy;
    char name[32];
    writer w = writer_on(name, sizeof name);
    record_format format = RECORD_PGN;
    if (http_query_of(c->request, "format", &w) &&
        !record_format_find((text){name, w.used}, &format)) {
        char known[RECORD_NAMES_SIZE];
        writer names = writer_on(known, sizeof known);
        record_write_format_names(&names, true);
        api_refuse(c, 400, "format", "format: one of %s", known);
        return;
    }
    if (!find_game(c, &copy))
        return;
    fault why;
    buffer out = {0};
    if (game_copy_write(&copy, format, &out, &why))
        game_record_answer(c, format, buffer_text(&out), &why);
    else
        api_refuse(c, 400, "format", "%s", why.line);
    buffer_free(&out);
    game_copy_free(&copy);
}

static json_t *seek_json(const lobby_offer *o) {
    char control[REFEREE_CONTROL_SIZE];
    writer w = writer_on(control, sizeof control);
    referee_control_format(&o->terms.control, &w);
    const char *side = o->side < 0 ? "any" : o->side ? "second" : "first";
    return json_pack("{sI,ss,ss,ss,sb,ss}", "id", (json_int_t)o->id, "from", o->from->name, "game",
                     rules_name(o->terms.rules), "tc", control, "rated", o->terms.rated, "side",
                     side);
}

static void get_seeks(api_call *c) {
    const lobby *l = c->server->lobby;
    int64_t after = api_query_number(c, "after", 0, INT64_MAX, 0);
    int64_t limit = api_query_number(c, "limit", 1, SEEKS_MOST, LOBBY_PAGE);
    json_t *list = json_array();
    const lobby_offer *o = lobby_first_seek(l, after);
    for (; o && limit > 0; limit--, o = lobby_next_seek(o))
        json_array_append_new(list, seek_json(o));
    api_json(c, 200,
             json_pack("{so,sI,sb}", "seeks", list, "open", (json_int_t)lobby_seek_count(l), "more",
                       o != NULL));
}

// One by its number, a private one too: whoever knows the number was given it.
static void get_seek(api_call *c) {
    const lobby_offer *o = lobby_find(c->server->lobby, c->numbers[0]);
    if (o && !o->to)
        api_json(c, 200, seek_json(o));
    else
        api_refuse(c, 404, "offer", "no such offer is open");
}

static const api_route routes[] = {
    {"GET", "/api/v1/games/live", get_live, false},
    {"GET", "/api/v1/games/*", get_game, false},
    {"GET", "/api/v1/games/*/moves", get_moves, false},
    {"GET", "/api/v1/games/*/record", get_record, false},
    {"GET", "/api/v1/seeks", get_seeks, false},
    {"GET", "/api/v1/seeks/*", get_seek, false},
    {.pattern = NULL},
};

const feature game_http_feature = {.name = "game_http", .routes = routes};
