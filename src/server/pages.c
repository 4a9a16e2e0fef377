#include "server/pages.h"

#include "base/buffer.h"
#include "os/file.h"
#include "server/feature.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

typedef struct {
    char path[256]; // as requests name it: /board/board.js
    char tag[24];   // changes with the bytes; weak: it holds for all encodings
    const char *type;
    char *bytes;
    size_t len;
    char *packed; // the same in gzip, where that is shorter; else NULL
    size_t packed_len;
    char *brotli; // the same in brotli, where the file FILE.br beside it was made with the page
    size_t brotli_len;
} page;

struct pages {
    page *list;
    int count;
    size_t bytes;
    char version[20]; // changes with any file that visitors' browsers keep
};

static const char *type_of(const char *path) {
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".txt", "text/plain; charset=utf-8"},
        {".ogg", "audio/ogg"},
        {".woff2", "font/woff2"},
        {".wasm", "application/wasm"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return NULL;
}

// --- reading ------------------------------------------------------------------------------------

static bool read_bytes(page *p, const char *file, size_t size) {
    return os_path_read_all(file, size, &p->bytes, &p->len) && p->len == size;
}

static uint64_t hash_of(text bytes) {
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
    for (size_t i = 0; i < bytes.len; i++)
        hash = (hash ^ (unsigned char)bytes.at[i]) * 0x100000001b3u;
    return hash;
}

static void make_tag(page *p) {
    snprintf(p->tag, sizeof p->tag, "W/\"%016" PRIx64 "\"", hash_of((text){p->bytes, p->len}));
}

// A page that cannot be packed is given out as it is.
static void pack(page *p) {
    z_stream z = {.next_in = (Bytef *)p->bytes, .avail_in = (uInt)p->len};
    enum { GZIP = 15 + 16, MEMORY = 9 };
    if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    p->packed = malloc(p->len + 1);
    z.next_out = (Bytef *)p->packed;
    z.avail_out = p->packed ? (uInt)p->len : 0;
    bool shorter = p->packed && deflate(&z, Z_FINISH) == Z_STREAM_END;
    p->packed_len = (size_t)z.total_out;
    deflateEnd(&z);
    if (!shorter) {
        free(p->packed);
        p->packed = NULL;
    }
}

// What was compressed when the page was made (tools/make-page.py) is shorter than gzip.
static bool read_brotli(pages *all, page *p, const char *file, fault *why) {
    char name[4096];
    os_file_status status;
    writer w = writer_on(name, sizeof name);
    write_format(&w, "%s.br", file);
    if (w.overflow || !os_path_get_status(name, &status) || status.kind != OS_KIND_FILE)
        return true;
    size_t size = (size_t)status.size;
    if (size > PAGES_BYTES - all->bytes)
        return fault_set(why, "the page's files are too many or too large");
    all->bytes += size;
    bool good = os_path_read_all(name, size, &p->brotli, &p->brotli_len) && p->brotli_len == size;
    return good || fault_set(why, "cannot read %s", name);
}

static bool add_file(pages *all, const char *file, const char *path, size_t size, fault *why) {
    const char *type = type_of(path);
    if (!type)
        return true; // not for visitors
    if (all->count == PAGES_MOST || size > PAGES_BYTES - all->bytes)
        return fault_set(why, "the page's files are too many or too large");
    page *p = &all->list[all->count++];
    p->type = type;
    all->bytes += size;
    writer w = writer_on(p->path, sizeof p->path);
    write_string(&w, path);
    if (w.overflow || !read_bytes(p, file, size))
        return fault_set(why, "cannot read %s", file);
    make_tag(p);
    pack(p);
    return read_brotli(all, p, file, why);
}

// A folder being read; `prefix` is its path in requests.
typedef struct {
    pages *all;
    const char *folder, *prefix;
    int depth; // of folders below it that are read
    bool good;
    fault *why;
} reading;

static bool read_folder(pages *all, const char *folder, const char *prefix, int depth, fault *why);

static bool read_name(void *context, const char *name) {
    reading *r = context;
    char file[4096], path[256];
    os_file_status status;
    writer f = writer_on(file, sizeof file), w = writer_on(path, sizeof path);
    write_format(&f, "%s/%s", r->folder, name);
    write_format(&w, "%s/%s", r->prefix, name);
    if (name[0] == '.' || f.overflow || w.overflow || !os_path_get_status(file, &status))
        return true;
    if (status.kind == OS_KIND_FOLDER)
        r->good = r->depth == 0 || read_folder(r->all, file, path, r->depth - 1, r->why);
    else if (status.kind == OS_KIND_FILE)
        r->good = add_file(r->all, file, path, (size_t)status.size, r->why);
    return r->good;
}

