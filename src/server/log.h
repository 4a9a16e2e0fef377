// The server's log: one line each to standard error, as text or as JSON; and a line for every HTTP
// request in a file of its own. Set once before the server starts; any thread may write.
#ifndef KRATON_SERVER_LOG_H
#define KRATON_SERVER_LOG_H

#include "base/bits.h"
#include "base/text.h"

typedef enum { LEVEL_INFO, LEVEL_WARNING, LEVEL_ERROR } log_level;

void log_set(bool as_json, log_level least);
MUST_USE bool log_level_find(text name, log_level *level);
// Opens the file of requests, or opens it anew. False with the reason, and the old one stays.
MUST_USE bool log_open_access(const char *path, fault *why);

// Never passwords, never tokens.
void log_write(log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct {
    const char *address;
    const char *name; // who asked; NULL: not known
    const char *method, *path;
    int status;
    size_t bytes; // of the answer
    int64_t us;   // until it was given
} logged_request;
void log_request(const logged_request *r);

#endif
