// UCI at both ends: what is written and what is made of lines.
#include "dialect_talk.h"

// --- the manager's end --------------------------------------------------------------------------

static void the_handshake(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    bool answers;
    dialect_write_hello(&t->host, &t->out);
    assert_written(t, "uci\n");
    assert_int_equal(says(t, "Pikafish 2024 by somebody").kind, EVENT_NONE);
    dialect_event e = says(t, "id name Pikafish 2024\r");
    assert_int_equal(e.kind, EVENT_NAME);
    assert_text(e.text, "Pikafish 2024");
    assert_string_equal(t->host.name, "Pikafish 2024");
    assert_int_equal(says(t, "id author somebody").kind, EVENT_NONE);
    e = says(t, "option name Move Overhead type spin default 10 min 0 max 5000");
    assert_int_equal(e.kind, EVENT_OPTION);
    assert_text(e.text, "Move Overhead");
    assert_int_equal(says(t, "uciok").kind, EVENT_HELLO);
    assert_int_equal(t->host.notation, NOTATION_UCI0);

    dialect_write_option(&t->host, text_of("Hash"), text_of("16"), &t->out);
    dialect_write_option(&t->host, text_of("Clear Hash"), text_of(""), &t->out);
    dialect_write_new_game(&t->host, 0, &talk_no_limits, &answers, &t->out);
    assert_true(answers);
    assert_written(t, "setoption name Hash value 16\nsetoption name Clear Hash\n"
                      "ucinewgame\nisready\n");
    assert_int_equal(says(t, "readyok").kind, EVENT_READY);
    talk_free(t);
}

static void a_variant_option_means_ranks_from_one(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    bool answers;
    says(t, "option name UCI_Variant type combo default chess var chess var xiangqi var shogi");
    assert_int_equal(t->host.notation, NOTATION_UCI1);
    dialect_write_new_game(&t->host, 0, &talk_no_limits, &answers, &t->out);
    dialect_write_new_game(&t->host, 1, &talk_no_limits, &answers, &t->out);
    assert_written(t, "setoption name UCI_Variant value xiangqi\nucinewgame\nisready\n"
                      "ucinewgame\nisready\n");
    talk_free(t);

    t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    t->host.notation_is_fixed = true;
    says(t, "option name UCI_Variant type combo default chess var chess var xiangqi var shogi");
    says(t, "info depth 1 pv b10c8");
    assert_int_equal(t->host.notation, NOTATION_UCI0);
    talk_free(t);

    t = talk_new(DIALECT_UCI, "surakarta", &talk_identity);
    says(t, "option name UCI_Variant type combo default chess var chess var xiangqi");
    assert_int_equal(t->host.notation, NOTATION_UCI0);
    assert_string_equal(t->host.variant, "");
    talk_free(t);
}

static void limits_become_go(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    assert_true(dialect_begin(&t->host, NULL, &t->out));
    dialect_limits l = {.clock_us = {61234567, 999}, .increment_us = {10000, 0}, .moves_to_go = 7};
    text position = dialect_write_go(&t->host, 0, &l, &t->out);
    assert_text(position, "position startpos\n");
    assert_written(t, "go wtime 61234 btime 1 winc 10 movestogo 7\n");
    assert_null(dialect_untold_limit(DIALECT_UCI, &l));

    l = (dialect_limits){
        .clock_us = {-1, -1}, .move_time_us = 500000, .depth = 6, .nodes = 12345678901};
    dialect_write_go(&t->host, 1, &l, &t->out);
    dialect_write_go(&t->host, 1, &talk_no_limits, &t->out);
    dialect_write_stop(&t->host, &t->out);
    dialect_write_quit(&t->host, &t->out);
    assert_written(t, "go movetime 500 depth 6 nodes 12345678901\ngo infinite\nstop\nquit\n");
    talk_free(t);
}

