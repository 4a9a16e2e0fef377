// UCI from the manager's end: what it writes and what it makes of an engine's lines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "dialect/dialect.h"

static dialect_host start(const char *game) {
    dialect_host h;
    dialect_host_init(&h, DIALECT_UCI, rules_find(text_of(game)));
    return h;
}

static dialect_event say(dialect_host *h, const char *line) {
    return dialect_read(h, text_of(line));
}

static void assert_text(text got, const char *wanted) {
    char copy[4096];
    assert_true(got.len < sizeof copy);
    if (got.len)
        memcpy(copy, got.at, got.len);
    copy[got.len] = '\0';
    assert_string_equal(copy, wanted);
}

static const dialect_limits no_limits = {.clock_us = {-1, -1}};

static void the_handshake(void **unused) {
    (void)unused;
    dialect_host h = start("xiangqi");
    char buffer[1024];
    writer out = writer_on(buffer, sizeof buffer);
    bool answers;
    dialect_write_hello(&h, &out);
    assert_string_equal(buffer, "uci\n");
    assert_int_equal(say(&h, "Pikafish 2024 by somebody").kind, EVENT_NONE);
    dialect_event e = say(&h, "id name Pikafish 2024\r");
    assert_int_equal(e.kind, EVENT_NAME);
    assert_text(e.text, "Pikafish 2024");
    assert_string_equal(h.name, "Pikafish 2024");
    assert_int_equal(say(&h, "id author somebody").kind, EVENT_NONE);
    e = say(&h, "option name Move Overhead type spin default 10 min 0 max 5000");
    assert_int_equal(e.kind, EVENT_OPTION);
    assert_text(e.text, "Move Overhead");
    assert_int_equal(say(&h, "uciok").kind, EVENT_HELLO);
    assert_int_equal(h.notation, NOTATION_UCI0);

    out = writer_on(buffer, sizeof buffer);
    dialect_write_option(&h, text_of("Hash"), text_of("16"), &out);
    dialect_write_option(&h, text_of("Clear Hash"), text_of(""), &out);
    dialect_write_new_game(&h, 0, &no_limits, &answers, &out);
    assert_true(answers);
    assert_string_equal(buffer, "setoption name Hash value 16\nsetoption name Clear Hash\n"
                                "ucinewgame\nisready\n");
    assert_int_equal(say(&h, "readyok").kind, EVENT_READY);
    dialect_host_free(&h);
}

static void a_variant_option_means_ranks_from_one(void **unused) {
    (void)unused;
    dialect_host h = start("xiangqi");
    char buffer[1024];
    writer out = writer_on(buffer, sizeof buffer);
    bool answers;
    say(&h, "option name UCI_Variant type combo default chess var chess var xiangqi var shogi");
    assert_int_equal(h.notation, NOTATION_UCI1);
    dialect_write_new_game(&h, 0, &no_limits, &answers, &out);
    dialect_write_new_game(&h, 1, &no_limits, &answers, &out);
    assert_string_equal(buffer, "setoption name UCI_Variant value xiangqi\nucinewgame\nisready\n"
                                "ucinewgame\nisready\n");
    dialect_host_free(&h);

    h = start("surakarta");
    say(&h, "option name UCI_Variant type combo default chess var chess var xiangqi");
    assert_int_equal(h.notation, NOTATION_UCI0);
    assert_string_equal(h.variant, "");
    dialect_host_free(&h);
}

static void limits_become_go(void **unused) {
    (void)unused;
    dialect_host h = start("xiangqi");
    char buffer[1024];
    writer out = writer_on(buffer, sizeof buffer);
    assert_true(dialect_begin(&h, NULL, &out));
    dialect_limits l = {.clock_us = {61234567, 999}, .increment_us = {10000, 0}, .moves_to_go = 7};
    text position = dialect_write_go(&h, 0, &l, &out);
    assert_text(position, "position startpos\n");
    assert_string_equal(buffer, "go wtime 61234 btime 1 winc 10 movestogo 7\n");

    out = writer_on(buffer, sizeof buffer);
    l = (dialect_limits){
        .clock_us = {-1, -1}, .move_time_us = 500000, .depth = 6, .nodes = 12345678901};
    dialect_write_go(&h, 1, &l, &out);
    dialect_write_go(&h, 1, &no_limits, &out);
    dialect_write_stop(&h, &out);
    dialect_write_quit(&h, &out);
    assert_string_equal(buffer, "go movetime 500 depth 6 nodes 12345678901\ngo infinite\n"
                                "stop\nquit\n");
    dialect_host_free(&h);
}

static void play(dialect_host *h, rules_state *s, const char *word) {
    char none[64];
    writer out = writer_on(none, sizeof none);
    rules_move m;
    assert_true(rules_parse_move(s, text_of(word), &m, NULL));
    assert_true(dialect_played(h, s, m, false, &out));
    assert_true(rules_play(s, m, NULL));
    assert_int_equal(out.used, 0);
}

