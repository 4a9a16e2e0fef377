// The Surakarta contest's records: GBK and UTF-8, the mistakes people type, file names.
#include "records_sample.h"

#define BOARD "!BBBBBB\r\n!BBBBBB\r\n!000000\r\n!000000\r\n!RRRRRR\r\n!RRRRRR\r\n"
#define HEADING "#2026-11-15 14:05|沈阳\r\n#先手方:甲队|后手方:乙队|先手胜\r\n"
#define START HEADING BOARD

static const rules_game *surakarta(void) { return game_named("surakarta"); }

static text as_gbk(const char *utf8, char *bytes, size_t size) {
    writer w = writer_on(bytes, size);
    write_gbk(&w, text_of(utf8));
    return (text){bytes, w.used};
}

static void expect_sample(const record *r) {
    assert_string_equal(r->date, "2026-11-15 14:05");
    assert_string_equal(r->site, "沈阳");
    assert_string_equal(r->first, "甲队");
    assert_string_equal(r->second, "乙队");
    assert_string_equal(r->fen, "");
    assert_int_equal(r->result, RULES_FIRST_WINS);
    assert_int_equal(r->count, 2);
    assert_int_equal(r->moves[0], move_of(10, 16)); // 2E to 3E
    assert_int_equal(r->moves[1], move_of(24, 18)); // 5A to 4A
}

static void test_encodings(void **state) {
    (void)state;
    static const char sample[] = START "B2E-3E\r\nR5A-4A\r\n";
    record r;
    read_one(text_of(sample), RECORD_CONTEST, NULL, &r);
    expect_sample(&r);
    char gbk[1024];
    text bytes = as_gbk(sample, gbk, sizeof gbk);
    assert_true(bytes.len < strlen(sample));
    record_free(&r);
    read_one(bytes, RECORD_CONTEST, surakarta(), &r);
    expect_sample(&r);

    buffer out = {0};
    fault why;
    assert_true(record_write(&r, RECORD_CONTEST, &out, &why));
    assert_true(text_equal(bytes, (text){out.bytes, out.len})); // byte for byte as it came
    buffer_free(&out);
    record_free(&r);
}

static void expect_loose(const char *bytes) {
    record r;
    read_one(text_of(bytes), RECORD_CONTEST, NULL, &r);
    assert_int_equal(r.count, 2);
    record_free(&r);
}

static void test_loose_forms(void **state) {
    (void)state;
    expect_loose("B2E-3E\nR5A-4A");
    expect_loose("\xef\xbb\xbf#|\n#先手方：甲|后手方：乙|\n\n B2E-3E  R5A-4A \n\n");
    expect_loose("#2018-08-04|\n#先手方:1队|后手方:2队|\n" BOARD "B2e-3e\nR5a-4a\n");
    expect_loose(START "# a remark\nB2E-3E\n# another\nR5A-4A\n");
}

// A capture: black takes along the outer circuit. Found by asking the rules for one.
static void test_captures(void **state) {
    (void)state;
    rng dice = {31};
    for (int i = 0; i < 20; i++) {
        record r;
        do {
            random_record(&dice, surakarta(), &r);
            if (r.fen[0])
                record_free(&r);
        } while (r.game == NULL);
        buffer out = {0};
        fault why;
        assert_true(record_write(&r, RECORD_CONTEST, &out, &why));
        // × is A1 C1 in GBK; x and X are read too.
        for (const char *sign = "xX"; *sign; sign++) {
            buffer other = {0};
            for (size_t at = 0; at < out.len; at++) {
                bool times = at + 1 < out.len && memcmp(out.bytes + at, "\xa1\xc1", 2) == 0;
                buffer_add(&other, times ? (text){sign, 1} : (text){out.bytes + at, 1});
                at += times;
            }
            record again;
            read_one((text){other.bytes, other.len}, RECORD_CONTEST, NULL, &again);
            expect_same_game(&r, &again);
            record_free(&again);
            buffer_free(&other);
        }
        buffer_free(&out);
        record_free(&r);
    }
}

