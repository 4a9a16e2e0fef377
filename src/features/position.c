#include "features/position.h"
#include "features/features.h"

#include "server/api.h"

#include <stdlib.h>

enum { MOST_PLIES = 2048, FIELD_SIZE = 16384 };

static json_t *route_json(const rules_route *route) {
    json_t *points = json_array();
    for (int i = 0; i < route->count; i++)
        json_array_append_new(points, json_integer(route->point[i]));
    return json_pack("{si,so,si}", "circuit", route->circuit, "points", points, "loops",
                     route->loops);
}

static json_t *move_json(const rules_state *s, rules_move move) {
    char word[RULES_MOVE_SIZE];
    writer w = writer_on(word, sizeof word);
    rules_format_move(s, move, NOTATION_NATIVE, &w);
    json_t *j = json_pack("{ss,si,si,sb}", "move", word, "from", move_from(move), "to",
                          move_to(move), "capture", rules_is_capture(s, move));
    rules_route routes[4];
    int count = rules_capture_routes(s, move, routes);
    json_t *list = count ? json_array() : NULL;
    for (int i = 0; i < count; i++)
        json_array_append_new(list, route_json(&routes[i]));
    if (list)
        json_object_set_new(j, "routes", list);
    return j;
}

static json_t *position_json(const rules_state *s, json_t *played) {
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(s, &w);
    rules_verdict v = rules_result(s);
    rules_move moves[RULES_MAX_MOVES];
    json_t *legal = json_array();
    int count = v.outcome == RULES_ONGOING ? rules_legal_moves(s, moves) : 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(legal, move_json(s, moves[i]));
    return json_pack("{ss,ss,sb,ss,ss,so,so}", "fen", fen, "side",
                     rules_side_to_move(s) ? "second" : "first", "check", rules_in_check(s),
                     "outcome", rules_outcome_name(v.outcome), "words", v.words, "played", played,
                     "legal", legal);
}

// Plays the moves of the text, written back in the game's own notation.
static bool play_all(rules_state *s, text moves, json_t *played, fault *why) {
    for (text word; (word = text_next_word(&moves)).len;) {
        rules_move move;
        char shown[RULES_MOVE_SIZE];
        writer w = writer_on(shown, sizeof shown);
        if (!rules_parse_move(s, word, &move, why))
            return false;
        rules_format_move(s, move, NOTATION_NATIVE, &w);
        if (played)
            json_array_append_new(played, json_string(shown));
        if (!rules_play(s, move, why))
            return false;
    }
    return true;
}

rules_state *position_read(api_call *c, const rules_game *rules, json_t *played) {
    fault why;
    rules_set set = rules_default_set(rules);
    char *field = malloc(FIELD_SIZE);
    void *memory = malloc(rules_state_size(MOST_PLIES));
    bool good = field && memory;
    if (!good) {
        api_refuse(c, 503, "busy", "out of memory");
    } else {
        writer w = writer_on(field, FIELD_SIZE);
        good = !http_query_of(c->request, "rules", &w) || w.used == 0 ||
               rules_set_parse(rules, text_of(field), &set, &why);
        rules_state *s = rules_state_new(memory, rules, &set, MOST_PLIES);
        w = writer_on(field, FIELD_SIZE);
        if (good && http_query_of(c->request, "fen", &w) && w.used)
            good = rules_set_fen(s, text_of(field), &why);
        w = writer_on(field, FIELD_SIZE);
        if (good && http_query_of(c->request, "moves", &w))
            good = play_all(s, text_of(field), played, &why);
        if (!good)
            api_refuse(c, 400, "position", "%s", why.line);
    }
    free(field);
    if (good)
        return memory;
    free(memory);
    return NULL;
}

const rules_game *position_game(api_call *c) {
    const rules_game *rules = rules_find(c->parts[0]);
    if (!rules)
        api_refuse_game(c, 404, "");
    return rules;
}

static void get_position(api_call *c) {
    const rules_game *rules = position_game(c);
    json_t *played = json_array();
    rules_state *s = rules ? position_read(c, rules, played) : NULL;
    if (s)
        api_json(c, 200, position_json(s, json_incref(played)));
    json_decref(played);
    free(s);
}

static const api_route routes[] = {
    {"GET", "/api/v1/position/*", get_position, false},
    {.pattern = NULL},
};

const feature position_feature = {.name = "position", .routes = routes};
