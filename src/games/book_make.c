#include "games/book_make.h"

#include "base/minmax.h"
#include "base/vector.h"
#include "records/mirror.h"

#include <stdlib.h>

// A book entry in the making.
typedef struct {
    uint64_t key;
    rules_move move;
    bool is_from_line;
    uint32_t weight; // from lines and games without a result
    uint32_t wins, draws, losses;
    uint32_t games;
} gathered;

struct book_maker {
    const rules_game *game;
    gathered *entries;
    size_t count, capacity;
    size_t sorted; // the first so many are sorted and all different
};

book_maker *book_maker_new(const rules_game *game) {
    book_maker *m = calloc(1, sizeof *m);
    if (m)
        m->game = game;
    return m;
}

void book_maker_free(book_maker *m) {
    if (m)
        free(m->entries);
    free(m);
}

static int compare_gathered(const void *a, const void *b) {
    const gathered *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

static uint32_t add_capped(uint32_t a, uint32_t b) {
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static void add_up(gathered *to, const gathered *from) {
    to->is_from_line |= from->is_from_line;
    to->weight = add_capped(to->weight, from->weight);
    to->wins = add_capped(to->wins, from->wins);
    to->draws = add_capped(to->draws, from->draws);
    to->losses = add_capped(to->losses, from->losses);
    to->games = add_capped(to->games, from->games);
}

// Sorts the entries and makes one of those that are of the same move.
static void settle(book_maker *m) {
    if (m->sorted == m->count)
        return;
    qsort(m->entries, m->count, sizeof *m->entries, compare_gathered);
    size_t kept = 0;
    for (size_t i = 1; i < m->count; i++)
        if (compare_gathered(&m->entries[kept], &m->entries[i]) == 0)
            add_up(&m->entries[kept], &m->entries[i]);
        else
            m->entries[++kept] = m->entries[i];
    m->count = m->sorted = kept + 1;
}

static bool add_entry(book_maker *m, const gathered *e) {
    if (m->count == m->capacity && m->count)
        settle(m);
    if (2 * m->count >= m->capacity) { // so that the next time to sort is far
        size_t wanted = max_size(m->capacity + 1, 4096);
        gathered *grown = vector_reserve(m->entries, &m->capacity, wanted, sizeof *grown);
        if (!grown)
            return false;
        m->entries = grown;
    }
    m->entries[m->count++] = *e;
    return true;
}

static gathered entry_of(const rules_state *s, rules_move move) {
    mirror at = mirror_of(s);
    return (gathered){.key = at.key, .move = mirror_move(&at, move)};
}

bool book_maker_add_entry(book_maker *m, uint64_t key, rules_move named, uint32_t weight) {
    gathered e = {.key = key, .move = named, .weight = weight, .is_from_line = true};
    return add_entry(m, &e);
}

bool book_maker_add_line_move(book_maker *m, const rules_state *s, rules_move move,
                              uint32_t weight) {
    gathered e = entry_of(s, move);
    return book_maker_add_entry(m, e.key, e.move, weight);
}

static bool add_game_move(book_maker *m, const rules_state *s, rules_move move,
                          rules_outcome result) {
    gathered e = entry_of(s, move);
    rules_outcome won = rules_side_to_move(s) == 0 ? RULES_FIRST_WINS : RULES_SECOND_WINS;
    e.games = 1;
    e.weight = result == RULES_ONGOING;
    e.draws = result == RULES_DRAW;
    e.wins = result == won;
    e.losses = !e.weight && !e.draws && !e.wins;
    return add_entry(m, &e);
}

static bool add_moves(book_maker *m, const record *r, uint32_t plies, uint32_t weight,
                      rules_state *s, fault *why) {
    if (r->fen[0] && !rules_set_fen(s, text_of(r->fen), why))
        return false;
    for (uint32_t i = 0; i < plies; i++) {
        rules_move move = r->moves[i];
        if (!rules_is_legal(s, move))
            return fault_set(why, "move %u is illegal", (unsigned)i + 1);
        bool added = weight ? book_maker_add_line_move(m, s, move, weight)
                            : add_game_move(m, s, move, r->result);
        if (!added)
            return fault_set(why, "out of memory");
        if (!rules_play(s, move, why))
            return false;
    }
    return true;
}

bool book_maker_add_game(book_maker *m, const record *r, uint32_t plies, uint32_t weight,
                         fault *why) {
    if (r->game != m->game)
        return fault_set(why, "a game of %s in a book of %s", rules_name(r->game),
                         rules_name(m->game));
    uint32_t most = min_u32(plies, r->count);
    void *memory = malloc(rules_state_size(most));
    if (!memory)
        return fault_set(why, "out of memory");
    rules_set set = rules_default_set(m->game);
    rules_state *s = rules_state_new(memory, m->game, &set, most);
    bool good = add_moves(m, r, most, weight, s, why);
    free(memory);
    return good;
}

// What a book's weight owes to its results is counted again from them; the rest came from lines.
bool book_maker_add_book(book_maker *m, const book *b) {
    for (uint32_t i = 0; i < book_entry_count(b); i++) {
        book_entry e = book_entry_at(b, i);
        uint64_t earned = 2 * (uint64_t)e.wins + e.draws;
        gathered g = {.key = e.key,
                      .move = e.move,
                      .wins = e.wins,
                      .draws = e.draws,
                      .losses = e.losses,
                      .is_from_line = true};
        g.weight = e.weight > earned ? (uint32_t)(e.weight - earned) : 0;
        if (!add_entry(m, &g))
            return false;
    }
    return true;
}

// --- writing ------------------------------------------------------------------------------------

static uint64_t full_weight(const gathered *e) {
    return e->weight + 2 * (uint64_t)e->wins + e->draws;
}

static bool is_kept(const gathered *e, uint32_t min_games) {
    return e->is_from_line || e->games >= min_games;
}

static void write_entry(const gathered *e, uint64_t heaviest, buffer *out) {
    uint64_t weight = full_weight(e);
    if (heaviest > BOOK_MAX_WEIGHT && weight) {
        weight = weight * BOOK_MAX_WEIGHT / heaviest;
        weight += weight == 0; // a move to be played stays one
    }
    book_entry entry = {e->key, e->move, (uint16_t)weight, e->wins, e->draws, e->losses};
    uint8_t bytes[BOOK_ENTRY_BYTES];
    book_entry_write(&entry, bytes);
    buffer_add(out, (text){(const char *)bytes, sizeof bytes});
}

bool book_maker_write(book_maker *m, uint32_t min_games, buffer *out) {
    settle(m);
    uint8_t header[BOOK_HEADER_BYTES] = {0};
    size_t begin = out->len;
    buffer_add(out, (text){(const char *)header, sizeof header});
    for (size_t i = 0, end; i < m->count; i = end) {
        uint64_t heaviest = 0;
        for (end = i; end < m->count && m->entries[end].key == m->entries[i].key; end++)
            if (is_kept(&m->entries[end], min_games) && full_weight(&m->entries[end]) > heaviest)
                heaviest = full_weight(&m->entries[end]);
        for (size_t j = i; j < end; j++)
            if (is_kept(&m->entries[j], min_games))
                write_entry(&m->entries[j], heaviest, out);
    }
    if (out->failed)
        return false;
    const uint8_t *entries = (const uint8_t *)out->bytes + begin + BOOK_HEADER_BYTES;
    uint32_t count = (uint32_t)((out->len - begin - BOOK_HEADER_BYTES) / BOOK_ENTRY_BYTES);
    book_header_write(m->game, entries, count, header);
    memcpy(out->bytes + begin, header, sizeof header);
    return true;
}
