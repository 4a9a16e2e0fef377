// Several processes that work on the same tables, on one machine or many: the ranks of MPI. Planes
// are shared out by strips of columns, that is by rows of the tables, so that only folding needs
// anything from another rank. All ranks make the same calls in the same order.
//
// Rank 0 reads the command and announces work; the others wait for that and follow
// (tb_build_follow, tb_verify_follow). The program owns the ranks; calls come from its main thread
// only.
#ifndef KRATON_TABLEBASE_SURAKARTA_RANKS_H
#define KRATON_TABLEBASE_SURAKARTA_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TB_MAX_RANKS = 1024, TB_RANKS_PATH = 4096 };

typedef struct {
    void *context;
    int rank, count;
    int beside;    // ranks on this machine, this one included
    bool broken;   // this one has failed: the others wait for it in vain and have to be ended
    uint64_t sent; // bytes from this rank to others so far
    double within; // seconds of processor time of this rank so far inside the calls below
    // Hands words[i] words of out[i] to rank i and gets as much as rank i has for this one: in[i]
    // is good until the next call. False where memory runs out.
    bool (*exchange)(void *context, uint64_t *const *out, const size_t *words, uint64_t **in,
                     size_t *in_words);
    uint64_t (*sum)(void *context, uint64_t mine);              // over all ranks
    double (*largest)(void *context, double mine);              // of all ranks
    void (*tell_all)(void *context, void *bytes, size_t count); // from rank 0
    void (*send)(void *context, int to, const void *bytes, size_t count);
    void (*receive)(void *context, int from, void *bytes, size_t count);
} tb_ranks;

// What rank 0 announces.
typedef enum { TB_ANNOUNCE_END, TB_ANNOUNCE_BUILD, TB_ANNOUNCE_VERIFY } tb_announcement;

static inline void tb_announce(const tb_ranks *ranks, tb_announcement what) {
    int number = (int)what;
    ranks->tell_all(ranks->context, &number, sizeof number);
}

#endif
