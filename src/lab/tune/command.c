#include "lab/tune/command.h"

#include "cli/cli.h"
#include "cli/files.h"
#include "lab/data/positions.h"
#include "lab/tune/network.h"
#include "lab/tune/tune.h"
#include "match/game.h"
#include "os/clock.h"
#include "os/process.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_bool interrupted; // set by the signal handler, read everywhere

static void on_interrupt(int signal_number) {
    (void)signal_number;
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
}

static bool is_interrupted(void) {
    return atomic_load_explicit(&interrupted, memory_order_relaxed);
}

typedef struct {
    const rules_game *game;
    const eval_model *model;
    samples samples;
    sk_learner *learner; // of the network; NULL: the weights of features are fitted
    int64_t skip;        // plies of a game that are not learnt from
} lesson;

// --- reading ------------------------------------------------------------------------------------

static bool add_sample(lesson *l, text fen, int half_points, int32_t score, fault *why) {
    if (l->learner)
        return sk_learn_add(l->learner, fen, half_points, score, why);
    return samples_add(&l->samples, l->model, fen, half_points, score, why);
}

// Adds a position of a game if it is quiet and the opening is over.
static bool add_position(lesson *l, const rules_state *s, const match_move *m, int half_points,
                         fault *why) {
    if ((int64_t)rules_ply(s) < l->skip || rules_in_check(s) || rules_is_capture(s, m->move))
        return true;
    char fen[RULES_FEN_SIZE];
    writer out = writer_on(fen, sizeof fen);
    rules_format_fen(s, &out);
    int32_t score = SAMPLE_NO_SCORE;
    if (m->score.known && m->score.is_mate)
        score = m->score.value > 0 ? SAMPLE_SCORE_MAX : -SAMPLE_SCORE_MAX;
    else if (m->score.known)
        score = m->score.value;
    if (score != SAMPLE_NO_SCORE && rules_side_to_move(s) == 1)
        score = -score;
    return add_sample(l, (text){fen, out.used}, half_points, score, why);
}

static bool add_moves(lesson *l, const match_game *g, fault *why) {
    void *memory = malloc(rules_state_size(g->count));
    if (!memory)
        return fault_set(why, "out of memory");
    rules_set set = rules_default_set(l->game);
    rules_state *s = rules_state_new(memory, l->game, &set, g->count);
    int half_points = match_half_points(g->verdict.outcome);
    bool good = !g->fen[0] || rules_set_fen(s, text_of(g->fen), why);
    for (uint32_t i = 0; good && i < g->count; i++)
        good = add_position(l, s, &g->moves[i], half_points, why) &&
               rules_play(s, g->moves[i].move, why);
    free(memory);
    return good;
}

static bool add_line(lesson *l, text line, fault *why) {
    if (!text_starts(text_trim(line), "{")) {
        sample_line parts;
        if (!samples_read_line(line, &parts, why))
            return false;
        return parts.fen.len == 0 || add_sample(l, parts.fen, parts.half_points, parts.score, why);
    }
    match_game g = {0};
    if (!match_game_read(&g, l->game, text_trim(line), why))
        return false;
    bool good = g.verdict.outcome == RULES_ONGOING || add_moves(l, &g, why);
    match_game_free(&g);
    return good;
}

// The quiet positions of a file of packed games, shuffled.
static bool read_packed(lesson *l, const char *path) {
    position_filter filter = position_filter_default();
    position_reader *reader;
    position next;
    bool more = true;
    fault why;
    bool good = positions_open(&reader, l->game, &path, 1, &filter, &why);
    while (good && more && !is_interrupted()) {
        good = positions_next(reader, &next, &more, &why);
        if (good && more && next.ply >= l->skip)
            good = add_sample(l, text_of(next.fen), next.half_points, next.score, &why);
    }
    positions_close(reader);
    if (!good)
        complain("kraton tune: %s", why.line);
    return good && !is_interrupted();
}

