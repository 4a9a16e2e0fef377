#include "base/inflate.h"

enum { LONGEST_CODE = 15, LENGTH_CODES = 288, DISTANCE_CODES = 32, ORDER_CODES = 19 };

// A stream being unpacked.
typedef struct {
    text in; // what has not been read
    uint32_t bits;
    int bit_count;
    bool is_broken; // damaged or cut off
    size_t start, most;
    buffer *out;
} unpacking;

static unsigned take_bits(unpacking *u, int count) {
    while (u->bit_count < count) {
        u->is_broken |= u->in.len == 0;
        if (u->is_broken)
            return 0;
        u->bits |= (uint32_t)(unsigned char)u->in.at[0] << u->bit_count;
        u->bit_count += 8;
        u->in = text_skip(u->in, 1);
    }
    unsigned value = u->bits & ((1u << count) - 1);
    u->bits >>= count;
    u->bit_count -= count;
    return value;
}

static void put_byte(unpacking *u, char c) {
    u->is_broken |= u->out->len - u->start >= u->most;
    if (!u->is_broken)
        buffer_char(u->out, c);
    u->is_broken |= u->out->failed;
}

// --- Huffman codes ------------------------------------------------------------------------------

// A code by its lengths: how many symbols have each, and the symbols in order of their codes.
typedef struct {
    uint16_t count[LONGEST_CODE + 1], symbol[LENGTH_CODES];
} huffman;

// False where the lengths promise more codes than there are.
static bool make_code(huffman *h, const uint8_t *lengths, int n) {
    uint16_t place[LONGEST_CODE + 2] = {0};
    memset(h, 0, sizeof *h);
    for (int i = 0; i < n; i++)
        h->count[lengths[i]]++;
    h->count[0] = 0;
    int left = 1;
    for (int length = 1; length <= LONGEST_CODE; length++) {
        left = 2 * left - h->count[length];
        if (left < 0)
            return false;
        place[length + 1] = (uint16_t)(place[length] + h->count[length]);
    }
    for (int i = 0; i < n; i++)
        if (lengths[i])
            h->symbol[place[lengths[i]]++] = (uint16_t)i;
    return true;
}

static unsigned take_symbol(unpacking *u, const huffman *h) {
    unsigned code = 0, first = 0, index = 0;
    for (int length = 1; length <= LONGEST_CODE && !u->is_broken; length++) {
        code |= take_bits(u, 1);
        unsigned count = h->count[length];
        if (code < first + count)
            return h->symbol[index + code - first];
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    u->is_broken = true;
    return 0;
}

// --- blocks -------------------------------------------------------------------------------------

static void copy_back(unpacking *u, size_t distance, unsigned length) {
    u->is_broken |= distance > u->out->len - u->start;
    while (length-- && !u->is_broken)
        put_byte(u, u->out->bytes[u->out->len - distance]);
}

static void unpack_codes(unpacking *u, const huffman *lengths, const huffman *distances) {
    static const uint16_t length_base[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                           15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                           67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint16_t distance_base[] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    while (!u->is_broken) {
        unsigned symbol = take_symbol(u, lengths);
        if (symbol < 256) {
            put_byte(u, (char)symbol);
            continue;
        }
        if (symbol == 256)
            return;
        unsigned n = symbol - 257;
        u->is_broken |= n >= 29;
        if (u->is_broken)
            return;
        int extra = n < 8 || n == 28 ? 0 : (int)(n - 4) / 4;
        unsigned length = length_base[n] + take_bits(u, extra);
        unsigned d = take_symbol(u, distances);
        u->is_broken |= d >= 30;
        if (u->is_broken)
            return;
        copy_back(u, distance_base[d] + take_bits(u, d < 4 ? 0 : (int)(d - 2) / 2), length);
    }
}

static void unpack_fixed(unpacking *u) {
    uint8_t lengths[LENGTH_CODES], distances[DISTANCE_CODES];
    huffman length_code, distance_code;
    for (int i = 0; i < LENGTH_CODES; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(distances, 5, sizeof distances);
    (void)!make_code(&length_code, lengths, LENGTH_CODES);
    (void)!make_code(&distance_code, distances, DISTANCE_CODES);
    unpack_codes(u, &length_code, &distance_code);
}

// Reads the lengths of both codes, which are coded themselves.
static void take_lengths(unpacking *u, const huffman *order, uint8_t *lengths, unsigned n) {
    unsigned i = 0;
    while (i < n && !u->is_broken) {
        unsigned symbol = take_symbol(u, order), repeats = 1;
        uint8_t length = symbol < 16 ? (uint8_t)symbol : 0;
        if (symbol == 16) {
            u->is_broken |= i == 0;
            length = i ? lengths[i - 1] : 0;
            repeats = 3 + take_bits(u, 2);
        } else if (symbol > 16) {
            repeats = symbol == 17 ? 3 + take_bits(u, 3) : 11 + take_bits(u, 7);
        }
        u->is_broken |= i + repeats > n;
        while (repeats-- && !u->is_broken)
            lengths[i++] = length;
    }
}

static void unpack_dynamic(unpacking *u) {
    static const uint8_t order[ORDER_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                               11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[LENGTH_CODES + DISTANCE_CODES] = {0}, order_lengths[ORDER_CODES] = {0};
    huffman length_code, distance_code, order_code;
    unsigned n = take_bits(u, 5) + 257, d = take_bits(u, 5) + 1, orders = take_bits(u, 4) + 4;
    for (unsigned i = 0; i < orders; i++)
        order_lengths[order[i]] = (uint8_t)take_bits(u, 3);
    u->is_broken |= n > 286 || d > 30 || !make_code(&order_code, order_lengths, ORDER_CODES);
    if (u->is_broken)
        return;
    take_lengths(u, &order_code, lengths, n + d);
    u->is_broken |= !make_code(&length_code, lengths, (int)n) ||
                    !make_code(&distance_code, lengths + n, (int)d);
    if (!u->is_broken)
        unpack_codes(u, &length_code, &distance_code);
}

static void unpack_stored(unpacking *u) {
    u->bits = 0; // the rest of the byte
    u->bit_count = 0;
    unsigned length = take_bits(u, 16), check = take_bits(u, 16);
    u->is_broken |= length != (check ^ 0xffff) || u->in.len < length;
    while (length-- && !u->is_broken) {
        put_byte(u, u->in.at[0]);
        u->in = text_skip(u->in, 1);
    }
}

// --- the stream ---------------------------------------------------------------------------------

static uint32_t adler32(text bytes) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < bytes.len; i++) {
        a = (a + (unsigned char)bytes.at[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

bool inflate_zlib(text packed, size_t most, buffer *out) {
    unpacking u = {.in = packed, .start = out->len, .most = most, .out = out};
    unsigned method = take_bits(&u, 8), flags = take_bits(&u, 8);
    if (u.is_broken || (method & 15) != 8 || (method << 8 | flags) % 31 || flags & 32)
        return false;
    for (bool is_last = false; !is_last && !u.is_broken;) {
        is_last = take_bits(&u, 1);
        switch (take_bits(&u, 2)) {
        case 0:
            unpack_stored(&u);
            break;
        case 1:
            unpack_fixed(&u);
            break;
        case 2:
            unpack_dynamic(&u);
            break;
        default:
            u.is_broken = true;
        }
    }
    u.bits = 0;
    u.bit_count = 0;
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum << 8 | take_bits(&u, 8);
    return !u.is_broken && sum == adler32((text){out->bytes + u.start, out->len - u.start});
}
