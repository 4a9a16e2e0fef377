// Whatever a reader does not keep is named in a remark, all of them up to a number; odd dialects
// are read; and hostile trees are read in linear time.
#include "records_sample.h"

#include <time.h>

// --- remarks ------------------------------------------------------------------------------------

// Reads the first game; it is good and has these remarks, a line each.
static void expect_remarks(const char *sample, record_format format, const char *game,
                           const char *remarks) {
    record r;
    fault why = {""};
    record_reader reader = record_read(text_of(sample), format, game ? game_named(game) : NULL);
    record_init(&r, NULL);
    if (record_next(&reader, &r, &why) != RECORD_OK)
        fail_msg("%s: %s", sample, why.line);
    buffer_char(&r.remarks, '\0');
    assert_string_equal(r.remarks.bytes, remarks);
    record_free(&r);
    record_close(&reader);
}

static const char long_name[] = "AVeryLongTagNameOfMoreThanThirtyOneBytes";

static void test_pgn(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"[Round \"1\"]\n[Round \"2\"]\n1. h2e2 *", "a second Round replaces '1'\n"},
        {"[Event \"a\"]\n[Event \"b\"]\n1. h2e2 *", "a second Event replaces 'a'\n"},
        {"[Result \"good\"]\n1. h2e2 *", "the result 'good' is not understood\n"},
        {"[Result \"红先胜\"]\n1. h2e2 *", ""},
        {"$7 1. h2e2 $0 $1 $2 $3 $4 $5 $999 *",
         "line 1: the mark $7 is left out: it stands before the first move\n"
         "line 1: the mark '$0' is left out: marks are $1 to $255\n"
         "line 1: the mark $5 is left out: the move has four\n"
         "line 1: the mark '$999' is left out: marks are $1 to $255\n"},
        {"1. h2e2 (1. b2e2 1-0) (1. a0a9) (1. a0a8)\n(1. i0i9) h9g7 *",
         "line 1: the result 1-0 of a variation is left out\n"
         "line 1: the rest of a variation is left out: move 1, 'a0a9': the chariot is blocked "
         "on a3\n"
         "line 1: the rest of a variation is left out: move 1, 'a0a8': the chariot is blocked "
         "on a3\n"
         "line 2: the rest of a variation is left out: move 1, 'i0i9': the chariot is blocked "
         "on i3\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_remarks(cases[i][0], RECORD_PGN, "xiangqi", cases[i][1]);
    char sample[2048], wanted[256];
    writer w = writer_on(sample, sizeof sample), v = writer_on(wanted, sizeof wanted);
    write_format(&w, "[%s \"x\"]\n[Site \"", long_name);
    for (int i = 0; i < 300; i++)
        write_char(&w, 'x');
    write_string(&w, "\"]\n1. h2e2 *");
    write_format(&v,
                 "the tag '%s' is left out: its name is too long\n"
                 "Site is cut: it has more than 255 bytes\n",
                 long_name);
    expect_remarks(sample, RECORD_PGN, "xiangqi", wanted);
}

// Comments that stand in odd places are kept.
static void test_comments(void **state) {
    (void)state;
    record r;
    read_one(text_of("1. h2e2 h9g7 ({no move here}) 1-0 {Black\nresigned} ; at last\n\n====\n"),
             RECORD_PGN, game_named("xiangqi"), &r);
    assert_string_equal(record_comment(&r, 2), "no move here\nBlack\nresigned\nat last");
    record_free(&r);
    read_one(text_of("#2026-11-15|沈阳|三楼\n#先手方:甲|后手方:乙|先手胜\n#裁判：丙\nB2E-3E\n"),
             RECORD_CONTEST, NULL, &r);
    assert_string_equal(record_comment(&r, 0), "三楼\n裁判：丙");
    record_free(&r);
    read_one(text_of("标题: 甲 胜 乙\n裁判: 丙\n1.炮二平五　马8进7\n（好棋）\n"), RECORD_DPXQ, NULL,
             &r);
    assert_string_equal(record_comment(&r, 0), "裁判: 丙");
    assert_string_equal(record_comment(&r, 2), "（好棋）");
    record_free(&r);
}

