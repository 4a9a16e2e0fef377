#include "server/ratelimit.h"

#include "base/minmax.h"
#include "net/connection.h"

#include <sodium.h>
#include <stdlib.h>

enum { SWEPT = 1024 }; // forgotten in a second, at most

typedef struct {
    int64_t key;
    bucket buckets[LIMITS];
} client;

struct ratelimit {
    table all;
    client others; // what those share for whom there is no place
    uint8_t secret[crypto_shorthash_KEYBYTES];
    uint32_t at; // where the sweep goes on
};

// At once, and microseconds until one more is allowed. A class of a hundred behind one address may
// log in together.
static const struct {
    int64_t burst, every;
} limits[LIMITS] = {
    [LIMIT_REQUEST] = {1000, 5000}, [LIMIT_MESSAGE] = {50000, 50},
    [LIMIT_GUEST] = {200, 2000000}, [LIMIT_PASSWORD] = {200, 2000000},
    [LIMIT_GUESS] = {30, 5000000},  [LIMIT_ANALYSIS] = {90, 500000},
    [LIMIT_OFFER] = {300, 200000},
};

ratelimit *ratelimit_new(void) {
    ratelimit *v = calloc(1, sizeof *v);
    if (v)
        randombytes_buf(v->secret, sizeof v->secret);
    return v;
}

void ratelimit_free(ratelimit *v) {
    uint32_t at = 0;
    for (client *one; v && (one = table_next(&v->all, &at));)
        free(one);
    if (v)
        table_free(&v->all);
    free(v);
}

// A keyed hash, so that nobody can choose addresses that collide.
static int64_t key_of(const ratelimit *v, const void *bytes, size_t len) {
    uint8_t hash[crypto_shorthash_BYTES];
    int64_t key;
    crypto_shorthash(hash, bytes, len, v->secret);
    memcpy(&key, hash, sizeof key);
    key &= INT64_MAX;
    return key ? key : 1;
}

// The key of an address; 0: no limits.
static int64_t key_of_address(const ratelimit *v, const char *address) {
    uint8_t bytes[ADDRESS_KEY_SIZE];
    return address_is_loopback(address) ? 0 : key_of(v, bytes, address_key_bytes(address, bytes));
}

static client *find(ratelimit *v, int64_t key) {
    client *one = table_find(&v->all, key);
    if (one || v->all.count >= RATELIMIT_MOST)
        return one ? one : &v->others;
    one = calloc(1, sizeof *one);
    if (one && table_add(&v->all, key, one)) {
        one->key = key;
        return one;
    }
    free(one);
    return &v->others;
}

static bool take(ratelimit *v, int64_t key, limit_kind kind, int64_t now) {
    return key == 0 || bucket_take_every(&find(v, key)->buckets[kind], limits[kind].burst,
                                         limits[kind].every, now);
}

bool ratelimit_take(ratelimit *v, const char *address, limit_kind kind, int64_t now) {
    return take(v, key_of_address(v, address), kind, now);
}

void ratelimit_charge(ratelimit *v, const char *address, limit_kind kind, int64_t count,
                      int64_t now) {
    int64_t key = key_of_address(v, address);
    if (key && count > 0)
        bucket_owe(&find(v, key)->buckets[kind], count, limits[kind].every, now);
}

bool ratelimit_take_guess(ratelimit *v, const char *address, text name, int64_t now) {
    uint8_t both[ADDRESS_KEY_SIZE + 64];
    size_t len = min_size(name.len, 64);
    address_key_bytes(address, both);
    for (size_t i = 0; i < len; i++)
        both[ADDRESS_KEY_SIZE + i] =
            (uint8_t)(name.at[i] >= 'A' && name.at[i] <= 'Z' ? name.at[i] + 32 : name.at[i]);
    return take(v, key_of(v, both, ADDRESS_KEY_SIZE + len), LIMIT_GUESS, now);
}

static bool owes_nothing(const client *one, int64_t now) {
    for (int i = 0; i < LIMITS; i++)
        if (one->buckets[i].debt_until > now)
            return false;
    return true;
}

void ratelimit_sweep(ratelimit *v, int64_t now) {
    int64_t gone[SWEPT];
    int count = 0;
    client *one;
    while (count < SWEPT && (one = table_next(&v->all, &v->at)))
        if (owes_nothing(one, now))
            gone[count++] = one->key;
    if (count < SWEPT)
        v->at = 0;
    for (int i = 0; i < count; i++) {
        free(table_find(&v->all, gone[i]));
        table_remove(&v->all, gone[i]);
    }
}

uint32_t ratelimit_count(const ratelimit *v) { return v->all.count; }
