// Any bytes as lines of an engine that speaks CECP.
#include "dialect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_dialect(DIALECT_CECP, data, size);
}