static void the_position_line_grows(void **unused) {
    (void)unused;
    const rules_game *game = rules_find(text_of("xiangqi"));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(100));
    rules_state *s = rules_state_new(memory, game, &set, 100);
    dialect_host h = start("xiangqi");
    char buffer[1024];
    writer out = writer_on(buffer, sizeof buffer);
    assert_true(dialect_begin(&h, NULL, &out));
    play(&h, s, "h2e2");
    play(&h, s, "h9g7");
    assert_text(dialect_write_go(&h, 0, &no_limits, &out), "position startpos moves h2e2 h9g7\n");
    // A rank of 10 settles the squares, the line's too.
    dialect_event e = say(&h, "info depth 3 pv h1g3 b10c8");
    assert_text(e.info.pv, "h1g3 b10c8");
    assert_int_equal(h.notation, NOTATION_UCI1);
    play(&h, s, "h0g2");
    assert_text(dialect_write_go(&h, 1, &no_limits, &out),
                "position startpos moves h3e3 h10g8 h1g3\n");
    rules_move m;
    fault why;
    assert_true(dialect_parse_move(&h, s, text_of("b10c8"), &m, &why));
    assert_false(dialect_parse_move(&h, s, text_of("b9c7"), &m, &why));

    // The FEN goes out in this program's own letters.
    assert_true(dialect_begin(&h, "4k4/9/9/9/9/9/9/9/9/3K1H3 r", &out));
    assert_text(dialect_write_go(&h, 0, &no_limits, &out),
                "position fen 4k4/9/9/9/9/9/9/9/9/3K1N3 w - - 0 1\n");
    assert_false(dialect_begin(&h, "nonsense", &out));
    dialect_host_free(&h);
    free(memory);
}

static void surakarta_moves_have_no_sign(void **unused) {
    (void)unused;
    const rules_game *game = rules_find(text_of("surakarta"));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(100));
    rules_state *s = rules_state_new(memory, game, &set, 100);
    dialect_host h = start("surakarta");
    char buffer[1024];
    writer out = writer_on(buffer, sizeof buffer);
    const char *fen = "6/1bbb2/6/3w2/6/6 b 0 1";
    rules_move m;
    assert_true(dialect_begin(&h, fen, &out));
    assert_true(rules_set_fen(s, text_of(fen), NULL));
    assert_false(dialect_parse_move(&h, s, text_of("b5-b6"), &m, NULL));
    assert_true(dialect_parse_move(&h, s, text_of("b5b6"), &m, NULL));
    play(&h, s, "b5-b6");
    assert_text(dialect_write_go(&h, 1, &no_limits, &out),
                "position fen 6/1bbb2/6/3w2/6/6 b 0 1 moves b5b6\n");
    dialect_host_free(&h);
    free(memory);
}

static void thinking_is_read(void **unused) {
    (void)unused;
    dialect_host h = start("xiangqi");
    dialect_event e =
        say(&h, "info depth 5 seldepth 9 multipv 1 score cp -108 lowerbound nodes 695 "
                "nps 173750 tbhits 0 time 4 pv h9g7 e2c2");
    assert_int_equal(e.kind, EVENT_INFO);
    assert_true(e.info.has_score && !e.info.is_mate);
    assert_int_equal(e.info.score, -108);
    assert_int_equal(e.info.depth, 5);
    assert_int_equal(e.info.seldepth, 9);
    assert_int_equal(e.info.nodes, 695);
    assert_int_equal(e.info.time_ms, 4);
    assert_text(e.info.pv, "h9g7 e2c2");
    e = say(&h, "info score mate -3");
    assert_true(e.info.has_score && e.info.is_mate);
    assert_int_equal(e.info.score, -3);
    assert_int_equal(e.info.nodes, -1);
    assert_int_equal(say(&h, "info depth 5 multipv 2 score cp 8").kind, EVENT_NONE);
    assert_int_equal(say(&h, "info string depth x").kind, EVENT_NONE);
    assert_int_equal(say(&h, "info currmove h2e2 currmovenumber 3").kind, EVENT_NONE);
    assert_int_equal(say(&h, "info").kind, EVENT_NONE);
    assert_int_equal(say(&h, "info depth").kind, EVENT_MALFORMED);
    assert_int_equal(say(&h, "info depth x").kind, EVENT_MALFORMED);
    assert_int_equal(say(&h, "info score cp").kind, EVENT_MALFORMED);
    assert_int_equal(say(&h, "info score cp 99999999999999999999").kind, EVENT_MALFORMED);
    dialect_host_free(&h);
}

static void answers_are_read(void **unused) {
    (void)unused;
    dialect_host h = start("xiangqi");
    dialect_event e = say(&h, "bestmove h2e2 ponder h9g7");
    assert_int_equal(e.kind, EVENT_MOVE);
    assert_text(e.text, "h2e2");
    assert_false(e.draw_offer || e.resigns);
    assert_int_equal(say(&h, "bestmove (none)").kind, EVENT_NO_MOVE);
    assert_int_equal(say(&h, "bestmove 0000").kind, EVENT_NO_MOVE);
    assert_int_equal(say(&h, "bestmove").kind, EVENT_MALFORMED);
    assert_int_equal(say(&h, "option").kind, EVENT_MALFORMED);
    assert_int_equal(say(&h, "option name type spin").kind, EVENT_MALFORMED);
    assert_int_equal(say(&h, "").kind, EVENT_NONE);
    assert_int_equal(say(&h, "bestmoves h2e2").kind, EVENT_NONE);
    assert_int_equal(dialect_read(&h, (text){"\0\xff bestmove", 11}).kind, EVENT_NONE);
    char *huge = calloc(1, DIALECT_LINE_MAX + 1);
    memcpy(huge, "info ", 5);
    assert_int_equal(dialect_read(&h, (text){huge, DIALECT_LINE_MAX + 1}).kind, EVENT_MALFORMED);
    free(huge);
    dialect_host_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_handshake),
        cmocka_unit_test(a_variant_option_means_ranks_from_one),
        cmocka_unit_test(limits_become_go),
        cmocka_unit_test(the_position_line_grows),
        cmocka_unit_test(surakarta_moves_have_no_sign),
        cmocka_unit_test(thinking_is_read),
        cmocka_unit_test(answers_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
