#include "tablebase/surakarta/verify.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "os/clock.h"
#include "os/thread.h"
#include "rules/surakarta/text.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MOST = TB_MAX_PIECES, MAX_THREADS = 64, PROGRESS_US = 200000, AT_A_TIME = 16 };

typedef struct {
    const tb_verify_terms *terms;
    const tb_verify_listener *listener;
    tb_verify_result result;
    verify_index index;
    tb_reader values[MOST][MOST], distances[MOST][MOST]; // of the convention at hand
    uint64_t done, all;                                  // positions, for the progress
} verifier;

// --- saying -------------------------------------------------------------------------------------

static void complain(verifier *v, const char *line) {
    v->result.faults++;
    v->listener->on_fault(v->listener->context, line);
}

static bool go_on(verifier *v, const char *what, uint64_t done) {
    if (!v->listener->on_progress(v->listener->context, what, done, v->all))
        v->result.stopped = true;
    return !v->result.stopped;
}

// A wrong position as one that can be set up.
static void complain_of_position(verifier *v, const verify_job *job, const verify_findings *f) {
    const verify_layout *l = &job->layout;
    uint64_t numbers = sk_bit(l->column_pieces) - 1, columns = 0;
    for (uint64_t i = f->first_wrong % l->columns; i > 0; i--)
        numbers = verify_next_set(numbers);
    uint64_t rows = v->index.set_of[l->row_pieces][f->first_wrong / l->columns];
    for (int point = 0, number = 0; point < SK_POINTS; point++)
        if (!(rows >> point & 1) && numbers >> number++ & 1)
            columns |= sk_bit(point);
    sk_pos pos = sk_set_up(l->movers_are_rows ? rows : columns, l->movers_are_rows ? columns : rows,
                           SK_BLACK);
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    sk_format_fen(&pos, &w);
    fault line;
    fault_set(&line, "%s-%dv%d: %" PRIu64 " wrong, the first at %" PRIu64 ", %s: %s",
              tb_rules_name(job->rules), l->movers, l->others, f->wrong, f->first_wrong, fen,
              f->what);
    complain(v, line.line);
}

// --- files --------------------------------------------------------------------------------------

// Every block of a file against its checksum.
static bool check_blocks(verifier *v, const tb_reader *r) {
    fault why;
    if (tb_reader_check(r, &why))
        return true;
    complain(v, why.line);
    return false;
}

// Opens the two files of a split where they are, and checks them.
static bool open_split(verifier *v, tb_rules rules, int a, int b) {
    tb_reader *const readers[] = {&v->values[a][b], &v->distances[a][b]};
    tb_file_state states[2];
    fault why[2];
    bool fine = true;
    for (int i = 0; i < 2; i++)
        states[i] = tb_reader_open(readers[i], v->terms->dir, i ? TB_DISTANCES : TB_VALUES, rules,
                                   a, b, &why[i]);
    bool absent = states[0] == TB_FILE_ABSENT && states[1] == TB_FILE_ABSENT;
    for (int i = 0; i < 2 && !absent; i++) {
        if (states[i] != TB_FILE_FINE)
            complain(v, why[i].line);
        fine = fine && states[i] == TB_FILE_FINE && check_blocks(v, readers[i]);
    }
    for (int i = 0; i < 2 && (absent || !fine); i++)
        tb_reader_close(readers[i]);
    return !absent && fine;
}

static void close_all(verifier *v) {
    for (int a = 1; a < MOST; a++)
        for (int b = 1; a + b <= MOST; b++) {
            tb_reader_close(&v->values[a][b]);
            tb_reader_close(&v->distances[a][b]);
        }
}

// A whole table, values and distances together.
static verify_entry *unpack(verifier *v, int a, int b) {
    const tb_reader *values = &v->values[a][b], *distances = &v->distances[a][b];
    verify_entry *table = malloc(values->header.entries * sizeof *table);
    uint8_t block[TB_BLOCK_BYTES];
    int8_t digits[TB_BLOCK_BYTES];
    for (uint64_t i = 0; table && i < distances->header.blocks; i++) {
        fault why;
        uint64_t first = i * TB_BLOCK_BYTES, n = tb_reader_block_size(distances, i);
        if (!tb_reader_distances(distances, i, block, &why)) {
            complain(v, why.line);
            free(table);
            return NULL;
        }
        tb_reader_values(values, first, n, digits);
        for (uint64_t k = 0; k < n; k++)
            table[first + k] = verify_entry_of(digits[k], block[k]);
    }
    if (!table)
        complain(v, "not enough memory to unpack a table");
    return table;
}

