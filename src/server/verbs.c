#include "server/verbs.h"

static const verb *const tables[] = {game_verbs,  session_verbs,  lobby_verbs,
                                     offer_verbs, analysis_verbs, tournament_verbs};

const verb *verb_find(text name) {
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const verb *v = tables[i]; v->name; v++)
            if (text_is(name, v->name))
                return v;
    return NULL;
}
