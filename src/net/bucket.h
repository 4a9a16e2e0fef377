// A token bucket: so many at once, so many a second.
#ifndef KRATON_NET_BUCKET_H
#define KRATON_NET_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t debt_until; // the moment all tokens are back; microseconds of any monotonic clock
} bucket;

// Takes one token from a bucket of `burst` that gains one `every` so many microseconds. False:
// there is none.
static inline bool bucket_take_every(bucket *b, int64_t burst, int64_t every, int64_t now) {
    int64_t full = b->debt_until > now ? b->debt_until : now;
    if (full + every - now > burst * every)
        return false;
    b->debt_until = full + every;
    return true;
}

// Takes `count` of them afterwards, there or not: the next ones are the later for it.
static inline void bucket_owe(bucket *b, int64_t count, int64_t every, int64_t now) {
    b->debt_until = (b->debt_until > now ? b->debt_until : now) + count * every;
}

// As bucket_take_every, for one that gains `rate` a second.
static inline bool bucket_take(bucket *b, int64_t burst, int64_t rate, int64_t now) {
    return bucket_take_every(b, burst, 1000000 / rate, now);
}

#endif
