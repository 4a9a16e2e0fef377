// UCCI at both ends.
#include "dialect_talk.h"

static void the_handshake(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCCI, "xiangqi", &talk_identity);
    bool answers;
    dialect_write_hello(&t->host, &t->out);
    assert_written(t, "ucci\n");
    assert_int_equal(says(t, "id name ElephantEye 3.3").kind, EVENT_NAME);
    assert_int_equal(says(t, "id copyright 2004-2012 www.xqbase.com").kind, EVENT_NONE);
    dialect_event e = says(t, "option usemillisec type check default true");
    assert_int_equal(e.kind, EVENT_OPTION);
    assert_text(e.text, "usemillisec");
    says(t, "option newgame type button");
    assert_int_equal(says(t, "ucciok").kind, EVENT_HELLO);
    dialect_write_option(&t->host, text_of("hashsize"), text_of("64"), &t->out);
    dialect_write_new_game(&t->host, 0, &talk_no_limits, &answers, &t->out);
    dialect_write_new_game(&t->host, 0, &talk_no_limits, &answers, &t->out);
    assert_true(answers);
    assert_written(t, "setoption hashsize 64\nsetoption usemillisec true\n"
                      "setoption newgame\nisready\nsetoption newgame\nisready\n");
    assert_int_equal(says(t, "readyok").kind, EVENT_READY);
    dialect_write_quit(&t->host, &t->out);
    assert_written(t, "quit\n");
    assert_int_equal(says(t, "bye").kind, EVENT_BYE);
    talk_free(t);
}

static void limits_become_go(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCCI, "xiangqi", &talk_identity);
    assert_true(dialect_begin(&t->host, NULL, &t->out));
    talk_play(t, "h2e2", true);
    dialect_limits l = {.clock_us = {61999999, 5000000}, .increment_us = {2000000, 0}};
    assert_text(dialect_write_go(&t->host, 1, &l, &t->out), "position startpos moves h2e2\n");
    assert_written(t, "go time 5 increment 0 opptime 61 oppincrement 2\n");
    t->host.milliseconds = true;
    dialect_write_go(&t->host, 0, &l, &t->out);
    assert_written(t, "go time 61999 increment 2000 opptime 5000 oppincrement 0\n");
    assert_null(dialect_untold_limit(DIALECT_UCCI, &l));
    l.moves_to_go = 9;
    dialect_write_go(&t->host, 0, &l, &t->out);
    assert_written(t, "go time 61999 movestogo 9 opptime 5000 oppmovestogo 9\n");
    l.depth = 4;
    assert_string_equal(dialect_untold_limit(DIALECT_UCCI, &l), "clock");
    dialect_write_go(&t->host, 0, &l, &t->out);
    assert_written(t, "go depth 4\n");
    l = (dialect_limits){.clock_us = {-1, -1}, .nodes = 77};
    dialect_write_go(&t->host, 0, &l, &t->out);
    l = (dialect_limits){.clock_us = {-1, -1}, .move_time_us = 1500000};
    dialect_write_go(&t->host, 0, &l, &t->out);
    dialect_write_go(&t->host, 0, &talk_no_limits, &t->out);
    dialect_write_stop(&t->host, &t->out);
    assert_written(t, "go nodes 77\ngo time 1500 movestogo 1\ngo infinite\nstop\n");
    dialect_write_option(&t->host, text_of("usemillisec"), text_of("false"), &t->out);
    l = (dialect_limits){.clock_us = {-1, -1}, .move_time_us = 1500000};
    dialect_write_go(&t->host, 0, &l, &t->out);
    assert_written(t, "setoption usemillisec false\ngo time 1 movestogo 1\n");
    talk_free(t);
}

static void answers_are_read(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCCI, "xiangqi", &talk_identity);
    dialect_event e = says(t, "info depth 6 score -4 pv b0c2 h9g7");
    assert_int_equal(e.kind, EVENT_INFO);
    assert_int_equal(e.info.score, -4);
    assert_text(e.info.pv, "b0c2 h9g7");
    e = says(t, "info depth 6 score cp 12 pv b0c2"); // as Fairy-Stockfish writes it
    assert_int_equal(e.info.score, 12);
    e = says(t, "info time 343 nodes 5000000");
    assert_int_equal(e.info.time_ms, 343);
    assert_int_equal(e.info.nodes, 5000000);
    e = says(t, "bestmove h2e2 ponder h9g7 draw");
    assert_int_equal(e.kind, EVENT_MOVE);
    assert_true(e.draw_offer && !e.resigns);
    e = says(t, "bestmove h2e2 resign");
    assert_true(!e.draw_offer && e.resigns);
    assert_int_equal(says(t, "nobestmove").kind, EVENT_NO_MOVE);
    assert_int_equal(says(t, "pophash lowerbound 3").kind, EVENT_NONE);
    e = says(t, "bestmove");
    assert_true(e.kind == EVENT_MOVE && e.text.len == 0);
    assert_int_equal(says(t, "noise \x01\x02").kind, EVENT_MALFORMED);
    assert_int_equal(says(t, "option").kind, EVENT_MALFORMED);
    talk_free(t);
}