// A folder that cannot be read has no files.
static bool read_folder(pages *all, const char *folder, const char *prefix, int depth, fault *why) {
    reading r = {all, folder, prefix, depth, true, why};
    (void)!os_folder_list(folder, read_name, &r);
    return r.good;
}

// --- the version --------------------------------------------------------------------------------

// All files of the page are also below /v/VERSION/, where they never change: browsers keep them
// without asking. Modules name each other relatively, so one that came from there takes all others
// from there, and a new version never mixes with an old one.

static const page *find_page(const pages *p, text path) {
    for (int i = 0; p && i < p->count; i++)
        if (text_is(path, p->list[i].path))
            return &p->list[i];
    return NULL;
}

static bool is_kept(const page *p) { return !text_starts(text_of(p->path), "/docs/"); }

// Files come in no order, so what is computed of each is added up.
static void make_version(pages *all) {
    uint64_t sum = 0;
    for (int i = 0; i < all->count; i++)
        if (is_kept(&all->list[i])) {
            char line[300];
            writer w = writer_on(line, sizeof line);
            write_format(&w, "%s %s", all->list[i].path, all->list[i].tag);
            sum += hash_of((text){line, w.used});
        }
    snprintf(all->version, sizeof all->version, "%016" PRIx64, sum);
}

// Gives a file other bytes.
static bool replace_bytes(page *p, buffer *bytes) {
    text made = buffer_text(bytes);
    char *copy = bytes->failed ? NULL : malloc(made.len + 1);
    if (copy) {
        memcpy(copy, made.at, made.len);
        free(p->bytes);
        free(p->packed);
        free(p->brotli);
        p->bytes = copy;
        p->len = made.len;
        p->packed = p->brotli = NULL;
        make_tag(p);
        pack(p);
    }
    buffer_free(bytes);
    return copy != NULL;
}

// Addresses of files in a file of HTML, ="/lib/dom.js", become those of this version; the attribute
// data-files="" becomes their folder.
static bool name_version(const pages *all, page *p) {
    buffer out = {0};
    char folder[40];
    writer w = writer_on(folder, sizeof folder);
    write_format(&w, "/v/%s", all->version);
    text rest = {p->bytes, p->len};
    for (size_t at; (at = text_find(rest, "=\"")) < rest.len;) {
        text value = text_skip(rest, at + 2);
        size_t end = text_find(value, "\"");
        text before = {rest.at, at}, path = {value.at, end};
        bool is_folder = before.len >= 10 && memcmp(rest.at + at - 10, "data-files", 10) == 0;
        buffer_add(&out, (text){rest.at, at + 2});
        if (is_folder || (find_page(all, path) && !text_is(path, "/manifest.webmanifest")))
            buffer_add(&out, (text){folder, w.used});
        rest = value;
    }
    buffer_add(&out, rest);
    return replace_bytes(p, &out);
}

// The service worker begins with the version and the files that it keeps.
static bool name_files(const pages *all, page *p) {
    buffer out = {0};
    buffer_add(&out, text_of("const VERSION = \""));
    buffer_add(&out, text_of(all->version));
    buffer_add(&out, text_of("\";\nconst FILES = ["));
    for (int i = 0; i < all->count; i++)
        if (is_kept(&all->list[i])) {
            buffer_add(&out, text_of("\n    \""));
            buffer_add(&out, text_of(all->list[i].path));
            buffer_add(&out, text_of("\","));
        }
    buffer_add(&out, text_of("\n];\n"));
    buffer_add(&out, (text){p->bytes, p->len});
    return replace_bytes(p, &out);
}

static bool make_versioned(pages *all, fault *why) {
    make_version(all);
    bool good = true;
    for (int i = 0; good && i < all->count; i++) {
        page *p = &all->list[i];
        if (text_is(text_of(p->path), "/index.html") || text_is(text_of(p->path), "/embed.html"))
            good = name_version(all, p);
        else if (text_is(text_of(p->path), "/sw.js"))
            good = name_files(all, p);
    }
    return good || fault_set(why, "out of memory");
}

pages *pages_new(const char *folder, fault *why) {
    pages *p = calloc(1, sizeof *p);
    if (p)
        p->list = calloc(PAGES_MOST, sizeof *p->list);
    if (!p || !p->list)
        fault_set(why, "out of memory");
    else if (!folder || (read_folder(p, folder, "", 4, why) && make_versioned(p, why)))
        return p;
    pages_free(p);
    return NULL;
}

void pages_free(pages *p) {
    for (int i = 0; p && i < p->count; i++) {
        free(p->list[i].bytes);
        free(p->list[i].packed);
        free(p->list[i].brotli);
    }
    if (p)
        free(p->list);
    free(p);
}

