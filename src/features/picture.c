#include "features/picture.h"

#include "base/minmax.h"

#include <math.h>
#include <stdlib.h>
#include <zlib.h>

enum { MARGIN = 14, UNIT = 100 }; // pixels round the board; units between two points

typedef struct {
    float red, green, blue;
} colour;

#define COLOUR(rgb)                                                                                \
    { (float)((rgb) >> 16), (float)((rgb) >> 8 & 0xff), (float)((rgb)&0xff) }

static const colour PAGE = COLOUR(0xf6f3ed), GROUND = COLOUR(0xe4bd83), LINE = COLOUR(0x6b4a26),
                    MARK = COLOUR(0xf6e05e), DISC = COLOUR(0xf6e2b5), RIM = COLOUR(0x8a6231),
                    DARK = COLOUR(0x24262a), LIGHT = COLOUR(0xfaf8f2), SHADE = COLOUR(0x8d8676);
static const colour CIRCUIT[2] = {COLOUR(0x0b5c96), COLOUR(0xb13b0b)};
static const colour INK[2] = {COLOUR(0xb01e16), COLOUR(0x1d1a15)};

// The picture being drawn. Units of the board are scaled and moved to pixels.
typedef struct {
    uint8_t *pixels; // three bytes each
    float scale, left, top;
} canvas;

// --- painting -----------------------------------------------------------------------------------

static void blend(canvas *c, int x, int y, colour ink, float share) {
    uint8_t *p = &c->pixels[3 * ((size_t)y * PICTURE_WIDTH + (size_t)x)];
    const float parts[3] = {ink.red, ink.green, ink.blue};
    for (int i = 0; i < 3; i++)
        p[i] = (uint8_t)lrintf((float)p[i] + share * (parts[i] - (float)p[i]));
}

// What is painted: a line with round ends, an arc, or a disc (a line of no length).
typedef struct {
    float ax, ay, bx, by; // the ends of the line; of an arc, centre and (bx) radius
    float half;           // of its width
    bool is_arc;
    float cx, cy; // of an arc: the quarter towards this side is left out
} stroke;

// How far a point is outside the stroke; negative: inside.
static float distance(const stroke *s, float x, float y) {
    float dx = x - s->ax, dy = y - s->ay;
    if (s->is_arc) {
        if (dx * s->cx > 0 && dy * s->cy > 0)
            return 1000;
        return fabsf(hypotf(dx, dy) - s->bx) - s->half;
    }
    float lx = s->bx - s->ax, ly = s->by - s->ay, square = lx * lx + ly * ly;
    float along = square > 0 ? (dx * lx + dy * ly) / square : 0;
    along = fminf(1, fmaxf(0, along));
    return hypotf(dx - along * lx, dy - along * ly) - s->half;
}

static void paint(canvas *c, stroke s, colour ink) {
    float reach = s.half + (s.is_arc ? s.bx : 0) + 1;
    float low_x = s.is_arc ? s.ax : fminf(s.ax, s.bx), high_x = s.is_arc ? s.ax : fmaxf(s.ax, s.bx);
    float low_y = s.is_arc ? s.ay : fminf(s.ay, s.by), high_y = s.is_arc ? s.ay : fmaxf(s.ay, s.by);
    int x0 = max_int(0, (int)(low_x - reach)),
        x1 = min_int(PICTURE_WIDTH - 1, (int)(high_x + reach) + 1);
    int y0 = max_int(0, (int)(low_y - reach)),
        y1 = min_int(PICTURE_HEIGHT - 1, (int)(high_y + reach) + 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            float share = 0.5f - distance(&s, (float)x + 0.5f, (float)y + 0.5f);
            if (share > 0)
                blend(c, x, y, ink, fminf(1, share));
        }
}

