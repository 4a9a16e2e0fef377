// kraton openings: the names of openings, those of a position, and how often each was played in a
// collection of records.
#include "base/vector.h"
#include "cli/cli.h"
#include "cli/games.h"
#include "os/file.h"
#include "records/opening_name.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

// --- names of openings ---------------------------------------------------------------------------

static void print_opening(const opening_name *o) {
    printf("%s  %s  %s\n     %s\n", o->code, o->chinese, o->english, o->moves);
}

static json_t *opening_json(const opening_name *o) {
    return json_pack("{s:s, s:s, s:s, s:s}", "code", o->code, "chinese", o->chinese, "english",
                     o->english, "moves", o->moves);
}

// Whether an argument is a code or the start of one: C, C4, C44.
static bool is_code(const char *argument) {
    size_t len = strlen(argument);
    return len >= 1 && len <= 3 && argument[0] >= 'A' && argument[0] <= 'E' &&
           (len < 2 || isdigit((unsigned char)argument[1])) &&
           (len < 3 || isdigit((unsigned char)argument[2]));
}

static int list_openings(const rules_game *game, const char *code, bool json) {
    int shown = 0, status = STATUS_OK;
    const opening_name *o;
    for (int i = 0; (o = opening_name_nth(game, i)) != NULL; i++)
        if (strncmp(o->code, code, strlen(code)) == 0) {
            if (json)
                status |= print_json(opening_json(o));
            else
                print_opening(o);
            shown++;
        }
    if (shown == 0 && *code)
        return complain("kraton openings: no opening has a code that begins with %s", code);
    if (shown == 0 && !json)
        printf("%s's openings have no names; `kraton book show %s` shows its book.\n",
               rules_name(game), rules_name(game));
    return status;
}

// The openings that the next move leads to; added to `list` if there is one, else printed.
static void list_next(rules_state *s, rules_notation notation, json_t *list) {
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
        if (next && list)
            json_array_append_new(
                list, json_pack("{s:s, s:o}", "move", shown, "opening", opening_json(next)));
        else if (next)
            printf("  %-6s %s  %s  %s\n", shown, next->code, next->chinese,
                   next == here ? "(goes on)" : next->english);
        rules_undo(s);
    }
}

static int print_position_json(rules_state *s, rules_notation notation) {
    const opening_name *o = opening_name_of(s);
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(s, &w);
    json_t *next = json_array();
    list_next(s, notation, next);
    return print_json(json_pack("{s:s, s:s, s:o, s:o}", "game", rules_name(rules_game_of(s)), "fen",
                                fen, "opening", o ? opening_json(o) : json_null(), "next", next));
}

static int show_position(const rules_game *game, rules_notation notation, bool json, int argc,
                         char **argv) {
    rules_state *s = game_of_arguments(game, argc, argv);
    if (!s)
        return STATUS_BAD;
    if (json) {
        int status = print_position_json(s, notation);
        free(s);
        return status;
    }
    const opening_name *o = opening_name_of(s);
    if (o)
        print_opening(o);
    else
        printf("no opening has a name for this\n");
    list_next(s, notation, NULL);
    free(s);
    return STATUS_OK;
}

// --- the openings of a collection ---------------------------------------------------------------

// How often an opening was played, and how the games ended.
typedef struct {
    const opening_name *opening; // NULL: one without a name
    unsigned games, ended[RULES_DRAW + 1];
} opening_tally;

typedef struct {
    opening_tally *rows;
    size_t count, capacity;
} tally_list;

static bool count_game(tally_list *list, const record *r) {
    const opening_name *opening = opening_name_of_record(r);
    size_t i = 0;
    while (i < list->count && list->rows[i].opening != opening)
        i++;
    if (i == list->count) {
        opening_tally *grown =
            vector_reserve(list->rows, &list->capacity, list->count + 1, sizeof *grown);
        if (!grown)
            return false;
        list->rows = grown;
        list->rows[list->count++] = (opening_tally){.opening = opening};
    }
    list->rows[i].games++;
    list->rows[i].ended[r->result]++;
    return true;
}

// The most played first; those as often by their codes.
static int by_games(const void *a, const void *b) {
    const opening_tally *x = a, *y = b;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    return strcmp(x->opening ? x->opening->code : "", y->opening ? y->opening->code : "");
}

static int print_tally(const opening_tally *t, bool json) {
    const opening_name *o = t->opening;
    unsigned first = t->ended[RULES_FIRST_WINS], second = t->ended[RULES_SECOND_WINS];
    if (json)
        return print_json(json_pack("{s:o, s:i, s:i, s:i, s:i}", "opening",
                                    o ? opening_json(o) : json_null(), "games", (int)t->games,
                                    "first_wins", (int)first, "draws", (int)t->ended[RULES_DRAW],
                                    "second_wins", (int)second));
    printf("%7u %7u %7u %7u  %s  %s  %s\n", t->games, first, t->ended[RULES_DRAW], second,
           o ? o->code : "-  ", o ? o->chinese : "", o ? o->english : "no name");
    return STATUS_OK;
}

// Counts the openings of all games in files, folders and archives.
static int count_openings(const rules_game *game, bool json, int argc, char **argv) {
    tally_list list = {0};
    int status = STATUS_OK;
    for (int i = 0; i < argc; i++) {
        games g;
        if (!games_open(&g, argv[i], NULL, game)) {
            status = STATUS_BAD;
            continue;
        }
        while (games_next(&g))
            if (!count_game(&list, &g.game))
                status = complain("kraton openings: out of memory");
        status |= games_close(&g);
    }
    if (list.count)
        qsort(list.rows, list.count, sizeof list.rows[0], by_games);
    if (list.count && !json)
        printf("  games   first   draws  second  opening\n");
    for (size_t i = 0; i < list.count; i++)
        status |= print_tally(&list.rows[i], json);
    free(list.rows);
    return status;
}

static bool is_path(const char *argument) {
    return strcmp(argument, "-") == 0 || os_path_exists(argument);
}

// Whether a word that is no file looks like the name of one. A FEN has slashes, and a move may have
// a dot; the name of a game has neither.
static bool looks_like_path(const char *word, bool is_behind_game) {
    record_format format;
    return is_behind_game ? record_format_of_name(word, &format) : strpbrk(word, "./") != NULL;
}

int cmd_openings(const command *self, int argc, char **argv) {
    const char *notation_name = "native";
    bool json = false;
    const option table[] = {
        {"notation", 0, "NOTATION", "notation of the next moves: wxf, chinese, ...",
         .string = &notation_name},
        {"json", 0, NULL, "JSON: a line for each opening, or one for the position", .flag = &json},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    bool names_game = argc && rules_find(text_of(argv[0]));
    if (argc > names_game && is_path(argv[names_game]))
        return count_openings(names_game ? rules_find(text_of(argv[0])) : NULL, json,
                              argc - names_game, argv + names_game);
    if (argc > names_game && looks_like_path(argv[names_game], names_game))
        return complain("kraton openings: there is no file %s", argv[names_game]);
    const rules_game *game = argc ? find_game(argv[0]) : rules_default_game();
    rules_notation notation;
    if (!game || !find_notation(game, notation_name, &notation))
        return STATUS_USAGE;
    if (argc <= 1)
        return list_openings(game, "", json);
    if (argc == 2 && is_code(argv[1]))
        return list_openings(game, argv[1], json);
    return show_position(game, notation, json, argc - 1, argv + 1);
}
