#include "contest/schedule.h"

#include "base/rng.h"
#include "contest/swiss.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)SCHEDULE_MAX_PLAYERS == (int)SWISS_MAX, "a Swiss round holds every player");

typedef struct {
    int32_t round;
    int16_t first, second;
    uint32_t opening;
    int8_t half_points; // of first; -1: not played yet; or SCHEDULE_BOTH_LOST
} game;

// The results of two players against each other, from one's point of view.
typedef struct {
    uint32_t half_points, games;
} encounter;

typedef struct {
    int wins, draws, losses, byes;
    int half_points;
    int starts; // meetings begun less meetings not begun
    bool began_last;
    int survived; // rounds of a knockout
    bool has_withdrawn;
} player;

// A knockout round in progress: the players left, in the order of the bracket, two by two.
typedef struct {
    int count;
    int16_t slot[SCHEDULE_MAX_PLAYERS]; // -1: nobody, so the other has a bye
    int extra;                          // pairs added to the tied meetings of this round
} bracket;

struct schedule {
    schedule_rules rules;
    int rounds;        // in all; of a knockout, those needed
    int round;         // made so far
    uint32_t openings; // used so far
    uint32_t made, given, reported, capacity;
    uint32_t extra_games; // of a knockout, beyond those every meeting has
    game *games;
    encounter *between;               // players * players
    uint16_t *met;                    // players * players: meetings (Swiss)
    uint16_t *met_left;               // of those still there, while a round is drawn
    int placed[SCHEDULE_MAX_PLAYERS]; // the player on each place
    player players[SCHEDULE_MAX_PLAYERS];
    bracket bracket;
};

static const char *const kind_names[] = {"round-robin", "gauntlet", "swiss", "knockout"};
enum { KINDS = sizeof kind_names / sizeof kind_names[0] };

bool schedule_find(const char *name, schedule_kind *kind) {
    for (int i = 0; i < KINDS; i++)
        if (strcmp(name, kind_names[i]) == 0) {
            *kind = (schedule_kind)i;
            return true;
        }
    return false;
}

const char *schedule_name(schedule_kind kind) { return kind_names[kind]; }

// --- the object ---------------------------------------------------------------------------------

static int doublings(int players) { // rounds of a knockout
    int n = 0;
    while (1 << n < players)
        n++;
    return n;
}

static int even(int n) { return n + n % 2; }

static int rounds_of(const schedule_rules *r) {
    int times = r->rounds ? r->rounds : 1;
    switch (r->kind) {
    case SCHEDULE_ROUND_ROBIN:
        return times * (even(r->players) - 1);
    case SCHEDULE_GAUNTLET:
        return times;
    case SCHEDULE_SWISS:
        return r->rounds ? r->rounds : doublings(r->players);
    default:
        return doublings(r->players);
    }
}

static int seeds_of(const schedule_rules *r) { return r->seeds ? r->seeds : 1; }

static uint64_t meetings_of(const schedule_rules *r) {
    uint64_t n = (uint64_t)r->players, times = (uint64_t)(r->rounds ? r->rounds : 1);
    switch (r->kind) {
    case SCHEDULE_ROUND_ROBIN:
        return times * n * (n - 1) / 2;
    case SCHEDULE_GAUNTLET:
        return times * (uint64_t)seeds_of(r) * (n - (uint64_t)seeds_of(r));
    case SCHEDULE_SWISS:
        return (uint64_t)rounds_of(r) * (n / 2);
    default:
        return n - 1;
    }
}

// The places 0, 1, 2 ... of a bracket as they stand in it: the two best in different halves, the
// four best in different quarters, and so on; the best meets the last.
static void fill_bracket(schedule *s) {
    int count = 1, order[SCHEDULE_MAX_PLAYERS] = {0};
    while (count < s->rules.players) {
        for (int i = count - 1; i >= 0; i--) {
            order[2 * i + 1] = 2 * count - 1 - order[i];
            order[2 * i] = order[i];
        }
        count *= 2;
    }
    s->bracket.count = count;
    for (int i = 0; i < count; i++)
        s->bracket.slot[i] = (int16_t)(order[i] < s->rules.players ? s->placed[order[i]] : -1);
}

