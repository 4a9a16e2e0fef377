#include "search/vote.h"

#include "base/minmax.h"

enum { LEAST_WEIGHT = 15 }; // of a vote, per ply of its depth

static int64_t votes_for(const ballot *ballots, int count, rules_move move, int32_t worst) {
    int64_t votes = 0;
    for (int i = 0; i < count; i++)
        if (ballots[i].depth > 0 && ballots[i].move == move)
            votes += (int64_t)(ballots[i].score - worst + LEAST_WEIGHT) * ballots[i].depth;
    return votes;
}

// Results count as they are: proven wins by distance, then estimates, then losses.
static bool is_decided(int32_t score) { return !score_is_open(score); }

int vote(const ballot *ballots, int count) {
    int best = 0;
    int32_t worst = SCORE_INFINITE;
    for (int i = 0; i < count; i++)
        if (ballots[i].depth > 0)
            worst = min_int(worst, ballots[i].score);
    for (int i = 1; i < count; i++) {
        const ballot *one = &ballots[i], *other = &ballots[best];
        if (one->depth == 0)
            continue;
        bool is_better;
        if (other->depth == 0)
            is_better = true;
        else if (is_decided(other->score) || one->score >= SCORE_DECIDED)
            is_better = one->score > other->score;
        else if (one->score <= -SCORE_DECIDED)
            is_better = false; // it may not have finished the move that saves it
        else {
            int64_t gain = votes_for(ballots, count, one->move, worst) -
                           votes_for(ballots, count, other->move, worst);
            // Of those that agree, the deepest has the best line.
            is_better = gain > 0 || (gain == 0 && one->depth > other->depth);
        }
        if (is_better)
            best = i;
    }
    return best;
}
