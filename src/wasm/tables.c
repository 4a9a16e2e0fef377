#include "wasm/tables.h"

#include "tablebase/tablebase.h"

// By convention; NULL: not built yet. Alive until the page's worker ends.
static kraton_tb *open[TB_CONVENTIONS];

static void ignore_line(void *context, const char *line) {
    (void)context;
    (void)line;
}

static void ignore_progress(void *context, const tb_build *build) {
    (void)context;
    (void)build;
}

static bool make(tb_rules rules, fault *why) {
    static tb_build build; // too large for the stack
    tb_build_plan plan = {.dir = WASM_TABLES_FOLDER,
                          .rules = rules,
                          .pieces = WASM_TABLES_PIECES,
                          .threads = 1,
                          .memory = UINT64_MAX};
    if (open[rules])
        return true;
    if (!tb_build_prepare(&build, &plan, ignore_line, NULL, why))
        return false;
    bool fine = tb_build_run(&build, ignore_progress, NULL, why);
    tb_build_release(&build);
    if (fine)
        open[rules] = kraton_tb_open(WASM_TABLES_FOLDER, (int)rules, 0, NULL, NULL);
    return open[rules] || (fine && fault_set(why, "out of memory"));
}

bool wasm_tables_make(const rules_game *game, fault *why) {
    if (game != tb_game())
        return fault_set(why, "there are tables of %s only", rules_properties_of(tb_game())->title);
    for (int rules = 0; rules < TB_CONVENTIONS; rules++)
        if (!make((tb_rules)rules, why))
            return false;
    return true;
}

static const char *name_of(int value) {
    return value == TB_WIN ? "win" : value == TB_LOSS ? "loss" : "draw";
}

bool wasm_tables_write(const rules_state *state, writer *out, fault *why) {
    tb_rules rules;
    tb_move moves[RULES_MAX_MOVES];
    int pieces = rules_piece_count(state, 0) + rules_piece_count(state, 1);
    if (!wasm_tables_make(rules_game_of(state), why))
        return false;
    if (!tb_rules_of_set(rules_set_of(state), &rules))
        return fault_set(why, "no tables know how games by these rules end");
    int value = tb_state_value(open[rules], state);
    int count = value == KRATON_TB_UNKNOWN ? -1 : tb_state_moves(open[rules], rules, state, moves);
    if (count < 0)
        return fault_set(why, "no table for %d pieces here", pieces);
    write_format(out, "probed %d;%s;%s;%d", pieces, tb_rules_name(rules), name_of(value),
                 tb_state_distance(open[rules], state));
    for (int i = 0; i < count; i++) {
        write_string(out, ";");
        rules_format_move(state, moves[i].move, NOTATION_NATIVE, out);
        write_format(out, " %d %s %d", moves[i].captures, name_of(moves[i].value),
                     moves[i].distance);
    }
    return true;
}
