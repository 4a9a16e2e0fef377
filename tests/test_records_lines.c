// DhtmlXQ, JSON and move lists.
#include "records_sample.h"

static const rules_game *xiangqi(void) { return game_named("xiangqi"); }

// --- DhtmlXQ ------------------------------------------------------------------------------------

static void write_point(writer *w, int point) { write_format(w, "%d%d", point % 9, 9 - point / 9); }

// A record as the forums write it.
static void write_dhtmlxq(const record *r, writer *w) {
    static const char letters[] = "RNBAKABNRCCPPPPPrnbakabnrccppppp";
    rules_state *s = new_state(xiangqi(), 1);
    if (r->fen[0])
        assert_true(rules_set_fen(s, text_of(r->fen), NULL));
    bool used[90] = {false};
    write_string(w, "[DhtmlXQ]\r\n[DhtmlXQ_ver]www[/DhtmlXQ_ver]\r\n[DhtmlXQ_binit]");
    for (int i = 0; i < 32; i++) {
        int point = 0;
        while (point < 90 && (used[point] || rules_piece_at(s, point) != letters[i]))
            point++;
        if (point == 90)
            write_string(w, "99");
        else
            write_point(w, point);
        if (point < 90)
            used[point] = true;
    }
    write_format(w, "[/DhtmlXQ_binit]\n[DhtmlXQ_red]%s[/DhtmlXQ_red][DhtmlXQ_black]%s", r->first,
                 r->second);
    write_format(w,
                 "[/DhtmlXQ_black]\n[DhtmlXQ_comment1]a]b[c[/DhtmlXQ_comment1]\n<br>"
                 "[DhtmlXQ_place]%s[/DhtmlXQ_place][DhtmlXQ_date]%s[/DhtmlXQ_date]\n",
                 r->site, r->date);
    static const char *const results[] = {"未知", "红胜", "黑勝", "和棋"};
    write_format(w, "[DhtmlXQ_result]%s[/DhtmlXQ_result]\n[DhtmlXQ_movelist]", results[r->result]);
    for (uint32_t i = 0; i < r->count; i++) {
        write_point(w, move_from(r->moves[i]));
        write_point(w, move_to(r->moves[i]));
    }
    write_string(w, "[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_1_1]7062[/DhtmlXQ_move_0_1_1]\n"
                    "[/DhtmlXQ]\n\n");
    free(s);
}

// The FEN without its counters, which DhtmlXQ lacks.
static void drop_counters(record *r) {
    char *at = strstr(r->fen, " - - ");
    if (at)
        memcpy(at, " - - 0 1", sizeof " - - 0 1");
}

static void test_dhtmlxq_games(void **state) {
    (void)state;
    rng dice = {41};
    for (int i = 0; i < 60; i++) {
        record a, b, r;
        random_record(&dice, xiangqi(), &a);
        random_record(&dice, xiangqi(), &b);
        drop_counters(&a);
        drop_counters(&b);
        char utf8[8192], gbk[8192];
        writer w = writer_on(utf8, sizeof utf8), g = writer_on(gbk, sizeof gbk);
        write_dhtmlxq(&a, &w);
        write_dhtmlxq(&b, &w);
        assert_false(w.overflow);
        write_gbk(&g, (text){utf8, w.used});
        text bytes = i % 2 ? (text){gbk, g.used} : (text){utf8, w.used};
        assert_int_equal(record_detect(bytes), RECORD_DHTMLXQ);
        record_reader reader = record_read(bytes, RECORD_DHTMLXQ, NULL);
        fault why;
        record_init(&r, NULL);
        if (record_next(&reader, &r, &why) != RECORD_OK)
            fail_msg("%s", why.line);
        if (a.count)
            expect_same_game(&a, &r);
        expect_same_heading(&a, &r);
        assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
        if (b.count)
            expect_same_game(&b, &r);
        assert_int_equal(record_next(&reader, &r, &why), RECORD_END);
        record_close(&reader);
        record_free(&a);
        record_free(&b);
        record_free(&r);
    }
}

// binit of the start position
#define START_DIGITS "0919293949596979891777062646668600102030405060708012720323436383"

