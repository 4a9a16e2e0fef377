// Puzzles: positions with one best move, made by the lab (lab/puzzles/puzzle.h has the format) and
// built into the program. They are served by number, to each solver those near its rating; the
// first try of a puzzle counts for a Glicko-2 rating of the solver's own. One of each game is the
// puzzle of the day.
#include "store/puzzles.h"
#include "base/embedded.h"
#include "base/vector.h"
#include "contest/glicko.h"
#include "features/features.h"
#include "features/preview.h"
#include "rules/rules.h"
#include "server/api.h"

#include <math.h>
#include <stdlib.h>

extern const embedded_file embedded_puzzles[];

enum {
    MOST_MOVES = 16,        // of a line
    MOST_PUZZLES = 100000,  // of a game
    NEAREST = 8,            // puzzles nearest to the solver's rating, of which one comes next
    FIRST_RATING = 1200,    // of a solver
    PUZZLE_DEVIATION = 150, // how sure a puzzle's rating is: an estimate of its maker
    DAY_S = 86400,
    DAILY_STEP = 89, // a prime: puzzles of the day come in an order that looks mixed
};

typedef struct {
    char kind[12];
    int rating;
    char fen[RULES_FEN_SIZE];
    rules_move moves[MOST_MOVES];
    int count;
} puzzle;

typedef struct {
    puzzle *list;
    size_t count, capacity;
} puzzle_list;

typedef struct {
    puzzle_list of[RULES_GAMES];
} puzzles;

static puzzles *state_of(const server *srv) { return feature_state(srv, &puzzles_feature); }

// --- reading ------------------------------------------------------------------------------------

static text next_field(text *line) {
    text field = {line->at, text_find(*line, "|")};
    *line = text_skip(*line, field.len + 1);
    return text_trim(field);
}

// The line's moves, which must be legal and end with the solver's.
static bool read_moves(puzzle *p, rules_state *s, text words, fault *why) {
    for (text word; (word = text_next_word(&words)).len;) {
        rules_move move;
        if (p->count == MOST_MOVES)
            return fault_set(why, "more than %d moves", MOST_MOVES);
        if (!rules_parse_move(s, word, &move, why) || !rules_play(s, move, why))
            return false;
        p->moves[p->count++] = move;
    }
    return p->count % 2 == 1 || fault_set(why, "the last move must be the solver's");
}

// NUMBER | KIND | RATING | FEN | MOVES
static bool read_line(puzzle *p, rules_state *s, text line, int64_t wanted, fault *why) {
    text number = next_field(&line), kind = next_field(&line), rating = next_field(&line);
    text fen = next_field(&line);
    int64_t n, points;
    if (!text_to_int(number, wanted, wanted, &n))
        return fault_set(why, "the number %lld is due", (long long)wanted);
    if (!text_to_int(rating, 0, 4000, &points) || kind.len >= sizeof p->kind || fen.len == 0)
        return fault_set(why, "NUMBER | KIND | RATING | FEN | MOVES is wanted");
    *p = (puzzle){.rating = (int)points};
    writer k = writer_on(p->kind, sizeof p->kind), f = writer_on(p->fen, sizeof p->fen);
    write_text(&k, kind);
    if (!rules_set_fen(s, fen, why))
        return false;
    rules_format_fen(s, &f);
    return read_moves(p, s, line, why);
}

static bool read_list(puzzle_list *l, const rules_game *rules, fault *why) {
    text rest = embedded_find(embedded_puzzles, rules_name(rules));
    rules_set set = rules_default_set(rules);
    void *memory = malloc(rules_state_size(MOST_MOVES));
    rules_state *s = memory ? rules_state_new(memory, rules, &set, MOST_MOVES) : NULL;
    bool good = s || fault_set(why, "out of memory");
    fault inner;
    for (int line_number = 1; good && rest.len; line_number++) {
        text line = text_trim(text_next_line(&rest));
        if (line.len == 0 || line.at[0] == '#')
            continue;
        puzzle *grown = l->count < MOST_PUZZLES
                            ? vector_reserve(l->list, &l->capacity, l->count + 1, sizeof *grown)
                            : NULL;
        if (!grown) {
            good = fault_set(why, "puzzles: out of memory");
            break;
        }
        l->list = grown;
        good = read_line(&l->list[l->count], s, line, (int64_t)l->count + 1, &inner) ||
               fault_set(why, "puzzles of %s, line %d: %s", rules_name(rules), line_number,
                         inner.line);
        l->count += good;
    }
    free(memory);
    return good;
}