static void an_engine_speaks_ucci(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCCI, "xiangqi", &talk_identity);
    assert_answer(t, "ucci",
                  "id name Tester 1\nid author Nobody\n"
                  "option hashsize type spin default 16 min 1 max 64\n"
                  "option Clear_Hash type button\n"
                  "option Style type combo default Calm var Calm var Wild\n"
                  "option ponder type check default false\n"
                  "option Book type string default <empty>\n"
                  "option usemillisec type check default false\n"
                  "option newgame type button\nucciok\n");
    dialect_command c = told(t, "setoption hashsize 32");
    assert_string_equal(c.name, "Hash");
    assert_text(c.value, "32");
    assert_string_equal(told(t, "setoption clear_hash").name, "Clear Hash");
    assert_true(told(t, "setoption newgame").is_new_game);
    assert_written(t, "");
    assert_answer(t, "setoption colour 1", "info message option 'colour': there is none\n");
    assert_answer(t, "stop", "nobestmove\n");
    assert_answer(t, "isready", "readyok\n");

    told(t, "position startpos moves h2e2");
    c = told(t, "go draw time 300 increment 2 opptime 600 oppincrement 3");
    assert_int_equal(c.kind, COMMAND_GO);
    assert_true(c.go.has_draw_offer);
    assert_int_equal(c.go.limits.clock_us[1], 300000000);
    assert_int_equal(c.go.limits.clock_us[0], 600000000);
    assert_int_equal(c.go.limits.increment_us[1], 2000000);
    assert_int_equal(c.go.limits.increment_us[0], 3000000);
    rules_move m = move_in(t->engine.state, "h9g7");
    dialect_report r = {.depth = 2,
                        .has_score = true,
                        .score = 5,
                        .nodes = 10,
                        .time_ms = 1,
                        .hash_full = -1,
                        .pv = &m,
                        .pv_count = 1};
    dialect_engine_write_info(&t->engine, &r, &t->out);
    dialect_engine_write_move(&t->engine, &(dialect_answer){.move = m, .offers_draw = true},
                              &t->out);
    assert_written(t, "info time 1 nodes 10\ninfo depth 2 score 5 pv h9g7\nbestmove h9g7 draw\n");

    told(t, "setoption usemillisec true");
    c = told(t, "go ponder time 300 movestogo 9");
    assert_true(c.go.is_ponder);
    assert_int_equal(c.go.limits.clock_us[1], 300000);
    assert_int_equal(c.go.limits.moves_to_go, 9);
    assert_int_equal(told(t, "ponderhit draw").kind, COMMAND_PONDER_HIT);
    assert_int_equal(told(t, "stop").kind, COMMAND_STOP);
    dialect_engine_write_move(&t->engine, &(dialect_answer){.move = m, .resigns = true}, &t->out);
    assert_written(t, "bestmove h9g7 resign\n");

    // Banned moves are not among those to choose from, until the next position.
    int all = rules_legal_moves(t->engine.state, t->engine.allowed);
    told(t, "banmoves h9g7 h9h9 nonsense b9c7"); // what is no move is passed over
    c = told(t, "go depth 3");
    assert_int_equal(c.go.allowed_count, all - 2);
    assert_int_equal(c.go.limits.depth, 3);
    assert_false(c.go.is_void);
    // Where all are banned there is none to choose, not all of them again.
    rules_move moves[RULES_MAX_MOVES];
    char line[4096];
    writer w = writer_on(line, sizeof line);
    all = rules_legal_moves(t->engine.state, moves);
    write_string(&w, "banmoves");
    for (int i = 0; i < all; i++) {
        write_char(&w, ' ');
        rules_format_move(t->engine.state, moves[i], NOTATION_UCI0, &w);
    }
    told(t, line);
    assert_true(told(t, "go depth 3").go.is_void);
    told(t, "position startpos moves h2e2");
    assert_int_equal(told(t, "go depth infinite").go.allowed_count, 0);
    dialect_engine_write_no_move(&t->engine, &t->out);
    assert_written(t, "nobestmove\n");
    assert_int_equal(told(t, "quit").kind, COMMAND_QUIT);
    assert_written(t, "bye\n");
    talk_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_handshake),
        cmocka_unit_test(limits_become_go),
        cmocka_unit_test(answers_are_read),
        cmocka_unit_test(an_engine_speaks_ucci),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
