#include "tablebase/surakarta/build/build.h"

#include "base/minmax.h"
#include "os/clock.h"
#include "tablebase/surakarta/build/device_build.h"
#include "tablebase/surakarta/build/together.h"
#include "tablebase/surakarta/build/work.h"
#include "tablebase/surakarta/build/writer.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

// Disk space of a position in hundredths of a byte: a fifth of a byte for the value, and the most
// that compressed distances have taken.
enum { DISK_PERCENT = 35, VALUES_PERCENT = 21 };

// --- what is there ------------------------------------------------------------------------------

static int rank_count(const tb_build *build) {
    return build->plan.ranks ? build->plan.ranks->count : 1;
}

static bool check_file(const tb_build *build, tb_kind kind, int movers, int others, uint64_t *bytes,
                       tb_build_tell *tell, void *context) {
    tb_reader reader;
    fault why;
    tb_file_state state =
        tb_reader_open(&reader, build->plan.dir, kind, build->plan.rules, movers, others, &why);
    bool fine = state == TB_FILE_FINE && tb_reader_check(&reader, &why);
    if (fine)
        *bytes += reader.header.bytes;
    else if (state != TB_FILE_ABSENT)
        tell(context, why.line);
    if (state == TB_FILE_FINE)
        tb_reader_close(&reader);
    return fine;
}

// The kinds of files that are kept: values, or up to distances.
static int last_kind(const tb_build *build) {
    return build->plan.keep == TB_KEEP_ALL ? TB_DISTANCES : TB_VALUES;
}

// Whether the files of both splits are there and undamaged.
static bool is_there(const tb_build *build, tb_build_pair *pair, tb_build_tell *tell,
                     void *context) {
    bool fine = build->plan.keep != TB_KEEP_NOTHING;
    for (int turn = 0; turn < (pair->a == pair->b ? 1 : 2); turn++) {
        int movers = turn ? pair->b : pair->a, others = pair->a + pair->b - movers;
        for (int kind = TB_VALUES; kind <= last_kind(build); kind++)
            fine = fine &&
                   check_file(build, (tb_kind)kind, movers, others, &pair->bytes, tell, context);
    }
    return fine && (build->plan.keep != TB_KEEP_VALUES || tb_counts_read(build, pair));
}

// Whether a pair is wanted: the one asked for, or a smaller one that its captures lead to.
static bool is_wanted(const tb_build_plan *plan, int a, int b) {
    if (plan->only == 0)
        return a <= (plan->device ? TB_BUILD_SIDE_DEVICE : TB_BUILD_SIDE);
    int most = max_int(plan->only, plan->pieces - plan->only);
    int least = plan->pieces - most;
    return a <= most && b <= least;
}

// Without `tell` it is not looked what is there.
static void list_pairs(tb_build *build, tb_build_tell *tell, void *context) {
    for (int n = 2; n <= build->plan.pieces; n++)
        for (int b = 1; b <= n / 2; b++) {
            int a = n - b;
            if (!is_wanted(&build->plan, a, b))
                continue;
            tb_build_pair *pair = &build->pairs[build->count++];
            *pair = (tb_build_pair){.a = a, .b = b};
            pair->positions = tb_split_of(a, b).size * (a == b ? 1 : 2);
            pair->there = tell && is_there(build, pair, tell, context);
            if (!pair->there)
                pair->bytes = 0;
            if (!build->plan.device || pair->there)
                continue;
            fault why;
            pair->resumes = tb_device_resumes(build, pair, &pair->stage, &why);
            if (why.line[0])
                tell(context, why.line);
        }
}

// --- what it takes ------------------------------------------------------------------------------

static uint64_t disk_of(const tb_build *build, const tb_build_pair *p) {
    static const uint64_t percent[] = {
        [TB_KEEP_ALL] = DISK_PERCENT, [TB_KEEP_VALUES] = VALUES_PERCENT, [TB_KEEP_NOTHING] = 0};
    return p->there ? 0 : p->positions * percent[build->plan.keep] / 100;
}

