#include "games/book_tree.h"

#include "base/minmax.h"
#include "records/mirror.h"

#include <math.h>
#include <stdlib.h>

enum { NOWHERE = UINT32_MAX, FULL_WEIGHT = 1000 };

// A move of a position: by the engine's opinion, by a line, or both.
typedef struct {
    rules_move named; // as mirror_move calls it
    bool is_line, has_score;
    int32_t score, worth;
    uint32_t target; // NOWHERE: not in the tree
    uint16_t weight;
} edge;

typedef struct {
    uint64_t key;
    rules_move path[BOOK_TREE_PLIES]; // from the start
    uint8_t ply;
    bool is_asked, is_line;
    int32_t worth; // to the side to move, once asked
    double chance;
    edge *edges;
    int edge_count;
} place;

struct book_tree {
    const rules_game *game;
    book_tree_terms terms;
    place *places;
    uint32_t count, capacity;
    uint32_t *slots; // place + 1 by key, 0: free; a power of two of them, at most half full
    uint32_t slot_count;
    uint32_t asked, waiting;
};

// --- positions ----------------------------------------------------------------------------------

static uint32_t *find_slot(const book_tree *t, uint64_t key) {
    uint32_t i = (uint32_t)key & (t->slot_count - 1);
    while (t->slots[i] && t->places[t->slots[i] - 1].key != key)
        i = (i + 1) & (t->slot_count - 1);
    return &t->slots[i];
}

static uint32_t find_place(const book_tree *t, uint64_t key) {
    uint32_t found = *find_slot(t, key);
    return found ? found - 1 : NOWHERE;
}

static bool grow(book_tree *t) {
    uint32_t capacity = t->capacity ? 2 * t->capacity : 1024;
    place *places = realloc(t->places, capacity * sizeof *places);
    if (!places)
        return false;
    t->places = places;
    t->capacity = capacity;
    uint32_t *slots = calloc(2 * (size_t)capacity, sizeof *slots);
    if (!slots)
        return false;
    free(t->slots);
    t->slots = slots;
    t->slot_count = 2 * capacity;
    for (uint32_t i = 0; i < t->count; i++)
        *find_slot(t, t->places[i].key) = i + 1;
    return true;
}

// The place of the state's position, made where there is none. NOWHERE when memory runs out.
static uint32_t make_place(book_tree *t, const rules_state *s) {
    uint64_t key = mirror_of(s).key;
    uint32_t found = find_place(t, key);
    if (found != NOWHERE)
        return found;
    if (2 * t->count >= t->slot_count && !grow(t))
        return NOWHERE;
    place *p = &t->places[t->count];
    *p = (place){.key = key, .ply = (uint8_t)rules_ply(s)};
    for (uint32_t i = 0; i < p->ply; i++)
        p->path[i] = rules_move_at(s, i);
    *find_slot(t, key) = t->count + 1;
    return t->count++;
}

static edge *find_edge(const place *p, rules_move named) {
    for (int i = 0; i < p->edge_count; i++)
        if (p->edges[i].named == named)
            return &p->edges[i];
    return NULL;
}

// The edge of that name, made where there is none; NULL when memory runs out.
static edge *make_edge(place *p, rules_move named) {
    edge *found = find_edge(p, named);
    if (found)
        return found;
    edge *edges = realloc(p->edges, ((size_t)p->edge_count + 1) * sizeof *edges);
    if (!edges)
        return NULL;
    p->edges = edges;
    p->edges[p->edge_count] = (edge){.named = named, .target = NOWHERE};
    return &p->edges[p->edge_count++];
}

static rules_state *new_state(const book_tree *t, void *memory) {
    rules_set set = rules_default_set(t->game);
    return memory ? rules_state_new(memory, t->game, &set, BOOK_TREE_PLIES) : NULL;
}

