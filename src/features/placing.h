// The index of positions, filled at once: after an import, in a store that no server uses. A server
// fills it in the background (features/keep.c).
#ifndef KRATON_FEATURES_PLACING_H
#define KRATON_FEATURES_PLACING_H

#include "store/store.h"

// Puts the positions of all games into the index and commits. `goes_on` is called now and then with
// the share that is done, 0 to 1; false ends it: what is left stays for the next time. False with
// the reason where the store fails.
MUST_USE bool placing_run(store *s, bool (*goes_on)(void *context, double share), void *context,
                          fault *why);

#endif
