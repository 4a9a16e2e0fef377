// Networks: the file, and the accumulator of Xiangqi that is kept up to date move by move.
#include "games/xiangqi/evaluate.h"
#include "lab/tune/train.h"
#include "xiangqi_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

// A network with random weights.
static network *random_network(rng *r, int width, int king_buckets, int output_buckets) {
    network_shape shape = {.inputs = XQ_NETWORK_INPUTS,
                           .width = width,
                           .king_buckets = king_buckets,
                           .output_buckets = output_buckets,
                           .scale = 3000};
    fault why;
    network *n = network_new(&shape, &why);
    assert_non_null(n);
    snprintf(n->text, sizeof n->text, "game xiangqi\ndata none\n");
    for (int i = 0; i < king_buckets * XQ_NETWORK_INPUTS * width; i++)
        n->rows[i] = (int16_t)((int)rng_below(r, 121) - 60);
    for (int i = 0; i < width; i++)
        n->bias[i] = (int16_t)((int)rng_below(r, 201) - 40);
    for (int i = 0; i < output_buckets * 2 * width; i++)
        n->output[i] = (int8_t)((int)rng_below(r, 255) - 127);
    for (int i = 0; i < output_buckets; i++)
        n->constant[i] = (int32_t)rng_below(r, 10001) - 5000;
    return n;
}

static buffer encode(const network *n) {
    buffer bytes = {0};
    network_encode(n, &bytes);
    assert_false(bytes.failed);
    return bytes;
}

static void test_file(void **state) {
    (void)state;
    rng r = {1};
    fault why;
    network *n = random_network(&r, 32, 6, 4);
    n->shape.corrects = true;
    buffer bytes = encode(n);
    network *again = network_decode(buffer_text(&bytes), "xiangqi", &why);
    assert_non_null(again);
    assert_int_equal(again->shape.inputs, XQ_NETWORK_INPUTS);
    assert_int_equal(again->shape.width, 32);
    assert_int_equal(again->shape.king_buckets, 6);
    assert_int_equal(again->shape.output_buckets, 4);
    assert_int_equal(again->shape.scale, 3000);
    assert_true(again->shape.corrects);
    assert_string_equal(again->text, n->text);
    assert_memory_equal(again->rows, n->rows, 2 * 6 * XQ_NETWORK_INPUTS * 32);
    assert_memory_equal(again->bias, n->bias, 2 * 32);
    assert_memory_equal(again->output, n->output, 4 * 2 * 32);
    assert_memory_equal(again->constant, n->constant, sizeof n->constant);
    network_free(again);
    network_free(n);
    buffer_free(&bytes);
}

static void refuses(text bytes, const char *game, const char *reason) {
    fault why;
    assert_null(network_decode(bytes, game, &why));
    if (!strstr(why.line, reason))
        fail_msg("%s", why.line);
}

static void test_damage(void **state) {
    (void)state;
    rng r = {2};
    network *n = random_network(&r, 16, 1, 1);
    buffer bytes = encode(n);
    text all = buffer_text(&bytes);
    refuses(all, "surakarta", "not a network for surakarta");
    refuses((text){all.at, 10}, "xiangqi", "no network");
    for (size_t len = 32; len < all.len; len += 997)
        refuses((text){all.at, len}, "xiangqi", "is damaged");
    for (size_t at = 33; at < all.len; at += 499) {
        bytes.bytes[at] = (char)(bytes.bytes[at] ^ 16);
        refuses(all, "xiangqi", "is damaged");
        bytes.bytes[at] = (char)(bytes.bytes[at] ^ 16);
    }
    bytes.bytes[8] = 2;
    refuses(all, "xiangqi", "version 2");
    bytes.bytes[8] = 1;
    bytes.bytes[16] = 17;
    refuses(all, "xiangqi", "a width of 17");
    bytes.bytes[16] = 16;
    bytes.bytes[18] = 9;
    refuses(all, "xiangqi", "a shape");
    network_free(n);
    buffer_free(&bytes);
}

// The sum of a perspective, one input at a time, as docs/networks.md says it.
static int32_t plain_value(const network *n, const xq_pos *pos, int phase) {
    int width = n->shape.width, bucket = phase * n->shape.output_buckets / (PHASE_MAX + 1);
    int64_t sum = n->constant[bucket];
    for (int look = 0; look < 2; look++) {
        int side = look == 0 ? pos->stm : !pos->stm, king = pos->king[side];
        for (int unit = 0; unit < width; unit++) {
            int value = n->bias[unit];
            for (int point = 0; point < XQ_POINTS; point++) {
                int piece = pos->board[point], file = point % 9, rank = point / 9;
                if (!piece)
                    continue;
                int king_file = king % 9 > 4 ? 8 - king % 9 : king % 9;
                int king_rank = side ? 9 - king / 9 : king / 9;
                int king_bucket = n->shape.king_buckets == 1 ? 0 : 3 * (king_file - 3) + king_rank;
                int kind = (piece & 7) - 1 + ((piece >> 3) == side ? 0 : 7);
                int place = (side ? 9 - rank : rank) * 9 + (king % 9 > 4 ? 8 - file : file);
                value += n->rows[((king_bucket * 14 + kind) * 90 + place) * width + unit];
            }
            value = value < 0 ? 0 : value > 255 ? 255 : value;
            sum += (value * value >> 9) * n->output[(bucket * 2 + look) * width + unit];
        }
    }
    return (int32_t)(sum * n->shape.scale / 65536);
}