static void the_position_line_grows(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    assert_true(dialect_begin(&t->host, NULL, &t->out));
    talk_play(t, "h2e2", false);
    talk_play(t, "h9g7", true);
    assert_written(t, "");
    assert_text(dialect_write_go(&t->host, 0, &talk_no_limits, &t->out),
                "position startpos moves h2e2 h9g7\n");
    // A rank of 10 settles the squares, the line's too.
    dialect_event e = says(t, "info depth 3 pv h1g3 b10c8");
    assert_text(e.info.pv, "h1g3 b10c8");
    assert_int_equal(t->host.notation, NOTATION_UCI1);
    talk_play(t, "h0g2", true);
    assert_text(dialect_write_go(&t->host, 1, &talk_no_limits, &t->out),
                "position startpos moves h3e3 h10g8 h1g3\n");
    rules_move m;
    fault why;
    assert_true(dialect_parse_move(&t->host, t->state, text_of("b10c8"), &m, &why));
    assert_false(dialect_parse_move(&t->host, t->state, text_of("b9c7"), &m, &why));

    // The FEN goes out in this program's own letters.
    assert_true(dialect_begin(&t->host, "4k4/9/9/9/9/9/9/9/9/3K1H3 r", &t->out));
    assert_text(dialect_write_go(&t->host, 0, &talk_no_limits, &t->out),
                "position fen 4k4/9/9/9/9/9/9/9/9/3K1N3 w - - 0 1\n");
    assert_false(dialect_begin(&t->host, "nonsense", &t->out));
    talk_free(t);
}

static void pondering(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    dialect_limits l = {.clock_us = {60000000, 50000000}};
    assert_true(dialect_begin(&t->host, NULL, &t->out));
    dialect_event e = says(t, "bestmove h2e2 ponder h9g7");
    assert_text(e.ponder, "h9g7");
    talk_play(t, "h2e2", true);
    rules_move guess = move_in(t->state, "h9g7");
    assert_true(dialect_write_ponder(&t->host, t->state, guess, &l, &t->out));
    assert_written(t, "position startpos moves h2e2 h9g7\ngo ponder wtime 60000 btime 50000\n");
    dialect_write_ponder_hit(&t->host, &t->out);
    assert_written(t, "ponderhit\n");
    // The guess is not part of the game.
    talk_play(t, "b9c7", false);
    assert_text(dialect_write_go(&t->host, 0, &l, &t->out), "position startpos moves h2e2 b9c7\n");
    talk_free(t);
}

static void surakarta_moves_have_no_sign(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "surakarta", &talk_identity);
    const char *fen = "6/1bbb2/6/3w2/6/6 b 0 1";
    rules_move m;
    assert_true(dialect_begin(&t->host, fen, &t->out));
    assert_true(rules_set_fen(t->state, text_of(fen), NULL));
    assert_false(dialect_parse_move(&t->host, t->state, text_of("b5-b6"), &m, NULL));
    assert_true(dialect_parse_move(&t->host, t->state, text_of("b5b6"), &m, NULL));
    talk_play(t, "b5-b6", true);
    assert_text(dialect_write_go(&t->host, 1, &talk_no_limits, &t->out),
                "position fen 6/1bbb2/6/3w2/6/6 b 0 1 moves b5b6\n");
    talk_free(t);
}

static void thinking_is_read(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    dialect_event e = says(t, "info depth 5 seldepth 9 multipv 1 score cp -108 lowerbound "
                              "nodes 695 nps 173750 tbhits 0 time 4 pv h9g7 e2c2");
    assert_int_equal(e.kind, EVENT_INFO);
    assert_true(e.info.has_score && !e.info.is_mate);
    assert_int_equal(e.info.score, -108);
    assert_int_equal(e.info.depth, 5);
    assert_int_equal(e.info.seldepth, 9);
    assert_int_equal(e.info.nodes, 695);
    assert_int_equal(e.info.time_ms, 4);
    assert_text(e.info.pv, "h9g7 e2c2");
    e = says(t, "info score mate -3");
    assert_true(e.info.has_score && e.info.is_mate);
    assert_int_equal(e.info.score, -3);
    assert_int_equal(e.info.nodes, -1);
    assert_int_equal(says(t, "info depth 5 multipv 2 score cp 8").kind, EVENT_NONE);
    e = says(t, "info string depth x");
    assert_int_equal(e.kind, EVENT_WORDS);
    assert_text(e.text, "depth x");
    assert_int_equal(says(t, "info string").kind, EVENT_NONE);
    assert_int_equal(says(t, "info currmove h2e2 currmovenumber 3").kind, EVENT_NONE);
    assert_int_equal(says(t, "info").kind, EVENT_NONE);
    assert_int_equal(says(t, "info depth").kind, EVENT_MALFORMED);
    assert_int_equal(says(t, "info depth x").kind, EVENT_MALFORMED);
    assert_int_equal(says(t, "info score cp").kind, EVENT_MALFORMED);
    assert_int_equal(says(t, "info score cp 99999999999999999999").kind, EVENT_MALFORMED);
    talk_free(t);
}

