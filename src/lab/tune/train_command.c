// kraton-lab train: the command line of the trainer.
#include "cli/files.h"

#include "lab/data/positions.h"
#include "lab/tune/command.h"
#include "lab/tune/train.h"
#include "os/clock.h"
#include "os/process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_bool interrupted; // set by the signal handler

static void on_interrupt(int signal_number) {
    (void)signal_number;
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
}

static bool is_interrupted(void) {
    return atomic_load_explicit(&interrupted, memory_order_relaxed);
}

enum { WIDTH, KINGS, OUTPUTS, EPOCHS, RATE, BLEND, HOLD_OUT, SEED, MAX_SCORE, NUMBERS };

typedef struct {
    const char *name;
    double low, high, value;
    const char *given;
} number;

// Positions in the order of the files, so that held-out blocks are whole games.
static bool read_positions(trainer *t, const rules_game *game, char **paths, int count,
                           int max_score, fault *why) {
    position_filter filter = position_filter_default();
    filter.window = 0;
    filter.max_score = max_score;
    position_reader *reader;
    position next;
    bool more = true;
    bool good = positions_open(&reader, game, (const char *const *)paths, count, &filter, why);
    while (good && more && !is_interrupted()) {
        good = positions_next(reader, &next, &more, why);
        if (good && more)
            good = train_add(t, text_of(next.fen), next.half_points, next.score, why);
    }
    positions_close(reader);
    return good;
}

static bool write_network(trainer *t, const char *about, const char *path, fault *why) {
    network *n = train_round(t, about, why);
    buffer bytes = {0};
    if (!n)
        return false;
    network_encode(n, &bytes);
    bool good =
        bytes.failed ? fault_set(why, "out of memory") : file_write(path, buffer_text(&bytes), why);
    buffer_free(&bytes);
    network_free(n);
    return good;
}

// Trains, with a line per epoch, and writes the network with the least loss on held-out positions.
static bool train(trainer *t, const tune_terms *terms, const char *about, const char *path,
                  fault *why) {
    double best = terms->hold_out ? train_loss(t, true) : INFINITY;
    printf("before       held out %.6f  training %.6f\n", train_loss(t, true),
           train_loss(t, false));
    int64_t start = clock_us();
    int written = 0;
    for (int n = 0; n < terms->epochs && !is_interrupted(); n++) {
        train_epoch(t, n);
        if (is_interrupted())
            break;
        double held = train_loss(t, true), training = train_loss(t, false);
        int64_t left = (clock_us() - start) / (n + 1) * (terms->epochs - n - 1) / 1000000;
        printf("epoch %2d/%d  held out %.6f  training %.6f  left %lld:%02lld\n", n + 1,
               terms->epochs, held, training, (long long)(left / 60), (long long)(left % 60));
        fflush(stdout);
        if (terms->hold_out && held >= best)
            continue;
        best = held;
        if (!write_network(t, about, path, why))
            return false;
        written = n + 1;
    }
    if (!written)
        return fault_set(why, "no epoch was better than the start: nothing is written");
    printf("%s written (epoch %d)\n", path, written);
    return true;
}

// Today; or the day of SOURCE_DATE_EPOCH, with which the same positions make the same file any day.
static void write_date(writer *out) {
    const char *given = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds = (int64_t)time(NULL);
    if (given && !text_to_int(text_of(given), 0, INT32_MAX, &seconds))
        return;
    time_t when = (time_t)seconds;
    char day[16] = "";
    struct tm parts;
    if (gmtime_r(&when, &parts) && strftime(day, sizeof day, "%Y-%m-%d", &parts))
        write_format(out, "date %s\n", day);
}

