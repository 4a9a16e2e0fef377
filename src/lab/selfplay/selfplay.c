#include "lab/selfplay/selfplay.h"

#include "base/rng.h"
#include "os/clock.h"
#include "os/process.h"
#include "search/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_PLIES = 600,      // then it is a draw
    HASH_MB = 8,          // a small table is soon emptied
    DECIDED_SCORE = 1500, // so much ...
    DECIDED_PLIES = 6,    // ... for so long is a win
    UNBALANCED = 150,     // an opening worse than that for one side is not played
    REPORT_US = 5000000,
};

typedef struct {
    char fen[RULES_FEN_SIZE];
    int32_t score; // from the first side's point of view
} position;

typedef struct {
    const selfplay_terms *terms;
    search *search;
    FILE *out;
    rules_state *state;
    rng dice;
    position positions[MAX_PLIES];
    int position_count;
    uint64_t games, written;
    uint64_t wins[3]; // of the first side, draws, of the second
} player;

static bool is_stopped(const player *p) {
    return p->terms->stop && atomic_load_explicit(p->terms->stop, memory_order_relaxed);
}

// Begins a game with some moves at random; false where that has ended it already.
static bool begin_game(player *p) {
    fault why;
    search_clear(p->search);
    while (rules_undo(p->state))
        ;
    int half = p->terms->random_plies / 2; // no game begins like another
    int plies = half + (int)rng_below(&p->dice, (uint32_t)(p->terms->random_plies - half) + 1);
    for (int i = 0; i < plies; i++) {
        rules_move moves[RULES_MAX_MOVES];
        int n = rules_legal_moves(p->state, moves);
        if (n == 0 || !rules_play(p->state, moves[rng_below(&p->dice, (uint32_t)n)], &why))
            return false;
    }
    return rules_result(p->state).outcome == RULES_ONGOING;
}

static search_result think(player *p) {
    search_limits limits = {.nodes = p->terms->nodes, .clock_us = -1, .start_us = clock_us()};
    search_set_state(p->search, p->state);
    search_start(p->search, &limits, &(search_listener){NULL, NULL, NULL});
    return search_wait(p->search);
}

// Keeps the position where nothing hangs in the air: what the evaluation is to judge.
static void keep_position(player *p, const search_result *result, int32_t score) {
    if (rules_in_check(p->state) || rules_is_capture(p->state, result->best) ||
        abs(score) >= SCORE_DECIDED)
        return;
    position *kept = &p->positions[p->position_count++];
    writer out = writer_on(kept->fen, sizeof kept->fen);
    rules_format_fen(p->state, &out);
    kept->score = score;
}

// Plays a game to its end, or to where it is decided. False where it is not worth writing down.
static bool play_game(player *p, rules_outcome *outcome) {
    int decided = 0;
    p->position_count = 0;
    *outcome = RULES_DRAW;
    for (int ply = 0; ply < MAX_PLIES; ply++) {
        fault why;
        rules_verdict verdict = rules_result(p->state);
        if (verdict.outcome != RULES_ONGOING) {
            *outcome = verdict.outcome;
            return true;
        }
        search_result result = think(p);
        if (is_stopped(p) || result.best == MOVE_NONE)
            return false;
        int32_t score = rules_side_to_move(p->state) == 0 ? result.score : -result.score;
        if (ply == 0 && abs(score) > UNBALANCED)
            return false;
        keep_position(p, &result, score);
        decided = abs(score) < DECIDED_SCORE ? 0 : decided + 1;
        if (decided >= DECIDED_PLIES) {
            *outcome = score > 0 ? RULES_FIRST_WINS : RULES_SECOND_WINS;
            return true;
        }
        if (!rules_play(p->state, result.best, &why))
            return false;
    }
    return true;
}

static bool write_game(player *p, rules_outcome outcome) {
    static const char *const results[] = {
        [RULES_FIRST_WINS] = "1-0", [RULES_SECOND_WINS] = "0-1", [RULES_DRAW] = "1/2-1/2"};
    for (int i = 0; i < p->position_count; i++)
        fprintf(p->out, "%s ; %s ; %d\n", p->positions[i].fen, results[outcome],
                p->positions[i].score);
    p->written += (uint64_t)p->position_count;
    p->wins[outcome == RULES_FIRST_WINS ? 0 : outcome == RULES_DRAW ? 1 : 2]++;
    p->games++;
    return fflush(p->out) == 0;
}

// Writes the position a game would begin with where neither side is better off.
static bool write_opening(player *p) {
    search_result result = think(p);
    if (is_stopped(p) || result.best == MOVE_NONE || abs(result.score) > p->terms->openings_within)
        return true;
    char fen[RULES_FEN_SIZE];
    writer out = writer_on(fen, sizeof fen);
    rules_format_fen(p->state, &out);
    fprintf(p->out, "%s\n", fen);
    p->games++;
    p->written++;
    return fflush(p->out) == 0;
}

