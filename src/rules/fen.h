// What the FENs of all games share: the two counters at their end.
#ifndef KRATON_RULES_FEN_H
#define KRATON_RULES_FEN_H

#include "base/bits.h"
#include "base/text.h"

// Reads `[plies without capture [move number]]` and nothing behind it; 0 and 1 where they are
// missing.
MUST_USE bool fen_parse_counters(text rest, uint16_t *quiet, uint16_t *number, fault *why);

#endif