static void line(canvas *c, float ax, float ay, float bx, float by, float width, colour ink) {
    paint(c,
          (stroke){c->left + ax * c->scale, c->top + ay * c->scale, c->left + bx * c->scale,
                   c->top + by * c->scale, width * c->scale / 2, false, 0, 0},
          ink);
}

static void disc(canvas *c, float x, float y, float radius, colour ink) {
    line(c, x, y, x, y, 2 * radius, ink);
}

static void ring(canvas *c, float x, float y, float radius, float width, colour ink, float cx,
                 float cy) {
    paint(c,
          (stroke){c->left + x * c->scale, c->top + y * c->scale, radius * c->scale, 0,
                   width * c->scale / 2, true, cx, cy},
          ink);
}

static void fill(canvas *c, float x0, float y0, float x1, float y1, colour ink) {
    for (int y = max_int(0, (int)(c->top + y0 * c->scale));
         y < min_int(PICTURE_HEIGHT, (int)(c->top + y1 * c->scale)); y++)
        for (int x = max_int(0, (int)(c->left + x0 * c->scale));
             x < min_int(PICTURE_WIDTH, (int)(c->left + x1 * c->scale)); x++)
            blend(c, x, y, ink, 1);
}

// --- boards -------------------------------------------------------------------------------------

// A board whose pieces capture along circuits: the lines, and round each corner a loop of each
// circuit.
static void draw_circuits(canvas *c, float width, float height) {
    for (float at = 0; at <= width; at += UNIT) {
        line(c, at, 0, at, height, 3.5f, LINE);
        line(c, 0, at, width, at, 3.5f, LINE);
    }
    for (int circuit = 1; circuit >= 0; circuit--) {
        float near = (float)(circuit + 1) * UNIT, far = width - near;
        for (int i = 0; i < 2; i++) {
            float at = i ? far : near, x = i ? width : 0;
            line(c, at, 0, at, height, 6, CIRCUIT[circuit]);
            line(c, 0, at, width, at, 6, CIRCUIT[circuit]);
            for (int j = 0; j < 2; j++)
                ring(c, x, j ? height : 0, near, 6, CIRCUIT[circuit], i ? -1 : 1, j ? -1 : 1);
        }
    }
}

// A board with a river in its middle and a palace at each end.
static void draw_river(canvas *c, float width, float height) {
    float bank = (height - UNIT) / 2, palace = width / 2 - UNIT;
    for (float y = 0; y <= height; y += UNIT)
        line(c, 0, y, width, y, 3.5f, LINE);
    for (float x = 0; x <= width; x += UNIT) {
        bool is_edge = x < 1 || x > width - 1;
        line(c, x, 0, x, is_edge ? height : bank, 3.5f, LINE);
        line(c, x, is_edge ? 0 : bank + UNIT, x, height, 3.5f, LINE);
    }
    for (int end = 0; end < 2; end++) {
        float y = end ? height - 2 * UNIT : 0;
        line(c, palace, y, palace + 2 * UNIT, y + 2 * UNIT, 3.5f, LINE);
        line(c, palace + 2 * UNIT, y, palace, y + 2 * UNIT, 3.5f, LINE);
    }
}

// --- pieces -------------------------------------------------------------------------------------

