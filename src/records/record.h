// Game records: one structure for every format they are written in. docs/records.md specifies the
// formats, docs/adding-a-format.md says how to add one.
//
// A record is a tree of moves: the main line, variations that leave it, and what is said about each
// move. A record owns its tree; record_free gives it back. Every parser takes pointer and length
// and survives any bytes, in time linear in their number. Faults name the line: "line 12: ...".
// Nothing keeps state between calls; different readers and records may be used from different
// threads.
#ifndef KRATON_RECORDS_RECORD_H
#define KRATON_RECORDS_RECORD_H

#include "base/buffer.h"
#include "rules/rules.h"

// The table of formats: a row makes the constant RECORD_PGN and looks for format_pgn. A text is
// taken for the first format here whose signs it shows, so the surest signs come first. Lists of
// moves have none and come last.
#define RECORD_FORMAT_TABLE(row)                                                                   \
    row(CONTEST, contest)     /* the Chinese contest's text in GBK, one game a file */             \
        row(PGN, pgn)         /* PGN of any game */                                                \
        row(DHTMLXQ, dhtmlxq) /* DhtmlXQ text of Chinese forums */                                 \
        row(JSON, json)       /* one JSON object a line, any game */                               \
        row(XQF, xqf)         /* files of XQStudio, one game a file */                             \
        row(CBR, cbr)         /* files of CCBridge, one game a file */                             \
        row(CBL, cbl)         /* libraries of CCBridge */                                          \
        row(WXF, wxf)         /* text of PlayOK and the World Xiangqi Federation */                \
        row(DPXQ, dpxq)       /* text export of dpxq */                                            \
        row(MOVES, moves)     /* a line of moves a game */

#define RECORD_CONSTANT(upper, lower) RECORD_##upper,
typedef enum { RECORD_FORMAT_TABLE(RECORD_CONSTANT) RECORD_FORMATS } record_format;
#undef RECORD_CONSTANT

enum { RECORD_TAG_SIZE = 256, RECORD_TAGS = 32, RECORD_REMARKS = 8 };

typedef struct {
    char name[32];               // as in PGN: Event, Site, Date, ECCO, Opening, ...
    char value[RECORD_TAG_SIZE]; // UTF-8
} record_tag;

// A move of the tree and what is said about it. Nodes are known by their index; node 0 is the start
// position and has a comment only. A node's index is greater than its parent's.
typedef struct {
    uint32_t parent;
    uint32_t next;    // the move played after it; 0: none
    uint32_t newest;  // the last of the moves that can follow it; 0: none
    uint32_t other;   // the next alternative to this move; 0: none
    uint32_t comment; // where its comment starts in `comments`; 0: none
    rules_move move;
    uint16_t ply;        // moves from the start position, this one included
    uint8_t marks[4];    // NAGs: 1 is !, 2 ?, 3 !!, 4 ??, 5 !?, 6 ?!; 0: none
    int64_t clock, used; // microseconds left after the move and spent on it; -1: unknown
} record_node;

typedef struct {
    const rules_game *game;
    char first[RECORD_TAG_SIZE], second[RECORD_TAG_SIZE]; // the players' names, UTF-8
    char event[RECORD_TAG_SIZE], site[RECORD_TAG_SIZE];
    char date[32];            // as found: 2026.11.15, 2026-11-15 14:05, ...
    char fen[RULES_FEN_SIZE]; // empty: the start position
    rules_outcome result;     // ongoing: unknown or unfinished
    int tag_count;
    record_tag tags[RECORD_TAGS]; // whatever else the record said
    uint32_t count;
    size_t capacity;
    rules_move *moves; // of the main line: all legal, one after the other
    record_node *nodes;
    uint32_t node_count; // the start position included; 0: no tree so far
    size_t node_capacity;
    uint32_t last;      // node at the end of the main line
    buffer comments;    // UTF-8, each with its terminator
    uint32_t commented; // node of the last of them
    // What the reader left out, cut, repaired or doubted: the first RECORD_REMARKS, a line each.
    buffer remarks;
    uint32_t remark_count; // of all
    fault dropped;         // the first of them about something that is not kept; else empty
} record;

// Walks the games of a file. The bytes must outlive it.
typedef struct {
    record_format format;
    const rules_game *game; // for `moves`, and to check the others against; may be NULL
    text all, rest;         // the text in UTF-8, or the bytes of a binary format
    uint32_t line;          // of rest's first byte, from 1
    text start;             // FEN of lists of moves that name none; empty: the start position
    int notation;           // of moves, PGN and JSON that name none: a rules_notation; -1: any
    bool is_strict;         // refuse what would be repaired with a remark
    const char *plain;      // PGN: braces before it that start no comment so far will start none
    size_t damaged;         // characters that could not be decoded, until somebody was told
    size_t unsure;          // lines that could be in another encoding, until somebody was told
    buffer decoded;         // the text, where the file was not in UTF-8
    fault broken;           // why nothing can be read at all; empty: it can
} record_reader;

