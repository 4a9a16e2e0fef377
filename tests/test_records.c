// Every format both ways on random games, and formats told apart by their looks.
#include "records_sample.h"

static void go_through(const record *r, record_format format, int notation, bool heading) {
    buffer out = {0};
    fault why = {""};
    bool written = notation < 0 ? record_write(r, format, &out, &why)
                                : record_write_as(r, format, (rules_notation)notation, &out, &why);
    if (!written)
        fail_msg("%s: %s", record_format_name(format), why.line);
    record again;
    read_one((text){out.bytes, out.len}, format, r->game, &again);
    expect_same_game(r, &again);
    if (heading)
        expect_same_heading(r, &again);
    if (format != RECORD_MOVES)
        assert_int_equal(record_detect((text){out.bytes, out.len}), format);
    record_free(&again);
    buffer_free(&out);
}

static void test_xiangqi_round_trips(void **state) {
    (void)state;
    static const int notations[] = {-1,           NOTATION_NATIVE,  NOTATION_ICCS,
                                    NOTATION_WXF, NOTATION_CHINESE, NOTATION_UCI0,
                                    NOTATION_UCI1};
    rng r = {21};
    for (int i = 0; i < 150; i++) {
        record game;
        random_record(&r, game_named("xiangqi"), &game);
        assert_true(record_set_tag(&game, text_of("ECCO"), text_of("A40")));
        for (size_t n = 0; n < sizeof notations / sizeof notations[0]; n++) {
            go_through(&game, RECORD_PGN, notations[n], true);
            if (notations[n] != NOTATION_UCI1)
                go_through(&game, RECORD_MOVES, notations[n], false);
        }
        go_through(&game, RECORD_JSON, -1, true);
        go_through(&game, RECORD_DHTMLXQ, -1, true);
        go_through(&game, RECORD_WXF, -1, true);
        record_free(&game);
    }
}

static void test_surakarta_round_trips(void **state) {
    (void)state;
    static const int notations[] = {-1, NOTATION_NATIVE, NOTATION_SAU};
    rng r = {22};
    for (int i = 0; i < 150; i++) {
        record game;
        random_record(&r, game_named("surakarta"), &game);
        for (size_t n = 0; n < sizeof notations / sizeof notations[0]; n++) {
            go_through(&game, RECORD_PGN, notations[n], true);
            go_through(&game, RECORD_MOVES, notations[n], false);
        }
        go_through(&game, RECORD_JSON, -1, true);
        if (game.fen[0]) { // a contest record has no counters
            text fen = text_of(game.fen);
            fen.len = text_find(fen, " b ") + 2;
            game.fen[fen.len] = '\0';
            writer w = {.buffer = game.fen, .capacity = sizeof game.fen, .used = fen.len};
            write_string(&w, " 0 1");
        }
        go_through(&game, RECORD_CONTEST, -1, true);
        record_free(&game);
    }
}

// Through all the formats in a row: nothing is lost that the first of them knew.
static void test_chain(void **state) {
    (void)state;
    static const record_format chain[] = {RECORD_JSON, RECORD_PGN,   RECORD_MOVES,
                                          RECORD_JSON, RECORD_MOVES, RECORD_PGN};
    rng r = {23};
    for (int i = 0; i < 40; i++) {
        const rules_game *game = rules_nth(i % 2);
        record first, now;
        random_record(&r, game, &first);
        now = first;
        for (size_t n = 0; n < sizeof chain / sizeof chain[0]; n++) {
            buffer out = {0};
            fault why;
            assert_true(record_write(&now, chain[n], &out, &why));
            if (n)
                record_free(&now);
            read_one((text){out.bytes, out.len}, chain[n], game, &now);
            expect_same_game(&first, &now);
            buffer_free(&out);
        }
        record_free(&first);
        record_free(&now);
    }
}

