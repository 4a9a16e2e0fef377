#include "cli/files.h"

#include "base/buffer.h"
#include "base/minmax.h"
#include "base/vector.h"
#include "os/file.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

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

bool folder_takes_files(const char *path, fault *why) {
    os_file_status status;
    char trial[4096];
    writer w = writer_on(trial, sizeof trial);
    if (!os_path_get_status(path, &status))
        return true;
    if (status.kind != OS_KIND_FOLDER)
        return fault_set(why, "%s is not a folder", path);
    write_format(&w, "%s/.kraton-trial", path);
    errno = ENAMETOOLONG;
    if (w.overflow || !os_path_write_all(trial, "", 0))
        return fault_set(why, "cannot write in the folder %s: %s", path, strerror(errno));
    os_path_remove(trial);
    return true;
}

// --- the files behind a path --------------------------------------------------------------------

enum { NAME_MAX_BYTES = 4096, DEEPEST_FOLDER = 32, UNPACKED_MAX = 1 << 30 };

// A file of the collection: its name, and where its bytes lie in the archive.
typedef struct {
    char *name;
    text packed;
    size_t size;      // unpacked; of a zip
    bool is_deflated; // else stored
} member;

struct collection {
    bool is_many, is_archive;
    member *members;
    size_t count, capacity, next;
    text archive;      // all of it
    collection *inner; // the archive of a folder whose files come now; else NULL
    buffer unpacked;   // the tar in a tar.gz, or the last file of a zip
    text file;         // the last file of a folder
};

static bool add_member(collection *c, const char *folder, text name, member m) {
    member *grown = vector_reserve(c->members, &c->capacity, c->count + 1, sizeof *grown);
    if (!grown)
        return false;
    c->members = grown;
    size_t size = strlen(folder) + name.len + 2;
    m.name = malloc(size);
    if (!m.name)
        return false;
    writer w = writer_on(m.name, size);
    write_format(&w, "%s%s", folder, *folder && name.len ? "/" : "");
    write_text(&w, name);
    c->members[c->count++] = m;
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const member *)a)->name, ((const member *)b)->name);
}

// --- folders ------------------------------------------------------------------------------------

typedef struct {
    collection *c;
    const char *path;
    int depth;
    bool failed;
} listing;

static bool add_folder(collection *c, const char *path, int depth);

static bool on_name(void *context, const char *name) {
    listing *l = context;
    char path[NAME_MAX_BYTES];
    writer w = writer_on(path, sizeof path);
    os_file_status s;
    write_format(&w, "%s/%s", l->path, name);
    if (name[0] == '.' || w.overflow || !os_path_get_status(path, &s))
        return true;
    // A link to a folder may lead back to where it lies.
    if (s.kind == OS_KIND_FOLDER && l->depth < DEEPEST_FOLDER && !os_path_is_link(path))
        l->failed |= !add_folder(l->c, path, l->depth + 1);
    else if (s.kind == OS_KIND_FILE)
        l->failed |= !add_member(l->c, l->path, text_of(name), (member){0});
    return !l->failed;
}

static bool add_folder(collection *c, const char *path, int depth) {
    listing l = {c, path, depth, false};
    return os_folder_list(path, on_name, &l) && !l.failed;
}

// --- archives -----------------------------------------------------------------------------------

static uint32_t little(text bytes, size_t at, int size) {
    uint32_t n = 0;
    for (int i = 0; i < size; i++)
        n |= (uint32_t)(uint8_t)bytes.at[at + (size_t)i] << 8 * i;
    return n;
}

