// Records somebody else wrote, read for whoever draws boards, and written in another format: the
// readers and writers of `records` behind one route. Nothing is kept. A body has 4 MiB at most:
// larger than nearly all files of one game and many libraries. Reading takes time in proportion to
// it (some 20 MB a second), in the thread pool; every 64 KiB count as a request.
#include "features/features.h"
#include "features/game_record.h"
#include "server/api.h"
#include "server/background.h"
#include "server/ratelimit.h"

#include <stdlib.h>

enum { GAMES_MOST = 50, FAULTS_MOST = 10, LOOKED_AT_MOST = 500, BODY_MAX = 4 << 20 };

typedef struct {
    const rules_game *game; // of what does not say it itself; else NULL
    record_format format;   // of the body
    bool is_written;        // an answer in a format, instead of JSON
    record_format as;
    char name[256]; // of the file the record was in; empty: unknown
} conversion_request;

// --- what is asked for --------------------------------------------------------------------------

// The query's format of that name; false with an answer given where there is no such format.
static bool take_format(api_call *c, const char *name, record_format *format, bool *given) {
    char word[16];
    writer w = writer_on(word, sizeof word);
    *given = http_query_of(c->request, name, &w);
    if (!*given || record_format_find((text){word, w.used}, format))
        return true;
    char known[RECORD_NAMES_SIZE];
    writer names = writer_on(known, sizeof known);
    record_write_format_names(&names, false);
    api_refuse(c, 400, "format", "%s: one of %s", name, known);
    return false;
}

// Whether a text without any sign of a format is a list of moves of some game.
static bool is_list_of_moves(text body) {
    bool found = false;
    for (int i = 0; rules_nth(i) && !found; i++) {
        record_reader reader = record_read(body, RECORD_MOVES, rules_nth(i));
        record first;
        fault why;
        record_init(&first, rules_nth(i));
        found = record_next(&reader, &first, &why) == RECORD_OK;
        record_free(&first);
        record_close(&reader);
    }
    return found;
}

static bool read_request(api_call *c, conversion_request *s) {
    bool named;
    char word[16];
    writer w = writer_on(word, sizeof word), file = writer_on(s->name, sizeof s->name);
    s->format = record_detect(c->request->body);
    if (!take_format(c, "format", &s->format, &named) ||
        !take_format(c, "as", &s->as, &s->is_written))
        return false;
    if (!http_query_of(c->request, "name", &file))
        s->name[0] = '\0';
    bool has_game = http_query_of(c->request, "game", &w);
    s->game = has_game ? rules_find((text){word, w.used}) : NULL;
    bool is_list = !has_game && s->format == RECORD_MOVES;
    if (is_list && !is_list_of_moves(c->request->body)) {
        api_refuse(c, 400, "record", "no record in any format known here, and no list of moves");
        return false;
    }
    if (has_game ? !s->game : is_list) {
        api_refuse_game(c, 400, "which game? ");
        return false;
    }
    if (record_says_game(c->request->body, s->format))
        s->game = NULL;
    return true;
}

// --- a record as JSON ---------------------------------------------------------------------------

// The record as the JSON format has it, with the start position always said.
static json_t *record_json(const record *r) {
    buffer line = {0};
    fault why;
    const char *fen = r->fen[0] ? r->fen : rules_start_fen(r->game);
    json_t *j = record_write(r, RECORD_JSON, &line, &why)
                    ? json_loadb(line.bytes, line.len, 0, NULL)
                    : NULL;
    buffer_free(&line);
    if (j)
        json_object_set_new(j, "fen", json_string(fen));
    if (j && !json_object_get(j, "tags"))
        json_object_set_new(j, "tags", json_object());
    return j;
}

// --- reading and answering ----------------------------------------------------------------------

typedef struct {
    json_t *games, *faults;
    buffer written;
    int count;
    bool more;
    fault loss;  // what the format could not hold of the first game that lost something
    fault first; // the first thing wrong, for an answer without any game
} conversion_result;

static void keep_fault(conversion_result *h, const fault *why) {
    if (!h->first.line[0])
        h->first = *why;
    if (json_array_size(h->faults) < FAULTS_MOST)
        json_array_append_new(h->faults, json_string(why->line));
}

