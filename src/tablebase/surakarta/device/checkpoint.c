// Checkpoints of a pair: all its planes, compressed, so that a build that was killed continues with
// the round it was in. A file is written as NAME.part, synced and renamed.
#include "base/minmax.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"
#include "tablebase/surakarta/build/work.h"
#include "tablebase/surakarta/device/planes.h"
#include "tablebase/surakarta/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    CHUNK = 8 << 20, // bytes of a plane that are compressed as one
    CHUNKS = 16,     // at a time
    LEVEL = 1,       // of zstd: it has to keep up with the device
    VERSION = 1,
    BUFFERS = 2 * 5 * SOLVER_PARTS
};

typedef struct {
    char magic[8];
    uint32_t version;
    int32_t rules, a, b, distances;
    uint64_t largest; // allocation: it decides how planes are split
    uint64_t bytes;   // of the file
    solver_stage stage;
    int32_t any_won[2], any_lost[2], any_coming[2];
    solver_count counts[2];
    uint64_t checksum; // of all before
} state_header;

static const char state_magic[8] = {'K', 'R', 'A', 'T', 'O', 'N', 'T', 'S'};

// Some chunks, and the same compressed.
typedef struct {
    os_file file;
    uint8_t *raw, *packed;
    size_t raw_size[CHUNKS], packed_size[CHUNKS];
    uint32_t count;
    uint64_t at; // in the file
} batch;

static size_t packed_room(void) { return ZSTD_compressBound(CHUNK); }

static bool make_batch(batch *b) {
    b->raw = malloc((size_t)CHUNKS * CHUNK);
    b->packed = malloc(CHUNKS * packed_room());
    b->at = sizeof(state_header);
    return b->raw && b->packed;
}

static void free_batch(batch *b) {
    free(b->raw);
    free(b->packed);
}

// The next chunks of so many bytes.
static void cut(batch *b, uint64_t bytes) {
    for (b->count = 0; bytes > 0 && b->count < CHUNKS; b->count++) {
        b->raw_size[b->count] = (size_t)min_u64(bytes, CHUNK);
        bytes -= b->raw_size[b->count];
    }
}

static uint64_t checksum_of(const state_header *h) {
    return tb_checksum(h, offsetof(state_header, checksum));
}

// All buffers of a pair, in the order of the file.
static int list_buffers(solver *s, const device_buffer *list[BUFFERS]) {
    int count = 0;
    for (int i = 0; i < s->turn_count; i++) {
        const turn *t = &s->turns[i];
        const plane *const planes[] = {&t->open, &t->losable, &t->found, &t->won, &t->distances};
        for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
            for (int part = 0; part < SOLVER_PARTS; part++)
                if (planes[k]->parts[part].memory)
                    list[count++] = &planes[k]->parts[part];
    }
    return count;
}

// --- writing ------------------------------------------------------------------------------------

static void compress(void *job, uint32_t i, void *scratch) {
    batch *b = job;
    (void)scratch;
    b->packed_size[i] = ZSTD_compress(b->packed + i * packed_room(), packed_room(),
                                      b->raw + (size_t)i * CHUNK, b->raw_size[i], LEVEL);
}

static bool write_chunk(batch *b, uint32_t i) {
    const uint8_t *packed = b->packed + i * packed_room();
    size_t size = b->packed_size[i];
    uint64_t head[2] = {size, tb_checksum(packed, size)};
    bool fine = os_file_write_at(&b->file, b->at, head, sizeof head) &&
                os_file_write_at(&b->file, b->at + sizeof head, packed, size);
    b->at += sizeof head + size;
    return fine;
}

static bool write_buffer(solver *s, batch *b, const device_buffer *buffer) {
    bool fine = true;
    for (uint64_t at = 0; fine && at < buffer->bytes; at += (uint64_t)CHUNKS * CHUNK) {
        cut(b, buffer->bytes - at);
        device_read(s->device, buffer, at, b->raw,
                    min_u64(buffer->bytes - at, (uint64_t)CHUNKS * CHUNK));
        fine = tb_work(min_int(os_processor_count(), CHUNKS), b->count, compress, b, 0);
        for (uint32_t i = 0; fine && i < b->count; i++)
            fine = !ZSTD_isError(b->packed_size[i]) && write_chunk(b, i);
    }
    return fine;
}

static void fill_header(const solver *s, state_header *h) {
    memset(h, 0, sizeof *h); // gaps as well: they are under the checksum
    memcpy(h->magic, state_magic, sizeof h->magic);
    h->version = VERSION;
    h->rules = (int32_t)s->plan.rules;
    h->a = s->plan.a;
    h->b = s->plan.b;
    h->distances = s->plan.distances;
    h->largest = device_about(s->device)->largest;
    h->stage = s->stage;
    for (int i = 0; i < s->turn_count; i++) {
        h->any_won[i] = s->turns[i].any_won;
        h->any_lost[i] = s->turns[i].any_lost;
        h->any_coming[i] = s->turns[i].any_coming;
        h->counts[i] = s->count[i];
    }
}

static bool write_state(solver *s, batch *b, state_header *h) {
    const device_buffer *list[BUFFERS];
    int count = list_buffers(s, list);
    bool fine = make_batch(b);
    for (int i = 0; fine && i < count; i++)
        fine = write_buffer(s, b, list[i]);
    h->bytes = b->at;
    h->checksum = checksum_of(h);
    return fine && os_file_write_at(&b->file, 0, h, sizeof *h) && os_file_sync(&b->file);
}