// The characters, stroke by stroke on a grid of 100 by 100, as the page has them: a
// kind of stroke and the points of its middle line. All kinds are drawn as plain lines here.
static const struct {
    char letter;
    float weight;
    const char *strokes;
} glyphs[] = {
    // clang-format off
    {'R', 9.0f, // 俥
     "p 23,6 18,24 5,44;s 16,33 16,95;h 36,21 92,20;s 43,32 43,66;h 43,33 86,32;s 85"
     ",31 85,66;h 44,49 84,48;h 44,65 84,64;h 31,80 97,79;u 64,5 64,50 64,99"},
    {'C', 9.2f, // 炮
     "d 10,33 13,40 14,49;p 40,28 38,36 32,46;p 25,8 25,60 6,94;d 26,58 33,67 41,81;"
     "p 57,6 52,22 41,38;h 54,26 90,25;s 89,24 86,64;g 87,63 74,57;h 52,43 74,42;s 7"
     "3,41 72,59;h 53,59 72,58;s 51,42 51,76;v 51,72 51,86 59,89 74,89 89,88;g 88,90"
     " 92,69"},
    {'N', 8.4f, // 傌
     "p 23,6 18,24 5,44;s 16,33 16,95;s 41,14 41,60;h 42,15 88,14;h 42,30 85,29;h 42"
     ",44 85,43;s 63,15 63,58;h 41,59 93,58;s 92,57 91,76 88,92;g 89,91 76,85;d 35,7"
     "1 33,81 29,88;d 48,71 51,76 53,83;d 61,70 65,75 67,81;d 74,69 78,73 80,79"},
    {'P', 10.0f, // 兵
     "p 72,5 56,14 33,20;s 31,17 31,64;h 32,39 80,37;s 62,39 62,64;h 5,66 95,64;p 37"
     ",73 29,84 12,96;d 60,73 73,81 86,95"},
    {'B', 9.8f, // 相
     "h 5,33 46,31;s 27,6 27,97;p 26,35 18,55 4,72;d 29,45 36,52 43,62;s 55,15 55,91"
     ";h 56,17 89,16;s 88,15 88,91;h 56,40 87,39;h 56,63 87,62;h 56,86 87,85"},
    {'A', 10.4f, // 仕
     "p 25,6 19,24 5,45;s 18,33 18,95;h 34,38 95,36;s 64,8 64,87;h 41,89 89,88"},
    {'K', 9.2f, // 帥
     "p 26,4 24,10 18,17;s 13,17 13,88;h 14,20 40,19;s 39,18 38,43;h 14,42 38,41;h 1"
     "4,58 41,57;s 40,56 40,85;h 14,83 40,82;s 54,29 54,79;h 55,31 91,29;s 90,28 89,"
     "77;g 90,76 77,68;u 72,6 72,40 72,99"},
    {'r', 9.8f, // 車
     "h 17,20 84,19;s 24,32 24,66;h 25,33 77,32;s 76,31 76,66;h 25,49 75,48;h 25,65 "
     "75,64;h 5,80 95,79;u 50,4 50,50 50,99"},
    {'c', 9.2f, // 砲
     "h 4,18 43,16;p 25,17 19,40 3,63;s 16,49 16,86;h 17,51 38,50;s 37,49 37,84;h 17"
     ",81 37,80;p 57,6 52,22 41,38;h 54,26 90,25;s 89,24 86,64;g 87,63 74,57;h 52,43"
     " 74,42;s 73,41 72,59;h 53,59 72,58;s 51,42 51,76;v 51,72 51,86 59,89 74,89 89,"
     "88;g 88,90 92,69"},
    {'n', 9.4f, // 馬
     "s 24,12 24,60;h 25,14 80,13;h 25,29 77,28;h 25,44 77,43;s 51,14 51,58;h 24,60 "
     "88,58;s 87,57 86,76 82,93;g 83,92 68,86;d 17,72 14,82 8,91;d 35,73 39,79 41,87"
     ";d 51,72 56,78 58,85;d 66,70 71,75 74,82"},
    {'p', 10.0f, // 卒
     "d 45,3 52,8 56,15;h 14,22 87,20;p 32,26 25,41 9,54;d 31,37 37,42 43,51;p 67,26"
     " 61,40 49,54;d 64,37 75,43 88,54;h 5,67 95,65;u 50,57 50,75 50,99"},
    {'b', 8.4f, // 象
     "p 42,4 34,18 17,31;h 38,13 67,12;p 67,12 62,20 54,27;s 23,29 27,48;h 24,30 79,"
     "29;s 78,28 74,47;h 27,46 74,45;p 51,30 46,50 10,66;w 38,53 52,64 58,78 56,93;g"
     " 57,92 43,87;p 49,62 36,73 11,82;p 55,73 40,87 9,97;p 86,50 77,57 60,63;n 57,6"
     "0 69,77 95,92"},
    {'a', 11.4f, // 士
     "h 5,39 95,37;s 50,6 50,89;h 20,91 80,90"},
    {'k', 8.8f, // 將
     "s 11,14 11,44;h 11,44 34,43;s 34,5 34,97;h 7,62 34,61;p 21,62 17,80 7,93;p 63,"
     "4 56,18 43,30;h 59,14 87,13;p 87,13 76,38 42,54;d 60,22 66,26 70,32;d 51,31 57"
     ",35 61,41;h 40,63 97,61;s 79,47 79,94;g 80,93 65,84;d 51,71 57,76 61,84"},
    // clang-format on
};

