// Endgame tables over HTTP: a position's value and distance, and every move's, as `kraton tb probe`
// prints them. The tables are those of the data folder (`tables`), opened when first asked for and
// again when the folder changes. Jobs of the thread pool look positions up.
#include "features/features.h"
#include "server/api.h"
#include "server/background.h"
#include "tablebase/tablebase.h"

#include <stdlib.h>

// Used by the jobs of one queue only, of which one runs at a time.
typedef struct {
    char folder[4096];
    kraton_tb *open[TB_CONVENTIONS];
    uv_timespec_t changed[TB_CONVENTIONS]; // the folder, when it was opened
} endgames;

static void *start(server *srv, fault *why) {
    (void)why;
    endgames *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    writer out = writer_on(t->folder, sizeof t->folder);
    write_format(&out, "%s/tables", srv->options->data);
    if (out.overflow)
        t->folder[0] = '\0';
    return t;
}

static void free_tables(void *state) {
    endgames *t = state;
    for (int i = 0; t && i < TB_CONVENTIONS; i++)
        kraton_tb_close(t->open[i]);
    free(t);
}

static void note_refused(void *context, const char *line) {
    (void)context;
    log_write(LEVEL_INFO, "endgame tables: %s", line);
}

// When a folder was last changed; 0: there is none.
static uv_timespec_t changed_at(const char *folder) {
    uv_fs_t status;
    bool found = uv_fs_stat(NULL, &status, folder, NULL) == 0;
    uv_timespec_t at = found ? status.statbuf.st_mtim : (uv_timespec_t){0, 0};
    uv_fs_req_cleanup(&status);
    return at;
}

// The tables as they are now; NULL: none.
static kraton_tb *open_tables(endgames *t, tb_rules rules) {
    uv_timespec_t now = changed_at(t->folder), then = t->changed[rules];
    kraton_tb **open = &t->open[rules];
    if (now.tv_sec == then.tv_sec && now.tv_nsec == then.tv_nsec)
        return *open;
    kraton_tb_close(*open);
    *open = kraton_tb_open(t->folder, (int)rules, 0, note_refused, NULL);
    t->changed[rules] = now;
    return *open;
}

// --- one position -------------------------------------------------------------------------------

typedef struct {
    background_job job;
    api_call *call;
    endgames *tables;
    tb_rules rules;
    rules_state *state;
    int value, distance, count; // count -1: no table
    tb_move moves[RULES_MAX_MOVES];
} lookup;

static void run_lookup(background_job *job) {
    lookup *l = (lookup *)job;
    kraton_tb *tb = open_tables(l->tables, l->rules);
    if (!tb)
        return;
    l->value = tb_state_value(tb, l->state);
    l->distance = tb_state_distance(tb, l->state);
    if (l->value != KRATON_TB_UNKNOWN)
        l->count = tb_state_moves(tb, l->rules, l->state, l->moves);
}

static const char *name_of(int value) {
    return value == TB_WIN ? "win" : value == TB_LOSS ? "loss" : "draw";
}

static json_t *distance_json(int distance) {
    return distance == KRATON_TB_NO_DISTANCE ? json_null() : json_integer(distance);
}

static json_t *lookup_json(const lookup *l) {
    json_t *moves = json_array();
    for (int i = 0; i < l->count; i++) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        rules_format_move(l->state, l->moves[i].move, NOTATION_NATIVE, &w);
        json_array_append_new(moves,
                              json_pack("{ss,sb,ss,so}", "move", word, "capture",
                                        l->moves[i].captures, "value", name_of(l->moves[i].value),
                                        "distance", distance_json(l->moves[i].distance)));
    }
    return json_pack("{si,ss,ss,so,so}", "pieces",
                     rules_piece_count(l->state, 0) + rules_piece_count(l->state, 1), "rules",
                     tb_rules_name(l->rules), "value", name_of(l->value), "distance",
                     distance_json(l->distance), "moves", moves);
}

static void free_lookup(lookup *l) {
    free(l->state);
    free(l);
}

static void answer(background_job *job) {
    lookup *l = (lookup *)job;
    if (l->count >= 0)
        api_json(l->call, 200, lookup_json(l));
    else
        api_refuse(l->call, 404, "tables", "no table for %d against %d pieces here",
                   rules_piece_count(l->state, rules_side_to_move(l->state)),
                   rules_piece_count(l->state, rules_side_to_move(l->state) ^ 1));
    free_lookup(l);
}

