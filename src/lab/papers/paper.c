// The search's interface (search/search.h) for a player that thinks to a fixed depth, whatever the
// clock says: it has no memory to set, no second thread, nothing that it learns.
#include "search/search.h"

#include "lab/papers/paper.h"
#include "os/clock.h"
#include "os/thread.h"

#include <stdlib.h>

struct search {
    paper *player;
    rules_state *state; // a copy of the game to think about
    search_limits limits;
    search_listener listener;
    search_result result;
    os_thread thread;
    bool has_thread;
    atomic_bool stop, is_running;
    os_mutex lock; // guards what `changed` tells of: stop, limits.is_ponder
    os_condition changed;
};

search *search_new(void) {
    search *s = calloc(1, sizeof *s);
    paper *player = paper_new();
    if (!s || !player) {
        free(s);
        if (player)
            paper_free(player);
        return NULL;
    }
    s->player = player;
    os_mutex_init(&s->lock);
    os_condition_init(&s->changed);
    return s;
}

static void join(search *s) {
    if (s->has_thread)
        os_thread_join(&s->thread);
    s->has_thread = false;
}

void search_free(search *s) {
    if (!s)
        return;
    search_stop(s);
    join(s);
    paper_free(s->player);
    free(s->state);
    os_condition_destroy(&s->changed);
    os_mutex_destroy(&s->lock);
    free(s);
}

bool search_set_hash(search *s, size_t megabytes) {
    (void)s, (void)megabytes;
    return true;
}

bool search_set_threads(search *s, int threads) {
    (void)s, (void)threads;
    return true;
}

void search_set_root_splitting(search *s, bool on) { (void)s, (void)on; }

bool search_takes_networks(void) { return false; }

bool search_set_network(search *s, const struct network *net) {
    (void)s;
    return net == NULL;
}

void search_set_tables(search *s, const struct game_tables *tables) { (void)s, (void)tables; }

void search_clear(search *s) { (void)s; }

// The moves played are all the room a copy needs: nothing is added to it.
void search_set_state(search *s, const rules_state *state) {
    join(s);
    size_t size = rules_state_size(rules_ply(state));
    free(s->state);
    s->state = malloc(size);
    if (s->state)
        memcpy(s->state, state, size);
}

static void report(search *s, const paper_thought *t) {
    search_report r = {.depth = t->depth,
                       .seldepth = t->depth,
                       .variation = 1,
                       .score = t->score,
                       .bound = SCORE_EXACT,
                       .nodes = t->nodes,
                       .time_us = clock_us() - s->limits.start_us,
                       .pv = t->line,
                       .pv_count = t->line_length};
    if (s->listener.on_report && t->depth > 0 && t->line_length > 0)
        s->listener.on_report(s->listener.context, &r);
}

// An answer that is not wanted before somebody says so.
static void wait_until_wanted(search *s) {
    os_mutex_lock(&s->lock);
    while ((s->limits.is_infinite || s->limits.is_ponder) && !s->stop)
        os_condition_wait(&s->changed, &s->lock);
    os_mutex_unlock(&s->lock);
}

static void think(void *argument) {
    search *s = argument;
    paper_thought t = {0};
    if (s->state)
        t = paper_think(s->player, s->state, paper_depth(s->limits.depth), &s->stop);
    report(s, &t);
    wait_until_wanted(s);
    s->result = (search_result){.best = t.line_length > 0 ? t.line[0] : MOVE_NONE,
                                .ponder = t.line_length > 1 ? t.line[1] : MOVE_NONE,
                                .score = t.score,
                                .depth = t.depth,
                                .nodes = t.nodes};
    s->is_running = false;
    if (s->listener.on_done)
        s->listener.on_done(s->listener.context, &s->result);
}

void search_start(search *s, const search_limits *limits, const search_listener *listener) {
    join(s);
    s->limits = *limits;
    s->listener = listener ? *listener : (search_listener){0};
    s->stop = false;
    s->is_running = true;
    s->has_thread = os_thread_start(&s->thread, think, s);
    if (!s->has_thread)
        think(s);
}

void search_stop(search *s) {
    os_mutex_lock(&s->lock);
    s->stop = true;
    os_condition_signal(&s->changed);
    os_mutex_unlock(&s->lock);
}

void search_ponder_hit(search *s) {
    os_mutex_lock(&s->lock);
    s->limits.is_ponder = false;
    os_condition_signal(&s->changed);
    os_mutex_unlock(&s->lock);
}

bool search_is_running(const search *s) { return s->is_running; }

search_result search_wait(search *s) {
    join(s);
    return s->result;
}

// A search of the player's own position; false when memory is short.
static bool search_own(search *s, int depth, uint64_t *nodes) {
    const rules_game *game = rules_find(text_of(paper_game()));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(0));
    fault why;
    if (!memory)
        return false;
    rules_state *state = rules_state_new(memory, game, &set, 0);
    bool good = rules_set_fen(state, text_of(paper_fen()), &why);
    if (good) {
        search_set_state(s, state);
        search_start(s, &(search_limits){.depth = depth}, NULL);
        *nodes = search_wait(s).nodes;
    }
    free(memory);
    return good;
}

search_signature search_bench(int depth, const struct network *net) {
    (void)net;
    search_signature sum = {0};
    int64_t start = clock_us();
    search *s = search_new();
    if (s && !search_own(s, depth, &sum.nodes))
        sum.nodes = 0;
    sum.time_us = clock_us() - start;
    sum.positions = 1;
    search_free(s);
    return sum;
}

int32_t search_evaluate(search *s) {
    return s->state ? paper_think(s->player, s->state, 1, NULL).score : 0;
}