book_tree *book_tree_new(const rules_game *game, const book_tree_terms *terms) {
    book_tree *t = calloc(1, sizeof *t);
    void *memory = malloc(rules_state_size(BOOK_TREE_PLIES));
    if (t) {
        t->game = game;
        t->terms = *terms;
    }
    if (!t || !memory || !grow(t) || make_place(t, new_state(t, memory)) == NOWHERE) {
        book_tree_free(t);
        t = NULL;
    } else {
        t->places[0].chance = 1;
    }
    free(memory);
    return t;
}

void book_tree_free(book_tree *t) {
    if (!t)
        return;
    for (uint32_t i = 0; i < t->count; i++)
        free(t->places[i].edges);
    free(t->places);
    free(t->slots);
    free(t);
}

// --- lines --------------------------------------------------------------------------------------

static void mark_line(book_tree *t, uint32_t at) {
    place *p = &t->places[at];
    if (!p->is_line && !p->is_asked)
        t->waiting++;
    p->is_line = true;
}

static bool walk_line(book_tree *t, const record *line, rules_state *s, fault *why) {
    mark_line(t, 0);
    for (uint32_t i = 0; i < line->count; i++) {
        mirror m = mirror_of(s);
        uint32_t from = make_place(t, s);
        edge *e =
            from == NOWHERE ? NULL : make_edge(&t->places[from], mirror_move(&m, line->moves[i]));
        if (!e)
            return fault_set(why, "out of memory");
        if (!rules_play(s, line->moves[i], why))
            return false;
        e->is_line = true;
        uint32_t to = make_place(t, s); // may move the places, not the edges
        if (to == NOWHERE)
            return fault_set(why, "out of memory");
        e->target = to;
        mark_line(t, to);
    }
    return true;
}

bool book_tree_add_line(book_tree *t, const record *line, fault *why) {
    if (line->fen[0])
        return fault_set(why, "a line that does not start at the start position");
    if (line->count > BOOK_TREE_PLIES)
        return fault_set(why, "a line of more than %d plies", BOOK_TREE_PLIES);
    void *memory = malloc(rules_state_size(BOOK_TREE_PLIES));
    if (!memory)
        return fault_set(why, "out of memory");
    bool good = walk_line(t, line, new_state(t, memory), why);
    free(memory);
    return good;
}

// --- asking -------------------------------------------------------------------------------------

static bool may_be_asked(const book_tree *t, const place *p) {
    return !p->is_asked && (p->is_line || (p->chance > 0 && p->ply < t->terms.plies));
}

bool book_tree_next(book_tree *t, rules_state *s) {
    const place *best = NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        const place *p = &t->places[i];
        if (may_be_asked(t, p) && (!best || p->is_line > best->is_line ||
                                   (p->is_line == best->is_line && p->chance > best->chance)))
            best = p;
    }
    if (!best)
        return false;
    while (rules_undo(s))
        ;
    fault why;
    for (int i = 0; i < best->ply; i++)
        if (!rules_play(s, best->path[i], &why))
            return false;
    return true;
}

static uint16_t weight_of_loss(const book_tree *t, int32_t loss) {
    if (loss > t->terms.margin)
        return 0;
    double weight = FULL_WEIGHT * exp(-(double)loss / t->terms.temperature);
    return weight < 1 ? 1 : (uint16_t)weight;
}

// Gives every move its worth and its weight, and the place its worth.
static void weigh(const book_tree *t, place *p) {
    p->worth = INT32_MIN;
    for (int i = 0; i < p->edge_count; i++) {
        edge *e = &p->edges[i];
        const place *to = e->target == NOWHERE ? NULL : &t->places[e->target];
        // nearer to the start lies a way round in circles
        bool is_known = to && to->is_asked && to->edge_count && to->ply > p->ply;
        e->worth = is_known ? -to->worth : e->has_score ? e->score : INT32_MIN;
        p->worth = max_int(e->worth, p->worth);
    }
    for (int i = 0; i < p->edge_count; i++) {
        edge *e = &p->edges[i];
        e->weight = e->worth == INT32_MIN ? 0 : weight_of_loss(t, p->worth - e->worth);
    }
}

