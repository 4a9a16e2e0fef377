// A file has "CCBridge", the numbers 21 and 3, the size of what follows and a zlib stream. Numbers
// have four bytes, little endian; strings are a number and so many bytes of GB18030. Unpacked:
//    0 length of the name and the name, in 34 bytes; two dates of 19 bytes
//   72 number of games; a number; the games
// A game: its size; 32 pieces (stream.h): file and row from Black's left corner, a nibble each and
// both counted from 1, 0 where it is off the board; three numbers; the title; six strings that no
// file has filled so far; the result, 1 Red, 2 Black, 3 draw; four more such strings; the comment
// of the start; a byte; two dates of 19 bytes; the number of moves; the moves, six bytes each: the
// ply in two, the point left, the point reached (as above, from 0), two more; and a line of comment
// for each move. A move whose ply is not one more than that of the move before is an alternative to
// the move at that ply of the line at hand.
#include "records/xiangqi/cbl_old.h"

#include "base/inflate.h"
#include "base/vector.h"
#include "records/xiangqi/stream.h"

#include <stdlib.h>

enum { HEAD = 20, GAMES_AT = 80, DATES = 38, MOVE = 6, UNPACKED_MAX = 64 << 20 };

static const char magic[] = "CCBridge\x15\0\0\0\3\0\0"; // with its terminator 16 bytes

bool cbl_old_detect(text start) {
    return start.len >= sizeof magic && memcmp(start.at, magic, sizeof magic) == 0;
}

// --- fields -------------------------------------------------------------------------------------

// Cuts so many bytes off the game; fewer where it is cut off, which shows.
static text take_bytes(text *game, size_t size, bool *good) {
    *good = *good && size <= game->len;
    text bytes = {game->at, *good ? size : 0};
    *game = text_skip(*game, bytes.len);
    return bytes;
}

static uint32_t take_number(text *game, bool *good) {
    text b = take_bytes(game, 4, good);
    uint32_t n = 0;
    for (size_t i = b.len; i-- > 0;)
        n = n << 8 | (unsigned char)b.at[i];
    return n;
}

static text take_string(text *game, bool *good) {
    return take_bytes(game, take_number(game, good), good);
}

// Strings that no file has filled so far: how many of them are filled.
static unsigned skip_strings(text *game, int count, bool *good) {
    unsigned filled = 0;
    while (count--)
        filled += take_string(game, good).len != 0;
    return filled;
}

// The point of two nibbles that count from `first`, or -1.
static int point_of(unsigned char place, int first) {
    int file = (place >> 4) - first, row = (place & 15) - first;
    return file >= 0 && file < 9 && row >= 0 && row < 10 ? (9 - row) * 9 + file : -1;
}

// --- a game -------------------------------------------------------------------------------------

static bool read_board(stream *s, text pieces, fault *why) {
    for (size_t i = 0; i < pieces.len; i++) {
        unsigned char place = (unsigned char)pieces.at[i];
        int point = point_of(place, 1);
        if (place && point < 0)
            return fault_set(why, "a piece off the board");
        if (place)
            s->board[point] = piece_letters[i];
    }
    return true;
}

// Plays a move behind the node of the ply before it; path: the nodes of the line at hand.
static bool read_move(stream *s, text bytes, text comment, uint32_t *path, size_t *plies,
                      fault *why) {
    const unsigned char *b = (const unsigned char *)bytes.at;
    size_t ply = b[0] | (size_t)b[1] << 8;
    stream_move m = {point_of(b[2], 0), point_of(b[3], 0), .has_next = true, .comment = comment};
    if (ply == 0 || ply > *plies + 1 || m.from < 0 || m.to < 0)
        return fault_set(why, "a move that follows nothing, or from or to a point off the board");
    s->at = path[ply - 1];
    if (!stream_play(s, &m, why))
        return false;
    path[ply] = s->at;
    *plies = ply;
    return true;
}

static bool read_moves(stream *s, text moves, text comments, fault *why) {
    size_t count = moves.len / MOVE, plies = 0;
    uint32_t *path = calloc(count + 1, sizeof *path);
    bool good = path || fault_set(why, "out of memory");
    for (size_t i = 0; good && i < count; i++)
        good = read_move(s, (text){moves.at + i * MOVE, MOVE}, text_next_line(&comments), path,
                         &plies, why);
    free(path);
    if (good && text_trim(comments).len)
        record_drop(s->r, "comments behind those of the moves are left out");
    return good;
}

static void take_title(record *r, int heading, text words) {
    (void)heading; // there is but one
    if (words.len)
        record_read_tag(r, text_of("Title"), words);
}

static bool read_game(stream *s, text game, fault *why) {
    bool good = true;
    text pieces = take_bytes(&game, PIECES, &good);
    take_bytes(&game, 12, &good);
    text title = take_string(&game, &good);
    unsigned unknown = skip_strings(&game, 6, &good);
    uint32_t result = take_number(&game, &good);
    unknown += skip_strings(&game, 4, &good);
    text comment = take_string(&game, &good);
    take_bytes(&game, 1 + DATES, &good);
    uint32_t count = take_number(&game, &good);
    text moves = take_bytes(&game, (size_t)count * MOVE, &good);
    if (!good)
        return fault_set(why, "the game is cut off");
    stream_set_result(s, result);
    if (unknown)
        record_drop(s->r, "%u headings of unknown meaning are left out", unknown);
    return (stream_add_words(s, title) || fault_set(why, "out of memory")) &&
           stream_set_start(s, comment, count > 0, why) && read_board(s, pieces, why) &&
           read_moves(s, moves, game, why) && stream_end(s, take_title, why);
}

// --- the library --------------------------------------------------------------------------------

static bool unpack(record_reader *reader) {
    buffer *out = &reader->decoded;
    if (!inflate_zlib(text_skip(reader->all, HEAD), UNPACKED_MAX, out) || out->len < GAMES_AT)
        return false;
    reader->all = buffer_text(out);
    reader->rest = text_skip(reader->all, GAMES_AT);
    return true;
}

record_status cbl_old_next(record_reader *reader, record *r, fault *why) {
    if (reader->decoded.len == 0 && !unpack(reader)) {
        reader->rest.len = 0;
        return record_refuse_byte(why, HEAD, "the library is damaged or cut off");
    }
    if (reader->rest.len == 0)
        return RECORD_END;
    bool good = true;
    size_t start = (size_t)(reader->rest.at - reader->all.at);
    text rest = reader->rest;
    uint32_t size = take_number(&rest, &good);
    text game = take_bytes(&rest, good && size >= 4 ? size - 4 : rest.len + 1, &good);
    reader->rest = good ? rest : text_skip(reader->all, reader->all.len);
    if (!good)
        return record_refuse_byte(why, start, "the library is cut off");
    stream s = {.r = r, .reader = reader, .coding = ENCODING_GB18030};
    fault inner = {""};
    good = read_game(&s, game, &inner);
    stream_free(&s);
    if (!good)
        return record_refuse_byte(why, start, "%s", inner.line);
    return RECORD_OK;
}
