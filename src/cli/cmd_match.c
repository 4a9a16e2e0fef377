// kraton match: the options, and a config file with the same names, made into a match_plan.
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/games.h"
#include "cli/terminal.h"
#include "contest/stats.h"
#include "games/tables.h"
#include "match/report.h"
#include "match/spec.h"
#include "os/file.h"
#include "records/openings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    option_list engines;
    const char *each, *config, *rules, *schedule, *rounds, *games, *sprt, *openings, *plies, *seed,
        *concurrency, *move_limit, *resign, *draw, *sau_retries, *stall, *hello, *out, *json, *pgn,
        *records, *transcript, *tables;
    bool shuffle, resume, no_times, quiet;
} match_options;

// Everything the plan points into, to be given back at the end.
typedef struct {
    match_plan plan;
    match_engine engines[OPTION_LIST_MAX];
    openings *openings;
    game_tables *tables;
    json_t *config, *numbers; // the config file, and its numbers as text
    buffer settings;
    uint64_t openings_sum; // of the openings file's bytes
    char kraton[4096], journal[4096], json[4096], pgn[4096];
    int status; // to end with if the plan cannot be made
} match_setup;

// --- numbers and small specs --------------------------------------------------------------------

static bool read_number(const char *name, const char *value, int64_t low, int64_t high,
                        int64_t *number) {
    if (!value)
        return true;
    if (text_to_int(text_of(value), low, high, number))
        return true;
    complain("kraton match: --%s takes a number from %lld to %lld, not %s", name, (long long)low,
             (long long)high, fault_quote(text_of(value)).shown);
    return false;
}

// Reads `key=number` parts joined by commas into the doubles named.
typedef struct {
    const char *key;
    double *value;
} number_key;

static bool read_numbers(const char *name, const char *spec, const number_key *keys) {
    text rest = text_of(spec);
    while (rest.len) {
        const char *comma = memchr(rest.at, ',', rest.len);
        text part = {rest.at, comma ? (size_t)(comma - rest.at) : rest.len};
        rest = text_skip(rest, part.len + 1);
        const char *equals = memchr(part.at, '=', part.len);
        text key = {part.at, equals ? (size_t)(equals - part.at) : part.len};
        const number_key *k = keys;
        while (k->key && !text_is(key, k->key))
            k++;
        char number[64], *end = number;
        writer w = writer_on(number, sizeof number);
        write_text(&w, text_skip(part, key.len + 1));
        double value = strtod(number, &end);
        if (!k->key || !equals || end == number || *end) {
            complain("kraton match: --%s: cannot read %s", name, fault_quote(part).shown);
            return false;
        }
        *k->value = value;
    }
    return true;
}

static bool read_sprt(match_plan *plan, const char *spec) {
    fault why;
    if (!spec)
        return true;
    plan->sprt = true;
    if (contest_sprt_parse(text_of(spec), &plan->test, &why))
        return true;
    complain("kraton match: --sprt: %s", why.line);
    return false;
}

static bool read_adjudication(match_plan *plan, const match_options *o) {
    double score = 0, moves = 0, both = 1, draw_score = 0, draw_moves = 0, from = 0;
    const number_key resign[] = {
        {"score", &score}, {"moves", &moves}, {"both", &both}, {NULL, NULL}};
    const number_key draw[] = {
        {"score", &draw_score}, {"moves", &draw_moves}, {"from", &from}, {NULL, NULL}};
    if ((o->resign && !read_numbers("resign", o->resign, resign)) ||
        (o->draw && !read_numbers("draw", o->draw, draw)))
        return false;
    const double all[] = {score, moves, draw_score, draw_moves, from};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!(all[i] >= 0 && all[i] <= 1000000)) {
            complain("kraton match: --resign and --draw take numbers from 0 to 1000000");
            return false;
        }
    plan->limits.resign_moves = (int32_t)moves;
    plan->limits.resign_score = (int32_t)score;
    plan->limits.both_resign = both != 0;
    plan->limits.draw_moves = (int32_t)draw_moves;
    plan->limits.draw_score = (int32_t)draw_score;
    plan->limits.draw_from = (int32_t)from;
    return true;
}

// --- the config file ----------------------------------------------------------------------------

