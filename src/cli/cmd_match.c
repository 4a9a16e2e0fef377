// kraton match: the options, and a config file with the same names, made into a match_plan.
#include "base/minmax.h"
#include "base/suggest.h"
#include "cli/files.h"
#include "cli/games.h"
#include "cli/match_setup.h"
#include "cli/terminal.h"
#include "contest/stats.h"
#include "match/report.h"
#include "match/spec.h"
#include "os/file.h"
#include "os/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

// --- numbers and small specs --------------------------------------------------------------------

// Reads `key=number` parts joined by commas into the doubles named.
typedef struct {
    const char *key;
    double *value;
} number_key;

static void refuse_number(const char *name, text part, text key, const number_key *keys) {
    suggestion near = suggest_for(key);
    char known[64];
    writer w = writer_on(known, sizeof known);
    for (const number_key *k = keys; k->key; k++) {
        suggest_offer(&near, k->key);
        write_format(&w, "%s%s=", w.used ? ", " : "", k->key);
    }
    bool is_known = near.best && near.distance == 0; // then its number is wrong
    complain("kraton match: --%s: cannot read %s (%s and numbers)%s", name, fault_quote(part).shown,
             known, is_known ? "" : suggest_hint(&near).shown);
}

static bool read_numbers(const char *name, const char *spec, const number_key *keys) {
    text rest = text_of(spec);
    do {
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
            refuse_number(name, part, key, keys);
            return false;
        }
        *k->value = value;
    } while (rest.len);
    return true;
}

