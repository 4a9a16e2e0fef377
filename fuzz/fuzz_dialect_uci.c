// Any bytes as lines of an engine that speaks UCI.
#include "dialect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_dialect(DIALECT_UCI, data, size);
}
