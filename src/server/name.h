// Names of accounts: 2 or 3 to 24 letters of one script (marks and digits among them), - and _, the
// first a letter, in Unicode's form NFC. Refused are words that only the server uses, whatever is
// invisible or changes the direction, and names that look like one that is taken (Unicode Technical
// Standard 39, by ICU's spoof checker). Loop's thread only.
#ifndef KRATON_SERVER_NAME_H
#define KRATON_SERVER_NAME_H

#include "base/text.h"
#include "store/players.h"

// A name and how it looks: two names with one of these in common can be mistaken for each other.
typedef struct {
    char name[PLAYER_NAME_SIZE]; // in NFC
    name_looks looks;
} account_name;

// Reads a new name. False with the reason; whether it is taken is another question.
MUST_USE bool name_read(text given, account_name *n, fault *why);
// The looks of a name that there is already.
void name_look(text name, name_looks *looks);
// The name in NFC, for finding it; the text itself where it cannot be one.
text name_normalize(text given, char space[PLAYER_NAME_SIZE]);

#endif
