#include "contest/field.h"

#include <stdlib.h>
#include <string.h>

bool field_init(field *f, int players, size_t row_count) {
    size_t n = (size_t)players + 1;
    *f = (field){.players = players, .row_count = row_count};
    f->rows = calloc(row_count ? row_count : 1, sizeof *f->rows);
    f->residual = calloc(n, sizeof *f->residual);
    f->direction = calloc(n, sizeof *f->direction);
    f->image = calloc(n, sizeof *f->image);
    f->diagonal = calloc(n, sizeof *f->diagonal);
    f->sums = calloc(n * (FIELD_LANES + 1), sizeof *f->sums);
    return f->rows && f->residual && f->direction && f->image && f->diagonal && f->sums;
}

void field_free(field *f) {
    free(f->rows);
    free(f->residual);
    free(f->direction);
    free(f->image);
    free(f->diagonal);
    free(f->sums);
    *f = (field){0};
}

// Clears the unknowns that are none.
static void clear_fixed(const field *f, field_lanes *x) {
    for (int i = 0; i < f->players; i++)
        if (f->is_fixed[i])
            memset(x[i], 0, sizeof x[i]);
    if (!f->has_advantage)
        memset(x[f->players], 0, sizeof x[f->players]);
}

void field_apply(const field *f, const field_lanes *x, field_lanes *image) {
    const int last = f->players;
    memset(image, 0, ((size_t)last + 1) * sizeof *image);
    for (size_t r = 0; r < f->row_count; r++) {
        const field_row *row = &f->rows[r];
        const double *a = x[row->first], *b = x[row->second];
        for (int k = 0; k < FIELD_LANES; k++) {
            double difference = a[k] - b[k];
            double pull = row->weight * (difference + x[last][k]);
            double sum = pull + row->level * difference;
            image[row->first][k] += sum;
            image[row->second][k] -= sum;
            image[last][k] += pull;
        }
    }
    clear_fixed(f, image);
}

void field_centre(const field *f, field_lanes *x) {
    double(*sums)[FIELD_LANES + 1] = (double(*)[FIELD_LANES + 1]) f->sums;
    memset(sums, 0, (size_t)f->groups * sizeof *sums);
    for (int i = 0; i < f->players; i++) {
        double *sum = sums[f->group[i]];
        for (int k = 0; k < FIELD_LANES; k++)
            sum[k] += x[i][k];
        sum[FIELD_LANES]++;
    }
    for (int i = 0; i < f->players; i++) {
        const double *sum = sums[f->group[i]];
        for (int k = 0; k < FIELD_LANES && !f->group_held[f->group[i]]; k++)
            x[i][k] -= sum[k] / sum[FIELD_LANES];
    }
    clear_fixed(f, x);
}

static void find_diagonal(field *f) {
    memset(f->diagonal, 0, ((size_t)f->players + 1) * sizeof *f->diagonal);
    for (size_t r = 0; r < f->row_count; r++) {
        const field_row *row = &f->rows[r];
        f->diagonal[row->first] += row->weight + row->level;
        f->diagonal[row->second] += row->weight + row->level;
        f->diagonal[f->players] += row->weight;
    }
}

static void add_products(const field_lanes *a, const field_lanes *b, const double *divisors, int n,
                         double sums[FIELD_LANES]) {
    memset(sums, 0, FIELD_LANES * sizeof *sums);
    for (int i = 0; i < n; i++) {
        double scale = !divisors ? 1 : divisors[i] > 0 ? 1 / divisors[i] : 0;
        for (int k = 0; k < FIELD_LANES; k++)
            sums[k] += a[i][k] * b[i][k] * scale;
    }
}

// Conjugate gradients, the diagonal as preconditioner. The number of steps is bounded by what
// rounding leaves of the promise that there are as many as unknowns.
void field_solve(field *f, field_lanes *right, field_lanes *x, double precision) {
    int n = f->players + 1, most = 4 * n + 100;
    double before[FIELD_LANES], now[FIELD_LANES], goal[FIELD_LANES], step[FIELD_LANES];
    field_lanes *r = f->residual, *d = f->direction, *image = f->image;
    find_diagonal(f);
    field_centre(f, right);
    memcpy(r, right, (size_t)n * sizeof *r);
    memset(x, 0, (size_t)n * sizeof *x);
    memset(d, 0, (size_t)n * sizeof *d);
    add_products(r, r, f->diagonal, n, now);
    for (int k = 0; k < FIELD_LANES; k++) {
        goal[k] = now[k] * precision * precision;
        before[k] = 1;
    }
    for (int steps = 0; steps < most; steps++) {
        bool is_done = true;
        for (int k = 0; k < FIELD_LANES; k++)
            is_done &= !(now[k] > goal[k]);
        if (is_done)
            break;
        for (int i = 0; i < n; i++) {
            double scale = f->diagonal[i] > 0 ? 1 / f->diagonal[i] : 0;
            for (int k = 0; k < FIELD_LANES; k++)
                d[i][k] = r[i][k] * scale + (steps ? now[k] / before[k] : 0) * d[i][k];
        }
        field_apply(f, (const field_lanes *)d, image);
        add_products((const field_lanes *)d, (const field_lanes *)image, NULL, n, step);
        for (int k = 0; k < FIELD_LANES; k++)
            step[k] = step[k] > 0 && now[k] > goal[k] ? now[k] / step[k] : 0;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < FIELD_LANES; k++) {
                x[i][k] += step[k] * d[i][k];
                r[i][k] -= step[k] * image[i][k];
            }
        for (int k = 0; k < FIELD_LANES; k++)
            before[k] = now[k] > 0 ? now[k] : 1;
        add_products((const field_lanes *)r, (const field_lanes *)r, f->diagonal, n, now);
    }
    field_centre(f, x);
}
