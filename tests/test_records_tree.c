// Records as trees: variations, comments, marks and clocks through every format that holds them.
#include "records_sample.h"

// Writes a record, changes the encoding, reads it back and compares.
static void go_through(const record *r, record_format format, int notation, encoding e,
                       unsigned same) {
    buffer out = {0}, coded = {0};
    fault why = {""};
    record again;
    bool written = notation < 0 ? record_write(r, format, &out, &why)
                                : record_write_as(r, format, (rules_notation)notation, &out, &why);
    if (!written)
        fail_msg("%s: %s", record_format_name(format), why.line);
    assert_true(encoding_from_utf8(e, buffer_text(&out), &coded));
    assert_int_equal(record_detect(buffer_text(&coded)), format);
    read_one(buffer_text(&coded), format, r->game, &again);
    expect_same_game(r, &again);
    expect_same_tree(r, 0, &again, 0, same);
    record_free(&again);
    buffer_free(&out);
    buffer_free(&coded);
}

// The FEN without its counters, which binary formats have no place for.
static void drop_counters(record *r) {
    char *at = strstr(r->fen, " - - ");
    if (at)
        memcpy(at, " - - 0 1", sizeof " - - 0 1");
}

// Formats that are bytes in an encoding of their own.
static void go_through_binary(record *r, record_format format) {
    buffer out = {0};
    fault why = {""};
    record again;
    if (!record_write(r, format, &out, &why))
        fail_msg("%s: %s", record_format_name(format), why.line);
    assert_int_equal(record_detect(buffer_text(&out)), format);
    read_one(buffer_text(&out), format, r->game, &again);
    if (r->count) // else nothing may tell whose turn it is
        expect_same_game(r, &again);
    expect_same_tree(r, 0, &again, 0, SAME_COMMENTS);
    assert_int_equal(again.result, r->result);
    assert_string_equal(again.site, r->site);
    record_free(&again);
    buffer_free(&out);
}

// KRATON_FULL=1 takes 1,000 games; the usual run is a tenth of that.
static void test_round_trips(void **state) {
    (void)state;
    static const rules_notation notations[] = {NOTATION_NATIVE,  NOTATION_ICCS, NOTATION_WXF,
                                               NOTATION_CHINESE, NOTATION_UCI0, NOTATION_UCI1};
    static const encoding encodings[] = {ENCODING_UTF8, ENCODING_GB18030, ENCODING_UTF16LE};
    rng r = {71};
    int games = getenv("KRATON_FULL") ? 1000 : 100;
    for (int i = 0; i < games; i++) {
        const rules_game *game = rules_nth(i % 5 == 0 ? 0 : 1);
        record tree;
        random_record(&r, game, &tree);
        random_tree(&r, &tree);
        for (size_t e = 0; e < sizeof encodings / sizeof encodings[0]; e++) {
            for (size_t n = 0; n < sizeof notations / sizeof notations[0]; n++)
                if (rules_has_notation(game, notations[n]))
                    go_through(&tree, RECORD_PGN, (int)notations[n], encodings[e], SAME_ALL);
            go_through(&tree, RECORD_JSON, -1, encodings[e], SAME_ALL);
            if (record_format_holds(RECORD_DHTMLXQ, game))
                go_through(&tree, RECORD_DHTMLXQ, -1, encodings[e], SAME_COMMENTS);
        }
        drop_counters(&tree);
        for (record_format f = RECORD_XQF; f <= RECORD_CBR; f++)
            if (record_format_holds(f, game))
                go_through_binary(&tree, f);
        record_free(&tree);
    }
}

