// Whole games assessed by our engine, for the graph beside a replay: every position of a finished
// game with a few nodes each, behind everything else the engines do and not while a tournament of
// an arbiter is being played. Each position is assessed once and stored, so that a restart goes on
// from there when it is asked for again.
#include "features/engines.h"
#include "features/features.h"
#include "features/game_record.h"
#include "features/tournament.h"
#include "match/mark.h"
#include "server/api.h"
#include "store/archive.h"

#include <stdlib.h>

enum {
    REVIEW_NODES = 50000,  // a position
    REVIEWS_WAITING = 64,  // games in line,
    REVIEWS_OF_ADDRESS = 8 // of one address
};

typedef struct item item;
struct item {
    int64_t game;
    char address[CONNECTION_ADDRESS]; // who asked for it
    list_link link;
};

typedef struct {
    server *server;
    linked_list items; // the one under way, and those that wait
    int waiting;
    // Of the one under way; state NULL: it has not begun.
    stored_game row;
    stored_move *moves;
    int plies;
    rules_state *state;
    bool *is_known; // by ply
    bool is_asked;  // the engine is at it
    int failures;
} reviews;

static reviews *reviews_of(const server *srv) { return feature_state(srv, &review_feature); }

static const item *first_item(const reviews *r) { return LIST_ITEM(r->items.first, item, link); }

// --- the game under way -------------------------------------------------------------------------

static void leave_game(reviews *r) {
    free(LIST_ITEM(list_take_first(&r->items), item, link));
    r->waiting--;
    free(r->state);
    free(r->is_known);
    free(r->moves);
    r->state = NULL;
    r->is_known = NULL;
    r->moves = NULL;
    r->is_asked = false;
    r->failures = 0;
}

static void free_reviews(void *state) {
    reviews *r = state;
    while (r->items.first)
        leave_game(r);
    free(r);
}

static void take_known(void *context, const stored_assessment *a) {
    reviews *r = context;
    if (a->ply <= r->plies)
        r->is_known[a->ply] = true;
}

static bool enter_game(reviews *r) {
    store *from = r->server->store;
    int64_t id = first_item(r)->game;
    if (!store_find_game(from, id, &r->row))
        return false;
    r->moves = store_game_moves(from, id, &r->plies);
    const rules_game *rules = rules_find(text_of(r->row.game));
    rules_set set;
    uint32_t plies = (uint32_t)r->plies;
    r->is_known = calloc((size_t)plies + 1, sizeof *r->is_known);
    r->state = malloc(rules_state_size(plies + 1));
    if (!rules || !r->is_known || !r->state ||
        !rules_set_parse(rules, text_of(r->row.rules), &set, NULL))
        return false;
    rules_state_new(r->state, rules, &set, plies + 1);
    store_each_assessment(from, id, 0, take_known, r);
    return !r->row.fen[0] || rules_set_fen(r->state, text_of(r->row.fen), NULL);
}

static void keep(reviews *r, stored_assessment *a) {
    a->ply = (int)rules_ply(r->state);
    if (rules_side_to_move(r->state))
        a->score = -a->score;
    store_set_assessment(r->server->store, r->row.id, a);
    r->is_known[a->ply] = true;
    turns_want(&r->server->turns);
}

// A position that is decided needs no engine.
static bool is_decided(reviews *r) {
    rules_outcome outcome = rules_result(r->state).outcome;
    if (outcome == RULES_ONGOING)
        return false;
    bool mover_wins =
        outcome == (rules_side_to_move(r->state) ? RULES_SECOND_WINS : RULES_FIRST_WINS);
    stored_assessment a = {.is_mate = outcome != RULES_DRAW,
                           .score = outcome == RULES_DRAW ? 0
                                    : mover_wins          ? 1
                                                          : -1};
    keep(r, &a);
    return true;
}

static bool play_next(reviews *r) {
    rules_move move;
    const stored_move *next = &r->moves[rules_ply(r->state)];
    return rules_parse_move(r->state, text_of(next->move), &move, NULL) &&
           rules_play(r->state, move, NULL);
}

// Asks the engine about the next position without an assessment. False: there is none left.
static bool ask_next(reviews *r) {
    while (r->is_known[rules_ply(r->state)] || is_decided(r))
        if ((int)rules_ply(r->state) >= r->plies || !play_next(r))
            return false;
    engine_question q = {.kind = ASKER_REVIEW,
                         .id = r->row.id,
                         .state = r->state,
                         .start = r->row.fen,
                         .limits = {.clock_us = {-1, -1}, .nodes = REVIEW_NODES}};
    r->is_asked = true; // the answer may come before the call returns
    if (!engines_ask(engines_of(r->server), &q))
        r->is_asked = false; // in a second again
    return true;
}

static void go_on(reviews *r) {
    while (r->items.first && !r->is_asked && !tournaments_need_quiet(r->server) &&
           !r->server->stopping) {
        bool entered = r->state || enter_game(r);
        if (!entered || !ask_next(r))
            leave_game(r);
        else if (!r->is_asked)
            return;
    }
}

static void tick(server *srv) { go_on(reviews_of(srv)); }

static void on_answer(server *srv, int64_t id, rules_move move, const dialect_info *info,
                      const char *why) {
    reviews *r = reviews_of(srv);
    if (!r->is_asked || r->row.id != id || srv->stopping)
        return;
    r->is_asked = false;
    if (move != MOVE_NONE && info->has_score) {
        stored_assessment a = {
            .is_mate = info->is_mate, .score = info->score, .depth = info->depth ? info->depth : 1};
        writer out = writer_on(a.best, sizeof a.best);
        rules_format_move(r->state, move, NOTATION_NATIVE, &out);
        keep(r, &a);
    } else if (++r->failures > 1) {
        log_write(LEVEL_WARNING, "game %lld cannot be looked through: %s", (long long)id,
                  why ? why : "no score");
        leave_game(r);
    }
    go_on(r);
}

