// kraton join: an engine that plays on a server.
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/sibling.h"
#include "client/join.h"
#include "match/detect.h"
#include "match/spec.h"
#include "protocol/message.h"
#include "referee/control.h"

#include <stdio.h>

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

// The token out of a file, its first line, or out of the environment.
static bool read_token(const char *file, char *line, size_t size, join_plan *plan) {
    plan->token = getenv("KRATON_TOKEN");
    if (!file && plan->token && plan->token[0])
        return true;
    if (!file) {
        misuse("kraton join: a token is needed: --token-file FILE, or KRATON_TOKEN");
        return false;
    }
    plan->token = read_secret(file, line, size);
    if (!plan->token)
        misuse("kraton join: %s holds no token", file);
    return plan->token != NULL;
}

static bool is_this_machine(const char *host) {
    return strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 ||
           text_starts(text_of(host), "127.");
}

// Makes sure that the engine plays the game, then plays with it. `dialect` may be NULL.
static int play_engine(join_plan *plan, const rules_game *rules, const char *engine,
                       const char *dialect) {
    match_engine e = {0};
    char self_path[SIBLING_PATH_SIZE];
    fault why;
    bool good = match_engine_parse(&e, text_of(engine), &why) &&
                (!dialect || match_engine_set(&e, text_of("dialect"), text_of(dialect), &why)) &&
                sibling_self(self_path, &why);
    if (good) {
        match_engine_complete(&e);
        plan->engine = &e;
        plan->guard = self_path;
        good = match_detect(&e, rules, self_path, "--dialect", &why) && join_run(plan, &why);
    }
    match_engine_free(&e);
    return good ? STATUS_OK : complain("kraton join: %s", why.line);
}

// Whether the fields of a seek have names and values that a server takes.
static bool check_seek(const request *r, fault *why) {
    text game = request_text(r, "game"), control = request_text(r, "tc");
    text side = request_text(r, "side"), named = request_text(r, "rules");
    const rules_game *rules = rules_find(game);
    rules_set set;
    referee_control clock;
    bool flag;
    if (!rules)
        return fault_set(why, "game=NAME: there is no game %s", fault_quote(game).shown);
    if (side.len && !text_is(side, "first") && !text_is(side, "second") && !text_is(side, "any"))
        return fault_set(why, "side: first, second or any, not %s", fault_quote(side).shown);
    return (!named.len || rules_set_parse(rules, named, &set, why)) &&
           (!control.len || referee_control_parse(control, &clock, why)) &&
           request_flag(r, "rated", false, &flag, why) &&
           request_flag(r, "private", false, &flag, why);
}

static bool is_seek(const char *fields) {
    static const char keys[] = "game|rules|tc|side|rated|fen|private";
    char line[1024];
    writer w = writer_on(line, sizeof line);
    request r;
    fault why = {"too long"};
    write_format(&w, "seek %s", fields);
    bool good = !w.overflow && request_read_line(&r, text_of(line), &why);
    for (int i = 0; good && i < r.count; i++) {
        char key[64];
        writer k = writer_on(key, sizeof key);
        write_text(&k, r.fields[i].key);
        if (is_word_of(key, keys))
            continue;
        misuse_word("kraton join: --seek", key, keys);
        return false;
    }
    if (good && check_seek(&r, &why))
        return true;
    misuse("kraton join: --seek: %s", why.line);
    return false;
}

int cmd_join(const command *self, int argc, char **argv) {
    join_plan plan = {.at_once = 1};
    const char *engine = NULL, *dialect = NULL, *game_name = NULL, *at_once = NULL, *games = NULL;
    const char *tournament = NULL, *token_file = NULL, *token = NULL;
    char token_line[256];
    bool plain = false;
    int number = 0;
    const option options[] = {
        {"engine", 0, "CMD", "the engine's command; further parts as in `kraton match`",
         .string = &engine},
        {"dialect", 0, "uci|ucci|cecp|sau", "its protocol (default: find out)", .string = &dialect},
        {"token-file", 0, "FILE",
         "holds the program's token, from the page or POST /api/v1/tokens "
         "(or it is in KRATON_TOKEN)",
         .string = &token_file},
        {"token", 0, "T", "no longer: see --token-file", .string = &token},
        {"game", 0, "GAME", "the game to test the engine with", .string = &game_name},
        {"seek", 0, "FIELDS", "keep a seek open: 'game=NAME tc=60+1 rated=yes'",
         .string = &plan.seek},
        {"tournament", 0, "N", "enter that tournament", .string = &tournament},
        {"at-once", 0, "N", "games to accept, and engine processes, at a time (1)",
         .string = &at_once},
        {"games", 0, "N", "leave after so many games", .string = &games},
        {"tls", 0, NULL, "TLS; the default unless the server is on this machine",
         .flag = &plan.tls},
        {"no-tls", 0, NULL, "no TLS: whoever is on the way can read the token", .flag = &plain},
        {"ca", 0, "FILE", "certificates to trust instead of the system's",
         .string = &plan.authorities},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, options, &argc, argv, &status))
        return status;
    if (token)
        return misuse("kraton join: a token on the command line can be read by everybody on this "
                      "machine; put it in a file (--token-file) or in KRATON_TOKEN");
    if (!engine)
        return misuse("kraton join: --engine is needed");
    if (plan.seek && !is_seek(plan.seek))
        return STATUS_USAGE;
    if (!read_token(token_file, token_line, sizeof token_line, &plan))
        return STATUS_USAGE;
    if (!read_place(argv[0], &plan) ||
        !option_int(self, "at-once", at_once, 1, 64, &plan.at_once) ||
        !option_int(self, "games", games, 1, 1000000, &plan.games) ||
        !option_int(self, "tournament", tournament, 1, 1000000000, &number))
        return STATUS_USAGE;
    plan.tournament = number;
    plan.tls = !plain && (plan.tls || !is_this_machine(plan.host));
    const rules_game *rules = game_name ? find_game(game_name) : rules_default_game();
    if (!rules)
        return STATUS_USAGE;
    return play_engine(&plan, rules, engine, dialect);
}
