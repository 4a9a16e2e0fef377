// The life of a search: memory, threads, starting and stopping, reports, the bench.
#include "search/search.h"

#include "base/isa.h"
#include "base/minmax.h"
#include "os/clock.h"
#include "os/map.h"
#include "search/internal.h"
#include "search/tuned.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64 };

// --- parameters as variables, for SPSA: tuned.h -------------------------------------------------

#ifdef KRATON_TUNED
#define AS_ROW(name, value) {#name, value},
const tuned_param tuned_params[] = {TUNED_LIST(AS_ROW)};
#undef AS_ROW
const int tuned_count = TUNED_COUNT;

#define AS_VALUE(name, value) value,
static const int usual[] = {TUNED_LIST(AS_VALUE)};
#undef AS_VALUE

_Thread_local const int *search_params = usual;

void tuned_use(const int *values) { search_params = values ? values : usual; }
#endif

// --- memory -------------------------------------------------------------------------------------

static worker *new_worker(search *s, int index) {
    worker *w = os_aligned_new(CACHE_LINE, sizeof *w);
    if (!w)
        return NULL;
    memset(w, 0, sizeof *w);
    w->shared = s;
    w->index = index;
    os_mutex_init(&w->task.lock);
    os_condition_init(&w->task.changed);
    return w;
}

static void free_worker(worker *w) {
    os_condition_destroy(&w->task.changed);
    os_mutex_destroy(&w->task.lock);
    os_aligned_free(w);
}

static void live_first(void *argument);

search *search_new(void) {
    search *s = os_aligned_new(CACHE_LINE, sizeof *s);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    s->game = timeman_game_new();
    os_mutex_init(&s->lock);
    os_condition_init(&s->wake);
    s->has_thread = OS_HAS_THREADS && os_thread_start(&s->thread[0], live_first, s);
    if (s->has_thread != OS_HAS_THREADS || !search_set_threads(s, 1) || !search_set_hash(s, 16)) {
        search_free(s);
        return NULL;
    }
    const rules_game *game = rules_find(text_of(GAME_NAME));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(0));
    if (!memory) {
        search_free(s);
        return NULL;
    }
    search_set_state(s, rules_state_new(memory, game, &set, 0));
    free(memory);
    return s;
}

// Waits for the search that runs, its last callback included.
static void await_idle(search *s) {
    os_mutex_lock(&s->lock);
    while (s->is_busy)
        os_condition_wait(&s->wake, &s->lock);
    os_mutex_unlock(&s->lock);
}

static void end_first(search *s) {
    if (!s->has_thread)
        return;
    os_mutex_lock(&s->lock);
    s->is_ending = true;
    os_condition_broadcast(&s->wake);
    os_mutex_unlock(&s->lock);
    os_thread_join(&s->thread[0]);
}

void search_free(search *s) {
    if (!s)
        return;
    search_stop(s);
    await_idle(s);
    end_first(s);
    for (int i = 0; i < s->threads; i++)
        free_worker(s->workers[i]);
    free(s->workers);
    tt_free(&s->tt);
    os_condition_destroy(&s->wake);
    os_mutex_destroy(&s->lock);
    os_aligned_free(s);
}

bool search_set_hash(search *s, size_t megabytes) {
    await_idle(s);
    return tt_resize(&s->tt, megabytes);
}

bool search_set_threads(search *s, int threads) {
    await_idle(s);
    threads = clamp_int(threads, 1, SEARCH_MAX_THREADS);
    worker **workers = calloc((size_t)threads, sizeof *workers);
    if (!workers)
        return false;
    int kept = min_int(threads, s->threads);
    for (int i = kept; i < threads; i++)
        if (!(workers[i] = new_worker(s, i))) {
            while (i-- > kept)
                free_worker(workers[i]);
            free(workers);
            return false;
        }
    if (kept)
        memcpy(workers, s->workers, (size_t)kept * sizeof *workers);
    for (int i = kept; i < s->threads; i++)
        free_worker(s->workers[i]);
    free(s->workers);
    s->workers = workers;
    s->threads = threads;
    return true;
}

void search_set_root_splitting(search *s, bool on) { s->splits_root = on; }

