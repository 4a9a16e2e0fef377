#include "mpi/transport.h"

#include "base/minmax.h"
#include "base/vector.h"

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { AT_ONCE = 1 << 30 }; // bytes of a message: MPI counts in int

static tb_ranks ranks;

// What came in with the last exchange.
static uint64_t *received;
static size_t room;

// Ranks that wait for others may spin: what they work is counted without it.
static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void send(void *context, int to, const void *bytes, size_t count) {
    (void)context;
    ranks.sent += count;
    for (const char *at = bytes; count > 0;) {
        size_t n = min_size(count, AT_ONCE);
        MPI_Send(at, (int)n, MPI_BYTE, to, 0, MPI_COMM_WORLD);
        at += n;
        count -= n;
    }
}

static void receive(void *context, int from, void *bytes, size_t count) {
    (void)context;
    for (char *at = bytes; count > 0;) {
        size_t n = min_size(count, AT_ONCE);
        MPI_Recv(at, (int)n, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        at += n;
        count -= n;
    }
}

static uint64_t sum(void *context, uint64_t mine) {
    (void)context;
    uint64_t all = 0;
    double from = processor_seconds();
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    ranks.within += processor_seconds() - from;
    return all;
}

static double largest(void *context, double mine) {
    (void)context;
    double most = mine, from = processor_seconds();
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    ranks.within += processor_seconds() - from;
    return most;
}

static void tell_all(void *context, void *bytes, size_t count) {
    (void)context;
    MPI_Bcast(bytes, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static bool make_room(size_t words) {
    uint64_t *grown = vector_reserve(received, &room, words, sizeof *grown);
    if (!grown)
        return false;
    received = grown;
    return true;
}

static bool exchange(void *context, uint64_t *const *out, const size_t *words, uint64_t **in,
                     size_t *in_words) {
    (void)context;
    static uint64_t counts[TB_MAX_RANKS], in_counts[TB_MAX_RANKS];
    static MPI_Request requests[2 * TB_MAX_RANKS];
    size_t all = 0, at = 0;
    int waiting = 0;
    double from = processor_seconds();
    for (int i = 0; i < ranks.count; i++)
        counts[i] = words[i];
    MPI_Alltoall(counts, 1, MPI_UINT64_T, in_counts, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int i = 0; i < ranks.count; i++)
        all += in_words[i] = in_counts[i];
    if (!make_room(all + 1))
        return false;
    for (int i = 0; i < ranks.count; at += in_words[i++]) {
        in[i] = received + at;
        if (in_words[i] > 0)
            MPI_Irecv(in[i], (int)in_words[i], MPI_UINT64_T, i, 1, MPI_COMM_WORLD,
                      &requests[waiting++]);
    }
    for (int i = 0; i < ranks.count; i++)
        if (words[i] > 0) {
            ranks.sent += words[i] * sizeof **out;
            MPI_Isend(out[i], (int)words[i], MPI_UINT64_T, i, 1, MPI_COMM_WORLD,
                      &requests[waiting++]);
        }
    MPI_Waitall(waiting, requests, MPI_STATUSES_IGNORE);
    ranks.within += processor_seconds() - from;
    return true;
}

static int count_beside(void) {
    MPI_Comm here;
    int count = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &count);
    MPI_Comm_free(&here);
    return count;
}

tb_ranks *transport_start(int *argc, char ***argv) {
    int given; // the level of threads: calls come from the main thread only
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &given);
    ranks = (tb_ranks){.exchange = exchange,
                       .sum = sum,
                       .largest = largest,
                       .tell_all = tell_all,
                       .send = send,
                       .receive = receive};
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    ranks.beside = count_beside();
    if (ranks.count <= TB_MAX_RANKS)
        return &ranks;
    MPI_Finalize();
    return NULL;
}

void transport_end(void) {
    free(received);
    MPI_Finalize();
}

void transport_abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }
