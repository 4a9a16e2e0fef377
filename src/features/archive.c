// The archive: finished games found by player, opponent, opening, result or position, sent as a
// list or as records. Jobs of the thread pool find and write them.
#include "store/archive.h"
#include "features/archive.h"
#include "features/features.h"
#include "features/game_record.h"
#include "records/mirror.h"
#include "server/api.h"
#include "server/background.h"

#include <stdlib.h>

enum {
    LIST_MOST = 200,
    RECORDS_MOST = 4 << 20, // bytes
    LONG_US = 1000000,      // searches through all games, and records, end with what was found,
    SEARCH_US = 5000000     // and no search takes longer
};

// --- what is asked for --------------------------------------------------------------------------

// A search, as far as it can be kept while another thread works at it.
typedef struct {
    background_job job;
    api_call *call;
    archive_query query;
    char game[16], reason[32], opening[64];
    bool as_records;
    record_format format;
    bool is_found;
    bool is_cut; // there was more than fits into an answer
    int count;
    int64_t last;
    int64_t rest; // its time was over: the `before` to go on with; 0: it was not
    buffer out;
    fault why;
    fault loss; // what the format could not hold of the first game that lost something
} search;

// A word of the query; empty where it is missing. False: it is too long to be one, and that has
// been answered.
static bool take_word(api_call *c, const char *name, char *to, size_t size) {
    writer w = writer_on(to, size);
    (void)!http_query_of(c->request, name, &w);
    if (w.overflow)
        api_refuse(c, 400, "field", "%s: too long", name);
    return !w.overflow;
}

// An account of the name, or else the player of imported games (features/import.h).
static bool find_player(store *s, const char *name, stored_player *p) {
    char recorded[PLAYER_NAME_SIZE + 1];
    writer w = writer_on(recorded, sizeof recorded);
    write_format(&w, "%s*", name);
    return store_find_player_named(s, text_of(name), p) ||
           store_find_player_named(s, text_of(recorded), p);
}

