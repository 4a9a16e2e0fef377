#include "store/pages.h"

#include "base/minmax.h"
#include "os/file.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>

enum {
    PATH_SIZE = 4096,
    MARK = 12,
    HEADER = 16,
    ENTRY = 8,
    LOG_HEADER = 32,
    LOG_SALT = 16,
    FRAME_HEADER = 24
};

static const char magic[] = "KRSUMS1\n";

// --- checksums ----------------------------------------------------------------------------------

typedef struct {
    uint32_t hash, again;
} page_sum;

static page_sum sum_of(const unsigned char *page, size_t size, uint64_t number) {
    uint64_t hash = number * 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, page + i, sizeof word);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    uint32_t half = (uint32_t)(hash ^ hash >> 32);
    return (page_sum){half, half ^ (uint32_t)(number * 0x85ebca6bu + 1)};
}

static bool is_page_size(uint64_t size) {
    return size >= 512 && size <= 65536 && (size & (size - 1)) == 0;
}

static uint32_t big_endian(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool write_header(const os_file *sums, uint64_t page_size) {
    unsigned char header[MARK];
    memcpy(header, magic, 8);
    for (int i = 0; i < 4; i++)
        header[8 + i] = (unsigned char)(page_size >> (24 - 8 * i));
    return os_file_write_at(sums, 0, header, sizeof header);
}

static bool path_of(const char *database, const char *ending, char path[PATH_SIZE]) {
    writer w = writer_on(path, PATH_SIZE);
    write_format(&w, "%s%s", database, ending);
    return !w.overflow;
}

// --- the layer ----------------------------------------------------------------------------------

// A database's file; that of the layer below lies behind it.
typedef struct {
    sqlite3_file base;
    os_file sums;
    bool is_log;  // it is the database's log
    bool has_new; // checksums that are not synced
} page_file;

static sqlite3_file *below(sqlite3_file *f) { return (sqlite3_file *)((page_file *)f + 1); }

#define CALL(f, method, ...) (below(f)->pMethods->method(below(f), ##__VA_ARGS__))

static int on_close(sqlite3_file *f) {
    os_file_close(&((page_file *)f)->sums);
    return CALL(f, xClose);
}

static int on_read(sqlite3_file *f, void *bytes, int size, sqlite3_int64 at) {
    return CALL(f, xRead, bytes, size, at);
}

static int on_write(sqlite3_file *f, const void *bytes, int size, sqlite3_int64 at) {
    page_file *p = (page_file *)f;
    if (p->is_log && at == 0 && size == LOG_HEADER) {
        if (!os_file_write_at(&p->sums, MARK, (const char *)bytes + LOG_SALT, 4))
            return SQLITE_IOERR_WRITE;
    } else if (!p->is_log && is_page_size((uint64_t)size) && at % size == 0) {
        uint64_t number = (uint64_t)(at / size) + 1;
        page_sum sum = sum_of(bytes, (size_t)size, number);
        if ((number == 1 && !write_header(&p->sums, (uint64_t)size)) ||
            !os_file_write_at(&p->sums, ENTRY * (number + 1), &sum, sizeof sum))
            return SQLITE_IOERR_WRITE;
        p->has_new = true;
    }
    return CALL(f, xWrite, bytes, size, at);
}

static int on_truncate(sqlite3_file *f, sqlite3_int64 size) { return CALL(f, xTruncate, size); }

static int on_sync(sqlite3_file *f, int flags) {
    page_file *p = (page_file *)f;
    if (p->has_new && !os_file_sync_data(&p->sums))
        return SQLITE_IOERR_FSYNC;
    p->has_new = false;
    return CALL(f, xSync, flags);
}

static int on_size(sqlite3_file *f, sqlite3_int64 *size) { return CALL(f, xFileSize, size); }
static int on_lock(sqlite3_file *f, int level) { return CALL(f, xLock, level); }
static int on_unlock(sqlite3_file *f, int level) { return CALL(f, xUnlock, level); }
static int on_check(sqlite3_file *f, int *out) { return CALL(f, xCheckReservedLock, out); }
static int on_control(sqlite3_file *f, int what, void *a) { return CALL(f, xFileControl, what, a); }
static int on_sector(sqlite3_file *f) { return CALL(f, xSectorSize); }
static int on_device(sqlite3_file *f) { return CALL(f, xDeviceCharacteristics); }
static int on_map(sqlite3_file *f, int page, int size, int extend, void volatile **at) {
    return CALL(f, xShmMap, page, size, extend, at);
}
static int on_shm_lock(sqlite3_file *f, int from, int count, int flags) {
    return CALL(f, xShmLock, from, count, flags);
}
static void on_barrier(sqlite3_file *f) { CALL(f, xShmBarrier); }
static int on_unmap(sqlite3_file *f, int removes) { return CALL(f, xShmUnmap, removes); }

static const sqlite3_io_methods methods = {.iVersion = 2, // without memory mapping
                                           .xClose = on_close,
                                           .xRead = on_read,
                                           .xWrite = on_write,
                                           .xTruncate = on_truncate,
                                           .xSync = on_sync,
                                           .xFileSize = on_size,
                                           .xLock = on_lock,
                                           .xUnlock = on_unlock,
                                           .xCheckReservedLock = on_check,
                                           .xFileControl = on_control,
                                           .xSectorSize = on_sector,
                                           .xDeviceCharacteristics = on_device,
                                           .xShmMap = on_map,
                                           .xShmLock = on_shm_lock,
                                           .xShmBarrier = on_barrier,
                                           .xShmUnmap = on_unmap};

// The checksums of a database that is known by the name of one of its files.
static bool open_sums(const char *name, const char *ending, os_file *sums) {
    char path[PATH_SIZE];
    size_t len = strlen(name) - strlen(ending);
    writer w = writer_on(path, sizeof path);
    write_format(&w, "%.*s-sums", (int)len, name);
    return !w.overflow && os_file_open(sums, path, OS_FILE_LOCK);
}

// The database and its log go through the layer; temporary files are opened as ever.
static int on_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags, int *out) {
    sqlite3_vfs *system = vfs->pAppData;
    page_file *p = (page_file *)f;
    if (!(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) || !name)
        return system->xOpen(system, name, f, flags, out);
    *p = (page_file){.base = {NULL}, .sums = OS_FILE_NONE, .is_log = flags & SQLITE_OPEN_WAL};
    int status = system->xOpen(system, name, below(f), flags, out);
    if (status != SQLITE_OK)
        return status;
    if (!open_sums(name, p->is_log ? "-wal" : "", &p->sums)) {
        below(f)->pMethods->xClose(below(f));
        return SQLITE_CANTOPEN;
    }
    p->base.pMethods = &methods;
    return SQLITE_OK;
}

