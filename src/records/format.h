// What the formats share: the inside of the records room. Each format is one file that reads the
// next game of a reader and, but for DhtmlXQ, writes a game.
#ifndef KRATON_RECORDS_FORMAT_H
#define KRATON_RECORDS_FORMAT_H

#include "records/record.h"

// Reading and writing, by format; the record is empty when reading starts.
record_status contest_next(record_reader *reader, record *r, fault *why);
record_status pgn_next(record_reader *reader, record *r, fault *why);
record_status dhtmlxq_next(record_reader *reader, record *r, fault *why);
record_status json_next(record_reader *reader, record *r, fault *why);
record_status moves_next(record_reader *reader, record *r, fault *why);
bool contest_write(const record *r, buffer *out, fault *why);
bool pgn_write(const record *r, rules_notation notation, buffer *out, fault *why);
bool json_write(const record *r, buffer *out, fault *why);
bool moves_write(const record *r, rules_notation notation, buffer *out, fault *why);

// --- lines and characters -----------------------------------------------------------------------

// Cuts the next line off the reader and counts it; *number is its number.
text reader_line(record_reader *reader, uint32_t *number);

// Whether nothing but blanks is left.
bool reader_is_blank(const record_reader *reader);

// Appends raw bytes of the reader's text as UTF-8. Says what is wrong with them, without the line.
bool reader_decode(const record_reader *reader, text raw, writer *out, fault *why);

// Copies UTF-8 into a field of a record: one line, cut at the end of a character where too long.
void record_set_field(char *field, size_t size, text value);

// Whether a tag's name may hold the character: a letter, a digit or _.
bool record_is_tag_char(char c);

// Fills in "line 12: " and the words, and returns RECORD_BAD.
record_status record_refuse(fault *why, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// --- playing the moves --------------------------------------------------------------------------

// A game being played move by move into a record, or out of one.
typedef struct {
    record *r; // NULL while writing
    rules_state *state;
    void *memory;
} replay;

// Starts at the record's fen (made canonical, and empty where it is the start), for the moves that
// at most so many bytes hold. False where the fen is bad or memory is short; replay_end is due
// either way.
MUST_USE bool replay_begin(replay *p, record *r, size_t bytes, fault *why);
// Reads a move (how: see words.h), plays it and adds it to the record.
MUST_USE bool replay_word(replay *p, int notation, text word, fault *why);
// The same with a raw word of the reader's text.
MUST_USE bool replay_raw(replay *p, const record_reader *reader, int notation, text raw,
                         fault *why);
MUST_USE bool replay_move(replay *p, rules_move move, fault *why);
// Whether the board itself has decided the game, by whom and why.
bool replay_is_over(const replay *p, rules_verdict *verdict);
// A board that is decided gives the result where the record has none; one that contradicts the
// record's is put into words.
void replay_settle(replay *p, fault *remark);
void replay_end(replay *p);

// The same for writing: the record stays as it is, and moves become words.
MUST_USE bool replay_show(replay *p, const record *r, fault *why);
MUST_USE bool replay_write(replay *p, rules_move move, rules_notation notation, writer *out,
                           fault *why);

// The result's word in PGN: 1-0, 0-1, 1/2-1/2, *.
const char *result_word(rules_outcome result);
bool result_of_word(text word, rules_outcome *result);

#endif
