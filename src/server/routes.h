// The tables of routes, by module; each ends with a NULL pattern. A module that has routes adds its
// table here and in api.c.
#ifndef KRATON_SERVER_ROUTES_H
#define KRATON_SERVER_ROUTES_H

#include "server/api.h"

extern const api_route health_routes[], account_routes[], game_routes[], arbiter_routes[],
    position_routes[], rating_routes[], tournament_routes[], archive_routes[], convert_routes[],
    endgame_routes[], explorer_routes[], review_routes[];

#endif
