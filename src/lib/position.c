// Games, moves, positions and verdicts of libkraton.
#include "base/encoding.h"
#include "base/minmax.h"
#include "lib/lib.h"
#include "records/opening_name.h"
#include "records/words.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 64 };

_Static_assert(KRATON_VERSION_NUMBER == KRATON_PROJECT_NUMBER, "the version of CMakeLists.txt");
_Static_assert((int)KRATON_MAX_MOVES == (int)RULES_MAX_MOVES, "moves");
_Static_assert((int)KRATON_NOTATION_LETTER1 == (int)NOTATION_LETTER1 &&
                   KRATON_NOTATION_LETTER1 == RULES_NOTATIONS - 1,
               "notations");
_Static_assert((int)KRATON_DRAW == (int)RULES_DRAW, "outcomes");
_Static_assert((int)KRATON_REASON_PERPETUAL_CHASE == (int)REASON_PERPETUAL_CHASE, "reasons");
_Static_assert(sizeof((kraton_verdict *)0)->words == sizeof((rules_verdict *)0)->words, "words");
_Static_assert(sizeof(kraton_error) == sizeof(fault), "faults");
_Static_assert((int)KRATON_NOTATION_ANY == (int)WORDS_ANY, "any notation");

int kraton_version_number(void) { return KRATON_VERSION_NUMBER; }

const char *kraton_version(void) { return KRATON_VERSION; }

void kraton_free(void *bytes) { free(bytes); }

// --- what the files of the library share --------------------------------------------------------

// A line that was too long may have been cut inside a character.
bool lib_refuse(kraton_error *error, const fault *why) {
    text line = text_of(why->line);
    if (utf8_is_cut(line))
        line = utf8_cut(line, line.len - 1);
    if (error)
        lib_copy_out(line, error->line, sizeof error->line);
    return false;
}

bool lib_refuse_words(kraton_error *error, const char *words) {
    if (error)
        lib_copy_out(text_of(words), error->line, sizeof error->line);
    return false;
}

size_t lib_copy_out(text t, char *out, size_t size) {
    if (out && size > 0) {
        size_t n = min_size(t.len, size - 1);
        memcpy(out, t.at, n);
        out[n] = '\0';
    }
    return t.len;
}

kraton_verdict lib_verdict(const rules_verdict *v) {
    kraton_verdict to = {(kraton_outcome)v->outcome, (kraton_reason)v->reason, ""};
    memcpy(to.words, v->words, sizeof to.words);
    return to;
}

static text writer_text(const writer *w) { return (text){w->buffer, w->used}; }

// --- games --------------------------------------------------------------------------------------

// Those of NULL are all 0.
static const rules_properties *properties(const kraton_game *game) {
    static const rules_properties none;
    return game ? rules_properties_of(lib_game(game)) : &none;
}

const kraton_game *kraton_game_find(const char *name) {
    return name ? lib_game_out(rules_find(text_of(name))) : NULL;
}

const kraton_game *kraton_game_nth(int n) { return lib_game_out(rules_nth(n)); }

const char *kraton_game_name(const kraton_game *game) { return properties(game)->name; }

const char *kraton_game_title(const kraton_game *game) { return properties(game)->title; }

const char *kraton_game_side_name(const kraton_game *game, int side) {
    return side == 0 || side == 1 ? properties(game)->side[side] : NULL;
}

const char *kraton_game_start_fen(const kraton_game *game) { return properties(game)->start_fen; }

int kraton_game_files(const kraton_game *game) { return properties(game)->files; }

int kraton_game_ranks(const kraton_game *game) { return properties(game)->ranks; }

int kraton_game_first_rank(const kraton_game *game) { return properties(game)->first_rank; }

// The row of a rank counted from the lowest one, and the other way round.
static int turn_row(const rules_properties *p, int row) {
    return p->from_top ? p->ranks - 1 - row : row;
}

int kraton_game_point(const kraton_game *game, const char *square) {
    const rules_properties *p = properties(game);
    int file = square ? square[0] - 'a' : -1;
    int64_t rank;
    if (file < 0 || file >= p->files ||
        !text_to_int(text_of(square + 1), p->first_rank, p->first_rank + p->ranks - 1, &rank))
        return -1;
    return turn_row(p, (int)rank - p->first_rank) * p->files + file;
}