// Values that stay in memory, where there are no files: of this number of pieces and one more. For
// lines all of them stay, and the distances.
static uint64_t kept_bytes(const tb_build *build, int pieces) {
    uint64_t entries = 0;
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        int here = p->a + p->b;
        bool kept = build->plan.lines || here == pieces || here == pieces + 1;
        if (kept && here < build->plan.pieces)
            entries += p->positions;
    }
    if (build->plan.lines)
        return tb_device_line_bytes(entries);
    return build->plan.keep == TB_KEEP_NOTHING ? entries / TB_VALUES_PER_BYTE : 0;
}

// Whether the device keeps a distance for every position.
static bool has_distances(const tb_build_plan *plan) {
    return plan->keep == TB_KEEP_ALL || plan->lines;
}

tb_build_needs tb_build_expect(const tb_build *build) {
    enum { STAGING = 512 << 20 };
    tb_build_needs needs = {0};
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        uint64_t need = 0, here = 0;
        fault ignored;
        if (p->there)
            continue;
        needs.positions += p->positions;
        needs.disk += disk_of(build, p);
        if (!build->plan.device) {
            here = tb_pair_memory(p->a, p->b, build->plan.rules, build->plan.threads,
                                  rank_count(build));
        } else {
            bool all = has_distances(&build->plan);
            (void)!solver_fits(build->plan.device, p->a, p->b, all, UINT64_MAX, &need, &ignored);
            needs.transfers += solver_transfers(p->a, p->b, all);
            needs.seconds += solver_seconds(build->plan.device, p->a, p->b);
            here = STAGING + kept_bytes(build, p->a + p->b);
        }
        needs.device_memory = max_u64(needs.device_memory, need);
        needs.memory = max_u64(needs.memory, here);
    }
    return needs;
}

static bool check_device(const tb_build *build, fault *why) {
    uint64_t need;
    tb_build_needs needs = tb_build_expect(build);
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        if (!p->there && !solver_fits(build->plan.device, p->a, p->b, has_distances(&build->plan),
                                      build->plan.device_memory, &need, why))
            return false;
    }
    if (needs.memory > build->plan.memory)
        return fault_set(why, "it takes %s of memory here; %s may be used; fewer pieces take less",
                         tb_amount_of(needs.memory).shown, tb_amount_of(build->plan.memory).shown);
    return true;
}

static bool check_memory(const tb_build *build, fault *why) {
    if (build->plan.device)
        return check_device(build, why);
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        uint64_t need =
            tb_pair_memory(p->a, p->b, build->plan.rules, build->plan.threads, rank_count(build));
        if (!p->there && need > build->plan.memory)
            return fault_set(why,
                             "%dv%d takes %s of memory; %s may be used: build fewer pieces, use "
                             "--device, or kraton-mpi on several machines",
                             p->a, p->b, tb_amount_of(need).shown,
                             tb_amount_of(build->plan.memory).shown);
    }
    return true;
}

static bool check_disk(const tb_build *build, fault *why) {
    uint64_t need = 0, room;
    if (build->plan.keep == TB_KEEP_NOTHING)
        return true;
    for (int i = 0; i < build->count; i++)
        need += disk_of(build, &build->pairs[i]);
    if (!os_disk_free(build->plan.dir, &room))
        return fault_set(why, "%s: %s", build->plan.dir, strerror(errno));
    if (need > room)
        return fault_set(why, "%s: up to %s are needed there, %s are free", build->plan.dir,
                         tb_amount_of(need).shown, tb_amount_of(room).shown);
    return true;
}

// The lock goes with the process, however that ends.
bool tb_build_lock(os_file *lock, const char *dir, fault *why) {
    *lock = OS_FILE_NONE;
    if (os_folder_lock(lock, dir))
        return true;
    if (lock->handle < 0)
        return fault_set(why, "%s: %s", dir, strerror(errno));
    if (errno != EWOULDBLOCK)
        return true; // a file system without locks has to do
    os_file_close(lock);
    return fault_set(why, "%s: another build is at work there; wait for its end", dir);
}

