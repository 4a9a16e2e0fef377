// The tables of games and of protocols as JSON, so that pages and programs keep no lists of their
// own.
#include "dialect/dialect.h"
#include "features/features.h"
#include "records/opening_name.h"
#include "records/record.h"
#include "server/api.h"

// --- games --------------------------------------------------------------------------------------

static json_t *notations_json(const rules_properties *p) {
    json_t *list = json_array();
    for (int i = 0; i < p->notation_count; i++)
        json_array_append_new(list, json_string(rules_notation_name(p->notations[i])));
    return list;
}

static json_t *rule_sets_json(const rules_game *rules) {
    json_t *list = json_array();
    const char *name;
    for (int i = 0; (name = rules_set_name(rules, i)); i++) {
        char fields[256];
        writer w = writer_on(fields, sizeof fields);
        rules_set set;
        if (rules_set_parse(rules, text_of(name), &set, NULL))
            rules_set_format(rules, &set, &w);
        json_array_append_new(list, json_pack("{ss,ss,ss}", "name", name, "title",
                                              rules_set_title(rules, i), "fields", fields));
    }
    return list;
}

static json_t *formats_json(const rules_game *rules) {
    json_t *list = json_array();
    for (int i = 0; i < RECORD_FORMATS; i++) {
        record_format format = (record_format)i;
        if (record_format_holds(format, rules))
            json_array_append_new(list, json_pack("{ss,sb}", "name", record_format_name(format),
                                                  "written", record_format_is_written(format)));
    }
    return list;
}

static json_t *protocols_of_json(const rules_game *rules) {
    json_t *list = json_array();
    for (int i = 0; i < DIALECTS; i++)
        if (dialect_can_play((dialect_id)i, rules))
            json_array_append_new(list, json_string(dialect_name((dialect_id)i)));
    return list;
}

static json_t *game_json(const rules_game *rules) {
    const rules_properties *p = rules_properties_of(rules);
    json_t *j =
        json_pack("{ss,ss,s[ss],ss,sb}", "name", p->name, "title", p->title, "sides", p->side[0],
                  p->side[1], "start", p->start_fen, "default", rules == rules_default_game());
    json_object_set_new(j, "board",
                        json_pack("{si,si,si,si}", "files", p->files, "ranks", p->ranks,
                                  "first_rank", p->first_rank, "images", p->images));
    json_object_set_new(j, "notations", notations_json(p));
    json_object_set_new(j, "rule_sets", rule_sets_json(rules));
    json_object_set_new(j, "formats", formats_json(rules));
    json_object_set_new(j, "save_as", json_string(record_format_name(record_format_for(rules))));
    json_object_set_new(j, "protocols", protocols_of_json(rules));
    json_object_set_new(j, "has",
                        json_pack("{sb,sb,sb,sb}", "check", p->has_check, "circuits",
                                  p->has_circuits, "tables", p->has_tables, "opening_names",
                                  opening_lines_built_in(rules).len > 0));
    return j;
}

// --- protocols ----------------------------------------------------------------------------------

static json_t *protocol_json(dialect_id id) {
    static const char *const support[] = {"always", "if offered", "never"};
    const dialect_properties *p = dialect_properties_of(id);
    json_t *names = json_array();
    json_array_append_new(names, json_string(p->name));
    if (p->name_too)
        json_array_append_new(names, json_string(p->name_too));
    return json_pack("{so,sb,ss,ss,sI,sI}", "names", names, "limits", p->tells_limits, "set_up",
                     support[p->set_up], "reuse", support[p->reuse], "clock_step_us",
                     (json_int_t)p->clock_step_us, "move_time_step_us",
                     (json_int_t)p->move_time_step_us);
}

static void get_catalogue(api_call *c) {
    json_t *games = json_array(), *protocols = json_array();
    for (int i = 0; i < RULES_GAMES; i++)
        json_array_append_new(games, game_json(rules_nth(i)));
    for (int i = 0; i < DIALECTS; i++)
        json_array_append_new(protocols, protocol_json((dialect_id)i));
    api_json_with(c, 200, json_pack("{so,so}", "games", games, "protocols", protocols),
                  "Cache-Control: no-cache\r\n");
}

static const api_route routes[] = {
    {"GET", "/api/games", get_catalogue, false},
    {.pattern = NULL},
};

const feature catalogue_feature = {.name = "catalogue", .routes = routes};
