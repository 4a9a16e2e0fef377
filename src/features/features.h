// The features of Kraton's server, in the order in which they are called. To add one, write its
// file with a `const feature NAME_feature` and add its name to the list.
#ifndef KRATON_FEATURES_FEATURES_H
#define KRATON_FEATURES_FEATURES_H

#include "server/feature.h"

// clang-format off
#define FEATURES(row)                                                                              \
    row(fairplay)   /* before bots: they ask it in the same turn */                                \
    row(engines)    /* before the features that ask it */                                          \
    row(archive)                                                                                   \
    row(explorer)                                                                                  \
    row(keep)                                                                                      \
    row(rating)                                                                                    \
    row(bots)                                                                                      \
    row(analysis)                                                                                  \
    row(review)                                                                                    \
    row(tournament) /* after ratings: it pairs by them */                                          \
    row(endgame)                                                                                   \
    row(position)                                                                                  \
    row(convert)                                                                                   \
    row(game_http)                                                                                 \
    row(account_http)                                                                              \
    row(arbiter)                                                                                   \
    row(people)                                                                                    \
    row(health)                                                                                    \
    row(catalogue)                                                                                 \
    row(puzzles)                                                                                   \
    row(preview)
// clang-format on

#define FEATURE_DECLARED(name) extern const feature name##_feature;
FEATURES(FEATURE_DECLARED)
#undef FEATURE_DECLARED

// All of them; ends with NULL.
extern const feature *const features_all[];

#endif
