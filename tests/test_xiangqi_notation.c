// Xiangqi moves in every notation: reading and writing undo each other, and wrong words are named.
#include "xiangqi_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const rules_notation notations[] = {NOTATION_NATIVE,  NOTATION_ICCS, NOTATION_WXF,
                                           NOTATION_CHINESE, NOTATION_UCI0, NOTATION_UCI1};
enum { NOTATIONS = sizeof notations / sizeof notations[0] };

static xq_pos read_fen(const char *fen) {
    xq_pos pos;
    fault why;
    if (!xq_parse_fen(&pos, text_of(fen), &why))
        fail_msg("%s: %s", fen, why.line);
    return pos;
}

typedef struct {
    char word[RULES_MOVE_SIZE];
} spelt;

static spelt spell(const xq_pos *pos, rules_move move, rules_notation notation) {
    spelt s;
    writer w = writer_on(s.word, sizeof s.word);
    xq_format_move(pos, move, notation, &w);
    assert_false(w.overflow);
    return s;
}

static void expect_move(const xq_pos *pos, int notation, const char *word, rules_move move) {
    rules_move read = MOVE_NONE;
    fault why = {""};
    if (!xq_parse_move(pos, notation, text_of(word), &read, &why))
        fail_msg("%s: %s", word, why.line);
    assert_int_equal(read, move);
}

// Every legal move, in every notation, read back by that notation's reader and by the general one.
static void expect_inverse(const xq_pos *pos) {
    rules_move moves[XQ_MAX_MOVES];
    int n = xq_generate(pos, moves);
    for (int k = 0; k < NOTATIONS; k++)
        for (int i = 0; i < n; i++) {
            spelt s = spell(pos, moves[i], notations[k]);
            expect_move(pos, (int)notations[k], s.word, moves[i]);
            if (notations[k] != NOTATION_UCI1)
                expect_move(pos, -1, s.word, moves[i]);
        }
}

static void test_inverse_in_games(void **state) {
    (void)state;
    rng r = {11};
    for (int game = 0; game < 40; game++) {
        xq_pos pos = read_fen(XIANGQI_START);
        for (int ply = 0; ply < 200 && random_move(&r, &pos); ply++)
            if (ply % 4 == game % 4)
                expect_inverse(&pos);
    }
}

static void test_inverse_with_stacks(void **state) {
    (void)state;
    rng r = {12};
    int good = 0;
    for (int tries = 0; tries < 20000 && good < 2000; tries++) {
        xq_pos pos;
        if (random_setup(&r, &pos)) {
            expect_inverse(&pos);
            good++;
        }
    }
    assert_int_equal(good, 2000);
}

// How a move is written, and that this and other spellings of it are read.
static void expect_spelling(const char *fen, const char *iccs, const char *wxf,
                            const char *chinese) {
    xq_pos pos = read_fen(fen);
    rules_move move = MOVE_NONE;
    fault why = {""};
    if (!xq_parse_move(&pos, NOTATION_NATIVE, text_of(iccs), &move, &why))
        fail_msg("%s: %s", iccs, why.line);
    assert_string_equal(spell(&pos, move, NOTATION_WXF).word, wxf);
    assert_string_equal(spell(&pos, move, NOTATION_CHINESE).word, chinese);
}

#define BLACK_FIRST "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b"
#define TWO_CHARIOTS "3k5/9/9/4R4/9/9/4R4/9/9/4K4 w"
#define THREE_PAWNS "3k5/9/9/6P2/6P2/9/6P2/9/9/4K4 w"
#define FOUR_PAWNS "3k5/6P2/9/6P2/6P2/9/6P2/9/9/4K4 w"
#define FIVE_PAWNS "3k5/6P2/6P2/6P2/6P2/9/6P2/9/9/4K4 w"
#define TWO_STACKS "3k5/5P3/3P5/5P3/3P5/9/9/9/9/4K4 w"
#define THREE_AND_TWO "3k5/2P3P2/9/2P3P2/6P2/9/9/9/9/4K4 w"
#define BLACK_STACK "3k5/9/9/9/9/2p6/2p6/2p6/2p6/4K4 b"

