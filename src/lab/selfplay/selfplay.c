#include "lab/selfplay/selfplay.h"

#include "base/rng.h"
#include "games/network.h"
#include "lab/data/packed.h"
#include "lab/data/positions.h"
#include "os/clock.h"
#include "os/thread.h"
#include "search/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    AHEAD = 4, // games a thread may be ahead of the one that is written next
    MAX_SLOTS = AHEAD * SELFPLAY_MAX_THREADS,
    REPORT_US = 5000000,         // on a terminal
    REPORT_LOG_US = 12 * 5000000 // to a file
};

// --- one game ------------------------------------------------------------------------------------

// Plays games: a random opening, then a fixed number of nodes a move. A player has a search of its
// own and belongs to one thread.
typedef struct {
    const selfplay_terms *terms;
    const atomic_bool *stop;
    search *search;
    rules_state *state;
    int ahead, even; // plies in a row in which the game looked won, or drawn
} selfplayer;

typedef enum {
    SELFPLAY_DONE,
    SELFPLAY_REJECTED, // the opening ends the game or favours a side
    SELFPLAY_STOPPED,
} selfplay_end;

// NULL when out of memory. `stop` ends a game after the move being searched, as
// terms->stop does.
static selfplayer *selfplayer_new(const selfplay_terms *terms, const atomic_bool *stop) {
    selfplayer *p = calloc(1, sizeof *p);
    void *memory = malloc(rules_state_size(PACKED_MAX_PLIES));
    search *s = search_new();
    if (!p || !memory || !s || !search_set_hash(s, SELFPLAY_HASH_MB) ||
        !search_set_network(s, terms->network)) {
        free(p);
        free(memory);
        search_free(s);
        return NULL;
    }
    rules_set set = rules_default_set(terms->game);
    *p = (selfplayer){.terms = terms, .stop = stop, .search = s};
    p->state = rules_state_new(memory, terms->game, &set, PACKED_MAX_PLIES);
    search_set_tables(s, terms->tables);
    return p;
}

static void selfplayer_free(selfplayer *p) {
    if (!p)
        return;
    search_free(p->search);
    free(p->state);
    free(p);
}

static bool is_stopped(const selfplayer *p) {
    const atomic_bool *asked = p->terms->stop;
    return atomic_load_explicit(p->stop, memory_order_relaxed) ||
           (asked && atomic_load_explicit(asked, memory_order_relaxed));
}

// Plays a move and writes it down.
static bool play(selfplayer *p, packed_game *g, rules_move move, int32_t score) {
    fault why;
    g->plies[g->ply_count++] = (packed_ply){.move = move,
                                            .score = (int16_t)score,
                                            .in_check = rules_in_check(p->state),
                                            .is_capture = rules_is_capture(p->state, move)};
    return rules_play(p->state, move, &why);
}

// Random moves from the start position: between half of terms->random_plies and all of them.
static bool play_opening(selfplayer *p, uint32_t number, packed_game *g, uint64_t *opening) {
    rng random = {p->terms->seed + number * 0x9e3779b97f4a7c15u};
    int half = p->terms->random_plies / 2;
    int plies = half + (int)rng_below(&random, (uint32_t)(p->terms->random_plies - half) + 1);
    search_clear(p->search);
    while (rules_undo(p->state))
        ;
    p->ahead = p->even = 0;
    g->number = number;
    g->fen[0] = 0;
    g->ply_count = 0;
    for (int i = 0; i < plies; i++) {
        rules_move moves[RULES_MAX_MOVES];
        int n = rules_legal_moves(p->state, moves);
        if (n == 0 || !play(p, g, moves[rng_below(&random, (uint32_t)n)], PACKED_NO_SCORE))
            return false;
    }
    g->opening_plies = g->ply_count;
    *opening = position_key(p->state);
    return rules_result(p->state).outcome == RULES_ONGOING;
}

static search_result think(selfplayer *p) {
    search_limits limits = {.nodes = p->terms->nodes, .clock_us = -1, .start_us = clock_us()};
    search_set_state(p->search, p->state);
    search_start(p->search, &limits, NULL);
    return search_wait(p->search);
}

static void end_game(packed_game *g, packed_end end, rules_outcome outcome) {
    g->end = end;
    g->half_points = outcome == RULES_FIRST_WINS ? 2 : outcome == RULES_DRAW ? 1 : 0;
}

