// XQF, the files of XQStudio, one game a file. All numbers are little endian, text is in GB18030.
//
//   offset  bytes
//        0      2  "XQ"
//        2      1  version, 10 to 18; from 11 on everything below is encrypted by the next 13 bytes
//        3     13  keys: mask, 4 of the product, 4 or-keys, sum, board, from, to
//       16     32  where the pieces stand: file * 10 + rank, 255 off the board
//       50      1  whose turn it is: 0 Red's, 1 Black's
//       51      1  result: 0 unknown, 1 Red, 2 Black, 3 draw
//       64      1  0 whole game, 1 opening, 2 middle game, 3 endgame
//       80 ...     headings: a byte with the length, then the text
//     1024 ...     the tree (see stream.h): 4 bytes a move, the first of them no move
//
// A move has the points left and reached, plus 24 and 32, and flags. Version 10: 0xf0 a move
// follows, 0x0f an alternative comes; the length of the comment follows always. From 11 on: 0x80,
// 0x40, and 0x20 where a length and a comment follow.
#include "records/xiangqi/stream.h"
#include "rules/game.h"

enum { HEADER = 1024, OLD = 10, NEWEST = 18 };

typedef struct {
    uint8_t board, from, to;
    uint32_t comment;
    uint8_t stream[32];
} xqf_keys;

// Headings in the order of the file, and what becomes of them.
static const struct {
    int offset, size; // of the length byte; bytes of text
    const char *tag;  // NULL: a field of the record
} headings[] = {
    {80, 63, "Title"},      {208, 63, NULL},        {272, 15, NULL},          {288, 15, NULL},
    {304, 15, NULL},        {320, 15, NULL},        {336, 63, "TimeControl"}, {400, 15, "RedTime"},
    {416, 15, "BlackTime"}, {464, 15, "Annotator"}, {480, 15, "Author"},
};
enum { HEADINGS = sizeof headings / sizeof headings[0], EVENT = 1, DATE, SITE, RED, BLACK };

static char *field_of(record *r, int heading, size_t *size) {
    *size = heading == DATE ? sizeof r->date : RECORD_TAG_SIZE;
    return heading == EVENT   ? r->event
           : heading == DATE  ? r->date
           : heading == SITE  ? r->site
           : heading == RED   ? r->first
           : heading == BLACK ? r->second
                              : NULL;
}

// --- reading ------------------------------------------------------------------------------------

static uint8_t byte_at(text bytes, size_t at) { return (uint8_t)bytes.at[at]; }

static uint8_t scramble(unsigned key, unsigned by) {
    return (uint8_t)((key * key * 54 + 221) * by);
}

static xqf_keys find_keys(text file) {
    static const char mask[] = "[(C) Copyright Mr. Dong Shiwei.]";
    xqf_keys k = {0};
    if (byte_at(file, 2) <= OLD)
        return k;
    k.board = scramble(byte_at(file, 13), byte_at(file, 13));
    k.from = scramble(byte_at(file, 14), k.board);
    k.to = scramble(byte_at(file, 15), k.from);
    k.comment = (byte_at(file, 12) * 256u + byte_at(file, 13)) % 32000 + 767;
    for (size_t i = 0; i < sizeof k.stream; i++)
        k.stream[i] = (uint8_t)(mask[i] & (byte_at(file, 8 + i % 4) |
                                           (byte_at(file, 12 + i % 4) & byte_at(file, 3))));
    return k;
}

// The point of a byte, or -1.
static int point_of(uint8_t place) { return place < 90 ? place % 10 * 9 + place / 10 : -1; }

static bool read_board(stream *s, text file, const xqf_keys *keys, fault *why) {
    int version = byte_at(file, 2);
    for (int i = 0; i < PIECES; i++) {
        int piece = version >= 12 ? (keys->board + 1 + i) % PIECES : i;
        int point = point_of((uint8_t)(byte_at(file, 16 + (size_t)i) - keys->board));
        if (point < 0)
            continue;
        if (s->board[point])
            return fault_set(why, "two pieces on one point");
        s->board[point] = piece_letters[piece];
    }
    s->is_black = byte_at(file, 50) == 1;
    return true;
}

static bool read_headings(stream *s, text file) {
    bool good = true;
    for (int i = 0; i < HEADINGS; i++) {
        size_t at = (size_t)headings[i].offset, length = byte_at(file, at);
        if (length > (size_t)headings[i].size) {
            record_drop(s->r, "the heading at byte %zu is cut", at);
            length = (size_t)headings[i].size;
        }
        good = stream_add_words(s, (text){file.at + at + 1, length}) && good;
    }
    stream_set_result(s, byte_at(file, 51) == 4 ? 3 : byte_at(file, 51)); // 4: a draw, too
    return good;
}

