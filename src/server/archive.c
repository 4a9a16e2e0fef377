#include "server/archive.h"

#include "records/opening_name.h"
#include "server/game_record.h"
#include "server/routes.h"
#include "store/archive.h"

#include <stdlib.h>

enum {
    LIST_MOST = 200,
    REPLAYED_MOST = 5000,  // games looked through for a position
    RECORDS_MOST = 4 << 20 // bytes
};

void archive_on_over(const game *g) {
    const opening_name *o = opening_name_of(referee_state(g->judge));
    char name[160];
    writer w = writer_on(name, sizeof name);
    if (!o)
        return;
    write_format(&w, "%s %s %s", o->code, o->chinese, o->english);
    store_set_opening(g->world->store, g->row.id, name);
}

// --- what is asked for --------------------------------------------------------------------------

// A search, as far as it can be kept while another thread works at it.
typedef struct {
    uv_work_t work;
    world *world;
    api_call *call;
    archive_query query;
    char game[16], reason[32], opening[64];
    bool has_position;
    uint64_t key;
    bool as_records;
    record_format format;
    stored_game *found;
    int count, looked_at;
} search;

static bool take_word(const api_call *c, const char *name, char *to, size_t size) {
    writer w = writer_on(to, size);
    bool there = http_query_of(c->request, name, &w);
    if (!there)
        to[0] = '\0';
    return there;
}

static bool take_player(api_call *c, const char *name, int64_t *player) {
    char word[PLAYER_NAME_SIZE];
    stored_player p;
    *player = 0;
    if (!take_word(c, name, word, sizeof word))
        return true;
    if (!store_find_player_named(c->world->store, text_of(word), &p)) {
        api_refuse(c, 404, "player", "nobody has the name %s", fault_quote(text_of(word)).shown);
        return false;
    }
    *player = p.id;
    return true;
}

static bool take_outcome(api_call *c, int *outcome) {
    char word[16];
    *outcome = -1;
    if (!take_word(c, "result", word, sizeof word))
        return true;
    for (int i = RULES_ONGOING; i <= RULES_DRAW; i++)
        if (strcmp(word, rules_outcome_name((rules_outcome)i)) == 0)
            *outcome = i;
    if (*outcome < 0)
        api_refuse(c, 400, "field", "result: first wins, second wins, draw or ongoing");
    return *outcome >= 0;
}

// The key of the position in `fen`, or after `moves`.
static bool take_position(api_call *c, search *s) {
    char fen[RULES_FEN_SIZE];
    fault why;
    if (!take_word(c, "fen", fen, sizeof fen))
        return true;
    const rules_game *rules = rules_find(text_of(s->game));
    void *memory = rules ? aligned_alloc(16, (rules_state_size(1) + 15) & ~(size_t)15) : NULL;
    if (!memory) {
        api_refuse(c, 400, "field", "a position needs its game");
        return false;
    }
    rules_set set = rules_default_set(rules);
    rules_state *state = rules_state_new(memory, rules, &set, 1);
    s->has_position = rules_set_fen(state, text_of(fen), &why);
    s->key = rules_key(state);
    free(memory);
    if (!s->has_position)
        api_refuse(c, 400, "position", "%s", why.line);
    return s->has_position;
}

static bool read_search(api_call *c, search *s) {
    take_word(c, "game", s->game, sizeof s->game);
    take_word(c, "reason", s->reason, sizeof s->reason);
    take_word(c, "opening", s->opening, sizeof s->opening);
    s->query = (archive_query){.before = api_query_number(c, "before", 1, INT64_MAX, 0),
                               .game = s->game,
                               .reason = s->reason,
                               .opening = s->opening,
                               .tournament = api_query_number(c, "tournament", 1, INT64_MAX, 0),
                               .rated = api_query_number(c, "rated", 0, 1, 0) == 1,
                               .limit = (int)api_query_number(c, "limit", 1, LIST_MOST, 50)};
    char format[16];
    s->as_records = take_word(c, "format", format, sizeof format) &&
                    record_format_find(text_of(format), &s->format);
    return take_player(c, "player", &s->query.player) &&
           take_player(c, "opponent", &s->query.opponent) && take_outcome(c, &s->query.outcome) &&
           take_position(c, s);
}

