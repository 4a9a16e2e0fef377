#include "net/address.h"

#include "base/minmax.h"

#include <uv.h>

static const uint8_t v4_mapped[12] = {[10] = 0xff, [11] = 0xff};

bool address_parse(text t, ip_address *a) {
    char word[ADDRESS_SIZE];
    writer w = writer_on(word, sizeof word);
    write_text(&w, t);
    memcpy(a->bytes, v4_mapped, sizeof v4_mapped);
    return !w.overflow && (uv_inet_pton(AF_INET, word, &a->bytes[12]) == 0 ||
                           uv_inet_pton(AF_INET6, word, a->bytes) == 0);
}

static bool is_v4(const ip_address *a) {
    return memcmp(a->bytes, v4_mapped, sizeof v4_mapped) == 0;
}

bool address_is_loopback(const char *address) {
    static const uint8_t one[16] = {[15] = 1};
    ip_address a;
    return address_parse(text_of(address), &a) &&
           (memcmp(a.bytes, one, sizeof one) == 0 || (is_v4(&a) && a.bytes[12] == 127));
}

size_t address_key_bytes(const char *address, uint8_t key[ADDRESS_KEY_SIZE]) {
    ip_address a;
    memset(key, 0, ADDRESS_KEY_SIZE);
    if (!address_parse(text_of(address), &a)) { // with a scope, for example
        size_t len = strlen(address);
        memcpy(key, address, min_size(len, ADDRESS_KEY_SIZE));
        return ADDRESS_KEY_SIZE;
    }
    memcpy(key, a.bytes, ADDRESS_KEY_SIZE);
    return is_v4(&a) ? 16 : 8;
}

int64_t address_key(const char *address) {
    uint8_t bytes[ADDRESS_KEY_SIZE];
    uint64_t key = 0;
    size_t len = address_key_bytes(address, bytes);
    for (size_t i = len - 8; i < len; i++)
        key = key << 8 | bytes[i];
    return (int64_t)(key & INT64_MAX) | 1ll << 62;
}

// --- proxies ------------------------------------------------------------------------------------

bool proxies_parse(text list, trusted_proxies *p, fault *why) {
    *p = (trusted_proxies){0};
    while (list.len) {
        text one = text_trim((text){list.at, text_find(list, ",")});
        list = text_skip(list, text_find(list, ",") + 1);
        text address = {one.at, text_find(one, "/")}, bits = text_skip(one, address.len + 1);
        int64_t count = 128;
        if (p->count == ADDRESS_PROXIES)
            return fault_set(why, "%d proxies at most", ADDRESS_PROXIES);
        if (!address_parse(address, &p->list[p->count].at))
            return fault_set(why, "%s is no address", fault_quote(one).shown);
        int before = is_v4(&p->list[p->count].at) ? 96 : 0;
        if (address.len < one.len && !text_to_int(bits, 0, 128 - before, &count))
            return fault_set(why, "%s is no network", fault_quote(one).shown);
        p->list[p->count++].bits = (int)count + (address.len < one.len ? before : 0);
    }
    return p->count > 0 || fault_set(why, "an address is missing");
}

static bool is_in(const ip_address *a, const ip_address *network, int bits) {
    int whole = bits / 8, rest = bits % 8;
    if (memcmp(a->bytes, network->bytes, (size_t)whole) != 0)
        return false;
    return rest == 0 || (a->bytes[whole] ^ network->bytes[whole]) >> (8 - rest) == 0;
}

bool proxies_trust(const trusted_proxies *p, const char *address) {
    ip_address a;
    if (!p || !address_parse(text_of(address), &a))
        return false;
    for (int i = 0; i < p->count; i++)
        if (is_in(&a, &p->list[i].at, p->list[i].bits))
            return true;
    return false;
}