static void take_heading(record *r, int heading, text words) {
    static const char *const names[] = {
        [EVENT] = "Event", [DATE] = "Date", [SITE] = "Site", [RED] = "Red", [BLACK] = "Black"};
    size_t size;
    char *field = field_of(r, heading, &size);
    if (field)
        record_read_field(r, names[heading], field, size, words);
    else if (words.len)
        record_read_tag(r, text_of(headings[heading].tag), words);
}

// The tree's bytes, decrypted one by one.
typedef struct {
    text bytes;
    size_t at;
    const xqf_keys *keys;
} xqf_bytes;

static uint8_t next_byte(xqf_bytes *b) {
    uint8_t c = (uint8_t)(byte_at(b->bytes, b->at) - b->keys->stream[b->at % 32]);
    b->at++;
    return c;
}

// Reads a comment into the buffer; false where the file ends in the middle of it.
static bool read_comment(xqf_bytes *b, buffer *comment, fault *why) {
    uint32_t length = 0;
    buffer_clear(comment);
    if (b->bytes.len - b->at < 4)
        return fault_set(why, "the file is cut off");
    for (int i = 0; i < 4; i++)
        length |= (uint32_t)next_byte(b) << 8 * i;
    length -= b->keys->comment;
    if (length > b->bytes.len - b->at)
        return fault_set(why, "the file is cut off in a comment");
    if (!buffer_reserve(comment, length))
        return fault_set(why, "out of memory");
    for (; length; length--)
        buffer_char(comment, (char)next_byte(b));
    return true;
}

// Reads the record of one move. *is_move is false for the first, which holds only a comment.
static bool read_move(stream *s, xqf_bytes *b, bool is_old, buffer *comment, fault *why) {
    bool is_first = b->at == HEADER;
    if (b->bytes.len - b->at < 4)
        return fault_set(why, "the file is cut off");
    int from = point_of((uint8_t)(next_byte(b) - 24 - b->keys->from));
    int to = point_of((uint8_t)(next_byte(b) - 32 - b->keys->to));
    uint8_t flags = next_byte(b);
    next_byte(b);
    buffer_clear(comment);
    if ((is_old || flags & 0x20) && !read_comment(b, comment, why))
        return false;
    stream_move m = {from, to, (flags & (is_old ? 0xf0 : 0x80)) != 0,
                     (flags & (is_old ? 0x0f : 0x40)) != 0, buffer_text(comment)};
    if (is_first)
        return stream_set_start(s, m.comment, m.has_next, why);
    if (from < 0 || to < 0)
        return fault_set(why, "a move from or to a point off the board");
    return stream_play(s, &m, why);
}

static bool read_tree(stream *s, text file, const xqf_keys *keys, size_t *at, fault *why) {
    xqf_bytes b = {file, HEADER, keys};
    buffer comment = {0};
    bool good = true, is_old = byte_at(file, 2) <= OLD;
    for (*at = b.at; good && !s->is_over; *at = b.at)
        good = read_move(s, &b, is_old, &comment, why);
    buffer_free(&comment);
    if (good && b.at < file.len)
        record_drop(s->r, "%zu bytes behind the last move are left out", file.len - b.at);
    return good;
}

static record_status xqf_next(record_reader *reader, record *r, fault *why) {
    text file = reader->rest;
    stream s = {.r = r, .reader = reader, .coding = ENCODING_GB18030};
    fault inner = {""};
    size_t at = 0;
    if (file.len == 0)
        return RECORD_END;
    reader->rest = text_skip(file, file.len);
    if (file.len < HEADER || !text_starts(file, "XQ"))
        return record_refuse_byte(why, 0, "not an XQF file, or one that is cut off");
    if (byte_at(file, 2) < OLD || byte_at(file, 2) > NEWEST)
        return record_refuse_byte(why, 2, "XQF version %d: 10 to 18 are known", byte_at(file, 2));
    xqf_keys keys = find_keys(file);
    bool good = read_board(&s, file, &keys, &inner) &&
                (read_headings(&s, file) || fault_set(&inner, "out of memory")) &&
                read_tree(&s, file, &keys, &at, &inner) && stream_end(&s, take_heading, &inner);
    stream_free(&s);
    if (!good)
        return record_refuse_byte(why, at, "%s", inner.line);
    return RECORD_OK;
}

