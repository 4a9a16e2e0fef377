// The engines of `kraton match`: from its config file, from files of other managers, from the
// command line.
#include "cli/match_setup.h"

#include "base/suggest.h"
#include "match/detect.h"
#include "match/spec.h"

#include <stdio.h>

// --- the config file ----------------------------------------------------------------------------

// A file that is not there has no line.
static json_t *load_json(const char *path) {
    json_error_t error;
    json_t *file = json_load_file(path, 0, &error);
    if (!file && error.line > 0)
        complain("kraton match: %s:%d: %s", path, error.line, error.text);
    else if (!file)
        complain("kraton match: %s", error.text);
    return file;
}

// Whatever is in the file: a name that is no option's, or a value that the option does not take, is
// wrong usage.
static bool refuse_key(match_setup *setup, const char *path, const char *key, const option *table) {
    suggestion near = suggest_for(text_of(key));
    bool is_known = false;
    for (const option *o = table; o->name; o++) {
        suggest_offer(&near, o->name);
        is_known |= strcmp(o->name, key) == 0;
    }
    suggest_offer(&near, "engines");
    if (is_known)
        setup->status = misuse("kraton match: %s: %s does not take such a value", path,
                               fault_quote(text_of(key)).shown);
    else
        setup->status = misuse("kraton match: %s: no option %s%s", path,
                               fault_quote(text_of(key)).shown, suggest_hint(&near).shown);
    return false;
}

bool match_read_config(match_setup *setup, match_options *o, const option *table) {
    setup->config = load_json(o->config);
    setup->numbers = json_array();
    if (!setup->config || !setup->numbers)
        return false;
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
            if (!option_takes(o->self, known, json_string_value(value))) {
                setup->status = STATUS_USAGE;
                return false;
            }
            if (!*known->string)
                *known->string = json_string_value(value);
        } else if (known->name && known->string && json_is_integer(value)) {
            json_t *shown = json_sprintf("%lld", (long long)json_integer_value(value));
            if (!*known->string)
                *known->string = json_string_value(shown);
            json_array_append_new(setup->numbers, shown);
        } else {
            return refuse_key(setup, o->config, key, table);
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
    if ((each && !match_engine_from_json(e, each, why)) ||
        (o->each && !match_engine_parse(e, text_of(o->each), why)))
        return false;
    if (!e->command[0] && !e->name[0])
        return true;
    return fault_set(why, "--each has a %s: that belongs to one --engine",
                     e->command[0] ? "command" : "name");
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

// A file of engines: a list, as cutechess' engines.json, or an object with a list `engines`, as
// fastchess' config.json.
static bool read_engines_file(match_setup *setup, const char *path) {
    json_t *file = load_json(path);
    setup->status = STATUS_BAD;
    if (!file)
        return false;
    setup->engines_file =
        json_is_array(file) ? json_incref(file) : json_incref(json_object_get(file, "engines"));
    json_decref(file);
    if (json_is_array(setup->engines_file)) {
        setup->status = STATUS_USAGE;
        return true;
    }
    complain("kraton match: %s: neither a list of engines nor an object with one", path);
    return false;
}

// Applies the engine of that name in the file of --engines.
static bool apply_from_file(match_engine *e, const json_t *list, const char *name, fault *why) {
    suggestion near = suggest_for(text_of(name));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *its = json_string_value(json_object_get(one, "name"));
        if (its && strcmp(its, name) == 0)
            return match_engine_from_json(e, one, why);
        if (its)
            suggest_offer(&near, its);
    }
    return fault_set(why, "no engine %s in the file of --engines%s",
                     fault_quote(text_of(name)).shown, suggest_hint(&near).shown);
}

// `conf=NAME` takes an engine from the file; other keys may follow.
static bool apply_own(match_engine *e, const json_t *list, const char *spec, fault *why) {
    if (strncmp(spec, "conf=", 5) != 0)
        return match_engine_parse(e, text_of(spec), why);
    char name[128];
    size_t len = strcspn(spec + 5, ",");
    writer w = writer_on(name, sizeof name);
    write_text(&w, (text){spec + 5, len});
    if (!list)
        return fault_set(why, "conf=%.60s needs a file of engines: --engines FILE", name);
    return apply_from_file(e, list, name, why) &&
           (!spec[5 + len] || match_engine_parse(e, text_of(spec + 6 + len), why));
}

static bool names_one_of_file(const option_list *engines) {
    for (int i = 0; i < engines->count; i++)
        if (strncmp(engines->values[i], "conf=", 5) == 0)
            return true;
    return false;
}

bool match_read_engines(match_setup *setup, const match_options *o) {
    if (o->engines_file && !read_engines_file(setup, o->engines_file))
        return false;
    const json_t *list = setup->config ? json_object_get(setup->config, "engines") : NULL;
    // With conf= the file is a library; else all of its engines play.
    const json_t *all = names_one_of_file(&o->engines) ? NULL : setup->engines_file;
    int from_config = (int)json_array_size(list), from_file = (int)json_array_size(all);
    int given = from_config + from_file, n = given + o->engines.count;
    if (n < 2 || n > SCHEDULE_MAX_PLAYERS || n > OPTION_LIST_MAX) {
        complain("kraton match: %d engine%s; it takes 2 to %d (--engine CMD)", n, n == 1 ? "" : "s",
                 SCHEDULE_MAX_PLAYERS);
        return false;
    }
    fault why;
    for (int i = 0; i < n; i++) {
        match_engine *e = &setup->engines[i];
        setup->plan.engine_count = i + 1;
        const json_t *object = i < from_config ? json_array_get(list, (size_t)i)
                               : i < given     ? json_array_get(all, (size_t)(i - from_config))
                                               : NULL;
        bool good =
            apply_each(e, setup, o, &why) &&
            (object ? match_engine_from_json(e, object, &why)
                    : apply_own(e, setup->engines_file, o->engines.values[i - given], &why));
        if (!good)
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
static bool check_dialect(match_setup *setup, const match_engine *e, const rules_game *game) {
    const referee_control *c = &e->control;
    bool told = dialect_properties_of(e->dialect)->tells_limits;
    if (!dialect_can_play(e->dialect, game)) {
        setup->status = misuse("kraton match: engine %s: %s is not for %s", e->name,
                               dialect_name(e->dialect), rules_name(game));
        return false;
    }
    if (!c->has_clock && !c->move_time_us && !c->depth && !c->nodes && told) {
        setup->status = misuse("kraton match: engine %s would think for ever: give it a limit, as "
                               "tc=10+0.1",
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
                     "moves: use --openings start, balanced, random or a file of games",
                     plan->engines[i].name);
            return false;
        }
    return true;
}

bool match_find_dialects(match_setup *setup) {
    const char *fixed = NULL; // a protocol that has the start position only
    for (int i = 0; i < setup->plan.engine_count; i++) {
        fault why;
        if (!match_detect(&setup->engines[i], setup->plan.game, setup->kraton, "dialect=", &why)) {
            complain("kraton match: %s", why.line);
            return false;
        }
        if (!check_dialect(setup, &setup->engines[i], setup->plan.game))
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
