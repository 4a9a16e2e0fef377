// libkraton: the rules of Surakarta and Xiangqi, game records and endgame tables, for any program.
// This header is all there is to the library and needs nothing else. docs/libkraton.md is its
// guide.
//
//     kraton_position *p = kraton_position_new(kraton_game_find("xiangqi"), NULL, NULL, NULL);
//     kraton_move move;
//     if (kraton_position_parse(p, "C2=5", KRATON_NOTATION_ANY, &move, NULL))
//         kraton_position_play(p, move, NULL);
//     kraton_position_free(p);
//
// Memory. Functions named _new, _copy and _open and kraton_record_of_position allocate an object;
// the function _free or _close of its type gives it back and accepts NULL. kraton_record_write
// returns text for kraton_free. Three more may allocate: kraton_position_play where the history is
// full (kraton_position_reserve avoids it), kraton_record_add_move and kraton_reader_next. Nothing
// else does. Strings that are returned belong to the library or to the object asked and stay valid
// as long as that one is not changed or freed.
//
// Text is UTF-8. A function with parameters (char *out, size_t size) writes at most `size` bytes,
// always terminated, and returns how many bytes the whole text has, as snprintf does; out may be
// NULL where size is 0.
//
// Errors. A function that can fail returns false or NULL and puts one line into *error, which may
// be NULL. Nothing is printed; no function ends the program. NULL where an argument is needed is
// refused ("NULL game"); functions without *error return what they return for nothing: NULL, false,
// 0, no move, no text, an unknown value.
//
// Threads. There is no global state but tables of constants that are filled once, under a lock.
// Different objects may be used by different threads at the same time. One object may be read by
// many threads at the same time: all functions that take it as const. Open tables may be asked by
// any number of threads.
//
// Compatibility. Within a major version nothing is removed and no declaration changes; enumerations
// may get new values at their end. kraton_version_number tells which version is running.
#ifndef KRATON_H
#define KRATON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KRATON_API __attribute__((visibility("default")))

// The version of this header: 10000 * major + 100 * minor + patch.
#define KRATON_VERSION_NUMBER 10000

// The version of the library that runs, as such a number and as "1.0.0".
KRATON_API int kraton_version_number(void);
KRATON_API const char *kraton_version(void);

// One line that says what was wrong and where.
typedef struct {
    char line[256];
} kraton_error;

// Gives back text that the library allocated. NULL is allowed.
KRATON_API void kraton_free(void *text);

// --- games --------------------------------------------------------------------------------------

// Side 0, "first", moves first from the start position; side 1 is "second".

typedef struct kraton_game kraton_game; // constant; never freed

// "surakarta" or "xiangqi"; NULL for any other name.
KRATON_API const kraton_game *kraton_game_find(const char *name);
// The games in a fixed order; NULL past the last.
KRATON_API const kraton_game *kraton_game_nth(int n);
KRATON_API const char *kraton_game_name(const kraton_game *game);
KRATON_API const char *kraton_game_title(const kraton_game *game);               // for people
KRATON_API const char *kraton_game_side_name(const kraton_game *game, int side); // "Red", ...
KRATON_API const char *kraton_game_start_fen(const kraton_game *game);
// The board. Points are numbered row by row: row * files + file. kraton_game_point and
// kraton_game_square say which point is which square.
KRATON_API int kraton_game_files(const kraton_game *game);
KRATON_API int kraton_game_ranks(const kraton_game *game);
// The number of the lowest rank in the game's own notation: 0 or 1.
KRATON_API int kraton_game_first_rank(const kraton_game *game);
// The point of a square, "e2"; -1 where the board has none of that name.
KRATON_API int kraton_game_point(const kraton_game *game, const char *square);
// The square of a point; nothing and 0 where there is no such point.
KRATON_API size_t kraton_game_square(const kraton_game *game, int point, char *out, size_t size);
// The names of the rule sets, the default first; NULL past the last.
KRATON_API const char *kraton_game_rules_nth(const kraton_game *game, int n);

