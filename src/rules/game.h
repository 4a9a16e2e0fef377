// What a game must answer so that rules.c can run it: the inside of a rules_game and of a
// rules_state. Included by rules.c, by the file game.c of each game, which fills it in, and by
// those who take a position over as it is: the search's contracts and the random openings.
#ifndef KRATON_RULES_GAME_H
#define KRATON_RULES_GAME_H

#include "rules/rules.h"
#include "rules/surakarta/surakarta.h"
#include "rules/xiangqi/xiangqi.h"

// A position of any game. All are plain values: assignment copies.
typedef union {
    sk_pos sk;
    xq_pos xq;
} rules_pos;

// One move of the history, with what undo and the repetition rules need.
typedef struct {
    uint64_t key; // of the position before the move
    rules_move move;
    uint8_t captured; // the game's code for what was taken, 0 for nothing
    uint8_t unused;
    uint16_t quiet; // plies without capture before the move
} rules_past;

typedef struct {
    const char *name;
    rules_set set;
    const char *title; // who plays by them
} rules_named_set;

struct rules_state {
    const rules_game *game;
    rules_set set;
    uint32_t capacity, ply;
    rules_pos pos;
    rules_past past[];
};

// The fields of a rule set that say what happens, in the order rules_set has them.
enum { RULES_END_FIELDS = 4 };

struct rules_game {
    rules_properties properties;
    const rules_named_set *sets;     // the first is the default; ends with a NULL name
    unsigned ends[RULES_END_FIELDS]; // what each of those fields may say, as bits of rules_end

    bool (*parse_fen)(rules_pos *pos, text fen, fault *why);
    void (*format_fen)(const rules_pos *pos, writer *out);
    int (*side_to_move)(const rules_pos *pos);
    int (*no_capture_plies)(const rules_pos *pos);
    uint64_t (*key)(const rules_pos *pos);
    int (*piece_count)(const rules_pos *pos, int side);
    char (*piece_at)(const rules_pos *pos, int point);
    bool (*in_check)(const rules_pos *pos);
    int (*legal_moves)(const rules_pos *pos, rules_move moves[RULES_MAX_MOVES]);
    bool (*is_legal)(const rules_pos *pos, rules_move move); // any 16 bits
    int (*capture_routes)(const rules_pos *pos, rules_move move, rules_route routes[4]);
    // Plays a legal move; fills in past but for its key.
    void (*make)(rules_pos *pos, rules_move move, rules_past *past);
    void (*undo)(rules_pos *pos, const rules_past *past);
    // The result by what stands on the board (wiped out, mate, no move): everything but history.
    rules_verdict (*board_result)(const rules_pos *pos, const rules_set *set);
    // The verdict on a cycle: the last n moves led from this very position back to it.
    rules_verdict (*judge_cycle)(const rules_pos *pos, const rules_past *moves, int n,
                                 rules_end how);
    // A line a move of the cycle that says what the verdict rests on; NULL: there are no articles.
    void (*explain_cycle)(const rules_pos *pos, const rules_past *moves, int n, rules_end how,
                          writer *out);
    // The result when the game is cut off (count or draw), with its words.
    rules_verdict (*cut_off)(const rules_pos *pos, rules_end how, rules_reason reason,
                             const char *words);
    bool (*parse_move)(const rules_pos *pos, int notation, text word, rules_move *move,
                       fault *why); // notation -1: any
    void (*format_move)(const rules_pos *pos, rules_move move, rules_notation notation,
                        writer *out);
    void (*draw)(const rules_pos *pos, const rules_drawing *how, writer *out);
    // Says what no game can have brought about although the position is accepted; NULL: never.
    bool (*tell_oddity)(const rules_pos *pos, fault *remark);
    // For random openings (records/openings.h). Whether both sides have the same men:
    bool (*has_equal_men)(const rules_pos *pos);
    // whether the side to move has a capture that wins material when both go on taking there:
    bool (*has_winning_capture)(const rules_pos *pos);
    // the other side is to move:
    void (*pass)(rules_pos *pos);
    // and the counters are those of a new game.
    void (*reset_counters)(rules_pos *pos);
};

// Reads what the FENs of all games share: `[plies without capture [move number]]` and nothing after
// it; 0 and 1 where they are missing.
MUST_USE bool rules_parse_counters(text rest, uint16_t *quiet, uint16_t *number, fault *why);

extern const rules_game rules_surakarta;
extern const rules_game rules_xiangqi;

#endif
