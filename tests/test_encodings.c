// UTF-8 and GBK: what is valid, what is cut, and there and back.
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
        char utf8[8], bytes[16], again[16];
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
        writer b = writer_on(bytes, sizeof bytes), a = writer_on(again, sizeof again);
        assert_int_equal(gbk_from_utf8((text){utf8, w.used}, &b), GBK_OK);
        assert_int_equal(gbk_length((text){bytes, b.used}), b.used);
        assert_int_equal(gbk_to_utf8((text){bytes, b.used}, &a), GBK_OK);
        assert_true(text_equal((text){utf8, w.used}, (text){again, a.used}));
    }
}

static void test_gbk_faults(void **state) {
    (void)state;
    char out[4];
    writer w = writer_on(out, sizeof out);
    assert_int_equal(gbk_to_utf8(text_of("\xc5\xda"), &w), GBK_OK);
    assert_string_equal(out, "炮");
    assert_int_equal(gbk_to_utf8(text_of("\xc5\xda"), &w), GBK_FULL);
    assert_true(w.overflow);
    w = writer_on(out, sizeof out);
    assert_int_equal(gbk_to_utf8(text_of("\xc5"), &w), GBK_CUT);
    assert_int_equal(gbk_to_utf8(text_of("\xff\xff"), &w), GBK_BAD);
    assert_int_equal(gbk_from_utf8(text_of("\xff"), &w), GBK_BAD);
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
        cmocka_unit_test(test_gbk_faults),
        cmocka_unit_test(test_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