static int run(const network_shape *shape, const tune_terms *terms, int max_score, const char *path,
               int argc, char **argv) {
    const rules_game *game = find_game(argv[0]);
    fault why;
    if (!game)
        return STATUS_BAD;
    const network_game *networks = network_game_find(game);
    if (!networks)
        return complain("kraton-lab train: there are no networks for %s", argv[0]);
    trainer *t = train_new(networks, shape, terms, &why);
    char about[NETWORK_TEXT_SIZE / 2];
    writer words = writer_on(about, sizeof about);
    bool good = t && read_positions(t, game, argv + 1, argc - 1, max_score, &why);
    if (good && train_count(t) < 100)
        good = fault_set(&why, "%zu positions are too few", train_count(t));
    if (good) {
        write_format(&words, "positions %zu\nfrom", train_count(t));
        for (int i = 1; i < argc; i++)
            write_format(&words, " %s",
                         strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i]);
        write_format(&words,
                     "\ncommand kraton-lab train --width %d --king-buckets %d --output-buckets %d%s"
                     " --blend %g --rate %g --epochs %d --seed %llu --max-score %d\n",
                     shape->width, shape->king_buckets, shape->output_buckets,
                     shape->corrects ? "" : " --replace", terms->blend, terms->rate, terms->epochs,
                     (unsigned long long)terms->seed, max_score);
        write_date(&words);
        double k = train_begin(t);
        good = k > 0 || fault_set(&why, "out of memory");
        if (good)
            printf("%zu positions; K = %.1f\n", train_count(t), k);
        good = good && train(t, terms, about, path, &why);
    }
    train_free(t);
    return good ? STATUS_OK : complain("kraton-lab train: %s", why.line);
}

int train_command(const command *self, int argc, char **argv) {
    tune_terms terms = tune_default_terms();
    const char *path = NULL;
    bool replaces = false;
    number n[NUMBERS] = {
        [WIDTH] = {"width", NETWORK_WIDTH_STEP, NETWORK_MAX_WIDTH, 32, NULL},
        [KINGS] = {"king-buckets", 1, NETWORK_MAX_KING_BUCKETS, 1, NULL},
        [OUTPUTS] = {"output-buckets", 1, NETWORK_MAX_OUTPUT_BUCKETS, 4, NULL},
        [EPOCHS] = {"epochs", 1, 100000, 20, NULL},
        [RATE] = {"rate", 1e-6, 1000, 2, NULL},
        [BLEND] = {"blend", 0, 1, 0.4, NULL},
        [HOLD_OUT] = {"hold-out", 0, 90, terms.hold_out, NULL},
        [SEED] = {"seed", 0, 1e15, 1, NULL},
        [MAX_SCORE] = {"max-score", 1, 32000, 2000, NULL},
    };
    const option table[] = {
        {"out", 'o', "FILE", "write the network there", .string = &path},
        {"width", 0, "N", "units of a perspective; 32", .string = &n[WIDTH].given},
        {"king-buckets", 0, "N", "1 or 6; 1", .string = &n[KINGS].given},
        {"output-buckets", 0, "N", "outputs by material; 4", .string = &n[OUTPUTS].given},
        {"replace", 0, NULL, "replace the hand-made evaluation instead of correcting it",
         .flag = &replaces},
        {"epochs", 0, "N", "passes through the positions; 20", .string = &n[EPOCHS].given},
        {"rate", 0, "X", "learning rate; 2", .string = &n[RATE].given},
        {"blend", 0, "X", "share of the result in the target, the rest is the score; 0.4",
         .string = &n[BLEND].given},
        {"hold-out", 0, "N", "per cent of the positions that only judge; 10",
         .string = &n[HOLD_OUT].given},
        {"seed", 0, "N", "of first weights and order; 1", .string = &n[SEED].given},
        {"max-score", 0, "CP", "leave larger scores out; 2000", .string = &n[MAX_SCORE].given},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!path) {
        complain("kraton-lab train: --out FILE says where the network goes");
        return STATUS_USAGE;
    }
    for (int i = 0; i < NUMBERS; i++)
        if (!option_real(self, n[i].name, n[i].given, n[i].low, n[i].high, &n[i].value))
            return STATUS_USAGE;
    network_shape shape = {.width = (int)n[WIDTH].value,
                           .king_buckets = (int)n[KINGS].value,
                           .output_buckets = (int)n[OUTPUTS].value,
                           .corrects = !replaces};
    terms.epochs = (int)n[EPOCHS].value;
    terms.rate = n[RATE].value;
    terms.blend = n[BLEND].value;
    terms.hold_out = (int)n[HOLD_OUT].value;
    terms.seed = (uint64_t)n[SEED].value;
    terms.stop = &interrupted;
    os_process_on_interrupt(on_interrupt);
    return run(&shape, &terms, (int)n[MAX_SCORE].value, path, argc, argv);
}