static void answers_are_read(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    dialect_event e = says(t, "bestmove h2e2 ponder h9g7");
    assert_int_equal(e.kind, EVENT_MOVE);
    assert_text(e.text, "h2e2");
    assert_false(e.draw_offer || e.resigns);
    assert_int_equal(says(t, "bestmove (none)").kind, EVENT_NO_MOVE);
    assert_int_equal(says(t, "bestmove 0000").kind, EVENT_NO_MOVE);
    e = says(t, "bestmove");
    assert_true(e.kind == EVENT_MOVE && e.text.len == 0);
    assert_int_equal(says(t, "noise \x01\x02").kind, EVENT_MALFORMED);
    assert_int_equal(says(t, "\033[1mbold\033[0m").kind, EVENT_NONE);
    assert_int_equal(says(t, "option").kind, EVENT_MALFORMED);
    assert_int_equal(says(t, "option name type spin").kind, EVENT_MALFORMED);
    assert_int_equal(says(t, "").kind, EVENT_NONE);
    assert_int_equal(says(t, "bestmoves h2e2").kind, EVENT_NONE);
    assert_int_equal(dialect_read(&t->host, (text){"\0\xff bestmove", 11}).kind, EVENT_MALFORMED);
    char *huge = calloc(1, DIALECT_LINE_MAX + 1);
    memcpy(huge, "info ", 5);
    assert_int_equal(dialect_read(&t->host, (text){huge, DIALECT_LINE_MAX + 1}).kind,
                     EVENT_MALFORMED);
    free(huge);
    talk_free(t);
}

// --- the engine's end ---------------------------------------------------------------------------

static void an_engine_introduces_itself(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    assert_answer(t, "hello there", "");
    assert_answer(t, "uci",
                  "id name Tester 1\nid author Nobody\n"
                  "option name Hash type spin default 16 min 1 max 64\n"
                  "option name Clear Hash type button\n"
                  "option name Style type combo default Calm var Calm var Wild\n"
                  "option name Ponder type check default false\n"
                  "option name Book type string default <empty>\nuciok\n");
    assert_true(t->engine.is_known);
    assert_answer(t, "isready", "readyok\n");
    dialect_command c = told(t, "setoption name clear hash");
    assert_int_equal(c.kind, COMMAND_OPTION);
    assert_string_equal(c.name, "Clear Hash");
    c = told(t, "setoption name Book value /some where/book.bin");
    assert_text(c.value, "/some where/book.bin");
    c = told(t, "setoption name Style value wild");
    assert_string_equal(c.name, "Style");
    assert_written(t, "");
    assert_answer(t, "setoption name Hash value 65",
                  "info string option Hash: '65' is no value of it\n");
    assert_answer(t, "setoption name Hash", "info string option Hash: '' is no value of it\n");
    assert_answer(t, "setoption name Colour value 1", "info string no option 'Colour'\n");
    assert_true(told(t, "ucinewgame").is_new_game);
    assert_answer(t, "stop", "");
    assert_int_equal(told(t, "quit").kind, COMMAND_QUIT);
    talk_free(t);
}