// Adds the files that a zip's directory lists. False where the zip is damaged.
static bool read_zip(collection *c, const char *path) {
    enum { END = 22, ENTRY = 46, LOCAL = 30 };
    text zip = c->archive;
    size_t end = zip.len < END ? 0 : zip.len - END;
    while (end && !text_starts(text_skip(zip, end), "PK\5\6"))
        end--;
    if (end == 0)
        return false;
    size_t at = little(zip, end + 16, 4);
    for (uint32_t n = little(zip, end + 10, 2); n; n--) {
        if (at + ENTRY > zip.len || !text_starts(text_skip(zip, at), "PK\1\2"))
            return false;
        size_t packed = little(zip, at + 20, 4), size = little(zip, at + 24, 4);
        size_t name = little(zip, at + 28, 2), local = little(zip, at + 42, 4);
        uint32_t method = little(zip, at + 10, 2);
        if (at + ENTRY + name > zip.len || local + LOCAL > zip.len)
            return false;
        size_t start = local + LOCAL + little(zip, local + 26, 2) + little(zip, local + 28, 2);
        if (start + packed > zip.len)
            return false;
        text label = {zip.at + at + ENTRY, name};
        bool is_folder = label.len && label.at[label.len - 1] == '/';
        member m = {.packed = {zip.at + start, packed}, .size = size, .is_deflated = method == 8};
        if (!is_folder && (method == 0 || method == 8) && !add_member(c, path, label, m))
            return false;
        at += ENTRY + name + little(zip, at + 30, 2) + little(zip, at + 32, 2);
    }
    return true;
}

static bool is_tar(text bytes) {
    return bytes.len >= 512 && text_starts(text_skip(bytes, 257), "ustar");
}

static bool read_tar(collection *c, const char *path, text tar) {
    enum { BLOCK = 512 };
    while (tar.len >= BLOCK && tar.at[0]) {
        size_t size = 0, length = 0;
        for (int i = 124; i < 135 && tar.at[i] >= '0' && tar.at[i] <= '7'; i++)
            size = size * 8 + (size_t)(tar.at[i] - '0');
        while (length < 100 && tar.at[length])
            length++;
        text name = {tar.at, length};
        char type = tar.at[156];
        tar = text_skip(tar, BLOCK);
        if (size > tar.len)
            return false;
        member m = {.packed = {tar.at, size}, .size = size};
        if ((type == '0' || type == '\0') && !add_member(c, path, name, m))
            return false;
        tar = text_skip(tar, (size + BLOCK - 1) / BLOCK * BLOCK);
    }
    return true;
}

// Inflates into a buffer; window: MAX_WBITS + 16 for gzip, -MAX_WBITS for the files of a zip.
static bool inflate_all(text packed, int window, buffer *out, fault *why) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)packed.at, .avail_in = (uInt)packed.len};
    buffer_clear(out);
    if (inflateInit2(&z, window) != Z_OK)
        return fault_set(why, "out of memory");
    int status = Z_OK;
    while (status == Z_OK && out->len < UNPACKED_MAX && buffer_reserve(out, 1 << 16)) {
        z.next_out = (Bytef *)out->bytes + out->len;
        z.avail_out = 1 << 16;
        status = inflate(&z, Z_NO_FLUSH);
        out->len += (1 << 16) - z.avail_out;
    }
    inflateEnd(&z);
    return status == Z_STREAM_END || fault_set(why, "the archive is damaged or too large");
}

static bool is_archive(text bytes) {
    return text_starts(bytes, "PK\3\4") || text_starts(bytes, "\x1f\x8b") || is_tar(bytes);
}

// Looks into an archive; anything else is one file.
static bool look_inside(collection *c, const char *path, fault *why) {
    c->is_many = c->is_archive = true;
    if (text_starts(c->archive, "PK\3\4"))
        return read_zip(c, path) || fault_set(why, "%s: a zip file that is damaged", path);
    if (is_tar(c->archive))
        return read_tar(c, path, c->archive) || fault_set(why, "%s: a damaged tar file", path);
    if (text_starts(c->archive, "\x1f\x8b")) {
        fault inner;
        if (!inflate_all(c->archive, MAX_WBITS + 16, &c->unpacked, &inner))
            return fault_set(why, "%s: %s", path, inner.line);
        text inside = buffer_text(&c->unpacked);
        if (is_tar(inside))
            return read_tar(c, path, inside) || fault_set(why, "%s: a damaged tar file", path);
        c->is_many = false;
        return add_member(c, path, (text){0}, (member){.packed = inside, .size = inside.len});
    }
    c->is_many = false;
    return add_member(c, path, (text){0}, (member){.packed = c->archive, .size = c->archive.len}) ||
           fault_set(why, "out of memory");
}

