// Positions of rated games under way, which the server's engines are lent to nobody for: neither
// for analysis nor as a house bot's moves. From ply 17 on every position of such a game counts, up
// to mirror images, and what one move makes of the present one. Positions that the opening explorer
// knew when they were reached are everybody's.
#ifndef KRATON_FEATURES_FAIRPLAY_H
#define KRATON_FEATURES_FAIRPLAY_H

#include "server/server.h"

#include "rules/rules.h"

// Whether the position is one of those, or was a few plies before it in its line.
bool fairplay_holds(const server *srv, const rules_state *asked);

#endif
