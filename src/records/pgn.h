// What reading and writing PGN share.
#ifndef KRATON_RECORDS_PGN_H
#define KRATON_RECORDS_PGN_H

#include "records/record.h"

// A notation's name in the Format tag, and back: `otherwise` where the name says nothing that
// matters, since only the squares a1..i10 cannot be told by their looks.
const char *pgn_notation_name(rules_notation notation);
int pgn_notation_of(text name, int otherwise);

bool pgn_write(const record *r, rules_notation notation, buffer *out, fault *why);

#endif
