// What happens to games, for those who care: house bots, tournaments, ratings, the archive. All of
// it is in the turn's transaction.
#ifndef KRATON_SERVER_EVENTS_H
#define KRATON_SERVER_EVENTS_H

#include "server/lobby.h"

void events_game_begun(game *g);
void events_game_asked(game *g); // the clock of the side to move has just started
void events_game_over(game *g);  // the result is stored, everybody was told
// An arbiter changed a finished game's result: `now` has the new one, `before` its outcome.
void events_game_corrected(world *w, const stored_game *now, int before);
// A guest has become a person: its name and kind are new.
void events_player_renamed(world *w, member *m);
void events_player_gone(world *w, const member *m);       // banned, or its account closed
void events_offered(game *g, const char *kind, int side); // draw, takeback, rematch at the board
void events_challenged(const offer *o); // a challenge was made; may accept it at once
// The server starts: modules are made, before games are taken up; it stops.
MUST_USE bool events_starting(world *w, fault *why);
void events_recovered(world *w); // games have been taken up
void events_stopping(world *w);
void events_ended(world *w); // the loop has run out: modules are freed
void events_every_second(world *w);

#endif
