// Whether the disk has room. Where less is left than the reserve, the server stands still before a
// commit can fail: everybody is told, clocks stop, what would write is refused, what only reads
// goes on; /health says so. Nothing is written meanwhile, not even that clocks stand: a server that
// dies then takes the games up as they were. When there is room again it goes on by itself. Loop's
// thread only.
#ifndef KRATON_SERVER_DISKGUARD_H
#define KRATON_SERVER_DISKGUARD_H

#include "server/game.h"

// Looks, and stands still or goes on: before games are taken up, then once a second.
void diskguard_check(server *srv);

#endif
