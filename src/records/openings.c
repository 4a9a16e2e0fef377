#include "records/openings.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "base/vector.h"
#include "records/format.h"
#include "records/mirror.h"

#include <stdlib.h>

enum {
    TABLE_SIZE = 2 * OPENINGS_DISTINCT,
    MOST_REPEATS = 1000, // so many known positions for one opening: there are hardly any others
    MOST_REFUSALS = 250  // of the judge for one opening
};

typedef struct {
    size_t fen, moves; // where they begin, in bytes
    int plies;         // how many moves; -1: they are not known
} entry;

struct openings {
    const rules_game *game;
    openings_choice choice;
    buffer fens;  // one after the other, each with its terminator
    buffer moves; // that lead to them, one line after the other
    entry *at;    // where they begin
    uint32_t count;
    size_t capacity;
    // made up only
    uint64_t *seen; // keys by their low bits, 0 for none
    rules_pos start;
};

void openings_free(openings *o) {
    if (!o)
        return;
    buffer_free(&o->fens);
    buffer_free(&o->moves);
    free(o->at);
    free(o->seen);
    free(o);
}

uint32_t openings_count(const openings *o) { return o->seen ? 0 : o->count; }

// Adds an opening; the moves count where plies is not -1.
static bool add_opening(openings *o, const char *fen, const rules_move *moves, int plies) {
    entry *grown = vector_reserve(o->at, &o->capacity, o->count + 1, sizeof *grown);
    if (!grown)
        return false;
    o->at = grown;
    o->at[o->count] = (entry){o->fens.len, o->moves.len, plies};
    buffer_add(&o->fens, (text){fen, strlen(fen) + 1});
    if (plies > 0)
        buffer_add(&o->moves, (text){(const char *)moves, (size_t)plies * sizeof *moves});
    bool good = !o->fens.failed && !o->moves.failed;
    o->count += good;
    return good;
}

static openings *make(const rules_game *game, const openings_choice *choice) {
    openings *o = calloc(1, sizeof *o);
    if (o) {
        o->game = game;
        o->choice = *choice;
    }
    return o;
}

// --- balanced positions -------------------------------------------------------------------------

bool openings_is_balanced(const rules_game *game, const rules_pos *pos) {
    rules_set set = rules_default_set(game);
    if (game->board_result(pos, &set).outcome != RULES_ONGOING || !game->has_equal_men(pos) ||
        game->in_check(pos) || game->has_winning_capture(pos))
        return false;
    rules_pos passed = *pos;
    game->pass(&passed);
    return !game->has_winning_capture(&passed);
}

uint64_t openings_key(const rules_game *game, const rules_pos *pos) {
    return mirror_of_position(game, pos).key;
}

// Plays a random move that leaves nothing to be taken; false where there is none.
static bool play_quietly(const rules_game *game, rng *random, rules_pos *pos, rules_move *played) {
    rules_move moves[RULES_MAX_MOVES];
    rules_past past;
    for (int n = game->legal_moves(pos, moves); n > 0;) {
        uint32_t i = rng_below(random, (uint32_t)n);
        rules_pos next = *pos;
        game->make(&next, moves[i], &past);
        if (!game->has_winning_capture(&next)) {
            *pos = next;
            *played = moves[i];
            return true;
        }
        moves[i] = moves[--n];
    }
    return false;
}

// Plays so many random moves from `start`. Each leaves nothing to be taken: random moves with a
// check at the end only took 63 us an opening instead of 25, and were no better balanced. False
// where the position reached is not balanced after all. Its counters are those of a new game.
static bool try_line(const rules_game *game, const rules_pos *start, int plies, rng *random,
                     rules_pos *pos, rules_move *moves) {
    *pos = *start;
    for (int i = 0; i < plies; i++)
        if (!play_quietly(game, random, pos, &moves[i]))
            return false;
    game->reset_counters(pos);
    return openings_is_balanced(game, pos);
}

// --- made up ------------------------------------------------------------------------------------

int openings_default_plies(const rules_game *game) {
    return rules_properties_of(game)->random_opening_plies;
}

openings *openings_new(const rules_game *game, const openings_choice *choice) {
    openings *o = make(game, choice);
    if (!o)
        return NULL;
    if (choice->plies < 0)
        o->choice.plies = openings_default_plies(game);
    o->seen = calloc(TABLE_SIZE, sizeof *o->seen);
    if (o->seen && game->parse_fen(&o->start, text_of(rules_start_fen(game)), NULL))
        return o;
    openings_free(o);
    return NULL;
}

