#include "server/diskguard.h"

#include <sys/statvfs.h>

static int64_t free_bytes(const world *w) {
    struct statvfs disk;
    if (statvfs(w->options->data, &disk) != 0)
        return INT64_MAX;
    return (int64_t)disk.f_bavail * (int64_t)disk.f_frsize;
}

static void tell(world *w, const char *reason, const char *words) {
    for (session *s = w->sessions; s; s = s->next)
        session_notice(s, reason, words);
}

static void hold_all(world *w, bool on) {
    uint32_t at = 0;
    for (game *g; (g = table_next(&w->games, &at));)
        game_hold_clock(g, HOLD_DISK, on);
    pump_want_turn(&w->pump);
}

void diskguard_check(world *w) {
    int64_t reserve = w->options->reserve_mb * 1000000LL, left = free_bytes(w);
    if (!w->is_full && left < reserve) {
        w->is_full = true;
        world_log("the disk is full: %lld MB left for %s, %d are wanted; clocks stand, and it goes "
                  "on by itself when there is room",
                  (long long)(left / 1000000), w->options->data, w->options->reserve_mb);
        tell(w, "full", world_full_words);
        hold_all(w, true);
    } else if (w->is_full && left >= reserve + reserve / 8) {
        w->is_full = false;
        world_log("there is room again: %lld MB", (long long)(left / 1000000));
        tell(w, "room", "there is room on the server's disk again; games go on");
        hold_all(w, false);
    }
}
