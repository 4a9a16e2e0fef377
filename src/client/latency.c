#include "client/latency.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void latency_print(FILE *out, const char *what, int64_t *took, size_t count) {
    if (count == 0)
        return;
    qsort(took, count, sizeof *took, by_size);
    static const double shares[] = {0.5, 0.9, 0.99, 0.999};
    fprintf(out, "%-14s ", what);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        fprintf(out, "%g %% in %.2f ms, ", shares[i] * 100,
                (double)took[(size_t)((double)(count - 1) * shares[i])] / 1000);
    fprintf(out, "all in %.2f ms\n", (double)took[count - 1] / 1000);
}
