// An engine with endgame tables: what it is advised to play keeps what the tables promise, and the
// search believes them right after captures.
#include "search_common.h"

#include "games/tables.h"
#include "search/types.h"
#include "tables_made.h"

#define GAME "surakarta"

static tables_made made;
static game_tables *tables;

static int prepare(void **state) {
    (void)state;
    if (!made_write(&made))
        return -1;
    tables = game_tables_open(rules_find(text_of(GAME)), made.dir, NULL, NULL);
    return tables ? 0 : -1;
}

static int release(void **state) {
    (void)state;
    game_tables_close(tables);
    return made_remove(&made);
}

static int value_for(rules_outcome outcome, int side) {
    return outcome == RULES_DRAW || outcome == RULES_ONGOING ? TB_DRAW
           : (outcome == RULES_FIRST_WINS) == (side == 0)    ? TB_WIN
                                                             : TB_LOSS;
}

// A random position of a split under a rule set, with its value for the side to move (Black).
static rules_state *random_state(rng *dice, const char *rules, int *value) {
    rules_state *state = state_of(GAME, rules, NULL);
    tb_rules convention;
    assert_true(tb_rules_of_set(rules_set_of(state), &convention));
    const tb_solution *s = &made.solutions[convention];
    int n = 2 + (int)rng_below(dice, MADE_PIECES - 1),
        a = 1 + (int)rng_below(dice, (uint32_t)n - 1);
    uint64_t index = rng_next(dice) % s->split[a][n - a].size;
    tb_placement p = tb_unrank(&s->split[a][n - a], index);
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    for (int point = 0; point < SK_POINTS; point++) {
        if (point % 6 == 0 && point)
            write_char(&w, '/');
        write_char(&w, p.movers >> point & 1 ? 'b' : p.others >> point & 1 ? 'w' : '1');
    }
    write_string(&w, " b 0 1");
    assert_true(rules_set_fen(state, text_of(fen), NULL));
    *value = s->table[a][n - a][index].value;
    return state;
}

// Black plays any of the moves it is advised, White any move: Black gets at least its value.
static void check_advice(rng *dice, const char *rules) {
    int value;
    rules_state *state = random_state(dice, rules, &value);
    for (int ply = 0; ply < 300 && rules_result(state).outcome == RULES_ONGOING; ply++) {
        rules_move moves[RULES_MAX_MOVES];
        int n =
            ply % 2 ? rules_legal_moves(state, moves) : game_tables_advise(tables, state, moves);
        assert_true(n > 0);
        assert_true(rules_play(state, moves[rng_below(dice, (uint32_t)n)], NULL));
    }
    int got = value_for(rules_result(state).outcome, 0);
    if (got < value) {
        char fen[RULES_FEN_SIZE];
        writer w = writer_on(fen, sizeof fen);
        rules_format_fen(state, &w);
        fail_msg("%s: %d instead of %d, %s", rules, got, value, fen);
    }
    free(state);
}

static void advice_keeps_the_value(void **unused) {
    (void)unused;
    static const char *const rules[] = {"icga", "olympiad2023", "traditional"};
    rng dice = {8};
    for (int i = 0; i < 1500; i++)
        check_advice(&dice, rules[i % 3]);
}

static void remove_distances(const char *dir) {
    char path[TB_PATH_SIZE];
    for (int rules = 0; rules < TB_CONVENTIONS; rules++)
        for (int a = 1; a < MADE_PIECES; a++)
            for (int b = 1; a + b <= MADE_PIECES; b++)
                if (tb_file_path(path, dir, TB_DISTANCES, (tb_rules)rules, a, b))
                    unlink(path);
}

// Compresses the values, so that no file is as it was.
static void pack_all(const char *dir) {
    char path[TB_PATH_SIZE];
    fault why;
    for (int rules = 0; rules < TB_CONVENTIONS; rules++)
        for (int a = 1; a < MADE_PIECES; a++)
            for (int b = 1; a + b <= MADE_PIECES; b++) {
                tb_reader values;
                assert_int_equal(
                    tb_reader_open(&values, dir, TB_VALUES, (tb_rules)rules, a, b, &why),
                    TB_FILE_FINE);
                assert_true(tb_pack_values(&values, dir, &why));
                tb_reader_close(&values);
                assert_true(tb_file_path(path, dir, TB_VALUES, (tb_rules)rules, a, b));
                unlink(path);
            }
}

