#include "record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_records(data, size, RECORD_DPXQ);
}