// --- moves --------------------------------------------------------------------------------------

// A move: 256 * the point left + the point reached.
typedef uint16_t kraton_move;

enum { KRATON_NO_MOVE = 0 };

static inline kraton_move kraton_move_of(int from, int to) {
    return (kraton_move)(from * 256 + to);
}

static inline int kraton_move_from(kraton_move move) { return move / 256; }

static inline int kraton_move_to(kraton_move move) { return move % 256; }

typedef enum {
    KRATON_NOTATION_ANY = -1, // to read moves: any of the game's
    KRATON_NOTATION_NATIVE,   // the game's own: c2-c3 and c2xf4, or h2e2
    KRATON_NOTATION_SAU,      // EBFC, of the protocol SAU
    KRATON_NOTATION_ICCS,     // H2-E2
    KRATON_NOTATION_WXF,      // C2=5
    KRATON_NOTATION_CHINESE,  // four characters
    KRATON_NOTATION_UCI0,     // two squares, ranks as in the native notation
    KRATON_NOTATION_UCI1,     // two squares, ranks from 1
    KRATON_NOTATION_CONTEST,  // of contest records
    KRATON_NOTATION_LETTER0,  // Che2, Nhg7: piece and square, ranks from 0; read only
    KRATON_NOTATION_LETTER1,  // Che3, Nhg8: the same with ranks from 1; read only
} kraton_notation;

// The notation's name, "wxf"; NULL for a number that is none.
KRATON_API const char *kraton_notation_name(kraton_notation notation);
// The notations of a game that moves can be written in, its own first; KRATON_NOTATION_ANY past the
// last.
KRATON_API kraton_notation kraton_game_notation_nth(const kraton_game *game, int n);

// --- positions ----------------------------------------------------------------------------------

// A game in progress: its rules, the board, and the moves that led there.
typedef struct kraton_position kraton_position;

enum { KRATON_MAX_MOVES = 256 }; // no position has more legal moves

// A position under a rule set (`NAME` or `NAME,field=value,...`; NULL: the game's default) with a
// board (NULL: the start position).
KRATON_API kraton_position *kraton_position_new(const kraton_game *game, const char *rules,
                                                const char *fen, kraton_error *error);
KRATON_API kraton_position *kraton_position_copy(const kraton_position *p);
KRATON_API void kraton_position_free(kraton_position *p);

// Sets up another board and forgets all moves. On failure nothing changes.
KRATON_API bool kraton_position_set_fen(kraton_position *p, const char *fen, kraton_error *error);
// Makes room for a history of so many moves, at most 65535. False without memory.
KRATON_API bool kraton_position_reserve(kraton_position *p, uint32_t plies);

KRATON_API const kraton_game *kraton_position_game(const kraton_position *p);
// The rule set with every field, in the form kraton_position_new reads.
KRATON_API size_t kraton_position_rules(const kraton_position *p, char *out, size_t size);
KRATON_API size_t kraton_position_fen(const kraton_position *p, char *out, size_t size);
KRATON_API const char *kraton_position_first_fen(const kraton_position *p); // before all moves
KRATON_API int kraton_position_side_to_move(const kraton_position *p);
KRATON_API uint32_t kraton_position_ply(const kraton_position *p); // moves played
// The n-th move played, from 0; KRATON_NO_MOVE past the last.
KRATON_API kraton_move kraton_position_move_at(const kraton_position *p, uint32_t n);
KRATON_API uint64_t kraton_position_key(const kraton_position *p); // hash of board and side to move
KRATON_API char kraton_position_piece_at(const kraton_position *p, int point); // FEN letter or '.'
KRATON_API int kraton_position_piece_count(const kraton_position *p, int side);
KRATON_API bool kraton_position_in_check(const kraton_position *p);
// How often the board has stood with the same side to move, this time included.
KRATON_API int kraton_position_occurrences(const kraton_position *p);
KRATON_API int kraton_position_no_capture_plies(const kraton_position *p);

