#include "features/fairplay.h"

#include "base/vector.h"
#include "features/features.h"
#include "records/mirror.h"
#include "server/game.h"
#include "store/archive.h"

#include <stdlib.h>

enum {
    FREE_PLIES = 16,  // of a game: whatever comes of openings
    KNOWN_PLIES = 40, // beyond these the explorer knows nothing
    LOOK_BACK = 8     // positions of a line that are compared
};

// A game and the keys of its positions, 0 where the position is free.
typedef struct {
    int64_t game;
    uint64_t *keys; // by ply behind FREE_PLIES
    size_t capacity;
    uint32_t count;
} guarded;

typedef struct {
    table games; // guarded, by game
    table keys;  // how many games are at that key, as a pointer
} fairplay;

static fairplay *fairplay_of(const server *srv) { return feature_state(srv, &fairplay_feature); }

// --- keys ---------------------------------------------------------------------------------------

static int64_t slot_of(uint64_t key) { return (int64_t)(key >> 1 | 1); }

static void count_key(fairplay *g, uint64_t key, int by) {
    uintptr_t count = (uintptr_t)table_find(&g->keys, slot_of(key)) + (uintptr_t)by;
    table_remove(&g->keys, slot_of(key));
    if (count && !table_add(&g->keys, slot_of(key), (void *)count))
        log_write(LEVEL_WARNING, "out of memory");
}

static void note_move(void *context, const stored_opening_move *m) {
    *(bool *)context |= m->first + m->draws + m->second > 0;
}

static bool is_in_explorer(server *srv, uint64_t key, uint32_t ply) {
    bool known = false;
    if (ply <= KNOWN_PLIES)
        store_each_opening_move(srv->store, key, note_move, &known);
    return known;
}

static guarded *find_or_add(fairplay *g, int64_t id) {
    guarded *one = table_find(&g->games, id);
    if (one)
        return one;
    one = calloc(1, sizeof *one);
    if (one && table_add(&g->games, id, one)) {
        one->game = id;
        return one;
    }
    free(one);
    return NULL;
}

// The position after so many plies, more than FREE_PLIES.
static void take_position(server *srv, guarded *one, uint32_t ply, uint64_t key) {
    uint64_t *grown =
        vector_reserve(one->keys, &one->capacity, (size_t)one->count + 1, sizeof *grown);
    if (!grown)
        return;
    one->keys = grown;
    one->keys[one->count++] = is_in_explorer(srv, key, ply) ? 0 : key;
    if (one->keys[one->count - 1])
        count_key(fairplay_of(srv), key, 1);
}

static void on_turn(game *played) {
    const rules_state *s = referee_state(played->judge);
    uint32_t ply = rules_ply(s);
    guarded *one = played->row.rated && ply > FREE_PLIES
                       ? find_or_add(fairplay_of(played->server), played->row.id)
                       : NULL;
    if (one && one->count == ply - FREE_PLIES - 1) // the clock may start more than once
        take_position(played->server, one, ply, mirror_of(s).key);
}

static void let_go_of(fairplay *g, guarded *one) {
    for (uint32_t i = 0; i < one->count; i++)
        if (one->keys[i])
            count_key(g, one->keys[i], -1);
    free(one->keys);
    free(one);
}

static void on_game_over(game *played) {
    fairplay *g = fairplay_of(played->server);
    guarded *one = table_find(&g->games, played->row.id);
    if (!one)
        return;
    table_remove(&g->games, one->game);
    let_go_of(g, one);
}

// A game of an earlier process: all of its positions up to now.
static void take_game(server *srv, const game *played) {
    const rules_state *s = referee_state(played->judge);
    guarded *one = find_or_add(fairplay_of(srv), played->row.id);
    rules_state *copy = malloc(rules_state_size(rules_ply(s)));
    if (copy && one) {
        rules_state_new(copy, played->rules, rules_set_of(s), rules_ply(s));
        bool good = !played->row.fen[0] || rules_set_fen(copy, text_of(played->row.fen), NULL);
        for (uint32_t i = 0; good && i < rules_ply(s); i++) {
            good = rules_play(copy, rules_move_at(s, i), NULL);
            if (good && i + 1 > FREE_PLIES)
                take_position(srv, one, i + 1, mirror_of(copy).key);
        }
    }
    free(copy);
}

