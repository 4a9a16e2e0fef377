// What a Surakarta position is worth before anything is calculated: paper 1's four parts (where the
// pieces stand, what can be captured, how pieces back each other on the circuits, what is in
// danger) as countable features, with weights that slide with the number of pieces.
//
// All captures run over corner loops, and between the two pieces next to a loop: what these two
// and the one behind each of them are decides almost everything. A capture works both ways, so a
// loop with different sides at its ends belongs to whoever is to move; and the piece behind takes
// back over the same loop. So paper 1's parts two to four are one table of 16 cases a loop.
//
// What this leaves out is learnt by heart: the value of every pattern of six neighbouring stations,
// those of a line and those about a loop, three on either side.
//
// The accumulator goes with the position from ply to ply; what is not in it is counted from the
// words of the rings. Tables are written once before main; any thread may evaluate.
#ifndef KRATON_GAMES_SURAKARTA_EVALUATE_H
#define KRATON_GAMES_SURAKARTA_EVALUATE_H

#include "base/minmax.h"
#include "games/surakarta/network.h"
#include "games/surakarta/units.h"
#include "games/surakarta/weights.h"
#include "games/trace.h"
#include "rules/surakarta/surakarta.h"

enum {
    SK_EVAL_MAX = 14999,
    SK_POINT_CLASSES = 6, // under the eight symmetries of the square
    SK_LEADS = 4,
    SK_CIRCUITS = 2,
    SK_OWNED_CASES = 3,     // by the pieces behind of the same side
    SK_CONTESTED_CASES = 4, // whether the mover's end is backed, whether the other one is
    SK_BOARDS_OF_6 = 729,   // six stations, each empty, Black's or White's
    SK_PATTERNS = 182, // of them, where turned round is the same and the other colour the opposite
    SK_MOVER_PATTERNS = 377, // of them seen from the mover's side, where turned round is the same
};

// The parameters: what each is worth is in weights.h.
enum {
    SK_MATERIAL, // a piece more
    SK_LEAD,     // at least 1, 2, 3, 4 pieces more
    SK_POINT = SK_LEAD + SK_LEADS,
    SK_STEPS = SK_POINT + SK_POINT_CLASSES, // a step more to choose from
    SK_CLUSTER,                             // a pair of neighbours of one side
    SK_TEMPO,                               // to be the one to move
    SK_OWNED,                               // a loop with one side at both ends, by circuit
    SK_CONTESTED =
        SK_OWNED + SK_CIRCUITS * SK_OWNED_CASES, // a loop between the sides, for the mover
    SK_LINE = SK_CONTESTED + SK_CIRCUITS * SK_CONTESTED_CASES, // patterns of a line, by circuit
    SK_BEND =
        SK_LINE + SK_CIRCUITS * SK_PATTERNS, // patterns about a loop, for the mover, by circuit
    SK_PARAMETERS = SK_BEND + SK_CIRCUITS * SK_MOVER_PATTERNS
};

_Static_assert(sizeof sk_weights / sizeof sk_weights[0] == SK_PARAMETERS, "a weight a parameter");

// Both ends of the game in one number, so that one addition serves both: opening in the low half.
typedef int32_t sk_score;

typedef struct {
    sk_score points;    // where the pieces stand, Black's less White's
    sk_network network; // today's, where there is none from a file
    accumulator units;  // of the one from a file
} sk_eval;

extern const uint8_t sk_point_class[SK_POINTS];
// What the loops of a circuit are worth to Black, by the side to move and the four pieces about
// them (bit 3: behind the last before the loop, 2: that one, 1: the first after it, 0: behind it;
// set: Black's), and the parameter that says so, negative less one where it counts for White.
extern sk_score sk_loop_value[SK_CIRCUITS][2][16];
extern int8_t sk_loop_parameter[SK_CIRCUITS][2][16];
extern sk_score sk_point_value[SK_POINTS];
// Six stations as a number in base 3: one side's bits, to be added once for Black, twice for White.
extern uint16_t sk_base_3[64];
// Which pattern that is, ~pattern where it counts for White; SK_PATTERNS where it counts for none.
extern int16_t sk_pattern_of[SK_BOARDS_OF_6];
extern sk_score sk_line_value[SK_CIRCUITS][SK_BOARDS_OF_6];
// The same for patterns as the mover sees them: from 0, -1 where nothing stands. By side to move.
extern int16_t sk_mover_pattern_of[2][SK_BOARDS_OF_6];
extern sk_score sk_bend_value[SK_CIRCUITS][2][SK_BOARDS_OF_6];

