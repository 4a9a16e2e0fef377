// UTF-8 and other encodings: what is valid, what is cut, there and back, and telling them apart.
#include "base/encoding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_utf8(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        int length;
    } cases[] = {
        {"", 0},
        {"a", 1},
        {"\xc3\xa4", 2},
        {"象", 3},
        {"🐘", 4},
        {"\x80", 0},
        {"\xc0\x80", 0},
        {"\xc1\xbf", 0},
        {"\xe0\x9f\xbf", 0}, // overlong
        {"\xed\xa0\x80", 0},
        {"\xed\x9f\xbf", 3}, // surrogates
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\xf4\x90\x80\x80", 0},
        {"\xf5\x80\x80\x80", 0},
        {"\xff", 0},
        {"\xe8\xb1", 0}, // cut
        {"\xe8\xb1z", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(utf8_length(text_of(cases[i].bytes)), cases[i].length);
    assert_true(utf8_is_valid(text_of("炮二平五 C2=5")));
    assert_false(utf8_is_valid(text_of("炮二\xff")));
    assert_true(utf8_is_cut(text_of("炮二\xe5\xb9")));
    assert_false(utf8_is_cut(text_of("炮二")));
    assert_false(utf8_is_cut(text_of("炮二\xe5\xb9 ")));
    assert_false(utf8_is_cut(text_of("C2\xe5\xb9"))); // as likely GBK
    for (size_t n = 0; n < 8; n++)
        assert_int_equal(utf8_cut(text_of("炮二"), n).len, n < 6 ? n / 3 * 3 : 6);
}

// Every character of Unicode's first planes goes to GB18030 and comes back.
static void test_gbk_there_and_back(void **state) {
    (void)state;
    for (unsigned code = 1; code < 0x20000; code += code < 0x3000 || code > 0xa000 ? 97 : 7) {
        char utf8[8];
        writer w = writer_on(utf8, sizeof utf8);
        if (code < 0x80) {
            write_char(&w, (char)code);
        } else if (code < 0x800) {
            write_char(&w, (char)(0xc0 | code >> 6));
        } else if (code < 0x10000) {
            write_char(&w, (char)(0xe0 | code >> 12));
            write_char(&w, (char)(0x80 | (code >> 6 & 0x3f)));
        } else {
            write_char(&w, (char)(0xf0 | code >> 18));
            write_char(&w, (char)(0x80 | (code >> 12 & 0x3f)));
            write_char(&w, (char)(0x80 | (code >> 6 & 0x3f)));
        }
        if (code >= 0x80)
            write_char(&w, (char)(0x80 | (code & 0x3f)));
        if (!utf8_is_valid((text){utf8, w.used}))
            continue;
        text one = {utf8, w.used};
        buffer gbk = {0}, again = {0};
        size_t bad;
        assert_true(encoding_from_utf8(ENCODING_GB18030, one, &gbk));
        assert_true(encoding_to_utf8(ENCODING_GB18030, buffer_text(&gbk), &again, &bad));
        assert_true(bad == 0 && text_equal(one, buffer_text(&again)));
        buffer_free(&gbk);
        buffer_free(&again);
    }
}

static void expect_utf8(encoding e, text bytes, const char *utf8, size_t damaged) {
    buffer out = {0};
    size_t bad;
    assert_true(encoding_to_utf8(e, bytes, &out, &bad));
    buffer_char(&out, '\0');
    assert_string_equal(out.bytes, utf8);
    assert_int_equal(bad, damaged);
    buffer_free(&out);
}

// Bytes that are no character are replaced, and counted.
static void test_damage(void **state) {
    (void)state;
    expect_utf8(ENCODING_GB18030, text_of("\xc5\xda"), "炮", 0);
    expect_utf8(ENCODING_GB18030, text_of("a\xc5"), "a\xef\xbf\xbd", 1);
    expect_utf8(ENCODING_GB18030, text_of("\xff\xff\xc5\xda"), "\xef\xbf\xbd\xef\xbf\xbd炮", 2);
    expect_utf8(ENCODING_UTF8, text_of("\xef\xbb\xbf炮\xff."), "炮\xef\xbf\xbd.", 1);
    expect_utf8(ENCODING_UTF16LE, (text){"\xff\xfe\xae\x70\0\xd8z\0", 8}, "炮\xef\xbf\xbdz", 1);
    buffer out = {0};
    assert_false(encoding_from_utf8(ENCODING_BIG5, text_of("车"), &out)); // simplified
    assert_int_equal(out.len, 0);
    buffer_free(&out);
}

// Which encoding a text is in, told from its bytes alone.
static void test_detection(void **state) {
    (void)state;
    static const char simplified[] = "[Red \"许银川\"]\n1. 炮二平五 马8进7 2. 马二进三 车9平8",
                      traditional[] = "[Red \"許銀川\"]\n1. 炮二平五 馬8進7 2. 馬二進三 車9平8";
    for (int e = ENCODING_UTF8; e <= ENCODING_UTF16BE; e++)
        for (int old = 0; old < 2; old++) {
            if (e == ENCODING_BIG5 && !old)
                continue;
            buffer out = {0}, marked = {0};
            assert_true(
                encoding_from_utf8((encoding)e, text_of(old ? traditional : simplified), &out));
            assert_int_equal(encoding_detect(buffer_text(&out)), e);
            if (e >= ENCODING_UTF16LE) {
                buffer_string(&marked, e == ENCODING_UTF16LE ? "\xff\xfe" : "\xfe\xff");
                buffer_add(&marked, buffer_text(&out));
                assert_int_equal(encoding_detect(buffer_text(&marked)), e);
            }
            buffer_free(&out);
            buffer_free(&marked);
        }
    assert_int_equal(encoding_detect(text_of("")), ENCODING_UTF8);
    assert_int_equal(encoding_detect(text_of("plain")), ENCODING_UTF8);
    assert_int_equal(encoding_detect(text_of("\xc5\xda")), ENCODING_GB18030);
}

// Little text, and text with hardly any ASCII.
static void test_little_evidence(void **state) {
    (void)state;
    static const struct {
        encoding e;
        const char *words;
    } cases[] = {
        {ENCODING_BIG5, "[Red \"許銀川\"]\n[Black \"呂欽\"]\n1. h2e2 *"},
        {ENCODING_BIG5, "[Black \"趙國榮\"]"},
        {ENCODING_BIG5, "[Event \"臺灣\"]"},
        {ENCODING_GB18030, "[Red \"许银川\"]\n[Black \"吕钦\"]\n1. h2e2 *"},
        {ENCODING_GB18030, "[Black \"赵国荣\"]"},
        {ENCODING_GB18030, "[Event \"台湾\"]"},
        {ENCODING_UTF16LE, "标题：某甲胜某乙\n红方：某甲\n黑方：某乙\n炮二平五　马８进７\n"},
        {ENCODING_UTF16BE, "标题：某甲胜某乙\n红方：某甲\n黑方：某乙\n炮二平五　马８进７\n"},
        {ENCODING_UTF16LE, "炮二平五　马８进７　马二进三　车９平８"},
        {ENCODING_UTF16BE, "炮二平五　马８进７　马二进三　车９平８"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        buffer out = {0};
        assert_true(encoding_from_utf8(cases[i].e, text_of(cases[i].words), &out));
        assert_string_equal(encoding_name(encoding_detect(buffer_text(&out))),
                            encoding_name(cases[i].e));
        buffer_free(&out);
    }
}

static void expect_lines(text bytes, encoding usual, const char *utf8, size_t damaged) {
    buffer out = {0};
    size_t bad, unsure;
    assert_int_equal(encoding_detect(bytes), usual);
    assert_true(encoding_lines_to_utf8(usual, bytes, &out, &bad, &unsure));
    assert_int_equal(unsure, 0);
    buffer_char(&out, '\0');
    assert_string_equal(out.bytes, utf8);
    assert_int_equal(bad, damaged);
    buffer_free(&out);
}

// A bad byte costs one character, and files put together from others are read line by line.
static void test_mixed_lines(void **state) {
    (void)state;
    expect_lines(text_of("[Red \"许银川\"]\n{a\xff"
                         "b}\n[Black \"吕钦\"]\n"),
                 ENCODING_UTF8,
                 "[Red \"许银川\"]\n{a\xef\xbf\xbd"
                 "b}\n[Black \"吕钦\"]\n",
                 1);
    expect_lines(text_of("许银\xe5\xb7 旁\n"), ENCODING_UTF8, "许银\xef\xbf\xbd\xef\xbf\xbd 旁\n",
                 2);
    expect_lines(text_of("许银川\nM\xfcller\n"), ENCODING_UTF8, "许银川\nM\xef\xbf\xbdller\n", 1);
    for (int old = ENCODING_GB18030; old <= ENCODING_BIG5; old++)
        for (int mostly_old = 0; mostly_old < 2; mostly_old++) {
            static const char lines[] = "1. 炮二平五\n炮八平五\n";
            buffer mixed = {0}, expected = {0};
            for (int i = 0; i < 8; i++) {
                bool is_old = (i == 3) != mostly_old;
                assert_true(encoding_from_utf8(is_old ? (encoding)old : ENCODING_UTF8,
                                               text_of(lines), &mixed));
                buffer_string(&mixed, "plain\n");
                buffer_string(&expected, lines);
                buffer_string(&expected, "plain\n");
            }
            buffer_char(&expected, '\0');
            expect_lines(buffer_text(&mixed), mostly_old ? (encoding)old : ENCODING_UTF8,
                         expected.bytes, 0);
            buffer_free(&mixed);
            buffer_free(&expected);
        }
}

// Games in three encodings in a row, in any order: each in its own. Lines that say nothing are read
// as those around them.
static void test_mixed_games(void **state) {
    (void)state;
    static const char game[] = "[Event \"x\"]\n[Red \"趙國榮\"]\n[Black \"胡榮華\"]\n\n"
                               "1. 炮二平五 馬8進7\n2. h0g2 {兩翼}\n1-0\n\n";
    static const encoding all[] = {ENCODING_UTF8, ENCODING_GB18030, ENCODING_BIG5};
    for (int order = 0; order < 81; order++) {
        buffer mixed = {0}, expected = {0}, out = {0};
        size_t bad, unsure;
        for (int i = 0, rest = order; i < 4; i++, rest /= 3) {
            assert_true(encoding_from_utf8(all[rest % 3], text_of(game), &mixed));
            buffer_string(&expected, game);
        }
        text bytes = buffer_text(&mixed);
        assert_true(encoding_lines_to_utf8(encoding_detect(bytes), bytes, &out, &bad, &unsure));
        buffer_char(&out, '\0');
        buffer_char(&expected, '\0');
        assert_string_equal(out.bytes, expected.bytes);
        buffer_free(&mixed);
        buffer_free(&expected);
        buffer_free(&out);
    }
    // A byte that is a character in neither.
    buffer mixed = {0}, out = {0};
    size_t bad, unsure;
    assert_true(encoding_from_utf8(ENCODING_GB18030, text_of(game), &mixed));
    buffer_string(&mixed, "{\xff}\n\n");
    assert_true(encoding_from_utf8(ENCODING_BIG5, text_of(game), &mixed));
    assert_true(encoding_lines_to_utf8(ENCODING_GB18030, buffer_text(&mixed), &out, &bad, &unsure));
    assert_int_equal(bad, 1);
    assert_true(unsure >= 1);
    buffer_free(&mixed);
    buffer_free(&out);
}

static void test_quotes(void **state) {
    (void)state;
    assert_string_equal(fault_quote(text_of("炮\xff\n")).shown, "'炮?\?'");
    assert_string_equal(fault_quote(text_of("一二三四五六七八九十一二三四五")).shown,
                        "'一二三四五六七八九十一二三...'");
    assert_string_equal(fault_quote((text){NULL, 0}).shown, "''");
    assert_int_equal(text_find(text_of("aab"), "ab"), 1);
    assert_int_equal(text_find(text_of("aa"), "ab"), 2);
    assert_int_equal(text_find(text_of(""), "ab"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_gbk_there_and_back),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_detection),
        cmocka_unit_test(test_little_evidence),
        cmocka_unit_test(test_mixed_lines),
        cmocka_unit_test(test_mixed_games),
        cmocka_unit_test(test_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
