#include "search/tuned.h"

#ifdef KRATON_TUNED
#include "search/search.h"
#include "search/worker.h"

#define AS_ROW(name, value) {#name, value},
const tuned_param tuned_params[] = {TUNED_LIST(AS_ROW)};
#undef AS_ROW
const int tuned_count = TUNED_COUNT;
_Static_assert((int)TUNED_COUNT <= (int)TUNED_MAX, "room for all of them in a search");

#define AS_VALUE(name, value) value,
static const int usual[] = {TUNED_LIST(AS_VALUE)};
#undef AS_VALUE

_Thread_local const int *search_params = usual;

void search_set_params(search *s, const int *values) {
    search_wait(s);
    memcpy(s->params, values ? values : usual, sizeof usual);
}

void tuned_use(const search *s) { search_params = s ? s->params : usual; }
#endif