// The address in an element of Forwarded: for=192.0.2.1, for="[2001:db8::1]:4711"; empty: none.
static text element_address(text element) {
    while (element.len) {
        text one = text_trim((text){element.at, text_find(element, ";")});
        element = text_skip(element, text_find(element, ";") + 1);
        if (one.len > 4 && strncasecmp(one.at, "for=", 4) == 0)
            return text_skip(one, 4);
    }
    return (text){"", 0};
}

// Without quotes, brackets and port.
static text bare_address(text t) {
    t = text_trim(t);
    if (t.len >= 2 && t.at[0] == '"' && t.at[t.len - 1] == '"')
        t = (text){t.at + 1, t.len - 2};
    if (t.len && t.at[0] == '[')
        return (text){t.at + 1, text_find(text_skip(t, 1), "]")};
    size_t colon = text_find(t, ":");
    bool has_port = colon < t.len && text_find(text_skip(t, colon + 1), ":") == t.len - colon - 1;
    return has_port ? (text){t.at, colon} : t;
}

bool forwarded_address(const trusted_proxies *p, text list, char address[ADDRESS_SIZE]) {
    while (list.len) {
        size_t start = list.len;
        while (start > 0 && list.at[start - 1] != ',')
            start--;
        text one = {list.at + start, list.len - start};
        list.len = start > 0 ? start - 1 : 0;
        text named = text_find(one, "=") < one.len ? element_address(one) : one;
        ip_address a;
        writer w = writer_on(address, ADDRESS_SIZE);
        write_text(&w, bare_address(named));
        if (!address_parse(text_of(address), &a))
            return false; // "unknown", or a name: nobody behind it can be told apart
        if (!proxies_trust(p, address) || list.len == 0)
            return true;
    }
    return false;
}

// --- the PROXY protocol, version 2 --------------------------------------------------------------

// Bytes 0-11 the signature, 12 version and command, 13 family, 14-15 length of the rest: addresses
// and ports, then fields of type, length and value.
enum { HEAD = 16, V4_LEN = 12, V6_LEN = 36, FIELD_TLS = 0x20 };

static unsigned read16(const char *at) {
    return (unsigned)(uint8_t)at[0] << 8 | (unsigned)(uint8_t)at[1];
}

static bool says_tls(text fields) {
    while (fields.len >= 3) {
        size_t len = read16(fields.at + 1);
        if (len > fields.len - 3)
            return false;
        if (fields.at[0] == FIELD_TLS && len >= 1)
            return fields.at[3] & 1;
        fields = text_skip(fields, 3 + len);
    }
    return false;
}

preamble_status preamble_read(text bytes, preamble *found) {
    static const char signature[12] = "\r\n\r\n\0\r\nQUIT\n";
    size_t known = bytes.len < sizeof signature ? bytes.len : sizeof signature;
    *found = (preamble){0};
    if (memcmp(bytes.at, signature, known) != 0)
        return PREAMBLE_NONE;
    if (bytes.len < HEAD)
        return PREAMBLE_MORE;
    size_t len = read16(bytes.at + 14);
    int command = (uint8_t)bytes.at[12], family = (uint8_t)bytes.at[13];
    if (command >> 4 != 2 || (command & 15) > 1 || HEAD + len > ADDRESS_PREAMBLE)
        return PREAMBLE_BAD;
    if (bytes.len < HEAD + len)
        return PREAMBLE_MORE;
    found->len = HEAD + len;
    text rest = {bytes.at + HEAD, len};
    if ((command & 15) == 0 || family == 0)
        return PREAMBLE_READ; // the proxy's own connection: a health check
    bool is_v6 = family >> 4 == 2;
    size_t ends = is_v6 ? V6_LEN : V4_LEN;
    if ((family >> 4 != 1 && !is_v6) || len < ends ||
        uv_inet_ntop(is_v6 ? AF_INET6 : AF_INET, rest.at, found->address, ADDRESS_SIZE) != 0)
        return PREAMBLE_BAD;
    found->is_secure = says_tls(text_skip(rest, ends));
    return PREAMBLE_READ;
}
