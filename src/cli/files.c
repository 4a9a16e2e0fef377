#include "cli/files.h"

#include "base/buffer.h"
#include "os/file.h"

#include <errno.h>

const char *file_label(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

// Reads to the end. False if memory or the file fails, or when there is too much.
static bool read_all(FILE *from, buffer *bytes) {
    size_t got;
    do {
        if (!buffer_reserve(bytes, 1 << 16))
            return false;
        got = fread(bytes->bytes + bytes->len, 1, 1 << 16, from);
        bytes->len += got;
    } while (got > 0 && bytes->len <= FILE_MAX_BYTES);
    return !ferror(from) && bytes->len <= FILE_MAX_BYTES;
}

bool file_read(const char *path, text *bytes, fault *why) {
    const char *label = file_label(path);
    bool standard = strcmp(path, "-") == 0;
    FILE *from = standard ? stdin : fopen(path, "rb");
    if (!from)
        return fault_set(why, "%s: %s", label, strerror(errno));
    errno = 0;
    buffer all = {0};
    bool good = read_all(from, &all);
    int error = errno ? errno : ENOMEM;
    if (!standard)
        fclose(from);
    if (good) {
        *bytes = buffer_text(&all);
        return true;
    }
    if (all.len > FILE_MAX_BYTES)
        fault_set(why, "%s: more than %d MiB", label, FILE_MAX_BYTES >> 20);
    else
        fault_set(why, "%s: %s", label, strerror(error));
    buffer_free(&all);
    return false;
}

bool file_write(const char *path, text bytes, fault *why) {
    return os_path_write_all(path, bytes.at, bytes.len) ||
           fault_set(why, "%s: %s", path, strerror(errno));
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

const char *read_secret(const char *file, char *line, size_t size) {
    FILE *f = fopen(file, "re");
    char *got = f ? fgets(line, (int)size, f) : NULL;
    if (f)
        fclose(f);
    text secret = text_trim(text_of(got ? got : ""));
    if (secret.len == 0)
        return NULL;
    line[secret.at - line + (ptrdiff_t)secret.len] = '\0';
    return secret.at;
}