size_t kraton_game_square(const kraton_game *game, int point, char *out, size_t size) {
    const rules_properties *p = properties(game);
    char square[16];
    writer w = writer_on(square, sizeof square);
    if (point >= 0 && point < p->files * p->ranks)
        write_format(&w, "%c%d", 'a' + point % p->files,
                     turn_row(p, point / p->files) + p->first_rank);
    return lib_copy_out(writer_text(&w), out, size);
}

const char *kraton_game_rules_nth(const kraton_game *game, int n) {
    return game && n >= 0 ? rules_set_name(lib_game(game), n) : NULL;
}

const char *kraton_notation_name(kraton_notation notation) {
    return notation >= 0 && (int)notation < RULES_NOTATIONS
               ? rules_notation_name((rules_notation)notation)
               : NULL;
}

kraton_notation kraton_game_notation_nth(const kraton_game *game, int n) {
    const rules_properties *p = properties(game);
    return n >= 0 && n < p->notation_count ? (kraton_notation)p->notations[n] : KRATON_NOTATION_ANY;
}

const char *kraton_outcome_name(kraton_outcome outcome) {
    return outcome <= KRATON_DRAW ? rules_outcome_name((rules_outcome)outcome) : NULL;
}

// --- making positions ---------------------------------------------------------------------------

static void remember_start(kraton_position *p) {
    writer w = writer_on(p->first, sizeof p->first);
    rules_format_fen(p->state, &w);
}

static rules_state *new_state(const rules_game *game, const rules_set *set, uint32_t capacity) {
    void *memory = malloc(rules_state_size(capacity));
    return memory ? rules_state_new(memory, game, set, capacity) : NULL;
}

static kraton_position *new_position(const rules_game *game, const rules_set *set) {
    kraton_position *p = malloc(sizeof *p);
    rules_state *state = p ? new_state(game, set, FIRST_CAPACITY) : NULL;
    if (!state) {
        free(p);
        return NULL;
    }
    *p = (kraton_position){.state = state, .capacity = FIRST_CAPACITY};
    remember_start(p);
    return p;
}

kraton_position *kraton_position_new(const kraton_game *game, const char *rules, const char *fen,
                                     kraton_error *error) {
    LIB_NEED(game, "game", error, NULL);
    rules_set set = rules_default_set(lib_game(game));
    fault why;
    if (rules && !rules_set_parse(lib_game(game), text_of(rules), &set, &why)) {
        lib_refuse(error, &why);
        return NULL;
    }
    kraton_position *p = new_position(lib_game(game), &set);
    if (!p)
        lib_refuse_words(error, "out of memory");
    if (p && fen && !kraton_position_set_fen(p, fen, error)) {
        kraton_position_free(p);
        return NULL;
    }
    return p;
}

kraton_position *kraton_position_copy(const kraton_position *p) {
    LIB_NEED(p, "position", NULL, NULL);
    kraton_position *copy = malloc(sizeof *copy);
    size_t size = rules_state_size(p->capacity);
    void *memory = malloc(size);
    if (!copy || !memory) {
        free(copy);
        free(memory);
        return NULL;
    }
    *copy = *p;
    copy->state = memcpy(memory, p->state, size);
    return copy;
}

void kraton_position_free(kraton_position *p) {
    if (p)
        free(p->state);
    free(p);
}

bool kraton_position_set_fen(kraton_position *p, const char *fen, kraton_error *error) {
    LIB_NEED(p, "position", error, false);
    LIB_NEED(fen, "FEN", error, false);
    fault why;
    if (!rules_set_fen(p->state, text_of(fen), &why))
        return lib_refuse(error, &why);
    remember_start(p);
    return true;
}

// A state does not grow: a larger one plays the game again.
bool kraton_position_reserve(kraton_position *p, uint32_t plies) {
    LIB_NEED(p, "position", NULL, false);
    if (plies <= p->capacity)
        return true;
    if (plies > RULES_MAX_PLIES)
        return false;
    rules_state *larger = new_state(rules_game_of(p->state), rules_set_of(p->state), plies);
    fault why;
    bool fine = larger && rules_set_fen(larger, text_of(p->first), &why);
    for (uint32_t i = 0; fine && i < rules_ply(p->state); i++)
        fine = rules_play(larger, rules_move_at(p->state, i), &why);
    if (!fine) {
        free(larger);
        return false;
    }
    free(p->state);
    p->state = larger;
    p->capacity = plies;
    return true;
}

// --- asking positions ---------------------------------------------------------------------------

