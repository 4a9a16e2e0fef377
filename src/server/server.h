// The battle server: starts everything, runs until it is told to stop, and takes up where the last
// process ended. docs/server.md says how its parts fit.
#ifndef KRATON_SERVER_SERVER_H
#define KRATON_SERVER_SERVER_H

#include "server/world.h"

#define SERVER_DATABASE "kraton.db" // in the data folder

// Runs until SIGTERM or SIGINT. `ready` is called once both ports listen. False, with the reason,
// where it could not start or had to stop.
MUST_USE bool server_run(const serve_options *options, void (*ready)(const world *w), fault *why);

#endif
