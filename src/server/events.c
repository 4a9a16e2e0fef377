#include "server/events.h"

void events_game_begun(game *g) { (void)g; }

void events_game_asked(game *g) { (void)g; }

void events_game_over(game *g) { (void)g; }

void events_challenged(const offer *o) { (void)o; }

bool events_starting(world *w, fault *why) {
    (void)w;
    (void)why;
    return true;
}

void events_stopping(world *w) { (void)w; }

void events_every_second(world *w) { (void)w; }
