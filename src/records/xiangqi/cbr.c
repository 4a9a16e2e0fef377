// CBR and CBL, the files of CCBridge: one game, and a library of many. Numbers are little endian,
// text is in UTF-16LE, in fields of fixed size.
//
// A record starts with "CCBridge Record" and its kind at byte 19. Kinds 1 and 2 differ in where the
// fields are; below are those of kind 2, kind 1 has no script file and comes 128 or 256 bytes
// earlier.
//   180 title   692 event    756 round  884 date  948 site  1076 Red  1140 its team
//  1300 Black  1364 its team 1652 commentator     1780 author
//  2076 result: 0 unknown, 1 Red, 2 Black, 3 draw
//  2112 whose turn it is: 1 Red's, 2 Black's      2116 move number
//  2120 the board: 90 bytes, Black's back rank first; 0x1n a red, 0x2n a black piece, n from 1:
//       chariot, horse, elephant, advisor, general, cannon, pawn
//  2214 the tree (see stream.h): 4 bytes a move: flags, nothing, point left, point reached. Flags:
//       1 nothing follows, 2 an alternative comes, 4 a length and a comment follow. The first move
//       goes nowhere and has the comment of the start.
//
// A library starts with "CCBridgeLibrary" and has its records at multiples of 4096 bytes behind a
// table with 276 bytes for each of the slots whose number is at byte 60. Those of the first
// CCBridge are another format: cbl_old.h.
#include "base/minmax.h"
#include "records/xiangqi/cbl_old.h"
#include "records/xiangqi/stream.h"
#include "rules/game.h"

enum {
    KIND_AT = 19,
    LIBRARY_HEAD = 66624,
    LIBRARY_ENTRY = 276,
    RECORD_STEP = 4096,
    END_OF_BOARD = 102 // from the side to move to the tree
};

static const char record_magic[] = "CCBridge Record", library_magic[] = "CCBridgeLibrary";

// Text fields of both kinds, and what becomes of them.
static const struct {
    size_t at[2], size;
    const char *tag; // NULL: a field of the record
} headings[] = {
    {{52, 180}, 128, "Title"},       {{564, 692}, 64, NULL},       {{628, 756}, 64, "Round"},
    {{756, 884}, 64, NULL},          {{820, 948}, 64, NULL},       {{948, 1076}, 64, NULL},
    {{1012, 1140}, 64, "RedTeam"},   {{1172, 1300}, 64, NULL},     {{1236, 1364}, 64, "BlackTeam"},
    {{1396, 1652}, 64, "Annotator"}, {{1524, 1780}, 64, "Author"},
};
enum { HEADINGS = sizeof headings / sizeof headings[0] };

static char *field_of(record *r, int heading, size_t *size) {
    *size = heading == 3 ? sizeof r->date : RECORD_TAG_SIZE;
    return heading == 1   ? r->event
           : heading == 3 ? r->date
           : heading == 4 ? r->site
           : heading == 5 ? r->first
           : heading == 7 ? r->second
                          : NULL;
}

static uint8_t byte_at(text bytes, size_t at) { return (uint8_t)bytes.at[at]; }

static uint32_t number_at(text bytes, size_t at) {
    return byte_at(bytes, at) | (uint32_t)byte_at(bytes, at + 1) << 8 |
           (uint32_t)byte_at(bytes, at + 2) << 16 | (uint32_t)byte_at(bytes, at + 3) << 24;
}

// --- reading ------------------------------------------------------------------------------------

static void take_heading(record *r, int heading, text words) {
    static const char *const names[] = {
        [1] = "Event", [3] = "Date", [4] = "Site", [5] = "Red", [7] = "Black"};
    size_t size;
    char *field = field_of(r, heading, &size);
    if (field)
        record_read_field(r, names[heading], field, size, words);
    else if (words.len)
        record_read_tag(r, text_of(headings[heading].tag), words);
}

// The board counts from Black's back rank.
static int point_of(int kind, uint8_t place) {
    if (kind == 1) // file and row in a nibble each
        return place >> 4 < 9 && (place & 15) < 10 ? (9 - (place & 15)) * 9 + (place >> 4) : -1;
    return place < POINTS ? (9 - place / 9) * 9 + place % 9 : -1;
}

static bool read_board(stream *s, text board, fault *why) {
    static const char letters[] = "?RNBAKCP";
    for (int i = 0; i < POINTS; i++) {
        int piece = byte_at(board, (size_t)i), side = piece >> 4, type = piece & 15;
        if (side != 1 && side != 2)
            continue;
        if (type < 1 || type > 7)
            return fault_set(why, "no piece has the number %d", piece);
        s->board[(9 - i / 9) * 9 + i % 9] = (char)(letters[type] + (side == 2 ? 'a' - 'A' : 0));
    }
    return true;
}