static void test_others(void **state) {
    (void)state;
    static const struct {
        record_format format;
        const char *sample, *remarks;
    } cases[] = {
        {RECORD_DHTMLXQ,
         "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_comment7]x[/DhtmlXQ_comment7]"
         "[DhtmlXQ_commentx]x[/DhtmlXQ_commentx][DhtmlXQ_move_1_2]7062[/DhtmlXQ_move_1_2]"
         "[DhtmlXQ_result]?!x[/DhtmlXQ_result][/DhtmlXQ]",
         "the field 'commentx' is left out: nobody knows what it means\n"
         "the field 'move_1_2' is left out: nobody knows what it means\n"
         "the result '?!x' is not understood\n"
         "the comment of ply 7 of line 0 is left out: there is no such move\n"},
        {RECORD_DHTMLXQ,
         "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n"
         "[DhtmlXQ_movelist]1747[/DhtmlXQ_movelist][/DhtmlXQ]",
         "line 2: a second movelist replaces the first\n"},
        {RECORD_DHTMLXQ,
         "[DhtmlXQ][DhtmlXQ_move_0_1_0]1747[/DhtmlXQ_move_0_1_0]\n"
         "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]",
         "line 1: move_0_1_0 says other moves than movelist, which is taken\n"},
        {RECORD_DHTMLXQ,
         "[DhtmlXQ][DhtmlXQ_move_0_1_0]7747 7062[/DhtmlXQ_move_0_1_0]"
         "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]",
         ""},
        {RECORD_DHTMLXQ, // lines that leave one another
         "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"
         "[DhtmlXQ_move_2_2_1]1022[/DhtmlXQ_move_2_2_1][DhtmlXQ_move_1_2_2]1022"
         "[/DhtmlXQ_move_1_2_2][DhtmlXQ_move_3_2_3]1022[/DhtmlXQ_move_3_2_3][/DhtmlXQ]",
         "line 1: the rest of a variation is left out: variation 1 leaves line 2 at ply 2, which "
         "is not there\n"
         "line 1: the rest of a variation is left out: variation 2 leaves line 1 at ply 2, which "
         "is not there\n"
         "line 1: the rest of a variation is left out: variation 3 leaves line 3 at ply 2, which "
         "is not there\n"},
        {RECORD_WXF, "FORMAT WXF\nRED\nlonely\nSTART{\n1. C2=5\n}END\n",
         "line 3: 'lonely' is left out: no heading of WXF\n"},
        {RECORD_WXF, "FORMAT WXF\nCOMMENT{\nwords\nSTART{\n1. C2=5\n}END\n",
         "line 2: COMMENT{ without }\n"},
        {RECORD_JSON, "{\"game\":\"xiangqi\",\"moves\":[\"h2e2\"],\"tags\":{\"resuLt\":\"1-0\"}}",
         "the tag 'resuLt' is left out: its name is another heading's\n"},
        {RECORD_JSON, "{\"game\":\"xiangqi\",\"moves\":[\"h2e2\"],\"scores\":[7]}",
         "'scores' are left out: a record has no place for them\n"},
        {RECORD_WXF, "FORMAT WXF\nRED a\nRED b\nSTART{\n1. C2=5!\n}END\n",
         "a second Red replaces 'a'\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_remarks(cases[i].sample, cases[i].format, NULL, cases[i].remarks);
}

// Fields of DhtmlXQ and headings of WXF that nobody knows are tags of their own name.
static void test_unknown_headings(void **state) {
    (void)state;
    record r;
    read_one(text_of("[DhtmlXQ][DhtmlXQ_gametype]x[/DhtmlXQ_gametype]"
                     "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]"),
             RECORD_DHTMLXQ, NULL, &r);
    assert_string_equal(record_find_tag(&r, "gametype"), "x");
    buffer out = {0};
    fault lost, why;
    assert_true(record_set_tag(&r, text_of("ECCO"), text_of("C01")));
    assert_false(record_tell_losses(&r, RECORD_DHTMLXQ, &lost));
    assert_true(record_write(&r, RECORD_DHTMLXQ, &out, &why));
    record_free(&r);
    read_one(buffer_text(&out), RECORD_DHTMLXQ, NULL, &r);
    assert_string_equal(record_find_tag(&r, "ECCO"), "C01");
    record_free(&r);
    buffer_free(&out);
    read_one(text_of("FORMAT WXF\nJUDGE c\nSTART{\n1. C2=5\n}END\nwords behind it\n"), RECORD_WXF,
             NULL, &r);
    assert_string_equal(record_find_tag(&r, "JUDGE"), "c");
    record_free(&r);
    // A position without binit.
    read_one(text_of("[DhtmlXQ][DhtmlXQ_fen]3k5/9/9/9/9/9/9/9/4R4/4K4 w[/DhtmlXQ_fen]"
                     "[DhtmlXQ_movelist]4838[/DhtmlXQ_movelist][/DhtmlXQ]"),
             RECORD_DHTMLXQ, NULL, &r);
    assert_string_equal(r.fen, "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
    record_free(&r);
}

// A game of WXF without its end costs the next one nothing, and comments are read.
static void test_wxf_games(void **state) {
    (void)state;
    static const char games[] =
        "FORMAT WXF\nRED a\nSTART{\n1. C2=5 H8+7\n\nFORMAT WXF\nRED b\n"
        "FORMAT WXF\nRED c\nCOMMENT{ nice\ngame }\nSTART{\n1. C2=5\n}END\n"
        "\nCOMMENT{\nat last\n}\nFORMAT WXF\nRED d\nSTART{\n1. H2+3\n}END\n";
    record_reader reader = record_read(text_of(games), RECORD_WXF, NULL);
    record r;
    fault why;
    record_init(&r, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
    assert_string_equal(why.line, "line 4: the moves have no }END");
    assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
    assert_string_equal(why.line, "line 6: no START{ with moves");
    assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
    assert_string_equal(r.first, "c");
    assert_string_equal(record_comment(&r, 0), "nice\ngame");
    assert_string_equal(record_comment(&r, 1), "at last");
    assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
    assert_string_equal(r.first, "d");
    assert_string_equal(record_comment(&r, 0), "");
    assert_int_equal(record_next(&reader, &r, &why), RECORD_END);
    record_free(&r);
    record_close(&reader);
}

// A variation may have a smaller number than the line that it leaves.
static void test_order_of_lines(void **state) {
    (void)state;
    record r;
    buffer out = {0};
    fault why;
    read_one(text_of("[DhtmlXQ][DhtmlXQ_move_2_2_1]7062[/DhtmlXQ_move_2_2_1]"
                     "[DhtmlXQ_move_0_1_2]17471022[/DhtmlXQ_move_0_1_2]"
                     "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]"),
             RECORD_DHTMLXQ, NULL, &r);
    assert_int_equal(r.remark_count, 0);
    assert_true(record_write_as(&r, RECORD_PGN, NOTATION_NATIVE, &out, &why));
    buffer_char(&out, '\0');
    assert_non_null(strstr(out.bytes, "\n\n1. h2e2 (1. b2e2 b9c7 (1... h9g7)) *\n"));
    buffer_free(&out);
    record_free(&r);
}

// What formats change in writing.
static void test_losses(void **state) {
    (void)state;
    static const struct {
        const char *sample;
        record_format format;
        const char *remark; // empty: nothing is lost
    } cases[] = {
        {"[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 7 30\"]\n1. e1e2 *", RECORD_XQF,
         "the FEN's counters dropped: the format xqf has no place for them"},
        {"[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 7 30\"]\n1. e1e2 *", RECORD_CBR,
         "the FEN's counters dropped: the format cbr has no place for them"},
        {"[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1\"]\n1. d9d8 *", RECORD_XQF, ""},
        {"[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 7 30\"]\n1. e1e2 *", RECORD_DHTMLXQ, ""},
        {"[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 7 30\"]\n1. e1e2 *", RECORD_WXF, ""},
        {"1. h2e2 {a||b} h9g7 {a[/DhtmlXQ b} *", RECORD_DHTMLXQ,
         "2 comments changed: the format dhtmlxq writes some characters as others"},
        {"1. h2e2 {a|\nb} *", RECORD_DHTMLXQ,
         "1 comment changed: the format dhtmlxq writes some characters as others"},
        {"1. h2e2 {a|b\nc [x]} *", RECORD_DHTMLXQ, ""},
        {"[Title \"a[/DhtmlXQ b\"]\n1. h2e2 *", RECORD_DHTMLXQ,
         "Title changed: the format dhtmlxq writes some characters as others"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        record r;
        fault lost = {""};
        read_one(text_of(cases[i].sample), RECORD_PGN, game_named("xiangqi"), &r);
        bool is_lost = record_tell_losses(&r, cases[i].format, &lost);
        assert_string_equal(is_lost ? lost.line : "", cases[i].remark);
        record_free(&r);
    }
}

// A strict reader refuses what it would leave out.
static void test_strict(void **state) {
    (void)state;
    expect_bad("[Round \"1\"]\n[Round \"2\"]\n1. h2e2 *", RECORD_PGN, game_named("xiangqi"),
               "line 1: a second Round replaces '1'");
    expect_bad("{\"game\":\"xiangqi\",\"moves\":[\"h2e2\"],\"scores\":[7]}", RECORD_JSON, NULL,
               "line 1: 'scores' are left out: a record has no place for them");
    expect_bad("{\"game\":\"xiangqi\",\"moves\":[\"h2e2\"],\"comments\":{\"0\":\"a\"},"
               "\"lines\":[{\"of\":0,\"at\":1,\"moves\":[\"b2e2\"],\"comments\":{\"0\":\"b\"}}]}",
               RECORD_JSON, NULL, "line 1: line 1 of 'lines': the line has no ply '0'");
    expect_bad("{\"game\":\"xiangqi\",\"moves\":[\"h2e2\"],\"used\":[1,2]}", RECORD_JSON, NULL,
               "line 1: 'used' has more entries than there are moves");
    expect_bad("{\"game\":\"xiangqi\",\"moves\":[\"h2e2\"],\"used\":[\"1\"]}", RECORD_JSON, NULL,
               "line 1: 'used' holds microseconds or null");
    expect_bad("{\"game\":\"xiangqi\",\"moves\":[\"h2e2\"],\"marks\":{\"1\":7}}", RECORD_JSON, NULL,
               "line 1: marks are up to four numbers from 1 to 255");
}

// --- dialects of PGN ----------------------------------------------------------------------------

// Reads a text and writes it as PGN without tags.
static void expect_movetext(const char *sample, const char *fen, const char *movetext) {
    record r;
    buffer out = {0};
    fault why;
    read_one(text_of(sample), RECORD_PGN, game_named("xiangqi"), &r);
    assert_string_equal(r.fen, fen);
    assert_true(record_write_as(&r, RECORD_PGN, NOTATION_NATIVE, &out, &why));
    buffer_char(&out, '\0');
    assert_string_equal(strstr(out.bytes, "\n\n") + 2, movetext);
    buffer_free(&out);
    record_free(&r);
}

static void test_dialects(void **state) {
    (void)state;
    // moves without blanks between them
    expect_movetext("1. 炮二平五马８进７2.马二进三车９平８ *", "", "1. h2e2 h9g7 2. h0g2 i9h9 *\n");
    expect_movetext("1. Ｃ２＝５Ｈ８＋７ h0g2i9h9 *", "", "1. h2e2 h9g7 2. h0g2 i9h9 *\n");
    expect_movetext("1. H2-E2H9-G7 *", "", "1. h2e2 h9g7 *\n");
    // a side that is none
    static const char red[] = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1",
                      black[] = "3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1";
    expect_movetext("[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 -b\"]\n1. e1e2 *", red, "1. e1e2 *\n");
    expect_movetext("[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 -b\"]\n{a} 1. d9d8 *", black,
                    "{a} 1... d9d8 *\n");
    // Another first move tells it no more.
    expect_movetext("[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 -b\"]\n1. e1e2 (1. d9d8) *", red,
                    "1. e1e2 *\n");
    expect_bad("[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 -b\"]\n1. e1d1 *", RECORD_PGN, NULL,
               "line 1: FEN: the side to move is w or b, not '-b'");
}

static void test_drawing(void **state) {
    (void)state;
    static const char drawing[] = "[Result \"红胜\"]\r\n\r\n"
                                  "　开始　　　　　　　　　　　　\r\n"
                                  "　　↓　　　　　　　　　　　　\r\n"
                                  "炮二平五………………马二进三　\r\n"
                                  "　　↓　　　　　　　　　↓　　\r\n"
                                  "马８进７…炮８平５　卒７进１　\r\n"
                                  "　　　　　　　↓　　　　　　　\r\n"
                                  "　　　　　马二进三　　　　　　\r\n"
                                  "　　　　　　　　　　　　　　　\r\n\r\n"
                                  "(0,0): {all}\r\n(2,1): {words\r\n}\r\n(9,9): {none}\r\n";
    expect_movetext(drawing, "",
                    "{all} 1. h2e2 (1. h0g2 g6g5) 1... h9g7 (1... h7e7 {words} 2. h0g2) 1-0\n");
    expect_remarks(drawing, RECORD_PGN, NULL,
                   "line 15: a comment is left out: there is no such move\n");
    expect_bad("[Red \"a\"]\n开始\n　　↓\n炮二平五\n　　　　　　　↓\n　　　　　马8进7\n",
               RECORD_PGN, NULL, "line 6: a move of the drawing follows nothing");
}

// --- time ---------------------------------------------------------------------------------------

// A long main line and as many variations, in turns at its start and at its end.
static void write_hostile(record_format format, unsigned size, buffer *out) {
    static const char *const cycle[2][4] = {{"h0g2", "h9g7", "g2h0", "g7h9"},
                                            {"7967", "7062", "6779", "6270"}};
    bool is_json = format == RECORD_JSON;
    buffer_string(out,
                  is_json ? "{\"game\":\"xiangqi\",\"moves\":[" : "[DhtmlXQ][DhtmlXQ_movelist]");
    for (unsigned i = 0; i < size; i++)
        buffer_format(out, is_json ? "%s\"%s\"" : "%s%s", is_json && i ? "," : "",
                      cycle[!is_json][i % 4]);
    buffer_string(out, is_json ? "],\"lines\":[" : "[/DhtmlXQ_movelist]");
    for (unsigned i = 1; i <= size; i++) {
        unsigned at = i % 2 ? 1 : size - 3; // Red's turn
        if (is_json)
            buffer_format(out, "%s{\"of\":0,\"at\":%u,\"moves\":[\"a0a1\"]}", i > 1 ? "," : "", at);
        else
            buffer_format(out, "[DhtmlXQ_move_0_%u_%u]0908[/DhtmlXQ_move_0_%u_%u]", at, i, at, i);
    }
    buffer_string(out, is_json ? "]}\n" : "[/DhtmlXQ]\n");
}

// Processor time of reading a game so many times.
static double time_of_games(const char *game, unsigned size) {
    buffer sample = {0};
    record r;
    fault why;
    unsigned games = 0;
    for (unsigned i = 0; i < size; i++)
        buffer_string(&sample, game);
    record_reader reader = record_read(buffer_text(&sample), RECORD_PGN, NULL);
    record_init(&r, NULL);
    clock_t begun = clock();
    while (record_next(&reader, &r, &why) == RECORD_OK)
        games++;
    double took = (double)(clock() - begun) / CLOCKS_PER_SEC;
    assert_int_equal(games, size);
    record_free(&r);
    record_close(&reader);
    buffer_free(&sample);
    return took;
}

// Processor time of reading and writing, the least of three.
static double time_of(record_format format, unsigned size) {
    buffer text_of_it = {0};
    double least = 1e9;
    write_hostile(format, size, &text_of_it);
    for (int i = 0; i < 3; i++) {
        record r;
        buffer out = {0};
        fault why;
        clock_t begun = clock();
        read_one(buffer_text(&text_of_it), format, NULL, &r);
        assert_true(record_write(&r, format, &out, &why));
        double took = (double)(clock() - begun) / CLOCKS_PER_SEC;
        assert_int_equal(r.node_count, 2 * size + 1);
        least = took < least ? took : least;
        record_free(&r);
        buffer_free(&out);
    }
    buffer_free(&text_of_it);
    return least;
}

// Eight times as much takes 8 times as long, 64 times where time is quadratic.
static void test_linear_time(void **state) {
    (void)state;
    static const record_format formats[] = {RECORD_DHTMLXQ, RECORD_JSON};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        double little = time_of(formats[i], 2000), much = time_of(formats[i], 16000);
        if (much > 24 * little)
            fail_msg("%s: %.4f and %.4f s", record_format_name(formats[i]), little, much);
    }
    // A brace left open behind a result: looking for its end must not start again for every game.
    double closed = time_of_games("1. h2e2 1-0 {}\n", 8000);
    double open = time_of_games("1. h2e2 1-0 {\n", 8000);
    if (open > 6 * closed)
        fail_msg("closed braces: %.4f, open ones %.4f s", closed, open);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pgn),       cmocka_unit_test(test_comments),
        cmocka_unit_test(test_others),    cmocka_unit_test(test_unknown_headings),
        cmocka_unit_test(test_strict),    cmocka_unit_test(test_dialects),
        cmocka_unit_test(test_drawing),   cmocka_unit_test(test_linear_time),
        cmocka_unit_test(test_wxf_games), cmocka_unit_test(test_order_of_lines),
        cmocka_unit_test(test_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