// Writes NAME.part and renames it; errno says why it could not.
static bool write_file(solver *s, const char *part) {
    batch b = {.raw = NULL};
    state_header *h = malloc(sizeof *h);
    bool fine = h && os_file_open(&b.file, part, OS_FILE_REPLACE);
    if (fine) {
        fill_header(s, h);
        fine = write_state(s, &b, h);
        fine = os_file_close(&b.file) && fine && os_path_rename(part, s->plan.checkpoint);
    }
    free(h);
    free_batch(&b);
    return fine;
}

bool solver_save(solver *s, fault *why) {
    const char *path = s->plan.checkpoint;
    if (!path || (double)(clock_us() - s->saved) / 1e6 < s->plan.interval)
        return true;
    char part[TB_PATH_SIZE];
    writer w = writer_on(part, sizeof part);
    write_format(&w, "%s.part", path);
    if (w.overflow || !write_file(s, part)) {
        fault_set(s->plan.no_checkpoint, "%s: the checkpoint cannot be written: %s", path,
                  strerror(errno));
        os_path_remove(part);
        s->plan.checkpoint = NULL; // a disk that is full stays so
    }
    s->saved = clock_us();
    return !solver_failed(s, why);
}

// --- reading ------------------------------------------------------------------------------------

static bool read_exactly(batch *b, void *bytes, size_t size) {
    size_t got = 0;
    bool fine = os_file_read_at(&b->file, b->at, bytes, size, &got) && got == size;
    b->at += size;
    return fine;
}

static void uncompress(void *job, uint32_t i, void *scratch) {
    batch *b = job;
    (void)scratch;
    size_t size = ZSTD_decompress(b->raw + (size_t)i * CHUNK, b->raw_size[i],
                                  b->packed + i * packed_room(), b->packed_size[i]);
    if (size != b->raw_size[i])
        b->packed_size[i] = 0;
}

static bool read_chunk(batch *b, uint32_t i) {
    uint64_t head[2];
    uint8_t *packed = b->packed + i * packed_room();
    if (!read_exactly(b, head, sizeof head) || head[0] == 0 || head[0] > packed_room())
        return false;
    b->packed_size[i] = (size_t)head[0];
    return read_exactly(b, packed, b->packed_size[i]) &&
           tb_checksum(packed, b->packed_size[i]) == head[1];
}

static bool read_buffer(solver *s, batch *b, const device_buffer *buffer) {
    bool fine = true;
    for (uint64_t at = 0; fine && at < buffer->bytes; at += (uint64_t)CHUNKS * CHUNK) {
        cut(b, buffer->bytes - at);
        for (uint32_t i = 0; fine && i < b->count; i++)
            fine = read_chunk(b, i);
        fine = fine && tb_work(min_int(os_processor_count(), CHUNKS), b->count, uncompress, b, 0);
        for (uint32_t i = 0; fine && i < b->count; i++)
            fine = b->packed_size[i] > 0;
        if (fine)
            device_write(s->device, buffer, at, b->raw,
                         min_u64(buffer->bytes - at, (uint64_t)CHUNKS * CHUNK));
    }
    return fine;
}

// Whether the file is a complete checkpoint of the plan's pair.
static bool read_header(const os_file *file, const solver_plan *plan, state_header *h) {
    size_t got = 0;
    os_file_status status;
    return os_file_read_at(file, 0, h, sizeof *h, &got) && got == sizeof *h &&
           memcmp(h->magic, state_magic, sizeof h->magic) == 0 && h->version == VERSION &&
           h->checksum == checksum_of(h) && h->rules == (int32_t)plan->rules && h->a == plan->a &&
           h->b == plan->b && h->distances == plan->distances &&
           os_file_get_status(file, &status) && status.size == h->bytes;
}

// Whether no chunk of the file is damaged.
static bool check_chunks(batch *b, uint64_t bytes) {
    bool fine = make_batch(b);
    while (fine && b->at < bytes)
        fine = read_chunk(b, 0);
    return fine;
}

bool solver_peek(solver *s, const solver_plan *plan, solver_stage *stage) {
    batch b = {.raw = NULL};
    state_header *h = malloc(sizeof *h);
    bool fine = h && os_file_open(&b.file, plan->checkpoint, OS_FILE_READ);
    if (fine) {
        fine = read_header(&b.file, plan, h) && h->largest == device_about(s->device)->largest &&
               check_chunks(&b, h->bytes);
        os_file_close(&b.file);
        free_batch(&b);
    }
    if (fine)
        *stage = h->stage;
    free(h);
    return fine;
}

static void take_header(solver *s, const state_header *h) {
    s->stage = h->stage;
    for (int i = 0; i < s->turn_count; i++) {
        s->turns[i].any_won = h->any_won[i];
        s->turns[i].any_lost = h->any_lost[i];
        s->turns[i].any_coming = h->any_coming[i];
        s->count[i] = h->counts[i];
    }
}

bool solver_resume(solver *s) {
    batch b = {.raw = NULL};
    const device_buffer *list[BUFFERS];
    int count = list_buffers(s, list);
    state_header *h = malloc(sizeof *h);
    if (!h || !os_file_open(&b.file, s->plan.checkpoint, OS_FILE_READ)) {
        free(h);
        return false;
    }
    bool fine = read_header(&b.file, &s->plan, h) &&
                h->largest == device_about(s->device)->largest && make_batch(&b);
    for (int i = 0; fine && i < count; i++)
        fine = read_buffer(s, &b, list[i]);
    if (fine)
        take_header(s, h);
    os_file_close(&b.file);
    free_batch(&b);
    free(h);
    return fine;
}