static void test_spellings(void **state) {
    (void)state;
    expect_spelling(XIANGQI_START, "h2e2", "C2=5", "炮二平五");
    expect_spelling(XIANGQI_START, "b0c2", "H8+7", "马八进七");
    expect_spelling(XIANGQI_START, "g0e2", "E3+5", "相三进五");
    expect_spelling(XIANGQI_START, "f0e1", "A4+5", "仕四进五");
    expect_spelling(XIANGQI_START, "e0e1", "K5+1", "帅五进一");
    expect_spelling(XIANGQI_START, "c3c4", "P7+1", "兵七进一");
    expect_spelling(BLACK_FIRST, "h9g7", "H8+7", "马8进7");
    expect_spelling(BLACK_FIRST, "b7e7", "C2=5", "炮2平5");
    expect_spelling(BLACK_FIRST, "i9i7", "R9+2", "车9进2");
    expect_spelling(BLACK_FIRST, "e6e5", "P5+1", "卒5进1");
    expect_spelling(BLACK_FIRST, "d9e8", "A4+5", "士4进5");
    expect_spelling(BLACK_FIRST, "c9e7", "E3+5", "象3进5");
    expect_spelling(BLACK_FIRST, "e9e8", "K5+1", "将5进1");
    expect_spelling(TWO_CHARIOTS, "e6d6", "R+=6", "前车平六");
    expect_spelling(TWO_CHARIOTS, "e3e2", "R--1", "后车退一");
    expect_spelling("3k5/9/9/4c4/9/9/4c4/9/9/5K3 b", "e3a3", "C+=1", "前炮平1");
    expect_spelling("3k5/9/9/4c4/9/9/4c4/9/9/5K3 b", "e6e7", "C--1", "后炮退1");
    // Elephants and advisors never need a mark.
    expect_spelling("3k5/9/9/9/9/2B6/9/9/9/2B1K4 w", "c4e2", "E7-5", "相七退五");
    expect_spelling("3k5/9/9/9/9/2B6/9/9/9/2B1K4 w", "c0e2", "E7+5", "相七进五");
    expect_spelling("3k5/9/9/9/9/9/9/5A3/9/4KA3 w", "f2e1", "A4-5", "仕四退五");
    expect_spelling(THREE_PAWNS, "g6h6", "P+=2", "前兵平二");
    expect_spelling(THREE_PAWNS, "g5h5", "P3=2", "中兵平二");
    expect_spelling(THREE_PAWNS, "g3g4", "P-+1", "后兵进一");
    expect_spelling(FOUR_PAWNS, "g8h8", "++=2", "一兵平二");
    expect_spelling(FOUR_PAWNS, "g6h6", "P+=2", "二兵平二");
    expect_spelling(FOUR_PAWNS, "g5h5", "P-=2", "三兵平二");
    expect_spelling(FOUR_PAWNS, "g3g4", "--+1", "四兵进一");
    expect_spelling(FIVE_PAWNS, "g8h8", "++=2", "一兵平二");
    expect_spelling(FIVE_PAWNS, "g7h7", "P+=2", "二兵平二");
    expect_spelling(FIVE_PAWNS, "g6h6", "P3=2", "三兵平二");
    expect_spelling(FIVE_PAWNS, "g5h5", "P-=2", "四兵平二");
    expect_spelling(FIVE_PAWNS, "g3g4", "--+1", "五兵进一");
    // The computer standard's own example: f before d, each from the front.
    expect_spelling(TWO_STACKS, "f8e8", "4+=5", "一兵平五");
    expect_spelling(TWO_STACKS, "f6e6", "4-=5", "二兵平五");
    expect_spelling(TWO_STACKS, "d7e7", "6+=5", "三兵平五");
    expect_spelling(TWO_STACKS, "d5e5", "6-=5", "四兵平五");
    expect_spelling(THREE_AND_TWO, "g8h8", "3+=2", "一兵平二");
    expect_spelling(THREE_AND_TWO, "g6h6", "33=2", "二兵平二");
    expect_spelling(THREE_AND_TWO, "g5h5", "3-=2", "三兵平二");
    expect_spelling(THREE_AND_TWO, "c8b8", "7+=8", "四兵平八");
    expect_spelling(THREE_AND_TWO, "c6b6", "7-=8", "五兵平八");
    expect_spelling(BLACK_STACK, "c1d1", "++=4", "一卒平4");
    expect_spelling(BLACK_STACK, "c4d4", "--=4", "四卒平4");
}

