// The positions games start from: read from a file, or made up from a seed where there is none.
//
//   lists     a FEN or EPD a line; what follows the FEN (EPD's operations) and everything from # on
//             is passed over
//   records   the games of any format of record.h, PGN above all: the position after so many plies,
//             or at the game's end. Games decided by then are passed over
//   made up   balanced positions, see openings_is_balanced; where there is a judge, those that it
//             calls even. Number k depends on the game, the seed, the number of plies, the judge
//             and k alone; the first OPENINGS_DISTINCT are all different, mirror images counted as
//             equal
//
// The caller owns what openings_new and openings_load return. openings_fen keeps notes, so one
// object is for one thread.
#ifndef KRATON_RECORDS_OPENINGS_H
#define KRATON_RECORDS_OPENINGS_H

#include "rules/game.h"

enum {
    OPENINGS_DISTINCT = 65536,
    OPENINGS_MAX_PLIES = 40,
    OPENINGS_LINE_MAX = 256 // moves that can lead to an opening
};

typedef struct openings openings;

// Whether a position gives both sides the same chances; the same answer every time.
typedef bool openings_judge(void *context, const char *fen);

typedef struct {
    bool shuffled; // by seed; else in the order of the file
    uint64_t seed;
    int plies; // records: position after so many, -1 for the end. Made up: -1 for the game's
               // default
    openings_judge *judge; // of made-up ones; NULL: at first sight is enough
    void *judge_context;
} openings_choice;

// Made-up openings; plies is -1 or 0 to OPENINGS_MAX_PLIES. NULL when memory runs out.
openings *openings_new(const rules_game *game, const openings_choice *choice);
// The openings in a file's bytes. NULL, with what is wrong and the line it is in, where there are
// none or one is bad.
openings *openings_load(const rules_game *game, text bytes, const openings_choice *choice,
                        fault *why);
void openings_free(openings *o);

// How many there are; 0: without end.
uint32_t openings_count(const openings *o);
// Writes the FEN of number k and returns it; those of a file start again after the last. NULL when
// memory runs out.
const char *openings_fen(openings *o, uint32_t k, char fen[RULES_FEN_SIZE]);

// Writes the moves that lead from the start position to number k, for engines that cannot set up
// positions. Returns how many they are; -1 where nobody knows: positions of a list other than the
// start position, and games that start elsewhere or take more than OPENINGS_LINE_MAX moves.
int openings_line(openings *o, uint32_t k, rules_move moves[OPENINGS_LINE_MAX]);
// Whether openings_line knows the moves of all of them.
bool openings_have_lines(const openings *o);

// Plies of made-up openings where nobody says how many.
int openings_default_plies(const rules_game *game);

// Whether a position favours nobody at first sight: the game is not over, nobody is in check, both
// sides have the same men, and neither side, were it to move, has a capture that wins material when
// both go on taking on that point. What takes longer to see is left to the judge.
bool openings_is_balanced(const rules_game *game, const rules_pos *pos);
// The same number for a position and its mirror images.
uint64_t openings_key(const rules_game *game, const rules_pos *pos);

#endif
