// kraton-spsa-surakarta and kraton-spsa-xiangqi: SPSA over the parameters of the search (params.h)
// of ENGINE_GAME, with a search whose parameters are variables (search/tuned.h).
//
// An iteration is some pairs of games: an opening played with both colours by both sets of values.
// The same state and options give the same games with any number of threads, and the state is
// written after every iteration, so an interrupted run goes on as if nothing had happened.
#include "base/rng.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "games/network.h"
#include "lab/spsa/spsa.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"
#include "os/thread.h"
#include "search/search.h"
#include "search/tuned.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_bool interrupted; // set by the signal handler

static void on_interrupt(int signal_number) {
    (void)signal_number;
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
}

static bool is_interrupted(void) {
    return atomic_load_explicit(&interrupted, memory_order_relaxed);
}

enum { HASH_MB = 8, MAX_PAIRS = 256, MAX_THREADS = 64, MAX_PLIES = 400, WIN_SCORE = 1500 };
enum { ITERATIONS, NODES, PAIRS, THREADS, RANDOM, BALANCE, SEED, NUMBERS };

typedef struct {
    const rules_game *game;
    int64_t value[NUMBERS];
} terms;

// --- games --------------------------------------------------------------------------------------

// A thread's two searches, the first with the values moved up.
typedef struct {
    const terms *terms;
    search *player[2];
    rules_state *state;
} table;

// The pairs of an iteration, taken by the threads one by one.
typedef struct {
    const terms *terms;
    const int *values[2];
    uint64_t seed;
    atomic_int next;
    int score[MAX_PAIRS][2]; // of the first player in each game: 1, 0, -1
} round_of_pairs;

static search_result think(table *t, int player) {
    search_limits limits = {.nodes = (uint64_t)t->terms->value[NODES], .clock_us = -1};
    search_set_state(t->player[player], t->state);
    search_start(t->player[player], &limits, NULL);
    return search_wait(t->player[player]);
}

// Some random moves, until the search sees neither side far ahead.
static void play_opening(table *t, uint64_t seed) {
    rng r = {seed};
    for (int attempt = 0; attempt < 100; attempt++) {
        int plies = (int)t->terms->value[RANDOM];
        while (rules_undo(t->state))
            ;
        for (int i = 0; i < plies; i++) {
            rules_move moves[RULES_MAX_MOVES];
            int n = rules_legal_moves(t->state, moves);
            if (n == 0 || !rules_play(t->state, moves[rng_below(&r, (uint32_t)n)], NULL))
                break;
        }
        search_clear(t->player[0]);
        if (rules_result(t->state).outcome == RULES_ONGOING &&
            abs(think(t, 0).score) <= t->terms->value[BALANCE])
            return;
    }
}

// Plays on from the opening; `first` is the player of the first side. Returns 1 if player 0 wins,
// -1 if it loses.
static int play_game(table *t, int first) {
    search_clear(t->player[0]);
    search_clear(t->player[1]);
    for (int ply = 0, ahead = 0; ply < MAX_PLIES && !is_interrupted(); ply++) {
        rules_outcome outcome = rules_result(t->state).outcome;
        int side = rules_side_to_move(t->state), player = side == 0 ? first : !first;
        if (outcome != RULES_ONGOING) {
            int winner = outcome == RULES_FIRST_WINS ? first : !first;
            return outcome == RULES_DRAW ? 0 : winner == 0 ? 1 : -1;
        }
        search_result r = think(t, player);
        ahead = abs(r.score) >= WIN_SCORE ? ahead + 1 : 0;
        if (ahead >= 4) // both agree
            return (r.score > 0) == (player == 0) ? 1 : -1;
        if (r.best == MOVE_NONE || !rules_play(t->state, r.best, NULL))
            return 0;
    }
    return 0;
}

static void play_pair(table *t, round_of_pairs *round, int pair) {
    rng r = {round->seed + (uint64_t)pair};
    uint64_t opening = rng_next(&r);
    for (int first = 0; first < 2; first++) {
        search_set_params(t->player[0], NULL); // the opening is judged by nobody's values
        play_opening(t, opening);
        for (int i = 0; i < 2; i++)
            search_set_params(t->player[i], round->values[i]);
        round->score[pair][first] = play_game(t, first);
    }
}

typedef struct {
    table table;
    round_of_pairs *round;
    os_thread thread;
    bool has_thread;
} seat;

static void play_pairs(void *argument) {
    seat *s = argument;
    int pairs = (int)s->round->terms->value[PAIRS];
    for (int pair; (pair = atomic_fetch_add(&s->round->next, 1)) < pairs && !is_interrupted();)
        play_pair(&s->table, s->round, pair);
}

static bool open_table(table *t, const terms *of, const network *n) {
    rules_set set = rules_default_set(of->game);
    void *memory = malloc(rules_state_size(RULES_MAX_PLIES));
    t->terms = of;
    if (memory)
        t->state = rules_state_new(memory, of->game, &set, RULES_MAX_PLIES);
    for (int i = 0; i < 2; i++)
        if (!(t->player[i] = search_new()) || !search_set_hash(t->player[i], HASH_MB) ||
            !search_set_network(t->player[i], n))
            return false;
    return memory != NULL;
}

