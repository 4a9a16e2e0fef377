#include "match/probe.h"

#include "match/program.h"

#include <stdlib.h>

enum { PROBE_MS = 3000 };

typedef struct {
    bool answered, cannot_start, cannot_set_up;
} probe;

static void on_idle(player *p) {
    probe *state = p->owner;
    // An engine that need not greet is taken without a greeting, so silence is no answer there.
    state->cannot_set_up = !dialect_can_set_up(&p->host);
    state->answered = !dialect_properties_of(p->host.id)->greeting_is_optional || p->host.has_done;
    player_drop(p, false);
}

static void on_event(player *p, const dialect_event *event, int64_t now) {
    (void)p, (void)event, (void)now;
}

static void on_gone(player *p, player_fate fate, int detail, const char *words) {
    (void)words;
    probe *state = p->owner;
    state->cannot_start = fate == GONE_NOT_STARTED && detail == 127;
    player_drop(p, true);
}

// Greets the engine and lets it go.
static probe try_dialect(const match_engine *engine, const rules_game *game, const char *guard,
                         dialect_id id) {
    static const player_events handlers = {on_idle, on_event, on_gone, NULL};
    match_engine trial = *engine;
    trial.dialect = id;
    trial.option_count = 0;
    player_world *world = calloc(1, sizeof *world);
    uv_loop_t loop;
    probe state = {0};
    if (!world || uv_loop_init(&loop) != 0) {
        free(world);
        return state;
    }
    world->loop = &loop;
    world->game = game;
    world->guard = guard;
    world->error_fd = -1;
    world->hello_us = world->ready_us = PROBE_MS * 1000;
    if (player_start(world, &trial, &handlers, &state))
        uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    free(world);
    return state;
}

bool match_can_set_up(const match_engine *engine, const rules_game *game, const char *guard) {
    return !try_dialect(engine, game, guard, engine->dialect).cannot_set_up;
}

bool match_probe(match_engine *engine, const rules_game *game, const char *guard, fault *why) {
    char path[PROGRAM_PATH_SIZE], tried[64];
    writer w = writer_on(tried, sizeof tried);
    fault missing;
    if (!engine->command[0])
        return fault_set(why, "the engine has no cmd");
    if (!program_find(engine->command[0], engine->directory, guard, path, &missing))
        return fault_set(why, "engine %s cannot be started: %.160s", engine->name, missing.line);
    for (int i = 0; i < DIALECTS && !engine->dialect_known; i++) {
        dialect_id id = (dialect_id)i;
        if (!dialect_can_play(id, game))
            continue;
        write_format(&w, "%s%s", w.used ? ", " : "", dialect_name(id));
        probe state = try_dialect(engine, game, guard, id);
        engine->dialect_known = state.answered;
        if (engine->dialect_known)
            engine->dialect = id;
        else if (state.cannot_start)
            return fault_set(why, "engine %s cannot be started: the system cannot run %.150s",
                             engine->name, path);
    }
    return engine->dialect_known ||
           fault_set(why,
                     "engine %s answers no greeting (%s); name its dialect with "
                     "dialect=",
                     engine->name, tried);
}
