// What happens to games, for those who care: house bots, tournaments, ratings, the archive. All of
// it is in the turn's transaction.
#ifndef KRATON_SERVER_EVENTS_H
#define KRATON_SERVER_EVENTS_H

#include "server/lobby.h"

void events_game_begun(game *g);
void events_game_asked(game *g);                  // the clock of the side to move has just started
void events_game_over(game *g);                   // the result is stored, everybody was told
void events_game_corrected(world *w, int64_t id); // an arbiter changed a finished game's result
void events_offered(game *g, const char *kind, int side); // draw, takeback, rematch at the board
void events_challenged(const offer *o); // a challenge was made; may accept it at once
// The server starts: modules are made, before games are taken up; it stops.
MUST_USE bool events_starting(world *w, fault *why);
MUST_USE bool events_recovered(world *w, fault *why); // games have been taken up
void events_stopping(world *w);
void events_ended(world *w); // the loop has run out: modules are freed
void events_every_second(world *w);

#endif
