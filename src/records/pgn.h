// What the parts of the PGN reader share: pgn_scan.c finds words and comments, pgn_tags.c reads
// tags, pgn_drawing.c trees that are drawn, and pgn.c everything else.
#ifndef KRATON_RECORDS_PGN_H
#define KRATON_RECORDS_PGN_H

#include "records/format.h"

// A game being read.
typedef struct {
    record_reader *reader;
    record *r;
    replay game;
    fault *why;     // of the first thing wrong
    uint32_t start; // line the game starts on
    bool bad;       // something was wrong: the rest of the game is skipped
    bool in_moves;  // the tags are over
    bool ended;     // the result was seen; variations and even moves may follow it
    uint32_t *open; // variations not closed yet: for each, the node of the move it replaces
    size_t depth, open_capacity;
    size_t skipped;  // the variation of this depth cannot be played: skipped to its end; 0: none
    buffer comment;  // words that wait for the move that they stand before
    int notation;    // -1: any
    text first_tag;  // name of the first tag
    text result;     // of the tag
    bool has_result; // and it says something:
    rules_outcome tagged;
    bool is_side_open; // the FEN does not say whose turn it is: the first move will
} pgn_parser;

// Notes that the game is bad; the first reason counts.
void pgn_refuse(pgn_parser *p, uint32_t line, const char *words);
// Plays a move of the game where it stands, or several that are written without blanks between
// them.
MUST_USE bool pgn_play(pgn_parser *p, text word, fault *why);
// Adds words to the comment of the node where the game stands. False where there is no room.
MUST_USE bool pgn_keep_comment(pgn_parser *p, text comment);

// --- pgn_tags.c ---------------------------------------------------------------------------------

// Reads `[Name "value"]`; the rest starts with its bracket. A line may hold several.
void pgn_read_tag(pgn_parser *p);
// Whether the rest is a tag that the game has and another game would start with.
bool pgn_repeats_tag(const pgn_parser *p);
// The tags are over: sets up the board.
void pgn_end_tags(pgn_parser *p);
// Gives the first move to the other side where the FEN left that open. False where it did not.
MUST_USE bool pgn_turn_side(pgn_parser *p);

// --- pgn_drawing.c ------------------------------------------------------------------------------

// Whether the rest is the drawing of a tree.
bool pgn_starts_drawing(const record_reader *reader);
// Reads the drawing and the comments behind it.
void pgn_read_drawing(pgn_parser *p);

// --- pgn_scan.c ---------------------------------------------------------------------------------

// Skips bytes; only the first of them may be a line end.
void pgn_advance(record_reader *reader, size_t bytes);
// Bytes of the blank the rest starts with, the wide blank of Chinese text included, or 0.
size_t pgn_blank_length(const record_reader *reader);
bool pgn_at_line_start(const record_reader *reader);
// Takes everything up to the closing character, that one included; false where it never comes.
bool pgn_skip_past(record_reader *reader, char closing);
// Takes a comment in braces; false where it has no end before the next game, which is left alone.
bool pgn_skip_braces(record_reader *reader);
// The same behind a result, where any tag at the start of a line starts a game. Then nothing is
// taken.
bool pgn_skip_comment(record_reader *reader);
text pgn_take_word(record_reader *reader);
// The move of a word: without its number and dots. Empty where it has none.
text pgn_strip_word(text word);
// Behind the blanks at a place of a line.
size_t pgn_skip_blanks(text raw, size_t at);
// Whether the rest looks like a tag, so that a stray bracket does not start a game.
bool pgn_starts_tag(text rest);
// Whether a tag starts another game: it stands at the start of a line behind an empty one.
bool pgn_starts_tags(const record_reader *reader);
// The number of the move that the rest starts with, 0 for none, and the move, which may stand
// behind blanks; empty where there is none.
text pgn_look_at_move(const record_reader *reader, int64_t *number);
// Skips the text after a result, which is no part of a game: up to a line that starts with a tag or
// a first move, or to the end. Returns the first line that nobody expects there, or nothing:
// collections write their name and address below a line of ====.
text pgn_skip_text(record_reader *reader);

#endif