static bool lock_folder(tb_build *build, fault *why) {
    const char *dir = build->plan.dir;
    build->lock = OS_FILE_NONE;
    if (build->plan.keep == TB_KEEP_NOTHING)
        return true;
    if (!os_folder_make(dir))
        return fault_set(why, "%s: %s", dir, strerror(errno));
    return tb_build_lock(&build->lock, dir, why);
}

// --- ranks --------------------------------------------------------------------------------------

// Rank 0 tells the others what is to be built and what is there already: all have to take the same
// way. Folders are the same for all.
static void share_plan(tb_build *build, char path[TB_RANKS_PATH]) {
    tb_build_plan *plan = &build->plan;
    tb_ranks *ranks = plan->ranks;
    int numbers[] = {(int)plan->rules, plan->pieces, plan->only, plan->threads};
    ranks->tell_all(ranks->context, numbers, sizeof numbers);
    plan->rules = (tb_rules)numbers[0];
    plan->pieces = numbers[1];
    plan->only = numbers[2];
    plan->threads = numbers[3];
    ranks->tell_all(ranks->context, path, TB_RANKS_PATH);
}

static void share_there(tb_build *build) {
    bool there[TB_BUILD_PAIRS];
    tb_ranks *ranks = build->plan.ranks;
    for (int i = 0; i < build->count; i++)
        there[i] = build->pairs[i].there;
    ranks->tell_all(ranks->context, there, sizeof there);
    for (int i = 0; i < build->count; i++)
        build->pairs[i].there = there[i];
}

static void announce(tb_build *build) {
    char path[TB_RANKS_PATH];
    writer w = writer_on(path, sizeof path);
    if (!build->plan.ranks)
        return;
    write_string(&w, build->plan.dir);
    tb_announce(build->plan.ranks, TB_ANNOUNCE_BUILD);
    share_plan(build, path);
    share_there(build);
}

static void ignore(void *context, const tb_build *build) {
    (void)context;
    (void)build;
}

bool tb_build_follow(tb_ranks *ranks, fault *why) {
    char path[TB_RANKS_PATH];
    tb_build build = {.plan = {.dir = path, .ranks = ranks}, .lock = OS_FILE_NONE};
    share_plan(&build, path);
    tb_index_prepare(build.plan.pieces);
    list_pairs(&build, NULL, NULL);
    share_there(&build);
    bool fine = tb_build_run(&build, ignore, NULL, why);
    tb_build_release(&build);
    return fine;
}

bool tb_build_prepare(tb_build *build, const tb_build_plan *plan, tb_build_tell *tell,
                      void *context, fault *why) {
    *build = (tb_build){.plan = *plan};
    if (lock_folder(build, why)) {
        tb_index_prepare(plan->pieces);
        list_pairs(build, tell, context);
        if (check_memory(build, why) && check_disk(build, why)) {
            announce(build);
            return true;
        }
    }
    os_file_close(&build->lock);
    return false;
}

static void free_pair(tb_build_pair *p) {
    free(p->counts);
    free(p->lines[0]);
    free(p->lines[1]);
}

void tb_build_release(tb_build *build) {
    os_file_close(&build->lock);
    for (int movers = 0; movers < TB_MAX_PIECES; movers++)
        for (int others = 0; others < TB_MAX_PIECES; others++)
            tb_reader_close(&build->values[movers][others]);
    tb_device_forget(build, TB_MAX_PIECES + 1);
    for (int i = 0; i < build->count; i++)
        free_pair(&build->pairs[i]);
}

// --- building -----------------------------------------------------------------------------------

typedef struct {
    tb_build *build;
    tb_build_watch *watch;
    void *context;
    double before, share; // of all work: done before this pair, this pair's
} watcher;

static void see_progress(void *context, double done) {
    watcher *w = context;
    w->build->done = w->before + w->share * done;
    w->watch(w->context, w->build);
}

static void read_smaller(void *context, int movers, int others, uint64_t first, uint64_t count,
                         int8_t *values) {
    const tb_build *build = context;
    tb_reader_values(&build->values[movers][others], first, count, values);
}