// --- rows, on threads ---------------------------------------------------------------------------

// Rows to look at: all, or one of each group at random.
typedef struct {
    uint64_t groups, rows;
    bool sampled;
    uint64_t seed;
} selection;

static uint64_t select_row(const selection *s, uint64_t group) {
    if (!s->sampled)
        return group;
    uint64_t first = (uint64_t)((u128)group * s->rows / s->groups);
    uint64_t end = (uint64_t)((u128)(group + 1) * s->rows / s->groups);
    rng dice = {s->seed ^ group * 0x9e3779b97f4a7c15u};
    return first + rng_next(&dice) % (end - first);
}

// Shared by the threads of a split.
typedef struct {
    const verify_job *job;
    const selection *rows;
    uint64_t stride;       // from a thread's groups to the next; with ranks each has its turn
    _Atomic uint64_t next; // group; relaxed, each is taken once
    _Atomic uint64_t done; // groups; relaxed, for the progress
    _Atomic bool stop;     // relaxed
    _Atomic int busy;      // threads
} crew;

typedef struct {
    crew *crew;
    os_thread thread;
    verify_findings findings;
} hand;

static void work(void *context) {
    hand *h = context;
    crew *c = h->crew;
    uint64_t first;
    while (!atomic_load_explicit(&c->stop, memory_order_relaxed) &&
           (first = atomic_fetch_add_explicit(&c->next, c->stride, memory_order_relaxed)) <
               c->rows->groups) {
        uint64_t left = c->rows->groups - first, n = min_u64(left, AT_A_TIME);
        for (uint64_t i = 0; i < n; i++)
            verify_row(c->job, select_row(c->rows, first + i), &h->findings);
        atomic_fetch_add_explicit(&c->done, n, memory_order_relaxed);
    }
    atomic_fetch_sub_explicit(&c->busy, 1, memory_order_release);
}

static void merge(verify_findings *all, const verify_findings *one) {
    if (one->wrong && (!all->wrong || one->first_wrong < all->first_wrong)) {
        all->first_wrong = one->first_wrong;
        memcpy(all->what, one->what, sizeof all->what);
    }
    all->wrong += one->wrong;
    all->positions += one->positions;
    for (int digit = 0; digit < 3; digit++) {
        all->placements[digit] += one->placements[digit];
        all->longest[digit] = max_int(all->longest[digit], one->longest[digit]);
    }
}

// Only rank 0 is told to stop; the others have to stop at the same place.
static void share_stop(verifier *v) {
    const tb_ranks *ranks = v->terms->ranks;
    if (ranks)
        ranks->tell_all(ranks->context, &v->result.stopped, sizeof v->result.stopped);
}

// Rank 0 gets what all have found.
static void merge_ranks(verifier *v, verify_findings *all) {
    const tb_ranks *ranks = v->terms->ranks;
    if (ranks->rank > 0)
        ranks->send(ranks->context, 0, all, sizeof *all);
    for (int i = 1; ranks->rank == 0 && i < ranks->count; i++) {
        verify_findings one;
        ranks->receive(ranks->context, i, &one, sizeof one);
        merge(all, &one);
    }
    share_stop(v);
}

static void watch(verifier *v, crew *c, const char *what, uint64_t columns) {
    int64_t told = 0;
    while (atomic_load_explicit(&c->busy, memory_order_acquire) > 0) {
        os_sleep_us(1000);
        if (clock_us() - told < PROGRESS_US)
            continue;
        told = clock_us();
        uint64_t groups = atomic_load_explicit(&c->done, memory_order_relaxed);
        if (!go_on(v, what, v->done + groups * columns))
            atomic_store_explicit(&c->stop, true, memory_order_relaxed);
    }
}

static verify_findings run_crew(verifier *v, const verify_job *job, const selection *rows,
                                const char *what) {
    const tb_ranks *ranks = v->terms->ranks;
    uint64_t rank = ranks ? (uint64_t)ranks->rank : 0, count = ranks ? (uint64_t)ranks->count : 1;
    crew c = {.job = job, .rows = rows, .stride = AT_A_TIME * count, .next = AT_A_TIME * rank};
    hand hands[MAX_THREADS];
    int wanted = min_int(v->terms->threads, MAX_THREADS), n = 0;
    for (; n < wanted; n++) {
        hands[n] = (hand){.crew = &c};
        atomic_fetch_add_explicit(&c.busy, 1, memory_order_relaxed);
        if (!os_thread_start(&hands[n].thread, work, &hands[n])) {
            atomic_fetch_sub_explicit(&c.busy, 1, memory_order_relaxed);
            break;
        }
    }
    if (n == 0)
        complain(v, "no thread could be started");
    watch(v, &c, what, job->layout.columns * count);
    verify_findings all = {0};
    for (int i = 0; i < n; i++) {
        os_thread_join(&hands[i].thread);
        merge(&all, &hands[i].findings);
    }
    if (ranks)
        merge_ranks(v, &all);
    return all;
}

