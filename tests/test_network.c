// Networks: the file, the kernels of each instruction set, and the accumulators of both games along
// lines of moves and take-backs.
#include "base/minmax.h"
#include "games/surakarta/evaluate.h"
#include "games/xiangqi/evaluate.h"
#include "lab/tune/train.h"
#include "rules/surakarta/text.h"
#include "xiangqi_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

// A network with random weights.
static network *random_network_for(rng *r, const char *game, int inputs, int width,
                                   int king_buckets, int output_buckets) {
    network_shape shape = {.inputs = inputs,
                           .width = width,
                           .king_buckets = king_buckets,
                           .output_buckets = output_buckets,
                           .scale = 3000};
    fault why;
    network *n = network_new(&shape, &why);
    assert_non_null(n);
    snprintf(n->text, sizeof n->text, "game %s\ndata none\n", game);
    for (int i = 0; i < king_buckets * inputs * width; i++)
        n->rows[i] = (int16_t)((int)rng_below(r, 121) - 60);
    for (int i = 0; i < width; i++)
        n->bias[i] = (int16_t)((int)rng_below(r, 201) - 40);
    for (int i = 0; i < output_buckets * 2 * width; i++)
        n->output[i] = (int8_t)((int)rng_below(r, 255) - 127);
    for (int i = 0; i < output_buckets; i++)
        n->constant[i] = (int32_t)rng_below(r, 10001) - 5000;
    return n;
}

static network *random_network(rng *r, int width, int king_buckets, int output_buckets) {
    return random_network_for(r, "xiangqi", XQ_NETWORK_INPUTS, width, king_buckets, output_buckets);
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
    network *n = random_network(&r, 32, 1, 1);
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
    bytes.bytes[16] = 48;
    refuses(all, "xiangqi", "a width of 48");
    bytes.bytes[16] = 32;
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

// --- kernels ------------------------------------------------------------------------------------

enum { WIDE = NETWORK_MAX_WIDTH, ROWS = 5 };

typedef struct {
    _Alignas(64) int16_t now[WIDE];
    _Alignas(64) int16_t row[ROWS][WIDE];
    _Alignas(64) int8_t output[WIDE];
} kernel_input;

// Any 16 bits, so that sums wrap; or values about the range of a unit.
static int16_t random_unit(rng *r, bool any) {
    return any ? (int16_t)(rng_next(r) & 0xffff) : (int16_t)((int)rng_below(r, 400) - 70);
}

static void check_kernels(const network_kernels *k, const kernel_input *in, int width) {
    _Alignas(64) int16_t next[WIDE], kept[WIDE];
    const int16_t *rows[ROWS];
    int32_t sum = 0;
    for (int i = 0; i < ROWS; i++)
        rows[i] = in->row[i];
    for (int with = 0; with < 2; with++) {
        k->update(next, in->now, rows[0], rows[1], with ? rows[2] : NULL, width);
        for (int i = 0; i < width; i++)
            assert_int_equal(next[i], (int16_t)(in->now[i] + in->row[0][i] - in->row[1][i] -
                                                (with ? in->row[2][i] : 0)));
    }
    memcpy(kept, in->now, sizeof kept);
    k->change(kept, rows, 3, rows + 3, 2, width);
    for (int i = 0; i < width; i++)
        assert_int_equal(kept[i], (int16_t)(in->now[i] + in->row[0][i] + in->row[1][i] +
                                            in->row[2][i] - in->row[3][i] - in->row[4][i]));
    memcpy(kept, in->now, sizeof kept);
    k->change(kept, NULL, 0, NULL, 0, width);
    assert_memory_equal(kept, in->now, sizeof kept);
    for (int i = 0; i < width; i++) {
        int unit = clamp_int(in->now[i], 0, 255);
        sum += (unit * unit >> 9) * in->output[i];
    }
    assert_int_equal(k->sum(in->now, in->output, width), sum);
}

// All instruction sets of this processor do what the definition says, to the last bit.
static void test_kernels(void **state) {
    (void)state;
    static kernel_input in;
    rng r = {77};
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < WIDE; i++) {
            in.now[i] = random_unit(&r, round % 2);
            in.output[i] = (int8_t)(rng_next(&r) & 0xff);
            for (int n = 0; n < ROWS; n++)
                in.row[n][i] = random_unit(&r, round % 2);
        }
        for (int width = NETWORK_WIDTH_STEP; width <= WIDE; width += NETWORK_WIDTH_STEP)
            for (int n = 0; network_kernels_find(n); n++)
                check_kernels(network_kernels_find(n), &in, width);
    }
    network *n = random_network(&r, 32, 1, 1);
    assert_ptr_equal(n->kernels, network_kernels_find(0));
    network_free(n);
}

