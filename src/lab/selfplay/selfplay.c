#include "lab/selfplay/selfplay.h"

#include "lab/data/keyset.h"
#include "lab/data/positions.h"
#include "lab/selfplay/game.h"
#include "os/clock.h"
#include "os/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    AHEAD = 4, // games a thread may be ahead of the one that is written next
    MAX_SLOTS = AHEAD * SELFPLAY_MAX_THREADS,
    REPORT_US = 5000000,         // on a terminal
    REPORT_LOG_US = 12 * 5000000 // to a file
};

// A game that is played but not yet written.
typedef struct {
    bool is_done, is_good;
    uint64_t opening;
    uint64_t plies; // with a score
    int half_points;
    buffer bytes;
} slot;

// What the threads share. The lock guards all of it.
typedef struct {
    const selfplay_terms *terms;
    os_mutex lock;
    os_condition moved;  // `turn` has moved on, or the end has come
    uint32_t next, turn; // numbers: of the next game to play, of the next one to write
    slot slots[MAX_SLOTS];
    keyset openings; // of the games written
    packed_writer packed;
    FILE *fens; // --openings
    atomic_bool is_over;
    bool failed;
    fault why;
    uint64_t games, positions, bytes, begun_with, results[3];
    int64_t start_us, reported_us, report_us;
} run;

typedef struct {
    run *run;
    selfplayer *player;
    packed_game *game;
    os_thread thread;
    bool has_thread;
} hand;

static bool is_over(run *r) {
    return atomic_load_explicit(&r->is_over, memory_order_relaxed) ||
           (r->terms->stop && atomic_load_explicit(r->terms->stop, memory_order_relaxed));
}

static void end_run(run *r) {
    atomic_store(&r->is_over, true);
    os_condition_broadcast(&r->moved);
}

static void fail(run *r, const char *words) {
    if (!r->failed)
        fault_set(&r->why, "%s: %s", r->terms->path, words);
    r->failed = true;
    end_run(r);
}

// --- progress -----------------------------------------------------------------------------------

static void report(const run *r) {
    double seconds = (double)(clock_us() - r->start_us) / 1e6;
    uint64_t played = r->games - r->begun_with, wanted = (uint64_t)r->terms->games;
    int64_t left = played ? (int64_t)(seconds * (double)(wanted - r->games) / (double)played) : 0;
    fprintf(stderr, "%llu/%d games, +%llu =%llu -%llu, %llu positions",
            (unsigned long long)r->games, r->terms->games, (unsigned long long)r->results[2],
            (unsigned long long)r->results[1], (unsigned long long)r->results[0],
            (unsigned long long)r->positions);
    if (r->positions && r->bytes)
        fprintf(stderr, ", %.2f bytes each", (double)r->bytes / (double)r->positions);
    fprintf(stderr, ", left %lld:%02lld\n", (long long)(left / 60), (long long)(left % 60));
}

// --- writing ------------------------------------------------------------------------------------

static void count(run *r, uint64_t plies, int half_points, size_t bytes) {
    r->games++;
    r->positions += plies;
    r->bytes += bytes;
    r->results[half_points]++;
}

// Writes one game, unless another one began with the same position.
static void write_game(run *r, slot *s) {
    bool is_new = false;
    if (!keyset_add(&r->openings, s->opening, &is_new) || s->bytes.failed) {
        fail(r, "out of memory");
        return;
    }
    if (!is_new || r->games >= (uint64_t)r->terms->games)
        return;
    bool written = r->fens ? fwrite(s->bytes.bytes, 1, s->bytes.len, r->fens) == s->bytes.len &&
                                 fflush(r->fens) == 0
                           : packed_write(&r->packed, buffer_text(&s->bytes));
    if (!written) {
        fail(r, strerror(errno));
        return;
    }
    count(r, s->plies, s->half_points, s->bytes.len);
    if (r->games >= (uint64_t)r->terms->games)
        end_run(r);
}

// Writes the games whose turn it is.
static void write_games(run *r) {
    slot *s;
    uint32_t slots = (uint32_t)(AHEAD * r->terms->threads);
    while ((s = &r->slots[r->turn % slots])->is_done && !r->failed) {
        if (s->is_good)
            write_game(r, s);
        buffer_clear(&s->bytes);
        s->is_done = s->is_good = false;
        r->turn++;
    }
    os_condition_broadcast(&r->moved);
    if (clock_us() - r->reported_us >= r->report_us) {
        r->reported_us = clock_us();
        report(r);
    }
}

// --- playing ------------------------------------------------------------------------------------

// Plays game number n into its slot. False if it was stopped.
static bool play_into(hand *h, uint32_t n, slot *s) {
    bool openings = h->run->terms->openings_within > 0;
    char fen[RULES_FEN_SIZE];
    selfplay_end end = openings ? selfplayer_open(h->player, n, fen, &s->opening)
                                : selfplayer_play(h->player, n, h->game, &s->opening);
    s->is_good = end == SELFPLAY_DONE;
    if (s->is_good && openings) {
        s->half_points = 1;
        s->plies = 1;
        buffer_format(&s->bytes, "%s\n", fen);
    } else if (s->is_good) {
        s->half_points = h->game->half_points;
        s->plies = (uint64_t)(h->game->ply_count - h->game->opening_plies);
        packed_encode(h->game, &s->bytes);
    }
    return end != SELFPLAY_STOPPED;
}

