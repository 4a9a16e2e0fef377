// What an engine says about positions and moves: the moves of a game with the best move instead and
// how much was lost, and scores and lines as text. The state given to a function is as before when
// it returns.
#ifndef KRATON_CLI_ANNOTATE_H
#define KRATON_CLI_ANNOTATE_H

#include "match/thinker.h"
#include "records/record.h"

typedef struct {
    thinker_line best;     // its first move is the best one
    int32_t score, played; // of the best move and of the one played, for the mover: mark_score
    int32_t loss;          // between the two, as far as it matters; 0: nothing was lost
    const char *mark;      // "", "?!", "?", "??"
} annotation;

typedef struct {
    const record *game;
    annotation *moves; // as many as the game has
    uint32_t done;     // of them, from the first
} annotated;

// Called after every move that was annotated.
typedef struct {
    void (*on_move)(void *context, rules_state *before, const annotated *a);
    void *context;
} annotate_listener;

typedef enum { ANNOTATE_DONE, ANNOTATE_LEFT_OFF, ANNOTATE_FAILED } annotate_end;

// Annotates the game move by move. It stops early when the thinker's listener no longer wants to
// wait. It fails, with the reason, when the engine is gone or memory runs out. The moves done so
// far stay in both cases. The state is one of the game's with room for it; the record must outlive
// the result.
annotate_end annotate_game(thinker *t, const record *game, rules_state *state,
                           const dialect_limits *limits, const annotate_listener *listener,
                           annotated *a, fault *why);
void annotated_free(annotated *a);

// --- what an engine says, for people -------------------------------------------------------------

// "Red +0.35", "even", "Black wins in 3", or "Black wins" if the number of moves is unknown. The
// score is that of the side to move.
void lines_write_score(const rules_game *game, int mover, const dialect_info *info, writer *out);
// Writes as many moves as fit into so many bytes, at least one.
void lines_write_moves(rules_state *state, const rules_move *moves, int count,
                       rules_notation notation, size_t bytes, writer *out);

#endif
