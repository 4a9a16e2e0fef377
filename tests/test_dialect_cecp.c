// CECP at both ends.
#include "dialect_talk.h"

static const dialect_limits ten_seconds = {.clock_us = {10000000, 10000000},
                                           .increment_us = {100000, 100000}};

static talk *start_up(const char *features) {
    talk *t = talk_new(DIALECT_CECP, "xiangqi", &talk_identity);
    if (features)
        assert_int_equal(says(t, features).kind, EVENT_HELLO);
    return t;
}

static void the_handshake(void **unused) {
    (void)unused;
    talk *t = start_up(NULL);
    bool answers;
    dialect_write_hello(&t->host, &t->out);
    assert_written(t, "xboard\nprotover 2\n");
    assert_int_equal(says(t, "tellics say     MaxQi 4.8 (G)").kind, EVENT_NONE);
    assert_int_equal(says(t, "feature setboard=0 ping=1 done=0").kind, EVENT_WAIT);
    dialect_event e = says(t, "feature myname=\"Some Engine 1\" memory=1");
    assert_int_equal(e.kind, EVENT_NAME);
    assert_text(e.text, "Some Engine 1");
    e = says(t, "feature option=\"Move Overhead -spin 30 0 5000\"");
    assert_int_equal(e.kind, EVENT_OPTION);
    assert_text(e.text, "Move Overhead");
    assert_int_equal(says(t, "feature variants=\"xiangqi\" done=1").kind, EVENT_HELLO);
    assert_true(t->host.has_done && t->host.can_ping && !t->host.can_setboard);
    dialect_write_option(&t->host, text_of("memory"), text_of("64"), &t->out);
    dialect_write_option(&t->host, text_of("Move Overhead"), text_of("5"), &t->out);
    assert_written(t, "accepted ping\naccepted setboard\naccepted variants\naccepted myname\n"
                      "accepted option\naccepted memory\naccepted done\n"
                      "memory 64\noption Move Overhead=5\n");
    dialect_write_new_game(&t->host, 0, &ten_seconds, &answers, &t->out);
    assert_true(answers);
    assert_written(t, "new\nvariant xiangqi\nforce\nlevel 0 0:10 0.100\neasy\npost\nping 1\n");
    assert_int_equal(says(t, "pong 0").kind, EVENT_NONE);
    assert_int_equal(says(t, "pong 1").kind, EVENT_READY);
    assert_false(dialect_begin(&t->host, "4k4/9/9/9/9/9/9/9/9/3K1N3 w - - 0 1", &t->out));
    talk_free(t);
}

static void all_features_on_one_line(void **unused) {
    (void)unused;
    talk *t = start_up("feature myname=\"HoiXiangqi 0.22\" variants=\"xiangqi\" ping=1 setboard=1 "
                       "time=1 usermove=1 colors=1 reuse=0 option=\"a -spin 0 0 1\" done=1");
    assert_string_equal(t->host.name, "HoiXiangqi 0.22");
    assert_true(t->host.can_usermove && t->host.wants_colours && !t->host.is_reusable);
    // Odd lines do no harm.
    assert_int_equal(says(t, "feature").kind, EVENT_NONE);
    assert_int_equal(says(t, "feature myname=\"open").kind, EVENT_NAME);
    assert_int_equal(says(t, "feature = = \"x\" ==1 ping").kind, EVENT_NONE);
    assert_int_equal(says(t, "feature option=\"\"").kind, EVENT_OPTION);
    talk_free(t);
}

static void time_controls(void **unused) {
    (void)unused;
    talk *t = start_up("feature time=1 done=1");
    bool answers;
    const struct {
        dialect_limits limits;
        const char *line;
    } controls[] = {
        {{.clock_us = {300000000, 60000000}, .moves_to_go = 40}, "level 40 5:00 0\n"},
        {{.clock_us = {500000, 500000}, .increment_us = {2000000, 0}}, "level 0 0:01 2\n"},
        {{.clock_us = {-1, -1}, .move_time_us = 3000000}, "st 3\n"},
        {{.clock_us = {-1, -1}, .move_time_us = 50000}, "level 1 0:01 0\n"},
        {{.clock_us = {-1, -1}, .depth = 7}, "sd 7\n"},
        {{.clock_us = {-1, -1}}, ""},
    };
    says(t, "feature done=1");
    dialect_write_new_game(&t->host, 0, &talk_no_limits, &answers, &t->out);
    assert_false(answers);
    assert_written(t, "accepted time\naccepted done\nnew\nvariant xiangqi\nforce\neasy\npost\n");
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        char wanted[256];
        writer w = writer_on(wanted, sizeof wanted);
        write_format(&w, "new\nvariant xiangqi\nforce\n%seasy\npost\n", controls[i].line);
        dialect_write_new_game(&t->host, 0, &controls[i].limits, &answers, &t->out);
        assert_written(t, wanted);
    }
    dialect_limits l = {.clock_us = {-1, -1}, .move_time_us = 50000};
    dialect_write_go(&t->host, 0, &l, &t->out);
    assert_written(t, "time 5\notim 5\ngo\n");
    l.move_time_us = 1000000;
    dialect_write_go(&t->host, 0, &l, &t->out);
    assert_written(t, "go\n");
    l = (dialect_limits){.clock_us = {-5, 9999}, .nodes = 9};
    dialect_write_go(&t->host, 1, &l, &t->out);
    assert_written(t, "time 1\notim 1\ngo\n");
    assert_string_equal(dialect_untold_limit(DIALECT_CECP, &l), "nodes");
    talk_free(t);
}