// Every option of the command may stand in the file under its own name; what the command line says
// goes before it.
static bool read_config(match_setup *setup, match_options *o, const option *table) {
    json_error_t error;
    setup->config = json_load_file(o->config, 0, &error);
    setup->numbers = json_array();
    if (!setup->config || !setup->numbers) {
        complain("kraton match: %s:%d: %s", o->config, error.line, error.text);
        return false;
    }
    const json_t *engines = json_object_get(setup->config, "engines");
    if (!json_is_object(setup->config) || (engines && !json_is_array(engines))) {
        complain("kraton match: %s: it must be an object, and its engines a list", o->config);
        return false;
    }
    const char *key;
    json_t *value;
    json_object_foreach(setup->config, key, value) {
        if (strcmp(key, "engines") == 0 || strcmp(key, "each") == 0)
            continue;
        const option *known = table;
        while (known->name && strcmp(known->name, key) != 0)
            known++;
        if (known->name && known->flag && json_is_boolean(value)) {
            *known->flag |= json_is_true(value);
        } else if (known->name && known->string && json_is_string(value)) {
            if (!*known->string)
                *known->string = json_string_value(value);
        } else if (known->name && known->string && json_is_integer(value)) {
            json_t *shown = json_sprintf("%lld", (long long)json_integer_value(value));
            if (!*known->string)
                *known->string = json_string_value(shown);
            json_array_append_new(setup->numbers, shown);
        } else {
            complain("kraton match: %s: cannot use %s", o->config, fault_quote(text_of(key)).shown);
            return false;
        }
    }
    return true;
}

// --- engines ------------------------------------------------------------------------------------

static bool bad_engine(int number, const fault *why) {
    complain("kraton match: engine %d: %s", number, why->line);
    return false;
}

static bool apply_each(match_engine *e, const match_setup *setup, const match_options *o,
                       fault *why) {
    const json_t *each = setup->config ? json_object_get(setup->config, "each") : NULL;
    return (!each || match_engine_from_json(e, each, why)) &&
           (!o->each || match_engine_parse(e, text_of(o->each), why));
}

static bool names_differ(const match_plan *plan) {
    for (int a = 0; a < plan->engine_count; a++)
        for (int b = 0; b < a; b++)
            if (strcmp(plan->engines[a].name, plan->engines[b].name) == 0) {
                complain("kraton match: two engines are called %s: give them names with name=",
                         plan->engines[a].name);
                return false;
            }
    return true;
}

static bool read_engines(match_setup *setup, const match_options *o) {
    const json_t *list = setup->config ? json_object_get(setup->config, "engines") : NULL;
    int from_file = (int)json_array_size(list), n = from_file + o->engines.count;
    if (n < 2 || n > SCHEDULE_MAX_PLAYERS || n > OPTION_LIST_MAX) {
        complain("kraton match: %d engines; it takes 2 to %d (--engine CMD)", n,
                 SCHEDULE_MAX_PLAYERS);
        return false;
    }
    fault why;
    for (int i = 0; i < n; i++) {
        match_engine *e = &setup->engines[i];
        setup->plan.engine_count = i + 1;
        bool own = i < from_file
                       ? apply_each(e, setup, o, &why) &&
                             match_engine_from_json(e, json_array_get(list, (size_t)i), &why)
                       : apply_each(e, setup, o, &why) &&
                             match_engine_parse(e, text_of(o->engines.values[i - from_file]), &why);
        if (!own)
            return bad_engine(i + 1, &why);
        if (!e->command[0]) {
            fault_set(&why, "no cmd");
            return bad_engine(i + 1, &why);
        }
        match_engine_complete(e);
    }
    setup->plan.engines = setup->engines;
    return names_differ(&setup->plan);
}

// What an engine cannot be told, and games it cannot play, are better said before the first game.
static bool check_dialect(const match_engine *e, const rules_game *game) {
    const referee_control *c = &e->control;
    bool told = dialect_properties_of(e->dialect)->tells_limits;
    if (!dialect_can_play(e->dialect, game)) {
        complain("kraton match: engine %s: %s is not for %s", e->name, dialect_name(e->dialect),
                 rules_name(game));
        return false;
    }
    if (!c->has_clock && !c->move_time_us && !c->depth && !c->nodes && told) {
        complain("kraton match: engine %s would think for ever: give it a limit, as tc=10+0.1",
                 e->name);
        return false;
    }
    dialect_limits limits = {.clock_us = {c->has_clock ? c->base_us : -1, -1},
                             .increment_us = {c->increment_us, 0},
                             .moves_to_go = c->moves,
                             .move_time_us = c->move_time_us,
                             .depth = c->depth,
                             .nodes = c->nodes};
    const char *untold = dialect_untold_limit(e->dialect, &limits);
    if (untold && told)
        fprintf(stderr, "kraton match: engine %s cannot be told of %s: %s has no word for it\n",
                e->name, untold, dialect_name(e->dialect));
    return true;
}