// The only move a place has that is worth playing, or NULL.
static const edge *only_move(const place *p) {
    const edge *only = NULL;
    for (int i = 0; i < p->edge_count; i++) {
        if (p->edges[i].weight && only)
            return NULL;
        if (p->edges[i].weight)
            only = &p->edges[i];
    }
    return only;
}

// Hands the chance of a place that was just asked about on to where its moves lead. Where a line
// ends in an only move, that is too much to be believed at first sight: it is asked about as well.
static void spread_chance(book_tree *t, uint32_t at, rules_state *s) {
    mirror m = mirror_of(s);
    double all = 0;
    for (int i = 0; i < t->places[at].edge_count; i++)
        all += t->places[at].edges[i].weight;
    for (int i = 0; i < t->places[at].edge_count && rules_ply(s) < BOOK_TREE_PLIES; i++) {
        edge *e = &t->places[at].edges[i];
        if (e->weight == 0)
            continue;
        fault why;
        rules_move images[MIRROR_IMAGES];
        mirror_moves(&m, e->named, images);
        if (!rules_play(s, images[0], &why))
            continue;
        uint32_t to = rules_result(s).outcome == RULES_ONGOING ? make_place(t, s) : NOWHERE;
        rules_undo(s);
        e->target = to;
        if (to != NOWHERE)
            t->places[to].chance += t->places[at].chance * e->weight / all;
        if (to != NOWHERE && t->places[at].is_line && only_move(&t->places[at]) == e)
            mark_line(t, to);
    }
}

bool book_tree_answer(book_tree *t, rules_state *s, const book_opinion *opinions, int count) {
    mirror m = mirror_of(s);
    uint32_t at = find_place(t, m.key);
    if (at == NOWHERE || t->places[at].is_asked)
        return true;
    for (int i = 0; i < count; i++) {
        edge *e = make_edge(&t->places[at], mirror_move(&m, opinions[i].move));
        if (!e)
            return false;
        if (e->has_score) // the same move on the other wing
            continue;
        e->has_score = true;
        e->score = opinions[i].score;
    }
    t->places[at].is_asked = true;
    t->asked++;
    t->waiting -= t->places[at].is_line;
    weigh(t, &t->places[at]);
    spread_chance(t, at, s);
    return true;
}

uint32_t book_tree_asked(const book_tree *t) { return t->asked; }

uint32_t book_tree_waiting(const book_tree *t) { return t->waiting; }

// --- the end ------------------------------------------------------------------------------------

void book_tree_settle(book_tree *t) {
    for (int ply = BOOK_TREE_PLIES; ply >= 0; ply--)
        for (uint32_t i = 0; i < t->count; i++)
            if (t->places[i].ply == ply && t->places[i].is_asked)
                weigh(t, &t->places[i]);
}

bool book_tree_loss(const book_tree *t, const rules_state *s, rules_move move, int32_t *loss) {
    mirror m = mirror_of(s);
    uint32_t at = find_place(t, m.key);
    const edge *e = at == NOWHERE ? NULL : find_edge(&t->places[at], mirror_move(&m, move));
    if (!e || !t->places[at].is_asked || e->worth == INT32_MIN)
        return false;
    *loss = t->places[at].worth - e->worth;
    return true;
}

bool book_tree_give(const book_tree *t, book_maker *maker) {
    for (uint32_t i = 0; i < t->count; i++) {
        const place *p = &t->places[i];
        for (int k = 0; p->is_asked && k < p->edge_count; k++) {
            const edge *e = &p->edges[k];
            // what lines have stays in the book, be it as a warning
            if ((e->weight || e->is_line) &&
                !book_maker_add_entry(maker, p->key, e->named, e->weight))
                return false;
        }
    }
    return true;
}
