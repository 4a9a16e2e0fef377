// A Xiangqi move as players say it: which piece, which way, how far. WXF and Chinese notation are
// two spellings of the same thing; this is the thing, wxf.c and chinese.c are the spellings.
#ifndef KRATON_RULES_XIANGQI_SPOKEN_H
#define KRATON_RULES_XIANGQI_SPOKEN_H

#include "base/bits.h"
#include "base/text.h"
#include "rules/move.h"
#include "rules/xiangqi/xiangqi.h"

// Tells a piece from others of its kind on the same file.
typedef enum {
    STACK_NONE,
    STACK_FRONT,
    STACK_MIDDLE,
    STACK_REAR,
    STACK_PLUS,     // WXF's +: the front one, but the second of four or five
    STACK_MINUS,    // WXF's -: the rear one, but the last but one of four or five
    STACK_FOREMOST, // the first of four or five
    STACK_REARMOST, // the last of four or five
    STACK_ORDINAL,  // counted from the front; over all files with several, the right one first
} spoken_mark;

typedef enum { SPOKEN_BACK = -1, SPOKEN_SIDEWAYS, SPOKEN_FORWARD } spoken_way;

typedef struct {
    int type;
    int file; // the mover's own number for it, 1 on its right; 0 where it is not said
    spoken_mark mark;
    int ordinal; // for STACK_ORDINAL, 1..5
    spoken_way way;
    int number; // the file reached, or the points gone along the file: 1..9
} spoken_move;

// How a piece stands among the others of its side and kind.
typedef struct {
    int count;   // on its file, itself included
    int place;   // on its file from the front, 1..count
    int stacks;  // files with more than one
    int ordinal; // within all stacks, for STACK_ORDINAL; meaningless where count is 1
} spoken_census;

// The file's number as the side counts: from 1 on its right to 9.
int spoken_file(int side, int point);

spoken_census spoken_take_census(const xq_pos *pos, int point);

// Fills in type, file, way and number of a legal move; which mark to use is the spelling's affair.
spoken_move spoken_describe(const xq_pos *pos, rules_move move);

// Whether marks are ever needed: advisors and elephants on one file cannot be confused, since only
// the front one can go back and only the rear one forward.
bool spoken_needs_mark(int type, const spoken_census *census);

// Finds the one legal move that is meant, or says why there is none.
MUST_USE bool spoken_resolve(const xq_pos *pos, const spoken_move *said, rules_move *move,
                             fault *why);

// The spellings. Reading gets the whole word; writing gets a legal move.
MUST_USE bool wxf_parse(const xq_pos *pos, text word, rules_move *move, fault *why);
void wxf_format(const xq_pos *pos, rules_move move, writer *out);
MUST_USE bool chinese_parse(const xq_pos *pos, text word, rules_move *move, fault *why);
void chinese_format(const xq_pos *pos, rules_move move, writer *out);

#endif
