// Kraton's Surakarta endgame tables, for any program: values and distances of positions with few
// pieces. This header is all there is to the library and needs nothing else; what it declares stays
// as it is within a major version.
//
// Points are numbered row * 6 + column from the top left (a6 is 0, f1 is 35); a board is a 64-bit
// number with bit `point` set for every piece. Positions are given as the pieces of the side to
// move and the others; which of them is Black does not matter.
//
// Values and distances hold where nothing has happened before: right after a capture. Later a
// repetition or the no-capture limit may end the game first.
//
//     kraton_tb *tables = kraton_tb_open("tables", KRATON_TB_COUNT, 0, NULL, NULL);
//     int value = kraton_tb_value(tables, movers, others);
//     kraton_tb_close(tables);
//
// Open tables may be asked from any number of threads. Tables that are not there, and boards that
// are none, are answered with "unknown", never with a crash; files must not be changed in place
// while they are open (the builder never does).
#ifndef KRATON_TABLEBASE_PROBE_H
#define KRATON_TABLEBASE_PROBE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KRATON_TB_API __attribute__((visibility("default")))

// What it means when nobody captures any more.
enum {
    KRATON_TB_TRADITIONAL, // a draw
    KRATON_TB_COUNT,       // more pieces win, equal numbers draw: icga, olympiad2023, ccgc
};

// Values, for the side to move.
enum { KRATON_TB_LOSS = -1, KRATON_TB_DRAW, KRATON_TB_WIN, KRATON_TB_UNKNOWN };

// Distances: plies to the capture that keeps the value; 0 where it is reached by waiting.
enum { KRATON_TB_NO_DISTANCE = -1 };

// How to open; may be added up.
enum {
    KRATON_TB_TRUST = 1, // do not read all values to check their checksums first
    KRATON_TB_LOAD = 2,  // copy values to memory of large pages instead of mapping the files
};

typedef struct kraton_tb kraton_tb;

// Is told, in one line that names it, of a folder that cannot be read and of every file that is
// refused, also later. May be NULL.
typedef void kraton_tb_listener(void *context, const char *line);

// Opens the tables of a folder; NULL where there is none that can be used. What is refused is left
// out. The first call takes up to 0.2 s for the tables of the index.
KRATON_TB_API kraton_tb *kraton_tb_open(const char *folder, int rules, unsigned how,
                                        kraton_tb_listener *listener, void *context);
KRATON_TB_API void kraton_tb_close(kraton_tb *tables); // NULL is allowed

// The most pieces, both sides together, of which there is a table.
KRATON_TB_API int kraton_tb_pieces(const kraton_tb *tables);
// The longest distance in them.
KRATON_TB_API int kraton_tb_longest(const kraton_tb *tables);

// The value of a position; where one side has no pieces the game is over and no table needed.
KRATON_TB_API int kraton_tb_value(const kraton_tb *tables, uint64_t movers, uint64_t others);
// Its distance. Unpacks a block where it is not among those unpacked last: some 50 microseconds.
KRATON_TB_API int kraton_tb_distance(kraton_tb *tables, uint64_t movers, uint64_t others);

// The same in two steps, so that something else can be done while memory answers: where the value
// stands (and fetching it has begun), and the value. A spot that is all 0 is unknown.
typedef struct {
    const uint8_t *byte;
    unsigned digit;
} kraton_tb_spot;
KRATON_TB_API kraton_tb_spot kraton_tb_find(const kraton_tb *tables, uint64_t movers,
                                            uint64_t others);
KRATON_TB_API int kraton_tb_value_at(kraton_tb_spot spot);

// One table, counted over all placements of its pieces.
typedef struct {
    int movers, others;
    int has_distances;
    uint64_t entries; // stored; symmetric placements are one
    uint64_t win, draw, loss;
    int longest_win, longest_loss;
} kraton_tb_split;

// The n-th table by pieces and movers; 0 past the last.
KRATON_TB_API int kraton_tb_nth(const kraton_tb *tables, int n, kraton_tb_split *split);

#ifdef __cplusplus
}
#endif

#endif
