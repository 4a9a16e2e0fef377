// The opening explorer: what an opening is called, and how often and how well each move did in the
// games of this server. Games are taken in when they end, up to mirror images; those that ended
// before there was an explorer are taken in once, a few a second.
#include "features/explorer.h"

#include "base/minmax.h"
#include "features/features.h"
#include "features/position.h"
#include "records/mirror.h"
#include "records/opening_name.h"
#include "server/game.h"
#include "store/archive.h"

#include <stdlib.h>

enum {
    EXPLORER_PLIES = 30, // of each game are counted
    OLD_GAMES = 8,       // taken in a second,
    OLD_US = 1000        // and for so long
};

// --- taking games in ----------------------------------------------------------------------------

// What a walk through a game does with each position and the move that follows it.
typedef struct {
    store *store;
    uint64_t *keys; // NULL: not wanted
    int count;
    int was, is; // outcomes: the one no longer counted (-1: none), the one counted now
} walk;

static void visit(walk *k, const rules_state *s, rules_move move) {
    mirror m = mirror_of(s);
    if (k->keys)
        k->keys[k->count] = m.key;
    if (move != MOVE_NONE && k->count < EXPLORER_PLIES) {
        if (k->was > RULES_ONGOING)
            store_count_move(k->store, m.key, mirror_move(&m, move), k->was, -1);
        if (k->is > RULES_ONGOING)
            store_count_move(k->store, m.key, mirror_move(&m, move), k->is, 1);
    }
    k->count++;
}

static void walk_game(walk *k, const stored_game *row, const stored_move *moves, int plies) {
    const rules_game *rules = rules_find(text_of(row->game));
    void *memory = malloc(rules_state_size((uint32_t)plies + 1));
    if (!rules || !memory) {
        free(memory);
        return;
    }
    rules_set set = rules_default_set(rules);
    rules_state *s = rules_state_new(memory, rules, &set, (uint32_t)plies + 1);
    bool good = !row->fen[0] || rules_set_fen(s, text_of(row->fen), NULL);
    for (int i = 0; good && i < plies; i++) {
        rules_move move;
        good = rules_parse_move(s, text_of(moves[i].move), &move, NULL);
        if (good)
            visit(k, s, move);
        good = good && rules_play(s, move, NULL);
    }
    if (good)
        visit(k, s, MOVE_NONE);
    free(memory);
}

void explorer_take_in(store *s, const stored_game *row, const stored_move *moves, int plies) {
    walk k = {.store = s,
              .keys = malloc(((size_t)plies + 1) * sizeof *k.keys),
              .was = -1,
              .is = row->outcome};
    if (!k.keys)
        return;
    walk_game(&k, row, moves, plies);
    store_set_keys(s, row->id, row->outcome, k.keys, k.count);
    free(k.keys);
}

void explorer_name_opening(store *s, int64_t id, const rules_state *end) {
    const opening_name *o = opening_name_of(end);
    char name[160];
    writer w = writer_on(name, sizeof name);
    if (!o)
        return;
    write_format(&w, "%s %s %s", o->code, o->chinese, o->english);
    store_set_opening(s, id, name);
}

static void on_game_over(game *g) {
    explorer_name_opening(g->server->store, g->row.id, referee_state(g->judge));
    explorer_take_in(g->server->store, &g->row, g->moves, g->row.plies);
}

void explorer_take_out(store *s, int64_t id) {
    stored_game row;
    int was = store_keys_outcome(s, id), plies;
    if (was < 0 || !store_find_game(s, id, &row))
        return;
    stored_move *moves = store_game_moves(s, id, &plies);
    walk k = {.store = s, .was = was, .is = -1};
    walk_game(&k, &row, moves, min_int(plies, EXPLORER_PLIES));
    free(moves);
}

static void on_corrected(server *srv, const stored_game *now, int before) {
    (void)before;
    int64_t id = now->id;
    stored_game row;
    int was = store_keys_outcome(srv->store, id), plies;
    if (was < 0 || !store_find_game(srv->store, id, &row))
        return;
    stored_move *moves = store_game_moves(srv->store, id, &plies);
    walk k = {.store = srv->store, .was = was, .is = row.outcome};
    walk_game(&k, &row, moves, min_int(plies, EXPLORER_PLIES));
    store_set_keys_outcome(srv->store, id, row.outcome);
    free(moves);
}

static void take_in_old(server *srv, int64_t id) {
    stored_game row;
    int plies;
    if (!store_find_game(srv->store, id, &row) || !row.ended ||
        store_keys_outcome(srv->store, id) >= 0)
        return;
    stored_move *moves = store_game_moves(srv->store, id, &plies);
    explorer_take_in(srv->store, &row, moves, plies);
    free(moves);
}