static void puzzles_free(void *state) {
    puzzles *p = state;
    for (int i = 0; p && i < RULES_GAMES; i++)
        free(p->of[i].list);
    free(p);
}

static void *puzzles_start(server *srv, fault *why) {
    (void)srv;
    puzzles *p = calloc(1, sizeof *p);
    bool good = p || fault_set(why, "out of memory");
    for (int i = 0; good && i < RULES_GAMES; i++)
        good = read_list(&p->of[i], rules_nth(i), why);
    if (good)
        return p;
    puzzles_free(p);
    return NULL;
}

// --- solvers ------------------------------------------------------------------------------------

static stored_solver solver_of(api_call *c, const rules_game *rules) {
    stored_solver s;
    if (c->member && store_find_solver(c->server->store, c->member->id, rules_name(rules), &s))
        return s;
    glicko fresh = glicko_new();
    return (stored_solver){
        .rating = FIRST_RATING, .deviation = fresh.deviation, .volatility = fresh.volatility};
}

static json_t *solver_json(const stored_solver *s) {
    return json_pack("{si,si,si,si}", "rating", (int)lround(s->rating), "deviation",
                     (int)lround(s->deviation), "tries", s->tries, "solved", s->solved);
}

static stored_solver after_try(stored_solver s, const puzzle *p, bool is_solved, int64_t now) {
    glicko before = {s.rating, s.deviation, s.volatility};
    glicko task = {p->rating, PUZZLE_DEVIATION, before.volatility};
    glicko_result result = {task, is_solved ? 1 : 0};
    glicko after = glicko_after(before, &result, 1);
    return (stored_solver){.rating = after.rating,
                           .deviation = after.deviation,
                           .volatility = after.volatility,
                           .tries = s.tries + 1,
                           .solved = s.solved + is_solved,
                           .updated = now};
}

// --- choosing -----------------------------------------------------------------------------------

static size_t daily_of(const puzzle_list *l, int64_t wall_us) {
    return (size_t)(wall_us / 1000000 / DAY_S) * DAILY_STEP % l->count;
}

typedef struct {
    bool *tried; // by index
    size_t count;
} tried_list;

static void mark_tried(void *context, int number) {
    tried_list *t = context;
    if (number >= 1 && (size_t)number <= t->count)
        t->tried[number - 1] = true;
}

// The puzzle that comes next: one of those nearest to the rating that were not tried. Where all
// were, one of the nearest.
static size_t choose(const puzzle_list *l, const bool *tried, double rating, uint64_t mix) {
    size_t nearest[NEAREST], found = 0;
    for (int pass = 0; pass < 2 && found == 0; pass++)
        for (size_t i = 0; i < l->count; i++) {
            double distance = fabs(l->list[i].rating - rating);
            size_t at = found;
            if (pass == 0 && tried[i])
                continue;
            while (at > 0 && distance < fabs(l->list[nearest[at - 1]].rating - rating))
                at--;
            if (at == NEAREST)
                continue;
            found += found < NEAREST;
            memmove(&nearest[at + 1], &nearest[at], (found - at - 1) * sizeof *nearest);
            nearest[at] = i;
        }
    return nearest[mix % found];
}

// --- answers ------------------------------------------------------------------------------------

