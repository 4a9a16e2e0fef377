#include "base/minmax.h"
#include "base/suggest.h"
#include "rules/game.h"

#include <assert.h>

static const rules_game *const games[RULES_GAMES] = {&rules_surakarta, &rules_xiangqi};
static const rules_game *const default_game = &rules_xiangqi;

const char *rules_outcome_name(rules_outcome outcome) {
    static const char *const names[] = {"ongoing", "first wins", "second wins", "draw"};
    return names[outcome];
}

// --- games and rule sets ------------------------------------------------------------------------

const rules_game *rules_find(text name) {
    for (int i = 0; i < RULES_GAMES; i++)
        if (text_is(name, rules_name(games[i])))
            return games[i];
    return NULL;
}

const rules_game *rules_nth(int n) { return n >= 0 && n < RULES_GAMES ? games[n] : NULL; }

int rules_index(const rules_game *game) {
    int i = 0;
    while (games[i] != game)
        i++;
    return i;
}

const rules_game *rules_default_game(void) { return default_game; }

void rules_write_names(writer *out) {
    for (int i = 0; i < RULES_GAMES; i++)
        write_format(out, "%s%s",
                     i == 0                ? ""
                     : i + 1 < RULES_GAMES ? ", "
                                           : " or ",
                     rules_name(games[i]));
}

const rules_properties *rules_properties_of(const rules_game *game) { return &game->properties; }

const char *rules_name(const rules_game *game) { return game->properties.name; }

const char *rules_side_name(const rules_game *game, int side) {
    return game->properties.side[side];
}

const char *rules_start_fen(const rules_game *game) { return game->properties.start_fen; }

rules_set rules_default_set(const rules_game *game) { return game->sets[0].set; }

static const rules_named_set *nth_set(const rules_game *game, int n) {
    int i = 0;
    while (i < n && game->sets[i].name)
        i++;
    return &game->sets[i];
}

const char *rules_set_name(const rules_game *game, int n) { return nth_set(game, n)->name; }

const char *rules_set_title(const rules_game *game, int n) { return nth_set(game, n)->title; }

static const char *const end_names[] = {"draw", "count", "loss", "wxf", "asian", "simple", "cxa"};
enum { ENDS = sizeof end_names / sizeof end_names[0] };

static const char *const end_fields[RULES_END_FIELDS] = {"repetition-end", "no-capture-end",
                                                         "no-move-end", "flag-end"};

static rules_end *end_field_of(rules_set *set, int i) {
    rules_end *const fields[] = {&set->repetition_end, &set->no_capture_end, &set->no_move_end,
                                 &set->flag_end};
    return fields[i];
}

static bool parse_end(const rules_game *game, int field, text value, rules_set *set, fault *why) {
    unsigned allowed = game->ends[field];
    for (int e = 0; e < ENDS; e++)
        if (allowed >> e & 1 && text_is(value, end_names[e])) {
            *end_field_of(set, field) = (rules_end)e;
            return true;
        }
    char list[64];
    writer w = writer_on(list, sizeof list);
    suggestion near = suggest_for(value);
    for (int e = 0; e < ENDS; e++)
        if (allowed >> e & 1) {
            write_format(&w, "%s%s", w.used ? ", " : "", end_names[e]);
            suggest_offer(&near, end_names[e]);
        }
    return fault_set(why, "rules: %s takes %s, not %s%s", end_fields[field], list,
                     fault_quote(value).shown, suggest_hint(&near).shown);
}

static bool parse_field(const rules_game *game, text name, text value, rules_set *set, fault *why) {
    bool repetition = text_is(name, "repetition"), no_capture = text_is(name, "no-capture");
    if (repetition || no_capture) {
        int64_t n = 0;
        if (!text_is(value, "none") &&
            (!text_to_int(value, 0, 10000, &n) || (repetition && n == 1)))
            return fault_set(why, "rules: %s takes %s to 10000 or none, not %s",
                             repetition ? "repetition" : "no-capture", repetition ? "2" : "1",
                             fault_quote(value).shown);
        *(repetition ? &set->repetition : &set->no_capture) = (uint16_t)n;
        return true;
    }
    for (int i = 0; i < RULES_END_FIELDS; i++)
        if (text_is(name, end_fields[i]))
            return parse_end(game, i, value, set, why);
    suggestion near = suggest_for(name);
    suggest_offer(&near, "repetition");
    suggest_offer(&near, "no-capture");
    for (int i = 0; i < RULES_END_FIELDS; i++)
        suggest_offer(&near, end_fields[i]);
    return fault_set(why,
                     "rules: no field %s (repetition, repetition-end, no-capture, no-capture-end, "
                     "no-move-end, flag-end)%s",
                     fault_quote(name).shown, suggest_hint(&near).shown);
}

