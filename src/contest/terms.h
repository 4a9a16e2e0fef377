// The terms of a sequential test as people write them: `elo0=0,elo1=5,alpha=0.05,beta=0.05`.
// No state; any thread may call it.
#ifndef KRATON_CONTEST_TERMS_H
#define KRATON_CONTEST_TERMS_H

#include "base/text.h"
#include "contest/stats.h"

// Reads the terms, joined by commas, in any order. What is not given is elo0=0, elo1=5, alpha=0.05,
// beta=0.05, normalised=0. False, with the reason, where a term is unknown, is no number, or is out
// of its range, and where elo0 is not below elo1.
bool contest_sprt_parse(text spec, contest_sprt *test, fault *why)
    __attribute__((warn_unused_result));

#endif
