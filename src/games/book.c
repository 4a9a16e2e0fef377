#include "games/book.h"

#include "base/embedded.h"
#include "os/file.h"
#include "records/mirror.h"

#include <errno.h>
#include <stdlib.h>

extern const embedded_file embedded_books[];

struct book {
    const rules_game *game;
    const uint8_t *entries;
    uint32_t count, positions;
    uint8_t *owned; // the file; NULL where the bytes are the program's
};

// --- the file -----------------------------------------------------------------------------------

static uint64_t load_number(const uint8_t *at, int bytes) {
    uint64_t number = 0;
    for (int i = bytes - 1; i >= 0; i--)
        number = number << 8 | at[i];
    return number;
}

static void store_number(uint8_t *at, int bytes, uint64_t number) {
    for (int i = 0; i < bytes; i++, number >>= 8)
        at[i] = (uint8_t)number;
}

static uint64_t add_to_hash(uint64_t hash, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

// FNV-1a over the header but for its last field, which holds this, and the entries.
static uint64_t checksum(const uint8_t *header, const uint8_t *entries, uint32_t count) {
    uint64_t hash = add_to_hash(UINT64_C(0xcbf29ce484222325), header, BOOK_HEADER_BYTES - 8);
    return add_to_hash(hash, entries, (size_t)count * BOOK_ENTRY_BYTES);
}

static uint32_t game_number(const rules_game *game) {
    uint32_t n = 0;
    while (rules_nth((int)n) != game)
        n++;
    return n + 1;
}

void book_header_write(const rules_game *game, const uint8_t *entries, uint32_t count,
                       uint8_t bytes[BOOK_HEADER_BYTES]) {
    memcpy(bytes, BOOK_MAGIC, 8);
    store_number(bytes + 8, 4, BOOK_VERSION);
    store_number(bytes + 12, 4, game_number(game));
    store_number(bytes + 16, 4, count);
    store_number(bytes + 20, 4, 0);
    store_number(bytes + 24, 8, checksum(bytes, entries, count));
}

void book_entry_write(const book_entry *e, uint8_t bytes[BOOK_ENTRY_BYTES]) {
    store_number(bytes, 8, e->key);
    store_number(bytes + 8, 2, e->move);
    store_number(bytes + 10, 2, e->weight);
    store_number(bytes + 12, 4, e->wins);
    store_number(bytes + 16, 4, e->draws);
    store_number(bytes + 20, 4, e->losses);
}

book_entry book_entry_at(const book *b, uint32_t n) {
    const uint8_t *at = b->entries + (size_t)n * BOOK_ENTRY_BYTES;
    return (book_entry){
        .key = load_number(at, 8),
        .move = (rules_move)load_number(at + 8, 2),
        .weight = (uint16_t)load_number(at + 10, 2),
        .wins = (uint32_t)load_number(at + 12, 4),
        .draws = (uint32_t)load_number(at + 16, 4),
        .losses = (uint32_t)load_number(at + 20, 4),
    };
}

int book_entry_compare(const book_entry *a, const book_entry *b) {
    int by_key = (a->key > b->key) - (a->key < b->key);
    return by_key ? by_key : (a->move > b->move) - (a->move < b->move);
}

static bool check_header(book *b, text bytes, const rules_game *game, fault *why) {
    if (bytes.len < BOOK_HEADER_BYTES || memcmp(bytes.at, BOOK_MAGIC, 8) != 0)
        return fault_set(why, "not an opening book of kraton's");
    const uint8_t *header = (const uint8_t *)bytes.at;
    uint64_t version = load_number(header + 8, 4), number = load_number(header + 12, 4);
    if (version != BOOK_VERSION)
        return fault_set(why, "a book of version %u, and this program reads version %d",
                         (unsigned)version, BOOK_VERSION);
    b->game = number >= 1 && number <= 16 ? rules_nth((int)number - 1) : NULL;
    if (!b->game)
        return fault_set(why, "a damaged book: no game has number %u", (unsigned)number);
    if (game && b->game != game)
        return fault_set(why, "a book of %s, not of %s", rules_name(b->game), rules_name(game));
    b->count = (uint32_t)load_number(header + 16, 4);
    b->entries = header + BOOK_HEADER_BYTES;
    if ((uint64_t)b->count * BOOK_ENTRY_BYTES != bytes.len - BOOK_HEADER_BYTES)
        return fault_set(why, "a damaged book: %u moves do not take %zu bytes", b->count,
                         bytes.len);
    if (load_number(header + 24, 8) != checksum(header, b->entries, b->count))
        return fault_set(why, "a damaged book: the checksum is wrong");
    return true;
}

static bool check_entries(book *b, fault *why) {
    book_entry last = {0};
    const rules_properties *game = rules_properties_of(b->game);
    int points = game->files * game->ranks;
    for (uint32_t i = 0; i < b->count; i++) {
        book_entry e = book_entry_at(b, i);
        if (i && book_entry_compare(&last, &e) >= 0)
            return fault_set(why, "a damaged book: move %u is out of order", i + 1);
        if (move_from(e.move) >= points || move_to(e.move) >= points)
            return fault_set(why, "a damaged book: move %u is none", i + 1);
        b->positions += i == 0 || e.key != last.key;
        last = e;
    }
    return true;
}

static book *make_book(text bytes, uint8_t *owned, const rules_game *game, fault *why) {
    book *b = calloc(1, sizeof *b);
    if (!b)
        fault_set(why, "out of memory");
    if (b && check_header(b, bytes, game, why) && check_entries(b, why)) {
        b->owned = owned;
        return b;
    }
    free(b);
    free(owned);
    return NULL;
}

book *book_read(text bytes, const rules_game *game, fault *why) {
    uint8_t *copy = malloc(bytes.len ? bytes.len : 1);
    if (!copy) {
        fault_set(why, "out of memory");
        return NULL;
    }
    if (bytes.len)
        memcpy(copy, bytes.at, bytes.len);
    return make_book((text){(const char *)copy, bytes.len}, copy, game, why);
}

static book *read_book(const os_file *file, const char *path, const rules_game *game, fault *why) {
    os_file_status status;
    char *bytes;
    size_t size;
    if (!os_file_get_status(file, &status)) {
        fault_set(why, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (status.kind != OS_KIND_FILE) {
        fault_set(why, "%s: %s, not a book", path,
                  status.kind == OS_KIND_FOLDER ? "a directory" : "a pipe or a device");
        return NULL;
    }
    if (status.size > BOOK_MAX_BYTES) {
        fault_set(why, "%s: no book is that large", path);
        return NULL;
    }
    if (!os_file_read_all(file, BOOK_MAX_BYTES, &bytes, &size)) {
        fault_set(why, "%s: %s", path, strerror(errno));
        return NULL;
    }
    fault inner = {""};
    book *b = make_book((text){bytes, size}, (uint8_t *)bytes, game, &inner);
    if (!b)
        fault_set(why, "%s: %s", path, inner.line);
    return b;
}

book *book_open(const char *path, const rules_game *game, fault *why) {
    os_file file;
    if (!os_file_open(&file, path, OS_FILE_READ)) {
        fault_set(why, "%s: %s", path, strerror(errno));
        return NULL;
    }
    book *b = read_book(&file, path, game, why);
    os_file_close(&file);
    return b;
}

book *book_built_in(const rules_game *game) {
    text bytes = embedded_find(embedded_books, rules_name(game));
    fault why;
    return make_book(bytes, NULL, game, &why);
}

void book_free(book *b) {
    if (b)
        free(b->owned);
    free(b);
}

const rules_game *book_game(const book *b) { return b->game; }

uint32_t book_entry_count(const book *b) { return b->count; }

uint32_t book_position_count(const book *b) { return b->positions; }

// --- asking it ----------------------------------------------------------------------------------

// The first entry whose key is not below this one.
static uint32_t find_key(const book *b, uint64_t key) {
    uint32_t low = 0, high = b->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (book_entry_at(b, middle).key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_weights(const void *a, const void *b) {
    const book_move *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->move > y->move) - (x->move < y->move);
}

// One move for each entry of the position: of a move and its images the legal one that comes first.
static int list_originals(const book *b, const rules_state *s, const mirror *m,
                          book_move moves[RULES_MAX_MOVES]) {
    int count = 0;
    for (uint32_t i = find_key(b, m->key); i < b->count && count < RULES_MAX_MOVES; i++) {
        book_entry e = book_entry_at(b, i);
        if (e.key != m->key)
            break;
        rules_move images[MIRROR_IMAGES];
        mirror_moves(m, e.move, images);
        if (rules_is_legal(s, images[0])) // else the key is another position's
            moves[count++] = (book_move){images[0], e.weight, false, e.wins, e.draws, e.losses};
    }
    qsort(moves, (size_t)count, sizeof *moves, compare_weights);
    return count;
}

int book_moves(const book *b, const rules_state *s, book_move moves[RULES_MAX_MOVES]) {
    if (rules_game_of(s) != b->game)
        return 0;
    mirror m = mirror_of(s);
    book_move originals[RULES_MAX_MOVES];
    int n = list_originals(b, s, &m, originals), count = 0;
    for (int i = 0; i < n; i++) {
        rules_move images[MIRROR_IMAGES];
        int k = mirror_moves(&m, mirror_move(&m, originals[i].move), images);
        for (int j = 0; j < k && count < RULES_MAX_MOVES; j++) {
            moves[count] = originals[i];
            moves[count].move = images[j];
            moves[count++].is_image = j > 0;
        }
    }
    return count;
}

rules_move book_probe(const book *b, const rules_state *s, rng *random) {
    if (rules_game_of(s) != b->game || rules_occurrences(s) > 1)
        return MOVE_NONE;
    mirror m = mirror_of(s);
    book_move moves[RULES_MAX_MOVES];
    int n = list_originals(b, s, &m, moves);
    uint32_t all = 0;
    for (int i = 0; i < n; i++)
        all += moves[i].weight;
    if (all == 0)
        return MOVE_NONE;
    if (!random)
        return moves[0].move;
    uint32_t chosen = rng_below(random, all);
    int i = 0;
    for (; chosen >= moves[i].weight; i++)
        chosen -= moves[i].weight;
    rules_move images[MIRROR_IMAGES];
    int k = mirror_moves(&m, mirror_move(&m, moves[i].move), images);
    return images[rng_below(random, (uint32_t)k)];
}