static void test_dhtmlxq_forms(void **state) {
    (void)state;
    record r;
    // As one site writes it, with brackets that do not match and no board.
    read_one(text_of("<pre>[DhtmlXQ]\n[DhtmlXQ_title]五羊杯[/DhtmlXQ_title]\n"
                     "[DhtmlXQ_blacktime][/DhtmlXQ_time]\n[DhtmlXQ_open]D29 顺炮[/DhtmlXQ_open]\n"
                     "[DhtmlXQ_movelist]7747\n7062[/DhtmlXQ_movelist]\n[/DhtmlXQ]</pre>\n tail"),
             RECORD_DHTMLXQ, xiangqi(), &r);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.moves[0], move_of(25, 22));
    assert_string_equal(record_find_tag(&r, "Title"), "五羊杯");
    assert_string_equal(record_find_tag(&r, "Opening"), "D29 顺炮");
    record_free(&r);
    read_one(text_of("[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"), RECORD_DHTMLXQ, NULL, &r);
    assert_int_equal(r.count, 2);
    record_free(&r);
    // The main line as line 0, from move 1, without a movelist or with an empty one; the others are
    // variations.
    static const char *const main_lines[] = {
        "[DhtmlXQ]\n[DhtmlXQ_binit]" START_DIGITS "[/DhtmlXQ_binit]\n"
        "[DhtmlXQ_move_0_1_0]77477062[/DhtmlXQ_move_0_1_0]\n"
        "[DhtmlXQ_move_0_2_1]1022[/DhtmlXQ_move_0_2_1]\n[/DhtmlXQ]",
        "[DhtmlXQ_move_0_2_1]1022[/DhtmlXQ_move_0_2_1]"
        "[DhtmlXQ_move_0_1_0]7747 7062[/DhtmlXQ_move_0_1_0][DhtmlXQ_movelist][/DhtmlXQ_movelist]",
        "[DhtmlXQ_move_0_1_0]1242[/DhtmlXQ_move_0_1_0]"
        "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]",
    };
    for (size_t i = 0; i < sizeof main_lines / sizeof main_lines[0]; i++) {
        read_one(text_of(main_lines[i]), RECORD_DHTMLXQ, xiangqi(), &r);
        assert_int_equal(r.count, 2);
        assert_int_equal(r.moves[0], move_of(25, 22));
        record_free(&r);
    }
    // An empty movelist says that no move was made.
    read_one(text_of("[DhtmlXQ_binit]" START_DIGITS "[/DhtmlXQ_binit]"
                     "[DhtmlXQ_movelist][/DhtmlXQ_movelist]"),
             RECORD_DHTMLXQ, xiangqi(), &r);
    assert_int_equal(r.count, 0);
    record_free(&r);
}