static bool parse_name(const rules_game *game, text name, rules_set *set, fault *why) {
    for (const rules_named_set *n = game->sets; n->name; n++)
        if (text_is(name, n->name)) {
            *set = n->set;
            return true;
        }
    char list[64];
    writer w = writer_on(list, sizeof list);
    suggestion near = suggest_for(name);
    for (const rules_named_set *n = game->sets; n->name; n++) {
        write_format(&w, "%s%s", w.used ? ", " : "", n->name);
        suggest_offer(&near, n->name);
    }
    return fault_set(why, "rules: %s has no rule set %s (%s)%s", rules_name(game),
                     fault_quote(name).shown, list, suggest_hint(&near).shown);
}

bool rules_set_parse(const rules_game *game, text spec, rules_set *set, fault *why) {
    rules_set result = rules_default_set(game);
    bool first = true, more = true;
    while (more) {
        const char *comma = spec.len ? memchr(spec.at, ',', spec.len) : NULL;
        text part = {spec.at, comma ? (size_t)(comma - spec.at) : spec.len};
        spec = text_skip(spec, part.len + 1);
        more = comma != NULL;
        const char *equals = part.len ? memchr(part.at, '=', part.len) : NULL;
        if (equals) {
            text name = {part.at, (size_t)(equals - part.at)};
            if (!parse_field(game, name, text_skip(part, name.len + 1), &result, why))
                return false;
        } else if (!first) {
            return fault_set(why, "rules: %s is not field=value", fault_quote(part).shown);
        } else if (!parse_name(game, part, &result, why)) {
            return false;
        }
        first = false;
    }
    *set = result;
    return true;
}

void rules_set_format(const rules_game *game, const rules_set *set, writer *out) {
    (void)game;
    rules_set copy = *set;
    write_format(out, "repetition=%d,no-capture=%d", set->repetition, set->no_capture);
    for (int i = 0; i < RULES_END_FIELDS; i++)
        write_format(out, ",%s=%s", end_fields[i], end_names[*end_field_of(&copy, i)]);
}

// --- one game -----------------------------------------------------------------------------------

size_t rules_state_size(uint32_t max_plies) {
    return sizeof(rules_state) + (size_t)max_plies * sizeof(rules_past);
}

rules_state *rules_state_new(void *memory, const rules_game *game, const rules_set *set,
                             uint32_t max_plies) {
    assert(max_plies <= RULES_MAX_PLIES);
    rules_state *s = memory;
    *s = (rules_state){.game = game, .set = *set, .capacity = max_plies};
    bool good = game->parse_fen(&s->pos, text_of(rules_start_fen(game)), NULL);
    assert(good);
    (void)good;
    return s;
}

bool rules_set_fen(rules_state *s, text fen, fault *why) {
    rules_pos pos;
    memset(&pos, 0, sizeof pos);
    if (!s->game->parse_fen(&pos, fen, why))
        return false;
    s->pos = pos;
    s->ply = 0;
    return true;
}

bool rules_parse_counters(text rest, uint16_t *quiet, uint16_t *number, fault *why) {
    int64_t plies = 0, moves = 1;
    text word = text_next_word(&rest);
    if (word.len && !text_to_int(word, 0, UINT16_MAX, &plies))
        return fault_set(why, "FEN: %s is no count of plies", fault_quote(word).shown);
    word = text_next_word(&rest);
    if (word.len && !text_to_int(word, 0, UINT16_MAX, &moves))
        return fault_set(why, "FEN: %s is no move number", fault_quote(word).shown);
    word = text_next_word(&rest);
    if (word.len)
        return fault_set(why, "FEN: %s behind the move number", fault_quote(word).shown);
    *quiet = (uint16_t)plies;
    *number = (uint16_t)moves;
    return true;
}

