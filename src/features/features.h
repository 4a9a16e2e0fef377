// The features of Kraton's server, in the order they are called. To add one, write its file with a
// `const feature`, declare it here and add it to the list in features.c.
#ifndef KRATON_FEATURES_FEATURES_H
#define KRATON_FEATURES_FEATURES_H

#include "server/feature.h"

extern const feature guard_feature, keep_feature, people_feature, engines_feature, bots_feature,
    tournament_feature, endgame_feature, review_feature, analysis_feature, archive_feature,
    explorer_feature, rating_feature, arbiter_feature, account_http_feature, game_http_feature,
    position_feature, convert_feature, health_feature, catalogue_feature, puzzles_feature,
    preview_feature;

// All of them; ends with NULL.
extern const feature *const features_all[];

#endif
