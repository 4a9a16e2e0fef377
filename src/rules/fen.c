#include "rules/fen.h"

bool fen_parse_counters(text rest, uint16_t *quiet, uint16_t *number, fault *why) {
    int64_t plies = 0, moves = 1;
    text word = text_next_word(&rest);
    if (word.len && !text_to_int(word, 0, UINT16_MAX, &plies))
        return fault_set(why, "FEN: %s is no count of plies", fault_quote(word).shown);
    word = text_next_word(&rest);
    if (word.len && !text_to_int(word, 0, UINT16_MAX, &moves))
        return fault_set(why, "FEN: %s is no move number", fault_quote(word).shown);
    word = text_next_word(&rest);
    if (word.len)
        return fault_set(why, "FEN: %s behind the move number", fault_quote(word).shown);
    *quiet = (uint16_t)plies;
    *number = (uint16_t)moves;
    return true;
}