// The last to close a database removes its log.
static int on_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
    sqlite3_vfs *system = vfs->pAppData;
    size_t len = strlen(name);
    os_file sums;
    int status = system->xDelete(system, name, syncs);
    if (status == SQLITE_OK && len > 4 && strcmp(name + len - 4, "-wal") == 0 &&
        open_sums(name, "-wal", &sums)) {
        static const char none[4] = {0};
        if (!os_file_write_at(&sums, MARK, none, sizeof none))
            status = SQLITE_IOERR_WRITE;
        os_file_close(&sums);
    }
    return status;
}

const char *pages_layer(void) {
    static sqlite3_vfs layer;
    sqlite3_vfs *known = sqlite3_vfs_find("kraton"), *system = sqlite3_vfs_find(NULL);
    if (known)
        return known->zName;
    if (!system)
        return NULL;
    layer = *system;
    layer.zName = "kraton";
    layer.pNext = NULL;
    layer.pAppData = system;
    layer.szOsFile = (int)sizeof(page_file) + system->szOsFile;
    layer.xOpen = on_open;
    layer.xDelete = on_delete;
    return sqlite3_vfs_register(&layer, 0) == SQLITE_OK ? layer.zName : NULL;
}

// --- comparing ----------------------------------------------------------------------------------

enum {
    CHUNK = 1 << 20,
    FEW = 8 // pages: more, and a quarter of all, are not damaged but another file's, as a backup's
};

