// What the formats of Xiangqi share: boards given by the points of the 32 pieces, and trees stored
// as a stream of moves. In the stream a move is followed by what is played after it and then, where
// that was promised, by the alternative to it.
#ifndef KRATON_RECORDS_XIANGQI_STREAM_H
#define KRATON_RECORDS_XIANGQI_STREAM_H

#include "base/encoding.h"
#include "records/format.h"

// --- boards -------------------------------------------------------------------------------------

enum { PIECES = 32, POINTS = 90 };

// The letter of each of the 32 pieces: chariot, horse, elephant, advisor, general, advisor,
// elephant, horse, chariot, two cannons, five pawns, Red's and then Black's.
extern const char piece_letters[PIECES + 1];

// Where each of the 32 pieces stands; -1: it is off the board.
void pieces_find(const rules_state *state, int points[PIECES]);
// Writes the FEN of a board, a letter a point or '\0', without counters.
void pieces_write_fen(const char board[POINTS], bool is_black, writer *out);

// --- streams ------------------------------------------------------------------------------------

// A stream being read into a record.
typedef struct {
    record *r;
    const record_reader *reader;
    char board[POINTS]; // to start from
    bool is_black;      // whose turn it is where there is no move
    encoding coding;    // of comments
    bool is_started;
    replay game;
    uint32_t at;       // node that the next move follows; STREAM_LOST: none
    bool is_over;      // no move follows
    uint32_t *pending; // nodes that still have an alternative to come behind them
    size_t pending_count, pending_capacity;
    buffer words; // headings and comments as they are in the file, each with a terminator
    struct stream_comment {
        uint32_t node;
    } * comments;
    size_t comment_count, comment_capacity;
} stream;

// Adds words of a heading: they come back, decoded, from stream_end in the same order.
MUST_USE bool stream_add_words(stream *s, text raw);

typedef struct {
    int from, to; // points
    bool has_next, has_other;
    text comment; // raw
} stream_move;

// The words before the first move.
MUST_USE bool stream_set_start(stream *s, text comment, bool has_next, fault *why);
// Plays the next move of the stream. A variation that cannot be played is left out with a remark.
MUST_USE bool stream_play(stream *s, const stream_move *move, fault *why);
// Ends the stream: decodes words and comments. Headings are given to `take` one by one.
MUST_USE bool stream_end(stream *s, void (*take)(record *r, int heading, text words), fault *why);
// Sets the result of a file's number: 0 unknown, 1 Red, 2 Black, 3 draw.
void stream_set_result(stream *s, unsigned number);
void stream_free(stream *s);

// The node behind a node in the order of a stream; 0 at the end.
uint32_t stream_next_node(const record *r, uint32_t node);

#endif
