// Passwords that are guessed first. Plain functions; any thread.
#ifndef KRATON_SERVER_PASSWORD_H
#define KRATON_SERVER_PASSWORD_H

#include "base/text.h"

// Whether a password for that name is no secret: a word that everybody tries, with digits behind it
// or not, the name itself, or one or two characters over and over.
bool password_is_common(text name, text password);

#endif
