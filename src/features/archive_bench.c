#include "features/archive_bench.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "features/archive.h"
#include "features/explorer.h"
#include "features/position_index.h"
#include "os/clock.h"
#include "records/mirror.h"
#include "store/archive.h"
#include "store/players.h"

#include <stdlib.h>

enum {
    PLIES = 120,      // a game has at most,
    PLIES_LEAST = 40, // and at least, where it is not over before
    OPENING = 10,     // plies in which few moves are likely
    PLAYERS = 1000,   // the first of them plays in one game of four
    BATCH = 500,      // games in a transaction
    TIMES = 9,        // each search is tried,
    PAGES = 20        // and so many pages of it are turned
};

typedef struct {
    store *store;
    bool (*goes_on)(void);
    rng chance;
    int64_t players[PLAYERS];
    rules_state *state; // of a game of PLIES
    stored_move moves[PLIES];
    int64_t began, shown;
    const char *what; // is done
} filling;

// --- games --------------------------------------------------------------------------------------

static bool show(void *context, double share) {
    filling *f = context;
    int64_t now = clock_us();
    if (now - f->shown > 5000000) {
        double gone = (double)(now - f->began) / 1e6;
        fprintf(stderr, "%s: %.1f %%, %.0f s left (Ctrl-C keeps what is done)\n", f->what,
                100 * share, share > 0 ? gone * (1 - share) / share : 0.0);
        f->shown = now;
    }
    return f->goes_on();
}

static bool add_players(filling *f, fault *why) {
    for (int i = 0; i < PLAYERS; i++) {
        stored_player p = {.kind = PLAYER_PERSON, .created = 1};
        writer w = writer_on(p.name, sizeof p.name);
        write_format(&w, "Bench-%d", i + 1);
        if (!store_find_player_named(f->store, text_of(p.name), &p) &&
            !store_add_player(f->store, &p))
            return fault_set(why, "players cannot be kept");
        f->players[i] = p.id;
    }
    return true;
}

// In the opening each move is half as likely as the one before it in the list.
static rules_move choose_move(filling *f, int ply) {
    rules_move moves[RULES_MAX_MOVES];
    int count = rules_legal_moves(f->state, moves), at = 0;
    if (ply >= OPENING)
        return moves[rng_below(&f->chance, (uint32_t)count)];
    while (at + 1 < count && rng_below(&f->chance, 2))
        at++;
    return moves[at];
}

static void play_game(filling *f, stored_game *g) {
    int most = PLIES_LEAST + (int)rng_below(&f->chance, PLIES - PLIES_LEAST);
    for (g->plies = 0; g->plies < most; g->plies++) {
        if (rules_result(f->state).outcome != RULES_ONGOING)
            break;
        rules_move move = choose_move(f, g->plies);
        stored_move *m = &f->moves[g->plies];
        *m = (stored_move){.nodes = -1, .used = 500000, .remaining = 60000000};
        writer w = writer_on(m->move, sizeof m->move);
        rules_format_move(f->state, move, NOTATION_NATIVE, &w);
        if (!rules_play(f->state, move, NULL))
            break;
    }
    rules_verdict v = rules_result(f->state);
    g->outcome = v.outcome != RULES_ONGOING ? (int)v.outcome
                                            : RULES_FIRST_WINS + (int)rng_below(&f->chance, 3);
    writer w = writer_on(g->reason, sizeof g->reason);
    write_string(&w, rng_below(&f->chance, 1000) ? "resignation" : "time");
}

static void add_game(filling *f, const rules_game *game, int64_t number) {
    int64_t at = 1700000000000000 + number * 1000000;
    stored_game g = {
        .rated = rng_below(&f->chance, 2) != 0, .started = at, .ended = at, .side = -1};
    rules_set set = rules_default_set(game);
    f->state = rules_state_new(f->state, game, &set, PLIES + 1);
    uint32_t first = rng_below(&f->chance, 4) ? rng_below(&f->chance, PLAYERS) : 0;
    uint32_t second = (first + 1 + rng_below(&f->chance, PLAYERS - 1)) % PLAYERS;
    g.players[0] = f->players[first];
    g.players[1] = f->players[second];
    writer w = writer_on(g.game, sizeof g.game);
    write_string(&w, rules_name(game));
    w = writer_on(g.rules, sizeof g.rules);
    rules_set_format(game, &set, &w);
    w = writer_on(g.control, sizeof g.control);
    write_string(&w, "60+1");
    play_game(f, &g);
    store_add_game(f->store, &g);
    store_end_game(f->store, &g, f->moves);
    explorer_take_in(f->store, &g, f->moves, g.plies);
    explorer_name_opening(f->store, g.id, f->state);
}

static bool fill(filling *f, int games, fault *why) {
    int64_t there = store_count_games(f->store);
    f->state = aligned_alloc(16, (rules_state_size(PLIES + 1) + 15) & ~(size_t)15);
    bool good = (f->state || fault_set(why, "out of memory")) && add_players(f, why);
    f->chance = (rng){(uint64_t)there + 1};
    f->began = f->shown = clock_us();
    f->what = "games";
    for (int64_t n = there; good && n < games; n++) {
        add_game(f, rules_nth((int)(n % 2)), n);
        if (n % BATCH == 0)
            good = store_commit(f->store, why) &&
                   (show(f, (double)(n - there) / (double)(games - there)) ||
                    fault_set(why, "interrupted; the same command goes on from here"));
    }
    good = good && store_commit(f->store, why);
    free(f->state);
    f->what = "index of positions";
    f->began = clock_us();
    return good && position_index_fill(f->store, show, f, why) &&
           (!store_has_unindexed(f->store) ||
            fault_set(why, "interrupted; the same command goes on from here"));
}