static void expect_read(const char *fen, const char *word, const char *native) {
    xq_pos pos = read_fen(fen);
    rules_move move = MOVE_NONE;
    fault why = {""};
    if (!xq_parse_move(&pos, -1, text_of(word), &move, &why))
        fail_msg("%s: %s", word, why.line);
    assert_string_equal(spell(&pos, move, NOTATION_NATIVE).word, native);
}

static void test_other_spellings(void **state) {
    (void)state;
    static const char *const h2e2[] = {"h2e2",      "H2E2",     "H2-E2",  "h2-e2",    "h2 e2",
                                       " h2e2\r\n", "C2=5",     "c2.5",   "c2=5",     "炮二平五",
                                       "砲二平五",  "包二平五", "炮2平5", "炮２平５", "炮二平5"};
    for (size_t i = 0; i < sizeof h2e2 / sizeof h2e2[0]; i++)
        expect_read(XIANGQI_START, h2e2[i], "h2e2");
    static const char *const h9g7[] = {"h9g7",   "H8+7",     "n8+7",     "N8+7",
                                       "马8进7", "馬８進７", "馬八進七", "傌8进7"};
    for (size_t i = 0; i < sizeof h9g7 / sizeof h9g7[0]; i++)
        expect_read(BLACK_FIRST, h9g7[i], "h9g7");
    expect_read(XIANGQI_START, "B3+5", "g0e2");
    expect_read(XIANGQI_START, "象三进五", "g0e2");
    expect_read(XIANGQI_START, "S7+1", "c3c4");
    expect_read(XIANGQI_START, "卒七进一", "c3c4");
    expect_read(XIANGQI_START, "G5+1", "e0e1");
    expect_read(XIANGQI_START, "將五進一", "e0e1");
    expect_read(XIANGQI_START, "帥五進一", "e0e1");
    expect_read(XIANGQI_START, "俥一进一", "i0i1");
    expect_read(XIANGQI_START, "車一進一", "i0i1");
    expect_read(TWO_CHARIOTS, "R+.6", "e6d6");
    expect_read(TWO_CHARIOTS, "+R.6", "e6d6");
    expect_read(TWO_CHARIOTS, "-R=6", "e3d3");
    expect_read(TWO_CHARIOTS, "車前平六", "e6d6");
    expect_read(TWO_CHARIOTS, "後車退1", "e3e2");
    // The file alone will do where only one of two can go there.
    expect_read(TWO_CHARIOTS, "R5+3", "e6e9");
    expect_read(THREE_PAWNS, "二兵平二", "g5h5");
    expect_read(THREE_PAWNS, "Pb.2", "g5h5");
    expect_read(THREE_PAWNS, "P=.2", "g5h5");
    expect_read(FOUR_PAWNS, "前兵平二", "g8h8");
    expect_read(FOUR_PAWNS, "后兵进一", "g3g4");
    expect_read(FIVE_PAWNS, "中兵平二", "g6h6");
    expect_read(TWO_STACKS, "前兵六平五", "d7e7");
    expect_read(TWO_STACKS, "后四平五", "f6e6");
    expect_read(TWO_STACKS, "后兵四平三", "f6g6");
    expect_read(TWO_STACKS, "Pd=5", "d5e5");
    expect_read("3k5/9/9/9/9/2B6/9/9/9/2B1K4 w", "前相退五", "c4e2");
    expect_read("3k5/9/9/9/9/2B6/9/9/9/2B1K4 w", "E-+5", "c0e2");
}

static void expect_refused(const char *fen, int notation, const char *word, const char *words) {
    xq_pos pos = read_fen(fen);
    rules_move move = MOVE_NONE;
    fault why = {""};
    assert_false(xq_parse_move(&pos, notation, text_of(word), &move, &why));
    assert_string_equal(why.line, words);
}