static void place_players(schedule *s) {
    rng lots = {s->rules.seed};
    int n = s->rules.players;
    for (int i = 0; i < n; i++)
        s->placed[i] = i;
    for (int i = n - 1; i > 0 && s->rules.seed; i--) {
        int j = (int)rng_below(&lots, (uint32_t)i + 1), swapped = s->placed[i];
        s->placed[i] = s->placed[j];
        s->placed[j] = swapped;
    }
}

schedule *schedule_new(const schedule_rules *rules) {
    // So that the products below stay small, and no Swiss round looks back on too many others.
    const int limit = 1 << 22, round_limit = rules->kind == SCHEDULE_SWISS ? 1000 : limit;
    if (rules->players < 2 || rules->players > SCHEDULE_MAX_PLAYERS || rules->games < 1 ||
        rules->games > limit || rules->rounds < 0 || rules->rounds > round_limit ||
        rules->seeds < 0 || rules->seeds >= rules->players)
        return NULL;
    uint64_t per_meeting = (uint64_t)rules->games;
    if (rules->kind == SCHEDULE_KNOCKOUT)
        per_meeting += 2 * SCHEDULE_EXTRA_PAIRS;
    uint64_t capacity = meetings_of(rules) * per_meeting;
    size_t pairs = (size_t)(rules->players * rules->players);
    schedule *s = calloc(1, sizeof *s);
    if (!s || capacity > UINT32_MAX)
        goto failed;
    s->rules = *rules;
    s->rounds = rounds_of(rules);
    s->capacity = (uint32_t)capacity;
    s->games = calloc(capacity, sizeof *s->games);
    s->between = calloc(pairs, sizeof *s->between);
    s->met = calloc(pairs, sizeof *s->met);
    s->met_left = calloc(pairs, sizeof *s->met_left);
    if (!s->games || !s->between || !s->met || !s->met_left)
        goto failed;
    place_players(s);
    if (rules->kind == SCHEDULE_KNOCKOUT)
        fill_bracket(s);
    return s;
failed:
    schedule_free(s);
    return NULL;
}

void schedule_free(schedule *s) {
    if (!s)
        return;
    free(s->games);
    free(s->between);
    free(s->met);
    free(s->met_left);
    free(s);
}

static void *copy_of(const void *from, size_t size) {
    void *to = malloc(size);
    if (to)
        memcpy(to, from, size);
    return to;
}

schedule *schedule_copy(const schedule *s) {
    size_t pairs = (size_t)(s->rules.players * s->rules.players);
    schedule *copy = copy_of(s, sizeof *s);
    if (!copy)
        return NULL;
    copy->games = copy_of(s->games, s->capacity * sizeof *s->games);
    copy->between = copy_of(s->between, pairs * sizeof *s->between);
    copy->met = copy_of(s->met, pairs * sizeof *s->met);
    copy->met_left = copy_of(s->met_left, pairs * sizeof *s->met_left);
    if (copy->games && copy->between && copy->met && copy->met_left)
        return copy;
    schedule_free(copy);
    return NULL;
}

// --- making games -------------------------------------------------------------------------------

static void add_games(schedule *s, int first, int second, int games) {
    for (int i = 0; i < games; i++) {
        assert(s->made < s->capacity);
        bool is_second = i % 2, changed = is_second;
        if (s->rules.keeps_colours)
            changed = first > second;
        s->games[s->made++] = (game){
            .round = s->round,
            .first = (int16_t)(changed ? second : first),
            .second = (int16_t)(changed ? first : second),
            .opening = s->openings,
            .half_points = -1,
        };
        s->openings += is_second || i == games - 1;
    }
}

static void add_meeting(schedule *s, int first, int second) {
    add_games(s, first, second, s->rules.games);
}