static json_t *puzzle_json(const rules_game *rules, const puzzle_list *l, size_t i) {
    const puzzle *p = &l->list[i];
    rules_set set = rules_default_set(rules);
    void *memory = malloc(rules_state_size(MOST_MOVES));
    json_t *moves = json_array();
    fault why;
    rules_state *s = memory ? rules_state_new(memory, rules, &set, MOST_MOVES) : NULL;
    bool good = s && rules_set_fen(s, text_of(p->fen), &why);
    for (int n = 0; good && n < p->count; n++) {
        char move[RULES_MOVE_SIZE];
        writer w = writer_on(move, sizeof move);
        rules_format_move(s, p->moves[n], NOTATION_NATIVE, &w);
        json_array_append_new(moves, json_string(move));
        good = rules_play(s, p->moves[n], &why);
    }
    free(memory);
    return json_pack("{ss,si,si,ss,si,ss,so}", "game", rules_name(rules), "number", (int)i + 1,
                     "count", (int)l->count, "kind", p->kind, "rating", p->rating, "fen", p->fen,
                     "moves", moves);
}

// The list of the game named first in the path; NULL: an answer has been given.
static const puzzle_list *list_of(api_call *c, const rules_game **rules) {
    *rules = rules_find(c->parts[0]);
    if (!*rules) {
        api_refuse_game(c, 404, "puzzles are of ");
        return NULL;
    }
    const puzzle_list *l = &state_of(c->server)->of[rules_index(*rules)];
    if (l->count == 0) {
        api_refuse(c, 404, "puzzle", "there are no puzzles of %s", rules_name(*rules));
        return NULL;
    }
    return l;
}

// The puzzle of the path; NULL: an answer has been given.
static const puzzle *puzzle_of(api_call *c, const rules_game **rules, const puzzle_list **l) {
    *l = list_of(c, rules);
    if (!*l)
        return NULL;
    int64_t n = c->numbers[1];
    if (n < 1 || n > (int64_t)(*l)->count) {
        api_refuse(c, 404, "puzzle", "puzzles of %s are numbered 1 to %zu", rules_name(*rules),
                   (*l)->count);
        return NULL;
    }
    return &(*l)->list[n - 1];
}

// GET /puzzles: for each game the number of puzzles, the one of the day and how the asker does.
static void get_all(api_call *c) {
    json_t *list = json_array();
    int64_t now = server_wall();
    for (int i = 0; i < RULES_GAMES; i++) {
        const rules_game *rules = rules_nth(i);
        const puzzle_list *l = &state_of(c->server)->of[i];
        if (l->count == 0)
            continue;
        size_t daily = daily_of(l, now);
        stored_solver s = solver_of(c, rules);
        bool is_tried = c->member && store_has_tried_puzzle(c->server->store, c->member->id,
                                                            rules_name(rules), (int)daily + 1);
        json_array_append_new(list,
                              json_pack("{ss,si,so,sb,so}", "game", rules_name(rules), "count",
                                        (int)l->count, "daily", puzzle_json(rules, l, daily),
                                        "tried", is_tried, "solver", solver_json(&s)));
    }
    api_json(c, 200, json_pack("{so}", "games", list));
}

// GET /puzzles/GAME: the one that comes next for the asker.
static void get_next(api_call *c) {
    const rules_game *rules;
    const puzzle_list *l = list_of(c, &rules);
    if (!l)
        return;
    tried_list t = {calloc(l->count, sizeof *t.tried), l->count};
    if (!t.tried) {
        api_refuse(c, 503, "busy", "out of memory");
        return;
    }
    stored_solver s = solver_of(c, rules);
    int64_t after = api_query_number(c, "after", 1, (int64_t)l->count, 0);
    if (c->member)
        store_each_puzzle_tried(c->server->store, c->member->id, rules_name(rules), mark_tried, &t);
    if (after)
        mark_tried(&t, (int)after); // not the same again
    uint64_t mix =
        (uint64_t)s.tries * 5 + (c->member ? (uint64_t)c->member->id : 0) + (uint64_t)after * 3;
    json_t *answer = puzzle_json(rules, l, choose(l, t.tried, s.rating, mix));
    free(t.tried);
    json_object_set_new(answer, "solver", solver_json(&s));
    api_json(c, 200, answer);
}

static void get_one(api_call *c) {
    const rules_game *rules;
    const puzzle_list *l;
    const puzzle *p = puzzle_of(c, &rules, &l);
    if (!p)
        return;
    json_t *answer = puzzle_json(rules, l, (size_t)(p - l->list));
    stored_solver s = solver_of(c, rules);
    json_object_set_new(answer, "solver", solver_json(&s));
    api_json(c, 200, answer);
}