// Whether every engine can be brought to the openings: set up, or by moves.
static bool check_openings(const match_setup *setup) {
    const match_plan *plan = &setup->plan;
    if (!plan->opening || openings_have_lines(setup->openings))
        return true;
    for (int i = 0; i < plan->engine_count; i++)
        if (dialect_properties_of(plan->engines[i].dialect)->set_up == SUPPORT_IF_OFFERED &&
            !match_can_set_up(&plan->engines[i], plan->game, setup->kraton)) {
            complain("kraton match: engine %s cannot set up positions, and these openings have no "
                     "moves: use --openings start, random or a file of games",
                     plan->engines[i].name);
            return false;
        }
    return true;
}

static bool find_dialects(match_setup *setup) {
    const char *fixed = NULL; // a protocol that has the start position only
    for (int i = 0; i < setup->plan.engine_count; i++) {
        fault why;
        if (!match_probe(&setup->engines[i], setup->plan.game, setup->kraton, &why)) {
            complain("kraton match: %s", why.line);
            return false;
        }
        if (!check_dialect(&setup->engines[i], setup->plan.game))
            return false;
        if (dialect_properties_of(setup->engines[i].dialect)->set_up == SUPPORT_NEVER)
            fixed = dialect_name(setup->engines[i].dialect);
    }
    if (fixed && setup->plan.opening) {
        fprintf(
            stderr,
            "kraton match: %s cannot set up positions: all games start from the start position\n",
            fixed);
        setup->plan.opening = NULL;
    }
    return check_openings(setup);
}

// --- the rest of the plan -----------------------------------------------------------------------

static const char *opening_fen(void *context, uint32_t number, char fen[RULES_FEN_SIZE]) {
    return openings_fen(context, number, fen);
}

static int opening_line(void *context, uint32_t number, rules_move moves[OPENINGS_LINE_MAX]) {
    return openings_line(context, number, moves);
}

static bool read_openings(match_setup *setup, const match_options *o, uint64_t seed) {
    fault why = {"out of memory"};
    int64_t plies = -1;
    if (!read_number("opening-plies", o->plies, 0, OPENINGS_MAX_PLIES, &plies))
        return false;
    if (o->openings && strcmp(o->openings, "start") == 0)
        return true;
    openings_choice choice = {.shuffled = o->shuffle, .seed = seed, .plies = (int)plies};
    if (!o->openings || strcmp(o->openings, "random") == 0) {
        setup->openings = openings_new(setup->plan.game, &choice);
    } else {
        text bytes = {NULL, 0};
        bool is_many = false, is_file = strcmp(o->openings, "-") != 0; // a pipe is read but once
        bool there =
            !is_file || games_flatten(o->openings, setup->plan.game, &is_many, &bytes, &why);
        if (there && !is_many)
            there = file_read(o->openings, &bytes, &why); // its faults name the file
        for (size_t i = 0; there && i < bytes.len; i++)   // FNV-1a: enough to tell two files apart
            setup->openings_sum =
                (setup->openings_sum ^ (unsigned char)bytes.at[i]) * UINT64_C(1099511628211);
        if (there)
            setup->openings = openings_load(setup->plan.game, bytes, &choice, &why);
        free((char *)(uintptr_t)bytes.at);
        if (there && !setup->openings) {
            complain("kraton match: %s: %s", file_label(o->openings), why.line);
            return false;
        }
    }
    if (!setup->openings) {
        complain("kraton match: %s", why.line);
        return false;
    }
    setup->plan.opening = opening_fen;
    setup->plan.opening_line = opening_line;
    setup->plan.opening_context = setup->openings;
    return true;
}

