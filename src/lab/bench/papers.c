#include "lab/bench/alphabeta.h"
#include "lab/bench/bench.h"
#include "lab/bench/known.h"
#include "lab/bench/plane.h"

#include "base/rng.h"
#include "lab/papers/paper4.h"
#include "os/clock.h"
#include "rules/surakarta/perft.h"
#include "rules/surakarta/reference.h"
#include "rules/xiangqi/text.h"

#include <stdlib.h>

enum { ROUNDS = 7, SAMPLES = 256, DEEPEST = 5 };
static const double MILLION = 1e6;

// Prints a row and returns whether both sides did the same work.
static bool report(FILE *out, const char *what, bench_job first, bench_job second) {
    bench_result r = bench_compare(first, second, ROUNDS);
    bench_print_row(out, what, &r, MILLION);
    if (r.work[0] != r.work[1])
        fprintf(out, "  the counts differ: %llu and %llu\n", (unsigned long long)r.work[0],
                (unsigned long long)r.work[1]);
    return r.work[0] == r.work[1];
}

static bool read_known(int i, xq_pos *pos) {
    return xq_parse_fen(pos, text_of(known_positions[i].fen), NULL);
}

// --- one dimension or two -----------------------------------------------------------------------

static uint64_t run_plane(void *what) {
    uint64_t nodes = 0, captures = 0;
    for (int i = 0; i < KNOWN_POSITIONS; i++)
        nodes += plane_count((plane_pos *)what + i, 2, &captures);
    return nodes;
}

static uint64_t run_row(void *what) {
    uint64_t nodes = 0, captures = 0;
    for (int i = 0; i < KNOWN_POSITIONS; i++)
        nodes += xq_reference_count((xq_reference *)what + i, 2, &captures);
    return nodes;
}

static bool compare_boards(FILE *out) {
    plane_pos planes[KNOWN_POSITIONS];
    xq_reference rows[KNOWN_POSITIONS], linked[KNOWN_POSITIONS];
    for (int i = 0; i < KNOWN_POSITIONS; i++) {
        xq_pos pos;
        if (!read_known(i, &pos))
            return false;
        plane_set_up(&planes[i], &pos);
        xq_reference_set_up(&rows[i], &pos, false);
        xq_reference_set_up(&linked[i], &pos, true);
    }
    bench_print_title(out, "Paper 5, Tables 2-1 and 2-2: the board (perft 2, six positions, M/s)",
                      "one row", "two-dim.");
    bench_job plane = bench_here(run_plane, planes);
    bool same = report(out, "a row of squares with a border", bench_here(run_row, rows), plane);
    same &= report(out, "the same with dirnext", bench_here(run_row, linked), plane);
    return same;
}

// --- dirnext ------------------------------------------------------------------------------------

// Positions of games played at random, with dirnext and without.
typedef struct {
    xq_reference linked[SAMPLES], plain[SAMPLES];
} sample;

static bool take_sample(sample *s) {
    rng r = {5};
    xq_pos pos;
    for (int i = 0; i < SAMPLES; i++) {
        if (i % 64 == 0 && !read_known(0, &pos))
            return false;
        rules_move moves[XQ_MAX_MOVES];
        int n = xq_generate(&pos, moves);
        if (n == 0)
            return false;
        xq_make(&pos, moves[rng_below(&r, (uint32_t)n)]);
        xq_reference_set_up(&s->linked[i], &pos, true);
        xq_reference_set_up(&s->plain[i], &pos, false);
    }
    return true;
}

static uint64_t run_facing(void *what) {
    const xq_reference *positions = what;
    uint64_t calls = 0, facing = 0;
    for (int round = 0; round < 64; round++)
        for (int i = 0; i < SAMPLES; i++, calls++)
            facing += xq_reference_kings_face(&positions[i]);
    return calls + facing; // nobody faces: the positions are legal
}

static uint64_t run_checks(void *what) {
    const xq_reference *positions = what;
    uint64_t calls = 0, checks = 0;
    for (int round = 0; round < 16; round++)
        for (int i = 0; i < SAMPLES; i++, calls++)
            checks += xq_reference_in_check(&positions[i], positions[i].stm);
    return calls + checks;
}

static uint64_t run_moves(void *what) {
    xq_reference *positions = what;
    uint64_t moves = 0;
    for (int i = 0; i < SAMPLES; i++) {
        xq_reference *pos = &positions[i];
        xq_reference_list list;
        xq_reference_generate_all(pos, &list);
        for (int k = 0; k < list.quiets; k++, moves++) {
            rules_move move = list.moves[XQR_CAPTURES + k];
            uint16_t quiet = pos->quiet;
            xq_reference_undo(pos, move, xq_reference_make(pos, move), quiet);
        }
    }
    return moves;
}

static bool compare_dirnext(FILE *out) {
    static const struct {
        const char *what;
        uint64_t (*run)(void *what);
    } rows[] = {{"do the generals face?", run_facing},
                {"is the king in check?", run_checks},
                {"make and undo", run_moves}};
    sample s;
    if (!take_sample(&s))
        return false;
    bool same = true;
    bench_print_title(out,
                      "Paper 5, Table 2-6: what dirnext gives and takes (million calls a second)",
                      "dirnext", "without");
    for (int i = 0; i < 3; i++)
        same &= report(out, rows[i].what, bench_here(rows[i].run, s.linked),
                       bench_here(rows[i].run, s.plain));
    return same;
}

typedef struct {
    xq_reference positions[KNOWN_POSITIONS];
    int depth;
} search_job;

static uint64_t run_search(void *what) {
    search_job *job = what;
    uint64_t nodes = 0;
    for (int i = 0; i < KNOWN_POSITIONS; i++)
        nodes += alphabeta_search(&job->positions[i], job->depth).nodes;
    return nodes;
}