static bool next_number(text *rest, float *number) {
    int64_t value;
    size_t len = 0;
    while (len < rest->len && rest->at[len] >= '0' && rest->at[len] <= '9')
        len++;
    if (!text_to_int((text){rest->at, len}, 0, 200, &value))
        return false;
    *number = (float)value;
    *rest = text_skip(*rest, len);
    return true;
}

static void draw_glyph(canvas *c, float x, float y, char letter, colour ink) {
    enum { SIZE = 56 }; // per cent of the grid
    for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++) {
        text rest = text_of(glyphs[i].strokes);
        while (glyphs[i].letter == letter && rest.len) {
            text each = {rest.at, text_find(rest, ";")};
            rest = text_skip(rest, each.len + 1);
            text_next_word(&each); // the kind
            float from[2] = {-1, -1}, to[2];
            for (text pair; (pair = text_next_word(&each)).len;) {
                bool good = next_number(&pair, &to[0]);
                pair = text_skip(pair, 1); // the comma
                if (!good || !next_number(&pair, &to[1]))
                    break;
                if (from[0] >= 0)
                    line(c, x + (from[0] - 50) * SIZE / 100, y + (from[1] - 51) * SIZE / 100,
                         x + (to[0] - 50) * SIZE / 100, y + (to[1] - 51) * SIZE / 100,
                         glyphs[i].weight * 0.85f * SIZE / 100, ink);
                from[0] = to[0];
                from[1] = to[1];
            }
        }
    }
}

static void draw_piece(canvas *c, const rules_properties *p, float x, float y, char letter) {
    if (p->has_circuits) {
        bool is_first = letter == p->side[0][0] + ('a' - 'A');
        disc(c, x, y, 38, is_first ? DARK : SHADE);
        disc(c, x, y, 36, is_first ? DARK : LIGHT);
        return;
    }
    int side = letter >= 'a' && letter <= 'z';
    disc(c, x, y, 45, RIM);
    disc(c, x, y, 43, DISC);
    ring(c, x, y, 38, 2.4f, INK[side], 0, 0);
    draw_glyph(c, x, y, letter, INK[side]);
}

static void place_of(const rules_properties *p, int point, float *x, float *y) {
    int row = point / p->files;
    *x = (float)(point % p->files * UNIT);
    *y = (float)((p->from_top ? row : p->ranks - 1 - row) * UNIT);
}

static void draw_board(canvas *c, const rules_state *s, rules_move last) {
    const rules_properties *p = rules_properties_of(rules_game_of(s));
    float width = (float)((p->files - 1) * UNIT), height = (float)((p->ranks - 1) * UNIT);
    float around = p->has_circuits ? 226 : 76, x, y; // the outer loops reach far
    c->scale = (PICTURE_HEIGHT - 2 * MARGIN) / (height + 2 * around);
    c->left = (PICTURE_WIDTH - width * c->scale) / 2;
    c->top = MARGIN + around * c->scale;
    fill(c, -around, -around, width + around, height + around, GROUND);
    if (p->has_circuits)
        draw_circuits(c, width, height);
    else
        draw_river(c, width, height);
    if (last != MOVE_NONE) {
        place_of(p, move_from(last), &x, &y);
        disc(c, x, y, 26, MARK);
        place_of(p, move_to(last), &x, &y);
        disc(c, x, y, p->has_circuits ? 46 : 52, MARK);
    }
    for (int point = 0; point < p->files * p->ranks; point++) {
        char letter = rules_piece_at(s, point);
        place_of(p, point, &x, &y);
        if (letter != '.')
            draw_piece(c, p, x, y, letter);
    }
}

