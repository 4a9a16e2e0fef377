#include "tablebase/surakarta/solve.h"

#include <assert.h>
#include <stdlib.h>

enum { UNKNOWN = 2 };

// What is looked for in one sweep over a table.
typedef struct {
    int goal;            // TB_WIN, and then, where one side must not wait, TB_DRAW
    bool attack, defend; // whether the movers, and whether the others, may force it
    int round;           // the distance now due
} sweep;

tb_entry tb_solution_look_up(const tb_solution *solution, const sk_pos *pos) {
    tb_placement p = tb_placement_of(pos);
    if (p.movers == 0)
        return (tb_entry){TB_LOSS, 0};
    if (p.others == 0)
        return (tb_entry){TB_WIN, 0};
    int movers = bits_count(p.movers), others = bits_count(p.others);
    const tb_entry *table = solution->table[movers][others];
    assert(table != NULL);
    return table[tb_rank(&solution->split[movers][others], p)];
}

// Settles a position whose value is the goal in this round, for the movers or for the others. What
// this round itself found counts from the next one on.
static bool settle(const tb_solution *s, const sk_pos *pos, sweep now, tb_entry *entry) {
    rules_move moves[SK_MAX_MOVES];
    int n = sk_generate(pos, moves);
    bool forced = now.defend, kept = false; // all moves give the others the goal, one just that
    for (int i = 0; i < n && (now.attack || forced); i++) {
        sk_pos after = *pos;
        bool captured = sk_make(&after, moves[i]);
        tb_entry next = tb_solution_look_up(s, &after);
        bool found_now = abs(next.value) == now.goal && next.distance == now.round;
        bool known = captured || (next.value != UNKNOWN && !found_now);
        if (now.attack && known && next.value == -now.goal) {
            *entry = (tb_entry){(int8_t)now.goal, (uint8_t)now.round};
            return true;
        }
        forced = forced && known && next.value >= now.goal;
        kept = kept || next.value == now.goal;
    }
    if (forced && kept)
        *entry = (tb_entry){(int8_t)-now.goal, (uint8_t)now.round};
    return forced && kept;
}

static sk_pos position_at(const tb_split *split, uint64_t index) {
    tb_placement p = tb_unrank(split, index);
    return sk_set_up(p.movers, p.others, SK_BLACK);
}

static bool sweep_table(tb_solution *s, int movers, int others, sweep now) {
    const tb_split *split = &s->split[movers][others];
    tb_entry *table = s->table[movers][others];
    bool changed = false;
    for (uint64_t i = 0; i < split->size; i++) {
        if (table[i].value != UNKNOWN)
            continue;
        sk_pos pos = position_at(split, i);
        changed |= settle(s, &pos, now, &table[i]);
    }
    return changed;
}

// Finds all positions between so many pieces where the goal can be forced. Who may: the side for
// which it is better than waiting.
static void force(tb_solution *s, int a, int b, int goal) {
    bool both = s->rules == TB_TRADITIONAL || a == b; // waiting draws, nobody is content with it
    bool changed = true;
    for (int round = 1; changed; round++) {
        assert(round <= UINT8_MAX);
        changed = sweep_table(s, a, b, (sweep){goal, both || a < b, both || b < a, round});
        if (a != b)
            changed |= sweep_table(s, b, a, (sweep){goal, both || b < a, both || a < b, round});
    }
}

// What nobody can force otherwise has the waiting value.
static void let_wait(tb_solution *s, int movers, int others) {
    int value = s->rules == TB_TRADITIONAL ? TB_DRAW : (movers > others) - (movers < others);
    for (uint64_t i = 0; i < s->split[movers][others].size; i++)
        if (s->table[movers][others][i].value == UNKNOWN)
            s->table[movers][others][i] = (tb_entry){(int8_t)value, 0};
}

static bool make_table(tb_solution *s, int movers, int others) {
    tb_split split = tb_split_of(movers, others);
    tb_entry *table = malloc(split.size * sizeof *table);
    s->split[movers][others] = split;
    s->table[movers][others] = table;
    for (uint64_t i = 0; table && i < split.size; i++)
        table[i] = (tb_entry){UNKNOWN, 0};
    return table != NULL;
}

// a is at least b.
static bool solve_pair(tb_solution *s, int a, int b) {
    if (!make_table(s, a, b) || (a != b && !make_table(s, b, a)))
        return false;
    force(s, a, b, TB_WIN);
    if (s->rules == TB_COUNT && a != b)
        force(s, a, b, TB_DRAW);
    let_wait(s, a, b);
    if (a != b)
        let_wait(s, b, a);
    return true;
}

bool tb_solve(tb_solution *solution, tb_rules rules, int pieces) {
    assert(pieces >= 2 && pieces <= TB_MAX_PIECES);
    *solution = (tb_solution){.rules = rules};
    for (int n = 2; n <= pieces; n++)
        for (int b = 1; b <= n / 2; b++)
            if (!solve_pair(solution, n - b, b))
                return false;
    return true;
}

void tb_solution_free(tb_solution *solution) {
    for (int a = 0; a < TB_MAX_PIECES; a++)
        for (int b = 0; b < TB_MAX_PIECES; b++)
            free(solution->table[a][b]);
    *solution = (tb_solution){.rules = solution->rules};
}

tb_tally tb_solution_tally(const tb_solution *solution, int movers, int others) {
    const tb_split *split = &solution->split[movers][others];
    tb_tally tally = {0};
    for (uint64_t i = 0; i < split->size; i++) {
        tb_entry e = solution->table[movers][others][i];
        uint64_t weight = (uint64_t)tb_weight(split, i);
        *(e.value == TB_WIN    ? &tally.win
          : e.value == TB_LOSS ? &tally.loss
                               : &tally.draw) += weight;
        if (e.value == TB_WIN && e.distance > tally.longest_win)
            tally.longest_win = e.distance;
        if (e.value == TB_LOSS && e.distance > tally.longest_loss)
            tally.longest_loss = e.distance;
    }
    return tally;
}