// A table being written.
typedef struct {
    const tb_pair *pair;
    const tb_build *build;
    int movers, others;
    tb_writer *writer;
    tb_progress *progress;
    void *context;
    fault why;
    bool fine;
} output;

static bool write_part(void *context, const int8_t *values, const uint8_t *distances,
                       uint64_t count) {
    output *o = context;
    return tb_writer_add(o->writer, values, distances, count, &o->why);
}

static void write_table(void *outputs, uint32_t part, void *scratch) {
    (void)scratch;
    output *o = (output *)outputs + part;
    const tb_build_plan *plan = &o->build->plan;
    tb_split split = tb_split_of(o->movers, o->others);
    tb_sink sink = {o, write_part, o->progress, o->context};
    if (plan->ranks) {
        o->fine = tb_write_together(plan->ranks, o->pair, o->movers, o->others, plan->dir,
                                    plan->rules, o->progress, o->context, &o->why);
        return;
    }
    (void)fault_set(&o->why, "not enough memory");
    o->writer = tb_writer_open(plan->dir, plan->rules, &split, &o->why);
    o->fine = o->writer && tb_pair_emit(o->pair, o->movers, &sink);
    if (o->fine)
        o->fine = tb_writer_finish(o->writer, NULL, &o->why);
    else
        tb_writer_abandon(o->writer);
}

static bool write_tables(const tb_build *build, const tb_pair *pair, const tb_build_pair *p,
                         watcher *w, fault *why) {
    output outputs[2] = {{.pair = pair, .build = build, .movers = p->a, .others = p->b},
                         {.pair = pair, .build = build, .movers = p->b, .others = p->a}};
    outputs[0].progress = see_progress;
    outputs[0].context = w;
    int count = p->a == p->b ? 1 : 2;
    // Ranks work on one table after the other, since all have to be at the same one.
    int threads = build->plan.ranks ? 1 : build->plan.threads;
    (void)!tb_work(threads, (uint32_t)count, write_table, outputs, 0);
    for (int i = 0; i < count; i++)
        if (!outputs[i].fine) {
            *why = outputs[i].why;
            return false;
        }
    return true;
}

// Opens the values of a pair for those that rest on it.
static bool open_values(tb_build *build, tb_build_pair *p, fault *why) {
    p->bytes = 0;
    for (int turn = 0; turn < (p->a == p->b ? 1 : 2); turn++) {
        int movers = turn ? p->b : p->a, others = p->a + p->b - movers;
        for (int kind = last_kind(build); kind >= TB_VALUES; kind--) {
            tb_reader reader;
            if (tb_reader_open(&reader, build->plan.dir, (tb_kind)kind, build->plan.rules, movers,
                               others, why) != TB_FILE_FINE)
                return false;
            p->bytes += reader.header.bytes;
            if (kind == TB_VALUES)
                build->values[movers][others] = reader;
            else
                tb_reader_close(&reader);
        }
    }
    return true;
}

// What a rank has sent and worked so far.
typedef struct {
    uint64_t sent;
    double seconds;
} rank_work;

static rank_work work_so_far(const tb_ranks *ranks) {
    if (!ranks)
        return (rank_work){0, 0};
    return (rank_work){ranks->sent, (double)clock() / CLOCKS_PER_SEC - ranks->within};
}

static void sum_work(tb_ranks *ranks, tb_build_pair *p, const rank_work *before,
                     const rank_work *solved) {
    rank_work now = work_so_far(ranks);
    p->folding = ranks->sum(ranks->context, solved->sent - before->sent);
    p->writing = ranks->sum(ranks->context, now.sent - solved->sent);
    p->busiest = ranks->largest(ranks->context, now.seconds - before->seconds);
}