static void test_typing_errors(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {START "R5A-4A\r\n", "line 9: move 1, 'R5A-4A': Black is to move (B), not White"},
        {START "B2E-3E\r\nB2D-3D\r\n",
         "line 10: move 2, 'B2D-3D': White is to move (R), not Black"},
        {START "B3E-4E\r\n", "line 9: move 1, 'B3E-4E': no piece on e4"},
        {START "\r\nB2E×3E\r\n", "line 10: move 1, 'B2E×3E': there is nothing to capture on e4"},
        {START "B2E-3\r\n", "line 9: move 1, 'B2E-3': 'B2E-3' is not a move (B2E-3E, R6C×4A)"},
        {START "B2E-3G\r\n", "line 9: move 1, 'B2E-3G': 'B2E-3G' is not a move (B2E-3E, R6C×4A)"},
        {START "c2-c3\r\n", "line 9: move 1, 'c2-c3': 'c2-c3' is not a move (B2E-3E, R6C×4A)"},
        {"!BBBBBB\n!BBBBBB\n!000000\n!000000\n!RRRRRR\nB2E-3E\n",
         "line 6: the board has 5 lines, not 6"},
        {BOARD "!000000\n", "line 7: a seventh board line"},
        {BOARD "B2E-3E\n!000000\n", "line 8: a board line among the moves"},
        {"!BBBBB\n", "line 1: a board line has 6 points, not 5"},
        {"!BBBBBW\n", "line 1: a board line holds B, R and 0, not 'W'"},
        {"what is this", "line 1: move 1, 'what': 'what' is not a move (B2E-3E, R6C×4A)"},
        {HEADING, "line 2: a record without moves"},
        {START, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i][1]) {
            expect_bad(cases[i][0], RECORD_CONTEST, NULL, cases[i][1]);
            continue;
        }
        record r;
        read_one(text_of(cases[i][0]), RECORD_CONTEST, NULL, &r); // a game without moves
        assert_int_equal(r.count, 0);
        record_free(&r);
    }
    expect_bad(START, RECORD_CONTEST, game_named("xiangqi"),
               "line 1: contest records are Surakarta's");
}

