// The frozen opponent of games/surakarta/paper3 behind the interface of the search, so that the
// engine's facade makes a program of it that managers can talk to: kraton-paper3, and with a
// transposition table (PAPER3_TABLE) kraton-paper3-table. It thinks to its depth whatever the clock
// says; only a smaller depth, a stop and `infinite` change that.
#include "search/search.h"

#include "base/clock.h"
#include "games/surakarta/paper3.h"

#include <pthread.h>

struct search {
    paper3 *player;
    rules_state *state; // a copy of the game to think about
    search_limits limits;
    search_listener listener;
    search_result result;
    pthread_t thread;
    bool has_thread;
    atomic_bool stop, running;
    pthread_mutex_t lock; // guards the change of stop, for who waits for it
    pthread_cond_t stopped;
};

search *search_new(void) {
    search *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->stopped, NULL);
    s->player = paper3_new(PAPER3_TABLE);
    if (!s->player) {
        search_free(s);
        return NULL;
    }
    return s;
}

static void join(search *s) {
    if (s->has_thread)
        pthread_join(s->thread, NULL);
    s->has_thread = false;
}

void search_free(search *s) {
    if (!s)
        return;
    search_stop(s);
    join(s);
    paper3_free(s->player);
    free(s->state);
    pthread_cond_destroy(&s->stopped);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

// It has neither memory to set nor threads nor anything learnt.

bool search_set_hash(search *s, size_t megabytes) {
    (void)s, (void)megabytes;
    return true;
}

bool search_set_threads(search *s, int threads) {
    (void)s, (void)threads;
    return true;
}

void search_set_root_splitting(search *s, bool on) { (void)s, (void)on; }
void search_clear(search *s) { (void)s; }
void search_ponder_hit(search *s) { (void)s; }

// The moves played are all the room a copy needs: nothing is added to it.
void search_set_state(search *s, const rules_state *state) {
    join(s);
    uint32_t plies = rules_ply(state);
    size_t size = rules_state_size(plies);
    free(s->state);
    s->state = malloc(size);
    if (s->state)
        memcpy(s->state, state, size);
}

static void report(search *s, const paper3_thought *t) {
    search_report r = {.depth = t->depth,
                       .seldepth = t->depth,
                       .variation = 1,
                       .score = t->score,
                       .bound = SCORE_EXACT,
                       .nodes = t->nodes,
                       .time_us = clock_us() - s->limits.start_us,
                       .pv = &t->move,
                       .pv_count = 1};
    if (s->listener.on_report && t->depth > 0)
        s->listener.on_report(s->listener.context, &r);
}

static void *think(void *argument) {
    search *s = argument;
    int depth = PAPER3_DEPTH;
    if (s->limits.depth > 0 && s->limits.depth < depth)
        depth = s->limits.depth;
    paper3_thought t = {.move = MOVE_NONE};
    if (s->state)
        t = paper3_choose(s->player, s->state, depth, &s->stop);
    report(s, &t);
    pthread_mutex_lock(&s->lock);
    while ((s->limits.is_infinite || s->limits.is_ponder) && !s->stop)
        pthread_cond_wait(&s->stopped, &s->lock);
    pthread_mutex_unlock(&s->lock);
    s->result = (search_result){
        .best = t.move, .score = t.score, .depth = t.depth, .nodes = t.nodes, .ponder = MOVE_NONE};
    s->running = false;
    if (s->listener.on_done)
        s->listener.on_done(s->listener.context, &s->result);
    return NULL;
}

void search_start(search *s, const search_limits *limits, const search_listener *listener) {
    join(s);
    s->limits = *limits;
    s->listener = listener ? *listener : (search_listener){0};
    s->stop = false;
    s->running = true;
    s->has_thread = pthread_create(&s->thread, NULL, think, s) == 0;
    if (!s->has_thread)
        think(s);
}

void search_stop(search *s) {
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_signal(&s->stopped);
    pthread_mutex_unlock(&s->lock);
}

bool search_is_running(const search *s) { return s->running; }

search_result search_wait(search *s) {
    join(s);
    return s->result;
}

search_signature search_bench(int depth) {
    search_signature sum = {0};
    search *s = search_new();
    const rules_game *game = rules_find(text_of("surakarta"));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(0));
    int64_t start = clock_us();
    if (s && memory) {
        search_set_state(s, rules_state_new(memory, game, &set, 0));
        search_start(s, &(search_limits){.depth = depth}, NULL);
        sum.nodes = search_wait(s).nodes;
    }
    sum.time_us = clock_us() - start;
    search_free(s);
    free(memory);
    return sum;
}

int32_t search_evaluate(search *s) {
    paper3_thought t = {.score = 0};
    if (s->state)
        t = paper3_choose(s->player, s->state, 1, NULL);
    return t.score;
}
