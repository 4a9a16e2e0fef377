#include "tablebase/surakarta/device/device_verify.h"

#include "base/minmax.h"
#include "os/clock.h"
#include "rules/surakarta/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST = TB_MAX_PIECES };

typedef struct {
    const tb_verify_terms *terms;
    const tb_verify_listener *listener;
    solver *device;
    tb_rules rules;
    tb_verify_result result;
    tb_reader values[MOST][MOST], distances[MOST][MOST]; // by movers and others
    uint64_t done, all;                                  // positions, for the progress
} verifier;

static void complain(verifier *v, const char *line) {
    v->result.faults++;
    v->listener->on_fault(v->listener->context, line);
}

static bool go_on(verifier *v, const char *what) {
    if (!v->listener->on_progress(v->listener->context, what, v->done, v->all))
        v->result.stopped = true;
    return !v->result.stopped;
}

// --- files --------------------------------------------------------------------------------------

static bool open_file(verifier *v, tb_reader *r, tb_kind kind, int a, int b) {
    fault why;
    tb_file_state state = tb_reader_open(r, v->terms->dir, kind, v->rules, a, b, &why);
    if (state == TB_FILE_ABSENT)
        return false;
    if (state == TB_FILE_FINE && tb_reader_check(r, &why))
        return true;
    complain(v, why.line);
    tb_reader_close(r);
    return false;
}

static void close_all(verifier *v) {
    for (int a = 1; a < MOST; a++)
        for (int b = 1; a + b <= MOST; b++) {
            tb_reader_close(&v->values[a][b]);
            tb_reader_close(&v->distances[a][b]);
        }
}

static bool has(const verifier *v, int a, int b) { return v->values[a][b].bytes != NULL; }

typedef struct {
    const tb_reader *values, *distances;
} table_files;

// Distances come in blocks; a part of one is copied out of it.
static bool read_distances(const tb_reader *r, uint64_t first, uint64_t count, uint8_t *distances,
                           fault *why) {
    uint8_t block[TB_BLOCK_BYTES];
    while (count > 0) {
        uint64_t at = first % TB_BLOCK_BYTES, n = min_u64(TB_BLOCK_BYTES - at, count);
        if (!tb_reader_distances(r, first / TB_BLOCK_BYTES, block, why))
            return false;
        memcpy(distances, block + at, n);
        first += n;
        distances += n;
        count -= n;
    }
    return true;
}

static bool read_entries(void *context, uint64_t first, uint64_t count, int8_t *values,
                         uint8_t *distances, fault *why) {
    const table_files *files = context;
    tb_reader_values(files->values, first, count, values);
    return !files->distances || read_distances(files->distances, first, count, distances, why);
}

// --- pairs --------------------------------------------------------------------------------------

static const uint8_t *packed(const verifier *v, int movers, int others) {
    return movers > 0 && has(v, movers, others) ? v->values[movers][others].bytes + TB_HEADER_BYTES
                                                : NULL;
}

static bool load_pair(verifier *v, int a, int b, bool distances, fault *why) {
    solver_plan plan = {.a = a,
                        .b = b,
                        .rules = v->rules,
                        .distances = distances,
                        .behind = {packed(v, b - 1, a), packed(v, a - 1, b)}};
    uint64_t need, memory = device_about(solver_device(v->device))->memory;
    if (!solver_fits(v->device, a, b, distances, memory, &need, why) ||
        !solver_prepare(v->device, &plan, why))
        return false;
    for (int turn = 0; turn < (a == b ? 1 : 2); turn++) {
        int movers = turn ? b : a, others = a + b - movers;
        table_files files = {&v->values[movers][others],
                             distances ? &v->distances[movers][others] : NULL};
        if (!solver_load(v->device, movers, &(solver_source){&files, read_entries}, why))
            return false;
    }
    return true;
}

static void tell_wrong(verifier *v, int a, int b, uint64_t wrong, tb_placement first) {
    sk_pos pos = sk_set_up(first.movers, first.others, SK_BLACK);
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    fault line;
    sk_format_fen(&pos, &w);
    fault_set(&line, "%s-%dv%d: %" PRIu64 " wrong, one is %s", tb_rules_name(v->rules), a, b, wrong,
              fen);
    complain(v, line.line);
}

