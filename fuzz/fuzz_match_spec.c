// An engine's description, as text and as JSON: whatever is accepted names a program.
#include "match/spec.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    text spec = {(const char *)data, size};
    match_engine e = {0};
    fault why = {""};
    if (!match_engine_parse(&e, spec, &why))
        assert(why.line[0]);
    match_engine_complete(&e);
    assert(!e.command[0] || e.name[0] || e.command[0][0] == '\0' ||
           e.command[0][strlen(e.command[0]) - 1] == '/');
    match_engine_free(&e);
    json_error_t error;
    json_t *json = json_loadb(spec.at, spec.len, 0, &error);
    if (json) {
        match_engine from_json = {0};
        if (!match_engine_from_json(&from_json, json, &why))
            assert(why.line[0]);
        match_engine_free(&from_json);
        json_decref(json);
    }
    return 0;
}
