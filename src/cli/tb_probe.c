// kraton tb probe: what the tables say about positions and their moves.
#include "cli/files.h"
#include "cli/tb.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE_SIZE = 256 };

typedef struct {
    kraton_tb *tables;
    tb_rules rules;
    rules_state *state; // owned
    int value, distance;
    tb_move moves[RULES_MAX_MOVES];
    int count;
} answer;

static bool look_up(answer *a, text fen, fault *why) {
    if (!rules_set_fen(a->state, fen, why))
        return false;
    int side = rules_side_to_move(a->state);
    a->value = tb_state_value(a->tables, a->state);
    a->distance = tb_state_distance(a->tables, a->state);
    a->count = tb_state_moves(a->tables, a->rules, a->state, a->moves);
    if (a->value == KRATON_TB_UNKNOWN || a->count < 0)
        return fault_set(why, "no table for %d against %d pieces",
                         rules_piece_count(a->state, side), rules_piece_count(a->state, side ^ 1));
    return true;
}

static void write_distance(writer *w, int distance) {
    if (distance == KRATON_TB_NO_DISTANCE)
        write_char(w, '?');
    else
        write_number(w, distance);
}

static void print_moves(const answer *a, const char *format, const char *between) {
    for (int i = 0; i < a->count; i++) {
        char move[RULES_MOVE_SIZE], distance[16];
        writer w = writer_on(move, sizeof move), d = writer_on(distance, sizeof distance);
        rules_format_move(a->state, a->moves[i].move, NOTATION_NATIVE, &w);
        write_distance(&d, a->moves[i].distance);
        fputs(i ? between : "", stdout);
        printf(format, move, tb_value_name(a->moves[i].value), distance);
    }
}

// A line for the position, and a line a move.
static void print_table(const answer *a) {
    char distance[16];
    writer d = writer_on(distance, sizeof distance);
    write_distance(&d, a->distance);
    printf("%-6s  %-4s %4s\n", rules_side_name(tb_game(), rules_side_to_move(a->state)),
           tb_value_name(a->value), distance);
    print_moves(a, "%-6s  %-4s %4s\n", "");
}

// One line, its parts apart by tabs: FEN, value, distance, moves.
static void print_line(const answer *a, const char *fen) {
    char distance[16];
    writer d = writer_on(distance, sizeof distance);
    write_distance(&d, a->distance);
    printf("%s\t%s\t%s\t", fen, tb_value_name(a->value), distance);
    print_moves(a, "%s=%s/%s", " ");
    putchar('\n');
}

static int answer_lines(const command *self, answer *a) {
    char line[LINE_SIZE];
    bool noise;
    int status = STATUS_OK;
    for (long number = 1; file_read_line(stdin, line, sizeof line, &noise); number++) {
        fault why;
        text fen = text_trim(text_of(line));
        if (fen.len == 0 && !noise)
            continue;
        if (noise)
            fault_set(&why, "the line is too long or has a zero byte");
        if (!noise && look_up(a, fen, &why))
            print_line(a, line);
        else
            status = complain("kraton %s: line %ld: %s", self->name, number, why.line);
    }
    return status;
}

int tb_probe(const command *self, int argc, char **argv) {
    const char *dir = NULL, *rules = NULL;
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &dir},
        {"rules", 0, "RULES", "traditional or count, or a rule set; default icga, which counts",
         .string = &rules},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    answer a;
    if (!tb_has_dir(self, dir) || !tb_find_rules(self, rules, &a.rules))
        return STATUS_USAGE;
    a.tables = tb_open(self, dir, a.rules);
    if (!a.tables)
        return STATUS_BAD;
    a.state = new_game(tb_game(), NULL, NULL);
    if (!a.state) {
        kraton_tb_close(a.tables);
        return STATUS_BAD;
    }
    fault why;
    if (argc == 0)
        status = answer_lines(self, &a);
    else if (look_up(&a, text_of(argv[0]), &why))
        print_table(&a);
    else
        status = complain("kraton %s: %s", self->name, why.line);
    free(a.state);
    kraton_tb_close(a.tables);
    return status;
}