// --- splits -------------------------------------------------------------------------------------

// How many of a split's rows are to be looked at.
static selection select_rows(const verifier *v, const verify_layout *l, uint64_t beyond) {
    const tb_verify_terms *terms = v->terms;
    selection s = {.groups = l->rows, .rows = l->rows, .seed = terms->seed};
    s.seed ^= (uint64_t)(l->movers * MOST + l->others) << 56;
    uint64_t size = l->rows * l->columns;
    if (l->movers + l->others <= TB_VERIFY_ALL || !terms->sample || terms->sample >= beyond)
        return s;
    uint64_t share = (uint64_t)((u128)terms->sample * size / beyond) + 1;
    s.groups = (share + l->columns - 1) / l->columns;
    s.sampled = s.groups < s.rows;
    s.groups = s.sampled ? s.groups : s.rows;
    return s;
}

// What the header says of all placements is compared where all were looked at.
static void compare_header(verifier *v, const tb_reader *r, const verify_findings *f) {
    const tb_tally *t = &r->header.tally;
    int longest = 0;
    for (int digit = 0; digit < 3; digit++)
        longest = max_int(longest, f->longest[digit]);
    if (t->loss == f->placements[0] && t->draw == f->placements[1] && t->win == f->placements[2] &&
        t->longest_loss == f->longest[0] && t->longest_win == f->longest[2] &&
        r->header.longest == longest)
        return;
    fault line;
    fault_set(&line, "%s: the counts in its header are wrong", r->name);
    complain(v, line.line);
}

static bool has(const verifier *v, int a, int b) { return v->distances[a][b].bytes != NULL; }

static void check_split(verifier *v, tb_rules rules, int a, int b, const verify_entry *table,
                        const verify_entry *quiet, uint64_t beyond) {
    int64_t began = clock_us();
    verify_job job = {.index = &v->index,
                      .rules = rules,
                      .layout = verify_layout_of(&v->index, a, b),
                      .table = table,
                      .quiet = quiet};
    char what[32];
    writer w = writer_on(what, sizeof what);
    write_format(&w, "%s %dv%d", tb_rules_name(rules), a, b);
    if (b > 1) {
        job.after = verify_layout_of(&v->index, b - 1, a);
        job.captured = &v->values[b - 1][a];
    }
    selection rows = select_rows(v, &job.layout, beyond);
    verify_findings f = run_crew(v, &job, &rows, what);
    if (f.wrong)
        complain_of_position(v, &job, &f);
    v->done += f.positions;
    v->result.positions += f.positions;
    if (v->result.stopped)
        return;
    if (rows.sampled)
        v->result.sampled += f.positions;
    else
        compare_header(v, &v->values[a][b], &f);
    v->result.splits++;
    tb_verify_split split = {.rules = rules,
                             .movers = a,
                             .others = b,
                             .entries = v->values[a][b].header.entries,
                             .positions = f.positions,
                             .wrong = f.wrong,
                             .seconds = (double)(clock_us() - began) / 1e6};
    v->listener->on_split(v->listener->context, &split);
}

// What a split's entries are compared with must be there, or nothing can be said of it.
static bool is_complete(verifier *v, tb_rules rules, int a, int b) {
    const char *missing = !has(v, b, a)                ? "with sides changed"
                          : b > 1 && !has(v, b - 1, a) ? "behind its captures"
                                                       : NULL;
    if (!missing)
        return true;
    fault line;
    fault_set(&line, "%s-%dv%d cannot be checked without the table %s", tb_rules_name(rules), a, b,
              missing);
    complain(v, line.line);
    return false;
}

// Whether all ranks have the tables: those that have wait for nobody then.
static bool all_ready(verifier *v, bool here) {
    const tb_ranks *ranks = v->terms->ranks;
    bool ready = here;
    if (ranks)
        ready = ranks->sum(ranks->context, here) == (uint64_t)ranks->count;
    if (here && !ready)
        complain(v, "another rank cannot read a table");
    return ready;
}