static bool read_schedule(match_plan *plan, const match_options *o, uint64_t seed) {
    int64_t rounds = 0, meetings = 2;
    plan->schedule = (schedule_rules){.players = plan->engine_count, .seed = seed};
    if (o->schedule && !schedule_find(o->schedule, &plan->schedule.kind)) {
        complain("kraton match: no schedule %s (round-robin, gauntlet, swiss, knockout)",
                 fault_quote(text_of(o->schedule)).shown);
        return false;
    }
    if (!read_number("rounds", o->rounds, 1, 10000000, &rounds) ||
        !read_number("games", o->games, 1, 1000, &meetings))
        return false;
    if (plan->sprt && plan->engine_count != 2) {
        complain("kraton match: --sprt is between two engines");
        return false;
    }
    if (!rounds &&
        (plan->schedule.kind == SCHEDULE_ROUND_ROBIN || plan->schedule.kind == SCHEDULE_GAUNTLET))
        rounds = plan->sprt ? 100000 : 1;
    plan->schedule.rounds = (int)rounds;
    plan->schedule.games = (int)meetings;
    return true;
}

static bool can_end(const match_plan *plan) {
    for (int a = 0; a < plan->engine_count; a++) {
        referee_terms terms = {.game = plan->game,
                               .set = plan->set,
                               .control = {plan->engines[a].control, plan->engines[a].control},
                               .limits = plan->limits,
                               .capacity = RULES_LONGEST_GAME};
        fault why;
        if (!referee_can_end(&terms, &why)) {
            complain("kraton match: %s", why.line);
            return false;
        }
    }
    return true;
}

static void complain_of_tables(void *context, const char *line) {
    (void)context;
    complain("kraton match: %s", line);
}

// Tables that judge games. Those of other rules than the match's would judge none of them.
static bool read_tables(match_setup *setup, const match_options *o) {
    match_plan *plan = &setup->plan;
    if (!o->tables)
        return true;
    setup->tables = game_tables_open(plan->game, o->tables, complain_of_tables, NULL);
    if (!game_tables_for(setup->tables, &plan->set)) {
        complain("kraton match: no endgame tables for these rules in %s",
                 fault_quote(text_of(o->tables)).shown);
        return false;
    }
    plan->limits.probe = game_tables_judge;
    plan->limits.probe_context = setup->tables;
    return true;
}

static void describe_engine(const match_engine *e, writer *w) {
    write_format(w, "[\"%s\",\"", e->name);
    for (int k = 0; e->command[k]; k++)
        write_format(w, "%s%s", k ? " " : "", e->command[k]);
    write_format(w, "\",\"%s\",\"%s\",%d,%d,\"", e->directory ? e->directory : "",
                 e->dialect_known ? dialect_name(e->dialect) : "", e->restart, e->ponder);
    referee_control_format(&e->control, w);
    for (int k = 0; k < e->option_count; k++)
        write_format(w, "\",\"%s=%s", e->options[k].name, e->options[k].value);
    write_string(w, "\"]");
}

// One line that must be the same when the run is taken up again. It is compared, not read: quotes
// inside are left as they are, and what would end the line becomes a blank.
static bool write_settings(match_setup *setup, const match_options *o, int64_t seed) {
    const match_plan *plan = &setup->plan;
    enum { ROOM = 65536 };
    char *room = malloc(ROOM);
    if (!room)
        return false;
    writer w = writer_on(room, ROOM);
    write_format(&w, "{\"kraton\":\"match\",\"version\":1,\"game\":\"%s\",\"rules\":\"",
                 rules_name(plan->game));
    rules_set_format(plan->game, &plan->set, &w);
    write_format(&w,
                 "\",\"schedule\":[%d,%d,%d],\"seed\":%lld,\"openings\":[\"%s\",%d,\"%s\",%llu],"
                 "\"limits\":[%d,%d,%d,%d,%d,%d,%u,%d],\"sprt\":\"%s\",\"engines\":[",
                 plan->schedule.kind, plan->schedule.rounds, plan->schedule.games, (long long)seed,
                 o->openings ? o->openings : "random", o->shuffle, o->plies ? o->plies : "",
                 (unsigned long long)setup->openings_sum, plan->limits.resign_moves,
                 plan->limits.resign_score, plan->limits.both_resign, plan->limits.draw_moves,
                 plan->limits.draw_score, plan->limits.draw_from, plan->limits.max_plies,
                 plan->sau_retries, o->sprt ? o->sprt : "");
    for (int i = 0; i < plan->engine_count; i++) {
        buffer_add(&setup->settings, (text){room, w.used});
        w = writer_on(room, ROOM);
        write_string(&w, i ? "," : "");
        describe_engine(&plan->engines[i], &w);
    }
    write_string(&w, "]");
    if (o->tables)
        write_format(&w, ",\"tables\":\"%s\"", o->tables);
    write_string(&w, "}");
    buffer_add(&setup->settings, (text){room, w.used});
    free(room);
    for (size_t i = 0; i < setup->settings.len; i++)
        if ((unsigned char)setup->settings.bytes[i] < 0x20)
            setup->settings.bytes[i] = ' ';
    buffer_add(&setup->settings, (text){"", 1}); // terminated
    return !setup->settings.failed;
}

