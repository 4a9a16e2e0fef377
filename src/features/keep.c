// What becomes of finished games: their positions go into an index, so that the archive finds them
// at once; short unrated ones are forgotten after a while, so that they do not fill the disk; all
// are compared with their checksums, again and again.
#include "features/explorer.h"
#include "features/features.h"
#include "server/game.h"
#include "store/archive.h"

#include <stdlib.h>

enum {
    BATCH = 256,      // games whose positions are sorted together
    SLICE_ROWS = 128, // of them added before the clock is looked at,
    SLICE_US = 1000,  // and for so long in a turn
    LOOKED_AT = 50,   // finished games a second, for short ones to forget
    CHECKED = 25,     // finished games a second, by their checksums
    KEPT_PLIES = 10   // shorter games are short: they are not rated either
};

static const int64_t day_us = 86400LL * 1000000;

typedef struct {
    stored_place *places; // of the batch; NULL: none
    int count, at;
    int64_t ended;   // games up to this moment have been looked at
    int64_t checked; // games up to this one have been compared with their checksums
    table damaged;   // those that were named
    bool has_more;   // another batch may wait
} keeping;

static keeping *keeping_of(const server *srv) { return feature_state(srv, &keep_feature); }

// --- positions ----------------------------------------------------------------------------------

static int by_game(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// The batch is in the index: its games are no longer to be scanned.
static void finish_batch(server *srv, keeping *k) {
    int64_t *games = malloc((size_t)k->count * sizeof *games);
    int count = 0;
    for (int i = 0; games && i < k->count; i++)
        games[i] = k->places[i].game;
    if (games)
        qsort(games, (size_t)k->count, sizeof *games, by_game);
    for (int i = 0; games && i < k->count; i++)
        if (i == 0 || games[i] != games[i - 1])
            games[count++] = games[i];
    if (games)
        store_set_placed(srv->store, games, count);
    free(games);
    free(k->places);
    k->places = NULL;
}

static bool work(server *srv) {
    keeping *k = keeping_of(srv);
    int64_t until = clock_thread_us() + SLICE_US;
    if (!k->places && k->has_more) {
        k->at = 0;
        k->count = store_take_unplaced(srv->store, BATCH, &k->places);
        k->has_more = k->count > 0;
        return k->has_more; // reading and sorting was enough for this turn
    }
    while (k->places && k->at < k->count && clock_thread_us() < until) {
        int rows = k->count - k->at < SLICE_ROWS ? k->count - k->at : SLICE_ROWS;
        store_add_places(srv->store, k->places + k->at, rows);
        k->at += rows;
    }
    if (k->places && k->at == k->count)
        finish_batch(srv, k);
    return k->places || k->has_more;
}

// --- short games --------------------------------------------------------------------------------

static void forget_short(server *srv, keeping *k) {
    int64_t games[LOOKED_AT], days = srv->options->keep_short_days;
    if (days == 0)
        return;
    int count = store_short_games(srv->store, &k->ended, LOOKED_AT, server_wall() - days * day_us,
                                  KEPT_PLIES, games);
    for (int i = 0; i < count; i++) {
        if (game_find(srv, games[i]))
            continue; // it may still be asked for a rematch
        explorer_take_out(srv->store, games[i]);
        store_forget_game(srv->store, games[i]);
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

static void check_games(server *srv, keeping *k) {
    int64_t ids[CHECKED];
    int count = store_finished_games(srv->store, k->checked, ids, CHECKED);
    for (int i = 0; i < count; i++)
        check_game(srv, k, ids[i]);
    k->checked = count ? ids[count - 1] : 0;
}

static void tick(server *srv) {
    keeping *k = keeping_of(srv);
    k->has_more = true;
    forget_short(srv, k);
    check_games(srv, k);
    turns_want(&srv->turns);
}

static void *start(server *srv, fault *why) {
    (void)srv;
    (void)why;
    return calloc(1, sizeof(keeping));
}

static void free_keeping(void *state) {
    keeping *k = state;
    free(k->places);
    table_free(&k->damaged);
    free(state);
}

const feature keep_feature = {
    .name = "keep", .start = start, .free = free_keeping, .tick = tick, .work = work};
