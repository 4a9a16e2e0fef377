#include "match/journal.h"

#include "base/vector.h"
#include "os/file.h"
#include "os/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint64_t at;
    size_t len; // 0: no such game yet
} entry;

struct journal {
    os_file file;
    const char *path;
    text settings;
    bool replaces;   // the file still holds the run that this one replaces
    bool is_created; // by this run
    uint64_t end;
    uint32_t count;
    size_t capacity;
    entry *entries; // by game index
};

static bool remember(journal *j, uint32_t index, uint64_t at, size_t len) {
    size_t before = j->capacity;
    entry *grown = vector_reserve(j->entries, &j->capacity, (size_t)index + 1, sizeof *grown);
    if (!grown)
        return false;
    memset(grown + before, 0, (j->capacity - before) * sizeof *grown);
    j->entries = grown;
    if (!grown[index].len)
        j->count++;
    grown[index] = (entry){at, len};
    return true;
}

// Reads the game number at the start of a line: {"game":17,...
static bool line_index(text line, uint32_t *index) {
    static const char start[] = "{\"game\":";
    if (!text_starts(line, start))
        return false;
    line = text_skip(line, sizeof start - 1);
    size_t digits = 0;
    while (digits < line.len && line.at[digits] >= '0' && line.at[digits] <= '9')
        digits++;
    int64_t number;
    if (!text_to_int((text){line.at, digits}, 1, INT32_MAX, &number))
        return false;
    *index = (uint32_t)(number - 1);
    return true;
}

// Reads an existing journal. What follows its last whole line is cut off.
static bool read_old(journal *j, const char *path, text settings, fault *why) {
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;
    bool good = file || fault_set(why, "%s: %s", path, strerror(errno)), header = true;
    int number = 1;
    for (ssize_t n; good && (n = getline(&line, &size, file)) > 0 && line[n - 1] == '\n';) {
        text whole = {line, (size_t)n};
        uint32_t index;
        if (header) {
            if (!text_equal(text_trim(whole), text_trim(settings)))
                good = fault_set(why,
                                 "%s was started with other settings; give the same ones, or "
                                 "another name",
                                 path);
            header = false;
        } else if (!line_index(whole, &index)) {
            good = fault_set(why, "%s: line %d is damaged", path, number);
        } else if (!remember(j, index, j->end, whole.len)) {
            good = fault_set(why, "out of memory");
        }
        j->end += whole.len;
        number++;
    }
    if (good && header)
        good = fault_set(why, "%s is no journal of a run", path);
    free(line);
    if (file)
        fclose(file);
    if (good && !os_file_truncate(&j->file, j->end))
        good = fault_set(why, "%s: %s", path, strerror(errno));
    return good;
}

static bool start_new(journal *j, fault *why) {
    if (!os_file_write(&j->file, j->settings.at, j->settings.len) ||
        !os_file_write(&j->file, "\n", 1))
        return fault_set(why, "%s: %s", j->path, strerror(errno));
    j->end = j->settings.len + 1;
    return true;
}

bool journal_begin(journal *j, fault *why) {
    if (!j->replaces)
        return true;
    j->replaces = false;
    if (!os_file_truncate(&j->file, 0))
        return fault_set(why, "%s: %s", j->path, strerror(errno));
    return start_new(j, why);
}

// Two runs must not write the same journal. After a run was killed, a child that it had forked to
// start an engine may keep the lock for a moment: try for a second.
static bool lock(const os_file *file) {
    for (int i = 0; i < 40; i++) {
        if (os_file_lock(file))
            return true;
        os_sleep_us(25000);
    }
    return false;
}

journal *journal_open(const char *path, text settings, bool resume, bool replace, fault *why) {
    journal *j = calloc(1, sizeof *j);
    if (!j) {
        fault_set(why, "out of memory");
        return NULL;
    }
    bool good;
    j->path = path;
    j->settings = settings;
    j->replaces = replace && !resume && os_path_exists(path);
    bool is_there = resume || j->replaces;
    if (!os_file_open(&j->file, path, is_there ? OS_FILE_APPEND : OS_FILE_CREATE)) {
        good =
            errno == EEXIST
                ? fault_set(why,
                            "%s exists: --resume takes that run up again, --overwrite gives it up",
                            path)
                : fault_set(why, "%s: %s", path, strerror(errno));
    } else if (!lock(&j->file)) {
        good = fault_set(why, "%s is in use: another run is writing it", path);
    } else {
        j->is_created = !is_there;
        good = resume ? read_old(j, path, settings, why) : j->replaces || start_new(j, why);
    }
    if (good)
        return j;
    journal_abandon(j);
    return NULL;
}

void journal_close(journal *j) {
    if (!j)
        return;
    os_file_close(&j->file);
    free(j->entries);
    free(j);
}

void journal_abandon(journal *j) {
    if (j && j->is_created)
        os_path_remove(j->path);
    journal_close(j);
}

bool journal_add(journal *j, uint32_t index, text line, fault *why) {
    if (!journal_begin(j, why))
        return false;
    if (!os_file_write(&j->file, line.at, line.len)) {
        int error = errno;
        // Half a line must not be followed by another game.
        if (!os_file_truncate(&j->file, j->end))
            return fault_set(why, "the journal is damaged: %s", strerror(errno));
        return fault_set(why, "cannot write the journal: %s", strerror(error));
    }
    if (!remember(j, index, j->end, line.len))
        return fault_set(why, "out of memory");
    j->end += line.len;
    return true;
}

uint32_t journal_count(const journal *j) { return j->count; }

bool journal_has(const journal *j, uint32_t index) {
    return index < j->capacity && j->entries[index].len;
}

bool journal_read(journal *j, uint32_t index, buffer *line, fault *why) {
    if (!journal_has(j, index))
        return fault_set(why, "game %u is not in the journal", index + 1);
    entry e = j->entries[index];
    buffer_clear(line);
    if (!buffer_reserve(line, e.len))
        return fault_set(why, "out of memory");
    while (line->len < e.len) {
        size_t got;
        if (!os_file_read_at(&j->file, e.at + line->len, line->bytes + line->len, e.len - line->len,
                             &got))
            return fault_set(why, "cannot read the journal: %s", strerror(errno));
        if (got == 0)
            return fault_set(why, "cannot read the journal: cut short");
        line->len += got;
    }
    return true;
}