// Berger's table: in round r those meet whose numbers add up to r, modulo one less than their
// number; whoever would meet himself meets the last one, who stands outside of the count. Odd sums
// are begun by the lower number, even ones by the higher; against the last one the lower half
// begins. The next time round it is the other way about.
static void make_berger_round(schedule *s) {
    int n = s->rules.players, last = even(n) - 1;
    int r = s->round % last, turned = s->round / last % 2;
    for (int a = 0; a < last; a++) {
        int b = (r - a + last) % last;
        if (a > b || (a == b && last == n))
            continue; // seen from the other side, or a rest
        bool a_begins = (a + b) % 2;
        if (a == b) {
            b = last;
            a_begins = a <= last / 2;
        }
        if (a_begins != turned)
            add_meeting(s, a, b);
        else
            add_meeting(s, b, a);
    }
    s->round++;
}

static void make_gauntlet_round(schedule *s) {
    int seeds = seeds_of(&s->rules);
    for (int seed = 0; seed < seeds; seed++)
        for (int other = seeds; other < s->rules.players; other++) {
            bool seed_begins = (other - seeds + seed + s->round) % 2 == 0;
            add_meeting(s, seed_begins ? seed : other, seed_begins ? other : seed);
        }
    s->round++;
}

static void give_swiss_bye(schedule *s, int who) {
    s->players[who].byes++;
    s->players[who].half_points += 2 * s->rules.games;
}

// The field of the next round: those still there, in the order of their places; who[] tells which
// players they are.
static void make_field(const schedule *s, swiss_field *field, int who[SWISS_MAX]) {
    int n = s->rules.players;
    *field = (swiss_field){.met = s->met_left, .colours_even_out = s->rules.games % 2 == 0};
    for (int place = 0; place < n; place++) {
        const player *p = &s->players[s->placed[place]];
        if (p->has_withdrawn)
            continue;
        who[field->count] = s->placed[place];
        field->players[field->count++] =
            (swiss_player){p->half_points, place, p->byes, p->starts, p->began_last};
    }
    for (int i = 0, at = 0; i < field->count; i++)
        for (int j = 0; j < field->count; j++)
            s->met_left[at++] = s->met[who[i] * n + who[j]];
}

static void seat_pair(schedule *s, int a, int b) {
    int n = s->rules.players;
    s->met[a * n + b]++;
    s->met[b * n + a]++;
    s->players[a].starts++;
    s->players[b].starts--;
    s->players[a].began_last = true;
    s->players[b].began_last = false;
    add_meeting(s, a, b);
}

// False where nobody is left to play.
static bool make_swiss_round(schedule *s) {
    swiss_field field;
    int who[SWISS_MAX];
    make_field(s, &field, who);
    swiss_pair pairs[SWISS_MAX / 2];
    int count = field.count >= 2 ? swiss_draw(&field, pairs) : 0;
    for (int i = 0; i < count; i++)
        if (pairs[i].second < 0)
            give_swiss_bye(s, who[pairs[i].first]);
        else
            seat_pair(s, who[pairs[i].first], who[pairs[i].second]);
    s->round = count ? s->round + 1 : s->rounds;
    return count > 0;
}

// --- knockout -----------------------------------------------------------------------------------

// How far a leads over b. Two players meet once at most in a knockout.
static int64_t lead(const schedule *s, int a, int b) {
    int n = s->rules.players;
    return (int64_t)s->between[a * n + b].half_points - (int64_t)s->between[b * n + a].half_points;
}

static int place_of(const schedule *s, int who) {
    int place = 0;
    while (s->placed[place] != who)
        place++;
    return place;
}

static bool is_there(const schedule *s, int who) {
    return who >= 0 && !s->players[who].has_withdrawn;
}

// Pairs for the meetings of the round that stand level. Returns whether any were made.
static bool make_extra_pairs(schedule *s) {
    bracket *b = &s->bracket;
    uint32_t before = s->made;
    for (int i = 0; i < b->count && b->extra < SCHEDULE_EXTRA_PAIRS; i += 2)
        if (is_there(s, b->slot[i]) && is_there(s, b->slot[i + 1]) &&
            lead(s, b->slot[i], b->slot[i + 1]) == 0)
            add_games(s, b->slot[i], b->slot[i + 1], 2);
    b->extra++;
    s->extra_games += s->made - before;
    return s->made > before;
}

