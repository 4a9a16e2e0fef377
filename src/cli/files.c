#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

const char *file_label(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

// Reads to the end into a buffer that doubles. NULL where memory or the file fails.
static char *read_all(FILE *from, size_t *len, bool *too_long) {
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    *len = 0;
    while (bytes) {
        *len += fread(bytes + *len, 1, capacity - *len, from);
        *too_long = *len > FILE_MAX_BYTES;
        if (ferror(from))
            break;
        if (*len < capacity || *too_long)
            return bytes;
        capacity *= 2;
        char *more = realloc(bytes, capacity);
        if (!more)
            break;
        bytes = more;
    }
    free(bytes);
    return NULL;
}

bool file_read(const char *path, text *bytes, fault *why) {
    const char *label = file_label(path);
    bool standard = strcmp(path, "-") == 0, too_long = false;
    FILE *from = standard ? stdin : fopen(path, "rb");
    if (!from)
        return fault_set(why, "%s: %s", label, strerror(errno));
    errno = 0;
    size_t len;
    char *all = read_all(from, &len, &too_long);
    int error = errno ? errno : ENOMEM;
    if (!standard)
        fclose(from);
    if (!all)
        return fault_set(why, "%s: %s", label, strerror(error));
    if (too_long) {
        free(all);
        return fault_set(why, "%s: more than %d MiB", label, FILE_MAX_BYTES >> 20);
    }
    *bytes = (text){all, len};
    return true;
}

static bool write_all(int to, text bytes) {
    while (bytes.len) {
        ssize_t n = write(to, bytes.at, bytes.len);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            bytes = text_skip(bytes, (size_t)n);
    }
    return fsync(to) == 0 || errno == EINVAL || errno == EROFS; // a pipe cannot be synced
}

// Opens what the bytes go to first: a temporary file with the rights a new file gets, or the path
// itself where it is no plain file (a device, a pipe) and renaming would replace it.
static int open_output(const char *path, writer *temporary) {
    struct stat s;
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode))
        return open(path, O_WRONLY);
    write_format(temporary, "%s.XXXXXX", path);
    if (temporary->overflow) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int to = mkstemp(temporary->buffer);
    mode_t mask = umask(0);
    umask(mask);
    if (to >= 0 && fchmod(to, 0666 & ~mask) != 0) {
        close(to);
        unlink(temporary->buffer);
        return -1;
    }
    return to;
}

bool file_write(const char *path, text bytes, fault *why) {
    char temporary[4096];
    writer w = writer_on(temporary, sizeof temporary);
    int to = open_output(path, &w);
    if (to < 0)
        return fault_set(why, "%s: %s", path, strerror(errno));
    bool complete = write_all(to, bytes);
    int error = errno;
    if (close(to) != 0 && complete) {
        complete = false;
        error = errno;
    }
    if (complete && (!*temporary || rename(temporary, path) == 0))
        return true;
    if (complete)
        error = errno;
    if (*temporary)
        unlink(temporary);
    return fault_set(why, "%s: %s", path, strerror(error));
}

bool file_read_line(FILE *from, char *line, size_t size, bool *noise) {
    size_t len = 0;
    int c;
    *noise = false;
    while ((c = getc(from)) != EOF && c != '\n' && !*noise) {
        *noise = c == '\0' || len + 1 == size;
        if (!*noise)
            line[len++] = (char)c;
    }
    if (len && line[len - 1] == '\r')
        len--;
    line[len] = '\0';
    return c != EOF || len > 0;
}
