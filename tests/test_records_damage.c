// Damaged and senseless input in every format: always an answer, never a crash, and no more time
// than the bytes deserve.
#include "records_sample.h"

#define BOARD "!BBBBBB\r\n!BBBBBB\r\n!000000\r\n!000000\r\n!RRRRRR\r\n!RRRRRR\r\n"

static const char *const samples[] = {
    [RECORD_CONTEST] = "#2026-11-15 14:05|沈阳\r\n#先手方:甲队|后手方:乙队|先手胜\r\n" BOARD
                       "B2E-3E\r\nR5A-4A\r\n",
    [RECORD_PGN] =
        "[Game \"Chinese Chess\"]\n[Red \"许银川\"]\n[FEN \"3k5/9/9/9/9/9/9/9/9/4K4 w\"]\n"
        "\n1. 帅五进一 {评注} 将4进1 (1... d9d8 {a}) 2. e1e0 $3 *\n",
    [RECORD_DHTMLXQ] =
        "[DhtmlXQ]\n[DhtmlXQ_red]许银川[/DhtmlXQ_red]\n[DhtmlXQ_binit]"
        "0919293949596979891777062646668600102030405060708012720323436383"
        "[/DhtmlXQ_binit]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]",
    [RECORD_JSON] = "{\"game\":\"xiangqi\",\"first\":\"许银川\",\"tags\":{\"a\":\"b\"},"
                    "\"result\":\"draw\",\"moves\":[\"h2e2\",\"马8进7\"]}\n",
    [RECORD_WXF] = "FORMAT WXF\nRED 许银川\nFEN 3k5/9/9/9/9/9/9/9/9/4K4 w\nSTART{\n1. K5+1 "
                   "d9d8\n}END\n",
    [RECORD_DPXQ] =
        "标题: 甲\n红方：许银川\n结果: 红方胜\n\n 1.炮二平五　马8进7\n 2.马二进三　车9平8\n",
    [RECORD_MOVES] = "fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves 帅五进一 d9d8\n",
};
enum { SAMPLES = RECORD_FORMATS };

// A sample of every format. Those of binary formats are written; a library is made by hand.
static text sample_of(int format) {
    static buffer made[RECORD_FORMATS];
    if (samples[format])
        return text_of(samples[format]);
    buffer *b = &made[format];
    if (b->len == 0) {
        record r;
        fault why;
        read_one(text_of(samples[RECORD_PGN]), RECORD_PGN, NULL, &r);
        if (format == RECORD_CBL) {
            enum { HEAD = 66624 };
            assert_true(buffer_reserve(b, HEAD));
            memset(b->bytes, 0, HEAD);
            memcpy(b->bytes, "CCBridgeLibrary", 15);
            b->len = HEAD;
        }
        assert_true(
            record_write(&r, format == RECORD_CBL ? RECORD_CBR : (record_format)format, b, &why));
        record_free(&r);
    }
    return buffer_text(b);
}

// Reads everything there is; every fault names its line. Returns how many games were bad.
static int read_all(text bytes, record_format format) {
    const rules_game *game = format == RECORD_MOVES ? game_named("xiangqi") : NULL;
    record_reader reader = record_read(bytes, format, game);
    record r;
    fault why;
    int bad = 0;
    record_init(&r, NULL);
    for (record_status status; (status = record_next(&reader, &r, &why)) != RECORD_END;) {
        assert_true(status == RECORD_OK || text_starts(text_of(why.line), "line ") ||
                    text_starts(text_of(why.line), "byte "));
        assert_null(strchr(why.line, '\n'));
        bad += status == RECORD_BAD;
    }
    record_free(&r);
    record_close(&reader);
    return bad;
}

static void test_samples_are_good(void **state) {
    (void)state;
    for (int i = 0; i < SAMPLES; i++)
        assert_int_equal(read_all(sample_of(i), (record_format)i), 0);
}

// A copy of exactly these bytes, so that a sanitizer sees any step past them.
static int read_copy(const char *bytes, size_t length, record_format format) {
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    int bad = read_all((text){copy, length}, format);
    free(copy);
    return bad;
}

