#include "cli/options.h"
#include "match/check.h"
#include "match/probe.h"
#include "match/spec.h"

#include <stdio.h>

int cmd_engine_check(const command *self, int argc, char **argv) {
    const char *dialect = NULL;
    const option table[] = {
        {"dialect", 0, "NAME", "uci, ucci, cecp or sau; found out where it is not given",
         .string = &dialect},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = find_game(argv[0]);
    if (!game)
        return STATUS_BAD;
    match_engine engine = {0};
    fault why;
    char guard[4096];
    size_t size = sizeof guard;
    if (!match_engine_set(&engine, text_of("cmd"), text_of(argv[1]), &why) ||
        (dialect && !match_engine_set(&engine, text_of("dialect"), text_of(dialect), &why))) {
        match_engine_free(&engine);
        return complain("kraton engine-check: %s", why.line);
    }
    match_engine_complete(&engine);
    int wrong = 1;
    if (uv_exepath(guard, &size) != 0)
        complain("kraton engine-check: cannot find this program's own file");
    else if (!match_probe(&engine, game, guard, &why))
        complain("kraton engine-check: %s", why.line);
    else
        wrong = match_check(&engine, game, guard, stdout);
    match_engine_free(&engine);
    return wrong ? STATUS_BAD : STATUS_OK;
}