// Who goes on: by the games, or who is still there. Who won and has withdrawn since goes on too,
// and whoever comes next has a bye.
static int winner_of(const schedule *s, int a, int b) {
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    int64_t ahead = lead(s, a, b);
    if (ahead == 0)
        ahead = is_there(s, a) - is_there(s, b);
    if (ahead == 0)
        ahead = place_of(s, b) - place_of(s, a);
    return ahead > 0 ? a : b;
}

static bool have_met(const schedule *s, int a, int b) {
    return a >= 0 && b >= 0 && s->between[a * s->rules.players + b].games > 0;
}

static void advance_bracket(schedule *s) {
    bracket *b = &s->bracket;
    for (int i = 0; i < b->count; i += 2) {
        int one = b->slot[i], other = b->slot[i + 1], winner = winner_of(s, one, other);
        s->players[winner].byes += !have_met(s, one, other);
        s->players[winner].survived++;
        b->slot[i / 2] = (int16_t)winner;
    }
    b->count /= 2;
    b->extra = 0;
    s->round++;
}

// Returns whether there is anything to play in it.
static bool make_bracket_round(schedule *s) {
    const bracket *b = &s->bracket;
    uint32_t before = s->made;
    for (int i = 0; i + 1 < b->count; i += 2)
        if (is_there(s, b->slot[i]) && is_there(s, b->slot[i + 1]))
            add_meeting(s, b->slot[i], b->slot[i + 1]);
    return s->made > before;
}

// The next games of a knockout, all results being there. Returns false when it is over.
static bool continue_knockout(schedule *s) {
    if (s->bracket.count == 1)
        return false;
    if (s->made == 0 && s->round == 0 && make_bracket_round(s))
        return true;
    if (make_extra_pairs(s))
        return true;
    while (s->bracket.count > 1) {
        advance_bracket(s);
        if (make_bracket_round(s))
            return true;
    }
    return false;
}

// --- handing out --------------------------------------------------------------------------------

// Makes the next games; SCHEDULE_GAME where there are some now.
static schedule_status make_games(schedule *s) {
    bool needs_results = s->rules.kind == SCHEDULE_SWISS || s->rules.kind == SCHEDULE_KNOCKOUT;
    if (needs_results && s->reported < s->made)
        return SCHEDULE_WAIT;
    if (s->rules.kind == SCHEDULE_KNOCKOUT)
        return continue_knockout(s) ? SCHEDULE_GAME : SCHEDULE_END;
    if (s->round == s->rounds)
        return SCHEDULE_END;
    if (s->rules.kind == SCHEDULE_SWISS)
        return make_swiss_round(s) ? SCHEDULE_GAME : SCHEDULE_END;
    if (s->rules.kind == SCHEDULE_GAUNTLET)
        make_gauntlet_round(s);
    else
        make_berger_round(s);
    return SCHEDULE_GAME;
}

bool schedule_is_about_to_draw(const schedule *s) {
    return s->rules.kind == SCHEDULE_SWISS && s->given == s->made && s->reported == s->made &&
           s->round < s->rounds;
}

void schedule_draw(schedule *s) {
    if (schedule_is_about_to_draw(s))
        make_games(s);
}

schedule_status schedule_next(schedule *s, schedule_game *out) {
    if (s->given == s->made) {
        schedule_status status = make_games(s);
        if (status != SCHEDULE_GAME)
            return status;
    }
    const game *g = &s->games[s->given];
    *out = (schedule_game){s->given++, g->round, g->first, g->second, g->opening};
    return SCHEDULE_GAME;
}

// Counts a result, or takes it back (by: 1, -1).
static void count_result(player *p, encounter *e, int half_points, int by) {
    p->wins += by * (half_points == 2);
    p->draws += by * (half_points == 1);
    p->losses += by * (half_points == 0);
    p->half_points += by * half_points;
    e->half_points += (uint32_t)(by * half_points);
    e->games += (uint32_t)by;
}

static void count_game(schedule *s, const game *g, int by) {
    int n = s->rules.players, a = g->first, b = g->second;
    bool both_lost = g->half_points == SCHEDULE_BOTH_LOST;
    int first = both_lost ? 0 : g->half_points, second = both_lost ? 0 : 2 - g->half_points;
    s->reported += (uint32_t)by;
    count_result(&s->players[a], &s->between[a * n + b], first, by);
    count_result(&s->players[b], &s->between[b * n + a], second, by);
}