// The bytes of a file in the archive.
static bool unpack(collection *c, const member *m, text *bytes, fault *why) {
    fault inner;
    *bytes = m->packed;
    if (!m->is_deflated)
        return true;
    bool good = inflate_all(m->packed, -MAX_WBITS, &c->unpacked, &inner) ||
                fault_set(why, "%s: %s", m->name, inner.line);
    *bytes = buffer_text(&c->unpacked);
    return good;
}

// --- all of them --------------------------------------------------------------------------------

static void sort_members(collection *c) {
    if (c->count)
        qsort(c->members, c->count, sizeof c->members[0], by_name);
}

collection *collection_open(const char *path, fault *why) {
    collection *c = calloc(1, sizeof *c);
    os_file_status s;
    if (!c) {
        fault_set(why, "out of memory");
        return NULL;
    }
    bool is_folder =
        strcmp(path, "-") != 0 && os_path_get_status(path, &s) && s.kind == OS_KIND_FOLDER;
    c->is_many = is_folder;
    bool good = is_folder
                    ? add_folder(c, path, 0) || fault_set(why, "%s: cannot be listed", path)
                    : file_read(path, &c->archive, why) && look_inside(c, file_label(path), why);
    sort_members(c);
    if (good)
        return c;
    collection_close(c);
    return NULL;
}

void collection_close(collection *c) {
    if (!c)
        return;
    collection_close(c->inner);
    for (size_t i = 0; i < c->count; i++)
        free(c->members[i].name);
    free(c->members);
    free((void *)c->archive.at);
    free((void *)c->file.at);
    buffer_free(&c->unpacked);
    free(c);
}

bool collection_is_many(const collection *c) { return c->is_many; }

size_t collection_count(const collection *c) { return c->count; }

size_t collection_done(const collection *c) {
    bool is_within = c->inner && c->inner->next < c->inner->count;
    return c->next - is_within;
}

// Begins with the files of the archive at hand, which the collection has read.
static bool open_inner(collection *c, const char *name, fault *why) {
    c->inner = calloc(1, sizeof *c->inner);
    if (!c->inner)
        return fault_set(why, "out of memory");
    c->inner->archive = c->file;
    c->file = (text){0};
    bool good = look_inside(c->inner, name, why);
    sort_members(c->inner);
    if (!good)
        c->inner->next = c->inner->count;
    return good;
}

// Reads the next file of a folder. *is_packed: it is an archive, whose files come next.
static bool read_file(collection *c, const char *name, text *bytes, bool *is_packed, fault *why) {
    free((void *)c->file.at);
    c->file = (text){0};
    bool good = file_read(name, &c->file, why);
    *bytes = c->file;
    *is_packed = good && is_archive(c->file);
    return *is_packed ? open_inner(c, name, why) : good;
}

bool collection_next(collection *c, const char **name, text *bytes, fault *why) {
    bool is_packed;
    why->line[0] = '\0';
    do {
        if (c->inner && c->inner->next < c->inner->count)
            return collection_next(c->inner, name, bytes, why);
        collection_close(c->inner);
        c->inner = NULL;
        if (c->next == c->count)
            return false;
        const member *m = &c->members[c->next++];
        *name = m->name;
        if (!c->is_many || c->is_archive)
            return unpack(c, m, bytes, why);
        if (!read_file(c, m->name, bytes, &is_packed, why))
            return false;
    } while (is_packed);
    return true;
}
