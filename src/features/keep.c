// What becomes of finished games: their positions go into an index, so that the archive finds them
// at once; short unrated ones are forgotten after a while, so that they do not fill the disk; all
// are compared with their checksums, again and again.
#include "base/minmax.h"
#include "features/explorer.h"
#include "features/features.h"
#include "server/background.h"
#include "server/game.h"
#include "store/archive.h"

#include <stdlib.h>

enum {
    BATCH = 20000,    // games whose positions are sorted together
    SLICE_ROWS = 128, // of them added before the clock is looked at,
    SLICE_US = 1000,  // and for so long in a turn
    LOOKED_AT = 50,   // finished games a second, for short ones to forget
    CHECKED = 25,     // finished games a second, by their checksums
    KEPT_PLIES = 10   // shorter games are short: they are not rated either
};

static const int64_t day_us = 86400LL * 1000000;

typedef struct {
    stored_batch batch;        // that goes into the index of positions,
    size_t at;                 // and how much of it is there
    bool is_reading;           // the next one
    int64_t ended;             // games up to this moment have been looked at,
    int64_t shorts[LOOKED_AT]; // and these are to be forgotten
    int short_count;
    int64_t checked; // games up to this one have been compared with their checksums
    table damaged;   // those that were named
} keeping;

static keeping *keeping_of(const server *srv) { return feature_state(srv, &keep_feature); }

// --- positions ----------------------------------------------------------------------------------

// A job of the thread pool reads and sorts a batch, which takes long where many games wait.
typedef struct {
    background_job job;
    stored_batch batch;
} batch_job;

static void read_batch(background_job *job) {
    fault why;
    store *s = store_open_second(server_store_place(job->server), &why);
    if (s)
        store_take_unindexed(s, BATCH, &((batch_job *)job)->batch);
    store_close(s);
}

static void take_batch(background_job *job) {
    keeping *k = keeping_of(job->server);
    stored_batch *b = &((batch_job *)job)->batch;
    k->is_reading = false;
    if (job->server->stopping)
        store_free_batch(b);
    else
        k->batch = *b;
    k->at = 0;
    free(job);
}

static void want_batch(server *srv, keeping *k) {
    if (k->batch.game_count || k->is_reading || !store_has_unindexed(srv->store))
        return;
    if (!srv->options->data) { // in memory, for tests
        store_take_unindexed(srv->store, BATCH, &k->batch);
        k->at = 0;
        return;
    }
    batch_job *b = calloc(1, sizeof *b);
    if (b)
        b->job =
            (background_job){.queue = BACKGROUND_PLACES, .run = read_batch, .after = take_batch};
    k->is_reading = b && background_start(srv, &b->job);
    if (!k->is_reading)
        free(b);
}

// Whether there is more to add.
static bool add_places(server *srv, keeping *k, int64_t until) {
    stored_batch *b = &k->batch;
    if (!b->game_count)
        return false;
    while (k->at < b->count && clock_thread_us() < until) {
        size_t rows = min_size(b->count - k->at, SLICE_ROWS);
        store_index_positions(srv->store, b->positions + k->at, rows);
        k->at += rows;
    }
    if (k->at < b->count)
        return true;
    store_set_indexed(srv->store, b);
    store_free_batch(b);
    return false;
}

// --- short games --------------------------------------------------------------------------------

static void find_short(server *srv, keeping *k) {
    int64_t days = srv->options->keep_short_days;
    if (days && !k->short_count)
        k->short_count = store_short_games(srv->store, &k->ended, LOOKED_AT,
                                           server_wall() - days * day_us, KEPT_PLIES, k->shorts);
}

static void forget_short(server *srv, keeping *k, int64_t until) {
    while (k->short_count && clock_thread_us() < until) {
        int64_t id = k->shorts[--k->short_count];
        if (game_find(srv, id))
            continue; // it may still be asked for a rematch
        explorer_take_out(srv->store, id);
        store_forget_game(srv->store, id);
    }
}

// --- checksums ----------------------------------------------------------------------------------

static void check_game(server *srv, keeping *k, int64_t id) {
    game_soundness found = store_check_game(srv->store, id);
    if (found == GAME_UNSIGNED) {
        store_sign_game(srv->store, id);
    } else if (found == GAME_DAMAGED && !table_find(&k->damaged, id) &&
               table_add(&k->damaged, id, srv)) {
        srv->damaged++;
        log_write(LEVEL_ERROR, "game %lld is damaged: its checksum is wrong; a backup may have it",
                  (long long)id);
    }
}

// Long games take long: only as many as fit into the slice.
static void check_games(server *srv, keeping *k) {
    int64_t ids[CHECKED], until = clock_thread_us() + SLICE_US;
    int count = store_finished_games(srv->store, k->checked, ids, CHECKED);
    if (!count)
        k->checked = 0;
    for (int i = 0; i < count && clock_thread_us() < until; i++) {
        check_game(srv, k, ids[i]);
        k->checked = ids[i];
    }
}

static void tick(server *srv) {
    keeping *k = keeping_of(srv);
    want_batch(srv, k);
    find_short(srv, k);
    check_games(srv, k);
    turns_want(&srv->turns);
}

static bool work(server *srv) {
    keeping *k = keeping_of(srv);
    int64_t until = clock_thread_us() + SLICE_US;
    forget_short(srv, k, until);
    return add_places(srv, k, until) || k->short_count;
}

static void *start(server *srv, fault *why) {
    (void)srv;
    (void)why;
    return calloc(1, sizeof(keeping));
}

static void free_keeping(void *state) {
    keeping *k = state;
    store_free_batch(&k->batch);
    table_free(&k->damaged);
    free(state);
}

const feature keep_feature = {
    .name = "keep", .start = start, .free = free_keeping, .tick = tick, .work = work};