void search_clear(search *s) {
    await_idle(s);
    tt_clear(&s->tt);
    s->game = timeman_game_new();
    for (int i = 0; i < s->threads; i++) {
        memset(&s->workers[i]->history, 0, sizeof s->workers[i]->history);
        memset(&s->workers[i]->memory, 0, sizeof s->workers[i]->memory);
    }
}

// --- position -----------------------------------------------------------------------------------

bool search_takes_networks(void) { return GAME_NETWORKS; }

bool search_set_network(search *s, const struct network *net) {
    await_idle(s);
    if (net && !game_takes_network(net))
        return false;
    s->network = net;
    for (int i = 0; i < s->threads; i++)
        memset(&s->workers[i]->memory, 0, sizeof s->workers[i]->memory);
    return true;
}

void search_set_params(search *s, const int *values) {
    await_idle(s);
    s->params = values;
}

void search_set_tables(search *s, const struct game_tables *tables) {
    await_idle(s);
    s->tables = tables;
    s->prober = game_prober_of(tables, &s->set);
}

void search_set_state(search *s, const rules_state *state) {
    await_idle(s);
    if (memcmp(&s->set, rules_set_of(state), sizeof s->set) != 0)
        search_clear(s); // scores under other rules are worthless
    s->set = *rules_set_of(state);
    s->prober = game_prober_of(s->tables, &s->set);
    s->pos = game_position(state);
    // No position before the last capture can repeat.
    uint32_t ply = rules_ply(state), quiet = (uint32_t)game_quiet(&s->pos);
    uint32_t count = min_u32(quiet, ply);
    count = min_u32(count, PATH_BEFORE);
    for (uint32_t i = 0; i < count; i++)
        s->past[i] = game_past(state, ply - count + i);
    s->past_count = (int)count;
}

int32_t search_evaluate(search *s) {
    await_idle(s);
    game_eval e;
    game_refresh(&e, &s->pos, s->network);
    return game_evaluate(&s->pos, &e, NULL);
}

// --- the vote among threads ---------------------------------------------------------------------

enum { LEAST_WEIGHT = 15 }; // of a vote, per ply of its depth

static int64_t votes_for(const ballot *ballots, int count, rules_move move, int32_t worst) {
    int64_t votes = 0;
    for (int i = 0; i < count; i++)
        if (ballots[i].depth > 0 && ballots[i].move == move)
            votes += (int64_t)(ballots[i].score - worst + LEAST_WEIGHT) * ballots[i].depth;
    return votes;
}

// Results count as they are: proven wins by distance, then estimates, then losses.
static bool is_decided(int32_t score) { return !score_is_open(score); }

int search_vote(const ballot *ballots, int count) {
    int best = 0;
    int32_t worst = SCORE_INFINITE;
    for (int i = 0; i < count; i++)
        if (ballots[i].depth > 0)
            worst = min_int(worst, ballots[i].score);
    for (int i = 1; i < count; i++) {
        const ballot *one = &ballots[i], *other = &ballots[best];
        if (one->depth == 0)
            continue;
        bool is_better;
        if (other->depth == 0)
            is_better = true;
        else if (is_decided(other->score) || one->score >= SCORE_DECIDED)
            is_better = one->score > other->score;
        else if (one->score <= -SCORE_DECIDED)
            is_better = false; // it may not have finished the move that saves it
        else {
            int64_t gain = votes_for(ballots, count, one->move, worst) -
                           votes_for(ballots, count, other->move, worst);
            // Of those that agree, the deepest has the best line.
            is_better = gain > 0 || (gain == 0 && one->depth > other->depth);
        }
        if (is_better)
            best = i;
    }
    return best;
}

// --- reports ------------------------------------------------------------------------------------

uint64_t search_count_nodes(const search *s) {
    uint64_t nodes = 0;
    for (int i = 0; i < s->threads; i++)
        nodes += atomic_load_explicit(&s->workers[i]->nodes, memory_order_relaxed);
    return nodes;
}

uint64_t search_count_hits(const search *s) {
    uint64_t hits = 0;
    for (int i = 0; i < s->threads; i++)
        hits += atomic_load_explicit(&s->workers[i]->table_hits, memory_order_relaxed);
    return hits;
}