// Files as people type them: read all the same, with a remark; refused where that is wanted.
static void test_repairs(void **state) {
    (void)state;
    static const struct {
        const char *file, *remark;
        rules_outcome result;
    } cases[] = {
        {HEADING BOARD "B2E-3E\nR5A-4A\nB2B-3B\nR5C-4C\nB1B-2B\n", "", RULES_FIRST_WINS},
        {HEADING BOARD "B2EX3E\nR5A-4A\nB2B-3B\nR5CX4C\nB1B-2B\n",
         "repaired: 2 wrong signs of steps and captures", RULES_FIRST_WINS},
        {HEADING BOARD "B5B-4B\nR2F-3F\nB5E-4E\nR2D-3D\nB6E-5E\n",
         "repaired: coordinates are seen from the other side", RULES_FIRST_WINS},
        {HEADING BOARD "R5B-4B\nB2F-3F\nR5E-4E\nB2D-3D\nR6E-5E\n",
         "repaired: R moves first, so the colours are exchanged", RULES_FIRST_WINS},
        {"#a|b\n#先手方:甲|后手方:乙|黑方胜\n" BOARD "R5B-4B\nB2F-3F\nR5E-4E\nB2D-3D\nR6E-5E\n",
         "repaired: R moves first, so the colours are exchanged", RULES_SECOND_WINS},
        {"#a|b\n#先手方:甲|后手方:乙|红方胜\n" BOARD "R5B-4B\nB2F-3F\nR5E-4E\nB2D-3D\nR6E-5E\n",
         "repaired: R moves first, so the colours are exchanged", RULES_FIRST_WINS},
        {"#a|b\n#先手方:甲|后手方:乙|先手红方胜\n" BOARD "R5B-4B\nB2F-3F\nR5E-4E\nB2D-3D\nR6E-5E\n",
         "repaired: R moves first, so the colours are exchanged", RULES_FIRST_WINS},
        {"#a|b\n#先手方:A1 甲|后手方:B1 乙|B1胜出\n!BBBBBB0\n!BBBBBB\n!000000\n!000000\n!RRRRRR\n!"
         "RRRRRR\n"
         "B2E-3E\nR5A-4A\nB2B-3B\nR5C-4C\nB1B-2B\n",
         "repaired: 1 board line with more than 6 points", RULES_SECOND_WINS},
        {"#a|b\n#先手方:A1|后手方:B1|白方胜\n" BOARD
         "B2E-3E\nR5A-4A\nB2B-3B\nR5C-4C\nB1B-2B\n结束\n",
         "repaired: words after the last move are left out", RULES_SECOND_WINS},
        {"#a|b\n#先手方:A1|后手方:B1|白方胜\n!0BBBBBB\n!BBB0BBB\n!000000\n!000000\n!RRRRRRR\n!"
         "RRRRRR"
         "\nB2E-3E\nR5A-4A\nB2B-3B\nR5C-4C\nB1B-2B\n",
         "repaired: 3 board lines with more than 6 points; 1 piece behind the sixth point cut off",
         RULES_SECOND_WINS},
        {HEADING BOARD "B2E-3E\nR5A-4A\nB2B-3B\nR5C-4C\nB1B-2B\nR5F-",
         "repaired: the last move is cut off and left out", RULES_FIRST_WINS},
        {HEADING BOARD "B2E-3E\nR5A-4A\nB2B-3B\nR5C-4C\nB1B-2B\nR5",
         "repaired: the last move is cut off and left out", RULES_FIRST_WINS},
        {"#a|b\n#先手方:A1|后手方:B1|黑方胜\n" BOARD "BE2-E3\nRA5-A4\nBB2-B3\nRC5-C4\nBB1-B2\n",
         "repaired: the order of digits and letters", RULES_FIRST_WINS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        record r;
        fault why;
        record_reader reader = record_read(text_of(cases[i].file), RECORD_CONTEST, NULL);
        record_init(&r, NULL);
        if (record_next(&reader, &r, &why) != RECORD_OK)
            fail_msg("%s: %s", cases[i].file, why.line);
        assert_string_equal(why.line, cases[i].remark);
        assert_string_equal(r.fen, "");
        assert_int_equal(r.count, 5);
        assert_int_equal(r.moves[0], move_of(10, 16)); // the same game each time
        assert_int_equal(r.moves[4], move_of(1, 7));
        assert_int_equal(r.result, cases[i].result);
        reader = record_read(text_of(cases[i].file), RECORD_CONTEST, NULL);
        reader.is_strict = true;
        assert_int_equal(record_next(&reader, &r, &why), *cases[i].remark ? RECORD_BAD : RECORD_OK);
        record_free(&r);
    }
}

static const struct {
    const char *first, *second, *words;
    rules_outcome result;
    bool is_known;
} said[] = {
    {"白云队", "黑马队", "白云队胜", RULES_FIRST_WINS, true},
    {"红星队", "东大队", "红星队胜出", RULES_FIRST_WINS, true},
    {"红星队", "东大队", "东大队负", RULES_FIRST_WINS, true},
    {"和平队", "东大队", "和平队胜", RULES_FIRST_WINS, true},
    {"和平队", "东大队", "和平胜", RULES_FIRST_WINS, true},
    {"和平队", "东大队", "和棋", RULES_DRAW, true},
    {"未来队", "胜利队", "未来队胜", RULES_FIRST_WINS, true},
    {"未来队", "胜利队", "胜利队胜", RULES_SECOND_WINS, true},
    {"先锋队", "后浪队", "后浪队超时负", RULES_FIRST_WINS, true},
    {"A1", "A11", "A1胜出", RULES_FIRST_WINS, true},
    {"A1", "A11", "A11胜出", RULES_SECOND_WINS, true},
    {"A1 甲", "A11 乙", "A1胜出", RULES_FIRST_WINS, true},
    {"白云队", "黑马队", "白方胜", RULES_SECOND_WINS, true},
    {"后手", "先手", "后手胜", RULES_SECOND_WINS, true}, // the format's own word
    {"甲", "乙", "后手方负", RULES_FIRST_WINS, true},
    {"甲", "乙", "双方言和", RULES_DRAW, true},
    {"甲", "乙", "未完", RULES_ONGOING, true},
    {"甲", "乙", "", RULES_ONGOING, true},
    {"甲", "乙", "丙胜", RULES_ONGOING, false},
    {"甲", "甲", "甲胜", RULES_ONGOING, false},
    {"甲", "乙", "取消", RULES_ONGOING, false},
};

// Teams bear names of colours and of peace: who is named wins, and unknown words are told of.
static void test_named_winners(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        char file[512], told[128] = "";
        writer w = writer_on(file, sizeof file);
        write_format(&w, "#|\n#先手方:%s|后手方:%s|%s\nB2E-3E\n", said[i].first, said[i].second,
                     said[i].words);
        w = writer_on(told, sizeof told);
        if (!said[i].is_known)
            write_format(&w, "the result '%s' is not understood", said[i].words);
        for (int strict = 0; strict < 2; strict++) {
            record r;
            fault why;
            record_reader reader = record_read(text_of(file), RECORD_CONTEST, NULL);
            reader.is_strict = strict;
            record_init(&r, NULL);
            bool is_read = record_next(&reader, &r, &why) == RECORD_OK;
            assert_int_equal(is_read, said[i].is_known || !strict);
            if (is_read && r.result != said[i].result)
                fail_msg("%s gives %d", said[i].words, (int)r.result);
            assert_non_null(strstr(why.line, told));
            record_close(&reader);
            record_free(&r);
        }
    }
}

