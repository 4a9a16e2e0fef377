// Watches the disk. When less space is left than the reserve, the server pauses before a commit can
// fail: everybody gets a notice, clocks stop, requests that write are refused, requests that only
// read are answered, and /health says so. Nothing is written meanwhile, not even that clocks are
// stopped: a server that dies then resumes the games as they were. When there is space again the
// server goes on by itself. Loop's thread only.
#ifndef KRATON_SERVER_DISKGUARD_H
#define KRATON_SERVER_DISKGUARD_H

#include "server/game.h"

// Checks, and pauses the server or lets it go on. Called before games are recovered, then once a
// second.
void diskguard_check(server *srv);

#endif
