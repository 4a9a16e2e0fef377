#include "lab/bench/bench.h"

#include "base/rng.h"
#include "records/record.h"

#include <stdlib.h>

enum { ROUNDS = 5, GAMES = 400, PLIES = 80 };

// The same games as files of one format: one file of all of them, or a file each.
typedef struct {
    const rules_game *game;
    record_format format;
    buffer bytes;
    size_t starts[GAMES + 1]; // of the files
    int files;
} shelf;

// A game of random moves, with the headings that records usually have.
static bool make_game(record *r, const rules_game *game, rng *dice) {
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(PLIES + 1));
    bool good = memory != NULL;
    record_init(r, game);
    for (int side = 0; side < 2; side++) {
        writer w = writer_on(side ? r->second : r->first, sizeof r->first);
        write_format(&w, "Player %u", (unsigned)rng_below(dice, 100));
    }
    writer w = writer_on(r->date, sizeof r->date);
    write_string(&w, "2026.11.16");
    r->result = RULES_DRAW;
    rules_state *s = good ? rules_state_new(memory, game, &set, PLIES + 1) : NULL;
    for (int i = 0; good && i < PLIES && rules_result(s).outcome == RULES_ONGOING; i++) {
        rules_move moves[RULES_MAX_MOVES];
        rules_move move = moves[rng_below(dice, (uint32_t)rules_legal_moves(s, moves))];
        good = rules_play(s, move, NULL) && record_add_move(r, move);
    }
    if (good && rules_result(s).outcome != RULES_ONGOING)
        r->result = rules_result(s).outcome;
    free(memory);
    return good;
}

static bool fill_shelf(shelf *to, rules_notation notation, fault *why) {
    rng dice = {18};
    bool good = true;
    for (int i = 0; good && i < GAMES; i++) {
        record r;
        if (i == 0 || record_format_is_single(to->format))
            to->starts[to->files++] = to->bytes.len;
        good = (make_game(&r, to->game, &dice) || fault_set(why, "out of memory")) &&
               record_write_as(&r, to->format, notation, &to->bytes, why) &&
               (!to->bytes.failed || fault_set(why, "out of memory"));
        record_free(&r);
    }
    to->starts[to->files] = to->bytes.len;
    return good;
}

// Reads all games; returns how many were good.
static uint64_t read_shelf(void *what) {
    const shelf *from = what;
    uint64_t good = 0;
    record r;
    record_init(&r, from->game);
    for (int i = 0; i < from->files; i++) {
        text file = {from->bytes.bytes + from->starts[i], from->starts[i + 1] - from->starts[i]};
        record_reader reader = record_read(file, from->format, from->game);
        record_status status;
        fault why;
        while ((status = record_next(&reader, &r, &why)) != RECORD_END)
            good += status == RECORD_OK;
        record_close(&reader);
    }
    record_free(&r);
    return good;
}

static bool compare(FILE *out, const char *name, shelf *one, rules_notation notation,
                    shelf *plain) {
    fault why;
    bool good = fill_shelf(one, notation, &why);
    if (!good)
        fprintf(out, "  %-30s %s\n", name, why.line);
    if (good) {
        bench_result r =
            bench_compare(bench_here(read_shelf, one), bench_here(read_shelf, plain), ROUNDS);
        bench_print_row(out, name, &r, 1);
        good = r.work[0] == GAMES && r.work[1] == GAMES;
        if (!good)
            fprintf(out, "  only %llu of %d games were read\n", (unsigned long long)r.work[0],
                    (int)GAMES);
    }
    buffer_free(&one->bytes);
    free(one);
    return good;
}

int bench_records(FILE *out) {
    static const struct {
        const char *name;
        record_format format;
        rules_notation notation;
    } rows[] = {{"PGN, squares", RECORD_PGN, NOTATION_ICCS},
                {"PGN, WXF", RECORD_PGN, NOTATION_WXF},
                {"PGN, Chinese", RECORD_PGN, NOTATION_CHINESE},
                {"DhtmlXQ, a file a game", RECORD_DHTMLXQ, NOTATION_NATIVE},
                {"JSON", RECORD_JSON, NOTATION_NATIVE},
                {"XQF, a file a game", RECORD_XQF, NOTATION_NATIVE}};
    const rules_game *game = rules_find(text_of("xiangqi"));
    shelf *plain = calloc(1, sizeof *plain);
    fault why = {"out of memory"};
    bool good = plain != NULL;
    if (good) {
        *plain = (shelf){.game = game, .format = RECORD_MOVES};
        good = fill_shelf(plain, NOTATION_NATIVE, &why);
    }
    if (!good)
        fprintf(out, "%s\n", why.line);
    else
        bench_print_title(out, "Xiangqi games of 80 plies read a second", "format", "moves");
    for (size_t i = 0; good && i < sizeof rows / sizeof rows[0]; i++) {
        shelf *one = calloc(1, sizeof *one);
        good = one != NULL;
        if (good) {
            *one = (shelf){.game = game, .format = rows[i].format};
            good = compare(out, rows[i].name, one, rows[i].notation, plain);
        }
    }
    if (plain)
        buffer_free(&plain->bytes);
    free(plain);
    return good ? 0 : 1;
}
