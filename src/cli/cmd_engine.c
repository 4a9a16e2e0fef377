// kraton engine: becomes the engine of a game, a program in the same folder. Commands of the lab
// become kraton-lab in the same way.
#include "cli/cli.h"
#include "cli/sibling.h"
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
        return STATUS_BAD;
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