void search_tell(const worker *w, int variation) {
    search *s = w->shared;
    const root_move *r = &w->root[variation];
    bool is_done = r->score > -SCORE_INFINITE;
    search_report line = {.depth = r->depth,
                          .seldepth = r->seldepth + 1,
                          .variation = variation + 1,
                          .score = is_done ? r->score : r->last_score,
                          .bound = is_done ? r->bound : SCORE_EXACT,
                          .nodes = search_count_nodes(s),
                          .table_hits = search_count_hits(s),
                          .time_us = clock_us() - atomic_load(&s->start_us),
                          .hash_full = tt_full(&s->tt),
                          .pv = r->pv,
                          .pv_count = r->pv_count};
    if (!s->listener.on_report || line.score <= -SCORE_INFINITE)
        return;
    if (variation == 0)
        s->told = r->move;
    s->listener.on_report(s->listener.context, &line);
}

// --- running ------------------------------------------------------------------------------------

static void run_helper(void *argument) { ISA_PICK(search_think)(argument); }

// `go infinite` must not be answered before stop, pondering not before stop or a hit.
static void wait_to_answer(search *s) {
    if (!s->has_thread)
        return; // nobody could end the wait
    os_mutex_lock(&s->lock);
    while (!atomic_load(&s->is_asked) && (s->limits.is_infinite || atomic_load(&s->is_pondering)))
        os_condition_wait(&s->wake, &s->lock);
    os_mutex_unlock(&s->lock);
}

// The thread whose result is given; with several variations always the first.
static const worker *best_worker(const search *s) {
    ballot ballots[SEARCH_MAX_THREADS];
    if (s->limits.variations > 1 || s->splits_root)
        return s->workers[0];
    for (int i = 0; i < s->threads; i++) {
        const worker *w = s->workers[i];
        ballots[i] = (ballot){.move = MOVE_NONE};
        if (w->root_count > 0 && w->root[0].score > -SCORE_INFINITE)
            ballots[i] = (ballot){w->root[0].move, w->root[0].score, w->done_depth};
    }
    return s->workers[search_vote(ballots, s->threads)];
}

// The best move has changed since the last report: reports all variations again before the answer.
static void tell_last(const search *s, const worker *w) {
    search_tell(w, 0);
    for (int i = 1; i < s->limits.variations && i < w->root_count; i++)
        search_tell(w, i);
}

static void end_move(search *s) {
    timeman_answer answer = {.start_us = atomic_load(&s->start_us),
                             .end_us = clock_us(),
                             .is_missed = atomic_load(&s->is_pondering),
                             .score = s->result.depth > 0 ? s->result.score : SCORE_NONE};
    timeman_end_move(&s->game, &s->limits, &answer);
}

static void run_first(search *s) {
    while (s->helpers + 1 < s->threads &&
           os_thread_start(&s->thread[s->helpers + 1], run_helper, s->workers[s->helpers + 1]))
        s->helpers++;
    ISA_PICK(search_think)(s->workers[0]);
    wait_to_answer(s);
    atomic_store(&s->stop, true);
    for (int i = 1; i <= s->helpers; i++)
        os_thread_join(&s->thread[i]);
    const worker *w = best_worker(s);
    search_result *r = &s->result;
    *r = (search_result){.nodes = search_count_nodes(s), .depth = w->done_depth};
    if (w->root_count) {
        if (r->depth == 0 && w->root[0].score > -SCORE_INFINITE)
            r->depth = w->root[0].depth;
        r->best = w->root[0].move;
        const root_move *first = &w->root[0];
        r->score = first->score > -SCORE_INFINITE        ? first->score
                   : first->last_score > -SCORE_INFINITE ? first->last_score
                                                         : 0;
        r->ponder = w->root[0].pv_count > 1 ? w->root[0].pv[1] : MOVE_NONE;
        if (r->best != s->told)
            tell_last(s, w);
    }
    end_move(s);
    search_listener listener = s->listener;
    search_result result = *r;
    atomic_store(&s->is_running, false);
    if (listener.on_done)
        listener.on_done(listener.context, &result);
}

