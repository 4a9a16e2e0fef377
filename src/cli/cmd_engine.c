// kraton engine becomes the engine of a game, a program in the same folder; commands of the lab
// become kraton-lab in the same way. kraton engine-check checks any engine.
#include "cli/cli.h"
#include "cli/sibling.h"
#include "match/check.h"
#include "match/spec.h"
#include "os/process.h"

#include <errno.h>
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
        return STATUS_USAGE;
    match_engine engine = {0};
    fault why;
    char self_path[SIBLING_PATH_SIZE];
    if (!match_engine_set(&engine, text_of("cmd"), text_of(argv[1]), &why) ||
        (dialect && !match_engine_set(&engine, text_of("dialect"), text_of(dialect), &why))) {
        match_engine_free(&engine);
        return complain("kraton engine-check: %s", why.line);
    }
    match_engine_complete(&engine);
    int wrong = 1;
    if (!sibling_self(self_path, &why) || !match_probe(&engine, game, self_path, &why))
        complain("kraton engine-check: %s", why.line);
    else
        wrong = match_check(&engine, game, self_path, stdout);
    match_engine_free(&engine);
    return wrong ? STATUS_BAD : STATUS_OK;
}
