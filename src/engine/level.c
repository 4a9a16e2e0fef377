#include "engine/level.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "games/levels.h"

enum { SACRIFICE = 150 }; // centipawns: worth a man, and more

static const level_plan *plan_of(const rules_game *game, int level) {
    return &levels_find(game)->plans[level];
}

static int variations_of(const level_plan *plan) {
    return min_int(plan->variations, SEARCH_MAX_VARIATIONS);
}

// --- what captures lose -------------------------------------------------------------------------

enum { CAPTURE_PLIES = 8, KING_VALUE = 1000 };

// In tenths of a pawn.
static int value_of(const rules_state *state, int point) {
    const level_table *known = levels_find(rules_game_of(state));
    char piece = rules_piece_at(state, point);
    if (piece == '.')
        return 0;
    const char *at = strchr(known->men, piece | 0x20);
    return at ? known->values[at - known->men] : KING_VALUE;
}

// What the side to move can win by captures, stopping whenever it likes.
static int captures_win(rules_state *state, int alpha, int beta, int plies) {
    rules_move moves[RULES_MAX_MOVES];
    int n = plies ? rules_legal_moves(state, moves) : 0, best = 0;
    for (int i = 0; i < n && rules_is_capture(state, moves[i]) && best < beta; i++) {
        int value = value_of(state, move_to(moves[i]));
        int bound = max_int(best, alpha);
        if (!rules_play(state, moves[i], NULL))
            break;
        value -= captures_win(state, value - beta, value - bound, plies - 1);
        rules_undo(state);
        best = max_int(value, best);
    }
    return best;
}

int level_loss(rules_state *state, rules_move move) {
    int won = value_of(state, move_to(move));
    if (!rules_play(state, move, NULL))
        return 0;
    int lost = captures_win(state, -1, 10 * KING_VALUE, CAPTURE_PLIES) - won;
    rules_undo(state);
    return max_int(lost, 0);
}

// The least that must be lost, and how many moves lose more.
typedef struct {
    int least, unsafe;
} men_at_stake;

static men_at_stake look_at_men(rules_state *state) {
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(state, moves), loss[RULES_MAX_MOVES];
    men_at_stake all = {.least = INT32_MAX};
    for (int i = 0; i < n; i++) {
        loss[i] = level_loss(state, moves[i]);
        all.least = min_int(loss[i], all.least);
    }
    for (int i = 0; i < n; i++)
        all.unsafe += loss[i] > all.least;
    return all;
}

// --- limits -------------------------------------------------------------------------------------

// Among one more than there are unsafe moves one must be safe.
static int lines_for(rules_state *state, int level, const level_plan *plan) {
    if (level < LEVEL_SAFE || plan->noise == 0)
        return variations_of(plan);
    int needed = look_at_men(state).unsafe + 1;
    needed = min_int(needed, SEARCH_MAX_VARIATIONS);
    return max_int(needed, variations_of(plan));
}

void level_limit(rules_state *state, int level, search_limits *limits) {
    const level_plan *plan = plan_of(rules_game_of(state), level);
    if (level == LEVEL_FULL)
        return;
    if (limits->depth == 0 || limits->depth > plan->depth)
        limits->depth = plan->depth;
    if (plan->nodes && (limits->nodes == 0 || limits->nodes > plan->nodes))
        limits->nodes = plan->nodes;
    int lines = lines_for(state, level, plan);
    if (limits->variations < lines)
        limits->variations = lines;
}

// --- choosing -----------------------------------------------------------------------------------

// Between -limit and limit, small errors more often than large ones.
static int32_t error_of(rng *random, int32_t limit) {
    uint32_t span = 2 * (uint32_t)limit + 1;
    return ((int32_t)rng_below(random, span) + (int32_t)rng_below(random, span)) / 2 - limit;
}

// The best score among the lines that lose no more by captures than can be helped; SCORE_NONE where
// all of them do, which only moves the manager forbids can bring about.
static int32_t best_safe(rules_state *state, const thoughts *t, bool is_safe[]) {
    int affordable = look_at_men(state).least;
    int32_t best = SCORE_NONE;
    for (int i = 0; i < t->line_count; i++) {
        const search_report *r = &t->lines[i].report;
        is_safe[i] = r->pv_count > 0 && level_loss(state, t->lines[i].pv[0]) <= affordable;
        if (is_safe[i] && (best == SCORE_NONE || r->score > best))
            best = r->score;
    }
    return best;
}

int level_choose(int level, uint64_t seed, rules_state *state, const thoughts *t) {
    const level_plan *plan = plan_of(rules_game_of(state), level);
    rng random = {seed ^ rules_key(state) ^ (uint64_t)rules_ply(state) << 32};
    bool is_safe[SEARCH_MAX_VARIATIONS], keeps_men = level >= LEVEL_SAFE;
    int32_t best = t->lines[0].report.score, most = INT32_MIN;
    if (level == LEVEL_FULL || plan->noise == 0 || best > SCORE_MATE_BOUND)
        return 0;
    int32_t safe = keeps_men ? best_safe(state, t, is_safe) : best;
    if (safe == SCORE_NONE || best - SACRIFICE > safe)
        return 0; // a man is given for something better, or nothing else helps
    int chosen = 0, lines = t->line_count, first = 0;
    while (keeps_men && !is_safe[first])
        first++;
    if (first < variations_of(plan) && lines > variations_of(plan))
        lines = variations_of(plan); // the others are there for want of a safe one
    for (int i = 0; i < lines; i++) {
        const search_report *r = &t->lines[i].report;
        int32_t looks = r->score + error_of(&random, plan->noise);
        bool is_open = keeps_men ? is_safe[i] : r->pv_count > 0;
        if (is_open && safe - r->score <= plan->margin && looks > most) {
            most = looks;
            chosen = i;
        }
    }
    return chosen;
}