// A split and the one with sides changed; a is at least b.
static void check_pair(verifier *v, tb_rules rules, int a, int b, uint64_t beyond) {
    bool first = has(v, a, b) && is_complete(v, rules, a, b);
    bool second = a != b && has(v, b, a) && is_complete(v, rules, b, a);
    if (!first && !second)
        return;
    verify_entry *tables[2] = {unpack(v, a, b), a == b ? NULL : unpack(v, b, a)};
    verify_entry *other = a == b ? tables[0] : tables[1];
    bool ready = all_ready(v, tables[0] && other);
    if (ready && first)
        check_split(v, rules, a, b, tables[0], other, beyond);
    if (ready && second && !v->result.stopped)
        check_split(v, rules, b, a, other, tables[0], beyond);
    free(tables[0]);
    free(tables[1]);
}

// Positions of the convention with more than TB_VERIFY_ALL pieces, and all that will be looked at.
static uint64_t plan(verifier *v) {
    uint64_t beyond = 0, few = 0;
    for (int a = 1; a < MOST; a++)
        for (int b = 1; a + b <= MOST; b++)
            if (has(v, a, b))
                *(a + b > TB_VERIFY_ALL ? &beyond : &few) += v->values[a][b].header.entries;
    uint64_t sample = v->terms->sample;
    v->done = 0;
    v->all = few + (sample && sample < beyond ? sample : beyond);
    return beyond;
}

static void check_convention(verifier *v, tb_rules rules) {
    int pieces;
    if (!tb_file_most_pieces(v->terms->dir, rules, &pieces) || pieces < 2)
        return;
    tb_index_prepare(pieces);
    char what[32];
    writer w = writer_on(what, sizeof what);
    write_format(&w, "%s checksums", tb_rules_name(rules));
    v->all = 0;
    for (int n = 2; n <= pieces; n++)
        for (int a = 1; a < n && go_on(v, what, 0); a++)
            (void)!open_split(v, rules, a, n - a);
    share_stop(v);
    uint64_t beyond = plan(v);
    if (!verify_index_prepare(&v->index, pieces))
        complain(v, "not enough memory for the index");
    else
        for (int n = 2; n <= pieces; n++)
            for (int b = 1; b <= n / 2 && !v->result.stopped; b++)
                check_pair(v, rules, n - b, b, beyond);
    verify_index_free(&v->index);
    close_all(v);
}

// --- ranks --------------------------------------------------------------------------------------

// From rank 0 to all; path is the terms' folder.
static void share_terms(tb_ranks *ranks, tb_verify_terms *terms, char path[TB_RANKS_PATH]) {
    ranks->tell_all(ranks->context, path, TB_RANKS_PATH);
    ranks->tell_all(ranks->context, terms, sizeof *terms);
    terms->dir = path;
    terms->ranks = ranks;
}

static void no_fault(void *context, const char *line) {
    (void)context;
    (void)line;
}

static void no_split(void *context, const tb_verify_split *split) {
    (void)context;
    (void)split;
}

static bool no_progress(void *context, const char *what, uint64_t done, uint64_t all) {
    (void)context;
    (void)what;
    (void)done;
    (void)all;
    return true;
}

void tb_verify_follow(tb_ranks *ranks) {
    char path[TB_RANKS_PATH];
    tb_verify_terms terms;
    const tb_verify_listener silent = {no_fault, no_split, no_progress, NULL};
    share_terms(ranks, &terms, path);
    (void)tb_verify(&terms, &silent);
}

static void announce(const tb_verify_terms *terms) {
    char path[TB_RANKS_PATH];
    writer w = writer_on(path, sizeof path);
    tb_verify_terms copy = *terms;
    write_string(&w, terms->dir);
    tb_announce(terms->ranks, TB_ANNOUNCE_VERIFY);
    share_terms(terms->ranks, &copy, path);
}

tb_verify_result tb_verify(const tb_verify_terms *terms, const tb_verify_listener *listener) {
    tb_verify_result none = {.faults = 1};
    verifier *v = calloc(1, sizeof *v);
    if (!v) {
        listener->on_fault(listener->context, "not enough memory");
        return none;
    }
    if (terms->ranks && terms->ranks->rank == 0)
        announce(terms);
    v->terms = terms;
    v->listener = listener;
    for (int rules = 0; rules < TB_CONVENTIONS && !v->result.stopped; rules++)
        if (!terms->one_convention || terms->rules == (tb_rules)rules)
            check_convention(v, (tb_rules)rules);
    tb_verify_result result = v->result;
    free(v);
    return result;
}