static void an_engine_follows_the_position(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    const rules_state *s = t->engine.state;
    told(t, "position startpos");
    told(t, "position startpos moves h2e2");
    told(t, "position startpos moves h2e2 h9g7");
    assert_int_equal(rules_ply(s), 2);
    told(t, "position startpos moves h2e2 h9g7");
    assert_int_equal(rules_ply(s), 2);
    told(t, "position startpos moves h2e2 h9g7 h0g2 ");
    assert_int_equal(rules_ply(s), 3);
    told(t, "position startpos moves h2e2");
    assert_int_equal(rules_ply(s), 1);
    assert_written(t, "");
    told(t, "position fen 4k4/9/9/9/9/9/9/9/9/3K1N3 w - - 0 1 moves f0g2");
    assert_fen(s, "4k4/9/9/9/9/9/9/6N2/9/3K5 b - - 1 1");
    assert_written(t, "");
    // A FEN that goes on where the last one ended is another one.
    told(t, "position fen 4k4/9/9/9/9/9/9/9/9/3K1N3 w");
    told(t, "position fen 4k4/9/9/9/9/9/9/9/9/3K1N3 w - - 7 9");
    assert_fen(s, "4k4/9/9/9/9/9/9/9/9/3K1N3 w - - 7 9");
    told(t, "position fen 4k4/9/9/9/9/9/9/9/9/3K1N3 w - - 7 9 moves f0g2");
    assert_fen(s, "4k4/9/9/9/9/9/9/6N2/9/3K5 b - - 8 9");
    assert_written(t, "");
    // What is wrong is said, and the next line is read from its start.
    told(t, "position startpos moves h2e2 h2e2 h9g7");
    assert_non_null(strstr(t->buffer, "info string "));
    assert_int_equal(rules_ply(s), 1);
    told(t, "position startpos moves h2e2 h2e2 h9g7 h0g2");
    assert_int_equal(rules_ply(s), 1);
    told(t, "position startpos moves h2e2 h9g7");
    assert_int_equal(rules_ply(s), 2);
    t->out = writer_on(t->buffer, sizeof t->buffer);
    told(t, "position startpos h2e2");
    told(t, "position fen nonsense");
    told(t, "position");
    int lines = 0;
    for (const char *c = t->buffer; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 3);
    talk_free(t);
}

static void a_rank_of_ten_settles_an_engines_squares(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    const rules_state *s = t->engine.state;
    told(t, "position startpos moves h2e2 h10g7"); // a slip settles nothing
    assert_int_equal(t->engine.notation, NOTATION_UCI0);
    t->out = writer_on(t->buffer, sizeof t->buffer);
    assert_answer(t, "position startpos moves h2e2 h9g7", "");
    assert_answer(t, "position startpos moves h3e3 h10g8", "");
    assert_int_equal(rules_ply(s), 2);
    assert_int_equal(told(t, "go").kind, COMMAND_GO);
    dialect_engine_write_move(&t->engine, &(dialect_answer){.move = move_in(s, "h0g2")}, &t->out);
    assert_written(t, "bestmove h1g3\n");
    // And so it stays.
    assert_answer(t, "position startpos moves h3e3", "");
    assert_int_equal(rules_ply(s), 1);
    talk_free(t);
}

static void a_refused_position_is_not_thought_about(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    const char *const lines[] = {"position startpos moves h3e3", "position fen nonsense",
                                 "position startpos h2e2"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        told(t, lines[i]);
        t->out = writer_on(t->buffer, sizeof t->buffer);
        for (int again = 0; again < 2; again++) {
            dialect_command c = told(t, "go depth 3");
            assert_true(c.kind == COMMAND_GO && c.go.is_void);
            assert_written(t, "info string no position to think about: the last one was refused\n");
            dialect_engine_write_no_move(&t->engine, &t->out);
            assert_written(t, "bestmove (none)\n");
        }
    }
    assert_answer(t, "position startpos moves h2e2", "");
    assert_false(told(t, "go depth 3").go.is_void);
    assert_written(t, "");
    talk_free(t);
}