typedef struct {
    os_file database, sums, log;
    uint64_t page_size, pages;
    unsigned char *in_log; // a bit a page
    bool is_new;           // all checksums are to be made
    pages_report *report;
} comparison;

static bool read_whole(const os_file *file, uint64_t at, void *bytes, size_t size) {
    size_t got = 0;
    for (size_t more; got < size; got += more)
        if (!os_file_read_at(file, at + got, (char *)bytes + got, size - got, &more) || more == 0)
            return false;
    return true;
}

// The log's running checksum over some bytes, which are a multiple of eight.
static void add_to_chain(uint32_t chain[2], const unsigned char *at, size_t size, bool is_big) {
    for (size_t i = 0; i < size; i += 8) {
        uint32_t words[2] = {big_endian(at + i), big_endian(at + i + 4)};
        for (int j = 0; j < 2; j++) {
            uint32_t word = is_big ? words[j] : __builtin_bswap32(words[j]);
            chain[j] += word + chain[1 - j];
        }
    }
}

// Goes through the log: which pages it has, and whether it breaks off before its end. Frames of the
// log's present round have the salts of its header; those behind them are of an earlier one.
static void read_log(comparison *c) {
    unsigned char header[LOG_HEADER], *frame = malloc(FRAME_HEADER + c->page_size);
    if (!frame || !read_whole(&c->log, 0, header, sizeof header)) {
        free(frame);
        return;
    }
    bool is_big = big_endian(header) & 1;
    uint32_t chain[2] = {0, 0};
    add_to_chain(chain, header, 24, is_big);
    bool has_header = chain[0] == big_endian(header + 24) && chain[1] == big_endian(header + 28);
    bool is_sound = has_header;
    uint64_t at = LOG_HEADER, step = FRAME_HEADER + c->page_size;
    for (int64_t n = 1; read_whole(&c->log, at, frame, step); n++, at += step) {
        bool is_present = !has_header || memcmp(frame + 8, header + 16, 8) == 0;
        uint64_t page = big_endian(frame);
        if (is_present && page && page <= c->pages)
            c->in_log[page / 8] |= (unsigned char)(1 << page % 8);
        if (!is_present && is_sound)
            break;
        add_to_chain(chain, frame, 8, is_big);
        add_to_chain(chain, frame + FRAME_HEADER, c->page_size, is_big);
        bool fits = chain[0] == big_endian(frame + 16) && chain[1] == big_endian(frame + 20);
        if (is_sound && !fits)
            c->report->log_frame = n;
        is_sound = is_sound && fits;
        c->report->log_lost += !is_sound && is_present;
    }
    free(frame);
}

static bool is_in_log(const comparison *c, uint64_t page) {
    return c->in_log[page / 8] >> page % 8 & 1;
}

static bool compare_page(comparison *c, const unsigned char *page, uint64_t number) {
    page_sum sum = sum_of(page, c->page_size, number), kept = {0, 0};
    uint64_t at = ENTRY * (number + 1);
    bool has_one = !c->is_new && read_whole(&c->sums, at, &kept, sizeof kept);
    bool is_known = has_one && (kept.hash || kept.again);
    bool is_own_damage = is_known && (kept.hash ^ kept.again) != (sum.hash ^ sum.again);
    c->report->own += is_own_damage;
    if (!is_known || is_own_damage)
        return os_file_write_at(&c->sums, at, &sum, sizeof sum);
    if (sum.hash != kept.hash && !is_in_log(c, number)) {
        if (c->report->count < PAGES_NAMED)
            c->report->numbers[c->report->count] = (int64_t)number;
        c->report->count++;
    }
    return true;
}