// --- lines of moves and take-backs --------------------------------------------------------------

enum { LINE = 60 };

typedef struct {
    xq_pos pos[LINE];
    xq_eval eval[LINE];
    xq_network_cache cache;
} xiangqi_line;

// A walk up and down a line as the search takes it, evaluating some of its positions.
static void walk_xiangqi(rng *r, const network *n, xiangqi_line *l) {
    int ply = 0, evaluated = 0;
    assert_true(xq_parse_fen(&l->pos[0], text_of(XIANGQI_START), NULL));
    xq_eval_refresh(&l->eval[0], &l->pos[0], n);
    memset(&l->cache, 0, sizeof l->cache);
    for (int step = 0; step < 1500; step++) {
        rules_move moves[XQ_MAX_MOVES];
        const xq_pos *now = &l->pos[ply];
        int count = xq_generate(now, moves), choice = (int)rng_below(r, 16);
        if (ply > 0 && (choice < 6 || ply == LINE - 1 || count == 0)) {
            ply -= 1 + (int)rng_below(r, (uint32_t)min_int(ply, 4));
        } else if (choice == 6) {
            l->pos[ply + 1] = *now;
            l->pos[ply + 1].stm ^= 1;
            xq_eval_update_null(&l->eval[ply + 1], &l->eval[ply]);
            ply++;
        } else {
            rules_move move = moves[rng_below(r, (uint32_t)count)];
            // Kings move often, so that the cache is used.
            for (int i = 0; i < count && choice > 12; i++)
                if (xq_type(now->board[move_from(moves[i])]) == XQ_KING)
                    move = moves[i];
            l->pos[ply + 1] = *now;
            xq_eval_update(&l->eval[ply + 1], &l->eval[ply], now, move);
            xq_make(&l->pos[ply + 1], move);
            ply++;
        }
        if (rng_below(r, 3))
            continue;
        int32_t value = plain_value(n, &l->pos[ply], l->eval[ply].phase);
        assert_int_equal(xq_evaluate(&l->pos[ply], &l->eval[ply], &l->cache), value);
        xq_eval fresh;
        xq_eval_refresh(&fresh, &l->pos[ply], n);
        assert_int_equal(xq_evaluate(&l->pos[ply], &fresh, NULL), value);
        evaluated++;
    }
    assert_true(evaluated > 100);
}

static void test_xiangqi(void **state) {
    (void)state;
    static xiangqi_line line;
    static const int shapes[][3] = {{32, 1, 1}, {96, 6, 4}, {256, 6, 8}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        rng r = {i + 1};
        network *n = random_network(&r, shapes[i][0], shapes[i][1], shapes[i][2]);
        assert_true(xq_network_fits(n));
        for (int k = 0; network_kernels_find(k); k++) {
            n->kernels = network_kernels_find(k);
            walk_xiangqi(&r, n, &line);
        }
        n->shape.corrects = true;
        xq_eval with, without;
        xq_eval_refresh(&with, &line.pos[0], n);
        xq_eval_refresh(&without, &line.pos[0], NULL);
        assert_int_equal(xq_evaluate(&line.pos[0], &with, NULL),
                         xq_evaluate(&line.pos[0], &without, NULL) +
                             plain_value(n, &line.pos[0], with.phase));
        network_free(n);
    }
}

