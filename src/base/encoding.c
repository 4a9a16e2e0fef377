#include "base/encoding.h"

#include "base/minmax.h"
#include "base/vector.h"
#include "os/charset.h"

#include <stdlib.h>

enum { SAMPLE = 4096 }; // bytes that are looked at to tell encodings apart

static const char *const names[] = {"UTF-8", "GB18030", "BIG5", "UTF-16LE", "UTF-16BE"};

static const os_charset charsets[] = {
    [ENCODING_UTF8] = OS_CHARSET_UTF8,       [ENCODING_GB18030] = OS_CHARSET_GB18030,
    [ENCODING_BIG5] = OS_CHARSET_BIG5,       [ENCODING_UTF16LE] = OS_CHARSET_UTF16LE,
    [ENCODING_UTF16BE] = OS_CHARSET_UTF16BE,
};

const char *encoding_name(encoding e) { return names[e]; }

// --- UTF-8 ---------------------------------------------------------------------------------------

static int length_by_first(unsigned char c) {
    return c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
}

// Whether the second byte may follow the first: what keeps out overlong forms, surrogates and code
// points past the last.
static bool second_fits(unsigned char first, unsigned char second) {
    unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high;
}

// How many bytes at the start of t fit the character its first byte announces.
static int fitting(text t, int length) {
    int n = 1;
    while (n < length && (size_t)n < t.len) {
        unsigned char c = (unsigned char)t.at[n];
        if (n == 1 ? !second_fits((unsigned char)t.at[0], c) : (c & 0xc0) != 0x80)
            break;
        n++;
    }
    return n;
}

int utf8_length(text t) {
    int length = t.len ? length_by_first((unsigned char)t.at[0]) : 0;
    return length && fitting(t, length) == length ? length : 0;
}

// Skips all valid characters; says whether one of several bytes was among them.
static bool skip_valid(text *t) {
    bool several = false;
    for (int n; (n = utf8_length(*t)) != 0; *t = text_skip(*t, (size_t)n))
        several |= n > 1;
    return several;
}

bool utf8_is_valid(text t) {
    skip_valid(&t);
    return t.len == 0;
}

bool utf8_is_cut(text t) {
    if (!skip_valid(&t) || t.len == 0)
        return false;
    int length = length_by_first((unsigned char)t.at[0]);
    return length && (size_t)fitting(t, length) == t.len;
}

text utf8_cut(text t, size_t bytes) {
    if (t.len <= bytes)
        return t;
    while (bytes && ((unsigned char)t.at[bytes] & 0xc0) == 0x80)
        bytes--;
    return (text){t.at, bytes};
}

// --- converting ---------------------------------------------------------------------------------

static bool is_ascii(text t) {
    for (size_t i = 0; i < t.len; i++)
        if ((unsigned char)t.at[i] >= 0x80)
            return false;
    return true;
}

// Converts as much as possible; what is left of `in` starts with bytes that cannot be converted.
// False when memory runs out.
static bool convert(const os_converter *converter, text *in, buffer *out) {
    os_converted how = OS_CONVERTED_ROOM;
    while (in->len && how != OS_CONVERTED_BAD) {
        if (!buffer_reserve(out, in->len * 2 + 16))
            return false;
        char *target = out->bytes + out->len;
        size_t room = out->capacity - out->len;
        how = os_convert(converter, &in->at, &in->len, &target, &room);
        out->len = (size_t)(target - out->bytes);
    }
    return true;
}

static text skip_order_mark(encoding e, text bytes) {
    static const char *const marks[] = {"\xef\xbb\xbf", "\x84\x31\x95\x33", "", "\xff\xfe",
                                        "\xfe\xff"};
    return marks[e][0] && text_starts(bytes, marks[e]) ? text_skip(bytes, strlen(marks[e])) : bytes;
}