static void test_dhtmlxq_without_end(void **state) {
    (void)state;
    // Words that were cut off, as in an attribute of HTML, cost only themselves; moves do not.
    static const char cut[] = "<iframe name=\"NoFile_[DhtmlXQiFrame][DhtmlXQ_title]a\n"
                              "[DhtmlXQ_blacktime][/DhtmlXQ_time][DhtmlXQ_movelist]7747[/"
                              "DhtmlXQ_movelist][DhtmlXQ_comment0]he lost to Hubei\" width=\"5\">";
    record r;
    fault why;
    record_init(&r, NULL);
    record_reader reader = record_read(text_of(cut), RECORD_DHTMLXQ, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
    assert_string_equal(why.line, "'title' without end: the words of its line were taken");
    assert_string_equal(record_comment(&r, 0), "he lost to Hubei");
    assert_string_equal(record_find_tag(&r, "Title"), "a");
    assert_int_equal(r.count, 1);
    record_free(&r);
}

static void test_dhtmlxq_refusals(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"no such thing", "line 1: no [DhtmlXQ] record in it"},
        {"[DhtmlXQ]\n[/DhtmlXQ]", "line 1: a record without moves"},
        {"[DhtmlXQ]\n[DhtmlXQ_red]a[/DhtmlXQ_red]\n[DhtmlXQ_binit]" START_DIGITS
         "[/DhtmlXQ_binit]\n"
         "[DhtmlXQ_move_0_3_1]7747[/DhtmlXQ_move_0_3_1]",
         "line 3: a record without moves"},
        {"[DhtmlXQ]\n[DhtmlXQ_red]a[/DhtmlXQ_red]\n[DhtmlXQ_black]b[/DhtmlXQ_black]",
         "line 3: a record without moves"},
        {"[DhtmlXQ]\n[DhtmlXQ_move_0_1_0]77477747[/DhtmlXQ_move_0_1_0]",
         "line 2: move 2, '7747' (h2e2): no piece on h2"},
        {"[DhtmlXQ]\n[DhtmlXQ_movelist]7747", "line 2: 'movelist' without end"},
        {"[DhtmlXQ]\n[DhtmlXQ_movelist", "line 2: a bracket without end"},
        {"[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[DhtmlXQ_comment0]cut",
         "line 2: 'comment0' without end"},
        {"[DhtmlXQ]\n[DhtmlXQ_movelist]774[/DhtmlXQ_movelist]",
         "line 2: the move list is cut off in the middle of a move"},
        {"[DhtmlXQ]\n\n[DhtmlXQ_movelist]77477747[/DhtmlXQ_movelist]",
         "line 3: move 2, '7747' (h2e2): no piece on h2"},
        {"[DhtmlXQ]\n[DhtmlXQ_movelist]9747[/DhtmlXQ_movelist]",
         "line 2: move 1, '9747', is not a move"},
        {"[DhtmlXQ]\n[DhtmlXQ_binit]00[/DhtmlXQ_binit]", "line 2: binit has 2 digits, not 64"},
        {"[DhtmlXQ_binit]"
         "9999999999999999999999999999999999999999999999999999999999999999[/DhtmlXQ_binit]",
         "line 1: FEN: Red has no general"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_bad(cases[i][0], RECORD_DHTMLXQ, NULL, cases[i][1]);
    expect_bad("[DhtmlXQ]", RECORD_DHTMLXQ, game_named("surakarta"),
               "line 1: DhtmlXQ records are Xiangqi's");
    // A bad game does not spoil the next.
    record_reader reader =
        record_read(text_of("[DhtmlXQ][DhtmlXQ_movelist]1234[/DhtmlXQ_movelist]\n"
                            "[DhtmlXQ_red]a[/DhtmlXQ_red][/DhtmlXQ]\n"
                            "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]"),
                    RECORD_DHTMLXQ, NULL);
    record r;
    fault why;
    record_init(&r, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
    assert_int_equal(r.count, 1);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_END);
    record_free(&r);
}

// --- JSON ---------------------------------------------------------------------------------------

static void test_json_form(void **state) {
    (void)state;
    record r;
    record_init(&r, xiangqi());
    set_string(r.first, sizeof r.first, "许\"银川\"");
    assert_true(record_set_tag(&r, text_of("ECCO"), text_of("A40")));
    assert_true(record_add_move(&r, move_of(25, 22)));
    r.result = RULES_DRAW;
    buffer out = {0};
    fault why;
    assert_true(record_write(&r, RECORD_JSON, &out, &why));
    buffer_add(&out, (text){"", 1});
    assert_string_equal(out.bytes,
                        "{\"game\":\"xiangqi\",\"first\":\"许\\\"银川\\\"\",\"tags\":"
                        "{\"ECCO\":\"A40\"},\"result\":\"draw\",\"moves\":[\"h2e2\"]}\n");
    buffer_free(&out);
    record_free(&r);
    read_one(text_of("{\"moves\":[\"炮二平五\",\"H8+7\"],\"game\":\"xiangqi\"}\n\n"), RECORD_JSON,
             NULL, &r);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.result, RULES_ONGOING);
    record_free(&r);
}

static void test_json_refusals(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"\n[1]", "line 2: not a JSON object"},
        {"{\"moves\":[]}", "line 1: no 'game' in the record"},
        {"{\"game\":\"xiangqi\"}", "line 1: no 'moves' in the record"},
        {"{\"game\":\"go\",\"moves\":[]}", "line 1: no game 'go'"},
        {"{\"game\":7,\"moves\":[]}", "line 1: 'game' is not a string"},
        {"{\"game\":\"xiangqi\",\"moves\":{}}", "line 1: 'moves' is not a list"},
        {"{\"game\":\"xiangqi\",\"moves\":[7]}", "line 1: move 1, '': 'moves' is not a string"},
        {"{\"game\":\"xiangqi\",\"moves\":[\"h2e2\",\"e2e6\"]}",
         "line 1: move 2, 'e2e6': the cannon on e2 is not Black's"},
        {"{\"game\":\"xiangqi\",\"moves\":[],\"result\":\"1-0\"}",
         "line 1: no result '1-0' (first wins, second wins, draw, ongoing)"},
        {"{\"game\":\"xiangqi\",\"moves\":[],\"colour\":\"x\"}",
         "line 1: no key 'colour' in a record"},
        {"{\"game\":\"xiangqi\",\"moves\":[],\"tags\":[]}", "line 1: 'tags' is not an object"},
        {"{\"game\":\"xiangqi\",\"moves\":[],\"tags\":{\"a b\":\"x\"}}",
         "line 1: the tag 'a b' is left out: its name is none"},
        {"{\"game\":\"xiangqi\",\"moves\":[],\"fen\":\"9\"}",
         "line 1: FEN: the board has only 1 of its 10 ranks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_bad(cases[i][0], RECORD_JSON, NULL, cases[i][1]);
    expect_bad("{\"game\":\"xiangqi\",\"moves\":[]}", RECORD_JSON, game_named("surakarta"),
               "line 1: a game of xiangqi, not of surakarta");
    static const char *const broken[] = {"{", "{\"game\":", "nonsense", "{\"a\":1,\"a\":2}",
                                         "{} {}"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        record r;
        fault why;
        record_reader reader = record_read(text_of(broken[i]), RECORD_JSON, NULL);
        record_init(&r, NULL);
        assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
        assert_true(text_starts(text_of(why.line), "line 1: not JSON, at column "));
        record_free(&r);
    }
}

