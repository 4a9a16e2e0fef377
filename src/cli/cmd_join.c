#include "cli/options.h"
#include "cli/sibling.h"
#include "client/join.h"
#include "match/spec.h"

static bool read_count(const char *name, const char *value, int64_t low, int64_t high, int *count) {
    int64_t n;
    if (!value)
        return true;
    if (!text_to_int(text_of(value), low, high, &n)) {
        complain("kraton join: --%s takes a number from %lld to %lld, not %s", name, (long long)low,
                 (long long)high, fault_quote(text_of(value)).shown);
        return false;
    }
    *count = (int)n;
    return true;
}

// HOST:PORT, the port behind the last colon.
static bool read_place(char *place, join_plan *plan) {
    char *colon = strrchr(place, ':');
    int64_t port;
    if (!colon || colon == place || !text_to_int(text_of(colon + 1), 1, 65535, &port)) {
        complain("kraton join: HOST:PORT, not %s", fault_quote(text_of(place)).shown);
        return false;
    }
    *colon = '\0';
    plan->host = place;
    plan->port = (int)port;
    return true;
}

int cmd_join(const command *self, int argc, char **argv) {
    join_plan plan = {.at_once = 1};
    const char *engine = NULL, *dialect = NULL, *game = NULL, *at_once = NULL, *games = NULL;
    const char *tournament = NULL;
    int number = 0;
    const option options[] = {
        {"engine", 0, "CMD", "the engine's command; further parts as in `kraton match`",
         .string = &engine},
        {"dialect", 0, "NAME", "uci, ucci, cecp or sau; found out where it is not given",
         .string = &dialect},
        {"token", 0, "T", "the program's token, from the page or POST /api/v1/tokens",
         .string = &plan.token},
        {"game", 0, "GAME", "what to try the engine with", .string = &game},
        {"seek", 0, "FIELDS", "keep a seek open: 'game=NAME tc=60+1 rated=yes'",
         .string = &plan.seek},
        {"tournament", 0, "N", "enter that tournament", .string = &tournament},
        {"at-once", 0, "N", "games at a time (1)", .string = &at_once},
        {"games", 0, "N", "leave after so many", .string = &games},
        {"tls", 0, NULL, "the server speaks TLS", .flag = &plan.tls},
        {"ca", 0, "FILE", "authorities to trust instead of the system's",
         .string = &plan.authorities},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, options, &argc, argv, &status))
        return status;
    if (!engine || !plan.token) {
        complain("kraton join: --engine and --token are needed");
        return STATUS_USAGE;
    }
    if (!read_place(argv[0], &plan) || !read_count("at-once", at_once, 1, 64, &plan.at_once) ||
        !read_count("games", games, 1, 1000000, &plan.games) ||
        !read_count("tournament", tournament, 1, 1000000000, &number))
        return STATUS_USAGE;
    plan.tournament = number;
    const rules_game *rules = game ? find_game(game) : rules_default_game();
    match_engine e = {0};
    char self_path[SIBLING_PATH_SIZE];
    fault why;
    bool good = rules && match_engine_parse(&e, text_of(engine), &why) &&
                (!dialect || match_engine_set(&e, text_of("dialect"), text_of(dialect), &why)) &&
                sibling_self(self_path, &why);
    if (good) {
        match_engine_complete(&e);
        plan.engine = &e;
        plan.guard = self_path;
        good = match_probe(&e, rules, self_path, &why) && join_run(&plan, &why);
    }
    match_engine_free(&e);
    return good ? STATUS_OK : rules ? complain("kraton join: %s", why.line) : STATUS_BAD;
}