// --- searches -----------------------------------------------------------------------------------

typedef struct {
    int64_t last;
    int count;
} found_games;

static void count_game(void *context, const stored_game *g) {
    found_games *f = context;
    f->last = g->id;
    f->count++;
}

static int by_time(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// As a server does: in a store of its own, opened for each search.
static bool search_once(const char *data, archive_query *q, found_games *f, int64_t *rest,
                        int64_t *us, fault *why) {
    int64_t began = clock_us();
    store *s = store_open_second(data, why);
    if (!s)
        return false;
    *f = (found_games){0};
    *rest = store_each_game(s, q, count_game, f);
    if (f->count == q->limit)
        *rest = f->last;
    store_close(s);
    *us = clock_us() - began;
    return true;
}

static bool time_search(FILE *out, const char *data, const char *name, archive_query q,
                        fault *why) {
    int64_t us[TIMES + PAGES], rest = 0, slowest = 0;
    found_games f = {0};
    int pages = 0, games = 0;
    for (int i = 0; i < TIMES; i++)
        if (!search_once(data, &q, &f, &rest, &us[i], why))
            return false;
    int first = f.count;
    int64_t at_first = us[0];
    qsort(us, TIMES, sizeof *us, by_time);
    int64_t median = us[TIMES / 2];
    for (q.before = rest; q.before && pages < PAGES; q.before = rest, pages++) {
        int64_t took;
        if (!search_once(data, &q, &f, &rest, &took, why))
            return false;
        games += f.count;
        slowest = max_i64(slowest, took);
    }
    fprintf(out, "%-44s %3d found  %6.1f ms at first %6.1f ms then", name, first,
            (double)at_first / 1e3, (double)median / 1e3);
    if (pages)
        fprintf(out, "; %d further pages, %d found, %.1f ms at most", pages, games,
                (double)slowest / 1e3);
    fprintf(out, "\n");
    return true;
}

// The key of the position after the first moves of the list, so many plies.
static uint64_t key_after(const rules_game *game, int plies, int which) {
    void *memory = aligned_alloc(16, (rules_state_size(64) + 15) & ~(size_t)15);
    if (!memory)
        return 0;
    rules_set set = rules_default_set(game);
    rules_state *s = rules_state_new(memory, game, &set, 64);
    for (int i = 0; i < plies; i++) {
        rules_move moves[RULES_MAX_MOVES];
        int count = rules_legal_moves(s, moves);
        if (!rules_play(s, moves[which % count], NULL))
            break;
    }
    uint64_t key = mirror_of(s).key;
    free(memory);
    return key;
}

static bool search_all(FILE *out, const char *data, const int64_t *players, fault *why) {
    static const struct {
        const char *name;
        int plies, which;
    } positions[] = {{"start", 0, 0}, {"4 plies", 4, 0}, {"8 plies", 8, 1}, {"nowhere", 12, 20}};
    static const struct {
        const char *name;
        int player, outcome;
        const char *reason;
    } terms[] = {{"", -1, -1, ""},
                 {", of a player", 500, -1, ""},
                 {", of the busiest player", 0, -1, ""},
                 {", drawn", -1, RULES_DRAW, ""},
                 {", lost on time", -1, -1, "time"},
                 {", of the busiest player, drawn, on time", 0, RULES_DRAW, "time"},
                 {", by a reason that no game has", -1, -1, "none"}};
    const rules_game *game = rules_nth(0);
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
        for (size_t j = 0; j < sizeof terms / sizeof *terms; j++) {
            char name[64];
            writer w = writer_on(name, sizeof name);
            write_format(&w, "%s%s", positions[i].name, terms[j].name);
            archive_query q = {.has_key = true,
                               .key = key_after(game, positions[i].plies, positions[i].which),
                               .game = rules_name(game),
                               .outcome = terms[j].outcome,
                               .player = terms[j].player >= 0 ? players[terms[j].player] : 0,
                               .reason = terms[j].reason,
                               .limit = 50,
                               .most_us = ARCHIVE_FOUND_US};
            if (!time_search(out, data, name, q, why))
                return false;
        }
    return true;
}

bool archive_bench(FILE *out, const archive_bench_plan *plan, bool (*goes_on)(void), fault *why) {
    filling *f = calloc(1, sizeof *f);
    if (!f)
        return fault_set(why, "out of memory");
    f->goes_on = goes_on;
    f->store = store_open(plan->data, 0, why);
    int64_t began = clock_us();
    bool good = f->store && fill(f, plan->games, why);
    store_close(f->store);
    if (good) {
        fprintf(out, "%d games, made in %.0f s\n", plan->games, (double)(clock_us() - began) / 1e6);
        good = search_all(out, plan->data, f->players, why);
    }
    free(f);
    return good;
}