// Makes a file of a later version out of one of version 10, by the keys in its bytes 3 to 15.
static void encrypt(text old, int version, const uint8_t keys[13], buffer *out) {
    enum { HEAD = 1024 };
    static const char mask[] = "[(C) Copyright Mr. Dong Shiwei.]";
    unsigned k = keys[10], f = keys[11], t = keys[12];
    unsigned board = (k * k * 54 + 221) * k & 255, from = (f * f * 54 + 221) * board & 255;
    unsigned to = (t * t * 54 + 221) * from & 255, size = (keys[9] * 256u + k) % 32000 + 767;
    buffer_add(out, (text){old.at, HEAD});
    out->bytes[2] = (char)version;
    memcpy(out->bytes + 3, keys, 13);
    for (unsigned i = 0; i < 32; i++)
        out->bytes[16 + i] =
            (char)(old.at[16 + (version >= 12 ? (board + 1 + i) % 32 : i)] + (char)board);
    for (size_t at = HEAD; at < old.len;) {
        const uint8_t *b = (const uint8_t *)old.at + at;
        uint32_t length = b[4] | (uint32_t)b[5] << 8 | (uint32_t)b[6] << 16, coded = length + size;
        buffer_char(out, (char)(b[0] + from));
        buffer_char(out, (char)(b[1] + to));
        buffer_char(
            out, (char)((b[2] & 0xf0 ? 0x80 : 0) | (b[2] & 0x0f ? 0x40 : 0) | (length ? 0x20 : 0)));
        buffer_char(out, 0);
        for (int i = 0; length && i < 4; i++)
            buffer_char(out, (char)(coded >> 8 * i));
        buffer_add(out, (text){old.at + at + 8, length});
        at += 8 + length;
    }
    for (size_t i = HEAD; i < out->len; i++)
        out->bytes[i] = (char)(out->bytes[i] +
                               (mask[i % 32] & (keys[5 + i % 4] | (keys[9 + i % 4] & keys[0]))));
}

static void test_xqf_versions(void **state) {
    (void)state;
    rng r = {72};
    for (int round = 0; round < 40; round++) {
        record tree, again;
        buffer old = {0}, file = {0};
        fault why;
        uint8_t keys[13];
        for (size_t i = 0; i < sizeof keys; i++)
            keys[i] = (uint8_t)rng_next(&r);
        random_record(&r, game_named("xiangqi"), &tree);
        random_tree(&r, &tree);
        assert_true(record_write(&tree, RECORD_XQF, &old, &why));
        encrypt(buffer_text(&old), 11 + round % 8, keys, &file);
        assert_int_equal(record_detect(buffer_text(&file)), RECORD_XQF);
        read_one(buffer_text(&file), RECORD_XQF, NULL, &again);
        expect_same_tree(&tree, 0, &again, 0, SAME_COMMENTS);
        assert_string_equal(again.site, "沈阳");
        record_free(&tree);
        record_free(&again);
        buffer_free(&old);
        buffer_free(&file);
    }
}

static void test_pgn_text(void **state) {
    (void)state;
    static const char sample[] =
        "[Game \"Chinese Chess\"]\n[White \"甲\"]\n[Black \"乙\"]\n\n"
        "{before} 1. h2e2 {[%clk 0:09:58.5] [%emt 0:00:01] good} {[%eval 0.2]}\n"
        "h9g7!? $14 ({why not} 1... b9c7 {brace ;-)} 2. b0c2 $2 (2. a0a1) i9i8)\n"
        "(1... h7e7) 2. h0g2 ; a } in it\n* ";
    record r;
    read_one(text_of(sample), RECORD_PGN, NULL, &r);
    assert_string_equal(r.first, "甲");
    assert_string_equal(r.second, "乙");
    assert_int_equal(r.count, 3);
    assert_int_equal(r.node_count, 9);
    assert_string_equal(record_comment(&r, 0), "before");
    assert_string_equal(record_comment(&r, 1), "good\n[%eval 0.2]");
    assert_int_equal(r.nodes[1].clock, 598500000);
    assert_int_equal(r.nodes[1].used, 1000000);
    buffer out = {0};
    fault why;
    assert_true(record_write(&r, RECORD_PGN, &out, &why));
    buffer_char(&out, '\0');
    assert_string_equal(strstr(out.bytes, "{before}"),
                        "{before} 1. H2-E2 {[%clk 0:09:58.500] [%emt 0:00:01.000] good\n"
                        "[%eval 0.2]} 1... H9-G7!? $14 (1... B9-C7 {why not\nbrace ;-)}"
                        " 2. B0-C2? (2. A0-A1) 2... I9-I8) (1... H7-E7) 2. H0-G2\n"
                        "; a } in it\n*\n");
    buffer_free(&out);
    record_free(&r);
}