static bool take_player(api_call *c, const char *name, int64_t *player) {
    char word[PLAYER_NAME_SIZE];
    stored_player p;
    *player = 0;
    if (!take_word(c, name, word, sizeof word))
        return false;
    if (!word[0])
        return true;
    if (!find_player(c->server->store, word, &p)) {
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
        return false;
    if (!word[0])
        return true;
    for (int i = RULES_ONGOING; i <= RULES_DRAW; i++)
        if (strcmp(word, rules_outcome_name((rules_outcome)i)) == 0)
            *outcome = i;
    if (*outcome < 0)
        api_refuse(c, 400, "field", "result: first wins, second wins, draw or ongoing");
    return *outcome >= 0;
}

// The key of the position in `fen`.
static bool take_position(api_call *c, search *s) {
    char fen[RULES_FEN_SIZE];
    fault why;
    if (!take_word(c, "fen", fen, sizeof fen))
        return false;
    if (!fen[0])
        return true;
    const rules_game *rules = rules_find(text_of(s->game));
    void *memory = rules ? malloc(rules_state_size(1)) : NULL;
    if (!memory) {
        api_refuse(c, 400, "field", "a position needs its game");
        return false;
    }
    rules_set set = rules_default_set(rules);
    rules_state *state = rules_state_new(memory, rules, &set, 1);
    s->query.has_key = rules_set_fen(state, text_of(fen), &why);
    s->query.key = mirror_of(state).key;
    free(memory);
    if (!s->query.has_key)
        api_refuse(c, 400, "position", "%s", why.line);
    return s->query.has_key;
}

static bool take_format(api_call *c, search *s) {
    char word[16];
    if (!take_word(c, "format", word, sizeof word))
        return false;
    s->as_records = word[0] != '\0';
    if (!s->as_records ||
        (record_format_find(text_of(word), &s->format) && !record_format_is_single(s->format)))
        return true;
    api_refuse(c, 400, "format", "format: pgn, json or moves");
    return false;
}

static bool read_search(api_call *c, search *s) {
    if (!take_word(c, "game", s->game, sizeof s->game) ||
        !take_word(c, "reason", s->reason, sizeof s->reason) ||
        !take_word(c, "opening", s->opening, sizeof s->opening) || !take_format(c, s))
        return false;
    s->query = (archive_query){.before = api_query_number(c, "before", 1, INT64_MAX, 0),
                               .game = s->game,
                               .reason = s->reason,
                               .opening = s->opening,
                               .tournament = api_query_number(c, "tournament", 1, INT64_MAX, 0),
                               .rated = api_query_number(c, "rated", 0, 1, 0) == 1,
                               .limit = (int)api_query_number(c, "limit", 1, LIST_MOST, 50)};
    return take_player(c, "player", &s->query.player) &&
           take_player(c, "opponent", &s->query.opponent) && take_outcome(c, &s->query.outcome) &&
           take_position(c, s);
}

// --- finding ------------------------------------------------------------------------------------

static void write_json(search *s, const stored_game *g, store *from) {
    game_copy copy;
    game_copy_read(from, g, false, &copy);
    json_t *j = game_copy_json(&copy);
    char *bytes = j ? json_dumps(j, JSON_COMPACT) : NULL;
    buffer_add(&s->out, text_of(s->count ? "," : ""));
    buffer_add(&s->out, text_of(bytes ? bytes : "null"));
    free(bytes);
    json_decref(j);
}

static void write_record(search *s, const stored_game *g, store *from) {
    game_copy copy;
    fault why = {""};
    if (s->why.line[0])
        return;
    game_copy_read(from, g, true, &copy);
    if (game_copy_write(&copy, s->format, &s->out, &why))
        s->loss = s->loss.line[0] ? s->loss : why;
    else if (why.line[0])
        s->why = why;
    else
        fault_set(&s->why, "game %lld cannot be written so", (long long)g->id);
    game_copy_free(&copy);
}

typedef struct {
    search *search;
    store *store;
} finder;

static void take_game(void *context, const stored_game *g) {
    finder *f = context;
    f->search->is_cut = f->search->is_cut || f->search->out.len > RECORDS_MOST;
    if (f->search->is_cut)
        return;
    if (f->search->as_records)
        write_record(f->search, g, f->store);
    else
        write_json(f->search, g, f->store);
    f->search->count++;
    f->search->last = g->id;
}

// The `before` to go on with; 0: there are no others.
static int64_t rest_of(const search *s) {
    return s->is_cut || s->count == s->query.limit ? s->last : s->rest;
}

// In another thread, with a connection of its own.
static void run_search(background_job *job) {
    search *s = (search *)job;
    finder f = {s, store_open_second(server_store_place(job->server), &s->why)};
    if (!f.store)
        return;
    store_limit_time(f.store, SEARCH_US);
    if (!s->as_records)
        buffer_add(&s->out, text_of("{\"games\":["));
    s->rest = store_each_game(f.store, &s->query, take_game, &f);
    s->is_found = !store_has_failed(f.store);
    store_close(f.store);
    if (s->as_records)
        return;
    char end[64];
    writer w = writer_on(end, sizeof end);
    write_string(&w, "]");
    if (rest_of(s))
        write_format(&w, ",\"before\":%lld", (long long)rest_of(s));
    write_string(&w, "}");
    buffer_add(&s->out, text_of(end));
}

// --- answering ----------------------------------------------------------------------------------

static void answer(background_job *job) {
    search *s = (search *)job;
    text body = {s->out.bytes ? s->out.bytes : "", s->out.len};
    char extra[sizeof s->loss.line + 96];
    writer w = writer_on(extra, sizeof extra);
    write_string(&w, "Cache-Control: no-store\r\n");
    if (s->as_records && rest_of(s))
        write_format(&w, "Kraton-Before: %lld\r\n", (long long)rest_of(s));
    if (s->loss.line[0])
        write_format(&w, "Kraton-Remarks: %s\r\n", s->loss.line);
    if (!s->is_found || s->out.failed)
        api_refuse(s->call, 503, "busy", "that search takes too long; ask for less");
    else if (s->why.line[0])
        api_refuse(s->call, 400, "format", "%s", s->why.line);
    else
        api_send(s->call, 200, s->as_records ? "text/plain; charset=utf-8" : "application/json",
                 extra, body);
    buffer_free(&s->out);
    free(s);
}

// Whether no index leads to the games: such searches have a lane of their own.
static bool goes_through_all(const archive_query *q) {
    bool has_index = q->player || q->tournament || q->has_key;
    return !has_index && (q->reason[0] || q->opening[0] || q->outcome >= 0 || q->rated);
}

static void get_games(api_call *c) {
    search *s = calloc(1, sizeof *s);
    if (!s) {
        api_refuse(c, 503, "busy", "out of memory");
        return;
    }
    bool good = read_search(c, s);
    bool scans = good && goes_through_all(&s->query); // a search that was refused has no terms
    s->query.most_us = scans || s->as_records ? LONG_US : ARCHIVE_FOUND_US;
    s->job = (background_job){.queue = scans ? BACKGROUND_SCAN : BACKGROUND_SEARCH,
                              .visitor = address_key(c->http->connection->address),
                              .run = run_search,
                              .after = answer};
    if (good && (s->call = api_keep(c))) {
        if (background_start(c->server, &s->job))
            return;
        api_refuse(s->call, 503, "busy", "too many are searching; try again in a moment");
    }
    free(s);
}

static const api_route routes[] = {
    {"GET", "/api/v1/games", get_games, false},
    {.pattern = NULL},
};

const feature archive_feature = {.name = "archive", .routes = routes};