// UTF-8 with bytes that are none: copies what is good.
static bool mend_utf8(text bytes, buffer *out, size_t *bad) {
    while (bytes.len) {
        size_t good = 0;
        for (int n; good < bytes.len && (n = utf8_length(text_skip(bytes, good)));
             good += (size_t)n)
            ;
        buffer_add(out, (text){bytes.at, good});
        bytes = text_skip(bytes, good);
        if (bytes.len) {
            buffer_string(out, "\xef\xbf\xbd");
            bytes = text_skip(bytes, 1);
            ++*bad;
        }
    }
    return !out->failed;
}

bool encoding_to_utf8(encoding e, text bytes, buffer *out, size_t *bad) {
    *bad = 0;
    bytes = skip_order_mark(e, bytes);
    bool is_wide = e == ENCODING_UTF16LE || e == ENCODING_UTF16BE;
    if (e == ENCODING_UTF8 || (!is_wide && is_ascii(bytes)))
        return mend_utf8(bytes, out, bad);
    os_converter converter;
    if (!os_converter_open(&converter, charsets[e], OS_CHARSET_UTF8))
        return false;
    bool good = true;
    while (good && bytes.len) {
        good = convert(&converter, &bytes, out);
        if (!good || bytes.len == 0)
            break;
        buffer_string(out, "\xef\xbf\xbd");
        bytes = text_skip(bytes, is_wide ? 2 : 1);
        ++*bad;
    }
    os_converter_close(&converter);
    return good && !out->failed;
}

bool encoding_from_utf8(encoding e, text utf8, buffer *out) {
    size_t before = out->len;
    if (e == ENCODING_UTF8) {
        buffer_add(out, utf8);
        return !out->failed;
    }
    os_converter converter;
    if (!os_converter_open(&converter, OS_CHARSET_UTF8, charsets[e]))
        return false;
    bool good = convert(&converter, &utf8, out) && utf8.len == 0 && !out->failed;
    os_converter_close(&converter);
    if (!good)
        out->len = before;
    return good;
}

// --- detecting ----------------------------------------------------------------------------------

static long max_long(long a, long b) { return a > b ? a : b; }

// Characters that make up most of a record: pieces, moves, numbers, results, headings.
static const char common[] = "车马炮兵卒相象仕士帅将进退平前后中一二三四五六七八九红黑方胜负和局"
                             "先手第年月日赛杯队轮的不人大"
                             "車馬砲帥將進後紅勝負賽隊輪";

// Counts common characters in a sample read in an encoding; bytes that are none count against it.
static long weigh(encoding e, text sample) {
    buffer utf8 = {0};
    size_t bad;
    long weight = 0;
    if (encoding_to_utf8(e, sample, &utf8, &bad)) {
        text rest = buffer_text(&utf8);
        for (int n; rest.len && (n = utf8_length(rest)); rest = text_skip(rest, (size_t)n)) {
            char c[5] = {0};
            memcpy(c, rest.at, (size_t)n);
            weight += n > 1 && strstr(common, c) ? 2 : 0;
        }
        weight -= (long)bad * 4;
    }
    buffer_free(&utf8);
    return weight;
}

// The common characters in both old encodings: a bit for every code of two bytes.
enum { OLD_ENCODINGS = 2 }; // GB18030 and Big5, in this order
typedef struct {
    uint8_t codes[OLD_ENCODINGS][0x10000 / 8];
} common_codes;

static encoding old_encoding(int which) { return which ? ENCODING_BIG5 : ENCODING_GB18030; }

static void find_common(common_codes *c) {
    memset(c, 0, sizeof *c);
    for (int which = 0; which < OLD_ENCODINGS; which++) {
        os_converter converter;
        buffer code = {0};
        if (!os_converter_open(&converter, OS_CHARSET_UTF8, charsets[old_encoding(which)]))
            continue;
        for (text rest = text_of(common); rest.len;) {
            text one = {rest.at, (size_t)utf8_length(rest)};
            rest = text_skip(rest, one.len);
            buffer_clear(&code);
            if (convert(&converter, &one, &code) && code.len == 2) {
                unsigned pair = (unsigned)(uint8_t)code.bytes[0] << 8 | (uint8_t)code.bytes[1];
                c->codes[which][pair / 8] |= (uint8_t)(1 << pair % 8);
            }
        }
        buffer_free(&code);
        os_converter_close(&converter);
    }
}

