#include "server/bots.h"

#include "server/engines.h"

#include <stdlib.h>

enum { UNTIMED_MOVE_US = 3000000 }; // to think at most where there is no clock

struct bots {
    world *world;
    member *members[ENGINES_LEVELS];
    int levels[ENGINES_LEVELS]; // what member->bot points to
    int games;                  // being played by them
};

static member *take_in(world *w, int level) {
    stored_player p = {.kind = PLAYER_HOUSE, .created = world_wall()};
    writer out = writer_on(p.name, sizeof p.name);
    write_format(&out, "House-%d", level);
    stored_player found;
    if (store_find_player_named(w->store, text_of(p.name), &found))
        return member_get(w, found.id);
    return store_add_player(w->store, &p) ? member_get(w, p.id) : NULL;
}

bots *bots_new(world *w) {
    bots *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->world = w;
    for (int i = 0; i < ENGINES_LEVELS && w->options->house_bots > 0; i++) {
        b->members[i] = take_in(w, i + 1);
        if (!b->members[i]) {
            bots_free(b);
            return NULL;
        }
        b->levels[i] = i + 1;
        b->members[i]->bot = &b->levels[i];
    }
    return b;
}

void bots_free(bots *b) {
    for (int i = 0; b && i < ENGINES_LEVELS; i++)
        if (b->members[i]) {
            b->members[i]->bot = NULL;
            member_release(b->members[i]);
        }
    free(b);
}

static int level_of(const member *m) { return m->bot ? *(const int *)m->bot : 0; }

// --- at the board -------------------------------------------------------------------------------

void bots_on_asked(game *g) {
    world *w = g->world;
    const rules_state *state = referee_state(g->judge);
    int side = rules_side_to_move(state);
    const member *m = g->seats[side].member;
    if (!level_of(m))
        return;
    const referee_terms *terms = referee_terms_of(g->judge);
    engine_question q = {.kind = ASKER_BOT,
                         .id = g->row.id,
                         .state = state,
                         .start = g->row.fen,
                         .level = level_of(m),
                         .limits = {.moves_to_go = referee_moves_to_go(g->judge, side),
                                    .move_time_us = terms->control[side].move_time_us}};
    for (int i = 0; i < 2; i++) {
        q.limits.clock_us[i] = referee_left(g->judge, i);
        q.limits.increment_us[i] = terms->control[i].increment_us;
    }
    // Without any limit it would think until it is stopped.
    if (q.limits.clock_us[side] < 0 && !q.limits.move_time_us)
        q.limits.move_time_us = UNTIMED_MOVE_US;
    if (q.limits.clock_us[side] > 0) // used before a pause, and charged with the move only
        q.limits.clock_us[side] = referee_left_now(g->judge, side, world_now(w));
    if (q.limits.clock_us[side] < 0 && !q.limits.move_time_us)
        q.limits.move_time_us = BOTS_FREE_MS * 1000LL;
    engines_forget(w->engines, ASKER_BOT, q.id); // asked before a pause, it would answer twice
    if (!engines_ask(w->engines, &q))
        game_fail(g, side, "has no engine to think with");
}

void bots_on_answer(world *w, int64_t id, rules_move move, const dialect_info *info,
                    const char *why) {
    game *g = game_find(w, id);
    if (!g || game_is_over(g))
        return;
    const rules_state *state = referee_state(g->judge);
    int side = rules_side_to_move(state);
    if (!level_of(g->seats[side].member))
        return;
    if (move == MOVE_NONE) {
        game_fail(g, side, why);
        return;
    }
    char word[RULES_MOVE_SIZE];
    writer out = writer_on(word, sizeof word);
    rules_format_move(state, move, NOTATION_NATIVE, &out);
    game_move m = {.ply = -1,
                   .move = {word, out.used},
                   .read = world_time(w, pump_stamp(&w->pump)),
                   .has_score = info->has_score,
                   .is_mate = info->is_mate,
                   .score = info->score,
                   .depth = info->depth,
                   .nodes = info->nodes,
                   .round_trip = -1};
    fault refused;
    const char *code = game_play(g, side, &m, &refused);
    if (code) // paused meanwhile; it is asked again when the clock goes on
        world_log("a bot's move in game %lld: %s", (long long)id, refused.line);
}

void bots_on_over(game *g) {
    for (int side = 0; side < 2; side++)
        if (level_of(g->seats[side].member))
            engines_forget(g->world->engines, ASKER_BOT, g->row.id);
}

static int games_between(const member *bot, const member *other) {
    int count = 0;
    for (const seat *s = other->seats; s; s = s->next)
        count += s->game->seats[s->side ^ 1].member == bot;
    return count;
}

// Whether the bot plays enough, or enough with that one.
static bool is_busy(const world *w, const member *bot, const member *other) {
    int playing = 0;
    for (int i = 0; i < ENGINES_LEVELS; i++)
        playing += w->bots->members[i]->game_count;
    return playing >= BOTS_MOST_GAMES || games_between(bot, other) >= BOTS_MOST_OF_ONE;
}

void bots_on_offer(game *g, const char *kind, int side) {
    if (!level_of(g->seats[side ^ 1].member))
        return;
    if (strcmp(kind, "takeback") == 0) {
        engines_forget(g->world->engines, ASKER_BOT, g->row.id);
        offers_grant_takeback(g, side);
    } else if (strcmp(kind, "rematch") == 0) {
        const member *other = g->seats[side].member;
        if (is_busy(g->world, g->seats[side ^ 1].member, other))
            offers_decline_rematch(g);
        else
            offers_grant_rematch(g);
    }
}

// --- challenges ---------------------------------------------------------------------------------

void bots_on_challenge(const offer *o) {
    world *w = o->from->world;
    fault why;
    if (!level_of(o->to))
        return;
    if (is_busy(w, o->to, o->from) || !lobby_accept(w->lobby, o, o->to, &why))
        lobby_decline(w->lobby, o);
}