static void a_game(void **unused) {
    (void)unused;
    talk *t = start_up("feature ping=0 setboard=1 done=1");
    bool answers;
    dialect_write_new_game(&t->host, 1, &ten_seconds, &answers, &t->out);
    t->out = writer_on(t->buffer, sizeof t->buffer);
    assert_true(dialect_begin(&t->host, rules_start_fen(t->host.game), &t->out));
    assert_written(t,
                   "setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1\n");
    talk_play(t, "h2e2", false); // an opening, or the opponent: the engine is in force mode
    assert_written(t, "h2e2\n");
    dialect_write_go(&t->host, 1, &ten_seconds, &t->out);
    assert_written(t, "time 1000\notim 1000\ngo\n");
    talk_play(t, "h9g7", true);
    talk_play(t, "h0g2", false);
    assert_written(t, "");
    dialect_limits l = {.clock_us = {123456, 7654321}};
    dialect_write_go(&t->host, 1, &l, &t->out);
    assert_written(t, "time 765\notim 12\nh0g2\n");
    // Two moves without a question in between.
    talk_play(t, "b9c7", true);
    talk_play(t, "b0c2", false);
    talk_play(t, "i9h9", false);
    assert_written(t, "force\nb0c2\ni9h9\n");
    t->host.can_usermove = t->host.wants_colours = true;
    t->host.wants_clock = false;
    talk_play(t, "i0h0", false);
    dialect_write_go(&t->host, 1, &l, &t->out);
    dialect_write_stop(&t->host, &t->out);
    assert_written(t, "usermove i0h0\nblack\ngo\n?\n");
    dialect_write_result(&t->host, RULES_SECOND_WINS, "illegal move {x\n}", &t->out);
    dialect_write_quit(&t->host, &t->out);
    assert_written(t, "result 0-1 {illegal move ?x?"
                      "?}\nforce\nquit\n");
    talk_free(t);
}

static void lines_are_read(void **unused) {
    (void)unused;
    talk *t = start_up(NULL);
    dialect_event e = says(t, "move h2e2");
    assert_int_equal(e.kind, EVENT_MOVE);
    assert_text(e.text, "h2e2");
    e = says(t, "12. ... h2e2");
    assert_int_equal(e.kind, EVENT_MOVE);
    assert_text(e.text, "h2e2");
    e = says(t, "  4   -75      4      9089  1. Hg2 Pc5 2. Pg4 Hd5");
    assert_int_equal(e.kind, EVENT_INFO);
    assert_int_equal(e.info.depth, 4);
    assert_int_equal(e.info.score, -75);
    assert_int_equal(e.info.time_ms, 40);
    assert_int_equal(e.info.nodes, 9089);
    assert_text(e.info.pv, "1. Hg2 Pc5 2. Pg4 Hd5");
    e = says(t, "9& -100003 17 11743");
    assert_true(e.info.is_mate);
    assert_int_equal(e.info.score, -3);
    e = says(t, "-1    440        0          1 b7b0");
    assert_int_equal(e.info.depth, 0);
    assert_int_equal(says(t, "9 potato x y").kind, EVENT_NONE);
    assert_int_equal(says(t, "9 r---h---e---a").kind, EVENT_NONE);
    e = says(t, "0-1 {Black mates}");
    assert_int_equal(e.kind, EVENT_RESULT);
    assert_text(e.text, "0-1 {Black mates}");
    assert_int_equal(says(t, "1/2-1/2 {repetition}").kind, EVENT_RESULT);
    assert_int_equal(says(t, "offer draw").kind, EVENT_DRAW);
    assert_int_equal(says(t, "resign").kind, EVENT_RESIGN);
    assert_int_equal(says(t, "Illegal move: h2e2").kind, EVENT_REFUSED);
    assert_int_equal(says(t, "Illegal move (no such piece): h2e2").kind, EVENT_REFUSED);
    assert_int_equal(says(t, "Error (unknown command): usermove").kind, EVENT_REFUSED);
    assert_int_equal(says(t, "Error (unknown command): post").kind, EVENT_NONE);
    assert_int_equal(says(t, "Error (Illegal move or unknown command): h2e2").kind, EVENT_REFUSED);
    assert_int_equal(says(t, "tellusererror Illegal position").kind, EVENT_REFUSED);
    assert_int_equal(says(t, "tellusererror no book").kind, EVENT_NONE);
    assert_int_equal(says(t, "# anything").kind, EVENT_NONE);
    assert_int_equal(says(t, "move").kind, EVENT_MOVE);
    assert_int_equal(says(t, "noise \x01\x02").kind, EVENT_MALFORMED);
    assert_int_equal(says(t, "pong").kind, EVENT_NONE);
    talk_free(t);
}

