// Any bytes as lines of an engine that speaks SAU.
#include "dialect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_dialect(DIALECT_SAU, data, size);
}
