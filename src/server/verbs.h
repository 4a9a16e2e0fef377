// The tables of verbs, by module; each ends with a NULL name. A module that has verbs adds its
// table here and in verbs.c.
#ifndef KRATON_SERVER_VERBS_H
#define KRATON_SERVER_VERBS_H

#include "server/session.h"

extern const verb session_verbs[], lobby_verbs[], game_verbs[], offer_verbs[], analysis_verbs[],
    tournament_verbs[];

#endif