// --- the engine's end ---------------------------------------------------------------------------

static void an_engine_introduces_itself(void **unused) {
    (void)unused;
    talk *t = start_up(NULL);
    assert_answer(t, "xboard", "");
    assert_answer(
        t, "protover 2",
        "feature ping=1 setboard=1 usermove=1 time=1 draw=1 analyze=1 colors=0 sigint=0 "
        "sigterm=0 reuse=1 debug=1 memory=1 smp=0 variants=\"xiangqi\" myname=\"Tester 1\"\n"
        "feature option=\"Hash -spin 16 1 64\"\n"
        "feature option=\"Clear Hash -button\"\n"
        "feature option=\"Style -combo *Calm /// Wild\"\n"
        "feature option=\"Ponder -check 0\"\n"
        "feature option=\"Book -string \"\n"
        "feature done=1\n");
    assert_answer(t, "accepted ping", "");
    dialect_command c = told(t, "memory 32");
    assert_string_equal(c.name, "Hash");
    assert_text(c.value, "32");
    c = told(t, "option Ponder=1");
    assert_string_equal(c.name, "Ponder");
    assert_text(c.value, "true");
    assert_string_equal(told(t, "option Clear Hash").name, "Clear Hash");
    assert_text(told(t, "option Book=a=b c").value, "a=b c");
    assert_answer(t, "option Hash=0", "Error (no such value): 'Hash=0'\n");
    assert_answer(t, "option Colour=0", "Error (no such option): 'Colour=0'\n");
    assert_answer(t, "cores 2", "Error (no such option): 'cores 2'\n");
    assert_answer(t, "ping 7", "pong 7\n");
    assert_true(told(t, "new").is_new_game);
    assert_answer(t, "variant xiangqi", "");
    assert_answer(t, "variant chess", "Error (unknown variant): 'variant chess'\n");
    assert_answer(t, "make tea", "Error (unknown command): 'make tea'\n");
    assert_int_equal(told(t, "draw").kind, COMMAND_DRAW_OFFER);
    assert_int_equal(told(t, "quit").kind, COMMAND_QUIT);
    talk_free(t);
}

static void an_engine_plays(void **unused) {
    (void)unused;
    talk *t = start_up(NULL);
    const rules_state *s = t->engine.state;
    told(t, "xboard");
    told(t, "new");
    told(t, "level 40 5:30 0.5");
    told(t, "sd 9");
    told(t, "post");
    dialect_command c = told(t, "usermove h2e2"); // not in force mode: to be answered
    assert_int_equal(c.kind, COMMAND_GO);
    assert_int_equal(c.go.limits.depth, 9);
    assert_int_equal(c.go.limits.clock_us[1], 330000000);
    assert_int_equal(c.go.limits.increment_us[1], 500000);
    assert_int_equal(c.go.limits.moves_to_go, 40);
    assert_answer(t, "ping 3", ""); // not before the move
    rules_move m = move_in(s, "h9g7");
    dialect_report r = {.depth = 2,
                        .has_score = true,
                        .score = 5,
                        .nodes = 10,
                        .time_ms = 25,
                        .hash_full = -1,
                        .pv = &m,
                        .pv_count = 1};
    dialect_engine_write_info(&t->engine, &r, &t->out);
    dialect_engine_write_words(&t->engine, text_of("fine"), &t->out);
    dialect_engine_write_move(&t->engine, &(dialect_answer){.move = m, .offers_draw = true},
                              &t->out);
    assert_written(t, "2 5 2 10 h9g7\n# fine\noffer draw\nmove h9g7\npong 3\n");
    assert_int_equal(rules_ply(s), 2);
    told(t, "time 1234");
    told(t, "otim 99");
    c = told(t, "h0g2");
    assert_int_equal(c.go.limits.clock_us[1], 12340000);
    assert_int_equal(c.go.limits.clock_us[0], 990000);
    assert_int_equal(c.go.limits.moves_to_go, 39);
    assert_int_equal(told(t, "?").kind, COMMAND_STOP);
    c = told(t, "force"); // in the middle of thinking
    assert_true(c.abandons);
    assert_int_equal(c.kind, COMMAND_NONE);
    assert_answer(t, "?", "");
    assert_int_equal(told(t, "usermove b9c7").kind, COMMAND_NONE);
    told(t, "undo");
    assert_int_equal(rules_ply(s), 3);
    told(t, "remove");
    assert_int_equal(rules_ply(s), 1);
    told(t, "remove");
    assert_int_equal(rules_ply(s), 0);
    assert_written(t, "");
    told(t, "usermove h2h3x");
    assert_non_null(strstr(t->buffer, "Illegal move ("));
    t->out = writer_on(t->buffer, sizeof t->buffer);
    told(t, "st 2");
    c = told(t, "go");
    assert_int_equal(c.go.limits.move_time_us, 2000000);
    assert_int_equal(c.go.limits.clock_us[0], -1);
    told(t, "nopost");
    dialect_engine_write_info(&t->engine, &r, &t->out);
    dialect_engine_write_move(&t->engine, &(dialect_answer){.resigns = true}, &t->out);
    assert_written(t, "resign\n");
    talk_free(t);
}

