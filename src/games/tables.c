#include "games/tables.h"

#include "base/minmax.h"

#include <stdlib.h>

struct game_tables {
    kraton_tb *by_rules[TB_CONVENTIONS];
    kraton_tb_listener *tell;
    void *context;
    char last[sizeof((fault *)0)->line]; // told last
};

// --- opening ------------------------------------------------------------------------------------

// What is wrong with the folder is wrong for both conventions, and told once.
static void tell_once(void *context, const char *line) {
    game_tables *t = context;
    if (strcmp(line, t->last) == 0)
        return;
    writer w = writer_on(t->last, sizeof t->last);
    write_string(&w, line);
    if (t->tell)
        t->tell(t->context, line);
}

game_tables *game_tables_open(const rules_game *game, const char *folder, kraton_tb_listener *tell,
                              void *context) {
    if (game != tb_game())
        return NULL;
    game_tables *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->tell = tell;
    t->context = context;
    for (int rules = 0; rules < TB_CONVENTIONS; rules++)
        t->by_rules[rules] = kraton_tb_open(folder, rules, 0, tell_once, t);
    if (game_tables_pieces(t) > 0)
        return t;
    game_tables_close(t);
    return NULL;
}

void game_tables_close(game_tables *t) {
    for (int rules = 0; t && rules < TB_CONVENTIONS; rules++)
        kraton_tb_close(t->by_rules[rules]);
    free(t);
}

int game_tables_pieces(const game_tables *t) {
    int most = 0;
    for (int rules = 0; rules < TB_CONVENTIONS; rules++) {
        int pieces = t->by_rules[rules] ? kraton_tb_pieces(t->by_rules[rules]) : 0;
        most = max_int(pieces, most);
    }
    return most;
}

kraton_tb *game_tables_for(const game_tables *t, const rules_set *set) {
    tb_rules rules;
    if (!t || !tb_rules_of_set(set, &rules) || !t->by_rules[rules])
        return NULL;
    bool in_time = !set->no_capture || kraton_tb_longest(t->by_rules[rules]) <= set->no_capture;
    return in_time ? t->by_rules[rules] : NULL;
}

bool game_tables_judge(void *tables, const rules_state *state, rules_outcome *outcome) {
    kraton_tb *known = game_tables_for(tables, rules_set_of(state));
    if (!known || rules_no_capture_plies(state) != 0)
        return false;
    int value = tb_state_value(known, state);
    if (value == KRATON_TB_UNKNOWN)
        return false;
    bool first_moves = rules_side_to_move(state) == 0;
    *outcome = value == KRATON_TB_DRAW                   ? RULES_DRAW
               : (value == KRATON_TB_WIN) == first_moves ? RULES_FIRST_WINS
                                                         : RULES_SECOND_WINS;
    return true;
}

// --- advice -------------------------------------------------------------------------------------

// A root move, and its value with the history regarded.
typedef struct {
    tb_move move;
    int value;
} option;

static int value_of(rules_outcome outcome, int side) {
    return outcome == RULES_DRAW                          ? TB_DRAW
           : (outcome == RULES_FIRST_WINS) == (side == 0) ? TB_WIN
                                                          : TB_LOSS;
}

// The least that is left of a value when the other side may end the game by its next move.
static int fear_replies(rules_state *state, int side, int value) {
    rules_move replies[RULES_MAX_MOVES];
    fault why;
    int n = rules_legal_moves(state, replies);
    for (int i = 0; i < n; i++) {
        if (rules_is_capture(state, replies[i]) || !rules_play(state, replies[i], &why))
            continue;
        rules_verdict verdict = rules_result(state);
        if (verdict.outcome != RULES_ONGOING && value_of(verdict.outcome, side) < value)
            value = value_of(verdict.outcome, side);
        rules_undo(state);
    }
    return value;
}

static bool has_distance(const option *o) { return o->move.distance != KRATON_TB_NO_DISTANCE; }

// A forced capture that comes too late for the no-capture limit does not come at all, and the game
// ends as by waiting; a move that ends the game has the value of that end.
static bool regard_history(option *o, rules_state *state, int waiting) {
    const rules_set *set = rules_set_of(state);
    int side = rules_side_to_move(state), plies = rules_no_capture_plies(state);
    fault why;
    o->value = o->move.value;
    if (o->move.captures)
        return true;
    if (o->move.value != waiting && has_distance(o) && set->no_capture &&
        plies + o->move.distance > set->no_capture)
        o->value = waiting;
    if (!rules_play(state, o->move.move, &why))
        return false;
    rules_verdict verdict = rules_result(state);
    if (verdict.outcome != RULES_ONGOING)
        o->value = value_of(verdict.outcome, side);
    else if (o->value > waiting)
        o->value = fear_replies(state, side, o->value);
    rules_undo(state);
    return true;
}

// Whether a is to be preferred to b: 1, 0 or -1. Moves that wait are alike, and so are those of
// unknown distance; the search chooses.
static int compare(const option *a, const option *b, int waiting) {
    if (a->value != b->value)
        return a->value > b->value ? 1 : -1;
    if (a->value == waiting || !has_distance(a) || !has_distance(b))
        return 0;
    int shorter = (a->move.distance < b->move.distance) - (a->move.distance > b->move.distance);
    return a->value > waiting ? shorter : -shorter;
}

int game_tables_advise(const game_tables *t, rules_state *state,
                       rules_move moves[RULES_MAX_MOVES]) {
    const rules_set *set = rules_set_of(state);
    tb_rules rules;
    kraton_tb *tables = game_tables_for(t, set);
    if (!tables || !tb_rules_of_set(set, &rules))
        return 0;
    int side = rules_side_to_move(state);
    int own = rules_piece_count(state, side), other = rules_piece_count(state, side ^ 1);
    if (own + other > kraton_tb_pieces(tables))
        return 0;
    int waiting = tb_waiting_value(rules, own, other), count = 0;
    tb_move ranked[RULES_MAX_MOVES];
    int n = tb_state_moves(tables, rules, state, ranked);
    option best = {.value = -2};
    for (int i = 0; i < n; i++) {
        option now = {.move = ranked[i]};
        if (!regard_history(&now, state, waiting))
            return 0;
        int better = count ? compare(&now, &best, waiting) : 1;
        if (better > 0) {
            best = now;
            count = 0;
        }
        if (better >= 0)
            moves[count++] = now.move.move;
    }
    return count;
}
