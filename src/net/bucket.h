// A token bucket: so many at once, so many a second.
#ifndef KRATON_NET_BUCKET_H
#define KRATON_NET_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t debt_until; // the moment all tokens are back; microseconds of any monotonic clock
} bucket;

// Takes one token from a bucket of `burst` that gains `rate` a second. False: there is none.
static inline bool bucket_take(bucket *b, int64_t burst, int64_t rate, int64_t now) {
    int64_t cost = 1000000 / rate, full = b->debt_until > now ? b->debt_until : now;
    if (full + cost - now > burst * cost)
        return false;
    b->debt_until = full + cost;
    return true;
}

#endif