// Whether the solver's moves, in order, solve the puzzle. Any move that ends the game in the
// solver's favour is as good as the last one of the line.
static bool is_solution(const puzzle *p, rules_state *s, text words, fault *why) {
    int solver = rules_side_to_move(s);
    for (int n = 0; n < p->count; n += 2) {
        text word = text_next_word(&words);
        rules_move move;
        if (word.len == 0 || !rules_parse_move(s, word, &move, why) || !rules_play(s, move, why))
            return false;
        rules_outcome outcome = rules_result(s).outcome;
        bool is_won = outcome == (solver == 0 ? RULES_FIRST_WINS : RULES_SECOND_WINS);
        if (is_won)
            return true;
        if (move != p->moves[n] || (n + 1 < p->count && !rules_play(s, p->moves[n + 1], why)))
            return false;
    }
    return text_next_word(&words).len == 0;
}

// POST /puzzles/GAME/N {"moves":"h2e2 e2e6"}: what the solver played, without the replies.
static void post_try(api_call *c) {
    const rules_game *rules;
    const puzzle_list *l;
    const puzzle *p = puzzle_of(c, &rules, &l);
    request r;
    if (!p || !api_body(c, &r))
        return;
    rules_set set = rules_default_set(rules);
    void *memory = malloc(rules_state_size(MOST_MOVES));
    rules_state *s = memory ? rules_state_new(memory, rules, &set, MOST_MOVES) : NULL;
    fault why;
    if (!s || !rules_set_fen(s, text_of(p->fen), &why)) {
        api_refuse(c, 503, "busy", "out of memory");
        free(memory);
        return;
    }
    bool is_solved = is_solution(p, s, request_text(&r, "moves"), &why);
    free(memory);
    const char *name = rules_name(rules);
    int number = (int)(p - l->list) + 1;
    stored_solver before = solver_of(c, rules), now = before;
    bool counts = !store_has_tried_puzzle(c->server->store, c->member->id, name, number);
    if (counts) {
        now = after_try(before, p, is_solved, server_wall());
        store_add_puzzle_try(c->server->store, c->member->id, name, number, is_solved, &now);
    }
    api_json(c, 200,
             json_pack("{sb,sb,si,so}", "solved", is_solved, "counts", counts, "change",
                       (int)(lround(now.rating) - lround(before.rating)), "solver",
                       solver_json(&now)));
}

// /puzzles/GAME/N
static bool write_head(api_call *c, writer *out) {
    static const char prefix[] = "/puzzles/";
    if (!text_starts(c->request->path, prefix))
        return false;
    text rest = text_skip(c->request->path, strlen(prefix));
    text name = {rest.at, text_find(rest, "/")};
    const rules_game *rules = rules_find(name);
    int64_t n;
    if (!rules || !text_to_int(text_skip(rest, name.len + 1), 1, MOST_PUZZLES, &n))
        return false;
    const puzzle_list *l = &state_of(c->server)->of[rules_index(rules)];
    if (n > (int64_t)l->count)
        return false;
    char title[128], image[512];
    writer t = writer_on(title, sizeof title), i = writer_on(image, sizeof image);
    write_format(&t, "%s: puzzle %lld", rules_properties_of(rules)->title, (long long)n);
    preview_write_position(rules, l->list[n - 1].fen, &i);
    preview_write_tags(c, title, "One move is best. Find it.", image, out);
    return true;
}

static const api_route routes[] = {
    {"GET", "/api/v1/puzzles", get_all, false},
    {"GET", "/api/v1/puzzles/*", get_next, false},
    {"GET", "/api/v1/puzzles/*/*", get_one, false},
    {"POST", "/api/v1/puzzles/*/*", post_try, true},
    {.pattern = NULL},
};

const feature puzzles_feature = {.name = "puzzles",
                                 .routes = routes,
                                 .write_head = write_head,
                                 .start = puzzles_start,
                                 .free = puzzles_free};