// The name of a parameter, "point-3" or "contested-outer-2".
void sk_name_parameter(int parameter, writer *out);

ALWAYS_INLINE sk_score sk_pack(tapered weight) {
    return (sk_score)((uint32_t)weight.ending << 16) + weight.opening;
}

ALWAYS_INLINE int sk_opening(sk_score score) { return (int16_t)(uint16_t)(uint32_t)score; }

ALWAYS_INLINE int sk_ending(sk_score score) {
    return (int16_t)(uint16_t)(((uint32_t)score + 0x8000) >> 16);
}

// --- the accumulator ----------------------------------------------------------------------------

// `n` may be NULL.
void sk_eval_refresh(sk_eval *e, const sk_pos *pos, const network *n);

// The accumulator behind a move, which is about to be made.
ALWAYS_INLINE void sk_eval_update(sk_eval *next, sk_eval *now, const sk_pos *before,
                                  rules_move move) {
    int from = move_from(move), to = move_to(move);
    sk_score gain = sk_point_value[to] - sk_point_value[from];
    if (before->pieces[before->stm ^ 1] >> to & 1)
        gain += sk_point_value[to];
    next->points = now->points + (before->stm == SK_BLACK ? gain : -gain);
    sk_units_update(&next->units, &now->units, before, move);
    if (!now->units.network)
        sk_network_update(&next->network, &now->network, before, move);
}

// The accumulator after a null move.
ALWAYS_INLINE void sk_eval_update_null(sk_eval *next, sk_eval *now) {
    next->points = now->points;
    accumulator_pass(&next->units, &now->units);
    if (!now->units.network)
        next->network = now->network;
}

// --- the features -------------------------------------------------------------------------------

ALWAYS_INLINE sk_score sk_count(eval_trace *trace, int parameter, int times) {
    trace_add(trace, parameter, times);
    return sk_pack(sk_weights[parameter]) * times;
}

// The loop between bit 31 and bit 0 of a ring turned accordingly. A gap over several loops counts
// once, at its first loop.
ALWAYS_INLINE sk_score sk_eval_loop(uint32_t all, uint32_t black, int circuit, int stm,
                                    eval_trace *trace) {
    if (all >> 24 == 0)
        return 0;
    int last = 31 - __builtin_clz(all), first = __builtin_ctz(all);
    uint32_t others = all & ~((uint32_t)1 << last | (uint32_t)1 << first);
    int before = first, behind = last; // of two pieces on the ring each is behind the other
    if (others)
        before = 31 - __builtin_clz(others), behind = __builtin_ctz(others);
    uint32_t about = (black >> before & 1) << 3 | (black >> last & 1) << 2 |
                     (black >> first & 1) << 1 | (black >> behind & 1);
    int parameter = sk_loop_parameter[circuit][stm][about];
    trace_add(trace, parameter < 0 ? ~parameter : parameter, parameter < 0 ? -1 : 1);
    return sk_loop_value[circuit][stm][about];
}

ALWAYS_INLINE void sk_trace_pattern(eval_trace *trace, int first, int board) {
    int pattern = sk_pattern_of[board], sign = pattern < 0 ? -1 : 1;
    pattern = pattern < 0 ? ~pattern : pattern;
    if (pattern < SK_PATTERNS)
        trace_add(trace, first + pattern, sign);
}

// The patterns of the line in the low byte of a ring turned accordingly, and of the loop behind it.
ALWAYS_INLINE sk_score sk_eval_patterns(uint32_t black, uint32_t white, int circuit, int stm,
                                        eval_trace *trace) {
    int line = sk_base_3[black & 63] + 2 * sk_base_3[white & 63];
    int bend = sk_base_3[(black >> 3 & 7) | (black >> 5 & 56)] +
               2 * sk_base_3[(white >> 3 & 7) | (white >> 5 & 56)];
    if (trace) {
        sk_trace_pattern(trace, SK_LINE + circuit * SK_PATTERNS, line);
        int pattern = sk_mover_pattern_of[stm][bend];
        if (pattern >= 0)
            trace_add(trace, SK_BEND + circuit * SK_MOVER_PATTERNS + pattern,
                      stm == SK_BLACK ? 1 : -1);
    }
    return sk_line_value[circuit][line] + sk_bend_value[circuit][stm][bend];
}