static bool build_pair(tb_build *build, tb_build_pair *p, watcher *w, fault *why) {
    if (build->plan.device)
        return tb_device_build(build, p, see_progress, w, why);
    tb_ranks *ranks = build->plan.ranks;
    rank_work before = work_so_far(ranks);
    tb_pair_plan plan = {.a = p->a,
                         .b = p->b,
                         .rules = build->plan.rules,
                         .threads = build->plan.threads,
                         .smaller = {build, read_smaller},
                         .ranks = ranks,
                         .progress = see_progress,
                         .context = w};
    tb_pair *pair = tb_pair_solve(&plan);
    if (!pair)
        return fault_set(why, "not enough memory for %dv%d", p->a, p->b);
    rank_work solved = work_so_far(ranks);
    bool fine = write_tables(build, pair, p, w, why);
    tb_pair_free(pair);
    if (fine && ranks) // nobody reads the files before they are complete
        sum_work(ranks, p, &before, &solved);
    return fine;
}

// The relative time of a pair: a row of the larger side's sets costs as much as about fifty
// positions (measured).
static double work_of(const tb_build_pair *p) {
    return (double)p->positions + 50.0 * tb_choose[p->a][SK_POINTS];
}

// Always false.
static bool has_broken(const tb_build *build) {
    if (build->plan.ranks)
        build->plan.ranks->broken = true;
    return false;
}

bool tb_build_run(tb_build *build, tb_build_watch *watch, void *context, fault *why) {
    double all = 0, done = 0;
    for (int i = 0; i < build->count; i++)
        all += build->pairs[i].there ? 0 : work_of(&build->pairs[i]);
    for (int i = 0; i < build->count; i++) {
        tb_build_pair *p = &build->pairs[i];
        int64_t start = clock_us();
        build->current = i;
        if (!p->there) {
            watcher w = {build, watch, context, done / all, work_of(p) / all};
            if (!build_pair(build, p, &w, why))
                return has_broken(build);
            done += work_of(p);
        }
        if (build->plan.keep == TB_KEEP_NOTHING) {
            if (!build->plan.lines)
                tb_device_forget(build, p->a + p->b - 1);
        } else {
            if (!open_values(build, p, why))
                return has_broken(build);
            if (!build->plan.ranks || build->plan.ranks->rank == 0)
                tb_tidy(build, p);
        }
        p->seconds = p->there ? 0 : (double)(clock_us() - start) / 1e6;
    }
    return true;
}

// --- in memory ----------------------------------------------------------------------------------

static void read_solution(void *context, int movers, int others, uint64_t first, uint64_t count,
                          int8_t *values) {
    const tb_solution *solution = context;
    for (uint64_t i = 0; i < count; i++)
        values[i] = solution->table[movers][others][first + i].value;
}

static bool write_solution(void *context, const int8_t *values, const uint8_t *distances,
                           uint64_t count) {
    tb_entry **next = context;
    for (uint64_t i = 0; i < count; i++)
        *(*next)++ = (tb_entry){values[i], distances[i]};
    return true;
}

static bool take_table(tb_solution *s, const tb_pair *pair, int movers, int others) {
    tb_split split = tb_split_of(movers, others);
    tb_entry *next = malloc(split.size * sizeof *next);
    tb_sink sink = {.context = &next, .write = write_solution};
    s->split[movers][others] = split;
    s->table[movers][others] = next;
    return next && tb_pair_emit(pair, movers, &sink);
}

bool tb_build_solution(tb_solution *solution, tb_rules rules, int pieces, int threads,
                       const tb_kernels *kernels) {
    tb_pair_plan plan = {.rules = rules,
                         .threads = threads,
                         .smaller = {solution, read_solution},
                         .kernels = kernels};
    bool fine = true;
    *solution = (tb_solution){.rules = rules};
    for (int n = 2; n <= pieces; n++)
        for (int b = 1; fine && b <= n / 2; b++) {
            plan.a = n - b;
            plan.b = b;
            tb_pair *pair = tb_pair_solve(&plan);
            fine = pair && take_table(solution, pair, plan.a, b) &&
                   (plan.a == b || take_table(solution, pair, b, plan.a));
            tb_pair_free(pair);
        }
    return fine;
}
