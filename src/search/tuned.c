#include "search/tuned.h"

#ifdef KRATON_TUNED
#include "contract/contract.h"

#define AS_ROW(name, value) {#name, value},
const tuned_param tuned_params[] = {TUNED_LIST(AS_ROW)};
#undef AS_ROW
const int tuned_count = TUNED_COUNT;

#define AS_VALUE(name, value) value,
static const int usual[] = {TUNED_LIST(AS_VALUE)};
#undef AS_VALUE

_Thread_local const int *search_params = usual;

void tuned_use(const int *values) { search_params = values ? values : usual; }
#endif