ALWAYS_INLINE sk_score sk_eval_circuit(uint32_t all, uint32_t black, int circuit, int stm,
                                       eval_trace *trace) {
    sk_score score = 0;
    for (int turn = 0; turn < 32; turn += 8) {
        uint32_t turned = bits_rotate_right(all, turn), own = bits_rotate_right(black, turn);
        score += sk_eval_loop(turned, own, circuit, stm, trace);
        score += sk_eval_patterns(own, turned ^ own, circuit, stm, trace);
    }
    return score;
}

ALWAYS_INLINE int sk_count_neighbours(uint64_t own) {
    uint64_t right = own & own >> 1 & SK_NOT_F, down_right = own & own >> 7 & SK_NOT_F;
    uint64_t down = own & own >> 6, down_left = own & own >> 5 & SK_NOT_A;
    return bits_count(right | down_right << 35) + bits_count(down | down_left << 30);
}

ALWAYS_INLINE int sk_count_steps_of(const sk_pos *pos, int side) {
    sk_pos view = {.pieces = {pos->pieces[0], pos->pieces[1]}, .stm = (uint8_t)side};
    return sk_count_quiets(&view);
}

ALWAYS_INLINE sk_score sk_eval_material(int lead, eval_trace *trace) {
    sk_score score = sk_count(trace, SK_MATERIAL, lead);
    int sign = lead < 0 ? -1 : 1;
    for (int n = 1; n <= SK_LEADS; n++)
        if (lead * sign >= n)
            score += sk_count(trace, SK_LEAD + n - 1, sign);
    return score;
}

ALWAYS_INLINE sk_score sk_eval_points(const sk_pos *pos, const sk_eval *e, eval_trace *trace) {
    if (trace)
        for (int side = 0; side < 2; side++)
            for (uint64_t b = pos->pieces[side]; b;)
                trace_add(trace, SK_POINT + sk_point_class[bits_pop(&b)], side ? -1 : 1);
    return e->points;
}

// Centipawns (100 is about a piece) from the first side's point of view. With a trace (zeroed by
// the caller) it says how it came about; without one the compiler leaves that out.
ALWAYS_INLINE int32_t sk_evaluate_traced(const sk_pos *pos, const sk_eval *e, eval_trace *trace) {
    uint64_t black = pos->pieces[SK_BLACK], white = pos->pieces[SK_WHITE];
    uint64_t stations = pos->ring[SK_BLACK], all = stations | pos->ring[SK_WHITE];
    int blacks = bits_count(black), whites = bits_count(white);
    sk_score score = sk_eval_material(blacks - whites, trace) + sk_eval_points(pos, e, trace);
    score += sk_count(trace, SK_STEPS,
                      sk_count_steps_of(pos, SK_BLACK) - sk_count_steps_of(pos, SK_WHITE));
    score += sk_count(trace, SK_CLUSTER, sk_count_neighbours(black) - sk_count_neighbours(white));
    score += sk_count(trace, SK_TEMPO, pos->stm == SK_BLACK ? 1 : -1);
    score += sk_eval_circuit((uint32_t)all, (uint32_t)stations, 0, pos->stm, trace);
    score += sk_eval_circuit((uint32_t)(all >> 32), (uint32_t)(stations >> 32), 1, pos->stm, trace);
    // The stages of paper 1's dynamic evaluation, one a piece: 24 pieces to 4.
    int pieces = blacks + whites;
    int phase = pieces <= 4 ? 0 : (pieces - 4) * PHASE_MAX / 20;
    if (trace)
        trace->phase = phase, trace->scale = 64;
    return (sk_opening(score) * phase + sk_ending(score) * (PHASE_MAX - phase)) / PHASE_MAX;
}

// From the mover's point of view: the features and today's network, or a network from a file in the
// place of the latter or of both.
ALWAYS_INLINE int32_t sk_evaluate(const sk_pos *pos, sk_eval *e) {
    const network *n = e->units.network;
    int32_t score = 0;
    if (!n || n->shape.corrects)
        score = sk_evaluate_traced(pos, e, 0);
    score = pos->stm == SK_BLACK ? score : -score;
    if (!n)
        return score + sk_network_evaluate(&e->network, pos->stm);
    return clamp_int(score + sk_units_evaluate(&e->units, pos), -SK_EVAL_MAX, SK_EVAL_MAX);
}

#endif