static void write_path(char *room, size_t size, const char *prefix, const char *ending) {
    writer w = writer_on(room, size);
    write_format(&w, "%s.%s", prefix, ending);
}

static bool read_files(match_setup *setup, const match_options *o) {
    match_plan *plan = &setup->plan;
    plan->json = o->json;
    plan->pgn = o->pgn;
    plan->records = o->records;
    plan->transcript = o->transcript;
    plan->resume = o->resume;
    plan->times = !o->no_times;
    if (o->out) {
        write_path(setup->journal, sizeof setup->journal, o->out, "journal");
        write_path(setup->json, sizeof setup->json, o->out, "json");
        write_path(setup->pgn, sizeof setup->pgn, o->out, "pgn");
        plan->journal = setup->journal;
        if (!plan->json)
            plan->json = setup->json;
        if (!plan->pgn)
            plan->pgn = setup->pgn;
    }
    if (o->resume && !os_path_exists(setup->journal))
        plan->resume = false; // killed before it began: begin
    if (plan->records && !record_format_holds(RECORD_CONTEST, plan->game)) {
        complain("kraton match: there are no contest records of %s; --pgn holds its games",
                 rules_name(plan->game));
        return false;
    }
    if (plan->records && !os_folder_make(plan->records)) {
        complain("kraton match: %s: %s", plan->records, strerror(errno));
        return false;
    }
    return true;
}

static bool make_plan(match_setup *setup, const match_options *o, const char *game) {
    match_plan *plan = &setup->plan;
    int64_t seed = 1, concurrency = 1, limit = 0, retries = 0, stall = 300, hello = 10;
    setup->status = STATUS_USAGE;
    plan->game = find_game(game);
    if (!plan->game)
        return false;
    if (o->resume && !o->out) {
        complain("kraton match: --resume needs the --out of the run to take up");
        return false;
    }
    if (!find_rules(plan->game, o->rules ? o->rules : rules_set_name(plan->game, 0), &plan->set))
        return false;
    plan->rules = o->rules;
    if (!read_number("seed", o->seed, 0, INT64_C(1000000000000000000) - 1, &seed) ||
        !read_number("concurrency", o->concurrency, 1, 512, &concurrency) ||
        !read_number("move-limit", o->move_limit, 1, RULES_LONGEST_GAME / 2, &limit) ||
        !read_number("sau-retries", o->sau_retries, 0, 1000, &retries) ||
        !read_number("stall", o->stall, 1, 86400, &stall) ||
        !read_number("start-timeout", o->hello, 1, 3600, &hello) || !read_sprt(plan, o->sprt) ||
        !read_adjudication(plan, o) || !read_engines(setup, o) ||
        !read_schedule(plan, o, (uint64_t)seed))
        return false;
    setup->status = STATUS_BAD;
    plan->concurrency = (int)concurrency;
    plan->sau_retries = (int)retries;
    plan->stall_us = stall * 1000000;
    plan->hello_us = plan->ready_us = hello * 1000000;
    plan->limits.max_plies = (uint32_t)limit * 2;
    plan->limits.max_plies_end =
        plan->set.no_move_end == END_COUNT ? END_COUNT : END_DRAW; // as the rule set counts
    if (!read_tables(setup, o) || !can_end(plan) || !read_files(setup, o) ||
        !read_openings(setup, o, (uint64_t)seed))
        return false;
    size_t size = sizeof setup->kraton;
    if (uv_exepath(setup->kraton, &size) != 0) {
        complain("kraton match: cannot find this program's own file");
        return false;
    }
    plan->kraton = setup->kraton;
    if (!write_settings(setup, o, seed)) {
        complain("kraton match: out of memory");
        return false;
    }
    plan->settings = setup->settings.bytes;
    return find_dialects(setup);
}

