#include "lab/data/packed.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

static const char magic[8] = {'K', 'R', 'A', 'T', 'O', 'N', 'P', 'G'};

enum {
    VERSION = 1,
    HEADER_BYTES = 12, // before the settings: magic, version, bytes of the settings
    GAME_BYTES = 12,   // before the FEN
    PLY_BYTES = 4,
    CHECKSUM_BYTES = 4, // CRC-32
    FLAG = 0x80,        // points are below 128
};

static void put(buffer *out, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        buffer_char(out, (char)(value >> 8 * i & 0xff));
}

static uint32_t get(const uint8_t *at, int bytes) {
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

static uint32_t checksum(const void *bytes, size_t count) {
    return (uint32_t)crc32_z(0, bytes, count);
}

// Appends the checksum of what was added since `start`.
static void put_checksum(buffer *out, size_t start) {
    if (!out->failed)
        put(out, checksum(out->bytes + start, out->len - start), CHECKSUM_BYTES);
}

void packed_encode(const packed_game *g, buffer *out) {
    size_t start = out->len, fen = strlen(g->fen);
    put(out, g->number, 4);
    put(out, g->ply_count, 2);
    put(out, g->opening_plies, 2);
    put(out, g->half_points, 1);
    put(out, g->end, 1);
    put(out, (uint32_t)fen, 2);
    buffer_add(out, (text){g->fen, fen});
    for (const packed_ply *p = g->plies; p < g->plies + g->ply_count; p++) {
        put(out, (uint32_t)(move_from(p->move) | (p->in_check ? FLAG : 0)), 1);
        put(out, (uint32_t)(move_to(p->move) | (p->is_capture ? FLAG : 0)), 1);
        put(out, (uint16_t)p->score, 2);
    }
    put_checksum(out, start);
}

// --- reading ------------------------------------------------------------------------------------

bool packed_is(const char *path) {
    os_file file;
    char bytes[sizeof magic];
    size_t got = 0;
    bool is = os_file_open(&file, path, OS_FILE_READ) &&
              os_file_read_at(&file, 0, bytes, sizeof bytes, &got) && got == sizeof bytes &&
              memcmp(bytes, magic, sizeof magic) == 0;
    os_file_close(&file);
    return is;
}

static bool read_header(packed_file *f, fault *why) {
    const uint8_t *bytes = f->map.bytes;
    if (f->map.size < HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return fault_set(why, "is no file of packed games");
    if (get(bytes + 8, 2) != VERSION)
        return fault_set(why, "has version %u of the format; this program reads version %d",
                         get(bytes + 8, 2), VERSION);
    size_t settings = get(bytes + 10, 2), end = HEADER_BYTES + settings;
    if (settings >= PACKED_SETTINGS_SIZE || f->map.size < end + CHECKSUM_BYTES ||
        get(bytes + end, CHECKSUM_BYTES) != checksum(bytes, end))
        return fault_set(why, "is damaged: its header");
    memcpy(f->settings, bytes + HEADER_BYTES, settings);
    f->settings[settings] = 0;
    f->first = end + CHECKSUM_BYTES;
    return true;
}

bool packed_open(packed_file *f, const char *path, fault *why) {
    fault inner;
    *f = (packed_file){0};
    if (!os_map_open(&f->map, path))
        return fault_set(why, "%s: %s", path, strerror(errno));
    if (read_header(f, &inner))
        return true;
    packed_close(f);
    return fault_set(why, "%s %s", path, inner.line);
}

void packed_close(packed_file *f) { os_map_close(&f->map); }

static void read_ply(const uint8_t *at, packed_ply *p) {
    p->move = move_of(at[0] & ~FLAG, at[1] & ~FLAG);
    p->in_check = at[0] & FLAG;
    p->is_capture = at[1] & FLAG;
    p->score = (int16_t)get(at + 2, 2);
}

bool packed_check_game(const packed_file *f, const char *path, const rules_game *game, fault *why) {
    text rest = text_of(f->settings);
    while (rest.len) {
        text line = text_next_line(&rest), name = text_next_word(&line);
        if (text_is(name, "game"))
            return text_is(text_trim(line), rules_name(game)) ||
                   fault_set(why, "%s has games of %s", path, fault_quote(text_trim(line)).shown);
    }
    return fault_set(why, "%s does not name its game", path);
}

packed_found packed_next(const packed_file *f, size_t *place, packed_game *g) {
    size_t left = f->map.size - *place;
    const uint8_t *at = f->map.bytes + *place;
    if (left == 0)
        return PACKED_AT_END;
    if (left < GAME_BYTES)
        return PACKED_DAMAGED;
    size_t plies = get(at + 4, 2), fen = get(at + 10, 2);
    size_t bytes = GAME_BYTES + fen + plies * PLY_BYTES;
    if (plies > PACKED_MAX_PLIES || fen >= RULES_FEN_SIZE || left < bytes + CHECKSUM_BYTES ||
        get(at + bytes, CHECKSUM_BYTES) != checksum(at, bytes))
        return PACKED_DAMAGED;
    g->number = get(at, 4);
    g->ply_count = (uint16_t)plies;
    g->opening_plies = (uint16_t)get(at + 6, 2);
    g->half_points = at[8];
    g->end = at[9];
    if (g->opening_plies > plies || g->half_points > 2)
        return PACKED_DAMAGED;
    memcpy(g->fen, at + GAME_BYTES, fen);
    g->fen[fen] = 0;
    for (size_t i = 0; i < plies; i++)
        read_ply(at + GAME_BYTES + fen + i * PLY_BYTES, &g->plies[i]);
    *place += bytes + CHECKSUM_BYTES;
    return PACKED_GAME;
}

// --- writing ------------------------------------------------------------------------------------

static bool take_file(packed_writer *w, const char *path, fault *why) {
    if (os_file_lock(&w->file))
        return true;
    return fault_set(why, errno == EWOULDBLOCK ? "%s: another process is writing it" : "%s: %s",
                     path, strerror(errno));
}

bool packed_create(packed_writer *w, const char *path, const char *settings, fault *why) {
    if (!os_file_open(&w->file, path, OS_FILE_CREATE)) {
        if (errno == EEXIST)
            return fault_set(why, "%s is there already: --resume goes on with it", path);
        return fault_set(why, "%s: %s", path, strerror(errno));
    }
    buffer header = {0};
    buffer_add(&header, (text){magic, sizeof magic});
    put(&header, VERSION, 2);
    put(&header, (uint32_t)strlen(settings), 2);
    buffer_string(&header, settings);
    put_checksum(&header, 0);
    bool good =
        take_file(w, path, why) && ((!header.failed && packed_write(w, buffer_text(&header))) ||
                                    fault_set(why, "%s: %s", path, strerror(errno)));
    buffer_free(&header);
    if (!good)
        packed_finish(w);
    return good;
}

// Compares the settings line by line and names the first that differs.
static bool check_settings(const char *path, text found, text wanted, fault *why) {
    while (found.len || wanted.len) {
        text has = text_next_line(&found), wants = text_next_line(&wanted);
        if (!text_equal(has, wants))
            return fault_set(why, "%s was begun with other settings: %s, now %s", path,
                             fault_quote(has).shown, fault_quote(wants).shown);
    }
    return true;
}

bool packed_resume(packed_writer *w, const char *path, const char *settings,
                   bool (*on_game)(void *context, const packed_game *g), void *context,
                   fault *why) {
    packed_file f = {0};
    packed_game *g = malloc(sizeof *g);
    packed_found found = PACKED_GAME;
    w->file = OS_FILE_NONE;
    bool good = g || fault_set(why, "out of memory");
    if (good && !os_file_open(&w->file, path, OS_FILE_APPEND))
        good = fault_set(why, "%s: %s", path, strerror(errno));
    good = good && take_file(w, path, why) && packed_open(&f, path, why) &&
           check_settings(path, text_of(f.settings), text_of(settings), why);
    size_t place = f.first;
    while (good && (found = packed_next(&f, &place, g)) == PACKED_GAME)
        good = on_game(context, g) || fault_set(why, "out of memory");
    if (good && found == PACKED_DAMAGED && !os_file_truncate(&w->file, place))
        good = fault_set(why, "%s: %s", path, strerror(errno));
    packed_close(&f);
    free(g);
    if (!good)
        packed_finish(w);
    return good;
}

bool packed_write(packed_writer *w, text games) {
    return os_file_write(&w->file, games.at, games.len);
}

bool packed_finish(packed_writer *w) { return os_file_close(&w->file); }