// All legal moves, captures first; returns how many. A position whose game is over lists them too.
KRATON_API int kraton_position_legal_moves(const kraton_position *p,
                                           kraton_move moves[KRATON_MAX_MOVES]);
KRATON_API bool kraton_position_is_legal(const kraton_position *p, kraton_move move);
KRATON_API bool kraton_position_is_capture(const kraton_position *p, kraton_move move);
// Plays a legal move. On failure nothing changes.
KRATON_API bool kraton_position_play(kraton_position *p, kraton_move move, kraton_error *error);
// Takes the last move back; false where there is none.
KRATON_API bool kraton_position_undo(kraton_position *p);

// Reads a move, which must be legal, in one notation or in any.
KRATON_API bool kraton_position_parse(const kraton_position *p, const char *word,
                                      kraton_notation notation, kraton_move *move,
                                      kraton_error *error);
// Writes a legal move. Writes nothing and returns 0 where the move is not legal or the game lacks
// the notation.
KRATON_API size_t kraton_position_format(const kraton_position *p, kraton_move move,
                                         kraton_notation notation, char *out, size_t size);

// A way from the start of a capture of Surakarta to its end.
typedef struct {
    int circuit;       // 0 inner, 1 outer
    int loops;         // corner loops passed
    int count;         // points below, start and end included
    uint8_t point[32]; // the points
} kraton_route;
// The routes of a capture, the shortest first; returns how many, 0 in games without circuits.
KRATON_API int kraton_position_routes(const kraton_position *p, kraton_move move,
                                      kraton_route routes[4]);

// How to draw; may be added up.
enum {
    KRATON_DRAW_UNICODE = 1, // else ASCII
    KRATON_DRAW_COLOUR = 2,  // ANSI colours
    KRATON_DRAW_FLIPPED = 4, // seen from the second side
};
// Draws the board as lines of text, with the last move marked.
KRATON_API size_t kraton_position_draw(const kraton_position *p, unsigned how, char *out,
                                       size_t size);
// Counts the lines of play of so many moves, and how many end with a capture (may be NULL).
KRATON_API uint64_t kraton_position_perft(const kraton_position *p, int depth, uint64_t *captures);

// --- verdicts -----------------------------------------------------------------------------------

typedef enum {
    KRATON_ONGOING,
    KRATON_FIRST_WINS,
    KRATON_SECOND_WINS,
    KRATON_DRAW,
} kraton_outcome;

typedef enum {
    KRATON_REASON_NONE,
    KRATON_REASON_WIPED_OUT,
    KRATON_REASON_REPETITION,
    KRATON_REASON_NO_CAPTURE,
    KRATON_REASON_NO_MOVE,
    KRATON_REASON_MATE,
    KRATON_REASON_STALEMATE,
    KRATON_REASON_PERPETUAL_CHECK,
    KRATON_REASON_PERPETUAL_CHASE,
} kraton_reason;

typedef struct {
    kraton_outcome outcome;
    kraton_reason reason;
    char words[160]; // "Red chases the cannon on e7 without end"
} kraton_verdict;

// "ongoing", "first wins", "second wins", "draw"
KRATON_API const char *kraton_outcome_name(kraton_outcome outcome);

// How the game stands: decided by the board, its history and the rule set.
KRATON_API kraton_verdict kraton_position_result(const kraton_position *p);
// The verdict on the repetition that the last move closed, before any count is reached. False where
// nothing repeats or the rule set has no rule for it.
KRATON_API bool kraton_position_cycle(const kraton_position *p, kraton_verdict *verdict);
// Plays a line of moves, move numbers among them or not. *ending (may be NULL) is the first ending
// on the way, *ended_after (may be NULL) the moves played by then; play goes on behind it, since
// who judges a repetition needs all of it. On failure the moves before the bad one stay played.
KRATON_API bool kraton_position_play_line(kraton_position *p, const char *line,
                                          kraton_notation notation, kraton_verdict *ending,
                                          uint32_t *ended_after, kraton_error *error);