// How many entries of a table are checked: a sample, or all where there are no more.
static uint64_t checked_of(const verifier *v, int a, int b) {
    uint64_t entries = v->values[a][b].header.entries, sample = v->terms->sample;
    return sample == 0 ? entries : min_u64(entries, sample);
}

static void check_turn(verifier *v, int a, int b) {
    int64_t began = clock_us();
    uint64_t wrong = 0;
    tb_placement first;
    fault why;
    if (!solver_check(v->device, a, v->terms->sample, v->terms->seed, &wrong, &first, &why)) {
        complain(v, why.line);
        return;
    }
    if (wrong)
        tell_wrong(v, a, b, wrong, first);
    v->result.splits++;
    uint64_t entries = v->values[a][b].header.entries, checked = checked_of(v, a, b);
    v->result.positions += checked;
    v->result.sampled += checked < entries ? checked : 0;
    v->done += checked;
    tb_verify_split split = {.rules = v->rules,
                             .movers = a,
                             .others = b,
                             .entries = entries,
                             .positions = checked,
                             .wrong = wrong,
                             .seconds = (double)(clock_us() - began) / 1e6};
    v->listener->on_split(v->listener->context, &split);
}

// a is at least b. A pair is checked where both its tables and those behind its captures are there.
static void check_pair(verifier *v, int a, int b) {
    bool complete = has(v, a, b) && has(v, b, a) && (b == 1 || has(v, b - 1, a)) &&
                    (a == 1 || has(v, a - 1, b));
    bool distances = v->distances[a][b].bytes && v->distances[b][a].bytes;
    fault why;
    if (!has(v, a, b) && !has(v, b, a))
        return;
    if (!complete) {
        fault_set(&why,
                  "%s-%dv%d cannot be checked without the other tables of its pair and those "
                  "behind its captures",
                  tb_rules_name(v->rules), a, b);
        complain(v, why.line);
        return;
    }
    if (!load_pair(v, a, b, distances, &why)) {
        complain(v, why.line);
        return;
    }
    check_turn(v, a, b);
    if (a != b)
        check_turn(v, b, a);
}

static void check_convention(verifier *v) {
    int pieces;
    if (!tb_file_most_pieces(v->terms->dir, v->rules, &pieces) || pieces < 2)
        return;
    tb_index_prepare(pieces);
    char what[32];
    writer w = writer_on(what, sizeof what);
    write_format(&w, "%s checksums", tb_rules_name(v->rules));
    uint64_t all = 0;
    v->all = v->done = 0;
    for (int n = 2; n <= pieces; n++)
        for (int a = 1; a < n && go_on(v, what); a++) {
            if (open_file(v, &v->values[a][n - a], TB_VALUES, a, n - a))
                all += checked_of(v, a, n - a);
            (void)!open_file(v, &v->distances[a][n - a], TB_DISTANCES, a, n - a);
        }
    v->all = all;
    for (int n = 2; n <= pieces; n++)
        for (int b = 1; b <= n / 2; b++) {
            w = writer_on(what, sizeof what);
            write_format(&w, "%s %dv%d", tb_rules_name(v->rules), n - b, b);
            if (go_on(v, what))
                check_pair(v, n - b, b);
        }
    close_all(v);
}

tb_verify_result tb_verify_on_device(const tb_verify_terms *terms, solver *s,
                                     const tb_verify_listener *listener) {
    verifier *v = calloc(1, sizeof *v);
    if (!v) {
        listener->on_fault(listener->context, "not enough memory");
        return (tb_verify_result){.faults = 1};
    }
    *v = (verifier){.terms = terms, .listener = listener, .device = s};
    for (int rules = 0; rules < TB_CONVENTIONS && !v->result.stopped; rules++)
        if (!terms->one_convention || terms->rules == (tb_rules)rules) {
            v->rules = (tb_rules)rules;
            check_convention(v);
        }
    tb_verify_result result = v->result;
    free(v);
    return result;
}