static void close_table(table *t) {
    search_free(t->player[0]);
    search_free(t->player[1]);
    free(t->state);
}

// --- a run --------------------------------------------------------------------------------------

static bool save(const spsa *s, const char *path, fault *why) {
    buffer bytes = {0};
    spsa_write(s, &bytes);
    bool good =
        bytes.failed ? fault_set(why, "out of memory") : file_write(path, buffer_text(&bytes), why);
    buffer_free(&bytes);
    return good;
}

// One iteration; false if it was interrupted.
static bool iterate(spsa *s, const terms *t, seat *seats) {
    int plus[SPSA_MAX], minus[SPSA_MAX], sign[SPSA_MAX], result = 0;
    int threads = (int)t->value[THREADS];
    spsa_draw(s, plus, minus, sign);
    round_of_pairs round = {.terms = t, .values = {plus, minus}};
    round.seed = s->seed ^ ((uint64_t)s->done + 1) * 0xbf58476d1ce4e5b9u;
    for (int i = 0; i < threads; i++) {
        seats[i].round = &round;
        seats[i].has_thread = i > 0 && os_thread_start(&seats[i].thread, play_pairs, &seats[i]);
    }
    play_pairs(&seats[0]);
    for (int i = 1; i < threads; i++)
        if (seats[i].has_thread)
            os_thread_join(&seats[i].thread);
    if (is_interrupted())
        return false;
    for (int i = 0; i < 2 * t->value[PAIRS]; i++) {
        int score = round.score[i / 2][i % 2];
        result += score;
        s->wins += score > 0, s->draws += score == 0, s->losses += score < 0;
    }
    spsa_learn(s, sign, result);
    return true;
}

static void print_values(const spsa *s) {
    for (int i = 0; i < s->count; i++) {
        const spsa_param *p = &s->params[i];
        if (!p->is_fixed)
            printf("    PARAM_%s = %.0f, // %d before\n", p->name, p->value, p->start);
    }
}

static bool run(spsa *s, const terms *t, seat *seats, const char *path, fault *why) {
    int64_t start = clock_us(), told = start;
    int begun = s->done;
    while (s->done < s->iterations && iterate(s, t, seats)) {
        if (!save(s, path, why))
            return false;
        int64_t now = clock_us();
        if (now - told < 10000000 && s->done < s->iterations)
            continue;
        int64_t left = (now - start) / (s->done - begun) * (s->iterations - s->done) / 1000000;
        fprintf(stderr, "%d/%d iterations, +%llu =%llu -%llu, left %lld:%02lld\n", s->done,
                s->iterations, (unsigned long long)s->wins, (unsigned long long)s->draws,
                (unsigned long long)s->losses, (long long)(left / 60), (long long)(left % 60));
        told = now;
    }
    return true;
}

// --- the command --------------------------------------------------------------------------------

// What games with a fixed number of nodes say nothing about.
static bool is_silent(const char *name) {
    return strncmp(name, "TIME_", 5) == 0 || strncmp(name, "PAPER3_", 7) == 0 ||
           strcmp(name, "EVALUATE_EARLY") == 0;
}

// Whether a list NAME,NAME,... has the name; a name that ends with * stands for all that begin so.
static bool is_listed(text list, const char *name) {
    while (list.len) {
        size_t len = text_find(list, ",");
        text word = {list.at, len};
        list = text_skip(list, len < list.len ? len + 1 : len);
        bool is_start = word.len && word.at[word.len - 1] == '*';
        if (is_start ? strncmp(name, word.at, word.len - 1) == 0 : text_is(word, name))
            return true;
    }
    return false;
}

static bool begin(spsa *s, const terms *t, double rate, const char *only, fault *why) {
    int tuned = 0;
    *s = (spsa){.count = tuned_count,
                .iterations = (int)t->value[ITERATIONS],
                .rate = rate,
                .seed = (uint64_t)t->value[SEED]};
    for (int i = 0; i < tuned_count; i++) {
        const char *name = tuned_params[i].name;
        s->params[i] = spsa_usual(name, tuned_params[i].value);
        s->params[i].is_fixed = only ? !is_listed(text_of(only), name) : is_silent(name);
        tuned += !s->params[i].is_fixed;
    }
    return tuned || fault_set(why, "no parameter is called %s", only);
}

// The state of a file, in the order of params.h; those that are not in it stay as they are.
static bool resume(spsa *s, const char *path, fault *why) {
    char *bytes;
    size_t size;
    spsa kept;
    if (!os_path_read_all(path, 1 << 20, &bytes, &size))
        return fault_set(why, "%s: %s", path, strerror(errno));
    fault inner;
    bool good =
        spsa_read(&kept, (text){bytes, size}, &inner) || fault_set(why, "%s: %s", path, inner.line);
    free(bytes);
    if (!good)
        return false;
    *s = kept;
    s->count = tuned_count;
    for (int i = 0; i < tuned_count; i++) {
        s->params[i] = spsa_usual(tuned_params[i].name, tuned_params[i].value);
        s->params[i].is_fixed = true;
    }
    for (int n = 0; n < kept.count; n++) {
        int i = 0;
        while (i < tuned_count && strcmp(tuned_params[i].name, kept.params[n].name) != 0)
            i++;
        if (i == tuned_count)
            return fault_set(why, "%s: no parameter is called %s", path, kept.params[n].name);
        s->params[i] = kept.params[n];
    }
    return true;
}

