// A position as a PNG, for previews of links: drawn by distance to lines, arcs and discs, so that
// edges are smooth. Pure computation; any thread may call it.
#ifndef KRATON_FEATURES_PICTURE_H
#define KRATON_FEATURES_PICTURE_H

#include "base/buffer.h"
#include "rules/rules.h"

enum { PICTURE_WIDTH = 800, PICTURE_HEIGHT = 420 };

// Draws the board of the state from the first side's usual seat, with the points of a move marked
// (MOVE_NONE: none), and appends the PNG. False when out of memory.
MUST_USE bool picture_draw(const rules_state *s, rules_move last, buffer *out);

#endif
