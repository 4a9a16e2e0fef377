// Game records: one structure for every format they are written in. docs/records.md specifies the
// formats, docs/adding-a-format.md says how to add one.
//
// A record owns its moves; record_free gives them back. Every parser takes pointer and length and
// survives any bytes, in time linear in their number. Faults name the line: "line 12: ...". Nothing
// keeps state between calls; different readers and records may be used from different threads.
#ifndef KRATON_RECORDS_RECORD_H
#define KRATON_RECORDS_RECORD_H

#include "base/buffer.h"
#include "rules/rules.h"

// The table of formats: a row makes the constant RECORD_PGN and looks for pgn_format. A text is
// taken for the first format here whose signs it shows, so the surest signs come first. Lists of
// moves have none and come last.
#define RECORD_FORMAT_TABLE(row)                                                                   \
    row(DHTMLXQ, dhtmlxq)     /* DhtmlXQ text of Chinese forums */                                 \
        row(JSON, json)       /* one JSON object a line, any game */                               \
        row(CONTEST, contest) /* the Chinese contest's text in GBK, one game a file */             \
        row(PGN, pgn)         /* PGN of any game */                                                \
        row(MOVES, moves)     /* a line of moves a game */

#define RECORD_CONSTANT(upper, lower) RECORD_##upper,
typedef enum { RECORD_FORMAT_TABLE(RECORD_CONSTANT) RECORD_FORMATS } record_format;
#undef RECORD_CONSTANT

enum { RECORD_TAG_SIZE = 128, RECORD_TAGS = 32 };

typedef struct {
    char name[32];               // as in PGN: Event, Site, Date, ECCO, Opening, ...
    char value[RECORD_TAG_SIZE]; // UTF-8
} record_tag;

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
    rules_move *moves; // all legal, one after the other
} record;

// Walks the games of a text. The text must outlive it.
typedef struct {
    record_format format;
    const rules_game *game; // for `moves`, and to check the others against; may be NULL
    text all, rest;
    uint32_t line; // of rest's first byte, from 1
    text start;    // FEN of lists of moves that name none; empty: the start position
    int notation;  // of moves, PGN and JSON that name none: a rules_notation; -1: any
    bool gbk;      // the text is in GBK
} record_reader;

// The format of that name.
bool record_format_find(text name, record_format *format);
// Writes the names of all formats, or of those that can be written: "contest, pgn, json, moves".
void record_write_format_names(writer *out, bool written_only);
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
// The format the bytes look like; `moves` where nothing else fits.
record_format record_detect(text bytes);

void record_init(record *r, const rules_game *game);
void record_free(record *r);
MUST_USE bool record_add_move(record *r, rules_move move);
// The value of a tag, or NULL.
const char *record_find_tag(const record *r, const char *name);
// False when full, or where the name is not 1 to 31 letters, digits and _.
bool record_set_tag(record *r, text name, text value);

record_reader record_read(text bytes, record_format format, const rules_game *game);
// Reads the next game into an initialised record (whatever it held is given back first). A bad game
// leaves what could be read of it in the record, and the reader behind it. A good one may leave a
// remark in why, such as a result that the board contradicts; else why->line is empty.
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
