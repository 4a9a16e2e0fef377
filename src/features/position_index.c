#include "features/position_index.h"

#include "base/minmax.h"
#include "store/archive.h"

enum {
    BATCH = 100000, // games: of 80 positions some 130 MB
    ROWS = 50000    // in a transaction
};

bool position_index_fill(store *s, bool (*goes_on)(void *context, double share), void *context,
                         fault *why) {
    double all = (double)store_count_unindexed(s), done = 0;
    bool good = true, goes = true;
    while (good && goes) {
        stored_batch b;
        store_take_unindexed(s, BATCH, &b);
        size_t at = 0;
        for (size_t rows; good && goes && at < b.count; at += rows) {
            rows = min_size(b.count - at, ROWS);
            store_index_positions(s, b.positions + at, rows);
            good = store_commit(s, why);
            double here = (double)b.game_count * (double)at / (double)b.count;
            goes = goes_on(context, (done + here) / all);
        }
        bool is_whole = good && at >= b.count;
        if (is_whole)
            store_set_indexed(s, &b);
        good = good && store_commit(s, why);
        done += (double)b.game_count;
        goes = goes && is_whole && b.game_count;
        store_free_batch(&b);
    }
    return good;
}