// --- asking for it ------------------------------------------------------------------------------

static const item *find_item(const reviews *r, int64_t id, int *of_address, const char *address) {
    const item *found = NULL;
    *of_address = 0;
    for (list_link *l = r->items.first; l; l = l->next) {
        const item *i = LIST_ITEM(l, item, link);
        *of_address += strcmp(i->address, address) == 0;
        if (i->game == id)
            found = i;
    }
    return found;
}

// Builds the answer: a position's score beside the one before it says what the move was worth.
typedef struct {
    json_t *list;
    const game_copy *game;
    int from, begins; // the side that moves first from the first position
    stored_assessment last;
    bool has_last;
} story;

static void set_mark(json_t *j, const story *s, const stored_assessment *a) {
    bool second_moved = (s->begins + s->last.ply) & 1;
    int sign = second_moved ? -1 : 1;
    int32_t before = sign * mark_score(s->last.is_mate, s->last.score);
    int32_t after = sign * mark_score(a->is_mate, a->score);
    bool is_best = strcmp(s->last.best, s->game->moves[s->last.ply].move) == 0;
    json_object_set_new(j, "loss", json_integer(mark_loss(before, after, is_best)));
    json_object_set_new(j, "mark", json_string(mark_of(before, after, is_best)));
}

static void take_assessment(void *context, const stored_assessment *a) {
    story *s = context;
    if (a->ply >= s->from && a->ply <= s->game->count) {
        json_t *j = json_pack("{si,si}", "ply", a->ply, a->is_mate ? "mate" : "score", a->score);
        if (a->best[0])
            json_object_set_new(j, "best", json_string(a->best));
        if (a->depth)
            json_object_set_new(j, "depth", json_integer(a->depth));
        if (s->has_last && s->last.ply + 1 == a->ply)
            set_mark(j, s, a);
        json_array_append_new(s->list, j);
    }
    s->last = *a;
    s->has_last = true;
}

static void answer(api_call *c, const game_copy *copy) {
    const reviews *r = reviews_of(c->server);
    int64_t id = copy->row.id;
    int of_address, known = store_count_assessments(c->server->store, id);
    const item *i = find_item(r, id, &of_address, c->http->connection->address);
    story s = {.list = json_array(),
               .game = copy,
               .from = (int)api_query_number(c, "from", 0, RULES_LONGEST_GAME, 0),
               .begins = game_copy_begins(copy)};
    store_each_assessment(c->server->store, id, s.from ? s.from - 1 : 0, take_assessment, &s);
    const char *state = known > copy->count              ? "done"
                        : !i                             ? "none"
                        : i == first_item(r) && r->state ? "running"
                                                         : "waiting";
    api_json(c, 200,
             json_pack("{sI,ss,si,si,si,so}", "id", (json_int_t)id, "state", state, "plies",
                       copy->count, "done", known, "nodes", REVIEW_NODES, "positions", s.list));
}

// A finished game, or a refusal.
static bool find_game(api_call *c, game_copy *copy) {
    if (c->numbers[0] <= 0 || !game_copy_get(c->server, c->numbers[0], copy)) {
        api_refuse(c, 404, "game", "there is no such game");
        return false;
    }
    if (copy->row.ended)
        return true;
    game_copy_free(copy);
    api_refuse(c, 409, "live", "that game is being played");
    return false;
}

static void get_review(api_call *c) {
    game_copy copy;
    if (!find_game(c, &copy))
        return;
    answer(c, &copy);
    game_copy_free(&copy);
}

// Puts it in line; false after a refusal.
static bool put_in_line(api_call *c, int64_t id) {
    reviews *r = reviews_of(c->server);
    const char *address = c->http->connection->address;
    int of_address;
    if (find_item(r, id, &of_address, address))
        return true;
    if (c->server->options->house_bots < 2) {
        api_refuse(c, 503, "engines", "this server has no engines for analysis");
        return false;
    }
    item *i = r->waiting < REVIEWS_WAITING && of_address < REVIEWS_OF_ADDRESS ? calloc(1, sizeof *i)
                                                                              : NULL;
    if (!i) {
        api_refuse(c, 503, "busy", "too many games are waiting");
        return false;
    }
    i->game = id;
    writer out = writer_on(i->address, sizeof i->address);
    write_string(&out, address);
    list_append(&r->items, &i->link);
    r->waiting++;
    go_on(r);
    return true;
}

static void post_review(api_call *c) {
    game_copy copy;
    if (!find_game(c, &copy))
        return;
    bool is_done = store_count_assessments(c->server->store, copy.row.id) > copy.count;
    if (is_done || put_in_line(c, copy.row.id))
        answer(c, &copy);
    game_copy_free(&copy);
}

static const api_route routes[] = {
    {"GET", "/api/v1/games/*/analysis", get_review, false},
    {"POST", "/api/v1/games/*/analysis", post_review, false},
    {.pattern = NULL},
};

static void *start(server *srv, fault *why) {
    (void)why;
    reviews *r = calloc(1, sizeof *r);
    if (r)
        r->server = srv;
    engines_set_asker(engines_of(srv), ASKER_REVIEW, (engine_asker){.on_answer = on_answer});
    return r;
}

const feature review_feature = {
    .name = "review", .routes = routes, .start = start, .tick = tick, .free = free_reviews};