static bool read_tree(stream *s, text file, int kind, size_t *at, fault *why) {
    bool good = true, is_first = true;
    while (good && !s->is_over) {
        text rest = text_skip(file, *at);
        if (rest.len < 4)
            return fault_set(why, "the file is cut off");
        uint8_t flags = byte_at(rest, 0);
        stream_move m = {.from = point_of(kind, byte_at(rest, 2)),
                         .to = point_of(kind, byte_at(rest, 3)),
                         .has_next = !(flags & 1),
                         .has_other = flags & 2};
        *at += 4;
        if (flags & 4) {
            if (rest.len < 8 || number_at(rest, 4) > rest.len - 8)
                return fault_set(why, "the file is cut off in a comment");
            m.comment = (text){rest.at + 8, number_at(rest, 4)};
            *at += 4 + m.comment.len;
        }
        if (is_first && byte_at(rest, 2) == byte_at(rest, 3)) {
            good = stream_set_start(s, m.comment, m.has_next, why);
        } else if (m.from < 0 || m.to < 0 || flags > 7) {
            good = fault_set(why, "a move from or to a point off the board");
        } else {
            good = stream_play(s, &m, why);
        }
        is_first = false;
    }
    return good;
}

static bool read_record(stream *s, text file, size_t *at, fault *why) {
    if (!text_starts(file, record_magic) || file.len <= KIND_AT)
        return fault_set(why, "not a record of CCBridge");
    int kind = byte_at(file, KIND_AT);
    if (kind != 1 && kind != 2)
        return fault_set(why, "a record of kind %d: 1 and 2 are known", kind);
    size_t side = kind == 1 ? 1856 : 2112, result = kind == 1 ? 1820 : 2076;
    if (file.len < side + END_OF_BOARD)
        return fault_set(why, "the file is cut off");
    bool good = true;
    for (int i = 0; good && i < HEADINGS; i++)
        good = stream_add_words(s, (text){file.at + headings[i].at[kind - 1], headings[i].size}) ||
               fault_set(why, "out of memory");
    stream_set_result(s, byte_at(file, result));
    s->is_black = byte_at(file, side) == 2;
    *at = side + END_OF_BOARD;
    return good && read_board(s, text_skip(file, side + 8), why) &&
           read_tree(s, file, kind, at, why) && stream_end(s, take_heading, why);
}

// Reads the record that starts `start` bytes into the file.
static record_status read_at(record_reader *reader, record *r, text file, size_t start,
                             fault *why) {
    stream s = {.r = r, .reader = reader, .coding = ENCODING_UTF16LE};
    fault inner = {""};
    size_t at = 0;
    bool good = read_record(&s, file, &at, &inner);
    stream_free(&s);
    if (!good)
        return record_refuse_byte(why, start + at, "%s", inner.line);
    return RECORD_OK;
}

static record_status cbr_next(record_reader *reader, record *r, fault *why) {
    text file = reader->rest;
    if (file.len == 0)
        return RECORD_END;
    reader->rest = text_skip(file, file.len);
    return read_at(reader, r, file, 0, why);
}

// Where the next record of a library starts, from a place on; the end where there is none.
static size_t find_record(text all, size_t at) {
    while (at < all.len && !text_starts(text_skip(all, at), record_magic))
        at += RECORD_STEP;
    return min_size(at, all.len);
}

// Whether a record has no piece on its board: a slot whose game was deleted.
static bool is_empty(text file) {
    size_t board = file.len > KIND_AT && byte_at(file, KIND_AT) == 1 ? 1864 : 2120;
    for (size_t i = 0; i < POINTS; i++)
        if (board + i >= file.len || file.at[board + i])
            return false;
    return true;
}

static record_status cbl_next(record_reader *reader, record *r, fault *why) {
    if (reader->decoded.len || cbl_old_detect(reader->all))
        return cbl_old_next(reader, r, why);
    text all = reader->all;
    size_t at = (size_t)(reader->rest.at - all.at);
    bool is_fresh = at == 0;
    if (reader->rest.len == 0)
        return RECORD_END;
    if (is_fresh) {
        bool is_good = text_starts(all, library_magic) && all.len > LIBRARY_HEAD;
        at = is_good ? LIBRARY_HEAD + (size_t)number_at(all, 60) * LIBRARY_ENTRY : all.len;
        if (!is_good || at > all.len)
            return reader->rest = text_skip(all, all.len),
                   record_refuse_byte(why, 0, "not a library of CCBridge, or one that is cut off");
    }
    size_t end;
    do {
        at = find_record(all, at);
        if (at == all.len) {
            reader->rest = text_skip(all, all.len);
            return RECORD_END;
        }
        end = find_record(all, at + RECORD_STEP);
        reader->rest = text_skip(all, end);
    } while (is_empty((text){all.at + at, end - at}) && (at = end, true));
    return read_at(reader, r, (text){all.at + at, end - at}, at, why);
}