// The first thread lives as long as the search. On a busy machine a sleeping thread starts to run
// much sooner than a new one.
static void live_first(void *argument) {
    search *s = argument;
    os_mutex_lock(&s->lock);
    while (!s->is_ending) {
        if (!s->has_work) {
            os_condition_wait(&s->wake, &s->lock);
            continue;
        }
        s->has_work = false;
        os_mutex_unlock(&s->lock);
        run_first(s);
        os_mutex_lock(&s->lock);
        s->is_busy = false;
        os_condition_broadcast(&s->wake);
    }
    os_mutex_unlock(&s->lock);
}

void search_start(search *s, const search_limits *limits, const search_listener *listener) {
    await_idle(s);
    s->limits = *limits;
    s->limits.allowed_count = limits->allowed ? limits->allowed_count : 0;
    for (int i = 0; i < s->limits.allowed_count; i++)
        s->allowed[i] = limits->allowed[i];
    s->limits.allowed = s->allowed;
    s->listener = listener ? *listener : (search_listener){0};
    int64_t start_us = limits->start_us ? limits->start_us : clock_us();
    timeman_begin_move(&s->game, limits, start_us);
    if (s->limits.overhead_us < s->game.lag_us)
        s->limits.overhead_us = s->game.lag_us;
    tuned_use(s->params);
    s->time = timeman_plan(&s->limits, PARAM_TIME_HORIZON);
    tuned_use(NULL);
    s->helpers = 0;
    s->told = MOVE_NONE;
    s->tt.age = (s->tt.age + 1) % TT_AGES;
    for (int i = 0; i < s->threads; i++) {
        atomic_store_explicit(&s->workers[i]->nodes, 0, memory_order_relaxed);
        atomic_store_explicit(&s->workers[i]->table_hits, 0, memory_order_relaxed);
        s->workers[i]->root_count = s->workers[i]->done_depth = 0;
        s->workers[i]->task.round = s->workers[i]->task.busy = 0;
        s->workers[i]->task.is_closed = false;
    }
    atomic_store(&s->start_us, start_us);
    atomic_store(&s->stop, false);
    atomic_store(&s->is_asked, false);
    atomic_store(&s->has_answer, false);
    atomic_store(&s->is_pondering, limits->is_ponder);
    atomic_store(&s->is_running, true);
    if (!s->has_thread) {
        run_first(s);
        return;
    }
    os_mutex_lock(&s->lock);
    s->has_work = s->is_busy = true;
    os_condition_broadcast(&s->wake);
    os_mutex_unlock(&s->lock);
}

static void wake(search *s) {
    os_mutex_lock(&s->lock);
    os_condition_broadcast(&s->wake);
    os_mutex_unlock(&s->lock);
}

void search_stop(search *s) {
    if (!atomic_load(&s->is_asked))
        atomic_store(&s->asked_us, clock_us());
    atomic_store(&s->is_asked, true);
    // Otherwise the first iteration is completed first: search_offer_answer, walk_poll.
    if (atomic_load(&s->has_answer))
        atomic_store(&s->stop, true);
    wake(s);
}

void search_ponder_hit(search *s) {
    if (!atomic_load(&s->is_pondering))
        return;
    atomic_store(&s->start_us, clock_us());
    atomic_store(&s->is_pondering, false);
    wake(s);
}

bool search_is_running(const search *s) { return atomic_load(&s->is_running); }

search_result search_wait(search *s) {
    await_idle(s);
    return s->result;
}

// --- bench --------------------------------------------------------------------------------------

search_signature search_bench(int depth, const struct network *net) {
    search_signature sum = {0};
    const rules_game *game = rules_find(text_of(GAME_NAME));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(0));
    search *s = search_new();
    bool good = memory && s && search_set_network(s, net);
    for (const char *const *fen = game_bench_fens; good && *fen; fen++) {
        rules_state *state = rules_state_new(memory, game, &set, 0);
        if (!rules_set_fen(state, text_of(*fen), NULL))
            continue;
        search_clear(s);
        search_set_state(s, state);
        search_limits limits = {.depth = depth, .clock_us = -1};
        int64_t start = clock_us();
        search_start(s, &limits, NULL);
        sum.nodes += search_wait(s).nodes;
        sum.time_us += clock_us() - start;
        sum.positions++;
    }
    search_free(s);
    free(memory);
    return sum;
}
