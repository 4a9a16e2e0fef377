// Endgame tables of libkraton: the prober under the names of kraton.h.
#include "lib/lib.h"
#include "tablebase/tablebase.h"

#include <stdlib.h>

struct kraton_tables {
    kraton_tb *tables; // owned
    tb_rules rules;
};

_Static_assert((int)KRATON_LOSS == (int)KRATON_TB_LOSS &&
                   (int)KRATON_DRAWN == (int)KRATON_TB_DRAW &&
                   (int)KRATON_WIN == (int)KRATON_TB_WIN &&
                   (int)KRATON_UNKNOWN == (int)KRATON_TB_UNKNOWN,
               "values");
_Static_assert((int)KRATON_NO_DISTANCE == (int)KRATON_TB_NO_DISTANCE, "distances");
_Static_assert((int)KRATON_TABLES_TRUST == (int)KRATON_TB_TRUST &&
                   (int)KRATON_TABLES_LOAD == (int)KRATON_TB_LOAD,
               "ways to open");

static bool find_rules(const char *name, tb_rules *rules, fault *why) {
    rules_set set = rules_default_set(tb_game());
    if (name && tb_rules_find(text_of(name), rules))
        return true;
    if (name && !rules_set_parse(tb_game(), text_of(name), &set, why))
        return false;
    return tb_rules_of_set(&set, rules) ||
           fault_set(why, "no tables can serve these rules: %s",
                     name ? fault_quote(text_of(name)).shown : "default");
}

kraton_tables *kraton_tables_open(const char *folder, const char *rules, unsigned how,
                                  kraton_listener *listener, void *context, kraton_error *error) {
    LIB_NEED(folder, "folder", error, NULL);
    tb_rules convention;
    fault why;
    if (!find_rules(rules, &convention, &why)) {
        lib_refuse(error, &why);
        return NULL;
    }
    kraton_tables *t = malloc(sizeof *t);
    kraton_tb *tables = t ? kraton_tb_open(folder, (int)convention, how, listener, context) : NULL;
    if (!tables) {
        fault_set(&why, "%s: no %s tables that can be used", folder, tb_rules_name(convention));
        lib_refuse(error, &why);
        free(t);
        return NULL;
    }
    *t = (kraton_tables){tables, convention};
    return t;
}

void kraton_tables_close(kraton_tables *t) {
    if (t)
        kraton_tb_close(t->tables);
    free(t);
}

int kraton_tables_pieces(const kraton_tables *t) { return t ? kraton_tb_pieces(t->tables) : 0; }

int kraton_tables_longest(const kraton_tables *t) { return t ? kraton_tb_longest(t->tables) : 0; }

static bool can_ask(const kraton_tables *t, const kraton_position *p) {
    return t && p && rules_game_of(p->state) == tb_game();
}

int kraton_tables_probe(kraton_tables *t, const kraton_position *p, int *distance) {
    bool has_tables = can_ask(t, p);
    if (distance)
        *distance = has_tables ? tb_state_distance(t->tables, p->state) : KRATON_NO_DISTANCE;
    return has_tables ? tb_state_value(t->tables, p->state) : KRATON_UNKNOWN;
}

int kraton_tables_moves(kraton_tables *t, const kraton_position *p,
                        kraton_table_move moves[KRATON_MAX_MOVES]) {
    tb_move found[RULES_MAX_MOVES];
    int n = moves && can_ask(t, p) ? tb_state_moves(t->tables, t->rules, p->state, found) : -1;
    for (int i = 0; i < n; i++)
        moves[i] = (kraton_table_move){found[i].move, found[i].value, found[i].distance};
    return n;
}

int kraton_tables_value(const kraton_tables *t, uint64_t movers, uint64_t others) {
    return t ? kraton_tb_value(t->tables, movers, others) : KRATON_UNKNOWN;
}

int kraton_tables_distance(kraton_tables *t, uint64_t movers, uint64_t others) {
    return t ? kraton_tb_distance(t->tables, movers, others) : KRATON_NO_DISTANCE;
}

kraton_spot kraton_tables_find(const kraton_tables *t, uint64_t movers, uint64_t others) {
    LIB_NEED(t, "tables", NULL, (kraton_spot){0});
    kraton_tb_spot spot = kraton_tb_find(t->tables, movers, others);
    return (kraton_spot){spot.byte, spot.digit};
}

int kraton_tables_value_at(kraton_spot spot) {
    return kraton_tb_value_at((kraton_tb_spot){spot.byte, spot.digit});
}

bool kraton_tables_nth(const kraton_tables *t, int n, kraton_split *split) {
    kraton_tb_split found;
    if (!t || !split || n < 0 || !kraton_tb_nth(t->tables, n, &found))
        return false;
    *split = (kraton_split){.movers = found.movers,
                            .others = found.others,
                            .has_distances = found.has_distances,
                            .longest_win = found.longest_win,
                            .longest_loss = found.longest_loss,
                            .entries = found.entries,
                            .win = found.win,
                            .draw = found.draw,
                            .loss = found.loss};
    return true;
}