static void an_engine_is_told_how_to_think(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    told(t, "position startpos");
    dialect_command c = told(t, "go wtime 1000 btime -5 winc 10 binc 20 movestogo 7");
    assert_int_equal(c.kind, COMMAND_GO);
    assert_int_equal(c.go.limits.clock_us[0], 1000000);
    assert_int_equal(c.go.limits.clock_us[1], 0);
    assert_int_equal(c.go.limits.increment_us[1], 20000);
    assert_int_equal(c.go.limits.moves_to_go, 7);
    assert_true(t->engine.is_thinking);
    assert_answer(t, "isready", "readyok\n");
    assert_int_equal(told(t, "stop").kind, COMMAND_STOP);
    rules_move m = move_in(t->engine.state, "h2e2"), reply = move_of(88, 69);
    dialect_engine_write_info(&t->engine,
                              &(dialect_report){.depth = 3,
                                                .has_score = true,
                                                .score = -7,
                                                .bound = BOUND_UPPER,
                                                .nodes = 99,
                                                .time_ms = 2,
                                                .hash_full = -1,
                                                .table_hits = 5,
                                                .pv = (const rules_move[]){m, reply},
                                                .pv_count = 2},
                              &t->out);
    dialect_engine_write_words(&t->engine, text_of("good move"), &t->out);
    dialect_engine_write_move(&t->engine, &(dialect_answer){.move = m, .ponder = reply}, &t->out);
    assert_written(t, "info depth 3 score cp -7 upperbound nodes 99 tbhits 5 time 2 pv h2e2 h9g7\n"
                      "info string good move\nbestmove h2e2 ponder h9g7\n");
    assert_false(t->engine.is_thinking);
    assert_int_equal(rules_ply(t->engine.state), 0);

    c = told(t, "go ponder searchmoves h2e2 b2e2 depth 4 nodes 5 movetime 6 mate 2");
    assert_true(c.go.is_ponder && !c.go.is_infinite);
    assert_int_equal(c.go.allowed_count, 2);
    assert_int_equal(t->engine.allowed[0], m);
    assert_int_equal(c.go.limits.depth, 4);
    assert_int_equal(c.go.limits.nodes, 5);
    assert_int_equal(c.go.limits.move_time_us, 6000);
    assert_int_equal(c.go.limits.clock_us[0], -1);
    assert_int_equal(c.go.mate, 2);
    assert_int_equal(told(t, "ponderhit").kind, COMMAND_PONDER_HIT);
    dialect_engine_write_no_move(&t->engine, &t->out);
    assert_written(t, "bestmove (none)\n");
    assert_true(told(t, "go infinite").go.is_infinite);
    talk_free(t);
}

static void only_legal_moves_are_searched(void **unused) {
    (void)unused;
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &talk_identity);
    told(t, "position startpos");
    dialect_command c = told(t, "go searchmoves h2e2 h2h9x b2e2 depth 4 infinite");
    assert_int_equal(c.go.allowed_count, 2);
    assert_int_equal(c.go.limits.depth, 4);
    assert_true(c.go.is_infinite && !c.go.is_void);
    assert_int_equal(told(t, "go searchmoves").go.allowed_count, 0); // all of them
    assert_false(told(t, "go searchmoves depth 4").go.is_void);
    assert_written(t, "");
    // None is not all.
    c = told(t, "go depth 3 searchmoves h3e3 nonsense");
    assert_true(c.kind == COMMAND_GO && c.go.is_void);
    assert_written(t, "info string searchmoves: none of them is legal here\n");
    talk_free(t);
}

static void an_engine_may_offer_the_variant(void **unused) {
    (void)unused;
    const dialect_identity identity = {.name = "V", .author = "N", .has_variant = true};
    talk *t = talk_new(DIALECT_UCI, "xiangqi", &identity);
    assert_answer(t, "uci",
                  "id name V\nid author N\n"
                  "option name UCI_Variant type combo default xiangqi var xiangqi\nuciok\n");
    assert_answer(t, "position startpos moves h2e2", "");
    assert_answer(t, "setoption name UCI_Variant value xiangqi", "");
    assert_answer(t, "position startpos moves h3e3 h10g8", "");
    assert_int_equal(rules_ply(t->engine.state), 2);
    talk_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_handshake),
        cmocka_unit_test(a_variant_option_means_ranks_from_one),
        cmocka_unit_test(limits_become_go),
        cmocka_unit_test(the_position_line_grows),
        cmocka_unit_test(pondering),
        cmocka_unit_test(surakarta_moves_have_no_sign),
        cmocka_unit_test(thinking_is_read),
        cmocka_unit_test(answers_are_read),
        cmocka_unit_test(an_engine_introduces_itself),
        cmocka_unit_test(an_engine_follows_the_position),
        cmocka_unit_test(a_rank_of_ten_settles_an_engines_squares),
        cmocka_unit_test(a_refused_position_is_not_thought_about),
        cmocka_unit_test(an_engine_is_told_how_to_think),
        cmocka_unit_test(only_legal_moves_are_searched),
        cmocka_unit_test(an_engine_may_offer_the_variant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
