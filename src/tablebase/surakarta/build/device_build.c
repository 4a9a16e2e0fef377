#include "tablebase/surakarta/build/device_build.h"

#include "base/minmax.h"
#include "os/map.h"
#include "tablebase/surakarta/build/writer.h"
#include "tablebase/surakarta/moves.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static int turns_of(const tb_build_pair *p) { return p->a == p->b ? 1 : 2; }

static uint64_t packed_bytes(const tb_split *split) {
    return (split->size + TB_VALUES_PER_BYTE - 1) / TB_VALUES_PER_BYTE;
}

// --- counts -------------------------------------------------------------------------------------

typedef struct {
    char magic[8];
    uint32_t version;
    int32_t rules, a, b;
    solver_count counts[2];
    uint64_t checksum; // of all before
} counts_file;

static const char counts_magic[8] = {'K', 'R', 'A', 'T', 'O', 'N', 'T', 'C'};
enum { COUNTS_VERSION = 1 };

// The path of a pair's file of counts, or of its checkpoint.
static bool pair_path(char path[TB_PATH_SIZE], const tb_build *build, const tb_build_pair *p,
                      const char *kind) {
    writer w = writer_on(path, TB_PATH_SIZE);
    write_format(&w, "%s/%s-%dv%d.%s", build->plan.dir, tb_rules_name(build->plan.rules), p->a,
                 p->b, kind);
    return !w.overflow;
}

static uint64_t checksum_of(const counts_file *file) {
    return tb_checksum(file, offsetof(counts_file, checksum));
}

static bool write_counts(const tb_build *build, const tb_build_pair *p, fault *why) {
    char path[TB_PATH_SIZE];
    counts_file *file = calloc(1, sizeof *file);
    if (!file || !pair_path(path, build, p, "counts")) {
        free(file);
        return fault_set(why, "not enough memory, or the path of the folder is too long");
    }
    memcpy(file->magic, counts_magic, sizeof file->magic);
    file->version = COUNTS_VERSION;
    file->rules = (int32_t)build->plan.rules;
    file->a = p->a;
    file->b = p->b;
    memcpy(file->counts, p->counts, sizeof file->counts);
    file->checksum = checksum_of(file);
    bool fine = os_path_write_all(path, file, sizeof *file) ||
                fault_set(why, "%s: %s", path, strerror(errno));
    free(file);
    return fine;
}

bool tb_counts_read(const tb_build *build, tb_build_pair *p) {
    char path[TB_PATH_SIZE], *bytes = NULL;
    size_t size = 0;
    if (!pair_path(path, build, p, "counts") ||
        !os_path_read_all(path, sizeof(counts_file) + 1, &bytes, &size))
        return false;
    const counts_file *file = (const counts_file *)bytes;
    bool fine = size == sizeof *file &&
                memcmp(file->magic, counts_magic, sizeof file->magic) == 0 &&
                file->version == COUNTS_VERSION && file->checksum == checksum_of(file) &&
                file->rules == (int32_t)build->plan.rules && file->a == p->a && file->b == p->b;
    if (fine && !p->counts)
        p->counts = calloc(2, sizeof *p->counts);
    fine = fine && p->counts;
    if (fine)
        memcpy(p->counts, file->counts, sizeof file->counts);
    free(bytes);
    return fine;
}

tb_counter tb_counts_sum(const solver_count *count) {
    tb_counter sum = {0};
    memcpy(sum.entries[0], count->placements, sizeof sum.entries[0]);
    return sum;
}

// --- what is kept -------------------------------------------------------------------------------

static bool add_entries(void *context, const int8_t *values, const uint8_t *distances,
                        uint64_t count) {
    struct {
        tb_writer *writer;
        fault *why;
    } *to = context;
    return tb_writer_add(to->writer, values, distances, count, to->why);
}

static bool write_files(tb_build *build, int movers, int others, tb_progress *progress,
                        void *context, fault *why) {
    tb_split split = tb_split_of(movers, others);
    struct {
        tb_writer *writer;
        fault *why;
    } to = {tb_writer_open(build->plan.dir, build->plan.rules, &split, why), why};
    tb_sink sink = {&to, add_entries, progress, context};
    if (!to.writer)
        return false;
    if (!solver_emit(build->plan.device, movers, &sink, why)) {
        tb_writer_abandon(to.writer);
        return false;
    }
    return tb_writer_finish(to.writer, NULL, why);
}

// Whether some pair still to come rests on tables of so many pieces.
static bool is_needed(const tb_build *build, int pieces) { return pieces < build->plan.pieces; }