// --- plain texts --------------------------------------------------------------------------------

static void test_plain_texts(void **state) {
    (void)state;
    record r;
    static const char *const samples[] = {
        "FORMAT\tWXF\r\nGAME\t1\r\nRED\t甲\r\nBLACK\t乙\r\nRESULT\t1-0\r\nSTART{\r\n"
        " 1. C2=5 H8+7\r\n 2. H2+3 R9=8\r\n}END\r\n",
        "标题: 甲 胜 乙\n红方: 甲\n黑方：乙\n结果: 红方胜\n\n【主变】\n　　1. 炮二平五　马8进7\n"
        "　　2.马二进三　车9平8\n\n棋谱由网站生成\n",
    };
    for (int i = 0; i < 2; i++) {
        assert_int_equal(record_detect(text_of(samples[i])), i ? RECORD_DPXQ : RECORD_WXF);
        read_one(text_of(samples[i]), i ? RECORD_DPXQ : RECORD_WXF, NULL, &r);
        assert_int_equal(r.count, 4);
        assert_int_equal(r.moves[0], move_of(25, 22));
        assert_string_equal(r.first, "甲");
        assert_string_equal(r.second, "乙");
        assert_int_equal(r.result, RULES_FIRST_WINS);
        record_free(&r);
    }
    expect_bad("FORMAT WXF\nRED a\n", RECORD_WXF, NULL, "line 1: no START{ with moves");
    expect_bad("FORMAT WXF\nSTART{\n1. C2=5 C3=5\n}END", RECORD_WXF, NULL,
               "line 3: move 2, 'C3=5': no black cannon on file 3");
    expect_bad("标题: a\n", RECORD_DPXQ, NULL, "line 1: a record without moves");
}

// --- move lists ---------------------------------------------------------------------------------

static void test_move_lists(void **state) {
    (void)state;
    static const struct {
        const char *line;
        uint32_t count;
        const char *fen;
    } games[] = {
        {"h2e2 h9g7", 2, ""},
        {"\n  \n1. 炮二平五 马8进7 2. H2+3", 3, ""},
        {"startpos", 0, ""},
        {"position startpos moves h2e2", 1, ""},
        {"position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1", 1,
         "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"},
        {"fen 3k5/9/9/9/9/9/9/9/9/4K4 w e0e1", 1, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"},
        {"fen 3k5/9/9/9/9/9/9/9/9/4K4 b 7 12 d9d8 e0e1 *", 2, "3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 12"},
        {"fen 3k5/9/9/9/9/9/9/9/9/4K4 w", 0, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        record r;
        read_one(text_of(games[i].line), RECORD_MOVES, xiangqi(), &r);
        assert_int_equal(r.count, games[i].count);
        assert_string_equal(r.fen, games[i].fen);
        record_free(&r);
    }
    record r;
    read_one(text_of("h2e2 0-1"), RECORD_MOVES, xiangqi(), &r);
    assert_int_equal(r.result, RULES_SECOND_WINS);
    record_free(&r);
    read_one(text_of("c5-c4 EEED B2A-3A"), RECORD_MOVES, game_named("surakarta"), &r);
    record_free(&r);
}

static void test_move_list_refusals(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"\nh2e2 h2e2", "line 2: move 2, 'h2e2': no piece on h2"},
        {"h2e2 1-0 h9g7", "line 1: 'h9g7' behind the result"},
        {"fen", "line 1: '' is no FEN"},
        {"fen 9/9 w h2e2", "line 1: FEN: the board has only 2 of its 10 ranks"},
        {"1 2 3", "line 1: no move in '1 2 3'"},
        {"1-0", "line 1: no move in '1-0'"},
        {"position", "line 1: no move in 'position'"},
        {"\xff", "line 1: damaged characters (1)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_bad(cases[i][0], RECORD_MOVES, xiangqi(), cases[i][1]);
    expect_bad("h2e2", RECORD_MOVES, NULL, "line 1: nothing says which game these moves are of");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dhtmlxq_games),      cmocka_unit_test(test_dhtmlxq_forms),
        cmocka_unit_test(test_dhtmlxq_refusals),   cmocka_unit_test(test_dhtmlxq_without_end),
        cmocka_unit_test(test_json_form),          cmocka_unit_test(test_json_refusals),
        cmocka_unit_test(test_plain_texts),        cmocka_unit_test(test_move_lists),
        cmocka_unit_test(test_move_list_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