void rules_format_fen(const rules_state *s, writer *out) { s->game->format_fen(&s->pos, out); }

void rules_change_set(rules_state *s, const rules_set *set) { s->set = *set; }

const rules_game *rules_game_of(const rules_state *s) { return s->game; }

const rules_set *rules_set_of(const rules_state *s) { return &s->set; }

int rules_side_to_move(const rules_state *s) { return s->game->side_to_move(&s->pos); }

uint32_t rules_ply(const rules_state *s) { return s->ply; }

rules_move rules_move_at(const rules_state *s, uint32_t n) {
    assert(n < s->ply);
    return s->past[n].move;
}

uint64_t rules_key(const rules_state *s) { return s->game->key(&s->pos); }

int rules_piece_count(const rules_state *s, int side) {
    return s->game->piece_count(&s->pos, side);
}

char rules_piece_at(const rules_state *s, int point) { return s->game->piece_at(&s->pos, point); }

bool rules_in_check(const rules_state *s) { return s->game->in_check(&s->pos); }

int rules_no_capture_plies(const rules_state *s) { return s->game->no_capture_plies(&s->pos); }

// Counts how often the position has stood on the board, up to a maximum, and returns how many plies
// lie between the first occurrence counted and now. A capture ends the look back; a position can
// only come back with the same side to move.
static uint32_t cycle_length(const rules_state *s, int maximum, int *occurrences) {
    uint64_t key = rules_key(s);
    uint32_t quiet = (uint32_t)rules_no_capture_plies(s), length = 0;
    uint32_t reach = min_u32(quiet, s->ply);
    *occurrences = 1;
    for (uint32_t back = 2; back <= reach && *occurrences < maximum; back += 2)
        if (s->past[s->ply - back].key == key) {
            length = back;
            ++*occurrences;
        }
    return length;
}

int rules_occurrences(const rules_state *s) {
    int count;
    cycle_length(s, RULES_MAX_PLIES, &count);
    return count;
}

int rules_legal_moves(const rules_state *s, rules_move moves[RULES_MAX_MOVES]) {
    return s->game->legal_moves(&s->pos, moves);
}

bool rules_is_legal(const rules_state *s, rules_move move) {
    return s->game->is_legal(&s->pos, move);
}

bool rules_is_capture(const rules_state *s, rules_move move) {
    return s->game->piece_at(&s->pos, move_to(move)) != '.';
}

int rules_capture_routes(const rules_state *s, rules_move move, rules_route routes[4]) {
    return s->game->capture_routes(&s->pos, move, routes);
}

bool rules_play(rules_state *s, rules_move move, fault *why) {
    if (!rules_is_legal(s, move))
        return fault_set(why, "illegal move");
    if (s->ply == s->capacity)
        return fault_set(why, "the game is longer than %u moves", (unsigned)s->capacity);
    rules_past *past = &s->past[s->ply++];
    past->key = rules_key(s);
    s->game->make(&s->pos, move, past);
    return true;
}

bool rules_undo(rules_state *s) {
    if (s->ply == 0)
        return false;
    s->game->undo(&s->pos, &s->past[--s->ply]);
    return true;
}

bool rules_cycle(const rules_state *s, rules_verdict *verdict) {
    // All that lies between the occurrences that end the game is judged: who chases one piece the
    // first time round and another the second time has not chased one piece without end.
    int occurrences;
    uint32_t n = cycle_length(s, s->set.repetition, &occurrences);
    if (n == 0)
        return false;
    *verdict = s->game->judge_cycle(&s->pos, s->past + s->ply - n, (int)n, s->set.repetition_end);
    return true;
}

bool rules_explain_cycle(const rules_state *s, writer *out) {
    int occurrences;
    uint32_t n = cycle_length(s, s->set.repetition, &occurrences);
    if (n == 0 || !s->game->explain_cycle)
        return false;
    s->game->explain_cycle(&s->pos, s->past + s->ply - n, (int)n, s->set.repetition_end, out);
    return true;
}

