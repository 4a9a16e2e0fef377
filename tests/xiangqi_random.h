// Random Xiangqi positions for the tests of text and records: games played at random, and pieces
// set up at random with the pawns crowded on few files, which games hardly ever show.
#ifndef KRATON_TESTS_XIANGQI_RANDOM_H
#define KRATON_TESTS_XIANGQI_RANDOM_H

#include "base/rng.h"
#include "rules/xiangqi/explain.h"
#include "rules/xiangqi/text.h"

#define XIANGQI_START "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

// Plays one random move; false where there is none.
static inline bool random_move(rng *r, xq_pos *pos) {
    rules_move moves[XQ_MAX_MOVES];
    int n = xq_generate(pos, moves);
    if (n == 0)
        return false;
    xq_make(pos, moves[rng_below(r, (uint32_t)n)]);
    return true;
}

static inline void place(rng *r, xq_pos *pos, int piece, int low_file, int files) {
    for (int tries = 0; tries < 40; tries++) {
        int file = low_file + (int)rng_below(r, (uint32_t)files);
        int point = (int)rng_below(r, XQ_RANKS) * XQ_FILES + file;
        if (pos->board[point] || !xq_can_stand(piece, point))
            continue;
        pos->board[point] = (uint8_t)piece;
        return;
    }
}

// A legal position with pieces anywhere; false where the dice fell badly.
static inline bool random_setup(rng *r, xq_pos *pos) {
    xq_pos p;
    memset(&p, 0, sizeof p);
    p.stm = (uint8_t)rng_below(r, 2);
    for (int side = 0; side < 2; side++) {
        place(r, &p, xq_piece(XQ_KING, side), 3, 3);
        int spread = 1 + (int)rng_below(r, 3);
        int low = (int)rng_below(r, (uint32_t)(XQ_FILES - spread + 1));
        for (int i = 0; i < 5; i++)
            place(r, &p, xq_piece(XQ_PAWN, side), low, spread);
        low = (int)rng_below(r, XQ_FILES - 1);
        for (int i = 0; i < 2; i++) {
            place(r, &p, xq_piece(XQ_CHARIOT, side), low, 2);
            place(r, &p, xq_piece(XQ_HORSE, side), low, 2);
            place(r, &p, xq_piece(XQ_CANNON, side), low, 2);
            place(r, &p, xq_piece(XQ_ADVISOR, side), 3, 3);
            place(r, &p, xq_piece(XQ_ELEPHANT, side), 2, 5);
        }
    }
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    xq_format_fen(&p, &w);
    return xq_parse_fen(pos, text_of(fen), NULL);
}

#endif
