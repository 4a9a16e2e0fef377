// The battle server: starts everything, runs until it is told to stop, and takes up where the last
// process ended. docs/server.md says how its parts fit.
#ifndef KRATON_SERVER_SERVE_H
#define KRATON_SERVER_SERVE_H

#include "server/feature.h"

// Runs with these features (the list ends with NULL) until SIGTERM or SIGINT. `ready` is called
// once both ports listen. False, with the reason, where it could not start or had to stop.
MUST_USE bool server_run(const serve_options *options, const feature *const *features,
                         void (*ready)(const server *srv), fault *why);

#endif
