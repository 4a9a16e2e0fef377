// The index of positions, filled at once: after an import, in a store that no server uses. A server
// fills it in the background (features/keep.c).
#ifndef KRATON_FEATURES_POSITION_INDEX_H
#define KRATON_FEATURES_POSITION_INDEX_H

#include "store/store.h"

// Puts the positions of all games into the index and commits. `goes_on` is called now and then with
// the share that is done, 0 to 1; false ends it: what is left stays for the next time. False with
// the reason where the store fails.
MUST_USE bool position_index_fill(store *s, bool (*goes_on)(void *context, double share),
                                  void *context, fault *why);

#endif