// The opening of the game so far, as the table of names knows it. Strings live for ever.
typedef struct {
    const char *code;    // ECCO: "C44"
    const char *chinese; // its name
    const char *english;
} kraton_opening;
// False where it has no name.
KRATON_API bool kraton_position_opening(const kraton_position *p, kraton_opening *opening);

// --- records ------------------------------------------------------------------------------------

typedef struct kraton_record kraton_record; // one game with its players, tags and moves
typedef struct kraton_reader kraton_reader; // walks the games of a text

typedef enum {
    KRATON_FORMAT_DETECT = -1, // to read: whichever the bytes look like
    KRATON_FORMAT_CONTEST,     // the Chinese contest's text, in GBK
    KRATON_FORMAT_PGN,
    KRATON_FORMAT_DHTMLXQ,
    KRATON_FORMAT_JSON,
    KRATON_FORMAT_MOVES, // a line of moves a game
    KRATON_FORMAT_XQF,   // files of XQStudio
    KRATON_FORMAT_CBR,   // files of CCBridge
    KRATON_FORMAT_CBL,   // libraries of CCBridge; read only
    KRATON_FORMAT_WXF,   // text of PlayOK and the World Xiangqi Federation
    KRATON_FORMAT_DPXQ,  // text of dpxq; read only
} kraton_format;

// The format's name, "pgn"; NULL for a number that is none.
KRATON_API const char *kraton_format_name(kraton_format format);

KRATON_API kraton_record *kraton_record_new(const kraton_game *game);
// The record of a position's game: start, moves and result.
KRATON_API kraton_record *kraton_record_of_position(const kraton_position *p);
KRATON_API void kraton_record_free(kraton_record *r);

KRATON_API const kraton_game *kraton_record_game(const kraton_record *r);
// A field by its name; NULL where the record has none. "First" and "Second" are the players,
// "Event", "Site", "Date" and "FEN" (empty: the start position) exist always, others are PGN tags.
KRATON_API const char *kraton_record_get(const kraton_record *r, const char *name);
// False where the name is no tag name, the tags are full, a FEN is bad or a value is not UTF-8.
// Long values are cut.
KRATON_API bool kraton_record_set(kraton_record *r, const char *name, const char *value,
                                  kraton_error *error);
// The names of the further tags; NULL past the last.
KRATON_API const char *kraton_record_tag_nth(const kraton_record *r, int n);
KRATON_API kraton_outcome kraton_record_result(const kraton_record *r);
// What is no outcome changes nothing.
KRATON_API void kraton_record_set_result(kraton_record *r, kraton_outcome result);
KRATON_API uint32_t kraton_record_move_count(const kraton_record *r);
KRATON_API kraton_move kraton_record_move_at(const kraton_record *r, uint32_t n);
// Adds a move; kraton_record_write checks it. False without memory.
KRATON_API bool kraton_record_add_move(kraton_record *r, kraton_move move);

// Reads the games of a text, which must outlive the reader. The game (NULL: the text tells) is
// needed for formats that do not name theirs. NULL without memory.
KRATON_API kraton_reader *kraton_reader_new(const void *bytes, size_t size, kraton_format format,
                                            const kraton_game *game);
KRATON_API void kraton_reader_free(kraton_reader *reader);
// The format that is read; KRATON_FORMAT_DETECT where it is newer than this list.
KRATON_API kraton_format kraton_reader_format(const kraton_reader *reader);

typedef enum { KRATON_READ_END, KRATON_READ_OK, KRATON_READ_BAD } kraton_read_status;
// Reads the next game into a record and replaces what that held. A bad game leaves what could be
// read of it in the record and the reader behind it, so that reading goes on. A good one may leave
// a remark in *error; else error->line is empty.
KRATON_API kraton_read_status kraton_reader_next(kraton_reader *reader, kraton_record *r,
                                                 kraton_error *error);

