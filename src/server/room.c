#include "server/room.h"

#include <sys/statvfs.h>

const char room_words[] = "the server's disk is full; it goes on when there is room";

static int64_t free_bytes(const world *w) {
    struct statvfs disk;
    if (statvfs(w->options->data, &disk) != 0)
        return INT64_MAX;
    return (int64_t)disk.f_bavail * (int64_t)disk.f_frsize;
}

static message *build_notice(world *w, const char *reason, const char *words) {
    message *m = world_message(w, "notice");
    message_string(m, "reason", reason);
    message_string(m, "words", words);
    return m;
}

static void tell(world *w, const char *reason, const char *words) {
    for (session *s = w->sessions; s; s = s->next)
        session_say(s, build_notice(w, reason, words));
}

void room_tell(member *m) { member_say(m, build_notice(m->world, "full", room_words)); }

static void hold_all(world *w, bool on) {
    uint32_t at = 0;
    for (game *g; (g = table_next(&w->games, &at));)
        game_hold_clock(g, HOLD_ROOM, on);
    pump_want_turn(&w->pump);
}

void room_check(world *w) {
    int64_t reserve = w->options->reserve_mb * 1000000LL, left = free_bytes(w);
    if (!w->is_full && left < reserve) {
        w->is_full = true;
        world_log("the disk is full: %lld MB left for %s, %d are wanted; clocks stand, and it goes "
                  "on by itself when there is room",
                  (long long)(left / 1000000), w->options->data, w->options->reserve_mb);
        tell(w, "full", room_words);
        hold_all(w, true);
    } else if (w->is_full && left >= reserve + reserve / 8) {
        w->is_full = false;
        world_log("there is room again: %lld MB", (long long)(left / 1000000));
        tell(w, "room", "there is room on the server's disk again; games go on");
        hold_all(w, false);
    }
}

bool room_allows(const world *w, const request *r) {
    static const char *const reads[] = {"ping",   "pong",  "quit",  "lobby", "watch",  "unwatch",
                                        "resume", "games", "legal", "stop",  "follow", "analyse"};
    if (!w->is_full || (text_is(r->verb, "login") && !request_has(r, "guest")))
        return true;
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++)
        if (text_is(r->verb, reads[i]))
            return true;
    return false;
}