const kraton_game *kraton_position_game(const kraton_position *p) {
    return p ? lib_game_out(rules_game_of(p->state)) : NULL;
}

size_t kraton_position_rules(const kraton_position *p, char *out, size_t size) {
    char line[256];
    writer w = writer_on(line, sizeof line);
    if (p)
        rules_set_format(rules_game_of(p->state), rules_set_of(p->state), &w);
    return lib_copy_out(writer_text(&w), out, size);
}

size_t kraton_position_fen(const kraton_position *p, char *out, size_t size) {
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    if (p)
        rules_format_fen(p->state, &w);
    return lib_copy_out(writer_text(&w), out, size);
}

const char *kraton_position_first_fen(const kraton_position *p) { return p ? p->first : NULL; }

int kraton_position_side_to_move(const kraton_position *p) {
    return p ? rules_side_to_move(p->state) : 0;
}

uint32_t kraton_position_ply(const kraton_position *p) { return p ? rules_ply(p->state) : 0; }

kraton_move kraton_position_move_at(const kraton_position *p, uint32_t n) {
    return n < kraton_position_ply(p) ? rules_move_at(p->state, n) : KRATON_NO_MOVE;
}

uint64_t kraton_position_key(const kraton_position *p) { return p ? rules_key(p->state) : 0; }

static bool is_point(const kraton_position *p, int point) {
    const rules_properties *board = properties(kraton_position_game(p));
    return point >= 0 && point < board->files * board->ranks;
}

char kraton_position_piece_at(const kraton_position *p, int point) {
    return is_point(p, point) ? rules_piece_at(p->state, point) : '.';
}

int kraton_position_piece_count(const kraton_position *p, int side) {
    return p && (side == 0 || side == 1) ? rules_piece_count(p->state, side) : 0;
}

bool kraton_position_in_check(const kraton_position *p) { return p && rules_in_check(p->state); }

int kraton_position_occurrences(const kraton_position *p) {
    return p ? rules_occurrences(p->state) : 0;
}

int kraton_position_no_capture_plies(const kraton_position *p) {
    return p ? rules_no_capture_plies(p->state) : 0;
}

int kraton_position_legal_moves(const kraton_position *p, kraton_move moves[KRATON_MAX_MOVES]) {
    return p && moves ? rules_legal_moves(p->state, moves) : 0;
}

bool kraton_position_is_legal(const kraton_position *p, kraton_move move) {
    return is_point(p, kraton_move_from(move)) && is_point(p, kraton_move_to(move)) &&
           rules_is_legal(p->state, move);
}

bool kraton_position_is_capture(const kraton_position *p, kraton_move move) {
    return kraton_position_is_legal(p, move) && rules_is_capture(p->state, move);
}

int kraton_position_routes(const kraton_position *p, kraton_move move, kraton_route routes[4]) {
    rules_route found[4];
    int n = routes && kraton_position_is_capture(p, move)
                ? rules_capture_routes(p->state, move, found)
                : 0;
    for (int i = 0; i < n; i++) {
        routes[i] = (kraton_route){
            .circuit = found[i].circuit, .loops = found[i].loops, .count = found[i].count};
        memcpy(routes[i].point, found[i].point, sizeof routes[i].point);
    }
    return n;
}

size_t kraton_position_draw(const kraton_position *p, unsigned how, char *out, size_t size) {
    char board[RULES_BOARD_SIZE];
    writer w = writer_on(board, sizeof board);
    uint32_t ply = kraton_position_ply(p);
    rules_drawing drawing = {.unicode = (how & KRATON_DRAW_UNICODE) != 0,
                             .colour = (how & KRATON_DRAW_COLOUR) != 0,
                             .flipped = (how & KRATON_DRAW_FLIPPED) != 0,
                             .last = ply ? rules_move_at(p->state, ply - 1) : MOVE_NONE};
    if (p)
        rules_draw(p->state, &drawing, &w);
    return lib_copy_out(writer_text(&w), out, size);
}

uint64_t kraton_position_perft(const kraton_position *p, int depth, uint64_t *captures) {
    LIB_NEED(p, "position", NULL, 0);
    uint64_t captured = 0;
    uint64_t lines = depth < 1 ? 1 : rules_perft(p->state, depth, PERFT_FAST, &captured);
    if (captures)
        *captures = captured;
    return lines;
}