static bool is_pair(bool is_big5, unsigned lead, unsigned trail) {
    if (is_big5)
        return lead >= 0xa1 && lead <= 0xf9 &&
               ((trail >= 0x40 && trail <= 0x7e) || (trail >= 0xa1 && trail <= 0xfe));
    bool is_half = trail >= '0' && trail <= '9'; // of a code of four bytes
    return lead >= 0x81 && lead <= 0xfe &&
           (is_half || (trail >= 0x40 && trail <= 0xfe && trail != 0x7f));
}

// How much speaks for an old encoding: its common characters, and for names, which have none of
// these, characters of the area of its usual ones, since texts in the other one fall outside of it.
// Bytes that are no character count against it.
static long weigh_old(const common_codes *c, int which, text t) {
    bool is_big5 = which == 1;
    long weight = 0;
    for (size_t i = 0; i < t.len; i++) {
        unsigned lead = (unsigned char)t.at[i];
        unsigned trail = i + 1 < t.len ? (unsigned char)t.at[i + 1] : 0;
        if (lead < 0x80)
            continue;
        if (!is_pair(is_big5, lead, trail)) {
            weight -= 4;
            continue;
        }
        i++;
        unsigned pair = lead << 8 | trail;
        weight += c->codes[which][pair / 8] >> pair % 8 & 1 ? 2 : 0;
        if (is_big5 ? lead >= 0xa4 && lead <= 0xc6 : lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1)
            weight++;
        else if (is_big5 ? lead >= 0xc9 : trail < 0xa1)
            weight--;
    }
    return weight;
}

// Zero bytes on one side of nearly all pairs of ASCII characters.
static bool is_wide(text bytes, encoding *e) {
    size_t zeros[2] = {0}, n = min_size(bytes.len, SAMPLE) & ~(size_t)1;
    for (size_t i = 0; i < n; i++)
        zeros[i % 2] += bytes.at[i] == '\0';
    size_t most = max_size(zeros[0], zeros[1]), least = zeros[0] + zeros[1] - most;
    *e = zeros[1] > zeros[0] ? ENCODING_UTF16LE : ENCODING_UTF16BE;
    // The wide blank of Chinese text has its zero on the other side.
    text sample = {bytes.at, n};
    long little = most ? weigh(ENCODING_UTF16LE, sample) : 0;
    long big = most ? weigh(ENCODING_UTF16BE, sample) : 0;
    if (little != big && max_long(little, big) > 0)
        *e = little > big ? ENCODING_UTF16LE : ENCODING_UTF16BE;
    return most >= 2 && most >= n / 16 && least <= most / 16;
}

// What speaks for UTF-8 in a text and what against it.
typedef struct {
    size_t high; // bytes that are not ASCII
    size_t wide; // characters of three bytes and more: by chance other encodings have hardly any
    size_t bad;  // bytes that are no part of a character
} utf8_evidence;

static utf8_evidence look_for_utf8(text t) {
    utf8_evidence e = {0};
    while (t.len) {
        int n = utf8_length(t);
        e.high += n ? (n > 1 ? (size_t)n : 0) : 1;
        e.wide += n > 2;
        e.bad += n == 0;
        t = text_skip(t, n ? (size_t)n : 1);
    }
    return e;
}

static bool is_damaged_utf8(const utf8_evidence *e) { return e->wide && e->wide >= e->bad; }