// The value of a Surakarta position, one input at a time, as docs/networks.md says it.
static int32_t plain_surakarta(const network *n, const sk_pos *pos) {
    int width = n->shape.width, pieces = bits_count(pos->pieces[0] | pos->pieces[1]);
    int bucket = pieces * n->shape.output_buckets / 25;
    int64_t sum = n->constant[bucket];
    for (int look = 0; look < 2; look++)
        for (int unit = 0; unit < width; unit++) {
            int value = n->bias[unit];
            for (int point = 0; point < 36; point++)
                for (int other = 0; other < 2; other++)
                    if (pos->pieces[pos->stm ^ look ^ other] >> point & 1)
                        value += n->rows[(other * 36 + point) * width + unit];
            value = clamp_int(value, 0, 255);
            sum += (value * value >> 9) * n->output[(bucket * 2 + look) * width + unit];
        }
    return (int32_t)(sum * n->shape.scale / 65536);
}

static void walk_surakarta(rng *r, const network *n) {
    static sk_pos pos[LINE];
    static sk_eval eval[LINE];
    int ply = 0, evaluated = 0;
    pos[0] = sk_start();
    sk_eval_refresh(&eval[0], &pos[0], n);
    for (int step = 0; step < 1500; step++) {
        rules_move moves[SK_MAX_MOVES];
        int count = sk_generate(&pos[ply], moves), choice = (int)rng_below(r, 16);
        if (ply > 0 && (choice < 6 || ply == LINE - 1 || count == 0)) {
            ply -= 1 + (int)rng_below(r, (uint32_t)min_int(ply, 4));
        } else if (choice == 6) {
            pos[ply + 1] = pos[ply];
            pos[ply + 1].stm ^= 1;
            sk_eval_update_null(&eval[ply + 1], &eval[ply]);
            ply++;
        } else {
            rules_move move = moves[rng_below(r, (uint32_t)count)];
            pos[ply + 1] = pos[ply];
            sk_eval_update(&eval[ply + 1], &eval[ply], &pos[ply], move);
            sk_make(&pos[ply + 1], move);
            ply++;
        }
        if (rng_below(r, 3))
            continue;
        assert_int_equal(sk_evaluate(&pos[ply], &eval[ply]), plain_surakarta(n, &pos[ply]));
        evaluated++;
    }
    assert_true(evaluated > 100);
}

static void test_surakarta(void **state) {
    (void)state;
    for (int width = 32; width <= 512; width *= 4) {
        rng r = {(uint64_t)width};
        network *n = random_network_for(&r, "surakarta", SK_NETWORK_INPUTS, width, 1, 8);
        assert_true(sk_units_fit(n));
        for (int k = 0; network_kernels_find(k); k++) {
            n->kernels = network_kernels_find(k);
            walk_surakarta(&r, n);
        }
        // One that corrects is added to the features and takes the place of today's network.
        n->shape.corrects = true;
        sk_pos pos = sk_start();
        sk_eval with, without;
        sk_eval_refresh(&with, &pos, n);
        sk_eval_refresh(&without, &pos, NULL);
        int32_t features = sk_evaluate_traced(&pos, &without, NULL);
        assert_int_equal(sk_evaluate(&pos, &with), features + plain_surakarta(n, &pos));
        network_free(n);
    }
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
    assert_int_equal(xq_evaluate(&pos, &e, NULL), xq_evaluate(&mirrored, &m, NULL));
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
    network_shape shape = {.width = 32, .king_buckets = 6, .output_buckets = 2};
    const network_game *xiangqi = network_game_find(rules_find(text_of("xiangqi")));
    fault why;
    rng r = {11};
    trainer *t = train_new(xiangqi, &shape, &terms, &why);
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
    assert_null(train_new(xiangqi, &shape, &terms, &why));
}

