#include "server/member.h"

#include "server/session.h"

#include <stdlib.h>

static member *take_in(server *srv, const stored_player *p) {
    member *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (member){.server = srv,
                  .id = p->id,
                  .kind = p->kind,
                  .role = p->role,
                  .owner = p->owner,
                  .is_banned = p->is_banned || p->is_closed};
    memcpy(m->name, p->name, sizeof m->name);
    if (table_add(&srv->members, m->id, m))
        return m;
    free(m);
    return NULL;
}

member *member_get(server *srv, int64_t player) {
    member *m = table_find(&srv->members, player);
    stored_player p;
    if (!m && store_find_player(srv->store, player, &p))
        m = take_in(srv, &p);
    if (m)
        m->holds++;
    return m;
}

member *member_get_named(server *srv, text name) {
    stored_player p;
    return store_find_player_named(srv->store, name, &p) ? member_get(srv, p.id) : NULL;
}

void member_hold(member *m) { m->holds++; }

void member_release(member *m) {
    if (!m || --m->holds > 0)
        return;
    table_remove(&m->server->members, m->id);
    free(m);
}

const char *member_kind_name(const member *m) {
    static const char *const names[] = {"guest", "person", "program", "house", "record"};
    return names[m->kind];
}

bool member_is_here(const member *m) { return !list_is_empty(&m->sessions) || m->bot_level; }

void member_send(member *m, message *say) {
    for (list_link *l = m->sessions.first, *next; l; l = next) {
        next = l->next;
        session_send(session_of_member(l), say);
    }
}

void member_notice(member *m, const char *reason, const char *words) {
    message notice = {.verb = "notice"};
    message_string(&notice, "reason", reason);
    message_string(&notice, "words", words);
    member_send(m, &notice);
    message_free(&notice);
}

static bool is_person(const member *m) { return m->kind == PLAYER_PERSON; }

bool member_may_play_rated(const member *a, const member *b, fault *why) {
    if (a->kind == PLAYER_GUEST || b->kind == PLAYER_GUEST)
        return fault_set(why, "guests play unrated games");
    if (is_person(a) != is_person(b))
        return fault_set(why, "rated games are between people or between programs");
    return !a->owner || a->owner != b->owner ||
           fault_set(why, "programs of one owner play each other unrated");
}