static bool add_distances(void *context, const int8_t *values, const uint8_t *distances,
                          uint64_t count) {
    uint8_t **next = context;
    (void)values;
    memcpy(*next, distances, count);
    *next += count;
    return true;
}

// For the lines of larger pairs, which lead into this one.
static bool keep_distances(tb_build *build, int movers, int others, fault *why) {
    tb_split split = tb_split_of(movers, others);
    uint8_t *distances = os_memory_new(split.size), *next = distances;
    if (!distances)
        return fault_set(why, "not enough memory for the distances of %dv%d", movers, others);
    build->kept_distances[movers][others] = distances;
    return solver_emit(build->plan.device, movers,
                       &(tb_sink){.context = &next, .write = add_distances}, why);
}

static bool keep_values(tb_build *build, const tb_build_pair *p, int turn, fault *why) {
    int movers = turn ? p->b : p->a, others = p->a + p->b - movers;
    tb_split split = tb_split_of(movers, others);
    uint8_t *packed = os_memory_new(packed_bytes(&split));
    if (!packed)
        return fault_set(why, "not enough memory for the values of %dv%d", movers, others);
    bool fine = solver_pack(build->plan.device, movers, packed, why);
    if (fine && build->plan.keep == TB_KEEP_VALUES) {
        tb_counter counted = tb_counts_sum(&p->counts[turn]);
        fine = tb_write_values(build->plan.dir, build->plan.rules, &split, packed, &counted, why);
    }
    if (fine && build->plan.keep == TB_KEEP_NOTHING)
        build->kept[movers][others] = packed;
    else
        os_memory_free(packed, packed_bytes(&split));
    return fine;
}

static bool keep_pair(tb_build *build, const tb_build_pair *p, tb_progress *progress, void *context,
                      fault *why) {
    tb_keep keep = build->plan.keep;
    for (int turn = 0; turn < turns_of(p); turn++) {
        int movers = turn ? p->b : p->a, others = p->a + p->b - movers;
        if (keep == TB_KEEP_ALL && !write_files(build, movers, others, progress, context, why))
            return false;
        if (keep == TB_KEEP_NOTHING && !is_needed(build, p->a + p->b))
            continue;
        if (keep != TB_KEEP_ALL && !keep_values(build, p, turn, why))
            return false;
        if (build->plan.lines && !keep_distances(build, movers, others, why))
            return false;
    }
    return keep != TB_KEEP_VALUES || write_counts(build, p, why);
}

void tb_device_forget(tb_build *build, int pieces) {
    for (int movers = 1; movers < TB_MAX_PIECES; movers++)
        for (int others = 1; movers + others < pieces && movers + others <= TB_MAX_PIECES; others++)
            if (build->kept[movers][others]) {
                tb_split split = tb_split_of(movers, others);
                os_memory_free(build->kept[movers][others], packed_bytes(&split));
                build->kept[movers][others] = NULL;
                os_memory_free(build->kept_distances[movers][others], split.size);
                build->kept_distances[movers][others] = NULL;
            }
}

// --- lines --------------------------------------------------------------------------------------

uint64_t tb_device_line_bytes(uint64_t entries) { return entries + entries / TB_VALUES_PER_BYTE; }

typedef struct {
    tb_build *build;
    int pieces; // of the pair on the device
    fault why;
    bool fine;
} line_source;

// Positions of the pair are on the device, those behind captures in memory.
static bool look_up(void *context, tb_placement p, int *value, int *distance) {
    line_source *l = context;
    int a = bits_count(p.movers), b = bits_count(p.others);
    if (a + b == l->pieces)
        return l->fine = solver_look_up(l->build->plan.device, p, value, distance, &l->why);
    tb_split split = tb_split_of(a, b);
    uint64_t index = tb_rank(&split, p);
    *value = tb_value_in(l->build->kept[a][b][index / TB_VALUES_PER_BYTE],
                         (unsigned)(index % TB_VALUES_PER_BYTE));
    *distance = l->build->kept_distances[a][b][index];
    return true;
}

// The moves of a longest win of each turn, to the end.
static bool find_lines(tb_build *build, tb_build_pair *p, fault *why) {
    enum { SIZE = 1 << 14 };
    line_source source = {build, p->a + p->b, {{0}}, true};
    tb_oracle oracle = {&source, look_up};
    for (int turn = 0; build->plan.lines && turn < turns_of(p); turn++) {
        tb_placement from = p->counts[turn].longest_win;
        if (from.movers == 0)
            continue;
        if (!p->lines[turn] && !(p->lines[turn] = malloc(SIZE)))
            return fault_set(why, "not enough memory");
        writer w = writer_on(p->lines[turn], SIZE);
        sk_pos pos = sk_set_up(from.movers, from.others, SK_BLACK);
        (void)tb_write_line(&oracle, build->plan.rules, &pos, 0, &w);
    }
    if (!source.fine)
        *why = source.why;
    return source.fine;
}

