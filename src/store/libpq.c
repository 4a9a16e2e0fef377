#include "store/libpq.h"

#include "os/process.h"

#include <stdlib.h>
#include <string.h>

static const char *const function_names[] = {"PQconnectdbParams",
                                             "PQstatus",
                                             "PQparameterStatus",
                                             "PQerrorMessage",
                                             "PQsetNoticeProcessor",
                                             "PQfinish",
                                             "PQsocket",
                                             "PQsetnonblocking",
                                             "PQenterPipelineMode",
                                             "PQpipelineSync",
                                             "PQsendPrepare",
                                             "PQsendQueryParams",
                                             "PQsendQueryPrepared",
                                             "PQflush",
                                             "PQconsumeInput",
                                             "PQisBusy",
                                             "PQexec",
                                             "PQgetResult",
                                             "PQresultStatus",
                                             "PQresultErrorMessage",
                                             "PQresultErrorField",
                                             "PQntuples",
                                             "PQftype",
                                             "PQgetisnull",
                                             "PQgetlength",
                                             "PQgetvalue",
                                             "PQclear"};
enum { FUNCTIONS = sizeof function_names / sizeof *function_names };
_Static_assert(sizeof(libpq) == FUNCTIONS * sizeof(void (*)(void)), "a name each");

bool libpq_load(libpq *pq, fault *why) {
    const char *given = getenv("KRATON_LIBPQ"), *name = given ? given : "libpq.so.5";
    void *library = os_library_open(name);
    if (!library)
        return fault_set(why,
                         "PostgreSQL is spoken to by the library %s, which cannot be loaded: "
                         "install it (Debian: libpq5)",
                         name);
    for (int i = 0; i < FUNCTIONS; i++) {
        void (*function)(void) = os_library_find(library, function_names[i]);
        if (!function)
            return fault_set(why, "%s is not of PostgreSQL 14 or later: it has no %s", name,
                             function_names[i]);
        memcpy((char *)pq + (size_t)i * sizeof function, &function, sizeof function);
    }
    return true;
}
