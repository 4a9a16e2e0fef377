#include "server/diskguard.h"

#include "base/minmax.h"
#include "os/file.h"

static int64_t free_bytes(const server *srv) {
    uint64_t bytes;
    return os_disk_free(srv->options->data, &bytes) ? (int64_t)min_u64(bytes, INT64_MAX)
                                                    : INT64_MAX;
}

static void tell(server *srv, const char *reason, const char *words) {
    for (session *s = session_of(srv->sessions.first); s; s = session_of(s->link.next))
        session_notice(s, reason, words);
}

static void hold_all(server *srv, bool on) {
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at));)
        game_hold_clock(g, HOLD_DISK, on);
    turns_want(&srv->turns);
}

void diskguard_check(server *srv) {
    int64_t reserve = srv->options->reserve_mb * 1000000LL, left = free_bytes(srv);
    if (!srv->is_full && left < reserve) {
        srv->is_full = true;
        server_log(
            "the disk is full: %lld MB left for %s, %d are wanted; clocks stand, and it goes "
            "on by itself when there is room",
            (long long)(left / 1000000), srv->options->data, srv->options->reserve_mb);
        tell(srv, "full", server_full_words);
        hold_all(srv, true);
    } else if (srv->is_full && left >= reserve + reserve / 8) {
        srv->is_full = false;
        server_log("there is room again: %lld MB", (long long)(left / 1000000));
        tell(srv, "room", "there is room on the server's disk again; games go on");
        hold_all(srv, false);
    }
}