static int tune(const terms *t, spsa *s, const char *path, const char *eval, fault *why) {
    seat *seats = calloc((size_t)t->value[THREADS], sizeof *seats);
    network *n = NULL;
    bool good = seats || fault_set(why, "out of memory");
    good = good && network_choose(eval, rules_name(t->game), &n, why);
    for (int i = 0; good && i < t->value[THREADS]; i++)
        good = open_table(&seats[i].table, t, n) ||
               fault_set(why, "out of memory, or the network has another shape than the engine's");
    good = good && save(s, path, why) && run(s, t, seats, path, why);
    for (int i = 0; seats && i < t->value[THREADS]; i++)
        close_table(&seats[i].table);
    network_free(n);
    free(seats);
    if (good)
        print_values(s);
    return good ? STATUS_OK : complain("kraton-spsa-" ENGINE_GAME ": %s", why->line);
}

static int spsa_command(const command *self, int argc, char **argv) {
    static const struct {
        const char *name;
        int64_t low, high, usual;
    } numbers[NUMBERS] = {
        [ITERATIONS] = {"iterations", 1, 10000000, 10000},
        [NODES] = {"nodes", 1, INT64_MAX, 50000},
        [PAIRS] = {"pairs", 1, MAX_PAIRS, 1},
        [THREADS] = {"threads", 1, MAX_THREADS, 1},
        [RANDOM] = {"random", 0, 100, 10},
        [BALANCE] = {"balance", 1, 32000, 80},
        [SEED] = {"seed", 0, INT64_MAX, 1},
    };
    const char *given[NUMBERS] = {NULL}, *path = NULL, *only = NULL, *eval = "default",
               *rate = NULL;
    bool resumes = false;
    const option options[] = {
        {"out", 'o', "FILE", "the state of the run, written after every iteration",
         .string = &path},
        {"resume", 0, NULL, "go on with that file", .flag = &resumes},
        {"only", 0, "NAME,...", "these parameters; LMR_* stands for all that begin so",
         .string = &only},
        {"iterations", 0, "N", "how many; 10000", .string = &given[ITERATIONS]},
        {"nodes", 0, "N", "a move; 50000", .string = &given[NODES]},
        {"pairs", 0, "N", "pairs of games an iteration; 1", .string = &given[PAIRS]},
        {"threads", 0, "N", "pairs at a time; 1", .string = &given[THREADS]},
        {"rate", 0, "X", "how far values go at the end, in steps a game; 0.002", .string = &rate},
        {"network", 0, "FILE", "none, default or a file", .string = &eval},
        {"random", 0, "N", "random moves of an opening; 10", .string = &given[RANDOM]},
        {"balance", 0, "CP", "other openings are not played; 80", .string = &given[BALANCE]},
        {"seed", 0, "N", "1", .string = &given[SEED]},
        {.name = NULL},
    };
    int status;
    double rates = 0.002;
    terms t = {.game = rules_find(text_of(ENGINE_GAME))};
    if (!options_read(self, options, &argc, argv, &status))
        return status;
    for (int i = 0; i < NUMBERS; i++) {
        t.value[i] = numbers[i].usual;
        if (!option_number(self, numbers[i].name, given[i], numbers[i].low, numbers[i].high,
                           &t.value[i]))
            return STATUS_USAGE;
    }
    if (!option_real(self, "rate", rate, 1e-9, 1000, &rates))
        return STATUS_USAGE;
    if (!path) {
        complain("kraton-spsa-" ENGINE_GAME ": --out FILE says where the state goes");
        return STATUS_USAGE;
    }
    if (!resumes && os_path_exists(path))
        return complain("kraton-spsa-" ENGINE_GAME ": %s exists; --resume goes on with it", path);
    fault why;
    spsa s;
    if (!(resumes ? resume(&s, path, &why) : begin(&s, &t, rates, only, &why)))
        return complain("kraton-spsa-" ENGINE_GAME ": %s", why.line);
    os_process_on_interrupt(on_interrupt);
    return tune(&t, &s, path, eval, &why);
}

int main(int argc, char **argv) {
    static const command self = {"spsa",
                                 "--out FILE [OPTION...]",
                                 "Tunes the parameters of the search by games (SPSA).",
                                 "Ctrl-C ends it; --resume goes on. At the end the values are "
                                 "printed as in params.h; confirm\n"
                                 "them by a match. docs/tuning.md says more.\n\n"
                                 "  kraton-spsa-" ENGINE_GAME
                                 " --out lmr.spsa --only 'LMR_*' --threads 2\n",
                                 0,
                                 0,
                                 .run = spsa_command};
    return spsa_command(&self, argc - 1, argv + 1);
}