static void what_is_illegal_does_not_disturb(void **unused) {
    (void)unused;
    talk *t = start_up(NULL);
    told(t, "xboard");
    told(t, "new");
    assert_int_equal(told(t, "usermove h2e2").kind, COMMAND_GO);
    // Nor does a question that is asked already, or the end of an analysis there is not.
    const char *const lines[] = {"usermove h2e2", "h2h9", "setboard nonsense", "go", "exit"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        dialect_command c = told(t, lines[i]);
        assert_true(c.kind == COMMAND_NONE && !c.abandons && t->engine.is_thinking);
    }
    assert_int_equal(told(t, "?").kind, COMMAND_STOP);
    assert_true(told(t, "usermove h9g7").abandons);
    talk_free(t);
}

static void an_engine_sets_up_and_analyses(void **unused) {
    (void)unused;
    talk *t = start_up(NULL);
    const rules_state *s = t->engine.state;
    told(t, "xboard");
    told(t, "new");
    told(t, "force");
    assert_answer(t, "setboard 4k4/9/9/9/9/9/9/9/9/3K1H3 w 0 1", "");
    assert_fen(s, "4k4/9/9/9/9/9/9/9/9/3K1N3 w - - 0 1");
    told(t, "setboard nonsense");
    assert_non_null(strstr(t->buffer, "tellusererror Illegal position: "));
    t->out = writer_on(t->buffer, sizeof t->buffer);
    dialect_command c = told(t, "analyze");
    assert_true(c.kind == COMMAND_GO && c.go.is_analysis && c.go.is_infinite && !c.abandons);
    assert_answer(t, "ping 1", "pong 1\n");
    c = told(t, "usermove f0g2");
    assert_true(c.kind == COMMAND_GO && c.go.is_analysis && c.abandons);
    c = told(t, "undo");
    assert_true(c.kind == COMMAND_GO && c.abandons);
    assert_int_equal(rules_ply(s), 0);
    c = told(t, "exit");
    assert_true(c.kind == COMMAND_NONE && c.abandons);
    told(t, "hard");
    assert_true(t->engine.may_ponder);
    told(t, "easy");
    assert_false(t->engine.may_ponder);

    // A move is wanted in the middle of analysis.
    told(t, "analyze");
    c = told(t, "go");
    assert_true(c.kind == COMMAND_GO && !c.go.is_analysis && c.abandons);

    // Analysis in the middle of thinking: the move is not wanted any more, a pong that was owed is
    // paid, and there is nothing to be played `at once`.
    told(t, "new");
    assert_int_equal(told(t, "usermove h2e2").kind, COMMAND_GO);
    assert_answer(t, "ping 4", "");
    c = told(t, "analyze");
    assert_true(c.kind == COMMAND_GO && c.go.is_analysis && c.abandons);
    assert_written(t, "pong 4\n");
    assert_answer(t, "?", "");
    told(t, "exit");

    // Without a move the result is claimed.
    assert_answer(t, "setboard 4k4/3R1R3/9/9/9/9/9/9/9/3K5 b 0 1", "");
    assert_int_equal(told(t, "go").kind, COMMAND_GO);
    dialect_engine_write_no_move(&t->engine, &t->out);
    assert_written(t, "1-0 {Black has no legal move}\n");
    talk_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_handshake),
        cmocka_unit_test(all_features_on_one_line),
        cmocka_unit_test(time_controls),
        cmocka_unit_test(a_game),
        cmocka_unit_test(lines_are_read),
        cmocka_unit_test(an_engine_introduces_itself),
        cmocka_unit_test(an_engine_plays),
        cmocka_unit_test(what_is_illegal_does_not_disturb),
        cmocka_unit_test(an_engine_sets_up_and_analyses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