static bool read_sprt(match_plan *plan, const char *spec) {
    fault why;
    if (!spec)
        return true;
    plan->sprt = true;
    if (!*spec)
        fault_set(&why, "it takes terms, as elo0=0,elo1=5");
    else if (contest_sprt_parse(text_of(spec), &plan->test, &why))
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
    if ((o->resign && !(moves >= 1)) || (o->draw && !(draw_moves >= 1))) {
        complain("kraton match: --%s needs moves=N, from 1: so many moves in a row",
                 o->resign && !(moves >= 1) ? "resign" : "draw");
        return false;
    }
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

// --- the rest of the plan -----------------------------------------------------------------------

static const char *opening_fen(void *context, uint32_t number, char fen[RULES_FEN_SIZE]) {
    return openings_fen(context, number, fen);
}

static int opening_line(void *context, uint32_t number, rules_move moves[OPENINGS_LINE_MAX]) {
    return openings_line(context, number, moves);
}

static bool is_shuffled(const match_options *o) {
    return o->shuffle || (o->opening_order && strcmp(o->opening_order, "random") == 0);
}

// Random openings, judged by a search unless the user wants just any. Some are made before the
// clocks of games run.
static bool make_openings(match_setup *setup, const match_options *o, openings_choice *choice,
                          fault *why) {
    enum { AHEAD = 64 };
    bool is_judged = !o->openings || strcmp(o->openings, "random") != 0;
    if (is_judged && choice->plies != 0) {
        fault inner;
        setup->judge = opening_judge_start(setup->plan.game, &inner);
        if (!setup->judge)
            return fault_set(why, "balanced openings: %s, or use --openings random", inner.line);
        choice->judge = opening_judge_is_even;
        choice->judge_context = setup->judge;
    }
    setup->openings = openings_new(setup->plan.game, choice);
    char fen[RULES_FEN_SIZE];
    uint32_t rounds = (uint32_t)setup->plan.schedule.rounds, first = setup->plan.opening_start;
    bool is_made = setup->openings &&
                   (!setup->judge ||
                    openings_fen(setup->openings, first + min_u32(rounds - 1, AHEAD - 1), fen));
    if (is_made && setup->judge && !opening_judge_is_well(setup->judge))
        return fault_set(why, "balanced openings: %s does not answer; use --openings random",
                         rules_properties_of(setup->plan.game)->engine);
    return is_made || fault_set(why, "out of memory");
}

static bool read_openings(match_setup *setup, const match_options *o, uint64_t seed) {
    fault why = {"out of memory"};
    int64_t plies = -1;
    int64_t first = 1;
    if (!option_number(o->self, "opening-plies", o->plies, 0, OPENINGS_MAX_PLIES, &plies) ||
        !option_number(o->self, "opening-start", o->opening_start, 1, 1000000000, &first)) {
        setup->status = STATUS_USAGE;
        return false;
    }
    setup->plan.opening_start = (uint32_t)(first - 1);
    if (o->openings && strcmp(o->openings, "start") == 0)
        return true;
    openings_choice choice = {.shuffled = is_shuffled(o), .seed = seed, .plies = (int)plies};
    if (!o->openings || strcmp(o->openings, "balanced") == 0 ||
        strcmp(o->openings, "random") == 0) {
        if (!make_openings(setup, o, &choice, &why)) {
            complain("kraton match: %s", why.line);
            return false;
        }
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
        suggestion near = suggest_for(text_of(o->openings));
        for (size_t i = 0; i < 3 && !os_path_exists(o->openings); i++)
            suggest_offer(&near, (const char *[]){"balanced", "random", "start"}[i]);
        complain("kraton match: %s%s", why.line, suggest_hint(&near).shown);
        return false;
    }
    uint32_t there = openings_count(setup->openings); // 0: without end
    if (there && setup->plan.opening_start >= there) {
        complain("kraton match: --opening-start %u: %s has %u opening%s",
                 setup->plan.opening_start + 1, file_label(o->openings), there,
                 there == 1 ? "" : "s");
        setup->status = STATUS_USAGE;
        return false;
    }
    setup->plan.opening = opening_fen;
    setup->plan.opening_line = opening_line;
    setup->plan.opening_context = setup->openings;
    return true;
}

static bool read_schedule(match_plan *plan, const match_options *o, uint64_t seed) {
    int64_t rounds = 0, meetings = 2, seeds = 0;
    plan->schedule = (schedule_rules){.players = plan->engine_count, .seed = seed};
    if (o->schedule && !schedule_find(o->schedule, &plan->schedule.kind))
        return false; // not to be: the table has the words
    if (!option_number(o->self, "rounds", o->rounds, 1, 10000000, &rounds) ||
        !option_number(o->self, "games", o->games, 1, 1000, &meetings) ||
        !option_number(o->self, "gauntlet-seeds", o->seeds, 1, plan->engine_count - 1, &seeds))
        return false;
    if (seeds && plan->schedule.kind != SCHEDULE_GAUNTLET) {
        complain("kraton match: --gauntlet-seeds is for --schedule gauntlet");
        return false;
    }
    plan->schedule.seeds = (int)seeds;
    plan->schedule.keeps_colours = o->no_swap;
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
    if (e->first_lines)
        write_format(w, "\",\"%s", e->first_lines);
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
                 o->openings ? o->openings : "balanced", is_shuffled(o), o->plies ? o->plies : "",
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
    if (plan->schedule.seeds || plan->schedule.keeps_colours || plan->opening_start)
        write_format(&w, ",\"more\":[%d,%d,%u]", plan->schedule.seeds, plan->schedule.keeps_colours,
                     (unsigned)plan->opening_start);
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
    plan->events = o->events;
    plan->resume = o->resume;
    plan->times = !o->no_times;
    plan->checks_pv = o->check_pv;
    plan->files = o->append ? OUTPUT_APPEND : o->overwrite ? OUTPUT_REPLACE : OUTPUT_NEW;
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
        setup->status = misuse("kraton match: there are no contest records of %s; --pgn holds its "
                               "games",
                               rules_name(plan->game));
        return false;
    }
    if (!match_files_differ(setup, o)) {
        setup->status = STATUS_USAGE;
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
    int64_t seed = 1, concurrency = 1, limit = 0, retries = 0, stall = 300, hello = 10, wait = 0;
    setup->status = STATUS_USAGE;
    plan->game = find_game(game);
    if (!plan->game)
        return false;
    if (!match_options_agree(o))
        return false;
    if (!find_rules(plan->game, o->rules ? o->rules : rules_set_name(plan->game, 0), &plan->set))
        return false;
    plan->rules = o->rules;
    if (!option_number(o->self, "seed", o->seed, 0, INT64_C(1000000000000000000) - 1, &seed) ||
        !option_number(o->self, "concurrency", o->concurrency, 1, 512, &concurrency) ||
        !option_number(o->self, "move-limit", o->move_limit, 1, RULES_LONGEST_GAME / 2, &limit) ||
        !option_number(o->self, "sau-retries", o->sau_retries, 0, 1000, &retries) ||
        !option_number(o->self, "stall", o->stall, 1, 86400, &stall) ||
        !option_number(o->self, "start-timeout", o->hello, 1, 3600, &hello) ||
        !option_number(o->self, "wait", o->wait, 0, 86400000, &wait) || !read_sprt(plan, o->sprt) ||
        !read_adjudication(plan, o) || !match_read_engines(setup, o) ||
        !read_schedule(plan, o, (uint64_t)seed))
        return false;
    plan->concurrency = (int)concurrency;
    if (!match_read_affinity(setup, o->affinity))
        return false;
    setup->status = STATUS_BAD;
    plan->sau_retries = (int)retries;
    plan->wait_us = wait * 1000;
    plan->stall_us = stall * 1000000;
    plan->hello_us = plan->ready_us = hello * 1000000;
    plan->limits.max_plies = (uint32_t)limit * 2;
    plan->limits.max_plies_end =
        plan->set.no_move_end == END_COUNT ? END_COUNT : END_DRAW; // as the rule set counts
    if (!can_end(plan)) {
        setup->status = STATUS_USAGE;
        return false;
    }
    if (!read_tables(setup, o) || !read_files(setup, o) || !read_openings(setup, o, (uint64_t)seed))
        return false;
    if (!os_self_path(setup->kraton, sizeof setup->kraton)) {
        complain("kraton match: cannot find this program's own file");
        return false;
    }
    plan->kraton = setup->kraton;
    if (!write_settings(setup, o, seed)) {
        complain("kraton match: out of memory");
        return false;
    }
    plan->settings = setup->settings.bytes;
    return match_find_dialects(setup);
}

static void give_back(match_setup *setup) {
    for (int i = 0; i < OPTION_LIST_MAX; i++)
        match_engine_free(&setup->engines[i]);
    buffer_free(&setup->settings);
    openings_free(setup->openings);
    opening_judge_end(setup->judge);
    game_tables_close(setup->tables);
    json_decref(setup->config);
    json_decref(setup->numbers);
    json_decref(setup->engines_file);
    free(setup);
}

static int play(match_setup *setup, bool quiet) {
    terminal shows = terminal_look();
    const match_plan *plan = &setup->plan;
    const char *const outputs[] = {plan->json, plan->pgn, plan->transcript, plan->events};
    bool is_taken = false; // what goes to standard output has it for itself
    for (int i = 0; i < 4; i++)
        is_taken |= outputs[i] && strcmp(outputs[i], "-") == 0;
    match_report report = {.out = is_taken ? stderr : stdout,
                           .live = shows.redraws && !is_taken,
                           .unicode = shows.unicode,
                           .quiet = quiet};
    match_observer observer = {match_report_game, match_report_tick, match_report_warning, &report};
    fault why;
    match_end end = match_play(&setup->plan, &observer, match_report_end, &why);
    if (end == RUN_FAILED)
        return complain("kraton match: %s", why.line);
    return end == RUN_INTERRUPTED ? 128 + report.signal : STATUS_OK; // as shells say it
}

static int run_match(match_options *o, const option *table, const char *game) {
    match_setup *setup = calloc(1, sizeof *setup);
    if (!setup)
        return complain("kraton match: out of memory");
    setup->status = STATUS_BAD;
    bool good = (!o->config || match_read_config(setup, o, table)) && make_plan(setup, o, game);
    int status = good ? play(setup, o->quiet) : setup->status;
    give_back(setup);
    return status;
}

int cmd_match(const command *self, int argc, char **argv) {
    match_options o = {.self = self};
    option table[MATCH_OPTIONS + 1];
    match_options_table(&o, table);
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    return run_match(&o, table, argv[0]);
}
