#include "features/features.h"

#define FEATURE_ADDRESS(name) &name##_feature,
const feature *const features_all[] = {FEATURES(FEATURE_ADDRESS) NULL};