// The format of that name.
bool record_format_find(text name, record_format *format);
// The format whose extension, or whose own name, stands behind the dot of a file's name. A format
// that names its files by their games has an extension that says nothing, such as .txt.
bool record_format_of_name(const char *name, record_format *format);
// Writes the names of all formats, or of those that can be written: "contest, pgn, json, moves".
void record_write_format_names(writer *out, bool written_only);
enum { RECORD_NAMES_SIZE = 16 * RECORD_FORMATS }; // bytes for all of them
const char *record_format_name(record_format format);
// Whether games of this kind can be read in the format, and whether they can be written.
bool record_format_holds(record_format format, const rules_game *game);
bool record_format_is_written(record_format format);
// Whether a file of the format holds one game only.
bool record_format_is_single(record_format format);
// The format's media type, for HTTP.
const char *record_format_type(record_format format);
// Whether a text in the format says which game it is of.
bool record_says_game(text bytes, record_format format);
// The format to save games in where nobody names one: the one made for the game, else PGN.
record_format record_format_for(const rules_game *game);
// The format that a file's bytes look like, in any encoding; `moves` where nothing else fits.
record_format record_detect(text bytes);

// Names the format of a file that is known but not read, such as "PFC"; NULL: nothing is known.
const char *record_find_unread(text bytes);

void record_init(record *r, const rules_game *game);
void record_free(record *r);
// Adds a move at the end of the main line. False when memory runs out or the line is too long.
MUST_USE bool record_add_move(record *r, rules_move move);
// Adds a move after a node: its continuation, or an alternative where it has one. Returns the new
// node, 0 when memory runs out or the line is too long. Nobody checks the move.
MUST_USE uint32_t record_add(record *r, uint32_t parent, rules_move move);
// Takes all moves and comments back; headings stay.
void record_drop_moves(record *r);
// Sets the comment of a node, 0 for the words before the first move. Control characters but line
// ends and blanks at both ends are left out. False when memory runs out.
MUST_USE bool record_set_comment(record *r, uint32_t node, text comment);
// The same behind what the node has, on a line of its own.
MUST_USE bool record_add_comment(record *r, uint32_t node, text comment);
// The comment of a node; empty where it has none.
const char *record_comment(const record *r, uint32_t node);
// Adds a NAG to a node; false where it has four.
bool record_add_mark(record *r, uint32_t node, int nag);
// The node of the n-th move of the main line, from 1; 0 is the start position.
uint32_t record_main_node(const record *r, uint32_t n);
// Says what a format cannot hold of the record: "2 variations, 1 comment, Round dropped: ...; Event
// cut: ...; 1 comment changed: ...". False where it holds all of it.
bool record_tell_losses(const record *r, record_format format, fault *remark);
// The value of a tag, or NULL.
const char *record_find_tag(const record *r, const char *name);
// False when full, or where the name is not 1 to 31 letters, digits and _.
bool record_set_tag(record *r, text name, text value);

// Starts reading a file's bytes. Text is decoded if it is not in UTF-8 (base/encoding.h).
record_reader record_read(text bytes, record_format format, const rules_game *game);
// Gives back the decoded text; a reader of UTF-8 text owns nothing.
void record_close(record_reader *reader);
// Reads the next game into an initialised record (whatever it held is given back first). A bad game
// leaves what could be read of it in the record, and the reader behind it. A good one may have
// remarks, such as a result that the board contradicts; then why is the first of them, else empty.
typedef enum { RECORD_END, RECORD_OK, RECORD_BAD } record_status;
record_status record_next(record_reader *reader, record *r, fault *why);

// Appends the record in a format. False where the format cannot hold it (wrong game, read only).
// PGN is written in the game's pgn_notation, moves in its native one.
MUST_USE bool record_write(const record *r, record_format format, buffer *out, fault *why);
// The same with the moves of PGN and `moves` in a notation of the game.
MUST_USE bool record_write_as(const record *r, record_format format, rules_notation notation,
                              buffer *out, fault *why);
// What somebody says about a move.
typedef struct {
    const char *mark;    // behind it: "", "?!", "?", "??", ...
    const char *comment; // in braces behind that, without braces of its own; empty: none
} record_note;
// PGN with remarks about the first so many moves.
MUST_USE bool record_write_notes(const record *r, rules_notation notation, const record_note *notes,
                                 uint32_t count, buffer *out, fault *why);
// A file name for a record in a format, without folder: as the format names its files, or by the
// record's number.
void record_write_file_name(const record *r, record_format format, unsigned number, writer *out);
// Takes players, result and date from a file's name where the record lacks them. False where the
// name is not one that a format of the game gives its files.
bool record_read_file_name(record *r, text name);

#endif