static void give_back(match_setup *setup) {
    for (int i = 0; i < OPTION_LIST_MAX; i++)
        match_engine_free(&setup->engines[i]);
    buffer_free(&setup->settings);
    openings_free(setup->openings);
    game_tables_close(setup->tables);
    json_decref(setup->config);
    json_decref(setup->numbers);
    free(setup);
}

static int play(match_setup *setup, bool quiet) {
    terminal shows = terminal_look();
    match_report report = {
        .out = stdout, .live = shows.redraws, .unicode = shows.unicode, .quiet = quiet};
    match_observer observer = {match_report_game, match_report_tick, &report};
    fault why;
    match_end end = match_play(&setup->plan, &observer, match_report_end, &why);
    if (end == RUN_FAILED)
        return complain("kraton match: %s", why.line);
    return end == RUN_INTERRUPTED ? 130 : STATUS_OK;
}

int cmd_match(const command *self, int argc, char **argv) {
    match_options o = {0};
    const option table[] = {
        {"engine", 0, "SPEC", "an engine: cmd=..,name=..,dialect=..,tc=..,dir=..,option.X=..",
         .list = &o.engines},
        {"each", 0, "SPEC", "the same for every engine: tc=10+0.1,option.Hash=64",
         .string = &o.each},
        {"config", 0, "FILE", "a JSON file with the same names", .string = &o.config},
        {"rules", 0, "SPEC", "rule set; engines with an option Rules are told", .string = &o.rules},
        {"schedule", 0, "KIND", "round-robin (default), gauntlet, swiss, knockout",
         .string = &o.schedule},
        {"rounds", 0, "N", "how often everybody meets; rounds of a Swiss", .string = &o.rounds},
        {"games", 0, "N", "games of a meeting (2): an opening with both colours",
         .string = &o.games},
        {"sprt", 0, "SPEC", "elo0=0,elo1=5[,alpha=0.05,beta=0.05,normalised=1]", .string = &o.sprt},
        {"openings", 0, "FILE", "EPD, FEN list or PGN; random (default); start",
         .string = &o.openings},
        {"shuffle", 0, NULL, "openings of a file in an order the seed decides", .flag = &o.shuffle},
        {"opening-plies", 0, "N", "length of random openings, or of those taken from PGN",
         .string = &o.plies},
        {"seed", 0, "N", "of openings, pairings and lots (1)", .string = &o.seed},
        {"concurrency", 0, "N", "games at a time (1)", .string = &o.concurrency},
        {"move-limit", 0, "N", "a game ends after so many moves of each side",
         .string = &o.move_limit},
        {"resign", 0, "SPEC", "score=800,moves=4[,both=0]: end lost games", .string = &o.resign},
        {"draw", 0, "SPEC", "score=10,moves=8,from=40: end drawn games", .string = &o.draw},
        {"tables", 0, "FOLDER", "end games by endgame tables, right after a capture",
         .string = &o.tables},
        {"sau-retries", 0, "N", "illegal moves a SAU engine may take back",
         .string = &o.sau_retries},
        {"stall", 0, "S", "seconds an engine without a clock may think (300)", .string = &o.stall},
        {"start-timeout", 0, "S", "seconds to start and get ready (10)", .string = &o.hello},
        {"out", 'o', "NAME", "write NAME.journal, NAME.json, NAME.pgn", .string = &o.out},
        {"resume", 0, NULL, "take up the run of --out NAME where it stopped", .flag = &o.resume},
        {"json", 0, "FILE", "games as JSON lines", .string = &o.json},
        {"pgn", 0, "FILE", "games as PGN", .string = &o.pgn},
        {"records", 0, "FOLDER", "a contest record for each game", .string = &o.records},
        {"transcript", 0, "FILE", "every line in both directions", .string = &o.transcript},
        {"no-times", 0, NULL, "leave out what differs from run to run", .flag = &o.no_times},
        {"quiet", 0, NULL, "no line for each game", .flag = &o.quiet},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    match_setup *setup = calloc(1, sizeof *setup);
    if (!setup)
        return complain("kraton match: out of memory");
    setup->status = STATUS_BAD;
    bool good = (!o.config || read_config(setup, &o, table)) && make_plan(setup, &o, argv[0]);
    status = good ? play(setup, o.quiet) : setup->status;
    give_back(setup);
    return status;
}
