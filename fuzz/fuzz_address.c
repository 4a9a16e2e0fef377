// What proxies say of their clients: the header of the PROXY protocol, X-Forwarded-For, Forwarded,
// and lists of trusted networks.
#include "net/address.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    text bytes = {(const char *)data, size};
    preamble found;
    ip_address a;
    if (size && preamble_read(bytes, &found) == PREAMBLE_READ &&
        (found.len > size || (found.address[0] && !address_parse(text_of(found.address), &a))))
        abort();
    trusted_proxies trusted;
    fault why;
    char address[ADDRESS_SIZE];
    if (!proxies_parse(text_of("10.0.0.0/8, 2001:db8::/32"), &trusted, &why))
        abort();
    if (forwarded_address(&trusted, bytes, address) && !address_parse(text_of(address), &a))
        abort();
    if (proxies_parse(bytes, &trusted, &why) && trusted.count == 0)
        abort();
    return 0;
}
