#include "lab/data/positions.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "base/vector.h"

#include <stdlib.h>

typedef struct {
    uint32_t file;
    size_t place;
} game_ref;

struct position_reader {
    const rules_game *game;
    position_filter filter;
    rng random;
    packed_file *files;
    const char *const *paths;
    int file_count;
    game_ref *games; // in the order they are read
    size_t game_count, game_capacity, game_next;
    position *window;  // positions that wait to leave: a game's worth more than the filter's
    size_t held, left; // of the window; `left`: those before it have left, where order counts
    keyset seen;
    position_counts counts;
    packed_game *now;
    rules_state *state;
};

position_filter position_filter_default(void) {
    return (position_filter){.seed = 1, .window = 100000, .max_score = 2000};
}

uint64_t position_key(const rules_state *s) {
    const rules_game *game = rules_game_of(s);
    const rules_properties *properties = rules_properties_of(game);
    int points = properties->files * properties->ranks;
    char board[RULES_MAX_POINTS], image[RULES_MAX_POINTS];
    uint64_t least = UINT64_MAX;
    for (int point = 0; point < points; point++)
        board[point] = rules_piece_at(s, point);
    for (int n = 0; n < properties->images; n++) {
        uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)rules_side_to_move(s);
        rules_image_board(game, n, board, image);
        for (int point = 0; point < points; point++)
            hash = (hash ^ (uint8_t)image[point]) * 0x100000001b3u;
        least = min_u64(least, hash);
    }
    return least;
}

// --- opening and closing ------------------------------------------------------------------------

static bool add_games(position_reader *r, int file, fault *why) {
    size_t place = r->files[file].first;
    for (;;) {
        game_ref ref = {(uint32_t)file, place};
        if (packed_next(&r->files[file], &place, r->now) != PACKED_GAME)
            return true;
        game_ref *grown =
            vector_reserve(r->games, &r->game_capacity, r->game_count + 1, sizeof *grown);
        if (!grown)
            return fault_set(why, "out of memory");
        r->games = grown;
        r->games[r->game_count++] = ref;
    }
}

static void shuffle_games(position_reader *r) {
    for (size_t i = r->game_count; i > 1; i--) {
        size_t j = rng_next(&r->random) % i;
        game_ref other = r->games[j];
        r->games[j] = r->games[i - 1];
        r->games[i - 1] = other;
    }
}

bool positions_open(position_reader **opened, const rules_game *game, const char *const *paths,
                    int count, const position_filter *filter, fault *why) {
    position_reader *r = calloc(1, sizeof *r);
    rules_set set = rules_default_set(game);
    *opened = NULL;
    if (!r)
        return fault_set(why, "out of memory");
    r->game = game;
    r->filter = *filter;
    r->random = (rng){filter->seed};
    r->paths = paths;
    r->files = calloc((size_t)count, sizeof *r->files);
    r->now = malloc(sizeof *r->now);
    r->window = malloc(((size_t)filter->window + PACKED_MAX_PLIES) * sizeof *r->window);
    void *memory = malloc(rules_state_size(PACKED_MAX_PLIES));
    bool good = (r->files && r->now && r->window && memory) || fault_set(why, "out of memory");
    if (memory)
        r->state = rules_state_new(memory, game, &set, PACKED_MAX_PLIES);
    for (; good && r->file_count < count; r->file_count++) {
        int n = r->file_count;
        good = packed_open(&r->files[n], paths[n], why) &&
               packed_check_game(&r->files[n], paths[n], game, why) && add_games(r, n, why);
    }
    if (good && filter->window > 0)
        shuffle_games(r);
    if (good)
        *opened = r;
    else
        positions_close(r);
    return good;
}

void positions_close(position_reader *r) {
    if (!r)
        return;
    for (int i = 0; r->files && i < r->file_count; i++)
        packed_close(&r->files[i]);
    keyset_free(&r->seen);
    free(r->files);
    free(r->games);
    free(r->window);
    free(r->now);
    free(r->state);
    free(r);
}

position_counts positions_count(const position_reader *r) { return r->counts; }

// --- reading ------------------------------------------------------------------------------------