// --- writing, version 10 ------------------------------------------------------------------------

// Writes a heading, cut between two characters where it is too long.
static bool write_heading(char *header, int heading, const char *value) {
    buffer gbk = {0};
    text words = text_of(value);
    bool good = true;
    size_t size = (size_t)headings[heading].size;
    do {
        buffer_clear(&gbk);
        good = encoding_from_utf8(ENCODING_GB18030, words, &gbk);
        words = utf8_cut(words, words.len ? words.len - 1 : 0);
    } while (good && gbk.len > size);
    char *at = header + headings[heading].offset;
    if (good)
        at[0] = (char)gbk.len;
    if (good && gbk.len)
        memcpy(at + 1, gbk.bytes, gbk.len);
    buffer_free(&gbk);
    return good;
}

static uint8_t place_of(int point) { return (uint8_t)(point % 9 * 10 + point / 9); }

static bool write_header(const record *r, const rules_state *state, buffer *out) {
    static const char results[] = {0, 1, 2, 3};
    char header[HEADER] = {'X', 'Q', OLD};
    int points[PIECES];
    pieces_find(state, points);
    for (int i = 0; i < PIECES; i++)
        header[16 + i] = (char)(points[i] < 0 ? 255 : place_of(points[i]));
    header[50] = (char)rules_side_to_move(state);
    header[51] = results[r->result];
    header[64] = r->fen[0] ? 3 : 0;
    bool good = true;
    for (int i = 0; i < HEADINGS; i++) {
        size_t size;
        const char *field = field_of((record *)r, i, &size);
        const char *value = field ? field : record_find_tag(r, headings[i].tag);
        good = write_heading(header, i, value ? value : "") && good;
    }
    buffer_add(out, (text){header, HEADER});
    return good;
}

// Comments have CR LF, as the program that made the format writes them.
static bool write_node(const record *r, uint32_t n, buffer *out) {
    const record_node *node = &r->nodes[n];
    uint8_t flags = (uint8_t)((node->next ? 0xf0 : 0) | (node->other ? 0x0f : 0));
    buffer lines = {0}, gbk = {0};
    for (const char *c = record_comment(r, n); *c; c++)
        buffer_string(&lines, *c == '\n' ? "\r\n" : (const char[]){*c, '\0'});
    bool good = encoding_from_utf8(ENCODING_GB18030, buffer_text(&lines), &gbk) && !lines.failed;
    uint8_t from = n ? (uint8_t)(place_of(move_from(node->move)) + 24) : 24;
    uint8_t to = n ? (uint8_t)(place_of(move_to(node->move)) + 32) : 32;
    const uint8_t bytes[8] = {from,
                              to,
                              flags,
                              n ? 0 : 0xff,
                              (uint8_t)gbk.len,
                              (uint8_t)(gbk.len >> 8),
                              (uint8_t)(gbk.len >> 16),
                              (uint8_t)(gbk.len >> 24)};
    buffer_add(out, (text){(const char *)bytes, sizeof bytes});
    buffer_add(out, buffer_text(&gbk));
    buffer_free(&lines);
    buffer_free(&gbk);
    return good;
}

static bool xqf_write(const record *r, rules_notation notation, buffer *out, fault *why) {
    (void)notation; // the format's own
    replay p;
    bool good = replay_show(&p, r, why) && replay_check(&p, why);
    if (good)
        replay_go(&p, 0);
    good = good && (write_header(r, p.state, out) ||
                    fault_set(why, "a heading cannot be written in GB18030"));
    if (good && r->node_count == 0)
        buffer_add(out, (text){"\x18\x20\0\xff\0\0\0\0", 8});
    for (uint32_t n = 0, more = good && r->node_count; good && more;
         n = stream_next_node(r, n), more = n != 0)
        good = write_node(r, n, out) || fault_set(why, "a comment cannot be written in GB18030");
    replay_end(&p);
    return good;
}

static bool xqf_detect(text start) {
    return start.len >= HEADER && text_starts(start, "XQ") && byte_at(start, 2) >= 1 &&
           byte_at(start, 2) < ' ';
}

const format_row format_xqf = {
    .name = "xqf",
    .title = "XQF",
    .type = "application/octet-stream",
    .extension = "xqf",
    .game = &rules_xiangqi,
    .holds = HOLDS_VARIATIONS | HOLDS_COMMENTS | HOLDS_TAGS | HOLDS_RESULT,
    .is_binary = true,
    .is_single = true,
    .detect = xqf_detect,
    .next = xqf_next,
    .write = xqf_write,
};
