// What an engine knows from files: its opening book, its endgame tables, its network.
#ifndef KRATON_ENGINE_KNOWLEDGE_H
#define KRATON_ENGINE_KNOWLEDGE_H

#include "engine/settings.h"
#include "games/book.h"
#include "games/network.h"
#include "games/tables.h"
#include "search/search.h"

typedef struct {
    const rules_game *game;
    search *search;      // it is told of tables and network
    book *book;          // NULL: none
    game_tables *tables; // NULL: none
    network *network;    // NULL: the hand-made evaluation
} knowledge;

// Each does as the settings say; false where it cannot. A book's file is tried also where no book
// is used: a wrong name is told when it is given. A network that is refused changes nothing.
MUST_USE bool knowledge_set_book(knowledge *k, const engine_settings *set, fault *why);
MUST_USE bool knowledge_set_tables(knowledge *k, const engine_settings *set,
                                   kraton_tb_listener *tell, void *context, fault *why);
MUST_USE bool knowledge_set_network(knowledge *k, const engine_settings *set, fault *why);
// After the search is freed.
void knowledge_free(knowledge *k);

#endif