static void test_end_and_result(void **state) {
    (void)state;
    // Black on 3B and 3C takes White's last piece on 4D at the first move (paper 1's board).
    static const char last[] = "!000000\n!000000\n!0BBB00\n!000R00\n!000000\n!000000\n";
    char bytes[512];
    writer w = writer_on(bytes, sizeof bytes);
    write_format(&w, "#|\n#先手方:a|后手方:b|后手胜\n%sB3C×4D\n", last);
    record r;
    fault why;
    record_reader reader = record_read((text){bytes, w.used}, RECORD_CONTEST, NULL);
    record_init(&r, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
    assert_non_null(strstr(why.line, "the record says second wins, the board first wins"));
    assert_int_equal(r.result, RULES_SECOND_WINS); // as found
    record_free(&r);

    w = writer_on(bytes, sizeof bytes);
    write_format(&w, "%sB3C×4D\nR4D-5D\n", last);
    reader = record_read((text){bytes, w.used}, RECORD_CONTEST, NULL);
    record_init(&r, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
    assert_non_null(strstr(why.line, "line 8: move 2, 'R4D-5D': the game is over"));
    assert_int_equal(r.count, 1); // what could be read stays
    record_free(&r);

    w = writer_on(bytes, sizeof bytes);
    write_format(&w, "%sB3C×4D\n", last);
    read_one((text){bytes, w.used}, RECORD_CONTEST, NULL, &r);
    assert_int_equal(r.result, RULES_FIRST_WINS); // the board says so
    record_free(&r);
}

static void test_damaged_characters(void **state) {
    (void)state;
    char gbk[1024];
    text bytes = as_gbk(START "B2E-3E\r\n", gbk, sizeof gbk);
    size_t place = text_find(bytes, "|") + 1;
    record r;
    fault why;
    record_reader reader = record_read((text){bytes.at, place + 1}, RECORD_CONTEST, NULL);
    record_init(&r, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
    assert_string_equal(why.line, "line 1: a record without moves");
    record_close(&reader);
    gbk[place + 1] = '\x20';
    reader = record_read(bytes, RECORD_CONTEST, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
    assert_string_equal(why.line, "1 damaged character is shown as \xef\xbf\xbd");
    record_close(&reader);
    reader = record_read(bytes, RECORD_CONTEST, NULL);
    reader.is_strict = true;
    assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
    assert_string_equal(why.line, "line 1: damaged characters (1)");
    assert_int_equal(record_next(&reader, &r, &why), RECORD_END);
    record_close(&reader);
    record_free(&r);
}

static void test_file_names(void **state) {
    (void)state;
    static const char *const dates[][3] = {
        {"2026-11-15 14:05", "202611151405", "2026-11-15 14:05"},
        {"2018-8-4-9:5", "201808040905", "2018-08-04 09:05"},
        {"2018-08-04", "201808040000", "2018-08-04"},
        {"", "000000000000", ""},
        {"202611151405", "202611151405", "2026-11-15 14:05"},
        {"2026年11月15日 14时05分", "202611151405", "2026-11-15 14:05"},
    };
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) {
        record r;
        record_init(&r, surakarta());
        set_string(r.first, sizeof r.first, "甲/队");
        set_string(r.second, sizeof r.second, "B-2");
        set_string(r.date, sizeof r.date, dates[i][0]);
        r.result = RULES_DRAW;
        char name[512], expected[512];
        writer w = writer_on(name, sizeof name);
        record_write_file_name(&r, RECORD_CONTEST, 1, &w);
        w = writer_on(expected, sizeof expected);
        write_format(&w, "SU-甲_队 vs B-2-平局-%s.txt", dates[i][1]);
        assert_string_equal(name, expected);

        record again;
        record_init(&again, surakarta());
        w = writer_on(expected, sizeof expected);
        write_format(&w, "games/%s", name);
        assert_true(record_read_file_name(&again, text_of(expected)));
        assert_string_equal(again.first, "甲_队");
        assert_string_equal(again.second, "B-2");
        assert_string_equal(again.date, dates[i][2]);
        assert_int_equal(again.result, RULES_DRAW);
        record_free(&again);
        record_free(&r);
    }
    // names for players whom nobody knew
    record nobody;
    record_init(&nobody, surakarta());
    assert_true(record_read_file_name(&nobody, text_of("SU-先手 vs 后手-未决胜-000000000000.txt")));
    assert_string_equal(nobody.first, "");
    assert_string_equal(nobody.second, "");
    record_free(&nobody);
    static const char *const wrong[] = {"", "SU-.txt", "SU-a vs b", "C4-a vs b-平局-1.txt",
                                        "SU-a-平局-202611151405.txt"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        record r;
        record_init(&r, surakarta());
        assert_false(record_read_file_name(&r, text_of(wrong[i])));
        record_free(&r);
    }
}

static void test_what_it_cannot_hold(void **state) {
    (void)state;
    record r;
    buffer out = {0};
    fault why;
    record_init(&r, surakarta());
    set_string(r.first, sizeof r.first, "a|b");
    assert_false(record_write(&r, RECORD_CONTEST, &out, &why));
    assert_string_equal(why.line, "'a|b': a contest record has no way to write a bar");
    set_string(r.first, sizeof r.first, "a");
    set_string(r.fen, sizeof r.fen, "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww w 0 1");
    assert_false(record_write(&r, RECORD_CONTEST, &out, &why));
    assert_string_equal(why.line, "a contest record starts with Black's move");
    // What GBK lacks is written in its longer codes and read back.
    r.fen[0] = '\0';
    set_string(r.first, sizeof r.first, "🐘 € ä");
    assert_true(record_write(&r, RECORD_CONTEST, &out, &why));
    record again;
    read_one((text){out.bytes, out.len}, RECORD_CONTEST, NULL, &again);
    assert_string_equal(again.first, r.first);
    record_free(&again);
    buffer_free(&out);
    record_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings),      cmocka_unit_test(test_loose_forms),
        cmocka_unit_test(test_captures),       cmocka_unit_test(test_repairs),
        cmocka_unit_test(test_named_winners),  cmocka_unit_test(test_typing_errors),
        cmocka_unit_test(test_end_and_result), cmocka_unit_test(test_damaged_characters),
        cmocka_unit_test(test_file_names),     cmocka_unit_test(test_what_it_cannot_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