// The remarks on a record, and how many more there are.
static json_t *remarks_json(const record *r) {
    json_t *list = json_array();
    for (text rest = buffer_text(&r->remarks); rest.len;) {
        text line = text_next_line(&rest);
        json_array_append_new(list, json_stringn(line.at, line.len));
    }
    fault more;
    if (r->remark_count > RECORD_REMARKS) {
        fault_set(&more, "and %u more remarks", r->remark_count - RECORD_REMARKS);
        json_array_append_new(list, json_string(more.line));
    }
    return list;
}

static void keep_record(conversion_result *h, const conversion_request *s, record *r) {
    fault why = {""};
    if (s->name[0])
        record_read_file_name(r, text_of(s->name));
    if (s->is_written && !record_write(r, s->as, &h->written, &why)) {
        keep_fault(h, &why);
        return;
    }
    h->count++;
    if (s->is_written && !h->loss.line[0] && !record_tell_losses(r, s->as, &h->loss))
        h->loss.line[0] = '\0';
    json_t *j = s->is_written ? NULL : record_json(r);
    if (j && r->remark_count)
        json_object_set_new(j, "remarks", remarks_json(r));
    if (j)
        json_array_append_new(h->games, j);
}

static void read_games(const conversion_request *s, text body, conversion_result *h) {
    int most = s->is_written && record_format_is_single(s->as) ? 1 : GAMES_MOST;
    record_reader reader = record_read(body, s->format, s->game);
    record r;
    fault why = {""};
    record_init(&r, s->game);
    int looked_at = 0;
    for (record_status status; (status = record_next(&reader, &r, &why)) != RECORD_END;) {
        if (h->count == most || looked_at++ == LOOKED_AT_MOST) {
            h->more = true;
            break;
        }
        if (status == RECORD_OK)
            keep_record(h, s, &r);
        else
            keep_fault(h, &why);
    }
    record_free(&r);
    record_close(&reader);
}

static void answer(api_call *c, const conversion_request *s, conversion_result *h) {
    if (h->count == 0)
        api_refuse(c, 400, "record", "%s",
                   h->first.line[0] ? h->first.line : "there is no game in it");
    else if (h->written.failed)
        api_refuse(c, 503, "busy", "out of memory");
    else if (s->is_written)
        game_record_answer(c, s->as, buffer_text(&h->written), &h->loss);
    else
        api_json(c, 200,
                 json_pack("{ss,sO,sO,sb}", "format", record_format_name(s->format), "games",
                           h->games, "faults", h->faults, "more", h->more));
}

// A body to read, in the thread pool: large ones take tens of milliseconds.
typedef struct {
    background_job job;
    api_call *call; // to be answered
    conversion_request request;
    buffer body;
    conversion_result result;
} conversion;

static void run_conversion(background_job *job) {
    conversion *v = (conversion *)job;
    v->result.games = json_array();
    v->result.faults = json_array();
    read_games(&v->request, buffer_text(&v->body), &v->result);
}

static void free_conversion(conversion *v) {
    json_decref(v->result.games);
    json_decref(v->result.faults);
    buffer_free(&v->result.written);
    buffer_free(&v->body);
    free(v);
}

static void after_conversion(background_job *job) {
    conversion *v = (conversion *)job;
    answer(v->call, &v->request, &v->result);
    free_conversion(v);
}

static void post_record(api_call *c) {
    conversion *v = calloc(1, sizeof *v);
    if (!v) {
        api_refuse(c, 503, "busy", "out of memory");
        return;
    }
    ratelimit_charge(c->server->ratelimit, c->http->connection->address, LIMIT_REQUEST,
                     (int64_t)(c->request->body.len / HTTP_BODY_MAX), c->request->now);
    v->job = (background_job){
        .queue = BACKGROUND_RECORDS, .run = run_conversion, .after = after_conversion};
    buffer_add(&v->body, c->request->body);
    if (v->body.failed) {
        api_refuse(c, 503, "busy", "out of memory");
    } else if (read_request(c, &v->request) && (v->call = api_keep(c))) {
        if (background_start(c->server, &v->job))
            return;
        api_refuse(v->call, 503, "busy", "too many are asking; try again in a moment");
    }
    free_conversion(v);
}

static const api_route routes[] = {
    {"POST", "/api/v1/record", post_record, false},
    {.pattern = NULL},
};

const feature convert_feature = {.name = "convert", .routes = routes, .body_max = BODY_MAX};
