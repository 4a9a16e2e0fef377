// SAU at both ends.
#include "dialect_talk.h"

static void a_game_as_black(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_SAU, "surakarta", &talk_identity);
    bool answers;
    assert_true(dialect_can_play(DIALECT_SAU, rules_find(text_of("surakarta"))));
    assert_false(dialect_can_play(DIALECT_SAU, rules_find(text_of("xiangqi"))));
    dialect_write_hello(&t->host, &t->out);
    assert_written(t, "name?\n");
    dialect_event e = says(t, "name Some Body\r");
    assert_int_equal(e.kind, EVENT_HELLO);
    assert_text(e.text, "Some Body");
    assert_string_equal(t->host.name, "Some Body");
    dialect_write_new_game(&t->host, 0, &talk_no_limits, &answers, &t->out);
    assert_false(answers);
    assert_true(dialect_begin(&t->host, NULL, &t->out));
    assert_written(t, ""); // it would move at once, and its clock does not run yet
    assert_int_equal(dialect_write_go(&t->host, 0, &talk_no_limits, &t->out).len, 0);
    assert_written(t, "new black\n");
    e = says(t, "move CBCC");
    assert_int_equal(e.kind, EVENT_MOVE);
    rules_move m;
    assert_true(dialect_parse_move(&t->host, t->state, e.text, &m, NULL));
    assert_int_equal(m, move_in(t->state, "c5-c4"));
    dialect_write_retry(&t->host, &t->out);
    assert_written(t, "error\n");
    talk_play(t, "c5-c4", true);
    talk_play(t, "c2-c3", false);
    assert_written(t, "");
    dialect_write_go(&t->host, 0, &talk_no_limits, &t->out);
    assert_written(t, "move CECD\n");
    dialect_write_result(&t->host, RULES_FIRST_WINS, "because", &t->out);
    dialect_write_result(&t->host, RULES_SECOND_WINS, "because", &t->out);
    dialect_write_result(&t->host, RULES_DRAW, "because", &t->out);
    dialect_write_quit(&t->host, &t->out);
    assert_written(t, "end black\nend white\nend\nquit\n");
    assert_int_equal(says(t, "thinking...").kind, EVENT_NONE);
    assert_int_equal(says(t, "move").kind, EVENT_MOVE);
    assert_int_equal(says(t, "noise \x01\x02").kind, EVENT_MALFORMED);
    talk_free(t);
}

static void a_game_as_white(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_SAU, "surakarta", &talk_identity);
    bool answers;
    dialect_write_new_game(&t->host, 1, &talk_no_limits, &answers, &t->out);
    assert_written(t, "new white\n");
    talk_play(t, "c5-c4", false);
    dialect_write_go(&t->host, 1, &talk_no_limits, &t->out);
    assert_written(t, "move CBCC\n");
    talk_free(t);
}

static void what_sau_cannot_do_is_refused(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_SAU, "surakarta", &talk_identity);
    bool answers;
    dialect_write_new_game(&t->host, 0, &talk_no_limits, &answers, &t->out);
    assert_false(dialect_begin(&t->host, "6/1bbb2/6/3w2/6/6 b 0 1", &t->out));
    assert_true(dialect_begin(&t->host, "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1", &t->out));
    rules_move m = move_in(t->state, "c5-c4");
    assert_false(dialect_played(&t->host, t->state, m, false, &t->out)); // an opening
    dialect_write_new_game(&t->host, 1, &talk_no_limits, &answers, &t->out);
    assert_true(dialect_played(&t->host, t->state, m, false, &t->out));
    assert_false(dialect_played(&t->host, t->state, m, false, &t->out));
    dialect_write_ping(&t->host, &answers, &t->out);
    assert_false(answers);
    dialect_limits l = {.clock_us = {1, 1}};
    assert_string_equal(dialect_untold_limit(DIALECT_SAU, &l), "clock");
    l = (dialect_limits){.clock_us = {-1, -1}, .depth = 3};
    assert_string_equal(dialect_untold_limit(DIALECT_SAU, &l), "depth");
    talk_free(t);
}

static void an_engine_speaks_sau(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_SAU, "surakarta", &talk_identity);
    assert_answer(t, "name?", "name Tester 1\n");
    dialect_command c = told(t, "new black");
    assert_int_equal(c.kind, COMMAND_GO);
    assert_true(c.is_new_game);
    // It is thinking: nothing can have been played meanwhile, rightly or wrongly.
    assert_answer(t, "error", "");
    assert_answer(t, "move CBCC", "");
    assert_int_equal(rules_ply(t->engine.state), 0);
    rules_move first = move_in(t->engine.state, "c5-c4"),
               second = move_in(t->engine.state, "d5-d4");
    dialect_engine_write_info(&t->engine, &(dialect_report){.depth = 1}, &t->out);
    dialect_engine_write_words(&t->engine, text_of("hello"), &t->out);
    dialect_engine_write_move(&t->engine, &(dialect_answer){.move = first}, &t->out);
    assert_written(t, "move CBCC\n");
    assert_int_equal(rules_ply(t->engine.state), 1);
    // It is refused, so another one is wanted.
    c = told(t, "error");
    assert_int_equal(c.kind, COMMAND_GO);
    assert_int_equal(rules_ply(t->engine.state), 0);
    assert_int_equal(c.go.allowed_count, 15);
    for (int i = 0; i < c.go.allowed_count; i++)
        assert_int_not_equal(t->engine.allowed[i], first);
    dialect_engine_write_move(&t->engine, &(dialect_answer){.move = second}, &t->out);
    assert_written(t, "move DBDC\n");
    c = told(t, "move CECD");
    assert_int_equal(c.kind, COMMAND_GO);
    assert_int_equal(c.go.allowed_count, 0);
    assert_int_equal(rules_ply(t->engine.state), 2);
    assert_true(told(t, "end white").abandons);
    c = told(t, "new white");
    assert_int_equal(c.kind, COMMAND_NONE);
    assert_true(c.is_new_game);
    assert_int_equal(told(t, "move nonsense").kind, COMMAND_NONE);
    assert_int_equal(told(t, "move CBCC").kind, COMMAND_GO);
    assert_answer(t, "what?", "");
    assert_int_equal(told(t, "quit").kind, COMMAND_QUIT);
    talk_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_as_black),
        cmocka_unit_test(a_game_as_white),
        cmocka_unit_test(what_sau_cannot_do_is_refused),
        cmocka_unit_test(an_engine_speaks_sau),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