// Decides by move and score alone; duplicates need the position.
static bool is_wanted(position_reader *r, const packed_ply *p) {
    const position_filter *f = &r->filter;
    if (p->score == PACKED_NO_SCORE)
        r->counts.openings++;
    else if (p->in_check && !f->checks)
        r->counts.checks++;
    else if (p->is_capture && !f->captures)
        r->counts.captures++;
    else if (p->score > f->max_score || p->score < -f->max_score)
        r->counts.scores++;
    else
        return true;
    return false;
}

static void keep(position_reader *r, const packed_ply *p) {
    position *kept = &r->window[r->held++];
    writer out = writer_on(kept->fen, sizeof kept->fen);
    rules_format_fen(r->state, &out);
    kept->move = p->move;
    kept->ply = (uint16_t)rules_ply(r->state);
    kept->score = (int16_t)(rules_side_to_move(r->state) == 0 ? p->score : -p->score);
    kept->half_points = r->now->half_points;
    r->counts.kept++;
}

// Replays the game just read and puts its positions into the window.
static bool replay(position_reader *r, fault *why) {
    const packed_game *g = r->now;
    text fen = text_of(g->fen[0] ? g->fen : rules_start_fen(r->game));
    if (!rules_set_fen(r->state, fen, why))
        return false;
    for (int i = 0; i < g->ply_count; i++) {
        const packed_ply *p = &g->plies[i];
        bool is_new = true;
        r->counts.plies++;
        if (is_wanted(r, p)) {
            if (!r->filter.duplicates && !keyset_add(&r->seen, position_key(r->state), &is_new))
                return fault_set(why, "out of memory");
            if (is_new)
                keep(r, p);
            else
                r->counts.duplicates++;
        }
        if (!rules_play(r->state, p->move, why))
            return false;
    }
    r->counts.games++;
    return true;
}

// Fills the window from the next games, so that a position can leave it.
static bool fill(position_reader *r, fault *why) {
    size_t wanted = (size_t)max_int(r->filter.window, 1);
    fault inner;
    while (r->held < wanted && r->game_next < r->game_count) {
        game_ref ref = r->games[r->game_next++];
        size_t place = ref.place;
        uint32_t number = 0;
        bool good = packed_next(&r->files[ref.file], &place, r->now) == PACKED_GAME;
        if (good) {
            number = r->now->number;
            good = replay(r, &inner);
        } else {
            fault_set(&inner, "it changed while it was read");
        }
        if (!good)
            return fault_set(why, "%s, game %u: %s", r->paths[ref.file], number, inner.line);
    }
    return true;
}

bool positions_next(position_reader *r, position *next, bool *more, fault *why) {
    if (r->filter.window == 0 && r->left == r->held)
        r->left = r->held = 0;
    if (!fill(r, why))
        return false;
    *more = r->left < r->held;
    if (!*more)
        return true;
    if (r->filter.window == 0) {
        *next = r->window[r->left++];
    } else {
        size_t n = rng_next(&r->random) % r->held;
        *next = r->window[n];
        r->window[n] = r->window[--r->held];
    }
    return true;
}

// --- duplicates ---------------------------------------------------------------------------------

static size_t keyset_place(const uint64_t *slots, size_t capacity, uint64_t key) {
    size_t at = (key * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
    while (slots[at] && slots[at] != key)
        at = (at + 1) & (capacity - 1);
    return at;
}

static bool keyset_grow(keyset *s) {
    size_t capacity = s->capacity ? s->capacity * 2 : 1024;
    uint64_t *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < s->capacity; i++)
        if (s->slots[i])
            slots[keyset_place(slots, capacity, s->slots[i])] = s->slots[i];
    free(s->slots);
    s->slots = slots;
    s->capacity = capacity;
    return true;
}

bool keyset_add(keyset *s, uint64_t key, bool *is_new) {
    key += key == 0;
    if (s->count * 4 >= s->capacity * 3 && !keyset_grow(s))
        return false;
    uint64_t *slot = &s->slots[keyset_place(s->slots, s->capacity, key)];
    *is_new = *slot != key;
    s->count += *is_new;
    *slot = key;
    return true;
}

void keyset_free(keyset *s) {
    free(s->slots);
    *s = (keyset){0};
}