// Time saved, in per cent, by a program that is `ratio` times as fast.
static double gain(double ratio) { return 100 * (1 - 1 / ratio); }

static bool compare_search(FILE *out) {
    search_job linked, plain;
    for (int i = 0; i < KNOWN_POSITIONS; i++) {
        xq_pos pos;
        if (!read_known(i, &pos))
            return false;
        xq_reference_set_up(&linked.positions[i], &pos, true);
        xq_reference_set_up(&plain.positions[i], &pos, false);
    }
    bool same = true;
    fprintf(out,
            "\nPaper 5, Table 2-7: plain alpha-beta on six positions\n"
            "  %-30s %12s %12s    gain    (from - to)\n",
            "", "dirnext s", "without s");
    for (int depth = 2; depth <= DEEPEST; depth++) {
        linked.depth = plain.depth = depth;
        bench_result r =
            bench_compare(bench_here(run_search, &linked), bench_here(run_search, &plain), ROUNDS);
        fprintf(out, "  depth %d, %10llu nodes      %12.4f %12.4f %6.1f%%    (%.1f%% - %.1f%%)\n",
                depth, (unsigned long long)r.work[0], (double)r.work[0] / r.rate[0],
                (double)r.work[1] / r.rate[1], gain(r.ratio.middle), gain(r.ratio.low),
                gain(r.ratio.high));
        fflush(out);
        same &= r.work[0] == r.work[1];
    }
    fprintf(out,
            "  (the paper: 4.8%%, 3.8%% and 5.7%% at depths 10, 11 and 12 of its own search)\n");
    return same;
}

// --- bounds and Surakarta -----------------------------------------------------------------------

static bool show_bounds(FILE *out) {
    static const struct {
        const char *what, *fen;
        int paper;
        int (*generate)(const xq_pos *pos, rules_move moves[XQ_MAX_MOVES]);
    } bounds[] = {{"most moves", KNOWN_MOST_MOVES, 110, xq_generate},
                  {"most quiet moves (its array)", KNOWN_MOST_QUIETS, 110, xq_generate_quiets},
                  {"most captures", KNOWN_MOST_CAPTURES, 40, xq_generate_captures}};
    fprintf(out, "\nPaper 5, Figures 2-4 and 2-5: the longest move lists\n  %-30s %12s %12s\n", "",
            "paper", "found");
    for (int i = 0; i < 3; i++) {
        xq_pos pos;
        rules_move moves[XQ_MAX_MOVES];
        if (!xq_parse_fen(&pos, text_of(bounds[i].fen), NULL))
            return false;
        fprintf(out, "  %-30s %12d %12d   %s\n", bounds[i].what, bounds[i].paper,
                bounds[i].generate(&pos, moves), bounds[i].fen);
    }
    return true;
}

static uint64_t run_rings(void *what) {
    uint64_t captures = 0;
    return sk_perft(what, 3, &captures);
}

static uint64_t run_queues(void *what) {
    uint64_t captures = 0;
    return sk_reference_perft(what, 3, &captures);
}

static bool compare_surakarta(FILE *out) {
    sk_pos pos = sk_start();
    bench_print_title(out, "Paper 1: array and circular queues (perft 3 from the start, M/s)",
                      "bitboards", "queues");
    return report(out, "two boards of 36 bits, rings", bench_here(run_rings, &pos),
                  bench_here(run_queues, &pos));
}

// --- paper 4 ------------------------------------------------------------------------------------

// The paper measured games, not positions; three stages of one stand for them here.
static const struct {
    const char *what, *fen;
} stages[] = {
    {"start", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"},
    {"both sides developed",
     "r1bakab2/9/1cn3n1c/p3p1p1p/2p4r1/6P2/P1P1P3P/1CN1C1N2/9/1RBAKAB1R w - - 0 6"},
    {"middle game, chariots out",
     "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1"},
};
enum { STAGES = sizeof stages / sizeof stages[0] };

static void print_paper4_row(FILE *out, const rules_state *s, const char *what) {
    fprintf(out, "  %-30s", what);
    for (int depth = 5; depth <= 6; depth++) {
        paper4_options options = {.depth = depth};
        int64_t start = clock_us();
        paper4_thought t = paper4_choose(s, &options);
        fprintf(out, " %9.2f %12llu", (double)(clock_us() - start) / 1e6,
                (unsigned long long)t.nodes);
        fflush(out);
    }
    fprintf(out, "\n");
}

static bool measure_paper4(FILE *out) {
    const rules_game *game = rules_find(text_of("xiangqi"));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(0));
    if (!memory)
        return false;
    rules_state *s = rules_state_new(memory, game, &set, 0);
    bool fine = true;
    fprintf(out,
            "\nPaper 4: seconds and nodes of its player for a move\n  %-30s %9s %12s %9s %12s\n",
            "", "5 plies", "nodes", "6 plies", "nodes");
    for (int i = 0; i < STAGES && fine; i++) {
        fault why;
        fine = rules_set_fen(s, text_of(stages[i].fen), &why);
        if (fine)
            print_paper4_row(out, s, stages[i].what);
    }
    fprintf(out, "  (the paper, on an i5-4200U: 1 s and 10 to 30 s)\n");
    free(memory);
    return fine;
}

// --- all of them --------------------------------------------------------------------------------

int bench_papers(FILE *out, const char *dir) {
    fprintf(out, "Medians of %d rounds in turns.\n", ROUNDS);
    bool fine = compare_boards(out);
    fine &= compare_dirnext(out);
    fine &= compare_search(out);
    fine &= show_bounds(out);
    fine &= compare_surakarta(out);
    fine &= bench_paper3(out, dir);
    fine &= measure_paper4(out);
    return fine ? 0 : 1;
}
