#include "games/network.h"

#include "base/embedded.h"
#include "base/isa.h"
#include "os/map.h"

#include <errno.h>
#include <stdlib.h>

static const char magic[8] = {'K', 'R', 'A', 'T', 'O', 'N', 'N', 'N'};

enum {
    VERSION = 1,
    HEADER_BYTES = 32, // before the text
    CHECKSUM_BYTES = 8,
    CACHE_LINE = 64,
    MAX_INPUTS = 4096,
    MAX_SCALE = 1 << 30,
};

// --- kernels ------------------------------------------------------------------------------------

const network_kernels *network_kernels_find(int n) {
    const network_kernels *found[4] = {NULL};
    int count = 0;
#ifdef __x86_64__
    if (isa_has_vnni())
        found[count++] = &network_kernels_vnni;
    if (isa_has_v3())
        found[count++] = &network_kernels_v3;
#endif
    found[count++] = &network_kernels_baseline;
    return n < count ? found[n] : NULL;
}

// --- memory -------------------------------------------------------------------------------------

static size_t count_rows(const network_shape *s) {
    return (size_t)(s->king_buckets * s->inputs) * (size_t)s->width;
}

static size_t count_outputs(const network_shape *s) {
    return (size_t)(s->output_buckets * 2) * (size_t)s->width;
}

static size_t bytes_of(const network_shape *s) {
    return 2 * count_rows(s) + 2 * (size_t)s->width + count_outputs(s) +
           4 * (size_t)s->output_buckets;
}

static bool check_shape(const network_shape *s, fault *why) {
    if (s->width < NETWORK_WIDTH_STEP || s->width > NETWORK_MAX_WIDTH ||
        s->width % NETWORK_WIDTH_STEP)
        return fault_set(why, "a width of %d: only multiples of %d up to %d", s->width,
                         NETWORK_WIDTH_STEP, NETWORK_MAX_WIDTH);
    if (s->inputs < 1 || s->inputs > MAX_INPUTS || s->king_buckets < 1 ||
        s->king_buckets > NETWORK_MAX_KING_BUCKETS || s->output_buckets < 1 ||
        s->output_buckets > NETWORK_MAX_OUTPUT_BUCKETS || s->scale < 0 || s->scale > MAX_SCALE ||
        bytes_of(s) > NETWORK_MAX_BYTES)
        return fault_set(why, "a shape that no network has");
    return true;
}

network *network_new(const network_shape *shape, fault *why) {
    if (!check_shape(shape, why))
        return NULL;
    network *n = calloc(1, sizeof *n);
    size_t rows = 2 * count_rows(shape), bias = 2 * (size_t)shape->width;
    size_t output = count_outputs(shape);
    if (n) {
        n->shape = *shape;
        n->kernels = network_kernels_find(0);
        n->rows = os_aligned_new(CACHE_LINE, rows);
        n->bias = os_aligned_new(CACHE_LINE, bias);
        n->output = os_aligned_new(CACHE_LINE, output);
    }
    if (!n || !n->rows || !n->bias || !n->output) {
        network_free(n);
        fault_set(why, "out of memory");
        return NULL;
    }
    memset(n->rows, 0, rows);
    memset(n->bias, 0, bias);
    memset(n->output, 0, output);
    return n;
}

void network_free(network *n) {
    if (!n)
        return;
    os_aligned_free(n->rows);
    os_aligned_free(n->bias);
    os_aligned_free(n->output);
    free(n);
}

// --- the file -----------------------------------------------------------------------------------

static void put(buffer *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        buffer_char(out, (char)(value >> 8 * i & 0xff));
}

