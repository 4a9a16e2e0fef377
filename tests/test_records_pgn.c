// PGN of both games: notations, comments, variations, results, many games, GBK.
#include "records_sample.h"

static void expect_moves(text bytes, const char *moves) {
    record r;
    read_one(bytes, RECORD_PGN, NULL, &r);
    buffer out = {0};
    fault why;
    assert_true(record_write(&r, RECORD_MOVES, &out, &why));
    if (!text_equal((text){out.bytes, out.len - 1}, text_of(moves)))
        fail_msg("%.*s", (int)out.len, out.bytes);
    buffer_free(&out);
    record_free(&r);
}

static void test_notations(void **state) {
    (void)state;
    static const char *const same[] = {
        "1. h2e2 h9g7 2. h0g2 i9h9 *",
        "1.h2e2 h9g7 2.h0g2 i9h9",
        "1. H2-E2 H9-G7\n2. H0-G2 I9-H9",
        "1. C2=5 h8+7 2. N2+3 r9.8 1/2-1/2",
        "1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0",
        "1. 炮二平五　马８进７\n2. 馬二進三　車９平８　0-1",
        "1 h2e2 1... h9g7 2. h0g2! 2... i9h9?? *",
        "1... h2e2 h9g7 2. ... h0g2 i9h9",
        "1. h2e2 1. …… h9g7 2. h0g2 2.……i9h9",
        ("[Event \"x\"]\n\n{first {words} 1. h2e2 {炮二平五} h9g7 ; the rest of the line 1. a0a1\n"
         "2. $1 h0g2 $139 (2. b0c2 (2. a0a1 b9c7 {)}) b9c7) i9h9 *"),
        "  [Red \"a \"b\" c\" ] [ Black\t\"d\"] 1. h2e2 h9g7 2. h0g2 i9h9",
        "% escaped 1. a0a1\n1. h2e2 h9g7\n%\n2. h0g2 i9h9 *",
        "[Result \"*\"]\r\n\r\n1. h2e2{a}h9g7(1... a9a8)2. h0g2\r\ni9h9\r\n",
        "\xef\xbb\xbf[Format \"WXF\"]\n1. h2e2 马8进7 H2+3 i9h9",
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        expect_moves(text_of(same[i]), "h2e2 h9g7 h0g2 i9h9");
    // Letters, with ranks from 0 and from 1.
    expect_moves(text_of("1. Che2 Hg7 2. Nhg2 Rih9 3. Rih0 e5 4. Cxe5+ *"),
                 "h2e2 h9g7 h0g2 i9h9 i0h0 e6e5 e2e5");
    expect_moves(text_of("1. Che3 Nhg8 2. Nhg3 Rih10 3. Rih1 *"), "h2e2 h9g7 h0g2 i9h9 i0h0");
    expect_moves(text_of("[Format \"UCI1\"]\n1. h3e3 h10g8"), "h2e2 h9g7");
    expect_moves(text_of("[Game \"Surakarta\"]\n1. c5-c4 EEED *"), "c5-c4 e2-e3");
    expect_moves(text_of("[Game \"Surakarta\"]\n1. B2E-3E R5A-4A *"), "e5-e4 a2-a3");
    expect_moves(text_of("[FEN \"3k5/9/9/9/9/9/9/9/9/4K4 b - - 3 9\"]\n9... d9d8 10. e0e1"),
                 "fen 3k5/9/9/9/9/9/9/9/9/4K4 b - - 3 9 moves d9d8 e0e1");
    expect_moves(text_of("[FEN \"4k4/2P3P2/9/2P3P2/6P2/9/9/9/9/3K5 w\"]\n1. 33.2 e9e8 2.7+.8"),
                 "fen 4k4/2P3P2/9/2P3P2/6P2/9/9/9/9/3K5 w - - 0 1 moves g6h6 e9e8 c8b8");
}

static void test_gbk(void **state) {
    (void)state;
    // 乕 is 81 5B, 亄 81 7B and 亇 81 7D in GBK: brackets and braces as halves of characters.
    static const char sample[] = "[Game \"Chinese Chess\"]\n[Event \"乕亄 杯\"]\n[Red \"许银川\"]\n"
                                 "[Black \"吕钦\"]\n[Result \"1-0\"]\n\n"
                                 "{亄亇 comment} 1. 炮二平五 马８进７ (1... 炮８平５ {亇})\n"
                                 "2. 马二进三　车９平８ ; 亇\n1-0\n";
    char bytes[1024];
    writer w = writer_on(bytes, sizeof bytes);
    write_gbk(&w, text_of(sample));
    assert_true(w.used < strlen(sample));
    expect_moves((text){bytes, w.used}, "h2e2 h9g7 h0g2 i9h9");
    record r;
    read_one((text){bytes, w.used}, RECORD_PGN, NULL, &r);
    assert_string_equal(r.first, "许银川");
    assert_string_equal(r.second, "吕钦");
    assert_string_equal(r.event, "乕亄 杯");
    record_free(&r);
    read_one(text_of("[Red \"a \"b\" c\" ] [ Black\t\"d\\\\\"]"), RECORD_PGN, NULL, &r);
    assert_string_equal(r.first, "a \"b\" c");
    assert_string_equal(r.second, "d\\");
    record_free(&r);
}

static void test_tags_and_results(void **state) {
    (void)state;
    static const char sample[] =
        "[Game \"Chinese Chess\"]\n[Event \"五羊杯\"]\n[Site \"广州\"]\n[Date \"1999.12.09\"]\n"
        "[Round \"2\"]\n[Red \"许 \\\"银川\\\"\"]\n[Black \"a\\\\b\"]\n[Result \"1/2-1/2\"]\n"
        "[ECCO \"A40\"]\n[Opening \"起马局\"]\n"
        "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r\"]\n\n1. h0g2";
    record r;
    read_one(text_of(sample), RECORD_PGN, NULL, &r);
    assert_string_equal(r.event, "五羊杯");
    assert_string_equal(r.site, "广州");
    assert_string_equal(r.date, "1999.12.09");
    assert_string_equal(r.first, "许 \"银川\"");
    assert_string_equal(r.second, "a\\b");
    assert_string_equal(r.fen, ""); // it is the start
    assert_string_equal(record_find_tag(&r, "ECCO"), "A40");
    assert_string_equal(record_find_tag(&r, "Opening"), "起马局");
    assert_string_equal(record_find_tag(&r, "Round"), "2");
    assert_null(record_find_tag(&r, "Red"));
    assert_int_equal(r.result, RULES_DRAW);

    buffer out = {0};
    fault why;
    assert_true(record_write(&r, RECORD_PGN, &out, &why));
    buffer_add(&out, (text){"", 1});
    assert_string_equal(out.bytes,
                        "[Game \"Chinese Chess\"]\n[Event \"五羊杯\"]\n[Site \"广州\"]\n"
                        "[Date \"1999.12.09\"]\n[Red \"许 \\\"银川\\\"\"]\n[Black \"a\\\\b\"]\n"
                        "[Result \"1/2-1/2\"]\n[Round \"2\"]\n[ECCO \"A40\"]\n"
                        "[Opening \"起马局\"]\n[Format \"ICCS\"]\n\n1. H0-G2 1/2-1/2\n");
    buffer_free(&out);
    record_free(&r);
}

// Reads the games of a PGN text: whose they are, how they end, how many moves were read. What is
// wrong with each bad one contains `fault_part`.
typedef struct {
    const char *red;
    record_status status;
    uint32_t count;
} expected_game;

static void expect_each(const char *sample, const expected_game *games, const char *fault_part) {
    record_reader reader = record_read(text_of(sample), RECORD_PGN, game_named("xiangqi"));
    record r;
    fault why;
    record_init(&r, NULL);
    record_status status;
    do {
        status = record_next(&reader, &r, &why);
        assert_int_equal(status, games->status);
        assert_string_equal(r.first, games->red);
        assert_int_equal(r.count, games->count);
        if (status == RECORD_BAD)
            assert_non_null(strstr(why.line, fault_part));
        games++;
    } while (status != RECORD_END);
    record_free(&r);
    record_close(&reader);
}

static void test_many_games(void **state) {
    (void)state;
    static const char sample[] = "[Red \"a\"]\n\n1. h2e2 *\n\n[Red \"b\"]\n\n1. h2h7 *\n"
                                 "[Red \"c\"]\n1. b2e2\n[Red \"d\"]\n[Black \"e\"]\n\n"
                                 "1. {\n[Red \"in a comment\"]\n} a0a1 1-0\n1. a0a2 0-1\n\n";
    static const expected_game games[] = {{"a", RECORD_OK, 1}, {"b", RECORD_BAD, 0},
                                          {"c", RECORD_OK, 1}, {"d", RECORD_OK, 1},
                                          {"", RECORD_OK, 1},  {"", RECORD_END, 0}};
    expect_each(sample, games,
                "line 7: move 1, 'h2h7': a cannon captures over exactly one piece, not over none");
}

// A brace that is never closed costs its own game only; text that looks like a tag is still text.
static void test_open_brace(void **state) {
    (void)state;
    static const char sample[] = "[Red \"a\"]\n\n1. h2e2 {no end\n\n[Red \"b\"]\n\n"
                                 "1. b2e2 {an end} h9g7 *\n\n[Red \"c\"]\n\n1. a0a1 {\n"
                                 "[Red \"text\"]\n\n[no tag]\n} 1-0\n\n"
                                 "[Red \"d\"]\n\n{none here\r\n \r\n[Red \"e\"]\n\n1. a0a2 *\n";
    static const expected_game games[] = {{"a", RECORD_BAD, 1}, {"b", RECORD_OK, 2},
                                          {"c", RECORD_OK, 1},  {"d", RECORD_BAD, 0},
                                          {"e", RECORD_OK, 1},  {"", RECORD_END, 0}};
    expect_each(sample, games, "a comment without end");
}

// Reads all games; they must be good and have these numbers of moves, 0 ends the list.
static void expect_games(text bytes, const uint32_t *counts) {
    record_reader reader = record_read(bytes, RECORD_PGN, game_named("xiangqi"));
    record r;
    fault why;
    record_init(&r, NULL);
    for (; *counts; counts++) {
        if (record_next(&reader, &r, &why) != RECORD_OK)
            fail_msg("%s", why.line);
        assert_int_equal(r.count, *counts);
    }
    assert_int_equal(record_next(&reader, &r, &why), RECORD_END);
    record_free(&r);
    record_close(&reader);
}

// Text after a result belongs to no game: collections write their name and address there. The next
// game starts on a line of its own.
static void test_text_after_result(void **state) {
    (void)state;
    static const char trailer[] = "=========================\r\n 欢迎来到 1.5 版棋谱站\r\n"
                                  " http://example.org/ [x] (1) }\r\n\r\n";
    static const char game[] =
        "[Red \"a\"]\r\n[Result \"1-0\"]\r\n\r\n1. 炮二平五 马8进7\r\n 1-0\r\n";
    char sample[1024], gbk[1024];
    writer w = writer_on(sample, sizeof sample), g = writer_on(gbk, sizeof gbk);
    write_format(&w, "%s%s", game, trailer);
    expect_games((text){sample, w.used}, (const uint32_t[]){2, 0});
    write_format(&w, "%s%s", game, trailer);
    expect_games((text){sample, w.used}, (const uint32_t[]){2, 2, 0});
    write_gbk(&g, (text){sample, w.used});
    expect_games((text){gbk, g.used}, (const uint32_t[]){2, 2, 0});

    static const struct {
        const char *sample;
        uint32_t counts[5];
    } cases[] = {
        {"1. h2e2 1-0\nsome words\n1. h2e2 h9g7 0-1\nmore\n", {1, 2}},
        {"1. h2e2 * ----\n1.h2e2 h9g7 * 1-0", {1, 2}},
        {"1. h2e2 1-0 {1. a0a1 was better}\n{this} 1. h2e2 h9g7 *", {1, 2}},
        {"1. h2e2 1-0 { [Red \"x\"] }\n; 1. a0a1\n% 1. a0a1\n1. h2e2 h9g7 *", {1, 2}},
        {"1. h2e2 1-0 no end {\n[Red \"x\"]\n1. h2e2 h9g7 {one} *", {1, 2}},
        {"1. h2e2 1-0\r [ Red\t\"x\"] 1. h2e2 h9g7 *", {1, 2}},
        {"1. h2e2 1-0 11. 21.x 1.2 a1. [x]", {1}},
        {"1. h2e2 1-0\n1... h2e2 h9g7 *\n1.　h2e2 *", {1, 2, 1}},
        {"1. h2e2 1-0\n1. …… h2e2! *\n1. {one} ; two\n C2.5 *\n1.炮二平五 *", {1, 1, 1, 1}},
        // text that looks like the start of a game
        {"1. h2e2 1-0\n\nNotes:\n1. the game was played in Berlin\n2. h2e2 is usual", {1}},
        {"1. h2e2 1-0\n1.) foo\n1. {one}\n1. {open\n1.\n1. h2e2 *\n1.", {1, 1}},
        {"1. h2e2 1-0\nsome text 1. C2.5 {brace\n", {1}},
        {"1. h2e2 1-0 (c) 2003 [see \"x\"] {open\n\n[Red \"x\"]\n1. h2e2 h9g7 *", {1, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_games(text_of(cases[i].sample), cases[i].counts);
}

// Reads a game and names it by its moves and its first remark, a strict reader by its fault.
static void write_seen(record_reader *reader, buffer *seen) {
    record r;
    fault why, unused;
    record_init(&r, NULL);
    for (record_status status; (status = record_next(reader, &r, &why)) != RECORD_END;) {
        buffer moves = {0};
        if (status == RECORD_OK && record_write(&r, RECORD_MOVES, &moves, &unused))
            buffer_format(seen, "%.*s %s", (int)moves.len - 1, moves.bytes,
                          rules_outcome_name(r.result));
        buffer_format(seen, "%s%s\n", why.line[0] ? "; " : "", why.line);
        buffer_free(&moves);
    }
    record_free(&r);
}

static void expect_seen(const char *sample, bool is_strict, const char *wanted) {
    record_reader reader = record_read(text_of(sample), RECORD_PGN, game_named("xiangqi"));
    buffer seen = {0};
    reader.is_strict = is_strict;
    write_seen(&reader, &seen);
    buffer_char(&seen, '\0');
    assert_string_equal(seen.bytes, wanted);
    buffer_free(&seen);
    record_close(&reader);
}

// Nothing behind a result is lost without a word.
static void test_game_after_result(void **state) {
    (void)state;
    static const struct {
        const char *sample, *seen, *strict;
    } cases[] = {
        // moves that go on, with numbers and without
        {"1. h2e2 h9g7 *\n2. h0g2 b9c7 3. i0h0 1-0\n",
         "h2e2 h9g7 h0g2 b9c7 i0h0 first wins; line 2: the game goes on behind its result\n",
         "; line 2: the game goes on behind its result\n"},
        {"1. h2e2 1-0 h9g7 {so}\n\n[Red \"x\"]\n1. h2e2 *",
         "h2e2 h9g7 first wins; line 1: the game goes on behind its result\nh2e2 ongoing\n",
         "; line 1: the game goes on behind its result\nh2e2 ongoing\n"},
        {"1. 炮二平五 马8进7 * {but}\n2. 马二进三车９平８ *",
         "h2e2 h9g7 h0g2 i9h9 ongoing; line 2: the game goes on behind its result\n", NULL},
        // results, the last of which counts
        {"1. h2e2 * 1-0\n1-0\n", "h2e2 first wins\n", "h2e2 first wins\n"},
        {"1. h2e2 1-0 0-1\n", "h2e2 second wins; line 1: a second result 0-1 replaces 1-0\n",
         "; line 1: a second result 0-1 replaces 1-0\n"},
        // text that is none of these
        {"1. h2e2 h9g7 1-0\n2. h2e2 h0g2\n",
         "h2e2 h9g7 first wins; text behind the result is left out: '2. h2e2 h0g2'\n",
         "; line 1: text behind the result is left out: '2. h2e2 h0g2'\n"},
        {"1. h2e2 h9g7 1-0 (c) me\n",
         "h2e2 h9g7 first wins; text behind the result is left out: '(c) me'\n",
         "; line 1: text behind the result is left out: '(c) me'\n"},
        {"1. h2e2 *\n====\n(c) me\n1. here\n{x}\n----\n", "h2e2 ongoing\n", "h2e2 ongoing\n"},
        // another game whose first move cannot be played
        {"[Event \"x\"]\n\n1. h2e2 h9g7 1-0\n\n1. c3c5 h9g7 2. h0g2 0-1\n\n[Event \"z\"]\n\n1. "
         "h2e2 *",
         "h2e2 h9g7 first wins\n; line 5: move 1, 'c3c5': a pawn moves one point at a time\n"
         "h2e2 ongoing\n",
         NULL},
        {"1. h2e2 1-0\n\n1. 炮二平二 马8进7 0-1\n",
         "h2e2 first wins; text behind the result is left out: '1. 炮二平二 马8进7 0-1'\n", NULL},
        // games of tags alone; blank lines between tags are none of these
        {"[Event \"a\"]\n[Red \"r\"]\n\n[Event \"b\"]\n\n1. h2e2 *\n\n[Red \"c\"]\n \n[Red "
         "\"d\"]\n",
         "startpos ongoing\nh2e2 ongoing\nstartpos ongoing\nstartpos ongoing\n", NULL},
        {"[Game \"Chinese Chess\"]\n[Event \"a\"]\n\n[Event \"b\"]\n1. h2e2 *",
         "startpos ongoing\nh2e2 ongoing\n", NULL},
        {"[Event \"a\"]\n\n[Red \"b\"]\n\n[Black \"c\"]\n\n1. h2e2 *", "h2e2 ongoing\n",
         "h2e2 ongoing\n"},
        {"[Result \"zzz\"]\n1. h2e2", "h2e2 ongoing; the result 'zzz' is not understood\n",
         "; line 1: the result 'zzz' is not understood\n"},
        {"[Result \"?\?\"]\n1. h2e2", "h2e2 ongoing; the result '?\?' is not understood\n",
         "; line 1: the result '?\?' is not understood\n"},
        {"[Result \"?\"]\n1. h2e2", "h2e2 ongoing\n", "h2e2 ongoing\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_seen(cases[i].sample, false, cases[i].seen);
        if (cases[i].strict)
            expect_seen(cases[i].sample, true, cases[i].strict);
    }
    // variations are kept
    record r;
    read_one(text_of("1. h2e2 h9g7 1-0 (1... h7e7 {x} 2. h0g2) {y}\n(1... b7e7)\n"), RECORD_PGN,
             NULL, &r);
    assert_int_equal(r.remark_count, 0);
    assert_int_equal(r.node_count, 6);
    assert_int_equal(r.count, 2);
    assert_string_equal(record_comment(&r, 2), "y");
    record_free(&r);
}

static void test_refusals(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"1. h2e2 xyz *", "line 1: move 2, 'xyz': 'xyz' is not a move (C2=5, H8+7, R+-1)"},
        {"\n\n1. h2e2\nh2e2 *", "line 4: move 2, 'h2e2': no piece on h2"},
        {"1. h2e2 { no end", "line 1: a comment without end"},
        {"1. h2e2 (1. a0a1", "line 1: a variation without end"},
        {"1. h2e2 )", "line 1: a variation ends that never began"},
        {"1. h2e2 }", "line 1: a comment ends that never began"},
        {"[Red]\n", "line 1: a tag is written [Name \"value\"]"},
        {"[Red \"a\n]", "line 1: a tag is written [Name \"value\"]"},
        {"[ \"a\"]", "line 1: a tag is written [Name \"value\"]"},
        {"\n[Game \"Chess\"]\n1. e4",
         "line 2: the game is 'Chess', neither Chinese Chess nor Surakarta"},
        {"[FEN \"9/9 w\"]\n\n1. e4", "line 1: FEN: the board has only 2 of its 10 ranks"},
        {"[FEN \"3k5/9/4R4/9/9/9/9/9/9/5K3 w\"]\n1. e7d7 d9d8",
         "line 2: move 2, 'd9d8': the move leaves the general in check from the chariot on d7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_bad(cases[i][0], RECORD_PGN, NULL, cases[i][1]);
    expect_bad("[Game \"Surakarta\"]\n*", RECORD_PGN, game_named("xiangqi"),
               "line 1: a game of surakarta, not of xiangqi");
}

static void test_remarks(void **state) {
    (void)state;
    record r;
    fault why;
    record_init(&r, NULL);
    record_reader reader =
        record_read(text_of("[Result \"1-0\"]\n\n1. h2e2\n0-1"), RECORD_PGN, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
    assert_string_equal(why.line, "line 4: the game ends with 0-1, its tag says 1-0");
    assert_int_equal(r.result, RULES_SECOND_WINS);
    // Mate on the board, and the record says something else.
    static const char mate[] =
        "[FEN \"3k5/R8/9/9/9/9/9/9/1R7/4K4 w\"]\n[Result \"0-1\"]\n1. b1b9 *";
    reader = record_read(text_of(mate), RECORD_PGN, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
    assert_non_null(strstr(why.line, "the record says second wins, the board first wins"));
    // Pawns where no game can bring them.
    static const char *const pawns[][2] = {
        {"[FEN \"3k5/9/9/9/9/9/1P7/9/9/4K4 w\"]\n1. b3b4 *", "no red pawn can get to b3"},
        {"[FEN \"3k5/9/9/9/9/9/9/P8/9/4K4 w\"]\n1. a2a3 *", "no red pawn can get to a2"},
        {"[FEN \"3k5/9/9/9/3p5/9/9/9/9/4K4 w\"]\n1. e0e1 *", "no black pawn can get to d5"},
        {"[FEN \"3k5/9/9/9/9/3p5/9/9/9/4K4 w\"]\n1. e0e1 *", ""},
    };
    for (size_t i = 0; i < sizeof pawns / sizeof pawns[0]; i++) {
        reader = record_read(text_of(pawns[i][0]), RECORD_PGN, NULL);
        assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
        assert_string_equal(why.line, pawns[i][1]);
    }
    buffer many = {0};
    for (int i = 0; i < 40; i++) {
        char tag[64];
        writer w = writer_on(tag, sizeof tag);
        write_format(&w, "[Tag%d \"x\"]\n", i);
        buffer_add(&many, text_of(tag));
    }
    reader = record_read((text){many.bytes, many.len}, RECORD_PGN, NULL);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
    assert_string_equal(why.line, "the tag 'Tag32' is left out: there are more than 32");
    assert_int_equal(r.remark_count, 8);
    buffer_free(&many);
    record_free(&r);
    record_close(&reader);
}

// Letters and digits as wide as Chinese characters, as some people typed them.
static void test_wide_letters(void **state) {
    (void)state;
    record r;
    read_one(text_of("1. Ｃ２＝５ Ｈ８＋７ 2. Ｈ２＋３ Ｒ９＝８ 3. Ｐ７＋１ ｃ８＝９ *"),
             RECORD_PGN, NULL, &r);
    assert_int_equal(r.count, 6);
    record_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_letters),
        cmocka_unit_test(test_notations),
        cmocka_unit_test(test_gbk),
        cmocka_unit_test(test_tags_and_results),
        cmocka_unit_test(test_many_games),
        cmocka_unit_test(test_open_brace),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_remarks),
        cmocka_unit_test(test_text_after_result),
        cmocka_unit_test(test_game_after_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
