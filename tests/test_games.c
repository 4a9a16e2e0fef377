// The tables of games and protocols: every row is complete and agrees with the code behind it.
#include "dialect/dialect.h"
#include "games/levels.h"
#include "records/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_look_up(void **unused) {
    (void)unused;
    char names[64];
    writer w = writer_on(names, sizeof names);
    for (int i = 0; i < RULES_GAMES; i++) {
        const rules_game *game = rules_nth(i);
        assert_ptr_equal(rules_find(text_of(rules_name(game))), game);
        assert_int_equal(rules_index(game), i);
    }
    assert_null(rules_nth(RULES_GAMES));
    assert_null(rules_nth(-1));
    assert_null(rules_find(text_of("chess")));
    rules_write_names(&w);
    assert_string_equal(names, "surakarta or xiangqi");
}

static void test_rows(void **unused) {
    (void)unused;
    for (int i = 0; i < RULES_GAMES; i++) {
        const rules_game *game = rules_nth(i);
        const rules_properties *p = rules_properties_of(game);
        const char *const texts[] = {p->title,           p->choice,     p->engine,
                                     p->side[0],         p->side[1],    p->start_fen,
                                     p->squares_example, p->moves_help, p->moves_help_unicode,
                                     p->pgn_game};
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
            assert_true(texts[t] && texts[t][0]);
        assert_true(p->files * p->ranks <= RULES_MAX_POINTS);
        assert_true(p->images <= RULES_MAX_IMAGES);
        assert_true(p->images < 8 || p->files == p->ranks);
        assert_int_equal(p->notations[0], NOTATION_NATIVE);
        assert_true(rules_has_notation(game, p->pgn_notation));
        assert_int_equal(strlen(p->xboard_letters) % 2, 0);
        assert_non_null(levels_find(game));
        for (int n = 0; rules_set_name(game, n); n++)
            assert_true(rules_set_title(game, n)[0]);
    }
}

// Images map points to points, one to one, and 0 leaves them where they are.
static void test_images(void **unused) {
    (void)unused;
    for (int g = 0; g < RULES_GAMES; g++) {
        const rules_properties *p = rules_properties_of(rules_nth(g));
        int points = p->files * p->ranks;
        for (int image = 0; image < p->images; image++) {
            bool seen[RULES_MAX_POINTS] = {false};
            char board[RULES_MAX_POINTS], turned[RULES_MAX_POINTS];
            for (int point = 0; point < points; point++)
                board[point] = (char)point;
            rules_image_board(rules_nth(g), image, board, turned);
            for (int point = 0; point < points; point++) {
                int to = rules_image_point(rules_nth(g), image, point);
                assert_in_range(to, 0, points - 1);
                assert_false(seen[to]);
                seen[to] = true;
                assert_int_equal(turned[to], point);
                if (image == 0)
                    assert_int_equal(to, point);
            }
        }
    }
}

// Every notation that is listed writes moves, which are read back.
static void test_notations(void **unused) {
    (void)unused;
    for (int g = 0; g < RULES_GAMES; g++) {
        const rules_game *game = rules_nth(g);
        const rules_properties *p = rules_properties_of(game);
        rules_set set = rules_default_set(game);
        rules_state *s = rules_state_new(malloc(rules_state_size(0)), game, &set, 0);
        rules_move moves[RULES_MAX_MOVES], back;
        assert_true(rules_legal_moves(s, moves) > 0);
        for (int i = 0; i < p->notation_count; i++) {
            char word[RULES_MOVE_SIZE];
            writer w = writer_on(word, sizeof word);
            rules_notation named;
            rules_format_move(s, moves[0], p->notations[i], &w);
            assert_true(rules_parse_move_as(s, p->notations[i], text_of(word), &back, NULL));
            assert_int_equal(back, moves[0]);
            assert_true(rules_find_notation(game, text_of(rules_notation_name(p->notations[i])),
                                            &named, NULL));
            assert_int_equal(named, p->notations[i]);
        }
        free(s);
    }
}

// All three ways to count agree.
static void test_perft(void **unused) {
    (void)unused;
    for (int g = 0; g < RULES_GAMES; g++) {
        rules_set set = rules_default_set(rules_nth(g));
        rules_state *s = rules_state_new(malloc(rules_state_size(0)), rules_nth(g), &set, 0);
        uint64_t lines[3], captures[3];
        for (int kind = 0; kind < 3; kind++)
            lines[kind] = rules_perft(s, 3, (rules_perft_kind)kind, &captures[kind]);
        for (int kind = 1; kind < 3; kind++) {
            assert_int_equal(lines[kind], lines[0]);
            assert_int_equal(captures[kind], captures[0]);
        }
        free(s);
    }
}

static void test_formats(void **unused) {
    (void)unused;
    for (int g = 0; g < RULES_GAMES; g++) {
        record_format format = record_format_for(rules_nth(g));
        assert_true(record_format_holds(format, rules_nth(g)));
        assert_true(record_format_is_written(format));
        assert_true(record_format_holds(RECORD_PGN, rules_nth(g)));
    }
    for (int i = 0; i < RECORD_FORMATS; i++) {
        record_format found;
        assert_true(record_format_find(text_of(record_format_name((record_format)i)), &found));
        assert_int_equal(found, i);
    }
}

static void test_protocols(void **unused) {
    (void)unused;
    dialect_id found;
    for (int i = 0; i < DIALECTS; i++) {
        const dialect_properties *p = dialect_properties_of((dialect_id)i);
        assert_true(dialect_find(text_of(p->name), &found));
        assert_int_equal(found, i);
        assert_true(p->rules_option && p->ponder_option);
    }
    assert_true(dialect_find(text_of("xboard"), &found));
    assert_int_equal(found, DIALECT_CECP);
    for (int g = 0; g < RULES_GAMES; g++)
        assert_true(dialect_can_play(DIALECT_OWN, rules_nth(g)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_look_up),   cmocka_unit_test(test_rows),
        cmocka_unit_test(test_images),    cmocka_unit_test(test_notations),
        cmocka_unit_test(test_perft),     cmocka_unit_test(test_formats),
        cmocka_unit_test(test_protocols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