static void test_refusals(void **state) {
    (void)state;
    expect_refused(XIANGQI_START, -1, "C3=5", "no red cannon on file 3");
    expect_refused(BLACK_FIRST, -1, "炮3平5", "no black cannon on file 3");
    expect_refused(XIANGQI_START, -1, "R+=5",
                   "no red chariot stands like that among several on one file");
    expect_refused(XIANGQI_START, -1, "H8=7", "the horse does not move sideways");
    expect_refused(XIANGQI_START, -1, "H8+5", "the horse on b0 cannot go to file 5 like that");
    expect_refused(XIANGQI_START, -1, "H8+8", "the horse on b0 cannot go to file 8 like that");
    expect_refused(XIANGQI_START, -1, "C2=2", "the cannon on h2 cannot go to file 2 like that");
    expect_refused(XIANGQI_START, -1, "C2-3", "3 points back from h2 is off the board");
    expect_refused(XIANGQI_START, -1, "R1+9", "the chariot is blocked on i3");
    expect_refused(XIANGQI_START, -1, "三兵平五", "no red pawn number 3 on files with several");
    expect_refused("3k5/9/9/4N4/9/4N4/9/9/9/4K4 w", -1, "H5+6",
                   "two horses could go there: say which (+ and - or 前 and 后)");
    expect_refused(TWO_STACKS, -1, "前兵平五",
                   "two pawns could go there: say which (add the file)");
    expect_refused("3k5/9/9/9/4r4/9/9/9/4R4/4K4 w", -1, "车五平四",
                   "the move leaves the general in check from the chariot on e5");
    static const char *const noise[] = {"",       "x",          "炮",        "炮二",
                                        "炮二平", "炮二平五五", "炮炮平五",  "平五炮二",
                                        "前平五", "h2",         "h2e",       "h2--e2",
                                        "h2e2e",  "j2e2",       "h2e2 h9g7", "C2=0",
                                        "C0=5",   "C2*5",       "3P=5",      "\xc5\xda\xb6\xfe",
                                        "0000",   "----",       "++++",      "a10a9"};
    for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++) {
        xq_pos pos = read_fen(XIANGQI_START);
        rules_move move = MOVE_NONE;
        fault why = {""};
        assert_false(xq_parse_move(&pos, -1, text_of(noise[i]), &move, &why));
        assert_non_null(strstr(why.line, "is not a move"));
    }
}

static void test_square_dialects(void **state) {
    (void)state;
    xq_pos pos = read_fen(BLACK_FIRST);
    expect_move(&pos, NOTATION_UCI0, "a9a8", move_of(81, 72));
    expect_move(&pos, NOTATION_UCI1, "a10a9", move_of(81, 72));
    assert_string_equal(spell(&pos, move_of(81, 72), NOTATION_UCI0).word, "a9a8");
    assert_string_equal(spell(&pos, move_of(81, 72), NOTATION_UCI1).word, "a10a9");
    assert_string_equal(spell(&pos, move_of(81, 72), NOTATION_ICCS).word, "A9-A8");
    assert_string_equal(spell(&pos, move_of(81, 72), NOTATION_SAU).word, "");
    expect_refused(BLACK_FIRST, NOTATION_UCI0, "a10a9", "'a10a9' is not a move");
    expect_refused(BLACK_FIRST, NOTATION_UCI1, "a0a1", "'a0a1' is not a move");
    expect_refused(BLACK_FIRST, NOTATION_UCI0, "A9-A8", "'A9-A8' is not a move");
    expect_refused(BLACK_FIRST, NOTATION_UCI1, "a9a8", "no piece on a8");
    expect_refused(BLACK_FIRST, NOTATION_WXF, "a9a8", "'a9a8' is not a move (C2=5, H8+7, R+-1)");
    expect_refused(BLACK_FIRST, NOTATION_ICCS, "R1+1", "'R1+1' is not a move");
    expect_refused(BLACK_FIRST, NOTATION_SAU, "a9a8", "'a9a8' is not a move");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverse_in_games), cmocka_unit_test(test_inverse_with_stacks),
        cmocka_unit_test(test_spellings),        cmocka_unit_test(test_other_spellings),
        cmocka_unit_test(test_refusals),         cmocka_unit_test(test_square_dialects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