// Big5 or GB18030, and how much speaks for it.
static encoding pick_old(text bytes, long *weight) {
    size_t first = 0;
    while (first < bytes.len && (unsigned char)bytes.at[first] < 0x80)
        first++;
    text sample = text_skip(bytes, first);
    sample.len = min_size(sample.len, SAMPLE);
    common_codes common_ones;
    find_common(&common_ones);
    long gb = weigh_old(&common_ones, 0, sample), big5 = weigh_old(&common_ones, 1, sample);
    *weight = max_long(big5, gb);
    return big5 > gb ? ENCODING_BIG5 : ENCODING_GB18030;
}

// UTF-16 of Chinese text, which has few zero bytes or none: it has more of the common characters
// than any other reading.
static bool is_wide_chinese(text bytes, long other, encoding *e) {
    text sample = {bytes.at, min_size(bytes.len, SAMPLE) & ~(size_t)1};
    if (bytes.len % 2)
        return false;
    long little = weigh(ENCODING_UTF16LE, sample), big = weigh(ENCODING_UTF16BE, sample);
    *e = little > big ? ENCODING_UTF16LE : ENCODING_UTF16BE;
    return max_long(little, big) > max_long(other, 2);
}

encoding encoding_detect(text bytes) {
    encoding wide;
    if (text_starts(bytes, "\xff\xfe"))
        return ENCODING_UTF16LE;
    if (text_starts(bytes, "\xfe\xff"))
        return ENCODING_UTF16BE;
    if (is_wide(bytes, &wide))
        return wide;
    if (text_starts(bytes, "\xef\xbb\xbf") || utf8_is_valid(bytes) || utf8_is_cut(bytes))
        return ENCODING_UTF8;
    utf8_evidence e = look_for_utf8(bytes);
    if (is_damaged_utf8(&e))
        return ENCODING_UTF8;
    long weight;
    encoding old = pick_old(bytes, &weight);
    return is_wide_chinese(bytes, weight, &wide) ? wide : old;
}

// --- several encodings in one text --------------------------------------------------------------

typedef enum { LINE_PLAIN, LINE_UTF8, LINE_OLD, LINE_LITTLE } line_kind; // plain: ASCII

// A line of a text. UTF-8 shows at once; lines in old encodings are told apart all together.
typedef struct {
    line_kind kind;
    bool is_first; // with what is not ASCII in tags behind an empty line: of a game, most likely
    bool from[OLD_ENCODINGS]; // which of the two the last such line is in if this one is in each
    bool is_big5;
    long gain; // what speaks for Big5, less what speaks for GB18030
} line_note;

// What a line looks like. Too little says nothing in a text that is mostly UTF-8: two Chinese
// characters have four bytes.
static line_kind kind_of_line(const utf8_evidence *e, long weight, encoding usual) {
    enum { HIGH = 4, LONG = 2 };
    if (e->high == 0)
        return LINE_PLAIN;
    if (e->wide >= LONG && e->wide >= e->bad)
        return LINE_UTF8;
    if (usual != ENCODING_UTF8)
        return LINE_OLD;
    if (e->bad == 0 || (weight <= 0 && is_damaged_utf8(e)))
        return LINE_UTF8;
    return e->high >= HIGH ? LINE_OLD : LINE_LITTLE;
}

// Lines that say too little are old ones beside old ones, else UTF-8.
static void settle_little(line_note *notes, size_t count) {
    bool is_old = false;
    for (size_t i = 0; i < count; i++) {
        if (notes[i].kind == LINE_LITTLE && is_old)
            notes[i].kind = LINE_OLD;
        is_old = notes[i].kind == LINE_PLAIN ? is_old : notes[i].kind == LINE_OLD;
    }
    is_old = false;
    for (size_t i = count; i-- > 0;) {
        if (notes[i].kind == LINE_LITTLE)
            notes[i].kind = is_old ? LINE_OLD : LINE_UTF8;
        is_old = notes[i].kind == LINE_PLAIN ? is_old : notes[i].kind == LINE_OLD;
    }
}

static text take_line(text *rest) {
    const char *end = memchr(rest->at, '\n', rest->len);
    text line = {rest->at, end ? (size_t)(end - rest->at) + 1 : rest->len};
    *rest = text_skip(*rest, line.len);
    return line;
}