static bool read_file(lesson *l, const char *path) {
    if (packed_is(path))
        return read_packed(l, path);
    FILE *from = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!from) {
        complain("kraton tune: %s: %s", path, strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t size = 0;
    unsigned long number = 0;
    ssize_t len;
    fault why;
    bool good = true;
    while (good && !is_interrupted() && (len = getline(&line, &size, from)) >= 0) {
        number++;
        good = add_line(l, (text){line, (size_t)len}, &why);
    }
    if (!good)
        complain("%s:%lu: %s", file_label(path), number, why.line);
    else if (ferror(from) && !is_interrupted()) {
        complain("kraton tune: %s: cannot be read", path);
        good = false;
    }
    free(line);
    if (from != stdin)
        fclose(from);
    return good && !is_interrupted();
}

// --- fitting ------------------------------------------------------------------------------------

// The weights or the network being fitted, and the best state so far as C source.
typedef struct {
    lesson *lesson;
    tuner *tuner;
    double loss; // held out
    int epoch;   // -1: none yet
    writer text;
} fitting;

static double loss_of(const fitting *f, bool held_out) {
    return f->tuner ? tune_loss(f->tuner, held_out) : sk_learn_loss(f->lesson->learner, held_out);
}

static size_t count_positions(const lesson *l) {
    return l->learner ? sk_learn_count(l->learner) : l->samples.count;
}

static void keep(fitting *f, double loss, int epoch) {
    char remark[128];
    writer words = writer_on(remark, sizeof remark);
    write_format(&words, "%zu positions, loss %.5f", count_positions(f->lesson), loss);
    f->loss = loss;
    f->epoch = epoch;
    f->text = writer_on(f->text.buffer, f->text.capacity);
    if (f->tuner) {
        tapered weights[TRACE_MAX];
        tune_weights(f->tuner, weights);
        tune_write(f->lesson->model, weights, remark, &f->text);
    } else {
        sk_learn_write(f->lesson->learner, remark, &f->text);
    }
}

static void print_time(int64_t us) {
    int64_t seconds = us / 1000000;
    printf("%lld:%02lld", (long long)(seconds / 60), (long long)(seconds % 60));
}

// Fits, with a line per epoch, and keeps the state with the least loss on held-out positions.
static void fit(fitting *f, const tune_terms *terms) {
    bool judges = terms->hold_out > 0;
    printf("before       %s %.6f\n", judges ? "held out" : "learnt from", loss_of(f, judges));
    int64_t start = clock_us();
    for (int n = 0; n < terms->epochs && !is_interrupted(); n++) {
        if (f->tuner)
            tune_epoch(f->tuner, n);
        else
            sk_learn_epoch(f->lesson->learner, n);
        if (is_interrupted() && n > 0)
            break;
        double held = loss_of(f, true), learnt = loss_of(f, false);
        int64_t used = clock_us() - start;
        printf("epoch %2d/%d  ", n + 1, terms->epochs);
        if (judges)
            printf("held out %.6f  ", held);
        printf("learnt from %.6f  left ", learnt);
        print_time(used / (n + 1) * (terms->epochs - n - 1));
        putchar('\n');
        fflush(stdout);
        if (held < f->loss || !judges)
            keep(f, judges ? held : learnt, n);
    }
}

static bool begin(fitting *f, const tune_terms *terms, double *k) {
    enum { SIZE = 1 << 18 };
    lesson *l = f->lesson;
    char *bytes = malloc(SIZE);
    if (!bytes)
        return false;
    f->text = writer_on(bytes, SIZE);
    if (!l->learner) {
        f->tuner = tune_new(l->model, &l->samples, terms);
        if (!f->tuner)
            return false;
        *k = tune_find_scale(f->tuner);
        return true;
    }
    *k = sk_learn_begin(l->learner);
    return *k > 0;
}

// There must be positions to learn from and positions held out to judge by.
static bool are_enough(const lesson *l, const tune_terms *terms) {
    size_t count = count_positions(l), held = 0;
    for (size_t i = 0; i < count; i++)
        held += tune_is_held(terms, i, count);
    if ((held > 0 || terms->hold_out == 0) && held < count)
        return true;
    complain("kraton tune: %zu position%s: too few to hold %d %% out; --hold-out 0 learns from all",
             count, count == 1 ? "" : "s", terms->hold_out);
    return false;
}

static int tune(lesson *l, const tune_terms *terms, const char *path) {
    fitting f = {.lesson = l, .loss = INFINITY, .epoch = -1};
    int status = STATUS_OK;
    double k;
    fault why;
    if (count_positions(l) == 0)
        return complain("kraton tune: no positions");
    if (!are_enough(l, terms))
        return STATUS_BAD;
    if (begin(&f, terms, &k)) {
        printf("%zu positions; K = %.1f\n", count_positions(l), k);
        fit(&f, terms);
        if (f.epoch < 0)
            status = complain("kraton tune: interrupted before anything was learnt");
        else if (path && !file_write(path, (text){f.text.buffer, f.text.used}, &why))
            status = complain("kraton tune: %s", why.line);
        else if (path)
            printf("%s written (epoch %d)\n", path, f.epoch + 1);
    } else {
        status = complain("kraton tune: out of memory");
    }
    tune_free(f.tuner);
    free(f.text.buffer);
    return status;
}

// --- the command --------------------------------------------------------------------------------

enum { EPOCHS, RATE, BLEND, SPREAD, HOLD_OUT, THREADS, SEED, SKIP, NUMBERS };

typedef struct {
    const char *name;
    double low, high, value;
    const char *given;
} number;

static int run(const tune_terms *terms, bool network, int skip, const char *path, int argc,
               char **argv) {
    lesson l = {.game = find_game(argv[0]), .skip = skip};
    if (!l.game)
        return STATUS_USAGE;
    l.model = model_find(l.game);
    if (!l.model)
        return complain("kraton tune: the evaluation of %s has nothing to fit", argv[0]);
    if (network && strcmp(argv[0], "surakarta") != 0)
        return complain("kraton tune: the evaluation of %s has no network", argv[0]);
    os_process_on_interrupt(on_interrupt);
    // Fails now rather than after hours of fitting.
    FILE *out = path ? fopen(path, "a") : NULL;
    if (path && !out)
        return complain("kraton tune: %s: %s", path, strerror(errno));
    if (out)
        fclose(out);
    l.learner = network ? sk_learn_new(terms) : NULL;
    if (network && !l.learner)
        return complain("kraton tune: out of memory");
    int status = STATUS_OK;
    for (int i = 1; i < argc && status == STATUS_OK; i++)
        if (!read_file(&l, argv[i]))
            status = STATUS_BAD;
    if (status == STATUS_OK)
        status = tune(&l, terms, path);
    samples_free(&l.samples);
    sk_learn_free(l.learner);
    return status;
}

int tune_command(const command *self, int argc, char **argv) {
    tune_terms terms = tune_default_terms();
    const char *path = NULL;
    bool network = false;
    number n[NUMBERS] = {
        [EPOCHS] = {"epochs", 1, 100000, terms.epochs, NULL},
        [RATE] = {"rate", 1e-6, 1000, terms.rate, NULL},
        [BLEND] = {"blend", 0, 1, terms.blend, NULL},
        [SPREAD] = {"spread", 1e-3, 1e6, terms.spread, NULL},
        [HOLD_OUT] = {"hold-out", 0, 90, terms.hold_out, NULL},
        [THREADS] = {"threads", 1, 2, terms.threads, NULL},
        [SEED] = {"seed", 0, 1e15, (double)terms.seed, NULL},
        [SKIP] = {"skip", 0, 1000, 8, NULL},
    };
    const option table[] = {
        {"out", 'o', "FILE", "write the weights there, as C", .string = &path},
        {"network", 0, NULL, "teach the network (Surakarta) instead of the weights of features",
         .flag = &network},
        {"epochs", 0, "N", "how often to go through all positions; 30", .string = &n[EPOCHS].given},
        {"rate", 0, "X", "centipawns a step at the start; 2", .string = &n[RATE].given},
        {"blend", 0, "X", "share of the result in the aim, the rest is the score; 0.7",
         .string = &n[BLEND].given},
        {"spread", 0, "X", "how far weights are expected to move, centipawns; 50",
         .string = &n[SPREAD].given},
        {"hold-out", 0, "N", "per cent of the positions that only judge; 10",
         .string = &n[HOLD_OUT].given},
        {"threads", 0, "N", "1 or 2; 2", .string = &n[THREADS].given},
        {"seed", 0, "N", "of the order of positions; 1", .string = &n[SEED].given},
        {"skip", 0, "N", "plies at the start of games that are left out; 8",
         .string = &n[SKIP].given},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    for (int i = 0; i < NUMBERS; i++)
        if (!option_real(self, n[i].name, n[i].given, n[i].low, n[i].high, &n[i].value))
            return STATUS_USAGE;
    terms.epochs = (int)n[EPOCHS].value;
    terms.rate = n[RATE].value;
    terms.blend = n[BLEND].value;
    terms.spread = n[SPREAD].value;
    terms.hold_out = (int)n[HOLD_OUT].value;
    terms.threads = (int)n[THREADS].value;
    terms.seed = (uint64_t)n[SEED].value;
    terms.stop = &interrupted;
    return run(&terms, network, (int)n[SKIP].value, path, argc, argv);
}