// The accumulator after each move of random games is the one from scratch, and has the value that
// the definition says.
static void check_games(int width, int king_buckets, int output_buckets) {
    rng r = {(uint64_t)width};
    network *n = random_network(&r, width, king_buckets, output_buckets);
    assert_true(xq_network_fits(n));
    xq_eval now, next, fresh;
    for (int game = 0; game < 20; game++) {
        xq_pos pos;
        assert_true(xq_parse_fen(&pos, text_of(XIANGQI_START), NULL));
        xq_eval_refresh(&now, &pos, n);
        for (int ply = 0; ply < 150; ply++) {
            rules_move moves[XQ_MAX_MOVES];
            int count = xq_generate(&pos, moves);
            if (count == 0)
                break;
            rules_move move = moves[rng_below(&r, (uint32_t)count)];
            xq_eval_update(&next, &now, &pos, move);
            xq_make(&pos, move);
            xq_eval_refresh(&fresh, &pos, n);
            for (int side = 0; side < 2; side++)
                assert_memory_equal(next.accumulator.units[side], fresh.accumulator.units[side],
                                    (size_t)width * sizeof(int16_t));
            int32_t value = plain_value(n, &pos, next.phase);
            assert_int_equal(xq_evaluate(&pos, &next), value);
            xq_eval_update_null(&now, &next);
            assert_int_equal(xq_evaluate(&pos, &now), value);
        }
    }
    n->shape.corrects = true;
    xq_pos pos;
    assert_true(xq_parse_fen(&pos, text_of(XIANGQI_START), NULL));
    xq_eval_refresh(&now, &pos, n);
    xq_eval_refresh(&fresh, &pos, NULL);
    assert_int_equal(xq_evaluate(&pos, &now),
                     xq_evaluate(&pos, &fresh) + plain_value(n, &pos, now.phase));
    network_free(n);
}

static void test_accumulator(void **state) {
    (void)state;
    check_games(16, 1, 1);
    check_games(48, 6, 4);
    check_games(256, 6, 8);
}

// A position and its mirror image have the same value unless a king stands in the middle.
static void test_mirror(void **state) {
    (void)state;
    rng r = {5};
    network *n = random_network(&r, 32, 6, 1);
    xq_pos pos, mirrored;
    xq_eval e, m;
    assert_true(xq_parse_fen(&pos, text_of("3k5/4a4/9/2n6/9/9/9/6C2/9/5K3 w - - 0 1"), NULL));
    assert_true(xq_parse_fen(&mirrored, text_of("5k3/4a4/9/6n2/9/9/9/2C6/9/3K5 w - - 0 1"), NULL));
    xq_eval_refresh(&e, &pos, n);
    xq_eval_refresh(&m, &mirrored, n);
    assert_int_equal(xq_evaluate(&pos, &e), xq_evaluate(&mirrored, &m));
    network_free(n);
}

// Positions of random games whose score is their material: a network learns it, and the engine's
// integers say nearly the same as the trainer's numbers.
static void test_training(void **state) {
    (void)state;
    static const int worth[XQ_TYPES] = {0, 90, 45, 40, 10, 20, 20, 0};
    tune_terms terms = tune_default_terms();
    terms.epochs = 6;
    terms.blend = 0;
    network_shape shape = {.width = 16, .king_buckets = 6, .output_buckets = 2};
    fault why;
    rng r = {11};
    trainer *t = train_new(&shape, &terms, &why);
    assert_non_null(t);
    for (int game = 0; game < 60; game++) {
        xq_pos pos;
        assert_true(xq_parse_fen(&pos, text_of(XIANGQI_START), NULL));
        for (int ply = 0; ply < 100 && random_move(&r, &pos); ply++) {
            char fen[RULES_FEN_SIZE];
            writer w = writer_on(fen, sizeof fen);
            int score = 0;
            for (int point = 0; point < XQ_POINTS; point++)
                score += (xq_side(pos.board[point]) ? -5 : 5) * worth[xq_type(pos.board[point])];
            xq_format_fen(&pos, &w);
            assert_true(train_add(t, text_of(fen), score > 0 ? 2 : 0, score, &why));
        }
    }
    assert_true(train_begin(t) > 0);
    double before = train_loss(t, true);
    for (int n = 0; n < terms.epochs; n++)
        train_epoch(t, n);
    assert_true(train_loss(t, true) < before - 0.05);
    network *n = train_round(t, "test\n", &why);
    assert_non_null(n);
    assert_true(train_rounding(t, n) < 40);
    assert_true(xq_network_fits(n));
    network_free(n);
    train_free(t);
    shape.king_buckets = 2;
    assert_null(train_new(&shape, &terms, &why));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_accumulator), cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
