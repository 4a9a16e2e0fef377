// The tuner: lines in, sparse samples, a fit that learns what the samples were made from and does
// not depend on the number of threads.
#include "lab/tune/network.h"
#include "lab/tune/tune.h"
#include "rules/surakarta/text.h"
#include "surakarta_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const eval_model *model_of(const char *game) {
    return model_find(rules_find(text_of(game)));
}

static void test_models(void **state) {
    (void)state;
    for (int i = 0; rules_nth(i); i++) {
        const eval_model *model = model_find(rules_nth(i));
        assert_non_null(model);
        assert_true(model->parameters > 0 && model->parameters <= TRACE_MAX);
        eval_trace trace;
        int32_t score;
        fault why;
        assert_true(model->explain(text_of(rules_start_fen(rules_nth(i))), &trace, &score, &why));
        assert_false(model->explain(text_of("8/8"), &trace, &score, &why));
    }
}

static void test_lines(void **state) {
    (void)state;
    static const struct {
        const char *line, *complaint; // NULL: none
        size_t added;
    } lines[] = {
        {"bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1 ; 1-0 ; 35", NULL, 1},
        {"  bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1;1/2-1/2\r\n", NULL, 1},
        {"bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1 ; 0-1 ; -99999", NULL, 1},
        {"# a remark", NULL, 0},
        {"", NULL, 0},
        {"bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1 ; 2-0", "'2-0' is no result", 0},
        {"bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1", "'' is no result", 0},
        {"bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1 ; 1-0 ; much", "'much' is no score", 0},
        {"rubbish ; 1-0 ; 3", "", 0},
    };
    samples s = {0};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        size_t before = s.count;
        fault why = {""};
        bool good = samples_add_line(&s, model_of("surakarta"), text_of(lines[i].line), &why);
        assert_int_equal(good, lines[i].complaint == NULL);
        if (lines[i].complaint)
            assert_true(text_starts(text_of(why.line), lines[i].complaint));
        assert_int_equal(s.count - before, lines[i].added);
    }
    assert_int_equal(s.at[0].half_points, 2);
    assert_int_equal(s.at[0].score, 35);
    assert_int_equal(s.at[1].half_points, 1);
    assert_int_equal(s.at[1].score, SAMPLE_NO_SCORE);
    assert_int_equal(s.at[2].score, -SAMPLE_SCORE_MAX);
    samples_free(&s);
}

// Random positions whose games were won as a hidden evaluation says: ten centipawns a step.
static void make_samples(samples *s) {
    random_game game = {.dice = {7}};
    for (int i = 0; i < 6000; i++) {
        random_step(&game);
        sk_pos black = game.pos, white = game.pos;
        black.stm = SK_BLACK, white.stm = SK_WHITE;
        int score = 10 * (sk_count_quiets(&black) - sk_count_quiets(&white));
        char fen[RULES_FEN_SIZE];
        writer out = writer_on(fen, sizeof fen);
        sk_format_fen(&game.pos, &out);
        fault why;
        assert_true(samples_add(s, model_of("surakarta"), text_of(fen),
                                score > 0   ? 2
                                : score < 0 ? 0
                                            : 1,
                                score, &why));
    }
}

static void run(const samples *s, int threads, double *loss, tapered *weights) {
    tune_terms terms = tune_default_terms();
    terms.epochs = 20;
    terms.threads = threads;
    tuner *t = tune_new(model_of("surakarta"), s, &terms);
    assert_non_null(t);
    assert_true(tune_find_scale(t) > 0);
    loss[0] = tune_loss(t, true);
    for (int n = 0; n < terms.epochs; n++)
        tune_epoch(t, n);
    loss[1] = tune_loss(t, true);
    tune_weights(t, weights);
    tune_free(t);
}

static void test_fit(void **state) {
    (void)state;
    samples s = {0};
    make_samples(&s);
    double loss[2], again[2];
    tapered weights[TRACE_MAX] = {{0, 0}}, same[TRACE_MAX] = {{0, 0}};
    run(&s, 1, loss, weights);
    run(&s, 2, again, same);
    assert_true(loss[1] < loss[0] * 0.9);
    assert_true(loss[1] == again[1]);
    assert_memory_equal(weights, same, sizeof weights);
    samples_free(&s);
}

// The network learns what the features do not see, the same each time.
static void test_network(void **state) {
    (void)state;
    char *texts[2] = {malloc(1 << 16), malloc(1 << 16)};
    for (int again = 0; again < 2; again++) {
        tune_terms terms = tune_default_terms();
        terms.epochs = 5;
        sk_learner *l = sk_learn_new(&terms);
        random_game game = {.dice = {8}};
        for (int i = 0; i < 4000; i++) {
            char fen[RULES_FEN_SIZE];
            writer out = writer_on(fen, sizeof fen);
            fault why;
            random_step(&game);
            sk_format_fen(&game.pos, &out);
            // Whoever has more pieces about the middle wins.
            uint64_t middle = 0x01e79e780;
            int more = bits_count(game.pos.pieces[SK_BLACK] & middle) -
                       bits_count(game.pos.pieces[SK_WHITE] & middle);
            int half_points = more > 0 ? 2 : more < 0 ? 0 : 1;
            assert_true(sk_learn_add(l, text_of(fen), half_points, SAMPLE_NO_SCORE, &why));
        }
        assert_int_equal(sk_learn_count(l), 4000);
        assert_true(sk_learn_begin(l) > 0);
        double before = sk_learn_loss(l, true);
        for (int n = 0; n < terms.epochs; n++)
            sk_learn_epoch(l, n);
        assert_true(sk_learn_loss(l, true) < before * 0.9);
        writer out = writer_on(texts[again], 1 << 16);
        sk_learn_write(l, "a test", &out);
        assert_false(out.overflow);
        sk_learn_free(l);
    }
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

static void test_write(void **state) {
    (void)state;
    char *bytes = malloc(1 << 18);
    writer out = writer_on(bytes, 1 << 18);
    const eval_model *model = model_of("surakarta");
    tune_write(model, model->weights, "as they are", &out);
    assert_false(out.overflow);
    text all = {bytes, out.used};
    assert_true(text_find(all, "// Written by kraton tune: as they are.\n") < all.len);
    // The rest is the file that these weights come from, byte for byte.
    static char file[1 << 18];
    FILE *in = fopen(SOURCE_DIR "/src/games/surakarta/weights.h", "rb");
    assert_non_null(in);
    text kept = {file, fread(file, 1, sizeof file, in)};
    fclose(in);
    kept = text_skip(kept, text_find(kept, "#ifndef"));
    all = text_skip(all, text_find(all, "#ifndef"));
    assert_int_equal(all.len, kept.len);
    assert_memory_equal(all.at, kept.at, kept.len);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),  cmocka_unit_test(test_lines), cmocka_unit_test(test_fit),
        cmocka_unit_test(test_network), cmocka_unit_test(test_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