static void tick(server *srv) {
    int64_t until = clock_thread_us() + OLD_US;
    for (int i = 0; i < OLD_GAMES && clock_thread_us() < until; i++) {
        int64_t id = store_next_unindexed(srv->store);
        if (!id)
            return;
        take_in_old(srv, id);
        turns_want(&srv->turns);
    }
}

// --- asking -------------------------------------------------------------------------------------

// A position looked at: its legal moves, and what is known of each.
typedef struct {
    mirror mirror;
    int count;
    rules_move moves[RULES_MAX_MOVES];
    stored_opening_move known[RULES_MAX_MOVES];
    const opening_name *names[RULES_MAX_MOVES];
} view;

static int64_t games_of(const stored_opening_move *m) { return m->first + m->draws + m->second; }

// In a symmetric position one stored move stands for several; the first of them gets the figures.
static void take_known(void *context, const stored_opening_move *m) {
    view *v = context;
    for (int i = 0; i < v->count; i++)
        if (mirror_move(&v->mirror, v->moves[i]) == m->move) {
            v->known[i] = *m;
            return;
        }
}

static void look(view *v, rules_state *s, store *from) {
    v->mirror = mirror_of(s);
    v->count = rules_result(s).outcome == RULES_ONGOING ? rules_legal_moves(s, v->moves) : 0;
    store_each_opening_move(from, v->mirror.key, take_known, v);
    for (int i = 0; i < v->count; i++)
        if (rules_play(s, v->moves[i], NULL)) {
            v->names[i] = opening_name_at(s);
            rules_undo(s);
        }
}

static json_t *name_json(const opening_name *o) {
    return o ? json_pack("{ss,ss,ss}", "code", o->code, "zh", o->chinese, "en", o->english)
             : json_null();
}

static json_t *figures_json(const stored_opening_move *m) {
    return json_pack("{sI,sI,sI,sI}", "games", (json_int_t)games_of(m), "first",
                     (json_int_t)m->first, "draws", (json_int_t)m->draws, "second",
                     (json_int_t)m->second);
}

static json_t *move_json(const view *v, const rules_state *s, int i) {
    char word[RULES_MOVE_SIZE];
    writer w = writer_on(word, sizeof word);
    rules_format_move(s, v->moves[i], NOTATION_NATIVE, &w);
    json_t *j = figures_json(&v->known[i]);
    json_object_set_new(j, "move", json_string(word));
    if (v->names[i])
        json_object_set_new(j, "name", name_json(v->names[i]));
    return j;
}

// The next move to show: the most played of those left; -1: no games with the others.
static int best_left(const view *v, const bool shown[RULES_MAX_MOVES]) {
    int best = -1;
    for (int i = 0; i < v->count; i++)
        if (!shown[i] && (games_of(&v->known[i]) || v->names[i]) &&
            (best < 0 || games_of(&v->known[i]) > games_of(&v->known[best])))
            best = i;
    return best;
}

static json_t *view_json(const view *v, const rules_state *s) {
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(s, &w);
    stored_opening_move all = {0};
    bool shown[RULES_MAX_MOVES] = {false};
    json_t *moves = json_array();
    for (int i; (i = best_left(v, shown)) >= 0;) {
        shown[i] = true;
        json_array_append_new(moves, move_json(v, s, i));
        all.first += v->known[i].first;
        all.draws += v->known[i].draws;
        all.second += v->known[i].second;
    }
    json_t *j = figures_json(&all);
    json_object_set_new(j, "fen", json_string(fen));
    json_object_set_new(j, "name", name_json(opening_name_of(s)));
    json_object_set_new(j, "moves", moves);
    return j;
}

static void get_openings(api_call *c) {
    const rules_game *rules = position_game(c);
    rules_state *s = rules ? position_read(c, rules, NULL) : NULL;
    view *v = s ? calloc(1, sizeof *v) : NULL;
    if (v) {
        look(v, s, c->server->store);
        api_json(c, 200, view_json(v, s));
    } else if (s) {
        api_refuse(c, 503, "busy", "out of memory");
    }
    free(v);
    free(s);
}

static const api_route routes[] = {
    {"GET", "/api/v1/openings/*", get_openings, false},
    {.pattern = NULL},
};

const feature explorer_feature = {.name = "explorer",
                                  .routes = routes,
                                  .tick = tick,
                                  .on_game_over = on_game_over,
                                  .on_corrected = on_corrected};
