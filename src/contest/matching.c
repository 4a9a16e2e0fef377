#include "contest/matching.h"

#include <string.h>

// A search for an augmenting path: a tree of alternating paths from one unmatched player. Odd
// cycles are shrunk: `base` is who stands for all the players of a cycle.
typedef struct {
    int16_t parent[MATCHING_MAX]; // the player before this one on the way from the root
    int16_t base[MATCHING_MAX];
    bool outer[MATCHING_MAX]; // reached over an even number of steps, and so to be searched from
    int16_t queue[MATCHING_MAX];
    int head, tail;
} search;

static void enqueue(search *s, int v) {
    s->outer[v] = true;
    s->queue[s->tail++] = (int16_t)v;
}

// Where the ways from a and b back to the root meet.
static int common_base(const matching *m, const search *s, int a, int b) {
    bool passed[MATCHING_MAX] = {false};
    for (a = s->base[a];; a = s->base[s->parent[m->mate[a]]]) {
        passed[a] = true;
        if (m->mate[a] < 0)
            break; // the root
    }
    for (b = s->base[b]; !passed[b];)
        b = s->base[s->parent[m->mate[b]]];
    return b;
}

// Marks the bases on the way from v to the cycle's base, and turns the parents round so that the
// way can be walked from both ends; child is the neighbour of v on the cycle's other half.
static void mark_half(const matching *m, search *s, bool *in_cycle, int v, int base, int child) {
    while (s->base[v] != base) {
        int mate = m->mate[v];
        in_cycle[s->base[v]] = in_cycle[s->base[mate]] = true;
        s->parent[v] = (int16_t)child;
        child = mate;
        v = s->parent[mate];
    }
}

static void shrink_cycle(const matching *m, search *s, int a, int b) {
    bool in_cycle[MATCHING_MAX] = {false};
    int base = common_base(m, s, a, b);
    mark_half(m, s, in_cycle, a, base, b);
    mark_half(m, s, in_cycle, b, base, a);
    for (int v = 0; v < m->n; v++)
        if (in_cycle[s->base[v]]) {
            s->base[v] = (int16_t)base;
            if (!s->outer[v])
                enqueue(s, v);
        }
}

// Exchanges matched and unmatched steps on the way from v back to the root.
static void flip_path(matching *m, const search *s, int v) {
    while (v >= 0) {
        int before = s->parent[v], next = m->mate[before];
        m->mate[v] = (int16_t)before;
        m->mate[before] = (int16_t)v;
        v = next;
    }
}

// Finds a mate for root, moving other pairs about where it helps.
static bool augment(matching *m, int root) {
    search s = {.head = 0};
    for (int v = 0; v < m->n; v++) {
        s.parent[v] = -1;
        s.base[v] = (int16_t)v;
    }
    enqueue(&s, root);
    while (s.head < s.tail) {
        int v = s.queue[s.head++];
        for (int to = 0; to < m->n; to++) {
            if (!m->joined[v][to] || m->gone[to] || s.base[v] == s.base[to] || m->mate[v] == to)
                continue;
            if (to == root || (m->mate[to] >= 0 && s.parent[m->mate[to]] >= 0)) {
                shrink_cycle(m, &s, v, to);
            } else if (s.parent[to] < 0) {
                s.parent[to] = (int16_t)v;
                if (m->mate[to] < 0) {
                    flip_path(m, &s, to);
                    return true;
                }
                enqueue(&s, m->mate[to]);
            }
        }
    }
    return false;
}

bool matching_complete(matching *m) {
    for (int v = 0; v < m->n; v++)
        m->mate[v] = -1;
    for (int v = 0; v < m->n; v++)
        if (!m->gone[v] && m->mate[v] < 0 && !augment(m, v))
            return false;
    return true;
}

bool matching_fix(matching *m, int a, int b) {
    int16_t before[MATCHING_MAX];
    int left_a = m->mate[a], left_b = m->mate[b];
    memcpy(before, m->mate, sizeof before);
    m->gone[a] = m->gone[b] = true;
    if (left_a != b) {
        m->mate[left_a] = m->mate[left_b] = -1;
        if (!augment(m, left_a)) {
            m->gone[a] = m->gone[b] = false;
            memcpy(m->mate, before, sizeof before);
            return false;
        }
    }
    m->mate[a] = (int16_t)b;
    m->mate[b] = (int16_t)a;
    return true;
}
