// kraton openings: the openings that have names, all of them or those a position belongs and leads
// to.
#include "cli/cli.h"
#include "cli/games.h"
#include "cli/options.h"
#include "records/opening_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static void print_opening(const opening_name *o) {
    printf("%s  %s  %s\n     %s\n", o->code, o->chinese, o->english, o->moves);
}

// Whether an argument is a code or the start of one: C, C4, C44.
static bool is_code(const char *argument) {
    size_t len = strlen(argument);
    return len >= 1 && len <= 3 && argument[0] >= 'A' && argument[0] <= 'E' &&
           (len < 2 || isdigit((unsigned char)argument[1])) &&
           (len < 3 || isdigit((unsigned char)argument[2]));
}

static int list_openings(const rules_game *game, const char *code) {
    int shown = 0;
    const opening_name *o;
    for (int i = 0; (o = opening_name_nth(game, i)) != NULL; i++)
        if (strncmp(o->code, code, strlen(code)) == 0) {
            print_opening(o);
            shown++;
        }
    if (shown == 0 && *code)
        return complain("kraton openings: no opening has a code that begins with %s", code);
    if (shown == 0)
        printf("%s's openings have no names; `kraton book show %s` shows its book.\n",
               rules_name(game), rules_name(game));
    return STATUS_OK;
}

// The openings that the next move leads to.
static void list_next(rules_state *s, rules_notation notation) {
    rules_move moves[RULES_MAX_MOVES];
    const opening_name *here = opening_name_of(s);
    int n = rules_legal_moves(s, moves);
    for (int i = 0; i < n; i++) {
        char shown[RULES_MOVE_SIZE];
        writer w = writer_on(shown, sizeof shown);
        rules_format_move(s, moves[i], notation, &w);
        fault why;
        if (!rules_play(s, moves[i], &why))
            continue;
        const opening_name *next = opening_name_at(s);
        if (next)
            printf("  %-6s %s  %s  %s\n", shown, next->code, next->chinese,
                   next == here ? "(goes on)" : next->english);
        rules_undo(s);
    }
}

static int show_position(const rules_game *game, rules_notation notation, int argc, char **argv) {
    rules_state *s = game_of_arguments(game, argc, argv);
    if (!s)
        return STATUS_BAD;
    const opening_name *o = opening_name_of(s);
    if (o)
        print_opening(o);
    else
        printf("no opening has a name for this\n");
    list_next(s, notation);
    free(s);
    return STATUS_OK;
}

int cmd_openings(const command *self, int argc, char **argv) {
    const char *notation_name = "native";
    const option table[] = {
        {"notation", 0, "NAME", "how the next moves are written: wxf, chinese, ...",
         .string = &notation_name},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = argc ? find_game(argv[0]) : rules_default_game();
    rules_notation notation;
    if (!game || !find_notation(game, notation_name, &notation))
        return STATUS_BAD;
    if (argc <= 1)
        return list_openings(game, "");
    if (argc == 2 && is_code(argv[1]))
        return list_openings(game, argv[1]);
    return show_position(game, notation, argc - 1, argv + 1);
}
