// What can go wrong with an engine. The stub misbehaves on request, from its n-th move on, so that
// the programs that run engines can be tested.
#ifndef KRATON_STUB_MISBEHAVE_H
#define KRATON_STUB_MISBEHAVE_H

#include "base/text.h"

typedef enum {
    MISBEHAVE_NONE,
    MISBEHAVE_ILLEGAL,      // illegal moves
    MISBEHAVE_ILLEGAL_ONCE, // one of them; the next attempt is legal
    MISBEHAVE_WRONG_GAME,   // a move of another game
    MISBEHAVE_CRASH,        // abort()
    MISBEHAVE_EXIT,         // leaves without a word, status 3
    MISBEHAVE_HANG,         // neither answers nor listens
    MISBEHAVE_FLOOD_INFO,   // endless lines of thinking, no move
    MISBEHAVE_FLOOD,        // 32 megabytes of rubbish, then the move
    MISBEHAVE_NO_NEWLINE,   // the move, but not the end of its line
    MISBEHAVE_LATE_OUTPUT,  // more lines after the move
    MISBEHAVE_EARLY,        // a second move, before anybody asked for it
    MISBEHAVE_BINARY,       // lines of arbitrary bytes, then the move
    MISBEHAVE_LONG_LINE,    // a line of a megabyte, then the move
    MISBEHAVE_BAD_SCORE,    // thinking that makes no sense, then the move
    MISBEHAVE_WORDS,        // lines for people (`info string`), then the move: this is allowed
    MISBEHAVE_CLOSE_STDOUT, // closes its output and stays
    MISBEHAVE_FORK,         // leaves a process of its own behind
    MISBEHAVE_RESIGN,
    MISBEHAVE_OFFER_DRAW, // with the move
    MISBEHAVE_CLAIM_DRAW, // instead of the move, where the protocol can; so does the next
    MISBEHAVE_CLAIM_WIN,
    // These do not wait for a move.
    MISBEHAVE_NO_START,    // leaves at once, status 1
    MISBEHAVE_MUTE,        // never answers anything
    MISBEHAVE_SLOW_START,  // answers the greeting late
    MISBEHAVE_IGNORE_QUIT, // stays when told to leave
    MISBEHAVE_STUBBORN,    // the same, and ignores SIGTERM
    MISBEHAVIOURS
} misbehaviour_kind;

typedef struct {
    misbehaviour_kind kind;
    int from_move; // of each game, from 1
} misbehaviour;

// Reads KIND or KIND@N.
bool misbehaviour_parse(text word, misbehaviour *found);
// All kinds, for the help: NULL past the last.
const char *misbehaviour_name(int n);

#endif
