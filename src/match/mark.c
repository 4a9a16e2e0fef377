#include "match/mark.h"

#include "dialect/dialect.h"

#include <math.h>

static const double SCALE = 250; // a score of so many hundredths is a chance of 73 %

int32_t mark_score(bool is_mate, int32_t score) {
    int32_t size = score < 0 ? -score : score, sign = score > 0 ? 1 : -1;
    if (is_mate)
        return sign * (MARK_MATE - size);
    return size < DIALECT_WON ? score : sign * MARK_WON;
}

static int32_t clip(int32_t score) {
    return score > MARK_DECIDED ? MARK_DECIDED : score < -MARK_DECIDED ? -MARK_DECIDED : score;
}

int32_t mark_loss(int32_t before, int32_t after, bool is_best) {
    int32_t loss = clip(before) - clip(after);
    return is_best || loss < MARK_NOTED ? 0 : loss;
}

double mark_chance(int32_t score) { return 1 / (1 + exp(-score / SCALE)); }

const char *mark_of(int32_t before, int32_t after, bool is_best) {
    double loss = is_best ? 0 : mark_chance(before) - mark_chance(after);
    return loss >= 0.20 ? "??" : loss >= 0.10 ? "?" : loss >= 0.05 ? "?!" : "";
}
