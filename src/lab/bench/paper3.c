// Paper 3's ideas: bitboards instead of arrays, and the endgame table's score at the depth limit.
#include "base/minmax.h"
#include "lab/bench/bench.h"

#include "base/rng.h"
#include "tablebase/surakarta/probe.h"
#include "tablebase/surakarta/reader.h"

#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 7, POSITIONS = 2048 };

static sk_pos random_position(rng *dice, int pieces, int black) {
    uint64_t boards[2] = {0, 0};
    for (int i = 0; i < pieces;) {
        uint64_t point = sk_bit((int)rng_below(dice, SK_POINTS));
        if ((boards[0] | boards[1]) & point)
            continue;
        boards[i++ >= black] |= point;
    }
    return sk_set_up(boards[0], boards[1], SK_BLACK);
}

// --- bitboard and array -------------------------------------------------------------------------

typedef struct {
    sk_pos pos[POSITIONS];
    uint8_t array[POSITIONS][SK_POINTS]; // 0 empty, 1 Black, 2 White
} boards;

static int add_array_steps(const uint8_t array[SK_POINTS], int point, rules_move *list) {
    int n = 0, row = point / 6, column = point % 6;
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = column - 1; c <= column + 1; c++)
            if (r >= 0 && r < 6 && c >= 0 && c < 6 && array[r * 6 + c] == 0)
                list[n++] = move_of(point, r * 6 + c);
    return n;
}

static uint64_t run_array(void *what) {
    const boards *b = what;
    uint64_t steps = 0;
    for (int i = 0; i < POSITIONS; i++) {
        rules_move list[SK_MAX_MOVES];
        int n = 0;
        for (int point = 0; point < SK_POINTS; point++)
            if (b->array[i][point] == 1)
                n += add_array_steps(b->array[i], point, list + n);
        __asm__ volatile("" : : "r"(list) : "memory");
        steps += (uint64_t)n;
    }
    return steps;
}

// The paper's way: a piece at a time, its neighbours by a mask.
static uint64_t run_masks(void *what) {
    const boards *b = what;
    uint64_t steps = 0;
    for (int i = 0; i < POSITIONS; i++) {
        rules_move list[SK_MAX_MOVES];
        uint64_t own = b->pos[i].pieces[SK_BLACK], empty = SK_BOARD & ~sk_occupied(&b->pos[i]);
        int n = 0;
        while (own) {
            int from = bits_pop(&own);
            for (uint64_t to = sk_neighbours[from] & empty; to;)
                list[n++] = move_of(from, bits_pop(&to));
        }
        __asm__ volatile("" : : "r"(list) : "memory");
        steps += (uint64_t)n;
    }
    return steps;
}

static uint64_t run_directions(void *what) {
    const boards *b = what;
    uint64_t steps = 0;
    for (int i = 0; i < POSITIONS; i++) {
        rules_move list[SK_MAX_MOVES];
        int n = sk_generate_quiets(&b->pos[i], list);
        __asm__ volatile("" : : "r"(list) : "memory");
        steps += (uint64_t)n;
    }
    return steps;
}

static bool compare_steps(FILE *out) {
    boards *b = malloc(sizeof *b);
    rng dice = {3};
    if (!b)
        return false;
    for (int i = 0; i < POSITIONS; i++) {
        int pieces = 6 + (int)rng_below(&dice, 19);
        b->pos[i] = random_position(&dice, pieces, pieces / 2);
        for (int point = 0; point < SK_POINTS; point++)
            b->array[i][point] = (uint8_t)((b->pos[i].pieces[SK_BLACK] >> point & 1) +
                                           (b->pos[i].pieces[SK_WHITE] >> point & 1) * 2);
    }
    bench_print_title(out, "Paper 3: steps from a bitboard and from an array (random boards, M/s)",
                      "bitboard", "array");
    bench_job array = bench_here(run_array, b);
    bench_result masks = bench_compare(bench_here(run_masks, b), array, ROUNDS);
    bench_result directions = bench_compare(bench_here(run_directions, b), array, ROUNDS);
    bench_print_row(out, "a mask a piece, as in the paper", &masks, 1e6);
    bench_print_row(out, "a shift a direction, as here", &directions, 1e6);
    free(b);
    return masks.work[0] == masks.work[1] && directions.work[0] == masks.work[0];
}

// --- the table at the depth limit ---------------------------------------------------------------

enum { SAMPLES = 300, WIN = 30000, INFINITE = 32000 };

// Where a player asks the tables.
typedef enum { NEVER, AT_LIMIT, AFTER_CAPTURES, WAYS } way;

// The tables a player may ask: distances in memory, as the paper's program has them.
typedef struct {
    kraton_tb *tables;
    int pieces; // asked up to these
    tb_split split[TB_MAX_PIECES][TB_MAX_PIECES];
    uint8_t *distances[TB_MAX_PIECES][TB_MAX_PIECES];
} known;

static bool load_split(known *k, const char *dir, int a, int b) {
    tb_reader r;
    fault why;
    if (tb_reader_open(&r, dir, TB_DISTANCES, TB_COUNT, a, b, &why) != TB_FILE_FINE)
        return false;
    k->split[a][b] = tb_split_of(a, b);
    // Room for whole blocks, so that the last one can be unpacked like the others.
    uint8_t *all = malloc(r.header.blocks * TB_BLOCK_BYTES);
    k->distances[a][b] = all;
    bool fine = all != NULL;
    for (uint64_t i = 0; fine && i < r.header.blocks; i++)
        fine = tb_reader_distances(&r, i, all + i * TB_BLOCK_BYTES, &why);
    tb_reader_close(&r);
    return fine;
}