// Looks at all lines; NULL when memory runs out.
static line_note *note_lines(text bytes, encoding usual, size_t *count) {
    line_note *notes = NULL;
    size_t capacity = 0;
    common_codes common_ones;
    bool is_first = true;
    find_common(&common_ones);
    for (*count = 0; bytes.len; ++*count) {
        line_note *grown = vector_reserve(notes, &capacity, *count + 1, sizeof *notes);
        if (!grown) {
            free(notes);
            return NULL;
        }
        notes = grown;
        text line = take_line(&bytes);
        line_note *note = &notes[*count];
        utf8_evidence e = look_for_utf8(line);
        bool may_be_old = e.bad || (e.high && usual != ENCODING_UTF8);
        long gb = may_be_old ? weigh_old(&common_ones, 0, line) : 0;
        long big5 = may_be_old ? weigh_old(&common_ones, 1, line) : 0;
        *note = (line_note){.kind = kind_of_line(&e, max_long(gb, big5), usual),
                            .is_first = is_first,
                            .gain = big5 - gb};
        is_first =
            text_trim(line).len ? is_first && note->kind == LINE_PLAIN : text_starts(bytes, "[");
    }
    return notes;
}

// Gives every line in an old encoding the one that most speaks for, where a change from line to
// line has its price, a small one between games. Returns how many lines this goes against, or for
// which nothing speaks, if both encodings are there.
static size_t settle_lines(line_note *notes, size_t count, encoding usual) {
    enum { PRICE = 12, PRICE_OF_GAME = 1 };
    settle_little(notes, count);
    long best[OLD_ENCODINGS] = {0, usual == ENCODING_BIG5 ? 1 : -1};
    for (size_t i = 0; i < count; i++) {
        line_note *note = &notes[i];
        if (note->kind != LINE_OLD)
            continue;
        long price = note->is_first ? PRICE_OF_GAME : PRICE, before[] = {best[0], best[1]};
        for (int which = 0; which < OLD_ENCODINGS; which++) {
            bool changes = before[!which] - price > before[which];
            note->from[which] = changes ? !which : which;
            best[which] = changes ? before[!which] - price : before[which];
        }
        best[1] += note->gain;
    }
    bool is_big5 = best[1] > best[0];
    size_t lines[OLD_ENCODINGS] = {0}, unsure = 0;
    for (size_t i = count; i-- > 0;) {
        line_note *note = &notes[i];
        if (note->kind != LINE_OLD)
            continue;
        note->is_big5 = is_big5;
        lines[is_big5]++;
        unsure += is_big5 ? note->gain <= 0 : note->gain >= 0;
        is_big5 = note->from[is_big5];
    }
    return lines[0] && lines[1] ? unsure : 0;
}

bool encoding_lines_to_utf8(encoding usual, text bytes, buffer *out, size_t *bad, size_t *unsure) {
    *bad = *unsure = 0;
    if (usual == ENCODING_UTF16LE || usual == ENCODING_UTF16BE)
        return encoding_to_utf8(usual, bytes, out, bad);
    size_t count;
    line_note *notes = note_lines(bytes, usual, &count);
    if (!notes)
        return bytes.len == 0;
    *unsure = settle_lines(notes, count, usual);
    text run = {bytes.at, 0}; // lines in the same encoding
    encoding of_run = usual;
    bool good = true;
    for (size_t i = 0; good && i <= count; i++) {
        encoding e = i == count || notes[i].kind == LINE_PLAIN ? of_run
                     : notes[i].kind == LINE_UTF8              ? ENCODING_UTF8
                                                               : old_encoding(notes[i].is_big5);
        if (e != of_run || i == count) {
            size_t more = 0;
            good = encoding_to_utf8(of_run, run, out, &more);
            *bad += more;
            run = (text){bytes.at, 0};
            of_run = e;
        }
        if (i < count)
            run.len += take_line(&bytes).len;
    }
    free(notes);
    return good;
}