static void test_cut_anywhere(void **state) {
    (void)state;
    for (int i = 0; i < SAMPLES; i++) {
        text sample = sample_of(i);
        for (size_t n = sample.len > 4096 ? sample.len - 4096 : 0; n <= sample.len; n++)
            read_copy(sample.at, n, (record_format)i);
        if (!samples[i])
            continue;
        char gbk[1024];
        writer w = writer_on(gbk, sizeof gbk);
        write_gbk(&w, sample);
        for (size_t n = 0; n <= w.used; n++)
            read_copy(gbk, n, (record_format)i);
    }
}

static void test_flipped_bytes(void **state) {
    (void)state;
    rng r = {51};
    for (int i = 0; i < SAMPLES; i++)
        for (int round = 0; round < 1000; round++) {
            buffer b = {0};
            text sample = sample_of(i);
            bool coded = round % 2 && samples[i];
            assert_true(encoding_from_utf8(coded ? ENCODING_GB18030 : ENCODING_UTF8, sample, &b));
            uint32_t span = b.len > 4096 ? 2400 : (uint32_t)b.len; // the end of a library
            for (uint32_t flips = 1 + rng_below(&r, 4); flips; flips--)
                b.bytes[b.len - 1 - rng_below(&r, span)] = (char)rng_next(&r);
            read_copy(b.bytes, b.len, (record_format)i);
            buffer_free(&b);
        }
}

// Every format reads every other format's files.
static void test_wrong_format(void **state) {
    (void)state;
    for (int i = 0; i < SAMPLES; i++)
        for (int format = 0; format < SAMPLES; format++)
            if (i != format)
                assert_true(read_all(sample_of(i), (record_format)format) > 0);
}

enum { NOISE = 1 << 20 };

// Reads at most so many games; returns how the first one was.
static record_status read_some(text bytes, record_format format, int most) {
    const rules_game *game = format == RECORD_MOVES ? game_named("xiangqi") : NULL;
    record_reader reader = record_read(bytes, format, game);
    record r;
    fault why;
    record_init(&r, NULL);
    record_status first = record_next(&reader, &r, &why), status = first;
    for (int games = 1; games < most && status != RECORD_END; games++)
        status = record_next(&reader, &r, &why);
    record_free(&r);
    record_close(&reader);
    return first;
}

static void test_noise(void **state) {
    (void)state;
    char *bytes = malloc(NOISE);
    assert_non_null(bytes);
    rng r = {52};
    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < NOISE; i++)
            bytes[i] = kind == 0   ? (char)rng_next(&r)
                       : kind == 1 ? (char)(' ' + rng_below(&r, 95))
                                   : 'x';
        for (int format = 0; format < SAMPLES; format++)
            assert_int_equal(read_some((text){bytes, NOISE}, (record_format)format, 100),
                             RECORD_BAD);
    }
    free(bytes);
}

// Openings without closings, the classic way to square the time.
static void test_repeated_openings(void **state) {
    (void)state;
    static const char *const pieces[] = {"{",
                                         "(",
                                         "[",
                                         "[a \"",
                                         "[DhtmlXQ]",
                                         "[DhtmlXQ_a]",
                                         "[DhtmlXQ_movelist]77",
                                         "{\"game\":",
                                         "fen ",
                                         "[/DhtmlXQ]",
                                         "(h2e2 ",
                                         "h2e2 ",
                                         "\n[A \"\"]",
                                         "[DhtmlXQ]\n[DhtmlXQ_b]",
                                         "!BBBBBB\n",
                                         "#\n",
                                         "1. "};
    char *bytes = malloc(NOISE);
    assert_non_null(bytes);
    for (size_t k = 0; k < 2 * sizeof pieces / sizeof pieces[0]; k++) {
        const char *piece = pieces[k / 2], *end = k % 2 ? " " : piece; // or blanks without end
        writer w = writer_on(bytes, NOISE);
        while (w.used < NOISE / 2)
            write_string(&w, piece);
        while (!w.overflow)
            write_string(&w, end);
        for (int format = 0; format < SAMPLES; format++)
            read_some((text){bytes, w.used}, (record_format)format, 20000);
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_are_good),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_flipped_bytes),
        cmocka_unit_test(test_wrong_format),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_repeated_openings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
