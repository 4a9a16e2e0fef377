// Perft for every game. Apart from the table of games, so that programs which never count, the
// engines, do not contain the generators that only serve to count and to compare.
#include "rules/surakarta/perft.h"
#include "rules/game.h"
#include "rules/surakarta/reference.h"
#include "rules/xiangqi/perft.h"
#include "rules/xiangqi/reference.h"

typedef uint64_t counter(const rules_pos *pos, int depth, uint64_t *captures);

static uint64_t count_sk(const rules_pos *pos, int depth, uint64_t *captures) {
    return sk_perft(&pos->sk, depth, captures);
}

static uint64_t count_sk_reference(const rules_pos *pos, int depth, uint64_t *captures) {
    return sk_reference_perft(&pos->sk, depth, captures);
}

static uint64_t count_xq(const rules_pos *pos, int depth, uint64_t *captures) {
    return xq_perft(&pos->xq, depth, captures);
}

static uint64_t count_xq_reference(const rules_pos *pos, int depth, uint64_t *captures) {
    return xq_reference_perft(&pos->xq, depth, captures);
}

// Faster ways to count than by the functions that every game has, or others to compare with. A game
// need not be here.
static const struct {
    const rules_game *game;
    counter *fast, *reference;
} counters[] = {
    {&rules_surakarta, count_sk, count_sk_reference},
    {&rules_xiangqi, count_xq, count_xq_reference},
};

static counter *find_counter(const rules_game *game, rules_perft_kind kind) {
    for (size_t i = 0; i < sizeof counters / sizeof counters[0] && kind != PERFT_PLAIN; i++)
        if (counters[i].game == game)
            return kind == PERFT_FAST ? counters[i].fast : counters[i].reference;
    return NULL;
}

// Perft by the functions that every game has.
static uint64_t plain_perft(const rules_game *game, const rules_pos *pos, int depth,
                            uint64_t *captures) {
    rules_move moves[RULES_MAX_MOVES];
    int n = game->legal_moves(pos, moves);
    uint64_t lines = 0;
    for (int i = 0; i < n; i++) {
        rules_pos next = *pos;
        rules_past past;
        bool is_capture = game->piece_at(pos, move_to(moves[i])) != '.';
        if (depth == 1) {
            lines++;
            *captures += is_capture;
            continue;
        }
        game->make(&next, moves[i], &past);
        lines += plain_perft(game, &next, depth - 1, captures);
    }
    return lines;
}

uint64_t rules_perft(const rules_state *s, int depth, rules_perft_kind kind, uint64_t *captures) {
    counter *count = find_counter(s->game, kind);
    *captures = 0;
    return count ? count(&s->pos, depth, captures) : plain_perft(s->game, &s->pos, depth, captures);
}