// Values alone, compressed: the moves advised are those that keep the value, and the search
// chooses.
static void advice_without_distances(void **unused) {
    (void)unused;
    tables_made other;
    assert_true(made_write(&other));
    remove_distances(other.dir);
    pack_all(other.dir);
    game_tables *values = game_tables_open(rules_find(text_of(GAME)), other.dir, NULL, NULL);
    assert_non_null(values);
    assert_int_equal(game_tables_pieces(values), MADE_PIECES);
    rng dice = {9};
    for (int i = 0; i < 500; i++) {
        int value;
        rules_move moves[RULES_MAX_MOVES];
        rules_state *state = random_state(&dice, i % 2 ? "icga" : "traditional", &value);
        int n = game_tables_advise(values, state, moves);
        assert_int_equal(n == 0, rules_result(state).outcome != RULES_ONGOING);
        for (int k = 0; k < n; k++) {
            kraton_tb *known = game_tables_for(tables, rules_set_of(state));
            assert_true(rules_play(state, moves[k], NULL));
            int after = rules_result(state).outcome == RULES_ONGOING
                            ? -tb_state_value(known, state)
                            : value_for(rules_result(state).outcome, 0);
            assert_int_equal(after, value);
            rules_undo(state);
        }
        free(state);
    }
    game_tables_close(values);
    made_remove(&other);
}

// Forced wins are played the shortest way, until the count leaves no time for them.
static void advice_regards_the_limit(void **unused) {
    (void)unused;
    rules_move moves[RULES_MAX_MOVES];
    rules_state *early = state_of(GAME, "icga", "wb3w/6/6/6/6/6 b 47 30");
    rules_state *late = state_of(GAME, "icga", "wb3w/6/6/6/6/6 b 48 30");
    assert_int_equal(game_tables_advise(tables, early, moves), 3);
    assert_int_equal(game_tables_advise(tables, late, moves), 4);
    free(early);
    free(late);
}

// No table knows how these games end.
static void other_rules_are_left_alone(void **unused) {
    (void)unused;
    rules_move moves[RULES_MAX_MOVES];
    static const char *const rules[] = {"icga,no-capture-end=draw", "icga,no-capture=5",
                                        "traditional,no-move-end=count"};
    for (int i = 0; i < 3; i++) {
        rules_state *state = state_of(GAME, rules[i], "b1bw1w/6/6/6/6/6 b 0 1");
        assert_int_equal(game_tables_advise(tables, state, moves), 0);
        assert_null(game_tables_for(tables, rules_set_of(state)));
        free(state);
    }
    assert_null(game_tables_for(NULL, &(rules_set){0}));
    assert_null(game_tables_open(rules_find(text_of("xiangqi")), made.dir, NULL, NULL));
}

// Among positions of five pieces with a capture into a table: the search finds the table's word.
static void search_asks_the_tables(void **unused) {
    (void)unused;
    search *s = search_new();
    rules_state *state = state_of(GAME, "traditional", "6/1b2b1/6/2w3/4w1/5w b 0 1");
    search_result without = think_about(s, state, (search_limits){.depth = 1});
    search_set_tables(s, tables);
    search_clear(s);
    search_result with = think_about(s, state, (search_limits){.depth = 4});
    assert_true(with.score > -SCORE_MATE && without.score < SCORE_DECIDED);
    sk_pos pos = sk_set_up(sk_bit(7) | sk_bit(10), sk_bit(20) | sk_bit(28) | sk_bit(35), SK_BLACK);
    rules_move captures[SK_MAX_CAPTURES];
    int n = sk_generate_captures(&pos, captures), best = -1;
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        sk_pos after = pos;
        sk_make(&after, captures[i]);
        int value = -tb_solution_look_up(&made.solutions[TB_TRADITIONAL], &after).value;
        best = value > best ? value : best;
    }
    assert_int_equal(best, TB_WIN);
    assert_int_equal(with.score, SCORE_TABLE - 1);
    free(state);
    search_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advice_keeps_the_value),   cmocka_unit_test(advice_without_distances),
        cmocka_unit_test(advice_regards_the_limit), cmocka_unit_test(other_rules_are_left_alone),
        cmocka_unit_test(search_asks_the_tables),
    };
    return cmocka_run_group_tests(tests, prepare, release);
}