// The paper's score: what a win is worth less the distance to it.
static int score_of_table(const known *k, const sk_pos *pos) {
    tb_placement p = tb_placement_of(pos);
    int value = kraton_tb_value(k->tables, p.movers, p.others);
    int a = bits_count(p.movers), b = bits_count(p.others);
    if (a == 0 || b == 0)
        return value * WIN;
    return value * (WIN - k->distances[a][b][tb_rank(&k->split[a][b], p)]);
}

// A piece is worth 100, a step to choose from 1.
static int evaluate(const sk_pos *pos) {
    int own = bits_count(pos->pieces[pos->stm]), other = bits_count(pos->pieces[pos->stm ^ 1]);
    return 100 * (own - other) + sk_count_quiets(pos);
}

static int search(const known *k, way when, const sk_pos *pos, int alpha, int beta, int depth,
                  bool captured, uint64_t *nodes) {
    ++*nodes;
    if (pos->pieces[pos->stm] == 0)
        return -WIN - depth;
    bool in_tables = bits_count(sk_occupied(pos)) <= k->pieces;
    if (in_tables && ((when >= AT_LIMIT && depth == 0) || (when == AFTER_CAPTURES && captured)))
        return score_of_table(k, pos);
    if (depth == 0)
        return evaluate(pos);
    rules_move moves[SK_MAX_MOVES];
    int n = sk_generate(pos, moves), best = n ? -INFINITE : 0;
    for (int i = 0; i < n && best < beta; i++) {
        sk_pos after = *pos;
        bool takes = sk_make(&after, moves[i]);
        int floor = max_int(best, alpha);
        int score = -search(k, when, &after, -beta, -floor, depth - 1, takes, nodes);
        best = max_int(score, best);
    }
    return best;
}

static rules_move choose(const known *k, way when, const sk_pos *pos, int depth, uint64_t *nodes) {
    rules_move moves[SK_MAX_MOVES], chosen = MOVE_NONE;
    int n = sk_generate(pos, moves), best = -INFINITE;
    for (int i = 0; i < n; i++) {
        sk_pos after = *pos;
        bool takes = sk_make(&after, moves[i]);
        int score = -search(k, when, &after, -INFINITE, -best, depth - 1, takes, nodes);
        if (score > best) {
            best = score;
            chosen = moves[i];
        }
    }
    return chosen;
}

static int true_value(const known *k, const sk_pos *pos, rules_move move) {
    sk_pos after = *pos;
    sk_make(&after, move);
    return -kraton_tb_value(k->tables, after.pieces[after.stm], after.pieces[after.stm ^ 1]);
}

// Whether a position has moves that keep its value and moves that do not.
static bool has_choice(const known *k, const sk_pos *pos, int *value) {
    rules_move moves[SK_MAX_MOVES];
    int n = sk_generate(pos, moves), kept = 0;
    *value = kraton_tb_value(k->tables, pos->pieces[pos->stm], pos->pieces[pos->stm ^ 1]);
    for (int i = 0; i < n; i++)
        kept += true_value(k, pos, moves[i]) == *value;
    return kept > 0 && kept < n;
}

static void compare_depth(FILE *out, const known *k, int pieces, int depth) {
    fprintf(out, "  depth %d", depth);
    for (way when = NEVER; when < WAYS; when++) {
        rng dice = {11};
        uint64_t nodes = 0;
        int kept = 0;
        double spent = 0;
        for (int i = 0; i < SAMPLES;) {
            sk_pos pos = random_position(&dice, pieces, pieces / 2 - 1 + (int)rng_below(&dice, 3));
            int value;
            if (!has_choice(k, &pos, &value))
                continue;
            clock_t began = clock();
            rules_move move = choose(k, when, &pos, depth, &nodes);
            spent += (double)(clock() - began) / CLOCKS_PER_SEC;
            kept += true_value(k, &pos, move) == value;
            i++;
        }
        fprintf(out, "   %5.1f %% %8.3f ms", 100.0 * kept / SAMPLES, 1e3 * spent / SAMPLES);
    }
    fputc('\n', out);
    fflush(out);
}

static bool compare_tables(FILE *out, const char *dir) {
    known *k = calloc(1, sizeof *k);
    if (!k)
        return false;
    k->tables = kraton_tb_open(dir, KRATON_TB_COUNT, 0, NULL, NULL);
    bool fine = k->tables != NULL;
    int pieces = fine ? kraton_tb_pieces(k->tables) : 0;
    k->pieces = pieces > 6 ? 6 : pieces - 1; // the paper's six, and some more to know the truth by
    for (int n = 2; fine && n <= k->pieces; n++)
        for (int a = 1; fine && a < n; a++)
            fine = load_split(k, dir, a, n - a);
    if (fine) {
        fprintf(out,
                "\nPaper 3: the score of tables of up to %d pieces at the depth limit: moves that "
                "keep the value\nof the position, and time a move; %d random boards of %d pieces "
                "where not all moves do\n  %-7s   %16s   %16s   %16s\n",
                k->pieces, SAMPLES, pieces, "", "without", "at the limit", "after captures");
        for (int depth = 2; depth <= 5; depth++)
            compare_depth(out, k, pieces, depth);
    } else {
        fprintf(out, "no tables for count in %s\n", dir);
    }
    for (int a = 0; a < TB_MAX_PIECES; a++)
        for (int b = 0; b < TB_MAX_PIECES; b++)
            free(k->distances[a][b]);
    kraton_tb_close(k->tables);
    free(k);
    return fine;
}

bool bench_paper3(FILE *out, const char *dir) {
    return compare_steps(out) && (!dir || compare_tables(out, dir));
}