bool kraton_position_opening(const kraton_position *p, kraton_opening *opening) {
    const opening_name *name = p && opening ? opening_name_of(p->state) : NULL;
    if (name)
        *opening = (kraton_opening){name->code, name->chinese, name->english};
    return name != NULL;
}

// --- playing ------------------------------------------------------------------------------------

bool kraton_position_play(kraton_position *p, kraton_move move, kraton_error *error) {
    LIB_NEED(p, "position", error, false);
    uint32_t ply = rules_ply(p->state);
    fault why;
    if (!kraton_position_is_legal(p, move))
        return lib_refuse_words(error, "the move is not legal here");
    if (ply == p->capacity && ply < RULES_MAX_PLIES &&
        !kraton_position_reserve(p, min_u32(2 * ply, RULES_MAX_PLIES)))
        return lib_refuse_words(error, "out of memory");
    return rules_play(p->state, move, &why) || lib_refuse(error, &why);
}

bool kraton_position_undo(kraton_position *p) { return p && rules_undo(p->state); }

static bool is_notation(kraton_notation notation) {
    return notation >= KRATON_NOTATION_ANY && (int)notation < RULES_NOTATIONS;
}

bool kraton_position_parse(const kraton_position *p, const char *word, kraton_notation notation,
                           kraton_move *move, kraton_error *error) {
    LIB_NEED(p, "position", error, false);
    LIB_NEED(word, "word", error, false);
    LIB_NEED(move, "move", error, false);
    fault why;
    if (!is_notation(notation))
        return lib_refuse_words(error, "no such notation");
    bool fine =
        notation == KRATON_NOTATION_ANY
            ? rules_parse_move(p->state, text_of(word), move, &why)
            : rules_parse_move_as(p->state, (rules_notation)notation, text_of(word), move, &why);
    return fine || lib_refuse(error, &why);
}

size_t kraton_position_format(const kraton_position *p, kraton_move move, kraton_notation notation,
                              char *out, size_t size) {
    char word[RULES_MOVE_SIZE];
    writer w = writer_on(word, sizeof word);
    if (is_notation(notation) && notation >= 0 && kraton_position_is_legal(p, move))
        rules_format_move(p->state, move, (rules_notation)notation, &w);
    return lib_copy_out(writer_text(&w), out, size);
}

// --- verdicts -----------------------------------------------------------------------------------

kraton_verdict kraton_position_result(const kraton_position *p) {
    LIB_NEED(p, "position", NULL, (kraton_verdict){0});
    rules_verdict v = rules_result(p->state);
    return lib_verdict(&v);
}

bool kraton_position_cycle(const kraton_position *p, kraton_verdict *verdict) {
    rules_verdict v;
    if (!p || !verdict || !rules_cycle(p->state, &v))
        return false;
    *verdict = lib_verdict(&v);
    return true;
}

// Keeps the first ending.
static void note_ending(const kraton_position *p, kraton_verdict *ending, uint32_t *after) {
    if (ending->outcome != KRATON_ONGOING)
        return;
    *ending = kraton_position_result(p);
    *after = rules_ply(p->state);
}

static bool play_word(kraton_position *p, int how, text word, fault *why) {
    rules_move move;
    kraton_error error;
    if (!words_parse_move(p->state, how, word, &move, why))
        return false;
    return kraton_position_play(p, move, &error) || fault_set(why, "%s", error.line);
}

bool kraton_position_play_line(kraton_position *p, const char *line, kraton_notation notation,
                               kraton_verdict *ending, uint32_t *ended_after, kraton_error *error) {
    LIB_NEED(p, "position", error, false);
    LIB_NEED(line, "line", error, false);
    char joined[WORDS_JOINED_SIZE];
    kraton_verdict first = {0};
    uint32_t after = 0;
    text rest = text_of(line);
    fault why;
    bool fine = is_notation(notation) || fault_set(&why, "no such notation");
    int how = notation == KRATON_NOTATION_ANY ? words_settle(rules_game_of(p->state), rest)
                                              : (int)notation;
    note_ending(p, &first, &after);
    for (text word; fine && (word = words_next_move(&rest, joined)).len;) {
        fault reason;
        fine = play_word(p, how, word, &reason);
        if (fine)
            note_ending(p, &first, &after);
        else
            fault_set(&why, "move %u, %s: %s", (unsigned)rules_ply(p->state) + 1,
                      fault_quote(word).shown, reason.line);
    }
    if (ending)
        *ending = first;
    if (ended_after)
        *ended_after = after;
    return fine || lib_refuse(error, &why);
}
