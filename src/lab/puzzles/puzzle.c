#include "lab/puzzles/puzzle.h"

#include "base/minmax.h"

#include <stdlib.h>

enum { RANGES = 4, EASIEST = 1000, RANGE_WIDTH = 300 }; // below 1000, 1300, 1600, and above

const char *puzzle_kind_name(puzzle_kind kind) {
    static const char *const names[PUZZLE_KINDS] = {"mate", "tactic", "loop", "draw", "win"};
    return names[kind];
}

static int range_of(const puzzle *p) {
    return max_int(
        0, min_int(RANGES - 1, (p->rating - EASIEST) / RANGE_WIDTH + (p->rating >= EASIEST)));
}

static int cell_of(const puzzle *p) { return (int)p->kind * RANGES + range_of(p); }

static int compare(const void *a, const void *b) {
    const puzzle *one = a, *other = b;
    return one->rating != other->rating ? one->rating - other->rating
                                        : strcmp(one->fen, other->fen);
}

int puzzles_choose(puzzle *list, int count, int wanted) {
    int chosen = 0;
    bool found = true;
    while (chosen < wanted && found) {
        found = false;
        for (int cell = 0; cell < PUZZLE_KINDS * RANGES && chosen < wanted; cell++)
            for (int i = chosen; i < count; i++)
                if (cell_of(&list[i]) == cell) {
                    puzzle taken = list[i];
                    memmove(&list[chosen + 1], &list[chosen], (size_t)(i - chosen) * sizeof *list);
                    list[chosen++] = taken;
                    found = true;
                    break;
                }
    }
    qsort(list, (size_t)chosen, sizeof *list, compare);
    return chosen;
}

bool puzzle_write(FILE *to, int number, const puzzle *p, rules_state *state) {
    fault why;
    if (!rules_set_fen(state, text_of(p->fen), &why))
        return false;
    fprintf(to, "%d | %s | %d | %s |", number, puzzle_kind_name(p->kind), p->rating, p->fen);
    for (int i = 0; i < p->count; i++) {
        char move[RULES_MOVE_SIZE];
        writer w = writer_on(move, sizeof move);
        rules_format_move(state, p->moves[i], NOTATION_NATIVE, &w);
        fprintf(to, " %s", move);
        if (!rules_play(state, p->moves[i], &why))
            return false;
    }
    fputc('\n', to);
    return true;
}
