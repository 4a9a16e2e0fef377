// Networks for evaluations: two perspectives, each with a first layer that is kept up to date move
// by move, then one layer of outputs. A network is a file (docs/networks.md specifies it).
//
// Each side looks at the board from its own half. A perspective has as many inputs as there are
// kinds of pieces times points, once per king bucket. The units of the first layer are the bias
// plus the rows of the active inputs, in 16 bits; a unit is full at NETWORK_ONE. A clipped and
// squared unit has 7 bits, an output weight 8. All results are exact integers, the same on every
// processor.
//
// A network is constant once it is loaded; any thread may use it. The owner frees it.
#ifndef KRATON_GAMES_NETWORK_H
#define KRATON_GAMES_NETWORK_H

#include "base/bits.h"
#include "base/buffer.h"
#include "games/kernels.h"

enum {
    NETWORK_MAX_WIDTH = 1024,
    NETWORK_MAX_KING_BUCKETS = 6,
    NETWORK_MAX_OUTPUT_BUCKETS = 8,
    NETWORK_TEXT_SIZE = 1024,
    NETWORK_MAX_BYTES = 16 << 20,    // of any file
    NETWORK_MAX_OWN_BYTES = 8 << 20, // of a network that is part of the program
};

typedef struct {
    int inputs; // of a perspective, in one king bucket
    int width;  // units of a perspective
    int king_buckets, output_buckets;
    bool corrects; // its value is added to the hand-made evaluation; else it replaces it
    int32_t scale; // centipawns of one unit of output, in 65536ths
} network_shape;

typedef struct network {
    network_shape shape;
    char text[NETWORK_TEXT_SIZE]; // lines `NAME VALUE`: the game first, then where it comes from
    int16_t *rows;                // [king bucket][input][width]
    int16_t *bias;                // [width]
    int8_t *output;               // [output bucket][2][width]: of the mover, of the other side
    int32_t constant[NETWORK_MAX_OUTPUT_BUCKETS];
    uint64_t checksum;              // of its file; 0 if it was not read from one
    const network_kernels *kernels; // the fastest of this processor
} network;

// A network with all weights 0. NULL, with the reason, if there is no such shape or no memory.
network *network_new(const network_shape *shape, fault *why);
void network_free(network *n); // NULL is allowed

// Appends the bytes of its file.
void network_encode(const network *n, buffer *out);
// NULL, with the reason, if these are not the bytes of a network of that game.
network *network_decode(text bytes, const char *game, fault *why);
network *network_open(const char *path, const char *game, fault *why);
// The network that a user asks for: "none" is NULL, the hand-made evaluation; "default" the one
// that is part of the program, or NULL where there is none; all else names a file. False, with the
// reason, if it cannot be used.
MUST_USE bool network_choose(const char *name, const char *game, network **chosen, fault *why);
// Whether a network for the game is part of the program.
bool network_has_own(const char *game);

ALWAYS_INLINE const int16_t *network_row(const network *n, int king_bucket, int input) {
    const network_shape *s = &n->shape;
    return n->rows + (size_t)(king_bucket * s->inputs + input) * (size_t)s->width;
}

// Centipawns for the mover, from the units of its perspective and of the other side's.
ALWAYS_INLINE int32_t network_evaluate(const network *n, const int16_t *mover, const int16_t *other,
                                       int output_bucket) {
    int width = n->shape.width;
    const int8_t *output = n->output + (size_t)(2 * width) * (size_t)output_bucket;
    int32_t sum = n->constant[output_bucket] + n->kernels->sum(mover, output, width) +
                  n->kernels->sum(other, output + width, width);
    return (int32_t)((int64_t)sum * n->shape.scale / 65536);
}

#endif
