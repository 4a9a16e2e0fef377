// What the formats share: the inside of the component. Each format is one file that reads the next
// game of a reader and, if it can, writes a game; a format of one game only is in that game's
// folder. To add a format, write such a file and add a row to RECORD_FORMAT_TABLE in record.h
// (docs/adding-a-format.md).
#ifndef KRATON_RECORDS_FORMAT_H
#define KRATON_RECORDS_FORMAT_H

#include "records/record.h"

// What a format can hold besides moves and the position they start from.
enum {
    HOLDS_VARIATIONS = 1,
    HOLDS_COMMENTS = 2,
    HOLDS_MARKS = 4,
    HOLDS_CLOCKS = 8,
    HOLDS_TAGS = 16, // players, event, site, date and other tags
    HOLDS_RESULT = 32,
    HOLDS_ALL = 63
};

// One format: a row of the table.
typedef struct {
    const char *name;       // as users name it
    const char *title;      // as messages name it
    const char *type;       // media type
    const char *extension;  // of its files, without the dot
    const rules_game *game; // the one game it can hold; NULL: any
    unsigned holds;         // HOLDS_...: what is left of a game that is written and read back
    bool is_binary;         // the bytes are no text
    bool is_single;         // a file holds one game
    bool is_usual;          // games of `game` are saved so where nobody names a format
    // Whether a text begins so, without blanks in front: its first 4096 bytes. NULL: no sign.
    bool (*detect)(text start);
    // Formats of any game: whether the text says which. NULL: it never does.
    bool (*says_game)(text bytes);
    // The record is empty but for its game when reading starts.
    record_status (*next)(record_reader *reader, record *r, fault *why);
    // NULL: the format is read only. Formats with a notation of their own ignore `notation`.
    bool (*write)(const record *r, rules_notation notation, buffer *out, fault *why);
    // Whether the words of a comment come back as they are. NULL: all do.
    bool (*keeps)(text words);
    // Formats that name their files by their games; else NULL.
    void (*write_file_name)(const record *r, writer *out);
    bool (*read_file_name)(record *r, text name);
} format_row;

#define RECORD_ROW(upper, lower) extern const format_row format_##lower;
RECORD_FORMAT_TABLE(RECORD_ROW)
#undef RECORD_ROW

// --- lines and characters -----------------------------------------------------------------------

// Cuts the next line off the reader and counts it; *number is its number.
text reader_line(record_reader *reader, uint32_t *number);

// Whether nothing but blanks is left.
bool reader_is_blank(const record_reader *reader);

