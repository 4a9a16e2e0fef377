#include "server/feature.h"

#include <stdlib.h>

// Verbs are looked up in this order, so the one with `move` comes first.
static const feature *const core[] = {&game_feature,  &session_feature, &lobby_feature,
                                      &offer_feature, &account_feature, NULL};

// --- start and stop -----------------------------------------------------------------------------

static size_t count_of(const feature *const *list) {
    size_t count = 0;
    while (list[count])
        count++;
    return count;
}

static bool start_list(world *w, const feature *const *list, fault *why) {
    for (; *list; list++) {
        void *state = (*list)->start ? (*list)->start(w, why) : NULL;
        if ((*list)->start && !state)
            return false;
        w->features[w->feature_count++] = (feature_slot){*list, state};
    }
    return true;
}

bool features_start(world *w, const feature *const *list, fault *why) {
    fault_set(why, "out of memory"); // unless a feature says something else
    w->features = calloc(count_of(core) + count_of(list), sizeof *w->features);
    return w->features && start_list(w, core, why) && start_list(w, list, why);
}

void features_tick(world *w) {
    for (int i = 0; i < w->feature_count; i++) {
        const feature *f = w->features[i].feature;
        if (f->tick && (f->ticks_when_full || !w->is_full))
            f->tick(w);
    }
}

void features_stop(world *w) { TELL_FEATURES(w, stop, w); }

void features_free(world *w) {
    while (w->feature_count > 0) { // what others build on goes last
        const feature_slot *slot = &w->features[--w->feature_count];
        if (slot->feature->free)
            slot->feature->free(slot->state);
    }
    free(w->features);
    w->features = NULL;
}

// --- look-up ------------------------------------------------------------------------------------

void *feature_state(const world *w, const feature *f) {
    for (int i = 0; i < w->feature_count; i++)
        if (w->features[i].feature == f)
            return w->features[i].state;
    return NULL;
}

const verb *features_find_verb(const world *w, text name) {
    for (int i = 0; i < w->feature_count; i++)
        for (const verb *v = w->features[i].feature->verbs; v && v->name; v++)
            if (text_is(name, v->name))
                return v;
    return NULL;
}

void features_challenge(const world *w, offer *o) {
    for (int i = 0; i < w->feature_count; i++) {
        const feature *f = w->features[i].feature;
        if (f->on_challenge && f->on_challenge(o))
            return;
    }
}
