// IP addresses, and whose they are behind a reverse proxy: trusted proxies, the header of the PROXY
// protocol (version 2), X-Forwarded-For and Forwarded. Plain values; any thread.
#ifndef KRATON_NET_ADDRESS_H
#define KRATON_NET_ADDRESS_H

#include "base/bits.h"
#include "base/text.h"

enum {
    ADDRESS_SIZE = 64,       // bytes for an address as text
    ADDRESS_PROXIES = 16,    // trusted ones
    ADDRESS_PREAMBLE = 1024, // most bytes of a PROXY header
    ADDRESS_KEY_SIZE = 16
};

// An address as IPv6 has it; IPv4 is mapped into it.
typedef struct {
    uint8_t bytes[16];
} ip_address;

MUST_USE bool address_parse(text t, ip_address *a);
bool address_is_loopback(const char *address);
// What counts as one visitor: an IPv4 address, or an IPv6 network of 64 bits. Above 0.
int64_t address_key(const char *address);
// The same as bytes, for hashing; returns how many.
size_t address_key_bytes(const char *address, uint8_t key[ADDRESS_KEY_SIZE]);

typedef struct {
    int count;
    struct {
        ip_address at;
        int bits; // of it that must be the same
    } list[ADDRESS_PROXIES];
} trusted_proxies;

// Addresses and networks (10.0.0.0/8), separated by commas. False with the reason.
MUST_USE bool proxies_parse(text list, trusted_proxies *p, fault *why);
bool proxies_trust(const trusted_proxies *p, const char *address); // p may be NULL: nobody

typedef enum { PREAMBLE_NONE, PREAMBLE_MORE, PREAMBLE_READ, PREAMBLE_BAD } preamble_status;

typedef struct {
    size_t len;                 // bytes of the header
    char address[ADDRESS_SIZE]; // empty: the proxy speaks for itself
    bool is_secure;             // the client came by TLS
} preamble;

// Reads the header of the PROXY protocol at the beginning of a connection. PREAMBLE_NONE: these
// bytes begin with something else; PREAMBLE_MORE: not all of it is here.
preamble_status preamble_read(text bytes, preamble *found);

// The client's address out of X-Forwarded-For, or out of Forwarded: the last one that is not a
// trusted proxy's, since whatever is before it was written by somebody who is not trusted. False
// where there is none.
MUST_USE bool forwarded_address(const trusted_proxies *p, text list, char address[ADDRESS_SIZE]);

#endif