static void work(void *argument) {
    hand *h = argument;
    run *r = h->run;
    uint32_t slots = (uint32_t)(AHEAD * r->terms->threads);
    os_mutex_lock(&r->lock);
    while (!is_over(r)) {
        if (r->next - r->turn >= slots) {
            os_condition_wait(&r->moved, &r->lock);
            continue;
        }
        uint32_t n = r->next++;
        slot *s = &r->slots[n % slots]; // this thread's alone until it is done
        os_mutex_unlock(&r->lock);
        bool good = play_into(h, n, s);
        os_mutex_lock(&r->lock);
        if (!good)
            break;
        s->is_done = true;
        if (!is_over(r))
            write_games(r);
    }
    end_run(r); // also wakes those who wait for a game that was stopped
    os_mutex_unlock(&r->lock);
}

static bool play_games(run *r, fault *why) {
    static const char *const memory = "out of memory";
    int count_of_hands = r->terms->threads;
    hand *hands = calloc((size_t)count_of_hands, sizeof *hands);
    bool good = hands || fault_set(why, "%s", memory);
    for (int i = 0; good && i < count_of_hands; i++) {
        hands[i].run = r;
        hands[i].player = selfplayer_new(r->terms, &r->is_over);
        hands[i].game = malloc(sizeof *hands[i].game);
        good = (hands[i].player && hands[i].game) || fault_set(why, "%s", memory);
    }
    for (int i = 1; good && i < count_of_hands; i++)
        hands[i].has_thread = os_thread_start(&hands[i].thread, work, &hands[i]);
    if (good)
        work(&hands[0]);
    for (int i = 0; hands && i < count_of_hands; i++) {
        if (hands[i].has_thread)
            os_thread_join(&hands[i].thread);
        selfplayer_free(hands[i].player);
        free(hands[i].game);
    }
    free(hands);
    return good;
}

// --- the file -----------------------------------------------------------------------------------

static void write_settings(const selfplay_terms *t, char settings[PACKED_SETTINGS_SIZE]) {
    rules_set set = rules_default_set(t->game);
    writer w = writer_on(settings, PACKED_SETTINGS_SIZE);
    write_format(&w, "game %s\nrules ", rules_name(t->game));
    rules_set_format(t->game, &set, &w);
    write_format(&w, "\nnodes %llu\nhash %d MB\nseed %llu\n", (unsigned long long)t->nodes,
                 SELFPLAY_HASH_MB, (unsigned long long)t->seed);
    write_format(&w, "random %d to %d plies\nbalance %d\n", t->random_plies / 2, t->random_plies,
                 t->balance);
    write_format(&w, "win %d for %d plies\n", t->win_score, t->win_plies);
    write_format(&w, "draw %d for %d plies from ply %d\n", t->draw_score, t->draw_plies,
                 t->draw_after);
    write_format(&w, "longest %d plies\ntables %s\n", t->max_plies, t->tables_text);
}

// Takes over a game that was in the file already.
static bool on_game(void *context, const packed_game *g) {
    run *r = context;
    const selfplay_terms *t = r->terms;
    bool is_new, good = true;
    fault why;
    rules_set set = rules_default_set(t->game);
    void *memory = malloc(rules_state_size(PACKED_MAX_PLIES));
    if (!memory)
        return false;
    rules_state *s = rules_state_new(memory, t->game, &set, PACKED_MAX_PLIES);
    for (int i = 0; good && i < g->opening_plies; i++)
        good = rules_play(s, g->plies[i].move, &why);
    good = keyset_add(&r->openings, position_key(s), &is_new);
    count(r, (uint64_t)(g->ply_count - g->opening_plies), g->half_points, 0);
    r->next = r->turn = g->number + 1;
    free(memory);
    return good;
}

static bool open_output(run *r, fault *why) {
    const selfplay_terms *t = r->terms;
    char settings[PACKED_SETTINGS_SIZE];
    if (t->openings_within > 0) {
        r->fens = fopen(t->path, "w");
        return r->fens || fault_set(why, "%s: %s", t->path, strerror(errno));
    }
    write_settings(t, settings);
    if (!t->resumes || !os_path_exists(t->path))
        return packed_create(&r->packed, t->path, settings, why);
    return packed_resume(&r->packed, t->path, settings, on_game, r, why);
}

static bool close_output(run *r) {
    bool good = r->fens ? fclose(r->fens) == 0 : packed_finish(&r->packed);
    r->fens = NULL;
    return good;
}

bool selfplay_run(const selfplay_terms *terms, fault *why) {
    run *r = calloc(1, sizeof *r);
    if (!r)
        return fault_set(why, "out of memory");
    r->terms = terms;
    r->packed.file = OS_FILE_NONE;
    os_file errors = os_standard_error();
    r->report_us = os_file_is_terminal(&errors) ? REPORT_US : REPORT_LOG_US;
    os_mutex_init(&r->lock);
    os_condition_init(&r->moved);
    bool good = open_output(r, why);
    if (good) {
        r->begun_with = r->games;
        r->start_us = r->reported_us = clock_us();
        if (r->games < (uint64_t)terms->games)
            good = play_games(r, why);
        report(r);
        if (!close_output(r) && good && !r->failed)
            fail(r, strerror(errno));
        if (good && r->failed) {
            *why = r->why;
            good = false;
        }
    }
    for (int i = 0; i < MAX_SLOTS; i++)
        buffer_free(&r->slots[i].bytes);
    keyset_free(&r->openings);
    os_condition_destroy(&r->moved);
    os_mutex_destroy(&r->lock);
    free(r);
    return good;
}
