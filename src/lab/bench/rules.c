#include "lab/bench/bench.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "lab/bench/known.h"
#include "rules/surakarta/perft.h"
#include "rules/surakarta/reference.h"
#include "rules/xiangqi/perft.h"
#include "rules/xiangqi/reference.h"
#include "rules/xiangqi/text.h"

enum { ROUNDS = 5, DEPTH = 4, XIANGQI_REFERENCE_DEPTH = 3 };
static const double MILLION = 1e6;

// Prints a row; whether both sides counted the same.
static bool report(FILE *out, const char *what, bench_job ours, bench_job other) {
    bench_result r = bench_compare(ours, other, ROUNDS);
    bench_print_row(out, what, &r, MILLION);
    if (r.work[0] == r.work[1])
        return true;
    fprintf(out, "  the counts differ: %llu and %llu\n", (unsigned long long)r.work[0],
            (unsigned long long)r.work[1]);
    return false;
}

// --- Surakarta ----------------------------------------------------------------------------------

typedef struct {
    sk_pos pos;
    uint64_t (*perft)(const sk_pos *pos, int depth, uint64_t *captures);
} surakarta_tree;

static uint64_t run_surakarta(void *what) {
    const surakarta_tree *tree = what;
    uint64_t captures = 0;
    return tree->perft(&tree->pos, DEPTH, &captures);
}

static uint64_t surakarta_fast(const sk_pos *pos, int depth, uint64_t *captures) {
    return sk_perft(pos, depth, captures);
}

static sk_pos surakarta_after(int plies) {
    rng r = {7};
    sk_pos pos = sk_start();
    for (int i = 0; i < plies; i++) {
        rules_move moves[SK_MAX_MOVES];
        int n = sk_generate(&pos, moves);
        sk_make(&pos, moves[rng_below(&r, (uint32_t)n)]);
    }
    return pos;
}

static bool compare_surakarta(FILE *out, const char *title, const char *other,
                              uint64_t (*perft)(const sk_pos *, int, uint64_t *)) {
    static const int plies[] = {0, 16, 40};
    bool same = true;
    bench_print_title(out, title, "rings M/s", other);
    for (int i = 0; i < 3; i++) {
        char what[32];
        snprintf(what, sizeof what, plies[i] ? "after %d random moves" : "start", plies[i]);
        surakarta_tree fast = {surakarta_after(plies[i]), surakarta_fast};
        surakarta_tree slow = {fast.pos, perft};
        same &=
            report(out, what, bench_here(run_surakarta, &fast), bench_here(run_surakarta, &slow));
    }
    return same;
}

// Move lists alone, over positions of random games: the part of the difference a search sees.
enum { LISTS = 2000 };

typedef struct {
    sk_pos pos[LISTS];
    int (*generate)(const sk_pos *pos, rules_move list[SK_MAX_MOVES]);
} surakarta_lists;

static uint64_t run_lists(void *what) {
    const surakarta_lists *lists = what;
    rules_move moves[SK_MAX_MOVES];
    uint64_t total = 0;
    for (int i = 0; i < LISTS; i++)
        total += (uint64_t)lists->generate(&lists->pos[i], moves);
    return total;
}

static int generate_fast(const sk_pos *pos, rules_move list[SK_MAX_MOVES]) {
    return sk_generate(pos, list);
}

static bool compare_lists(FILE *out) {
    surakarta_lists fast, walk;
    rng r = {7};
    sk_pos pos = sk_start();
    for (int i = 0; i < LISTS; i++) {
        rules_move moves[SK_MAX_MOVES];
        int n = sk_generate(&pos, moves);
        fast.pos[i] = walk.pos[i] = pos;
        if (n == 0)
            pos = sk_start();
        else
            sk_make(&pos, moves[rng_below(&r, (uint32_t)n)]);
    }
    fast.generate = generate_fast;
    walk.generate = sk_walk_generate;
    bench_print_title(out, "Surakarta, move lists alone: rings of bits against a walk along them",
                      "rings M/s", "walk M/s");
    return report(out, "positions of random games", bench_here(run_lists, &fast),
                  bench_here(run_lists, &walk));
}

// --- Xiangqi ------------------------------------------------------------------------------------

typedef struct {
    xq_pos pos;
    int depth;
    uint64_t (*perft)(const xq_pos *pos, int depth, uint64_t *captures);
} xiangqi_tree;

static uint64_t run_xiangqi(void *what) {
    const xiangqi_tree *tree = what;
    uint64_t captures = 0;
    return tree->perft(&tree->pos, tree->depth, &captures);
}

static uint64_t xiangqi_fast(const xq_pos *pos, int depth, uint64_t *captures) {
    return xq_perft(pos, depth, captures);
}

static bool read_known(int i, xq_pos *pos) {
    return xq_parse_fen(pos, text_of(known_positions[i].fen), NULL);
}