// --- answering ----------------------------------------------------------------------------------

// The page's own places (/game/7, /learn/GAME) are all one file, which looks at the path itself.
// Their names are plain letters, digits, - and _; anything else is refused.
static bool is_place(text path) {
    for (size_t i = 0; i < path.len; i++) {
        char c = path.at[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '_' || (c == '/' && (i == 0 || path.at[i - 1] != '/'));
        if (!plain)
            return false;
    }
    return !text_starts(path, "/api/") && !text_is(path, "/api") && !text_is(path, "/metrics") &&
           !text_starts(path, "/docs/") && !text_is(path, "/docs");
}

static bool takes(const http_request *r, const char *encoding) {
    text accepted = http_header_of(r, "accept-encoding");
    size_t at = text_find(accepted, encoding);
    return at < accepted.len && !text_starts(text_skip(accepted, at + strlen(encoding)), ";q=0");
}

static const char no_page[] =
    "This Kraton server has no page. Programs can connect, and the API is at /api/v1/.\n"
    "Whoever runs it: cmake --install puts the page in place, kraton serve --web DIR names its "
    "folder.\n";

static bool write_head(api_call *c, writer *out) {
    for (int i = 0; i < c->server->feature_count; i++) {
        const feature *f = c->server->features[i].feature;
        if (f->write_head && f->write_head(c, out))
            return true;
    }
    return false;
}

// Sends a page: packed if the visitor takes that, or only its tag if the visitor has it already.
static void send_page(api_call *c, const page *p, bool is_final) {
    bool brotli = p->brotli && takes(c->request, "br");
    bool gzip = !brotli && p->packed && takes(c->request, "gzip");
    char extra[200];
    writer w = writer_on(extra, sizeof extra);
    write_format(&w, "Cache-Control: %s\r\nETag: %s\r\nVary: Accept-Encoding\r\n%s",
                 is_final ? "public, max-age=31536000, immutable" : "no-cache", p->tag,
                 brotli ? "Content-Encoding: br\r\n"
                 : gzip ? "Content-Encoding: gzip\r\n"
                        : "");
    bool same = text_is(http_header_of(c->request, "if-none-match"), p->tag);
    text bytes = brotli ? (text){p->brotli, p->brotli_len}
                 : gzip ? (text){p->packed, p->packed_len}
                        : (text){p->bytes, p->len};
    if (same)
        bytes.len = 0;
    api_send(c, same ? 304 : 200, p->type, extra, bytes);
}

// The page with more tags at the end of its head.
static void send_with_head(api_call *c, const page *p, text tags) {
    text bytes = {p->bytes, p->len};
    size_t at = text_find(bytes, "</head>");
    buffer whole = {0};
    buffer_add(&whole, (text){bytes.at, at});
    buffer_add(&whole, tags);
    buffer_add(&whole, text_skip(bytes, at));
    if (whole.failed) {
        api_refuse(c, 503, "busy", "out of memory");
    } else {
        text made = buffer_text(&whole);
        page with = {.type = p->type, .bytes = (char *)made.at, .len = made.len};
        make_tag(&with);
        if (takes(c->request, "gzip"))
            pack(&with);
        send_page(c, &with, false);
        free(with.packed);
    }
    buffer_free(&whole);
}

// A path below /v/VERSION/, without that; else an empty one.
static text path_of_version(const pages *p, text path) {
    size_t len = strlen(p->version);
    bool is_ours =
        text_starts(path, "/v/") && path.len > len + 3 && memcmp(path.at + 3, p->version, len) == 0;
    return is_ours ? text_skip(path, len + 3) : (text){"", 0};
}

bool pages_answer(const pages *p, api_call *c) {
    text path = c->request->path;
    const page *final = find_page(p, path_of_version(p, path));
    if (final) {
        send_page(c, final, true);
        return true;
    }
    bool place = is_place(path);
    if (text_is(path, "/docs")) { // links of its pages are relative
        api_send(c, 301, "text/plain; charset=utf-8", "Location: /docs/\r\n", (text){"", 0});
        return true;
    }
    if (text_is(path, "/docs/"))
        path = text_of("/docs/index.html");
    bool is_embedded = place && text_starts(path, "/embed/"); // a board for other sites' pages
    text file = text_of(is_embedded ? "/embed.html" : "/index.html");
    const page *found = find_page(p, place ? file : path);
    if (!found && place)
        api_text(c, 503, "text/plain; charset=utf-8", text_of(no_page));
    if (!found)
        return place;
    char tags[4096];
    writer head = writer_on(tags, sizeof tags);
    if (place && !is_embedded && write_head(c, &head) && !head.overflow)
        send_with_head(c, found, (text){tags, head.used});
    else
        send_page(c, found, false);
    return true;
}
