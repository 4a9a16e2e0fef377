// kraton engine becomes the engine of a game, a program in the same folder; commands of the lab
// become kraton-lab in the same way. kraton engine-check checks any engine.
#include "cli/cli.h"
#include "cli/sibling.h"
#include "match/check.h"
#include "match/detect.h"
#include "match/spec.h"
#include "os/process.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>

int cmd_engine(const command *self, int argc, char **argv) {
    if (argc == 0 || strcmp(argv[0], "--help") == 0) {
        fprintf(argc ? stdout : stderr, "usage: kraton engine %s\n", self->arguments);
        if (argc)
            printf("\n%s\n%s", self->summary, self->details);
        return argc ? STATUS_OK : STATUS_USAGE;
    }
    const rules_game *game = find_game(argv[0]);
    if (!game)
        return STATUS_USAGE;
    char path[SIBLING_PATH_SIZE];
    fault why;
    if (!sibling_find(rules_properties_of(game)->engine, path, &why))
        return complain("kraton engine: %s", why.line);
    argv[0] = strrchr(path, '/') + 1; // the arguments end with a NULL, as main's do
    os_process_become(path, argv);
    return complain("kraton engine: %s: %s", path, strerror(errno));
}

int cmd_lab(const command *self, int argc, char **argv) {
    return sibling_become_lab(self->name, argc, argv);
}

static void print_check(void *context, check_result result, const char *what, const char *detail) {
    static const char *const words[] = {
        [CHECK_OK] = "ok", [CHECK_WRONG] = "WRONG", [CHECK_SKIPPED] = "skip"};
    (void)context;
    printf("%-5s  %s%s%s\n", words[result], what, *detail ? ": " : "", detail);
    fflush(stdout);
}

static void print_check_json(void *context, check_result result, const char *what,
                             const char *detail) {
    static const char *const words[] = {
        [CHECK_OK] = "ok", [CHECK_WRONG] = "wrong", [CHECK_SKIPPED] = "skipped"};
    int *status = context;
    // An engine may write anything; what is no text is left out.
    json_t *shown = json_string(detail);
    *status |= print_json(json_pack("{s:s, s:s, s:o}", "check", what, "result", words[result],
                                    "detail", shown ? shown : json_string("")));
    fflush(stdout);
}

static int check_engine(const match_engine *engine, const rules_game *game, const char *kraton,
                        bool json) {
    check_counts counts;
    int status = STATUS_OK;
    if (!match_check(engine, game, kraton, json ? print_check_json : print_check, &status, &counts))
        return complain("kraton engine-check: out of memory");
    if (json)
        status |=
            print_json(json_pack("{s:s, s:s, s:i, s:i, s:i}", "game", rules_name(game), "dialect",
                                 dialect_name(engine->dialect), "checks", counts.made, "wrong",
                                 counts.wrong, "skipped", counts.skipped));
    else
        printf("%d checks, %d wrong, %d not made\n", counts.made, counts.wrong, counts.skipped);
    return counts.wrong ? STATUS_BAD : status;
}

int cmd_engine_check(const command *self, int argc, char **argv) {
    const char *dialect = NULL;
    bool json = false;
    const option table[] = {
        {"dialect", 0, "uci|ucci|cecp|sau", "its protocol (default: find out)", .string = &dialect},
        {"json", 0, NULL, "JSON, an object for each check and one at the end", .flag = &json},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = find_game(argv[0]);
    if (!game)
        return STATUS_USAGE;
    match_engine engine = {0};
    fault why;
    char self_path[SIBLING_PATH_SIZE];
    if (!match_engine_set(&engine, text_of("cmd"), text_of(argv[1]), &why) ||
        (dialect && !match_engine_set(&engine, text_of("dialect"), text_of(dialect), &why))) {
        match_engine_free(&engine);
        return misuse("kraton engine-check: %s", why.line);
    }
    match_engine_complete(&engine);
    if (engine.dialect_known && !dialect_can_play(engine.dialect, game))
        status = misuse("kraton engine-check: %s is not for %s", dialect_name(engine.dialect),
                        rules_name(game));
    else if (!sibling_self(self_path, &why) ||
             !match_detect(&engine, game, self_path, "--dialect", &why))
        status = complain("kraton engine-check: %s", why.line);
    else
        status = check_engine(&engine, game, self_path, json);
    match_engine_free(&engine);
    return status;
}
