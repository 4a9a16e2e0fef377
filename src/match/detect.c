#include "match/detect.h"

#include "match/program.h"
#include "os/file.h"

#include <errno.h>
#include <stdlib.h>

enum { ANSWER_MS = 5000, NEXT_MS = 1000, BETTER_MS = 500 }; // a busy machine needs some time

// An engine that is greeted in several protocols. It is started for each of them: for the first
// one, and a second later, or as soon as it has refused that, for the others at the same time. Of
// several answers that come together, that of the first protocol in the table counts.
typedef struct greetings greetings;

typedef struct {
    greetings *all;
    match_engine engine;
    player *player;
    bool has_begun, has_ended, answered, cannot_start, cannot_set_up;
} greeting;

struct greetings {
    player_world world;
    uv_timer_t next;
    greeting in[DIALECTS]; // by protocol
};

static void let_go(greeting *g, bool at_once) {
    if (g->has_ended)
        return;
    g->has_ended = true;
    player_drop(g->player, at_once);
}

static void begin_others(uv_timer_t *timer);

static void let_go_from(greetings *all, int first) {
    for (int i = first; i < DIALECTS; i++)
        if (all->in[i].player)
            let_go(&all->in[i], true);
}

static bool is_any_left(const greetings *all) {
    for (int i = 0; i < DIALECTS; i++)
        if (all->in[i].player && !all->in[i].has_ended)
            return true;
    return false;
}

static void on_enough(uv_timer_t *timer) { let_go_from(timer->data, 0); }

static void on_idle(player *p) {
    greeting *g = p->owner;
    g->player = p;
    g->cannot_set_up = !dialect_can_set_up(&p->host);
    g->answered = true;
    let_go(g, false);
    let_go_from(g->all, (int)p->host.id);
    uv_timer_stop(&g->all->next);
    if (is_any_left(g->all))
        uv_timer_start(&g->all->next, on_enough, BETTER_MS, 0);
}

static void on_event(player *p, const dialect_event *event, int64_t now) {
    (void)p, (void)event, (void)now;
}

static void on_gone(player *p, player_fate fate, int detail, const char *words) {
    (void)words;
    greeting *g = p->owner;
    g->player = p;
    g->cannot_start = fate == GONE_NOT_STARTED && detail == 127;
    let_go(g, true);
    if (g->cannot_start)
        uv_timer_stop(&g->all->next);
    else
        begin_others(&g->all->next);
}

static void begin(greetings *all, dialect_id id) {
    static const player_events handlers = {
        .on_idle = on_idle, .on_event = on_event, .on_gone = on_gone};
    greeting *g = &all->in[id];
    g->has_begun = true;
    g->engine.dialect = id;
    player *p = player_start(&all->world, &g->engine, &handlers, g);
    if (p)
        g->player = p;
}

static void begin_others(uv_timer_t *timer) {
    greetings *all = timer->data;
    uv_timer_stop(timer);
    for (int i = 0; i < DIALECTS; i++)
        if (all->in[i].all && !all->in[i].has_begun)
            begin(all, (dialect_id)i);
}

// Greets the engine in one protocol, or in all that have words for the game, and lets it go. The
// caller frees what it returns; NULL without memory.
static greetings *greet(const match_engine *engine, const rules_game *game, const char *kraton,
                        bool in_all) {
    greetings *all = calloc(1, sizeof *all);
    uv_loop_t loop;
    if (!all || uv_loop_init(&loop) != 0) {
        free(all);
        return NULL;
    }
    all->world = (player_world){.loop = &loop,
                                .game = game,
                                .kraton = kraton,
                                .error_fd = -1,
                                .hello_us = ANSWER_MS * 1000,
                                .ready_us = ANSWER_MS * 1000,
                                .must_greet = in_all};
    uv_timer_init(&loop, &all->next);
    all->next.data = all;
    dialect_id first = DIALECTS;
    for (int i = DIALECTS - 1; i >= 0; i--) {
        if (!(in_all ? dialect_can_play((dialect_id)i, game) : i == (int)engine->dialect))
            continue;
        all->in[i] = (greeting){.all = all, .engine = *engine};
        all->in[i].engine.option_count = 0;
        first = (dialect_id)i;
    }
    if (first < DIALECTS)
        begin(all, first);
    uv_timer_start(&all->next, begin_others, NEXT_MS, 0);
    if (first < DIALECTS && all->in[first].has_ended)
        uv_timer_start(&all->next, begin_others, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&all->next, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return all;
}

bool match_can_set_up(const match_engine *engine, const rules_game *game, const char *kraton) {
    greetings *all = greet(engine, game, kraton, false);
    bool can = all && !all->in[engine->dialect].cannot_set_up;
    free(all);
    return can;
}

static bool find_dialect(match_engine *engine, const rules_game *game, const char *kraton,
                         const char *path, const char *remedy, fault *why) {
    char tried[64];
    writer w = writer_on(tried, sizeof tried);
    greetings *all = greet(engine, game, kraton, true);
    if (!all)
        return fault_set(why, "out of memory");
    bool cannot_start = false;
    for (int i = DIALECTS - 1; i >= 0; i--) {
        const greeting *g = &all->in[i];
        cannot_start |= g->cannot_start;
        if (g->answered) { // of several, the first in the table
            engine->dialect_known = true;
            engine->dialect = (dialect_id)i;
        }
    }
    for (int i = 0; i < DIALECTS; i++)
        if (all->in[i].all)
            write_format(&w, "%s%s", w.used ? ", " : "", dialect_name((dialect_id)i));
    free(all);
    if (engine->dialect_known)
        return true;
    return cannot_start
               ? fault_set(why, "engine %s cannot be started: the system cannot run %.150s",
                           engine->name, path)
               : fault_set(why, "engine %s answers no greeting (%s); name its protocol with %s",
                           engine->name, tried, remedy);
}

bool match_detect(match_engine *engine, const rules_game *game, const char *kraton,
                  const char *remedy, fault *why) {
    char path[PROGRAM_PATH_SIZE];
    fault missing;
    os_file_status status;
    const char *folder = engine->directory;
    if (!engine->command[0])
        return fault_set(why, "the engine has no cmd");
    if (folder && !os_path_get_status(folder, &status))
        return fault_set(why, "engine %s: dir %.150s: %s", engine->name, folder, strerror(errno));
    if (folder && status.kind != OS_KIND_FOLDER)
        return fault_set(why, "engine %s: dir %.150s is no folder", engine->name, folder);
    if (!program_find(engine->command[0], folder, kraton, path, &missing))
        return fault_set(why, "engine %s cannot be started: %.160s", engine->name, missing.line);
    return engine->dialect_known || find_dialect(engine, game, kraton, path, remedy, why);
}
