// kraton tune: fits the weights of an evaluation to positions whose games are over.
#include "base/clock.h"
#include "cli/files.h"
#include "cli/options.h"
#include "games/tune.h"
#include "match/game.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
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
    int64_t skip; // plies of a game that are not learnt from
} lesson;

// --- reading ------------------------------------------------------------------------------------

// A position of a game worth learning from: the opening is over and nothing hangs in the air.
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
    return samples_add(&l->samples, l->model, (text){fen, out.used}, half_points, score, why);
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
    if (!text_starts(text_trim(line), "{"))
        return samples_add_line(&l->samples, l->model, line, why);
    match_game g = {0};
    if (!match_game_read(&g, l->game, text_trim(line), why))
        return false;
    bool good = g.verdict.outcome == RULES_ONGOING || add_moves(l, &g, why);
    match_game_free(&g);
    return good;
}

static bool read_file(lesson *l, const char *path) {
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
    else if (ferror(from)) {
        complain("kraton tune: %s: cannot be read", path);
        good = false;
    }
    free(line);
    if (from != stdin)
        fclose(from);
    return good && !is_interrupted();
}

// --- fitting ------------------------------------------------------------------------------------

typedef struct {
    double loss; // held out
    int epoch;
    tapered weights[TRACE_MAX];
} best_fit;

static void print_time(int64_t us) {
    int64_t seconds = us / 1000000;
    printf("%lld:%02lld", (long long)(seconds / 60), (long long)(seconds % 60));
}

// Fits, a line an epoch, and keeps the weights that did best on what was held out.
static void fit(tuner *t, const tune_terms *terms, best_fit *best) {
    double before = tune_loss(t, true);
    printf("before       held out %.6f\n", before);
    *best = (best_fit){.loss = INFINITY, .epoch = -1};
    int64_t start = clock_us();
    for (int n = 0; n < terms->epochs && !is_interrupted(); n++) {
        tune_epoch(t, n);
        if (is_interrupted() && n > 0)
            break;
        double held = tune_loss(t, true), learnt = tune_loss(t, false);
        int64_t used = clock_us() - start;
        printf("epoch %2d/%d  held out %.6f  learnt from %.6f  left ", n + 1, terms->epochs, held,
               learnt);
        print_time(used / (n + 1) * (terms->epochs - n - 1));
        putchar('\n');
        fflush(stdout);
        if (!(held < best->loss) && terms->hold_out > 0)
            continue;
        best->loss = held;
        best->epoch = n;
        tune_weights(t, best->weights);
    }
}

static int write_weights(const lesson *l, const best_fit *best, const char *path) {
    enum { SIZE = 1 << 18 };
    char remark[128], *bytes = malloc(SIZE);
    writer words = writer_on(remark, sizeof remark);
    write_format(&words, "%zu positions, loss %.5f", l->samples.count, best->loss);
    if (!bytes)
        return complain("kraton tune: out of memory");
    writer out = writer_on(bytes, SIZE);
    tune_write(l->model, best->weights, remark, &out);
    fault why;
    int status = STATUS_OK;
    if (!file_write(path, (text){bytes, out.used}, &why))
        status = complain("kraton tune: %s", why.line);
    else
        printf("%s written (epoch %d)\n", path, best->epoch + 1);
    free(bytes);
    return status;
}

static int tune(lesson *l, const tune_terms *terms, const char *path) {
    if (l->samples.count == 0)
        return complain("kraton tune: no positions");
    tuner *t = tune_new(l->model, &l->samples, terms);
    best_fit *best = malloc(sizeof *best);
    int status = STATUS_OK;
    if (t && best) {
        printf("%zu positions, %.0f terms each; K = %.1f\n", l->samples.count,
               (double)l->samples.terms / (double)l->samples.count, tune_find_scale(t));
        fit(t, terms, best);
        if (best->epoch < 0)
            status = complain("kraton tune: interrupted before anything was learnt");
        else if (path)
            status = write_weights(l, best, path);
    } else {
        status = complain("kraton tune: out of memory");
    }
    tune_free(t);
    free(best);
    return status;
}

// --- the command --------------------------------------------------------------------------------

enum { EPOCHS, RATE, BLEND, SPREAD, HOLD_OUT, THREADS, SEED, SKIP, NUMBERS };

typedef struct {
    const char *name;
    double low, high, value;
    const char *given;
} number;

static bool read_numbers(number numbers[NUMBERS]) {
    for (number *n = numbers; n < numbers + NUMBERS; n++) {
        if (!n->given)
            continue;
        char *end;
        n->value = strtod(n->given, &end);
        if (end == n->given || *end || !(n->value >= n->low && n->value <= n->high)) {
            complain("kraton tune: --%s is %g to %g, not %s", n->name, n->low, n->high,
                     fault_quote(text_of(n->given)).shown);
            return false;
        }
    }
    return true;
}

static int run(const tune_terms *terms, int skip, const char *path, int argc, char **argv) {
    lesson l = {.game = find_game(argv[0]), .skip = skip};
    if (!l.game)
        return STATUS_BAD;
    l.model = model_find(l.game);
    if (!l.model)
        return complain("kraton tune: the evaluation of %s has nothing to fit", argv[0]);
    // Better to know now than after hours of fitting.
    FILE *out = path ? fopen(path, "a") : NULL;
    if (path && !out)
        return complain("kraton tune: %s: %s", path, strerror(errno));
    if (out)
        fclose(out);
    signal(SIGINT, on_interrupt);
    int status = STATUS_OK;
    for (int i = 1; i < argc && status == STATUS_OK; i++)
        if (!read_file(&l, argv[i]))
            status = STATUS_BAD;
    if (status == STATUS_OK)
        status = tune(&l, terms, path);
    samples_free(&l.samples);
    return status;
}

int cmd_tune(const command *self, int argc, char **argv) {
    tune_terms terms = tune_default_terms();
    const char *path = NULL;
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
    if (!read_numbers(n))
        return STATUS_BAD;
    terms.epochs = (int)n[EPOCHS].value;
    terms.rate = n[RATE].value;
    terms.blend = n[BLEND].value;
    terms.spread = n[SPREAD].value;
    terms.hold_out = (int)n[HOLD_OUT].value;
    terms.threads = (int)n[THREADS].value;
    terms.seed = (uint64_t)n[SEED].value;
    terms.stop = &interrupted;
    return run(&terms, (int)n[SKIP].value, path, argc, argv);
}
