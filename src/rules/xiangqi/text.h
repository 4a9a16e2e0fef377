// Xiangqi as text: positions as FEN, moves in every notation, the board drawn with characters.
// Reading never trusts its input: whatever the bytes, the answer is a legal position or move, or
// one line that says what is wrong. Nothing here allocates or keeps state; any thread may call it.
// docs/notation.md describes the notations.
#ifndef KRATON_RULES_XIANGQI_TEXT_H
#define KRATON_RULES_XIANGQI_TEXT_H

#include "rules/rules.h"
#include "rules/xiangqi/xiangqi.h"

// Reads `BOARD SIDE [- -] [PLIES [NUMBER]]`: the board from Black's back rank down with the letters
// R N B A K C P (H for N and E for B too, capitals are Red), SIDE w, r or b, the plies since the
// last capture and the move number. Refuses what no game can reach: see docs/notation.md.
MUST_USE bool xq_parse_fen(xq_pos *pos, text fen, fault *why);
void xq_format_fen(const xq_pos *pos, writer *out);

// Reads a legal move in one notation (a rules_notation) or, for -1, in any but NOTATION_UCI1.
MUST_USE bool xq_parse_move(const xq_pos *pos, int notation, text word, rules_move *move,
                            fault *why);
// Writes a legal move; nothing where Xiangqi lacks the notation.
void xq_format_move(const xq_pos *pos, rules_move move, rules_notation notation, writer *out);

// Draws the board, ten ranks and the river, within 80 by 24 characters.
void xq_draw(const xq_pos *pos, const rules_drawing *how, writer *out);

#endif