// Surakarta's network learns too, and is the same for a position and its images.
static void test_training_symmetric(void **state) {
    (void)state;
    const network_game *game = network_game_find(rules_find(text_of("surakarta")));
    tune_terms terms = tune_default_terms();
    terms.epochs = 4;
    terms.blend = 0;
    network_shape shape = {.width = 32, .king_buckets = 1, .output_buckets = 2};
    fault why;
    rng r = {12};
    trainer *t = train_new(game, &shape, &terms, &why);
    assert_non_null(t);
    for (int i = 0; i < 3000; i++) {
        uint64_t black = rng_next(&r) & rng_next(&r) & SK_BOARD & ~(uint64_t)1;
        uint64_t white = rng_next(&r) & rng_next(&r) & SK_BOARD & ~black;
        sk_pos pos = sk_set_up(black | 2, (white & ~(uint64_t)2) | 1, (int)rng_below(&r, 2));
        int score = 100 * (bits_count(pos.pieces[0]) - bits_count(pos.pieces[1]));
        char fen[RULES_FEN_SIZE];
        writer w = writer_on(fen, sizeof fen);
        sk_format_fen(&pos, &w);
        if (bits_count(sk_occupied(&pos)) <= 24 && bits_count(pos.pieces[0]) <= 12 &&
            bits_count(pos.pieces[1]) <= 12)
            assert_true(train_add(t, text_of(fen), score > 0 ? 2 : score < 0 ? 0 : 1, score, &why));
    }
    assert_true(train_begin(t) > 0);
    double before = train_loss(t, true);
    for (int n = 0; n < terms.epochs; n++)
        train_epoch(t, n);
    assert_true(train_loss(t, true) < before - 0.05);
    network *n = train_round(t, "test\n", &why);
    assert_non_null(n);
    for (int i = 0; i < 200; i++) {
        uint64_t bits[2] = {rng_next(&r) & rng_next(&r) & SK_BOARD, 0};
        bits[1] = rng_next(&r) & rng_next(&r) & SK_BOARD & ~bits[0];
        if (bits_count(bits[0]) > 12 || bits_count(bits[1]) > 12)
            continue;
        int32_t first = 0;
        for (int turn = 0; turn < SK_SYMMETRIES; turn++) {
            uint64_t turned[2] = {0, 0};
            for (int side = 0; side < 2; side++)
                for (uint64_t b = bits[side]; b;)
                    turned[side] |= sk_bit(sk_turn_point(bits_pop(&b), turn));
            sk_pos pos = sk_set_up(turned[0], turned[1], SK_BLACK);
            int32_t value = plain_surakarta(n, &pos);
            first = turn ? first : value;
            assert_int_equal(value, first);
        }
    }
    network_free(n);
    train_free(t);
}

// The networks that are part of the program can be used, are small enough, and say where they come
// from.
static void test_own(void **state) {
    (void)state;
    static const char *const names[] = {"surakarta", "xiangqi"};
    for (int i = 0; i < 2; i++) {
        const network_game *game = network_game_find(rules_find(text_of(names[i])));
        network *n;
        fault why;
        assert_true(network_choose("none", names[i], &n, &why) && !n);
        assert_true(network_choose("default", names[i], &n, &why));
        assert_int_equal(n != NULL, network_has_own(names[i]));
        assert_false(network_choose("/no/such/file", names[i], &(network *){NULL}, &why));
        if (!n)
            continue;
        buffer bytes = encode(n);
        assert_true(game->fits(n) && bytes.len <= NETWORK_MAX_OWN_BYTES);
        assert_true(strstr(n->text, "\nfrom ") && strstr(n->text, "\npositions ") &&
                    strstr(n->text, "\ncommand ") && strstr(n->text, "\ndate "));
        buffer_free(&bytes);
        network_free(n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),      cmocka_unit_test(test_damage),
        cmocka_unit_test(test_kernels),   cmocka_unit_test(test_xiangqi),
        cmocka_unit_test(test_surakarta), cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_training),  cmocka_unit_test(test_training_symmetric),
        cmocka_unit_test(test_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
