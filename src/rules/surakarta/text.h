// Surakarta as text: positions as FEN, moves in every notation, the route of a capture, the board
// drawn with characters. Reading never trusts its input: whatever the bytes, the answer is a
// position or a legal move, or one line that says what is wrong. Nothing here allocates or keeps
// state; any thread may call it. docs/rules-surakarta.md describes the notations.
#ifndef KRATON_RULES_SURAKARTA_TEXT_H
#define KRATON_RULES_SURAKARTA_TEXT_H

#include "rules/rules.h"
#include "rules/surakarta/surakarta.h"

#define SK_START_FEN "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1"

const char *sk_side_name(int side); // "Black", "White"

// Reads `BOARD SIDE [PLIES [NUMBER]]`: six rows from the top of b, w and counts of empty points, b
// or w to move, plies since the last capture, move number. One side may be wiped out, not both.
MUST_USE bool sk_parse_fen(sk_pos *pos, text fen, fault *why);
void sk_format_fen(const sk_pos *pos, writer *out);

// The name of a point, a6 for 0.
typedef struct {
    char name[3];
} sk_point_name;
sk_point_name sk_name_point(int point);

// Reads a legal move in one notation (a rules_notation) or, for -1, in any, contest records' too.
MUST_USE bool sk_parse_move(const sk_pos *pos, int notation, text word, rules_move *move,
                            fault *why);
// Writes a legal move; nothing where Surakarta lacks the notation.
void sk_format_move(const sk_pos *pos, rules_move move, rules_notation notation, writer *out);

// The moves of contest records, in UTF-8: `B2E-3E`, `R6C×4A` (X and x for × too). The side must be
// the one to move and the sign must say truly whether a piece is taken.
MUST_USE bool sk_parse_contest_move(const sk_pos *pos, text word, rules_move *move, fault *why);
void sk_format_contest_move(const sk_pos *pos, rules_move move, writer *out);

// Says in words why the side to move may not play from one point to another. Always false.
bool sk_explain_move(const sk_pos *pos, int from, int to, fault *why);

// All routes of a legal capture, shortest first; returns how many, 0 for any other move.
int sk_capture_routes(const sk_pos *pos, rules_move move, rules_route routes[4]);

// Draws the board with its eight loops in 16 lines of at most 43 characters.
void sk_draw(const sk_pos *pos, const rules_drawing *how, writer *out);

#endif