// --- a pair -------------------------------------------------------------------------------------

static const uint8_t *packed_values(const tb_build *build, int movers, int others) {
    if (movers == 0)
        return NULL;
    if (build->kept[movers][others])
        return build->kept[movers][others];
    return build->values[movers][others].bytes + TB_HEADER_BYTES;
}

// Samples are checked while the pair is on the device.
static bool check_pair(const tb_build *build, const tb_build_pair *p, fault *why) {
    for (int turn = 0; build->plan.samples && turn < turns_of(p); turn++) {
        int movers = turn ? p->b : p->a, others = p->a + p->b - movers;
        uint64_t wrong;
        tb_placement first;
        if (!solver_check(build->plan.device, movers, build->plan.samples, build->plan.seed, &wrong,
                          &first, why))
            return false;
        if (wrong == 0)
            continue;
        char fen[RULES_FEN_SIZE];
        writer w = writer_on(fen, sizeof fen);
        tb_write_fen(first.movers, first.others, &w);
        return fault_set(why,
                         "%dv%d: %" PRIu64 " positions are not what their moves make of them, "
                         "one is %s; the device or its driver is faulty",
                         movers, others, wrong, fen);
    }
    return true;
}

static solver_plan plan_of(const tb_build *build, const tb_build_pair *p, const char *checkpoint) {
    return (solver_plan){
        .a = p->a,
        .b = p->b,
        .rules = build->plan.rules,
        .distances = build->plan.keep == TB_KEEP_ALL || build->plan.lines,
        .behind = {packed_values(build, p->b - 1, p->a), packed_values(build, p->a - 1, p->b)},
        .checkpoint = build->plan.keep == TB_KEEP_NOTHING ? NULL : checkpoint,
        .interval = build->plan.interval};
}

bool tb_device_resumes(const tb_build *build, const tb_build_pair *p, solver_stage *stage,
                       fault *why) {
    char path[TB_PATH_SIZE];
    solver_plan plan = {.a = p->a,
                        .b = p->b,
                        .rules = build->plan.rules,
                        .distances = build->plan.keep == TB_KEEP_ALL,
                        .checkpoint = path};
    why->line[0] = '\0';
    if (build->plan.keep == TB_KEEP_NOTHING || !pair_path(path, build, p, "state") ||
        !os_path_exists(path))
        return false;
    return solver_peek(build->plan.device, &plan, stage) ||
           fault_set(why, "%s cannot be continued: it is damaged, or of other options or devices",
                     path);
}

void tb_tidy(const tb_build *build, const tb_build_pair *p) {
    static const char *const kinds[] = {"state", "state.part", "counts"};
    char path[TB_PATH_SIZE];
    // Counts are kept where there are no distances.
    int count = build->plan.keep == TB_KEEP_ALL ? 3 : 2;
    for (int i = 0; i < count; i++)
        if (pair_path(path, build, p, kinds[i]))
            os_path_remove(path);
    for (int turn = 0; turn < turns_of(p); turn++)
        for (int kind = TB_VALUES; kind <= TB_PACKED; kind++) {
            char part[TB_PATH_SIZE];
            writer w = writer_on(part, sizeof part);
            int movers = turn ? p->b : p->a, others = p->a + p->b - movers;
            if (!tb_file_path(path, build->plan.dir, (tb_kind)kind, build->plan.rules, movers,
                              others))
                continue;
            write_format(&w, "%s.part", path);
            if (!w.overflow)
                os_path_remove(part);
        }
}

bool tb_device_build(tb_build *build, tb_build_pair *p, tb_progress *progress, void *context,
                     fault *why) {
    char path[TB_PATH_SIZE];
    if (!p->counts)
        p->counts = calloc(2, sizeof *p->counts);
    if (!p->counts || !pair_path(path, build, p, "state"))
        return fault_set(why, "not enough memory, or the path of the folder is too long");
    solver_plan plan = plan_of(build, p, path);
    plan.progress = progress;
    plan.context = context;
    plan.no_checkpoint = &build->no_checkpoint;
    return solver_run(build->plan.device, &plan, p->counts, why) && check_pair(build, p, why) &&
           find_lines(build, p, why) && keep_pair(build, p, progress, context, why);
}