// A variation that cannot be played costs only itself, and only where nobody wants it strictly.
static void test_bad_variations(void **state) {
    (void)state;
    static const char *const samples[] = {
        "1. h2e2 (1. b2e2 nonsense (1. a0a1) {x} $1) h9g7 *",
        "1. h2e2 (see game 5) h9g7 *",
        "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_move_0_2_1]7747[/"
        "DhtmlXQ_move_0_2_1]",
        "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_move_0_9_1]1022[/"
        "DhtmlXQ_move_0_9_1]",
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        record r;
        fault why;
        record_init(&r, NULL);
        record_format format = record_detect(text_of(samples[i]));
        record_reader reader = record_read(text_of(samples[i]), format, NULL);
        assert_int_equal(record_next(&reader, &r, &why), RECORD_OK);
        assert_non_null(strstr(why.line, "the rest of a variation is left out: "));
        assert_int_equal(r.count, 2);
        reader = record_read(text_of(samples[i]), format, NULL);
        reader.is_strict = true;
        assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
        record_free(&r);
    }
}

static void test_losses(void **state) {
    (void)state;
    record r;
    fault remark = {""};
    read_one(text_of("1. h2e2! {a} (1. b2e2) (1. a0a1) h9g7 {b} *"), RECORD_PGN, NULL, &r);
    assert_true(record_tell_losses(&r, RECORD_MOVES, &remark));
    assert_string_equal(remark.line,
                        "2 variations, 2 comments, 1 mark dropped: the format moves has "
                        "no place for them");
    assert_true(record_tell_losses(&r, RECORD_DHTMLXQ, &remark));
    assert_string_equal(remark.line, "1 mark dropped: the format dhtmlxq has no place for them");
    assert_false(record_tell_losses(&r, RECORD_PGN, &remark));
    assert_false(record_tell_losses(&r, RECORD_JSON, &remark));
    record_free(&r);
    // Headings, too, by their names; those without a value are no loss.
    read_one(text_of("[Event \"a name that is longer than the fields of old binary formats, which "
                     "hold sixty-three bytes\"]\n[Site \"?\"]\n[Red \"甲\"]\n[Round \"3\"]\n"
                     "[Opening \"中炮\"]\n[Sponsor \"x\"]\n[Result \"1-0\"]\n\n1. h2e2 1-0"),
             RECORD_PGN, NULL, &r);
    assert_true(record_tell_losses(&r, RECORD_MOVES, &remark));
    assert_string_equal(remark.line, "Event, Red, Round, Opening, Sponsor, Result dropped: the "
                                     "format moves has no place for them");
    assert_true(record_tell_losses(&r, RECORD_WXF, &remark));
    assert_string_equal(remark.line, "Sponsor dropped: the format wxf has no place for them");
    assert_true(record_tell_losses(&r, RECORD_XQF, &remark));
    assert_non_null(strstr(remark.line, "Sponsor dropped: "));
    assert_non_null(strstr(remark.line, "; Event cut: the format xqf has less room"));
    assert_false(record_tell_losses(&r, RECORD_PGN, &remark));
    record_free(&r);
}

// Deep nesting and many comments take linear time and no stack.
static void test_deep_trees(void **state) {
    (void)state;
    buffer text_of_it = {0};
    enum { DEPTH = 20000 };
    for (int i = 0; i < DEPTH; i++)
        buffer_string(&text_of_it, i ? "(a0a1 {x} " : "a0a1 ");
    for (int i = 1; i < DEPTH; i++)
        buffer_string(&text_of_it, "{y} )");
    record r, again;
    read_one(buffer_text(&text_of_it), RECORD_PGN, NULL, &r);
    assert_int_equal(r.node_count, DEPTH + 1);
    static const record_format formats[] = {RECORD_PGN, RECORD_JSON, RECORD_DHTMLXQ, RECORD_XQF,
                                            RECORD_CBR};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        buffer out = {0};
        fault why;
        assert_true(record_write(&r, formats[i], &out, &why));
        read_one(buffer_text(&out), formats[i], r.game, &again);
        assert_int_equal(again.node_count, r.node_count);
        record_free(&again);
        buffer_free(&out);
    }
    record_free(&r);
    buffer_free(&text_of_it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xqf_versions), cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_pgn_text),     cmocka_unit_test(test_bad_variations),
        cmocka_unit_test(test_losses),       cmocka_unit_test(test_deep_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