// The position and the convention of the query; a refusal otherwise.
static bool read_query(api_call *c, lookup *l) {
    char field[256];
    fault why;
    const rules_game *rules = tb_game();
    rules_set set = rules_default_set(rules);
    if (rules_find(c->parts[0]) != rules) {
        api_refuse(c, 404, "tables", "there are tables of %s only",
                   rules_properties_of(rules)->title);
        return false;
    }
    writer w = writer_on(field, sizeof field);
    bool has_rules = http_query_of(c->request, "rules", &w) && w.used;
    if (!has_rules || !tb_rules_find(text_of(field), &l->rules)) {
        if (has_rules && !rules_set_parse(rules, text_of(field), &set, &why)) {
            api_refuse(c, 400, "rules", "%s", why.line);
            return false;
        }
        if (!tb_rules_of_set(&set, &l->rules)) {
            api_refuse(c, 404, "tables", "no tables know how games by these rules end");
            return false;
        }
    }
    w = writer_on(field, sizeof field);
    if (!http_query_of(c->request, "fen", &w))
        fault_set(&why, "fen: which position?");
    else if (rules_set_fen(l->state, text_of(field), &why))
        return true;
    api_refuse(c, 400, "position", "%s", why.line);
    return false;
}

static void get_tables(api_call *c) {
    rules_set set = rules_default_set(tb_game());
    lookup *l = calloc(1, sizeof *l);
    void *memory = malloc(rules_state_size(0));
    if (!l || !memory) {
        free(l);
        free(memory);
        api_refuse(c, 503, "busy", "out of memory");
        return;
    }
    *l = (lookup){.job = {.queue = BACKGROUND_TABLES, .run = run_lookup, .after = answer},
                  .tables = feature_state(c->server, &endgame_feature),
                  .state = rules_state_new(memory, tb_game(), &set, 0),
                  .count = -1};
    if (read_query(c, l) && (l->call = api_keep(c))) {
        if (background_start(c->server, &l->job))
            return;
        api_refuse(l->call, 503, "busy", "too many are asking; try again in a moment");
    }
    free_lookup(l);
}

// --- what there is ------------------------------------------------------------------------------

typedef struct {
    background_job job;
    api_call *call;
    endgames *tables;
    json_t *found;
} listing;

static json_t *summary_of(const kraton_tb *tb, tb_rules rules) {
    kraton_tb_split split;
    int tables = 0, distances = 0;
    uint64_t positions = 0;
    for (; kraton_tb_nth(tb, tables, &split); tables++) {
        distances += split.has_distances;
        positions += split.entries;
    }
    return json_pack("{ss,si,si,si,sI,si}", "rules", tb_rules_name(rules), "pieces",
                     kraton_tb_pieces(tb), "tables", tables, "distances", distances, "positions",
                     (json_int_t)positions, "longest", kraton_tb_longest(tb));
}

static void run_listing(background_job *job) {
    listing *l = (listing *)job;
    l->found = json_array();
    for (int rules = 0; rules < TB_CONVENTIONS; rules++) {
        kraton_tb *tb = open_tables(l->tables, (tb_rules)rules);
        if (tb)
            json_array_append_new(l->found, summary_of(tb, (tb_rules)rules));
    }
}

static void answer_listing(background_job *job) {
    listing *l = (listing *)job;
    api_json(l->call, 200, json_pack("{so}", "tables", l->found));
    free(l);
}

static void list_tables(api_call *c) {
    listing *l = calloc(1, sizeof *l);
    if (!l) {
        api_refuse(c, 503, "busy", "out of memory");
        return;
    }
    *l = (listing){.job = {.queue = BACKGROUND_TABLES, .run = run_listing, .after = answer_listing},
                   .tables = feature_state(c->server, &endgame_feature),
                   .call = api_keep(c)};
    if (l->call && background_start(c->server, &l->job))
        return;
    if (l->call)
        api_refuse(l->call, 503, "busy", "too many are asking; try again in a moment");
    free(l);
}

static const api_route routes[] = {
    {"GET", "/api/v1/tables", list_tables, false},
    {"GET", "/api/v1/tables/*", get_tables, false},
    {.pattern = NULL},
};

const feature endgame_feature = {
    .name = "endgame", .routes = routes, .start = start, .free = free_tables};