static bool compare_all(comparison *c, fault *why) {
    size_t size = max_size(CHUNK / c->page_size, 1) * c->page_size;
    unsigned char *chunk = malloc(size);
    bool good = chunk != NULL || fault_set(why, "out of memory");
    for (uint64_t page = 1; good && page <= c->pages;) {
        uint64_t left = (c->pages - page + 1) * c->page_size;
        size_t now = left < size ? (size_t)left : size;
        good = read_whole(&c->database, (page - 1) * c->page_size, chunk, now) ||
               fault_set(why, "the database cannot be read");
        for (size_t i = 0; good && i < now; i += c->page_size, page++)
            good = compare_page(c, chunk + i, page) ||
                   fault_set(why, "cannot write checksums: %s", strerror(errno));
    }
    free(chunk);
    return good;
}

// Whether another program has written the database: the log that our pages went through last is
// gone, though nobody closed the database through the layer.
static bool is_changed(const comparison *c) {
    unsigned char mark[4], salt[4] = {0};
    return read_whole(&c->sums, MARK, mark, sizeof mark) && big_endian(mark) != 0 &&
           !(read_whole(&c->log, LOG_SALT, salt, sizeof salt) && memcmp(mark, salt, 4) == 0);
}

// The size of a page as the database says it, and whether the checksums say the same. A damaged
// header of theirs is written anew.
static bool read_sizes(comparison *c, fault *why) {
    unsigned char head[100], own[MARK];
    os_file_status status;
    if (!read_whole(&c->database, 0, head, sizeof head) ||
        !os_file_get_status(&c->database, &status))
        return fault_set(why, "it is no database");
    c->page_size = (uint64_t)head[16] << 8 | head[17];
    c->page_size = c->page_size == 1 ? 65536 : c->page_size;
    if (!is_page_size(c->page_size))
        return fault_set(why, "its first page is damaged: the size of a page is none");
    c->pages = status.size / c->page_size;
    c->is_new = !os_file_get_status(&c->sums, &status) || status.size <= HEADER;
    bool is_same = !c->is_new && read_whole(&c->sums, 0, own, sizeof own) &&
                   memcmp(own, magic, 8) == 0 && big_endian(own + 8) == c->page_size;
    c->report->own += !c->is_new && !is_same;
    return is_same || write_header(&c->sums, c->page_size) ||
           fault_set(why, "cannot write checksums: %s", strerror(errno));
}

bool pages_check(const char *database, pages_report *report, fault *why) {
    char sums[PATH_SIZE], log[PATH_SIZE];
    comparison c = {
        .database = OS_FILE_NONE, .sums = OS_FILE_NONE, .log = OS_FILE_NONE, .report = report};
    *report = (pages_report){0};
    bool good = path_of(database, "-sums", sums) && path_of(database, "-wal", log) &&
                os_file_open(&c.database, database, OS_FILE_READ) &&
                os_file_open(&c.sums, sums, OS_FILE_LOCK);
    if (!good)
        fault_set(why, "cannot open it: %s", strerror(errno));
    good = good && read_sizes(&c, why);
    c.in_log = good ? calloc(c.pages / 8 + 1, 1) : NULL;
    good = good && (c.in_log || fault_set(why, "out of memory"));
    if (good && os_file_open(&c.log, log, OS_FILE_READ))
        read_log(&c);
    report->is_changed = good && !c.is_new && is_changed(&c);
    c.is_new = c.is_new || report->is_changed;
    good = good && compare_all(&c, why);
    if (good && report->count > FEW && (uint64_t)report->count > c.pages / 4) { // another file
        report->is_changed = c.is_new = true;
        report->count = 0;
        good = compare_all(&c, why);
    }
    free(c.in_log);
    os_file_close(&c.log);
    os_file_close(&c.sums);
    os_file_close(&c.database);
    return good;
}
