#include "features/features.h"

// One feature a line.
// clang-format off
const feature *const features_all[] = {
    &guard_feature,   // before bots: they ask it in the same turn
    &engines_feature, // before the features that ask it
    &archive_feature,
    &explorer_feature,
    &keep_feature,
    &rating_feature,
    &bots_feature,
    &analysis_feature,
    &review_feature,
    &tournament_feature, // after ratings: it pairs by them
    &endgame_feature,
    &position_feature,
    &convert_feature,
    &game_http_feature,
    &account_http_feature,
    &arbiter_feature,
    &people_feature,
    &health_feature,
    &catalogue_feature,
    &puzzles_feature,
    &preview_feature,
    NULL,
};