// The record as text of a format, with the moves of PGN and `moves` in a notation of the game
// (KRATON_NOTATION_ANY: the usual one). Terminated; *size (may be NULL) is its length. To be given
// back with kraton_free.
KRATON_API char *kraton_record_write(const kraton_record *r, kraton_format format,
                                     kraton_notation notation, size_t *size, kraton_error *error);
// A file name for the record in a format: as the contest names its files, or by a number.
KRATON_API size_t kraton_record_file_name(const kraton_record *r, kraton_format format,
                                          unsigned number, char *out, size_t size);

// --- endgame tables -----------------------------------------------------------------------------

// Values and distances of Surakarta positions with few pieces. They hold where nothing has happened
// before: right after a capture. Later a repetition or the no-capture limit may end the game first.
typedef struct kraton_tables kraton_tables;

// Values, for the side to move.
enum { KRATON_LOSS = -1, KRATON_DRAWN, KRATON_WIN, KRATON_UNKNOWN };

// Distances: plies to the capture that keeps the value; 0 where it is reached by waiting.
enum { KRATON_NO_DISTANCE = -1 };

// How to open; may be added up.
enum {
    KRATON_TABLES_TRUST = 1, // do not read all values to check their checksums first
    KRATON_TABLES_LOAD = 2,  // copy values to memory of large pages instead of mapping the files
};

// Receives one line that names the file for every file that is refused, also later.
typedef void kraton_listener(void *context, const char *line);

// Opens the tables of a folder for a convention, "traditional" or "count", or the rule set of a
// game (NULL: the default one). NULL where there is none that can be used. Files that are refused
// are left out; the listener may be NULL. Files must not be changed in place while they are open.
KRATON_API kraton_tables *kraton_tables_open(const char *folder, const char *rules, unsigned how,
                                             kraton_listener *listener, void *context,
                                             kraton_error *error);
KRATON_API void kraton_tables_close(kraton_tables *t);
// The most pieces, both sides together, of which there is a table.
KRATON_API int kraton_tables_pieces(const kraton_tables *t);
// The longest distance in them.
KRATON_API int kraton_tables_longest(const kraton_tables *t);

// The value of a position, KRATON_UNKNOWN where no table has it; *distance may be NULL.
KRATON_API int kraton_tables_probe(kraton_tables *t, const kraton_position *p, int *distance);

// A legal move and what it is worth to the side that plays it.
typedef struct {
    kraton_move move;
    int value;
    int distance; // from before the move: 1 where it captures
} kraton_table_move;
// All legal moves, the best first; returns how many, or -1 where a table is missing.
KRATON_API int kraton_tables_moves(kraton_tables *t, const kraton_position *p,
                                   kraton_table_move moves[KRATON_MAX_MOVES]);

// The same for boards as bits, fast: bit `point` is set for every piece of the side to move
// (movers) and of the other side. What is no board is unknown.
KRATON_API int kraton_tables_value(const kraton_tables *t, uint64_t movers, uint64_t others);
// Unpacks a block where it is not among those unpacked last: some 50 microseconds.
KRATON_API int kraton_tables_distance(kraton_tables *t, uint64_t movers, uint64_t others);

// A lookup in two steps, so that something else can be done while memory answers: where the value
// stands (and fetching it has begun), and the value. A spot that is all 0 is unknown.
typedef struct {
    const uint8_t *byte;
    unsigned digit;
} kraton_spot;
KRATON_API kraton_spot kraton_tables_find(const kraton_tables *t, uint64_t movers, uint64_t others);
KRATON_API int kraton_tables_value_at(kraton_spot spot);

// One table, counted over all placements of its pieces.
typedef struct {
    int movers, others;
    int has_distances;
    int longest_win, longest_loss;
    uint64_t entries; // stored; symmetric placements are one
    uint64_t win, draw, loss;
} kraton_split;
// The n-th table by pieces and movers; false past the last.
KRATON_API bool kraton_tables_nth(const kraton_tables *t, int n, kraton_split *split);

#ifdef __cplusplus
}
#endif

#endif
