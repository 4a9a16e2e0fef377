#include "contest/swiss.h"

#include "contest/matching.h"

#include <assert.h>
#include <stdlib.h>

static_assert((int)SWISS_MAX <= (int)MATCHING_MAX, "a round is drawn as one matching");

// The players in order of rank. If their number is odd, an absent player is added at the end of the
// last score group; the opponent of that one has the bye.
typedef struct {
    const swiss_field *field;
    int count;                // the absentee included
    int16_t who[SWISS_MAX];   // the player of a rank; -1: the absentee
    int16_t group[SWISS_MAX]; // the score group of a rank, 0 on top
} table;

static table rank_players(const swiss_field *f) {
    table t = {.field = f};
    const swiss_player *p = f->players;
    for (int i = 0; i < f->count; i++) {
        int at = t.count++;
        for (; at > 0; at--) {
            int other = t.who[at - 1];
            if (p[other].points > p[i].points ||
                (p[other].points == p[i].points && p[other].lot < p[i].lot))
                break;
            t.who[at] = (int16_t)other;
        }
        t.who[at] = (int16_t)i;
    }
    for (int i = 1; i < t.count; i++)
        t.group[i] = (int16_t)(t.group[i - 1] + (p[t.who[i]].points != p[t.who[i - 1]].points));
    if (t.count % 2) {
        t.who[t.count] = -1;
        t.group[t.count] = t.group[t.count - 1];
        t.count++;
    }
    return t;
}

static int met_before(const table *t, int i, int j) {
    int a = t->who[i], b = t->who[j];
    if (a < 0 || b < 0)
        return t->field->players[a < 0 ? b : a].byes;
    return t->field->met[a * t->field->count + b];
}

// 0: the colours suit both; 1: both are due the same colour; 2: one of them would get too far off
// balance.
static int colour_clash(const table *t, int i, int j) {
    int a = t->who[i], b = t->who[j];
    if (t->field->colours_even_out || a < 0 || b < 0)
        return 0;
    int x = t->field->players[a].starts, y = t->field->players[b].starts;
    if ((x > 0) != (y > 0) || (x < 0) != (y < 0) || x == 0)
        return 0;
    return abs(x) >= 2 && abs(y) >= 2 ? 2 : 1;
}

static int group_distance(const table *t, int i, int j) { return abs(t->group[i] - t->group[j]); }

// --- who may meet whom --------------------------------------------------------------------------

static bool complete_within(const table *t, matching *m, int met, int clash, int distance) {
    for (int i = 0; i < t->count; i++)
        for (int j = i; j < t->count; j++) // nobody meets himself
            m->joined[i][j] = m->joined[j][i] = i != j && met_before(t, i, j) <= met &&
                                                colour_clash(t, i, j) <= clash &&
                                                group_distance(t, i, j) <= distance;
    return matching_complete(m);
}

// Rules 1 to 3: finds the strictest limits under which everybody can be paired.
static void find_graph(const table *t, matching *m) {
    *m = (matching){.n = t->count};
    int groups = t->group[t->count - 1] + 1;
    for (int met = 0;; met++)
        for (int clash = 1; clash <= 2; clash++) {
            if (!complete_within(t, m, met, clash, groups))
                continue;
            for (int distance = 0; distance < groups; distance++)
                if (complete_within(t, m, met, clash, distance))
                    return;
        }
}

// --- the draw -----------------------------------------------------------------------------------

// The cost of pairing rank i with rank j by rule 4. `place` is j's place among the players left in
// its score group, `rivals` the number of players in i's group.
static int64_t reluctance(const table *t, int i, int j, int place, int rivals) {
    if (t->who[j] < 0)
        return INT64_MAX - 1;
    int distance = group_distance(t, i, j);
    int off = distance ? place : abs(place - rivals / 2);
    int64_t met = met_before(t, i, j), clash = colour_clash(t, i, j);
    return (((met * 2 + clash / 2) * SWISS_MAX + distance) * 2 + (clash > 0)) * SWISS_MAX + off;
}

static int choose_opponent(const table *t, matching *m, int i) {
    int64_t cost[SWISS_MAX];
    int place[SWISS_MAX] = {0}, rivals = 0; // by group
    for (int j = i; j < t->count; j++)
        rivals += !m->gone[j] && t->who[j] >= 0 && t->group[j] == t->group[i];
    for (int j = i; j < t->count; j++) {
        cost[j] = INT64_MAX;
        if (m->gone[j])
            continue;
        int at = place[t->group[j]]++;
        if (m->joined[i][j])
            cost[j] = reluctance(t, i, j, at, rivals);
    }
    for (;;) { // ends: the matching holds an opponent for everybody
        int best = i;
        for (int j = i; j < t->count; j++)
            if (cost[j] < cost[best])
                best = j;
        if (matching_fix(m, i, best))
            return best;
        cost[best] = INT64_MAX;
    }
}

// Who begins: the one who has done so less often, or not the last time; else the boards alternate.
static swiss_pair seat(const table *t, int i, int j, int board) {
    int a = t->who[i], b = t->who[j];
    if (b < 0)
        return (swiss_pair){a, -1};
    const swiss_player *x = &t->field->players[a], *y = &t->field->players[b];
    bool a_begins = board % 2 == 0;
    if (x->starts != y->starts)
        a_begins = x->starts < y->starts;
    else if (x->began_last != y->began_last)
        a_begins = y->began_last;
    return a_begins ? (swiss_pair){a, b} : (swiss_pair){b, a};
}

int swiss_draw(const swiss_field *field, swiss_pair pairs[SWISS_MAX / 2]) {
    table t = rank_players(field);
    matching m;
    find_graph(&t, &m);
    int n = 0;
    swiss_pair bye = {-1, -1};
    for (int i = 0; i < t.count; i++) {
        if (m.gone[i])
            continue;
        int j = choose_opponent(&t, &m, i);
        if (t.who[j] < 0)
            bye = seat(&t, i, j, 0);
        else
            pairs[n] = seat(&t, i, j, n), n++;
    }
    if (bye.first >= 0)
        pairs[n++] = bye;
    return n;
}