// Ends a game whose result is clear: for some plies the score, for the side to move, is beyond a
// bound, or close to zero.
static bool adjudicate(selfplayer *p, packed_game *g, int32_t score) {
    const selfplay_terms *t = p->terms;
    bool is_late = (int)rules_ply(p->state) >= t->draw_after;
    p->ahead = abs(score) >= t->win_score ? p->ahead + 1 : 0;
    p->even = is_late && abs(score) <= t->draw_score ? p->even + 1 : 0;
    if (t->win_score > 0 && p->ahead >= t->win_plies) {
        bool first_wins = (score > 0) == (rules_side_to_move(p->state) == 0);
        end_game(g, PACKED_ADJUDICATED_WIN, first_wins ? RULES_FIRST_WINS : RULES_SECOND_WINS);
        return true;
    }
    if (t->draw_plies > 0 && p->even >= t->draw_plies) {
        end_game(g, PACKED_ADJUDICATED_DRAW, RULES_DRAW);
        return true;
    }
    return false;
}

// Plays the game of that number. *opening is the key of the position after the random moves.
static selfplay_end selfplayer_play(selfplayer *p, uint32_t number, packed_game *g,
                                    uint64_t *opening) {
    if (!play_opening(p, number, g, opening))
        return SELFPLAY_REJECTED;
    while (g->ply_count < p->terms->max_plies) {
        rules_verdict verdict = rules_result(p->state);
        if (verdict.outcome != RULES_ONGOING) {
            end_game(g, PACKED_BY_RULES, verdict.outcome);
            return SELFPLAY_DONE;
        }
        search_result result = think(p);
        if (is_stopped(p))
            return SELFPLAY_STOPPED;
        if (g->ply_count == g->opening_plies && abs(result.score) > p->terms->balance)
            return SELFPLAY_REJECTED;
        if (adjudicate(p, g, result.score))
            return SELFPLAY_DONE;
        if (result.best == MOVE_NONE || !play(p, g, result.best, result.score))
            return SELFPLAY_REJECTED;
    }
    end_game(g, PACKED_TOO_LONG, RULES_DRAW);
    return SELFPLAY_DONE;
}

// Makes the opening of that number only. SELFPLAY_DONE: it is balanced, and its FEN is in `fen`.
static selfplay_end selfplayer_open(selfplayer *p, uint32_t number, char fen[RULES_FEN_SIZE],
                                    uint64_t *opening) {
    packed_game *g = malloc(sizeof *g);
    bool is_playable = g && play_opening(p, number, g, opening);
    free(g);
    if (!is_playable)
        return SELFPLAY_REJECTED;
    search_result result = think(p);
    if (is_stopped(p))
        return SELFPLAY_STOPPED;
    if (result.best == MOVE_NONE || abs(result.score) > p->terms->openings_within)
        return SELFPLAY_REJECTED;
    writer out = writer_on(fen, RULES_FEN_SIZE);
    rules_format_fen(p->state, &out);
    return SELFPLAY_DONE;
}

// --- a run ---------------------------------------------------------------------------------------

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
} player_thread;

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

static void count_game(run *r, uint64_t plies, int half_points, size_t bytes) {
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
    count_game(r, s->plies, s->half_points, s->bytes.len);
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
static bool play_into(player_thread *t, uint32_t n, slot *s) {
    bool openings = t->run->terms->openings_within > 0;
    char fen[RULES_FEN_SIZE];
    selfplay_end end = openings ? selfplayer_open(t->player, n, fen, &s->opening)
                                : selfplayer_play(t->player, n, t->game, &s->opening);
    s->is_good = end == SELFPLAY_DONE;
    if (s->is_good && openings) {
        s->half_points = 1;
        s->plies = 1;
        buffer_format(&s->bytes, "%s\n", fen);
    } else if (s->is_good) {
        s->half_points = t->game->half_points;
        s->plies = (uint64_t)(t->game->ply_count - t->game->opening_plies);
        packed_encode(t->game, &s->bytes);
    }
    return end != SELFPLAY_STOPPED;
}

static void work(void *argument) {
    player_thread *t = argument;
    run *r = t->run;
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
        bool good = play_into(t, n, s);
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
    int count = r->terms->threads;
    player_thread *threads = calloc((size_t)count, sizeof *threads);
    bool good = threads || fault_set(why, "%s", memory);
    for (int i = 0; good && i < count; i++) {
        threads[i].run = r;
        threads[i].player = selfplayer_new(r->terms, &r->is_over);
        threads[i].game = malloc(sizeof *threads[i].game);
        good = (threads[i].player && threads[i].game) || fault_set(why, "%s", memory);
    }
    for (int i = 1; good && i < count; i++)
        threads[i].has_thread = os_thread_start(&threads[i].thread, work, &threads[i]);
    if (good)
        work(&threads[0]);
    for (int i = 0; threads && i < count; i++) {
        if (threads[i].has_thread)
            os_thread_join(&threads[i].thread);
        selfplayer_free(threads[i].player);
        free(threads[i].game);
    }
    free(threads);
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
    if (t->network)
        write_format(&w, "network %016llx\n", (unsigned long long)t->network->checksum);
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
    count_game(r, (uint64_t)(g->ply_count - g->opening_plies), g->half_points, 0);
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