// The slot of a key: its own, or the free one where it belongs.
static uint64_t *slot_of(openings *o, uint64_t key) {
    size_t i = key % TABLE_SIZE;
    while (o->seen[i] && o->seen[i] != key)
        i = (i + 1) % TABLE_SIZE;
    return &o->seen[i];
}

// Whether a position may be number k: nothing that has been before among the first ones, and even.
// *tries counts what was refused. The end of patience accepts all: there are hardly any others.
static bool take(openings *o, uint32_t k, const rules_pos *pos, const char *fen, int *tries) {
    uint64_t key = openings_key(o->game, pos);
    key += key == 0;
    uint64_t *slot = k < OPENINGS_DISTINCT ? slot_of(o, key) : NULL;
    if (slot && *slot)
        return ++*tries >= MOST_REPEATS;
    if (o->choice.judge && !o->choice.judge(o->choice.judge_context, fen)) {
        *tries += MOST_REPEATS / MOST_REFUSALS;
        return *tries >= MOST_REPEATS;
    }
    if (slot)
        *slot = key;
    return true;
}

// Every number has random moves of its own.
static void make_up(openings *o, uint32_t k, char fen[RULES_FEN_SIZE],
                    rules_move moves[OPENINGS_MAX_PLIES]) {
    rng mixed = {o->choice.seed};
    rng random = {rng_next(&mixed) ^ (k + UINT64_C(1)) * UINT64_C(0xd1342543de82ef95)};
    rules_pos pos;
    for (int tries = 0;;) {
        if (!try_line(o->game, &o->start, o->choice.plies, &random, &pos, moves))
            continue;
        writer w = writer_on(fen, RULES_FEN_SIZE);
        o->game->format_fen(&pos, &w);
        if (take(o, k, &pos, fen, &tries))
            return;
    }
}

// Makes up all openings up to number k that are kept; false when memory runs out.
static bool make_up_to(openings *o, uint32_t k) {
    char fen[RULES_FEN_SIZE];
    rules_move moves[OPENINGS_MAX_PLIES];
    while (o->seen && o->count <= k) {
        make_up(o, o->count, fen, moves);
        if (!add_opening(o, fen, moves, o->choice.plies))
            return false;
    }
    return true;
}

const char *openings_fen(openings *o, uint32_t k, char fen[RULES_FEN_SIZE]) {
    if (o->seen && k >= OPENINGS_DISTINCT) {
        rules_move moves[OPENINGS_MAX_PLIES];
        make_up(o, k, fen, moves);
        return fen;
    }
    if (!make_up_to(o, k))
        return NULL;
    writer w = writer_on(fen, RULES_FEN_SIZE);
    write_string(&w, o->fens.bytes + o->at[k % o->count].fen);
    return fen;
}

int openings_line(openings *o, uint32_t k, rules_move moves[OPENINGS_LINE_MAX]) {
    if (o->seen && k >= OPENINGS_DISTINCT) {
        char fen[RULES_FEN_SIZE];
        make_up(o, k, fen, moves);
        return o->choice.plies;
    }
    if (!make_up_to(o, k))
        return -1;
    const entry *e = &o->at[k % o->count];
    if (e->plies > 0)
        memcpy(moves, o->moves.bytes + e->moves, (size_t)e->plies * sizeof *moves);
    return e->plies;
}

bool openings_have_lines(const openings *o) {
    for (uint32_t i = 0; i < o->count; i++)
        if (o->at[i].plies < 0)
            return false;
    return true;
}

// --- lists of positions -------------------------------------------------------------------------

// Copies the words of a FEN from the start of a line: board and side, up to two dashes, up to two
// numbers.
static bool cut_fen(text line, writer *fen) {
    int64_t number;
    int words = 0, dashes = 0, numbers = 0;
    for (text word = text_next_word(&line); word.len; word = text_next_word(&line)) {
        if (words >= 2 && text_is(word, "-") && dashes < 2 && numbers == 0)
            dashes++;
        else if (words >= 2 && text_to_int(word, 0, UINT16_MAX, &number) && numbers < 2)
            numbers++;
        else if (words >= 2)
            break;
        if (words++)
            write_char(fen, ' ');
        write_text(fen, word);
    }
    return !fen->overflow;
}

static bool is_decided(const openings *o, const rules_pos *pos, rules_verdict *verdict) {
    rules_set set = rules_default_set(o->game);
    *verdict = o->game->board_result(pos, &set);
    return verdict->outcome != RULES_ONGOING;
}

