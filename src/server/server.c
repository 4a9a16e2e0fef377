#include "server/server.h"

#include <time.h>

const char server_full_words[] = "the server's disk is full; it goes on when there is room";

int64_t server_wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void server_write_moment(writer *out, int64_t wall_us) {
    time_t seconds = (time_t)(wall_us / 1000000);
    struct tm t;
    char moment[32];
    gmtime_r(&seconds, &t);
    strftime(moment, sizeof moment, "%Y-%m-%dT%H:%M:%SZ", &t);
    write_string(out, moment);
}

void server_note_end(server *srv, const char *name, const char *address, const char *why) {
    static const char *const faults[] = {"slow reader",  "flood",        "noise",
                                         "line",         "token",        "silent",
                                         "slow request", "bad frame",    "too much at once",
                                         "no TLS",       "out of memory"};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (strcmp(why, faults[i]) == 0) {
            srv->count.cut++;
            if (bucket_take(&srv->complaints, 50, 5, clock_us()))
                log_write(LEVEL_INFO, "%s%s%s: %s", address, name ? ", " : "", name ? name : "",
                          why);
        }
}
