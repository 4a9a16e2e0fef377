// What can go wrong with an engine, each to be had on request: the stub does from its n-th move on
// whatever its fault says, so that those who run engines can be tested against it.
#ifndef KRATON_STUB_FAULT_H
#define KRATON_STUB_FAULT_H

#include "base/text.h"

typedef enum {
    FAULT_NONE,
    FAULT_ILLEGAL,      // illegal moves
    FAULT_ILLEGAL_ONCE, // one of them; the next attempt is legal
    FAULT_WRONG_GAME,   // a move of another game
    FAULT_CRASH,        // abort()
    FAULT_EXIT,         // leaves without a word, status 3
    FAULT_HANG,         // neither answers nor listens
    FAULT_FLOOD_INFO,   // endless lines of thinking, no move
    FAULT_FLOOD,        // 32 megabytes of rubbish, then the move
    FAULT_NO_NEWLINE,   // the move, but not the end of its line
    FAULT_LATE_OUTPUT,  // more lines after the move
    FAULT_EARLY,        // a second move, before anybody asked for it
    FAULT_BINARY,       // lines of arbitrary bytes, then the move
    FAULT_LONG_LINE,    // a line of a megabyte, then the move
    FAULT_BAD_SCORE,    // thinking that makes no sense, then the move
    FAULT_WORDS,        // lines for people (`info string`), then the move: no fault at all
    FAULT_CLOSE_STDOUT, // closes its output and stays
    FAULT_FORK,         // leaves a process of its own behind
    FAULT_RESIGN,
    FAULT_OFFER_DRAW, // with the move
    FAULT_CLAIM_DRAW, // instead of the move, where the protocol can; so does the next
    FAULT_CLAIM_WIN,
    // These do not wait for a move.
    FAULT_NO_START,    // leaves at once, status 1
    FAULT_MUTE,        // never answers anything
    FAULT_SLOW_START,  // answers the greeting late
    FAULT_IGNORE_QUIT, // stays when told to leave
    FAULT_STUBBORN,    // the same, and ignores SIGTERM
    FAULTS
} fault_kind;

typedef struct {
    fault_kind kind;
    int from_move; // of each game, from 1
} stub_fault;

// Reads KIND or KIND@N.
bool fault_parse(text word, stub_fault *fault_found);
// All kinds, for the help: NULL past the last.
const char *fault_name(int n);

#endif