static void on_recovered(server *srv) {
    uint32_t at = 0;
    for (const game *g; (g = table_next(&srv->games, &at));)
        if (g->row.rated && !game_is_over(g) && rules_ply(referee_state(g->judge)) > FREE_PLIES)
            take_game(srv, g);
}

// --- asking -------------------------------------------------------------------------------------

// A position that is asked about: its board in every image.
typedef struct {
    uint64_t key;
    int side, points, images;
    char boards[MIRROR_IMAGES][RULES_MAX_POINTS];
} view;

static void look(const rules_state *s, view *v) {
    const rules_game *rules = rules_game_of(s);
    const rules_properties *p = rules_properties_of(rules);
    char board[RULES_MAX_POINTS];
    v->key = mirror_of(s).key;
    v->side = rules_side_to_move(s);
    v->points = p->files * p->ranks;
    v->images = p->images;
    for (int i = 0; i < v->points; i++)
        board[i] = rules_piece_at(s, i);
    for (int i = 0; i < v->images; i++)
        rules_image_board(rules, i, board, v->boards[i]);
}

// Whether the boards differ in no more points than one move changes.
static bool is_near(const view *v, const rules_state *s) {
    for (int i = 0; i < v->images; i++) {
        int different = 0;
        for (int p = 0; p < v->points && different <= 2; p++)
            different += v->boards[i][p] != rules_piece_at(s, p);
        if (different <= 2)
            return true;
    }
    return false;
}

static bool is_child(const view *v, const rules_state *s) {
    rules_move moves[RULES_MAX_MOVES];
    int count = rules_legal_moves(s, moves);
    for (int i = 0; i < count; i++) {
        rules_pos pos = s->pos;
        rules_past past;
        s->game->make(&pos, moves[i], &past);
        if (mirror_of_position(s->game, &pos).key == v->key)
            return true;
    }
    return false;
}

// Whether a move in a game under way leads to it.
static bool is_next(const server *srv, const rules_state *asked) {
    const fairplay *g = fairplay_of(srv);
    view v;
    uint32_t at = 0;
    look(asked, &v);
    for (const guarded *one; (one = table_next(&g->games, &at));) {
        const game *played = table_find(&srv->games, one->game);
        const rules_state *s = played ? referee_state(played->judge) : NULL;
        if (s && one->count && one->keys[one->count - 1] && played->rules == rules_game_of(asked) &&
            rules_side_to_move(s) != v.side && is_near(&v, s) && is_child(&v, s))
            return true;
    }
    return false;
}

bool fairplay_holds(const server *srv, const rules_state *asked) {
    const fairplay *g = fairplay_of(srv);
    uint32_t plies = rules_ply(asked), back = plies < LOOK_BACK ? plies : LOOK_BACK;
    if (g->games.count == 0)
        return false;
    rules_state *line = malloc(rules_state_size(plies));
    if (!line)
        return true;
    memcpy(line, asked, rules_state_size(plies));
    bool held = is_next(srv, asked);
    for (uint32_t i = 0; !held && i <= back; i++) {
        held = table_find(&g->keys, slot_of(mirror_of(line).key)) != NULL;
        if (i < back)
            rules_undo(line);
    }
    free(line);
    return held;
}

// --- the feature --------------------------------------------------------------------------------

static void *start(server *srv, fault *why) {
    (void)srv;
    (void)why;
    return calloc(1, sizeof(fairplay));
}

static void free_fairplay(void *state) {
    fairplay *g = state;
    uint32_t at = 0;
    for (guarded *one; (one = table_next(&g->games, &at));) {
        free(one->keys);
        free(one);
    }
    table_free(&g->games);
    table_free(&g->keys);
    free(g);
}

const feature fairplay_feature = {.name = "fairplay",
                                  .start = start,
                                  .free = free_fairplay,
                                  .on_recovered = on_recovered,
                                  .on_turn = on_turn,
                                  .on_game_over = on_game_over};
