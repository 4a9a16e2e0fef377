// Checks what an engine says about its move: its last variation must begin with the move and be
// legal, and where it claims a mate it must be as long as the claim and end the game. Only the last
// variation before each move is checked, and only if the user wants it: checking costs time.
//
// NULL is allowed everywhere and checks nothing. The caller owns it.
#ifndef KRATON_MATCH_PV_CHECK_H
#define KRATON_MATCH_PV_CHECK_H

#include "dialect/manager/manager.h"

typedef struct pv_check pv_check;

// NULL when memory runs out.
pv_check *pv_check_new(void);
void pv_check_free(pv_check *c);
// A new search begins.
void pv_check_clear(pv_check *c);
// The engine reports; the last report with a variation and an exact score counts.
void pv_check_note(pv_check *c, const dialect_info *info);
// Whether the variation is right for a move in the state. Else `why` has a line about it.
MUST_USE bool pv_check_passes(pv_check *c, const dialect_host *host, const rules_state *state,
                              rules_move played, fault *why);

#endif