rules_verdict rules_result(const rules_state *s) {
    rules_verdict v = s->game->board_result(&s->pos, &s->set);
    if (v.outcome != RULES_ONGOING)
        return v;
    if (s->set.repetition && rules_occurrences(s) >= s->set.repetition && rules_cycle(s, &v))
        return v;
    int quiet = rules_no_capture_plies(s);
    if (s->set.no_capture && quiet >= s->set.no_capture) {
        char words[80];
        writer w = writer_on(words, sizeof words);
        write_format(&w, "%d plies without a capture", quiet);
        return s->game->cut_off(&s->pos, s->set.no_capture_end, REASON_NO_CAPTURE, words);
    }
    return v;
}

// --- symmetry -----------------------------------------------------------------------------------

// Where an image has the first point, and how far apart its files and ranks are.
typedef struct {
    int origin, file_step, rank_step;
} image_map;

static image_map map_of(const rules_game *game, int image) {
    int files = game->properties.files, ranks = game->properties.ranks;
    image_map m = {0, 1, files};
    if (image & 4)
        m = (image_map){0, files, 1};
    if (image & 1) {
        m.origin += (files - 1) * m.file_step;
        m.file_step = -m.file_step;
    }
    if (image & 2) {
        m.origin += (ranks - 1) * m.rank_step;
        m.rank_step = -m.rank_step;
    }
    return m;
}

int rules_image_point(const rules_game *game, int image, int point) {
    image_map m = map_of(game, image);
    int files = game->properties.files;
    return m.origin + point % files * m.file_step + point / files * m.rank_step;
}

void rules_image_board(const rules_game *game, int image, const char *board, char *to) {
    image_map m = map_of(game, image);
    for (int rank = 0; rank < game->properties.ranks; rank++)
        for (int file = 0; file < game->properties.files; file++)
            to[m.origin + file * m.file_step + rank * m.rank_step] = *board++;
}

// --- text ---------------------------------------------------------------------------------------

static const char *const notation_names[RULES_NOTATIONS] = {
    [NOTATION_NATIVE] = "native",   [NOTATION_SAU] = "sau",         [NOTATION_ICCS] = "iccs",
    [NOTATION_WXF] = "wxf",         [NOTATION_CHINESE] = "chinese", [NOTATION_UCI0] = "uci0",
    [NOTATION_UCI1] = "uci1",       [NOTATION_CONTEST] = "contest", [NOTATION_LETTER0] = "letter0",
    [NOTATION_LETTER1] = "letter1",
};

const char *rules_notation_name(rules_notation notation) { return notation_names[notation]; }

bool rules_has_notation(const rules_game *game, rules_notation notation) {
    for (int i = 0; i < game->properties.notation_count; i++)
        if (game->properties.notations[i] == notation)
            return true;
    return false;
}

bool rules_find_notation(const rules_game *game, text name, rules_notation *notation, fault *why) {
    char known[64];
    writer w = writer_on(known, sizeof known);
    suggestion near = suggest_for(name);
    for (int i = 0; i < game->properties.notation_count; i++) {
        rules_notation n = game->properties.notations[i];
        if (text_is(name, notation_names[n])) {
            *notation = n;
            return true;
        }
        write_format(&w, "%s%s", w.used ? ", " : "", notation_names[n]);
        suggest_offer(&near, notation_names[n]);
    }
    return fault_set(why, "%s has no notation %s (%s)%s", rules_name(game), fault_quote(name).shown,
                     known, suggest_hint(&near).shown);
}

bool rules_parse_move(const rules_state *s, text word, rules_move *move, fault *why) {
    return s->game->parse_move(&s->pos, -1, word, move, why);
}

bool rules_parse_move_as(const rules_state *s, rules_notation notation, text word, rules_move *move,
                         fault *why) {
    return s->game->parse_move(&s->pos, (int)notation, word, move, why);
}

void rules_format_move(const rules_state *s, rules_move move, rules_notation notation,
                       writer *out) {
    s->game->format_move(&s->pos, move, notation, out);
}

void rules_draw(const rules_state *s, const rules_drawing *how, writer *out) {
    s->game->draw(&s->pos, how, out);
}