// --- finding ------------------------------------------------------------------------------------

static bool has_position(store *store_of, const stored_game *g, uint64_t key) {
    const rules_game *rules = rules_find(text_of(g->game));
    int count = 0;
    stored_move *moves = store_game_moves(store_of, g->id, &count);
    void *memory = aligned_alloc(16, (rules_state_size((uint32_t)count + 1) + 15) & ~(size_t)15);
    bool found = false;
    if (memory && rules) {
        rules_set set = rules_default_set(rules);
        rules_state *s = rules_state_new(memory, rules, &set, (uint32_t)count + 1);
        bool good = !g->fen[0] || rules_set_fen(s, text_of(g->fen), NULL);
        for (int i = 0; good && !(found = rules_key(s) == key) && i < count; i++) {
            rules_move move;
            good = rules_parse_move(s, text_of(moves[i].move), &move, NULL) &&
                   rules_play(s, move, NULL);
        }
    }
    free(memory);
    free(moves);
    return found;
}

static void take_game(void *context, const stored_game *g) {
    search *s = context;
    if (s->count < s->query.limit)
        s->found[s->count++] = *g;
}

typedef struct {
    search *search;
    store *store;
} lookup;

static void try_game(void *context, const stored_game *g) {
    lookup *l = context;
    l->search->looked_at++;
    if (l->search->count < l->search->query.limit && has_position(l->store, g, l->search->key))
        take_game(l->search, g);
}

// In the thread pool, with a connection of its own.
static void run_search(uv_work_t *work) {
    search *s = work->data;
    fault why;
    lookup l = {s, store_open(s->world->database, false, &why)};
    archive_query wide = s->query;
    wide.limit = REPLAYED_MOST;
    if (l.store)
        store_each_game(l.store, &wide, try_game, &l);
    store_close(l.store);
}

// --- answering ----------------------------------------------------------------------------------

static void answer_records(search *s, api_call *c) {
    buffer out = {0};
    fault why = {""};
    bool good = true;
    for (int i = 0; good && i < s->count && out.len < RECORDS_MOST; i++) {
        game_copy copy;
        record r;
        if (!game_copy_get(s->world, s->found[i].id, &copy))
            continue;
        good = game_copy_record(&copy, &r, &why) && record_write(&r, s->format, &out, &why);
        record_free(&r);
        game_copy_free(&copy);
    }
    if (good)
        api_text(c, 200, "text/plain; charset=utf-8", (text){out.bytes, out.len});
    else
        api_refuse(c, 400, "format", "%s", why.line);
    buffer_free(&out);
}

static void answer_list(search *s, api_call *c) {
    json_t *list = json_array();
    for (int i = 0; i < s->count; i++) {
        game_copy copy;
        if (!game_copy_get(s->world, s->found[i].id, &copy))
            continue;
        json_array_append_new(list, game_copy_json(&copy));
        game_copy_free(&copy);
    }
    json_t *j = json_pack("{so}", "games", list);
    if (s->count == s->query.limit)
        json_object_set_new(j, "before", json_integer(s->found[s->count - 1].id));
    api_json(c, 200, j);
}

static void answer(search *s, api_call *c) {
    if (s->as_records)
        answer_records(s, c);
    else
        answer_list(s, c);
    free(s->found);
    free(s);
}

static void after_search(uv_work_t *work, int status) {
    search *s = work->data;
    (void)status;
    answer(s, s->call);
}

static void get_games(api_call *c) {
    search *s = calloc(1, sizeof *s);
    if (s)
        s->found = calloc(LIST_MOST, sizeof *s->found);
    if (!s || !s->found) {
        api_refuse(c, 503, "busy", "out of memory");
    } else if (read_search(c, s)) {
        s->world = c->world;
        s->work.data = s;
        if (!s->has_position) {
            store_each_game(c->world->store, &s->query, take_game, s);
            answer(s, c);
            return;
        }
        if ((s->call = api_keep(c)) &&
            uv_queue_work(c->world->loop, &s->work, run_search, after_search) == 0)
            return;
    }
    if (s)
        free(s->found);
    free(s);
}

const api_route archive_routes[] = {
    {"GET", "/api/v1/games", get_games, false},
    {.pattern = NULL},
};