static const char *name_known(int i) {
    static const char *const names[KNOWN_POSITIONS] = {"start",      "position 2", "position 3",
                                                       "position 4", "position 5", "position 6"};
    return names[i];
}

static bool compare_reference(FILE *out) {
    bool same = true;
    bench_print_title(out, "Xiangqi, perft 3: line tables against the structures of paper 5",
                      "tables M/s", "paper M/s");
    for (int i = 0; i < KNOWN_POSITIONS; i++) {
        xiangqi_tree fast = {.depth = XIANGQI_REFERENCE_DEPTH, .perft = xiangqi_fast};
        same &= read_known(i, &fast.pos);
        xiangqi_tree slow = fast;
        slow.perft = xq_reference_perft;
        same &= report(out, name_known(i), bench_here(run_xiangqi, &fast),
                       bench_here(run_xiangqi, &slow));
    }
    return same;
}

// Another engine as a child process; talks in lines.
typedef struct {
    os_child process;
    char bytes[4096]; // read and not yet used
    size_t used;
} other_engine;

enum { PATIENCE_US = 60000000 }; // a longer silence means that the engine hangs

static bool send_text(const other_engine *e, const char *words) {
    return os_child_write(&e->process, words, strlen(words));
}

// The next line, cut to fit. False when the engine has ended or is silent.
static bool read_line(other_engine *e, char *line, size_t size) {
    char *end;
    while (!(end = memchr(e->bytes, '\n', e->used))) {
        size_t got;
        if (e->used == sizeof e->bytes ||
            !os_child_read(&e->process, e->bytes + e->used, sizeof e->bytes - e->used, PATIENCE_US,
                           &got) ||
            got == 0)
            return false;
        e->used += got;
    }
    size_t length = (size_t)(end - e->bytes);
    size_t kept = min_size(length, size - 1);
    memcpy(line, e->bytes, kept);
    line[kept] = '\0';
    e->used -= length + 1;
    memmove(e->bytes, end + 1, e->used);
    return true;
}

// Reads up to the first line that begins with the prefix.
static bool await_line(other_engine *e, const char *prefix, char *line, size_t size) {
    while (read_line(e, line, size))
        if (strncmp(line, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

typedef struct {
    other_engine *engine;
    const char *fen;
} engine_tree;

// Asks the engine to count; 0 where it does not answer.
static uint64_t run_engine(void *what) {
    const engine_tree *tree = what;
    char line[256];
    writer w = writer_on(line, sizeof line);
    write_format(&w, "position fen %s\ngo perft %d\n", tree->fen, DEPTH);
    static const char prefix[] = "Nodes searched: ";
    if (!send_text(tree->engine, line) || !await_line(tree->engine, prefix, line, sizeof line))
        return 0;
    int64_t nodes;
    text number = text_trim(text_skip(text_of(line), sizeof prefix - 1));
    return text_to_int(number, 0, INT64_MAX, &nodes) ? (uint64_t)nodes : 0;
}

static bool start_engine(other_engine *engine) {
    char name[] = "fairy-stockfish";
    char *arguments[] = {name, NULL};
    engine->used = 0;
    if (!os_child_start(&engine->process, name, arguments) &&
        !os_child_start(&engine->process, "/usr/games/fairy-stockfish", arguments))
        return false;
    char line[256];
    if (send_text(engine, "uci\nsetoption name UCI_Variant value xiangqi\nisready\n") &&
        await_line(engine, "readyok", line, sizeof line))
        return true;
    os_child_end(&engine->process);
    return false;
}

static bool compare_engine(FILE *out) {
    bool same = true;
    other_engine engine;
    bench_print_title(out, "Xiangqi, perft 4: line tables against fairy-stockfish", "tables M/s",
                      "engine M/s");
    if (!start_engine(&engine)) {
        fprintf(out, "  fairy-stockfish is not installed\n");
        return true;
    }
    for (int i = 0; i < KNOWN_POSITIONS; i++) {
        xiangqi_tree fast = {.depth = DEPTH, .perft = xiangqi_fast};
        same &= read_known(i, &fast.pos);
        engine_tree other = {&engine, known_positions[i].fen};
        same &= report(out, name_known(i), bench_here(run_xiangqi, &fast),
                       (bench_job){run_engine, &other, &engine.process});
    }
    os_child_end(&engine.process);
    return same;
}

int bench_rules(FILE *out) {
    fprintf(out, "Millions of leaves a second; medians of %d rounds in turns.\n", ROUNDS);
    bool same = compare_surakarta(out, "Surakarta, perft 4: rings of bits against array and queues",
                                  "queues M/s", sk_reference_perft);
    same &= compare_surakarta(out, "Surakarta, perft 4: rings of bits against a walk along them",
                              "walk M/s", sk_walk_perft);
    same &= compare_lists(out);
    same &= compare_reference(out);
    same &= compare_engine(out);
    return same ? 0 : 1;
}
