#include "match/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    off_t at;
    size_t len; // 0: no such game yet
} entry;

struct journal {
    int fd;
    off_t end;
    uint32_t count, capacity;
    entry *entries; // by game index
};

static bool remember(journal *j, uint32_t index, off_t at, size_t len) {
    if (index >= j->capacity) {
        uint32_t capacity = j->capacity ? j->capacity : 1024;
        while (capacity <= index)
            capacity *= 2;
        entry *entries = realloc(j->entries, capacity * sizeof *entries);
        if (!entries)
            return false;
        memset(entries + j->capacity, 0, (capacity - j->capacity) * sizeof *entries);
        j->entries = entries;
        j->capacity = capacity;
    }
    if (!j->entries[index].len)
        j->count++;
    j->entries[index] = (entry){at, len};
    return true;
}

static bool write_all(int fd, text bytes) {
    while (bytes.len) {
        ssize_t n = write(fd, bytes.at, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes = text_skip(bytes, (size_t)n);
    }
    return true;
}

// Takes the game number off the front of a line: {"game":17,...
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

// Goes through an old journal; what follows its last whole line is cut off.
static bool read_old(journal *j, const char *path, text settings, fault *why) {
    FILE *file = fdopen(dup(j->fd), "r");
    char *line = NULL;
    size_t size = 0;
    bool good = file != NULL, header = true;
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
        j->end += n;
        number++;
    }
    if (good && header)
        good = fault_set(why, "%s is no journal of a run", path);
    free(line);
    if (file)
        fclose(file);
    if (good && ftruncate(j->fd, j->end) != 0)
        good = fault_set(why, "%s: %s", path, strerror(errno));
    return good;
}

static bool start_new(journal *j, const char *path, text settings, fault *why) {
    if (!write_all(j->fd, settings) || !write_all(j->fd, text_of("\n")))
        return fault_set(why, "%s: %s", path, strerror(errno));
    j->end = (off_t)settings.len + 1;
    return true;
}

// No two runs may write one journal. A run that was just killed may hold it for a moment longer
// through a child that was about to become an engine.
static bool take_for_ourselves(int fd) {
    for (int i = 0; i < 40; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        usleep(25000);
    }
    return false;
}

journal *journal_open(const char *path, text settings, bool resume, fault *why) {
    journal *j = calloc(1, sizeof *j);
    if (!j) {
        fault_set(why, "out of memory");
        return NULL;
    }
    int flags = O_RDWR | O_CLOEXEC | O_APPEND;
    j->fd = open(path, resume ? flags : flags | O_CREAT | O_EXCL, 0644);
    bool good;
    if (j->fd < 0) {
        good = errno == EEXIST ? fault_set(why, "%s exists: --resume takes that run up again", path)
                               : fault_set(why, "%s: %s", path, strerror(errno));
    } else if (!take_for_ourselves(j->fd)) {
        good = fault_set(why, "%s is in use: another run is writing it", path);
    } else {
        good = resume ? read_old(j, path, settings, why) : start_new(j, path, settings, why);
    }
    if (good)
        return j;
    journal_close(j);
    return NULL;
}

void journal_close(journal *j) {
    if (!j)
        return;
    if (j->fd >= 0)
        close(j->fd);
    free(j->entries);
    free(j);
}

bool journal_add(journal *j, uint32_t index, text line, fault *why) {
    if (!write_all(j->fd, line)) {
        int error = errno;
        // Half a line must not be followed by another game.
        if (ftruncate(j->fd, j->end) != 0)
            return fault_set(why, "the journal is damaged: %s", strerror(errno));
        return fault_set(why, "cannot write the journal: %s", strerror(error));
    }
    if (!remember(j, index, j->end, line.len))
        return fault_set(why, "out of memory");
    j->end += (off_t)line.len;
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
    line->len = 0;
    char chunk[65536];
    for (size_t done = 0; done < e.len;) {
        size_t want = e.len - done < sizeof chunk ? e.len - done : sizeof chunk;
        ssize_t n = pread(j->fd, chunk, want, e.at + (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fault_set(why, "cannot read the journal: %s", n ? strerror(errno) : "cut short");
        buffer_add(line, (text){chunk, (size_t)n});
        done += (size_t)n;
    }
    return !line->failed || fault_set(why, "out of memory");
}