void schedule_report(schedule *s, uint32_t index, int half_points) {
    assert(half_points >= 0 && half_points <= SCHEDULE_BOTH_LOST);
    if (index >= s->given || s->games[index].half_points >= 0)
        return;
    s->games[index].half_points = (int8_t)half_points;
    count_game(s, &s->games[index], 1);
}

void schedule_correct(schedule *s, uint32_t index, int half_points) {
    assert(half_points >= -1 && half_points <= SCHEDULE_BOTH_LOST);
    if (index >= s->given)
        return;
    if (s->games[index].half_points >= 0)
        count_game(s, &s->games[index], -1);
    s->games[index].half_points = -1;
    if (half_points >= 0)
        schedule_report(s, index, half_points);
}

void schedule_withdraw(schedule *s, int who) { s->players[who].has_withdrawn = true; }

void schedule_finish(schedule *s) {
    bool is_final = s->rules.kind == SCHEDULE_KNOCKOUT && s->bracket.count == 2;
    if (is_final && s->reported == s->made)
        advance_bracket(s);
}

static uint32_t swiss_total(const schedule *s) {
    int left = 0;
    for (int i = 0; i < s->rules.players; i++)
        left += !s->players[i].has_withdrawn;
    return s->made + (uint32_t)((s->rounds - s->round) * (left / 2) * s->rules.games);
}

uint32_t schedule_total(const schedule *s) {
    if (s->rules.kind == SCHEDULE_SWISS)
        return swiss_total(s);
    if (s->rules.kind != SCHEDULE_KNOCKOUT)
        return s->capacity;
    return (uint32_t)((s->rules.players - 1) * s->rules.games) + s->extra_games;
}

// --- standings ----------------------------------------------------------------------------------

void schedule_between(const schedule *s, int a, int b, int *half_points, int *games) {
    const encounter *e = &s->between[a * s->rules.players + b];
    *half_points = (int)e->half_points;
    *games = (int)e->games;
}

static schedule_standing standing_of(const schedule *s, int who) {
    const player *p = &s->players[who];
    schedule_standing line = {
        .player = who,
        .played = p->wins + p->draws + p->losses,
        .half_points = p->half_points,
        .wins = p->wins,
        .draws = p->draws,
        .losses = p->losses,
        .byes = p->byes,
    };
    for (int other = 0; other < s->rules.players; other++) {
        const encounter *e = &s->between[who * s->rules.players + other];
        double points = s->players[other].half_points / 2.0;
        line.buchholz += e->games * points;
        line.sonneborn_berger += e->half_points / 2.0 * points;
    }
    if (s->rules.kind == SCHEDULE_SWISS) {
        double as_strong = p->byes * s->rules.games * (p->half_points / 2.0);
        line.buchholz += as_strong;
        line.sonneborn_berger += as_strong;
    }
    return line;
}

static int sign(double difference) { return (difference > 0) - (difference < 0); }

// Above 0 where b stands above a.
static int compare(const schedule *s, const schedule_standing *a, const schedule_standing *b) {
    int order = 0;
    if (s->rules.kind == SCHEDULE_KNOCKOUT)
        order = s->players[b->player].survived - s->players[a->player].survived;
    if (s->rules.kind == SCHEDULE_GAUNTLET)
        order = sign((double)b->half_points * a->played - (double)a->half_points * b->played);
    if (order == 0)
        order = b->half_points - a->half_points;
    if (order == 0 && s->rules.kind == SCHEDULE_SWISS)
        order = sign(b->buchholz - a->buchholz);
    if (order == 0)
        order = sign(b->sonneborn_berger - a->sonneborn_berger);
    if (order == 0)
        order = b->wins - a->wins;
    return order ? order : a->player - b->player;
}

int schedule_standings(const schedule *s, schedule_standing *out) {
    int n = s->rules.players;
    for (int i = 0; i < n; i++) {
        schedule_standing line = standing_of(s, i);
        int at = i;
        for (; at > 0 && compare(s, &out[at - 1], &line) > 0; at--)
            out[at] = out[at - 1];
        out[at] = line;
    }
    return n;
}
