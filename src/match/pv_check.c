#include "match/pv_check.h"

#include "base/minmax.h"

#include <stdlib.h>

enum { LONGEST = 4096 };

struct pv_check {
    size_t len;
    bool is_cut, is_mate;
    int32_t score;
    char pv[LONGEST];
    _Alignas(16) char state[];
};

pv_check *pv_check_new(void) {
    size_t size = sizeof(pv_check) + rules_state_size(RULES_LONGEST_GAME);
    pv_check *c = malloc(size);
    if (c)
        c->len = 0;
    return c;
}

void pv_check_free(pv_check *c) { free(c); }

void pv_check_clear(pv_check *c) {
    if (c)
        c->len = 0;
}

void pv_check_note(pv_check *c, const dialect_info *info) {
    if (!c || info->pv.len == 0 || info->is_bound || !info->has_score)
        return;
    c->len = min_size(info->pv.len, LONGEST);
    c->is_cut = info->pv.len > LONGEST;
    c->is_mate = info->is_mate;
    c->score = info->score;
    memcpy(c->pv, info->pv.at, c->len);
}

// A mate in n moves is 2n - 1 plies away for the one who mates, 2n for the one who is mated.
static bool is_mate_right(const pv_check *c, const rules_state *end, int side, uint32_t plies,
                          fault *why) {
    int32_t moves = abs(c->score);
    uint32_t expected = (uint32_t)(c->score > 0 ? 2 * moves - 1 : 2 * moves);
    rules_outcome win = (c->score > 0) == (side == 0) ? RULES_FIRST_WINS : RULES_SECOND_WINS;
    if (plies == expected && rules_result(end).outcome == win)
        return true;
    return fault_set(why, "claims mate %d, and its variation of %u plies %s", (int)c->score,
                     (unsigned)plies,
                     plies == expected ? "does not end in it" : "has not that length");
}

bool pv_check_passes(pv_check *c, const dialect_host *host, const rules_state *state,
                     rules_move played, fault *why) {
    if (!c || c->len == 0)
        return true;
    rules_state *end = (rules_state *)c->state;
    int side = rules_side_to_move(state);
    uint32_t start = rules_ply(state);
    memcpy(end, state, rules_state_size(start));
    text rest = {c->pv, c->len};
    for (text word = text_next_word(&rest); word.len; word = text_next_word(&rest)) {
        rules_move move;
        fault reason;
        if (c->is_cut && rest.len == 0)
            break; // perhaps half a word
        if (rules_ply(end) >= RULES_LONGEST_GAME)
            break;
        bool is_legal =
            dialect_parse_move(host, end, word, &move, &reason) && rules_play(end, move, &reason);
        if (!is_legal && rules_result(end).outcome != RULES_ONGOING)
            break; // moves beyond the end of the game
        if (!is_legal)
            return fault_set(why, "move %u of its variation, %s: %.120s",
                             (unsigned)(rules_ply(end) - start + 1), fault_quote(word).shown,
                             reason.line);
        if (rules_ply(end) == start + 1 && move != played)
            return fault_set(why, "its variation begins with %s, which is not its move",
                             fault_quote(word).shown);
    }
    return !c->is_mate || c->is_cut || is_mate_right(c, end, side, rules_ply(end) - start, why);
}