static void test_tags(void **state) {
    (void)state;
    record r;
    record_init(&r, game_named("xiangqi"));
    assert_true(record_set_tag(&r, text_of("ECCO"), text_of("A01")));
    assert_true(record_set_tag(&r, text_of("ECCO"), text_of(" A02\n")));
    assert_string_equal(record_find_tag(&r, "ECCO"), "A02");
    assert_null(record_find_tag(&r, "Opening"));
    assert_int_equal(r.tag_count, 1);
    assert_false(record_set_tag(&r, text_of(""), text_of("x")));
    assert_false(record_set_tag(&r, text_of("two words"), text_of("x")));
    assert_false(record_set_tag(&r, text_of("12345678901234567890123456789012"), text_of("x")));
    for (int i = 1; i < RECORD_TAGS; i++) {
        char name[8];
        writer w = writer_on(name, sizeof name);
        write_format(&w, "T%d", i);
        assert_true(record_set_tag(&r, text_of(name), text_of("x")));
    }
    assert_false(record_set_tag(&r, text_of("More"), text_of("x")));
    // A value is cut between two characters: 85 of three bytes fit into 255.
    char longer[400];
    writer w = writer_on(longer, sizeof longer);
    for (int i = 0; i < 100; i++)
        write_string(&w, "象");
    assert_true(record_set_tag(&r, text_of("ECCO"), text_of(longer)));
    assert_int_equal(strlen(record_find_tag(&r, "ECCO")), 255);
    record_free(&r);
}

static void test_formats_by_name_and_looks(void **state) {
    (void)state;
    record_format format;
    assert_true(record_format_find(text_of("dhtmlxq"), &format));
    assert_int_equal(format, RECORD_DHTMLXQ);
    assert_false(record_format_find(text_of("sgf"), &format));
    assert_string_equal(record_format_name(RECORD_CONTEST), "contest");
    static const struct {
        const char *bytes;
        record_format format;
    } cases[] = {
        {"", RECORD_MOVES},
        {"h2e2 h9g7", RECORD_MOVES},
        {"fen 3k5/9/9/9/9/9/9/9/9/4K4 w moves e0e1", RECORD_MOVES},
        {"\xef\xbb\xbf\n {\"game\":\"xiangqi\"}", RECORD_JSON},
        {"[Game \"Chinese Chess\"]\n", RECORD_PGN},
        {"1. h2e2 h9g7", RECORD_PGN},
        {"[DhtmlXQ]\n[DhtmlXQ_ver]", RECORD_DHTMLXQ},
        {"<html> [DhtmlXQ_movelist]", RECORD_DHTMLXQ},
        {"#2018-08-04|\n#", RECORD_CONTEST},
        {"!BBBBBB\n", RECORD_CONTEST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(record_detect(text_of(cases[i].bytes)), cases[i].format);
}

static void test_what_cannot_be_written(void **state) {
    (void)state;
    buffer out = {0};
    fault why;
    record r;
    record_init(&r, game_named("xiangqi"));
    assert_false(record_write(&r, RECORD_CONTEST, &out, &why));
    assert_string_equal(why.line, "contest records are Surakarta's");
    assert_true(record_add_move(&r, move_of(200, 201)));
    static const record_format formats[] = {RECORD_PGN, RECORD_JSON, RECORD_MOVES, RECORD_DHTMLXQ};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        assert_false(record_write(&r, formats[i], &out, &why));
        assert_string_equal(why.line, "move 1 of the record is illegal");
    }
    r.nodes[1].move = move_of(25, 22);
    assert_false(record_write_as(&r, RECORD_PGN, NOTATION_SAU, &out, &why));
    assert_string_equal(why.line, "xiangqi has no such notation");
    set_string(r.fen, sizeof r.fen, "nonsense");
    assert_false(record_write(&r, RECORD_MOVES, &out, &why));
    r.game = NULL;
    assert_false(record_write(&r, RECORD_MOVES, &out, &why));
    assert_int_equal(out.len, 0); // what failed leaves nothing behind
    buffer_free(&out);
    record_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xiangqi_round_trips),
        cmocka_unit_test(test_surakarta_round_trips),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_formats_by_name_and_looks),
        cmocka_unit_test(test_what_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