static void report(const player *p, int64_t used) {
    int64_t left = 0;
    if (p->games)
        left = used / (int64_t)p->games * (p->terms->games - (int64_t)p->games) / 1000000;
    fprintf(stderr, "%llu/%d games, +%llu =%llu -%llu, %llu positions, left %lld:%02lld\n",
            (unsigned long long)p->games, p->terms->games, (unsigned long long)p->wins[0],
            (unsigned long long)p->wins[1], (unsigned long long)p->wins[2],
            (unsigned long long)p->written, (long long)(left / 60), (long long)(left % 60));
}

static bool play_games(player *p, fault *why) {
    int64_t start = clock_us(), last = start;
    for (uint64_t n = 0; p->games < (uint64_t)p->terms->games && !is_stopped(p); n++) {
        rules_outcome outcome;
        p->dice = (rng){p->terms->seed + n * 0x9e3779b97f4a7c15u};
        if (!begin_game(p))
            continue;
        bool openings = p->terms->openings_within > 0;
        if (!openings && !play_game(p, &outcome))
            continue;
        if (!(openings ? write_opening(p) : write_game(p, outcome)))
            return fault_set(why, "%s: %s", p->terms->path, strerror(errno));
        if (clock_us() - last >= REPORT_US) {
            last = clock_us();
            report(p, last - start);
        }
    }
    report(p, clock_us() - start);
    return true;
}

bool selfplay_run(const selfplay_terms *terms, fault *why) {
    enum { ROOM = MAX_PLIES + 256 };
    rules_set set = rules_default_set(terms->game);
    player *p = calloc(1, sizeof *p);
    void *memory = malloc(rules_state_size(ROOM));
    search *s = search_new();
    bool good = p && memory && s && search_set_hash(s, HASH_MB);
    if (!good)
        fault_set(why, "out of memory");
    FILE *out = good ? fopen(terms->path, "w") : NULL;
    if (good && !out)
        good = fault_set(why, "%s: %s", terms->path, strerror(errno));
    if (good) {
        p->terms = terms;
        p->search = s;
        p->out = out;
        p->state = rules_state_new(memory, terms->game, &set, ROOM);
        good = play_games(p, why);
    }
    if (out && fclose(out) != 0 && good)
        good = fault_set(why, "%s: %s", terms->path, strerror(errno));
    if (s)
        search_free(s);
    free(memory);
    free(p);
    return good;
}

// --- the command --------------------------------------------------------------------------------

static atomic_bool interrupted; // set by the signal handler

static void on_interrupt(int signal_number) {
    (void)signal_number;
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
}

static int refuse(const rules_game *game, const char *words, const char *argument) {
    fprintf(stderr, "kraton-%s selfplay: %s%s\n", rules_name(game), words, argument);
    return 2;
}

int selfplay_main(const rules_game *game, char **arguments) {
    enum { GAMES, NODES, RANDOM, SEED, OPENINGS, NUMBERS };
    static const struct {
        const char *name;
        int64_t low, high;
    } numbers[NUMBERS] = {{"--games", 1, 1000000000},
                          {"--nodes", 1, INT64_MAX},
                          {"--random", 0, 100},
                          {"--seed", 0, INT64_MAX},
                          {"--openings", 1, 10000}};
    int64_t value[NUMBERS] = {
        [GAMES] = 100, [NODES] = 5000, [RANDOM] = 10, [SEED] = 1, [OPENINGS] = 0};
    selfplay_terms terms = {.game = game, .stop = &interrupted};
    for (char **a = arguments; *a; a += 2) {
        int n = 0;
        while (n < NUMBERS && strcmp(*a, numbers[n].name) != 0)
            n++;
        bool is_out = strcmp(*a, "--out") == 0;
        if (n == NUMBERS && !is_out)
            return refuse(game,
                          "options are --games, --nodes, --random, --seed, --openings, --out, not ",
                          *a);
        if (!a[1])
            return refuse(game, "a value is missing after ", *a);
        if (is_out)
            terms.path = a[1];
        else if (!text_to_int(text_of(a[1]), numbers[n].low, numbers[n].high, &value[n]))
            return refuse(game, "not a sensible number: ", a[1]);
    }
    if (!terms.path)
        return refuse(game, "--out FILE says where the positions go", "");
    terms.games = (int)value[GAMES];
    terms.nodes = (uint64_t)value[NODES];
    terms.random_plies = (int)value[RANDOM];
    terms.seed = (uint64_t)value[SEED];
    terms.openings_within = (int)value[OPENINGS];
    os_process_on_interrupt(on_interrupt);
    fault why;
    if (selfplay_run(&terms, &why))
        return 0;
    return refuse(game, "", why.line) - 1;
}