static bool add_position(openings *o, const rules_pos *pos, const rules_move *moves, int plies,
                         fault *why) {
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    o->game->format_fen(pos, &w);
    return add_opening(o, fen, moves, plies) || fault_set(why, "out of memory");
}

static bool is_start(const openings *o, const rules_pos *pos) {
    rules_pos start;
    memset(&start, 0, sizeof start);
    return o->game->parse_fen(&start, text_of(rules_start_fen(o->game)), NULL) &&
           o->game->key(&start) == o->game->key(pos);
}

static bool add_line(openings *o, text line, fault *why) {
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_pos pos;
    rules_verdict verdict;
    memset(&pos, 0, sizeof pos);
    if (!cut_fen(line, &w))
        return fault_set(why, "FEN: %s is too long", fault_quote(line).shown);
    if (!o->game->parse_fen(&pos, (text){fen, w.used}, why))
        return false;
    if (is_decided(o, &pos, &verdict))
        return fault_set(why, "the game is over: %s", verdict.words);
    return add_position(o, &pos, NULL, is_start(o, &pos) ? 0 : -1, why);
}

// The next line with something on it, comments cut off; empty at the end.
static text next_content(text *rest, uint32_t *number) {
    while (rest->len) {
        text line = text_next_line(rest);
        ++*number;
        const char *comment = line.len ? memchr(line.at, '#', line.len) : NULL;
        if (comment)
            line.len = (size_t)(comment - line.at);
        line = text_trim(line);
        if (line.len)
            return line;
    }
    return *rest;
}

static bool load_list(openings *o, text bytes, fault *why) {
    uint32_t number = 0;
    for (text line; (line = next_content(&bytes, &number)).len;) {
        fault inner = {""};
        if (!add_line(o, line, &inner))
            return fault_set(why, "line %u: %s", (unsigned)number, inner.line);
    }
    return true;
}

// --- records ------------------------------------------------------------------------------------

static bool add_record(openings *o, const record *r, fault *why) {
    replay p;
    rules_verdict verdict;
    uint32_t plies = o->choice.plies < 0 ? r->count : (uint32_t)o->choice.plies;
    plies = min_u32(plies, r->count);
    bool good = replay_show(&p, r, why);
    bool has_line = good && is_start(o, &p.state->pos) && plies <= OPENINGS_LINE_MAX;
    for (uint32_t i = 0; good && i < plies; i++)
        good = replay_move(&p, r->moves[i], why);
    if (good && !is_decided(o, &p.state->pos, &verdict))
        good = add_position(o, &p.state->pos, r->moves, has_line ? (int)plies : -1, why);
    replay_end(&p);
    return good;
}

static bool load_records(openings *o, text bytes, fault *why) {
    record_reader reader = record_read(bytes, record_detect(bytes), o->game);
    record r;
    record_init(&r, o->game);
    record_status status;
    bool good = true;
    while (good && (status = record_next(&reader, &r, why)) != RECORD_END)
        good = status == RECORD_OK && add_record(o, &r, why);
    record_free(&r);
    record_close(&reader);
    return good;
}

// --- files --------------------------------------------------------------------------------------

// Whether the first line that says something starts with a board.
static bool is_list(text bytes) {
    uint32_t number = 0;
    text line = next_content(&bytes, &number);
    if (line.len == 0)
        return true; // of nothing
    text word = text_next_word(&line);
    return word.at[0] != '[' && word.at[0] != '{' && memchr(word.at, '/', word.len);
}

static void shuffle(openings *o) {
    rng random = {o->choice.seed};
    for (uint32_t i = o->count; i > 1; i--) {
        uint32_t j = rng_below(&random, i);
        entry swapped = o->at[i - 1];
        o->at[i - 1] = o->at[j];
        o->at[j] = swapped;
    }
}

openings *openings_load(const rules_game *game, text bytes, const openings_choice *choice,
                        fault *why) {
    openings *o = make(game, choice);
    if (!o) {
        fault_set(why, "out of memory");
        return NULL;
    }
    if (text_starts(bytes, "\xef\xbb\xbf"))
        bytes = text_skip(bytes, 3);
    bool good = is_list(bytes) ? load_list(o, bytes, why) : load_records(o, bytes, why);
    if (good && o->count == 0)
        good = fault_set(why, "no %s opening in it", rules_name(game));
    if (!good) {
        openings_free(o);
        return NULL;
    }
    if (choice->shuffled)
        shuffle(o);
    return o;
}