// Copies UTF-8 into a field of a record: one line, cut at the end of a character where too long.
// False where it was cut.
bool record_set_field(char *field, size_t size, text value);
// Adds a remark about what was read: one line.
void record_remark(record *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same about something that is not kept; strict readers refuse the game.
void record_drop(record *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same as record_set_field and record_set_tag for readers: what is cut, replaced by a second
// value or left out is remarked on under its name.
void record_read_field(record *r, const char *name, char *field, size_t size, text value);
void record_read_tag(record *r, text name, text value);
// The same for a tag that is called as a file likes: one called like a field of the record, which
// PGN writes as a tag, is left out.
void record_read_other_tag(record *r, text name, text value);
// Remarks on so many characters that could not be decoded.
void record_tell_damage(record *r, size_t damaged);
// Takes the result from words (result_of_words); those not understood are remarked on.
void record_read_result(record *r, text words);

// Whether a tag's name may hold the character: a letter, a digit or _.
bool record_is_tag_char(char c);

// Fills in "line 12: " and the words, and returns RECORD_BAD.
record_status record_refuse(fault *why, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same for binary formats: "byte 1024: ".
record_status record_refuse_byte(fault *why, size_t byte, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// --- playing the moves --------------------------------------------------------------------------

// A game being played move by move into a record, or out of one. It stands at a node of the tree.
typedef struct {
    record *r;          // NULL while writing
    const record *tree; // the same record
    uint32_t at;        // node whose position is on the board
    rules_state *state;
    uint32_t *path; // for replay_go: as many nodes as the state has room for
    void *memory;
} replay;

// Starts at the record's fen (made canonical, and empty where it is the start), for the moves that
// at most so many bytes hold. False where the fen is bad or memory is short; replay_end is due
// either way.
MUST_USE bool replay_begin(replay *p, record *r, size_t bytes, fault *why);
// Reads a move (how: see words.h), plays it and adds it to the record.
MUST_USE bool replay_word(replay *p, int notation, text word, fault *why);
// The same with a word of a text, named with its number where it is wrong.
MUST_USE bool replay_text(replay *p, int notation, text word, fault *why);
// Whether a word is a legal move at the start of the game that the reader expects: the usual
// one unless it was told another.
bool replay_can_open(const record_reader *reader, text word);
MUST_USE bool replay_move(replay *p, rules_move move, fault *why);
// Goes to another node of the tree. Takes time in proportion to the moves between the two.
void replay_go(replay *p, uint32_t node);
// Whether the board itself has decided the game, by whom and why.
bool replay_is_over(const replay *p, rules_verdict *verdict);
// A board that is decided gives the result where the record has none; one that contradicts the
// record's is remarked on.
void replay_settle(replay *p);
void replay_end(replay *p);

// The same for writing: the record stays as it is, and moves become words.
MUST_USE bool replay_show(replay *p, const record *r, fault *why);
// Writes the move of a node and plays it, wherever the game stood before.
MUST_USE bool replay_write(replay *p, uint32_t node, rules_notation notation, writer *out,
                           fault *why);

// Whether all moves of the tree are legal.
MUST_USE bool replay_check(replay *p, fault *why);

// --- walking through the tree -------------------------------------------------------------------

// The order of PGN: a move, then the variations that replace it, then what follows it. Needs
// neither a stack nor recursion, so that no nesting is too deep.
typedef enum { TREE_END, TREE_MOVE, TREE_OPEN, TREE_CLOSE } tree_step;
typedef struct {
    const record *r;
    uint32_t node;    // TREE_MOVE: the move
    uint32_t pending; // variation that was opened and whose move comes next
    bool is_closed;   // the variation that starts with the node is over
} tree_walk;

tree_walk tree_walk_start(const record *r);
tree_step tree_walk_next(tree_walk *w);

// The number of a variation in the order of their first nodes; line 0 is the main line. Fills in an
// array of r->node_count numbers, to be given back with free(); NULL when memory runs out.
uint32_t *tree_number_lines(const record *r, uint32_t *count);
// Lines as texts have them, one after the other: line 0 is the main line, each other one leaves a
// line of a smaller number at a ply. Returns an order in which going from line to line takes time
// in proportion to all their moves: a line, then those that leave it, by ply, each with its own. To
// be given back with free(); NULL when memory runs out.
typedef struct {
    uint32_t of, at;
} tree_line;
uint32_t *tree_order_lines(const tree_line *lines, size_t count);
// Whether a node continues the line of its parent, rather than starting a variation.
bool tree_is_continuation(const record *r, uint32_t node);
// Lists what a format cannot hold of the tree, "2 variations, 1 comment", and what it writes in
// other words.
void tree_write_losses(const record *r, const format_row *format, writer *dropped, writer *changed);

// --- PGN ----------------------------------------------------------------------------------------

// A notation's name in the Format tag, and back: `otherwise` where the name says nothing that
// matters, since only the squares a1..i10 cannot be told by their looks.
const char *pgn_notation_name(rules_notation notation);
int pgn_notation_of(text name, int otherwise);
bool pgn_write(const record *r, rules_notation notation, buffer *out, fault *why);

// The result's word in PGN: 1-0, 0-1, 1/2-1/2, *.
const char *result_word(rules_outcome result);
bool result_of_word(text word, rules_outcome *result);
// The same for words in Chinese too: 红胜, 黑方负, 和棋, 未知. False where nothing is understood.
bool result_of_words(const rules_game *game, text words, rules_outcome *result);

#endif