static uint64_t get(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

// FNV-1a
static uint64_t checksum(const char *bytes, size_t count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

void network_encode(const network *n, buffer *out) {
    const network_shape *s = &n->shape;
    size_t start = out->len;
    buffer_add(out, (text){magic, sizeof magic});
    put(out, VERSION, 2);
    put(out, strlen(n->text), 2);
    put(out, (uint64_t)s->inputs, 4);
    put(out, (uint64_t)s->width, 2);
    put(out, (uint64_t)s->king_buckets, 2);
    put(out, (uint64_t)s->output_buckets, 2);
    put(out, s->corrects, 2);
    put(out, (uint64_t)s->scale, 4);
    put(out, 0, 4);
    buffer_string(out, n->text);
    for (size_t i = 0; i < count_rows(s); i++)
        put(out, (uint16_t)n->rows[i], 2);
    for (int i = 0; i < s->width; i++)
        put(out, (uint16_t)n->bias[i], 2);
    buffer_add(out, (text){(const char *)n->output, count_outputs(s)});
    for (int i = 0; i < s->output_buckets; i++)
        put(out, (uint32_t)n->constant[i], 4);
    if (!out->failed)
        put(out, checksum(out->bytes + start, out->len - start), CHECKSUM_BYTES);
}

static void read_weights(network *n, const uint8_t *at) {
    const network_shape *s = &n->shape;
    for (size_t i = 0; i < count_rows(s); i++, at += 2)
        n->rows[i] = (int16_t)get(at, 2);
    for (int i = 0; i < s->width; i++, at += 2)
        n->bias[i] = (int16_t)get(at, 2);
    memcpy(n->output, at, count_outputs(s));
    at += count_outputs(s);
    for (int i = 0; i < s->output_buckets; i++, at += 4)
        n->constant[i] = (int32_t)get(at, 4);
}

// The first line of the text names the game.
static bool check_game(text about, const char *game, fault *why) {
    text line = text_next_line(&about), name = text_next_word(&line);
    if (text_is(name, "game") && text_is(text_trim(line), game))
        return true;
    return fault_set(why, "is not a network for %s", game);
}

network *network_decode(text bytes, const char *game, fault *why) {
    const uint8_t *at = (const uint8_t *)bytes.at;
    if (bytes.len < HEADER_BYTES || memcmp(at, magic, sizeof magic) != 0) {
        fault_set(why, "is no network");
        return NULL;
    }
    if (get(at + 8, 2) != VERSION) {
        fault_set(why, "has version %d of the format; this program reads version %d",
                  (int)get(at + 8, 2), VERSION);
        return NULL;
    }
    size_t about = get(at + 10, 2);
    network_shape shape = {.inputs = (int)get(at + 12, 4),
                           .width = (int)get(at + 16, 2),
                           .king_buckets = (int)get(at + 18, 2),
                           .output_buckets = (int)get(at + 20, 2),
                           .corrects = get(at + 22, 2) == 1,
                           .scale = (int32_t)get(at + 24, 4)};
    fault inner;
    if (!check_shape(&shape, &inner)) {
        fault_set(why, "has %s", inner.line);
        return NULL;
    }
    size_t body = HEADER_BYTES + about + bytes_of(&shape);
    if (about >= NETWORK_TEXT_SIZE || bytes.len != body + CHECKSUM_BYTES ||
        get(at + body, CHECKSUM_BYTES) != checksum(bytes.at, body)) {
        fault_set(why, "is damaged");
        return NULL;
    }
    network *n = NULL;
    if (check_game((text){bytes.at + HEADER_BYTES, about}, game, why))
        n = network_new(&shape, why);
    if (n) {
        memcpy(n->text, at + HEADER_BYTES, about);
        n->checksum = get(at + body, CHECKSUM_BYTES);
        read_weights(n, at + HEADER_BYTES + about);
    }
    return n;
}

network *network_open(const char *path, const char *game, fault *why) {
    os_map map;
    fault inner;
    if (!os_map_open(&map, path)) { // also refuses what is no plain file
        fault_set(why, "%s: %s", path, strerror(errno));
        return NULL;
    }
    network *n = network_decode((text){(const char *)map.bytes, map.size}, game, &inner);
    if (!n)
        fault_set(why, "%s %s", path, inner.line);
    os_map_close(&map);
    return n;
}

// --- by name ------------------------------------------------------------------------------------

extern const embedded_file embedded_networks[];

bool network_has_own(const char *game) { return embedded_find(embedded_networks, game).len > 0; }

bool network_choose(const char *name, const char *game, network **chosen, fault *why) {
    *chosen = NULL;
    if (strcmp(name, "none") == 0)
        return true;
    if (strcmp(name, "default") != 0)
        return (*chosen = network_open(name, game, why)) != NULL;
    text own = embedded_find(embedded_networks, game);
    return own.len == 0 || (*chosen = network_decode(own, game, why)) != NULL;
}
