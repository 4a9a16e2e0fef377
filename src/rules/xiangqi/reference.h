// Xiangqi a second time, with the structures of paper 5 (docs/papers.md): slow, plain and
// independent of the fast generator, which the tests hold against it. `kraton bench papers` shows
// what each of the paper's ideas is worth.
//
// The board is one row of numbers, ten columns wide, with a border above and to the left; Black's
// back rank is row 1, Red's row 10, so a0 is square 101 and i9 is 19. A man is one of 32 numbers:
// which man, not only what kind. Moves are 16 bits of these squares.
//
// Positions are plain values. Nothing allocates; different positions may go to different threads.
#ifndef KRATON_RULES_XIANGQI_REFERENCE_H
#define KRATON_RULES_XIANGQI_REFERENCE_H

#include "rules/xiangqi/xiangqi.h"

enum {
    XQR_EMPTY = 0,   // 1-16 are Red's men
    XQR_BORDER = 17, // 18-33 are Black's
    XQR_NUMBERS = 34,
    XQR_RED_KING = 16,
    XQR_BLACK_KING = 33,
    XQR_SQUARES =
        121, // the paper's 110, a border below it, and one more for a horse's look past it
    XQR_CAPTURES = 60, // room at the front of a move list, as in the paper
    XQR_QUIETS = 111,  // room behind it; the paper's 110 is one too few
};

// Directions of dirnext, in the paper's order.
typedef enum { XQR_RIGHT, XQR_DOWN, XQR_LEFT, XQR_UP } xq_reference_direction;

typedef struct {
    uint8_t board[XQR_SQUARES];       // number on each square
    uint8_t piece_table[XQR_NUMBERS]; // square of each man, 0 when taken
    uint8_t dirnext[XQR_NUMBERS][4];  // the nearest man or border each way; only if linked
    bool linked;                      // whether dirnext is kept and used
    uint8_t stm;
    uint16_t quiet, number; // as in xq_pos
} xq_reference;

// Captures lie in moves[0..captures), quiet moves in moves[XQR_CAPTURES..XQR_CAPTURES + quiets).
typedef struct {
    rules_move moves[XQR_CAPTURES + XQR_QUIETS];
    int captures, quiets;
} xq_reference_list;

extern const uint8_t xq_reference_type[XQR_NUMBERS]; // XQ_CHARIOT, ...; 0 for none

// The same position in these structures; linked: with dirnext.
void xq_reference_set_up(xq_reference *pos, const xq_pos *from, bool linked);
// A move in xq_pos's points, and the piece on one of those points.
rules_move xq_reference_to_points(rules_move move);
int xq_reference_piece_at(const xq_reference *pos, int point);

// Plays a move that is at least pseudo-legal and returns the man it took, 0 for none.
int xq_reference_make(xq_reference *pos, rules_move move);
void xq_reference_undo(xq_reference *pos, rules_move move, int captured, uint16_t quiet);

// The square of the nearest man or border from a man on the board: by dirnext, or by looking.
int xq_reference_next(const xq_reference *pos, int number, xq_reference_direction d);
bool xq_reference_kings_face(const xq_reference *pos);
// Whether that side's king is attacked, the other king facing it included.
bool xq_reference_in_check(const xq_reference *pos, int side);
// Pseudo-legal moves, and those of them that leave the king safe.
void xq_reference_generate_all(const xq_reference *pos, xq_reference_list *list);
void xq_reference_generate(xq_reference *pos,
                           xq_reference_list *list); // pos is used and left as it was
// As xq_perft; the second on a position already set up, which is used and left as it was.
uint64_t xq_reference_perft(const xq_pos *pos, int depth, uint64_t *captures);
uint64_t xq_reference_count(xq_reference *pos, int depth, uint64_t *captures);

#endif