// --- the file -----------------------------------------------------------------------------------

static void add_number(buffer *out, uint32_t n) {
    for (int shift = 24; shift >= 0; shift -= 8)
        buffer_char(out, (char)(n >> shift & 0xff));
}

static void add_chunk(buffer *out, const char *kind, text content) {
    add_number(out, (uint32_t)content.len);
    buffer_add(out, (text){kind, 4});
    buffer_add(out, content);
    uLong sum = crc32(0, (const Bytef *)kind, 4);
    if (content.len)
        sum = crc32(sum, (const Bytef *)content.at, (uInt)content.len);
    add_number(out, (uint32_t)sum);
}

// Rows with the filter "sub" (the difference to the pixel on the left), packed.
static bool add_pixels(buffer *out, const uint8_t *pixels) {
    enum { ROW = 3 * PICTURE_WIDTH };
    size_t size = (size_t)(ROW + 1) * PICTURE_HEIGHT;
    uLongf packed = compressBound((uLong)size);
    uint8_t *rows = malloc(size), *bytes = malloc(packed);
    bool good = rows && bytes;
    for (int y = 0; good && y < PICTURE_HEIGHT; y++) {
        const uint8_t *from = &pixels[(size_t)y * ROW];
        uint8_t *to = &rows[(size_t)y * (ROW + 1)];
        to[0] = 1;
        for (int i = 0; i < ROW; i++)
            to[i + 1] = (uint8_t)(from[i] - (i < 3 ? 0 : from[i - 3]));
    }
    good = good && compress2(bytes, &packed, rows, (uLong)size, 4) == Z_OK;
    if (good)
        add_chunk(out, "IDAT", (text){(const char *)bytes, packed});
    free(rows);
    free(bytes);
    return good;
}

bool picture_draw(const rules_state *s, rules_move last, buffer *out) {
    static const char signature[] = "\x89PNG\r\n\x1a\n";
    canvas c = {.pixels = malloc((size_t)3 * PICTURE_WIDTH * PICTURE_HEIGHT)};
    if (!c.pixels)
        return false;
    for (int y = 0; y < PICTURE_HEIGHT; y++)
        for (int x = 0; x < PICTURE_WIDTH; x++) {
            c.pixels[3 * ((size_t)y * PICTURE_WIDTH + (size_t)x)] = (uint8_t)PAGE.red;
            c.pixels[3 * ((size_t)y * PICTURE_WIDTH + (size_t)x) + 1] = (uint8_t)PAGE.green;
            c.pixels[3 * ((size_t)y * PICTURE_WIDTH + (size_t)x) + 2] = (uint8_t)PAGE.blue;
        }
    draw_board(&c, s, last);
    buffer head = {0};
    add_number(&head, PICTURE_WIDTH);
    add_number(&head, PICTURE_HEIGHT);
    buffer_add(&head, (text){"\x08\x02\x00\x00\x00", 5}); // eight bits, red green blue
    buffer_add(out, (text){signature, 8});
    add_chunk(out, "IHDR", buffer_text(&head));
    bool good = add_pixels(out, c.pixels);
    add_chunk(out, "IEND", (text){"", 0});
    good = good && !head.failed && !out->failed;
    buffer_free(&head);
    free(c.pixels);
    return good;
}