// --- writing, kind 2 ----------------------------------------------------------------------------

// Writes a heading, cut between two characters where it is too long.
static void write_heading(char *header, int heading, const char *value) {
    buffer wide = {0};
    size_t size = headings[heading].size - 2;
    if (encoding_from_utf8(ENCODING_UTF16LE, text_of(value), &wide) && wide.len) {
        if (wide.len > size)
            wide.len = size - ((uint8_t)wide.bytes[size - 1] >> 2 == 0xd8 >> 2 ? 2 : 0);
        memcpy(header + headings[heading].at[1], wide.bytes, wide.len);
    }
    buffer_free(&wide);
}

static void write_header(const record *r, const rules_state *state, buffer *out) {
    enum { SIZE = 2214 };
    static const char letters[] = ".RNBAKCP";
    char header[SIZE] = {0};
    memcpy(header, record_magic, sizeof record_magic);
    header[KIND_AT] = 2;
    for (int i = 0; i < HEADINGS; i++) {
        size_t size;
        const char *field = field_of((record *)r, i, &size);
        const char *value = field ? field : record_find_tag(r, headings[i].tag);
        write_heading(header, i, value ? value : "");
    }
    header[2076] = (char)r->result;
    header[2112] = (char)(rules_side_to_move(state) + 1);
    header[2116] = 1;
    for (int i = 0; i < POINTS; i++) {
        char piece = rules_piece_at(state, (9 - i / 9) * 9 + i % 9);
        bool is_black = piece >= 'a';
        const char *at = strchr(letters, is_black ? piece - 'a' + 'A' : piece);
        if (piece != '.' && at)
            header[2120 + i] = (char)((is_black ? 0x20 : 0x10) | (at - letters));
    }
    memset(header + 2210, 0xff, 4);
    buffer_add(out, (text){header, SIZE});
}

static void write_node(const record *r, uint32_t n, buffer *out) {
    static const record_node nothing;
    const record_node *node = r->node_count ? &r->nodes[n] : &nothing;
    buffer wide = {0};
    if (record_comment(r, n)[0] &&
        !encoding_from_utf8(ENCODING_UTF16LE, text_of(record_comment(r, n)), &wide))
        buffer_clear(&wide);
    int from = move_from(node->move), to = move_to(node->move);
    const char bytes[8] = {
        (char)((node->next ? 0 : 1) | (node->other ? 2 : 0) | (wide.len ? 4 : 0)),
        0,
        (char)(n ? (9 - from / 9) * 9 + from % 9 : 0),
        (char)(n ? (9 - to / 9) * 9 + to % 9 : 0),
        (char)wide.len,
        (char)(wide.len >> 8),
        (char)(wide.len >> 16),
        (char)(wide.len >> 24)};
    buffer_add(out, (text){bytes, wide.len ? 8 : 4});
    buffer_add(out, buffer_text(&wide));
    buffer_free(&wide);
}

static bool cbr_write(const record *r, rules_notation notation, buffer *out, fault *why) {
    (void)notation; // the format's own
    replay p;
    bool good = replay_show(&p, r, why) && replay_check(&p, why);
    if (good) {
        replay_go(&p, 0);
        write_header(r, p.state, out);
        uint32_t n = 0;
        do
            write_node(r, n, out);
        while ((n = stream_next_node(r, n)));
    }
    replay_end(&p);
    return good;
}

static bool cbr_detect(text start) { return text_starts(start, record_magic); }

static bool cbl_detect(text start) {
    return text_starts(start, library_magic) || cbl_old_detect(start);
}

const format_row format_cbr = {
    .name = "cbr",
    .title = "CBR",
    .type = "application/octet-stream",
    .extension = "cbr",
    .game = &rules_xiangqi,
    .holds = HOLDS_VARIATIONS | HOLDS_COMMENTS | HOLDS_TAGS | HOLDS_RESULT,
    .is_binary = true,
    .is_single = true,
    .detect = cbr_detect,
    .next = cbr_next,
    .write = cbr_write,
};

const format_row format_cbl = {
    .name = "cbl",
    .title = "CBL",
    .type = "application/octet-stream",
    .extension = "cbl",
    .game = &rules_xiangqi,
    .holds = HOLDS_VARIATIONS | HOLDS_COMMENTS | HOLDS_TAGS | HOLDS_RESULT,
    .is_binary = true,
    .detect = cbl_detect,
    .next = cbl_next,
};
