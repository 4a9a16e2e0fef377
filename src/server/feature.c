#include "server/feature.h"

#include <stdlib.h>

// Verbs are looked up in this order, so the one with `move` comes first.
static const feature *const core[] = {&game_feature, &session_feature, &lobby_feature,
                                      &account_feature, NULL};

// --- start and stop -----------------------------------------------------------------------------

static size_t count_of(const feature *const *list) {
    size_t count = 0;
    while (list[count])
        count++;
    return count;
}

static bool start_list(server *srv, const feature *const *list, fault *why) {
    for (; *list; list++) {
        void *state = (*list)->start ? (*list)->start(srv, why) : NULL;
        if ((*list)->start && !state)
            return false;
        srv->features[srv->feature_count++] = (feature_slot){*list, state};
    }
    return true;
}

bool features_start(server *srv, const feature *const *list, fault *why) {
    fault_set(why, "out of memory"); // unless a feature says something else
    srv->features = calloc(count_of(core) + count_of(list), sizeof *srv->features);
    return srv->features && start_list(srv, core, why) && start_list(srv, list, why);
}

void features_tick(server *srv) {
    for (int i = 0; i < srv->feature_count; i++) {
        const feature *f = srv->features[i].feature;
        if (f->tick && (f->ticks_when_full || !srv->is_full))
            f->tick(srv);
    }
}

bool features_work(server *srv) {
    bool more = false;
    for (int i = 0; i < srv->feature_count && !srv->is_full; i++) {
        const feature *f = srv->features[i].feature;
        more = (f->work && f->work(srv)) || more;
    }
    return more;
}

void features_stop(server *srv) { TELL_FEATURES(srv, stop, srv); }

void features_free(server *srv) {
    while (srv->feature_count > 0) { // what others build on goes last
        const feature_slot *slot = &srv->features[--srv->feature_count];
        if (slot->feature->free)
            slot->feature->free(slot->state);
    }
    free(srv->features);
    srv->features = NULL;
}

// --- look-up ------------------------------------------------------------------------------------

void *feature_state(const server *srv, const feature *f) {
    for (int i = 0; i < srv->feature_count; i++)
        if (srv->features[i].feature == f)
            return srv->features[i].state;
    return NULL;
}

const verb *features_find_verb(const server *srv, text name) {
    for (int i = 0; i < srv->feature_count; i++)
        for (const verb *v = srv->features[i].feature->verbs; v && v->name; v++)
            if (text_is(name, v->name))
                return v;
    return NULL;
}

void features_challenge(const server *srv, lobby_offer *o) {
    for (int i = 0; i < srv->feature_count; i++) {
        const feature *f = srv->features[i].feature;
        if (f->on_challenge && f->on_challenge(o))
            return;
    }
}
