// The table of games: the rules of each game, chosen at run time, and everything else the server,
// the match runner, the records and the page need to know about it. Code outside the games' own
// folders never asks which game it has, but what the game is like: see rules_properties. Engines
// use the games' own headers instead.
//
// A rules_state is one game in progress: its rule set, its position and every move so far. It lives
// in memory the caller provides (rules_state_size bytes, any lifetime) and owns nothing, so copying
// the bytes copies the game. No function allocates, prints or keeps state between calls; different
// states may be used from different threads.
//
// "first" is the side that moves first from the start position, whoever is to move in a set-up
// position; sides are numbered 0 (first) and 1 (second).
#ifndef KRATON_RULES_RULES_H
#define KRATON_RULES_RULES_H

#include "base/bits.h"
#include "base/text.h"
#include "rules/move.h"

enum {
    RULES_GAMES = 2,
    RULES_MAX_MOVES = 256,   // more than any game can have in one position
    RULES_MAX_POINTS = 90,   // of the largest board
    RULES_MAX_IMAGES = 8,    // of a position under the symmetries of its board
    RULES_FEN_SIZE = 128,    // bytes for any FEN, terminator included
    RULES_MOVE_SIZE = 32,    // bytes for a move in any notation
    RULES_BOARD_SIZE = 8192, // bytes for a drawn board
    RULES_MAX_PLIES = 65535, // moves that a state can hold

    // Plies of the longest game between two players. Matches and the server end a longer game as
    // they do at a move limit.
    RULES_LONGEST_GAME = 4096
};

typedef enum { RULES_ONGOING, RULES_FIRST_WINS, RULES_SECOND_WINS, RULES_DRAW } rules_outcome;

// "ongoing", "first wins", "second wins", "draw"
const char *rules_outcome_name(rules_outcome outcome);

typedef enum {
    REASON_NONE,
    REASON_WIPED_OUT,
    REASON_REPETITION, // a repetition that is counted or drawn
    REASON_NO_CAPTURE,
    REASON_NO_MOVE, // no legal move, and the rule set says what that means
    REASON_MATE,
    REASON_STALEMATE,
    REASON_PERPETUAL_CHECK,
    REASON_PERPETUAL_CHASE,
    RULES_REASONS
} rules_reason;

typedef struct {
    rules_outcome outcome;
    rules_reason reason;
    char words[160]; // e.g. "Red chases the cannon on e7 without end"
} rules_verdict;

// What a rule says happens: one value of a rule set's field.
typedef enum {
    END_DRAW,
    END_COUNT, // more pieces wins, equal numbers draw
    END_LOSS,  // the side to move (or whose flag fell) loses
    END_WXF,   // the cycle is judged by the WXF articles
    END_ASIAN,
    END_SIMPLE, // perpetual check loses, everything else draws
    END_CXA,    // by the Chinese articles: any mix of check, chase and threats of mate offends
} rules_end;

// A rule set. Field names in text are the same with '-' for '_'.
typedef struct {
    uint16_t repetition; // occurrence of a position that ends the game; 0: none does
    uint16_t no_capture; // plies without capture that end the game; 0: none do
    rules_end repetition_end;
    rules_end no_capture_end;
    rules_end no_move_end;
    rules_end flag_end; // what a fallen flag means; the referee's business
} rules_set;

typedef struct rules_game rules_game;   // one of the games; constant
typedef struct rules_state rules_state; // a game in progress

// The way from the start of a capture to its end, for those who draw it, in games with circuits.
typedef struct {
    int circuit;         // 0 inner, 1 outer
    int count;           // points below, the start and the end included
    uint8_t station[32]; // station numbers 0..23 along the circuit
    uint8_t point[32];   // the points they stand for
    int loops;           // corner loops passed
} rules_route;

// Notations a move can be written in; every one of a game's is understood by rules_parse_move.
typedef enum {
    NOTATION_NATIVE,  // the game's own: c2-c3 and c2xf4, or h2e2
    NOTATION_SAU,     // EBFC, as in the protocol SAU
    NOTATION_ICCS,    // H2-E2
    NOTATION_WXF,     // C2=5
    NOTATION_CHINESE, // the four characters
    NOTATION_UCI0,    // two squares, the lowest rank as in the native notation: h2e2, c2c3
    NOTATION_UCI1,    // h3e3: ranks from 1 where the native ones start at 0 (only where asked for)
    NOTATION_CONTEST, // B2E-3E, R6C×4A, as in contest records
    NOTATION_LETTER0, // Che2, Nhg7: piece and square, ranks from 0; read only
    NOTATION_LETTER1, // Che3, Nhg8: the same with ranks from 1; read only
} rules_notation;
enum { RULES_NOTATIONS = NOTATION_LETTER1 + 1 };

// What a game is like, for code that treats all games alike. To add a property, add it here and
// fill it in in each game's game.c; GET /api/games hands out what the page needs.
typedef struct {
    const char *name;               // in commands, files and protocols
    const char *title;              // for people
    const char *choice;             // for people who choose a game and may not know its name
    const char *engine;             // our engine's program, beside kraton
    const char *side[2];            // names of the sides
    const char *side_characters[2]; // any of which names the side in Chinese
    const char *start_fen;

    // The board. Points are numbered row by row: row * files + file.
    int files, ranks;
    int first_rank; // the lowest rank's number in a native square: 0 or 1
    bool from_top;  // row 0 is the highest rank; else the lowest
    // Symmetries of the board, as rules_image_point counts them: 1 none, 2 left and right, 8 all
    // of a square.
    int images;
    bool has_check;    // there is a king that can be in check
    bool has_circuits; // captures follow routes, see rules_capture_routes

    // Notations that users may ask for by name, the native one first.
    int notation_count;
    rules_notation notations[RULES_NOTATIONS];
    const char *squares_example; // two squares of a move: "h2 e2"
    // That and other ways to type a move, as a line of help: in ASCII, and where Unicode is shown.
    const char *moves_help, *moves_help_unicode;

    // PGN: the value of the tag Game, another one that is understood (NULL: none), and the notation
    // moves are written in where nobody asks for another.
    const char *pgn_game, *pgn_game_too;
    rules_notation pgn_notation;
    // Pieces that the xboard protocol writes with other letters: pairs, ours and then xboard's.
    const char *xboard_letters;

    bool has_tables;          // there are endgame tables
    int random_opening_plies; // of a made-up opening where nobody says how many
    int even_within;          // centipawns: an opening in which the engine sees less is even
} rules_properties;

// --- games and rule sets ------------------------------------------------------------------------

// The game of that name, or NULL.
const rules_game *rules_find(text name);
// The games in a fixed order; NULL past the last.
const rules_game *rules_nth(int n);
// The game's place in that order.
int rules_index(const rules_game *game);
// The game that is meant where none is named.
const rules_game *rules_default_game(void);
// The names of all games, for messages: "a, b or c".
void rules_write_names(writer *out);
const rules_properties *rules_properties_of(const rules_game *game);
const char *rules_name(const rules_game *game);
const char *rules_side_name(const rules_game *game, int side); // "Black", "Red", ...
const char *rules_start_fen(const rules_game *game);

// The game's default rule set.
rules_set rules_default_set(const rules_game *game);
// Names of the game's rule sets, and what they are called among people; NULL past the last.
const char *rules_set_name(const rules_game *game, int n);
const char *rules_set_title(const rules_game *game, int n);
// Reads `NAME[,field=value]...` or `field=value[,...]` (on top of the default): icga,no-capture=40.
MUST_USE bool rules_set_parse(const rules_game *game, text spec, rules_set *set, fault *why);
// Writes every field, in the form rules_set_parse reads.
void rules_set_format(const rules_game *game, const rules_set *set, writer *out);

// --- one game -----------------------------------------------------------------------------------

// Bytes needed for a state that can hold max_plies moves (at most RULES_MAX_PLIES).
size_t rules_state_size(uint32_t max_plies);
// Makes a state at the start position in memory of rules_state_size(max_plies) bytes, aligned as
// malloc does.
rules_state *rules_state_new(void *memory, const rules_game *game, const rules_set *set,
                             uint32_t max_plies);
// Sets up a position and forgets all moves; on failure the state is unchanged.
MUST_USE bool rules_set_fen(rules_state *s, text fen, fault *why);
void rules_format_fen(const rules_state *s, writer *out);
// Goes on by other rules of the same game; position and moves stay.
void rules_change_set(rules_state *s, const rules_set *set);

const rules_game *rules_game_of(const rules_state *s);
const rules_set *rules_set_of(const rules_state *s);
int rules_side_to_move(const rules_state *s);
uint32_t rules_ply(const rules_state *s);                   // moves played since the set-up
rules_move rules_move_at(const rules_state *s, uint32_t n); // the n-th of them, n < rules_ply
uint64_t rules_key(const rules_state *s);                   // of board and side to move
int rules_piece_count(const rules_state *s, int side);
char rules_piece_at(const rules_state *s, int point); // FEN letter, '.' for empty
bool rules_in_check(const rules_state *s);
int rules_occurrences(const rules_state *s); // of the position now on the board, this one included
int rules_no_capture_plies(const rules_state *s);

// All legal moves, captures first, or 0 when there are none. Ended games still list them.
int rules_legal_moves(const rules_state *s, rules_move moves[RULES_MAX_MOVES]);
bool rules_is_legal(const rules_state *s, rules_move move);
bool rules_is_capture(const rules_state *s, rules_move move);
// The routes of a capture, shortest first; returns how many (at most 4), 0 where the game has none.
int rules_capture_routes(const rules_state *s, rules_move move, rules_route routes[4]);

// Plays a legal move. False, with the reason, when it is illegal or the state is full.
MUST_USE bool rules_play(rules_state *s, rules_move move, fault *why);
// Takes the last move back; false when there is none.
bool rules_undo(rules_state *s);

// How the game stands: decided by the position, its history and the rule set.
rules_verdict rules_result(const rules_state *s);
// Where the position repeats an earlier one: the verdict on that cycle alone, before any count is
// reached. Of several occurrences, as many are looked back to as would end the game. False when
// nothing repeats or the rule set has no rule for it.
bool rules_cycle(const rules_state *s, rules_verdict *verdict);
// Explains that verdict, a line a move of the cycle. False when nothing repeats or the game has no
// articles to explain.
bool rules_explain_cycle(const rules_state *s, writer *out);

// --- symmetry -----------------------------------------------------------------------------------

// Where a point lies in an image of the board. Images are numbered by three bits: files reversed,
// ranks reversed, then ranks and files exchanged.
int rules_image_point(const rules_game *game, int image, int point);
// The same for a whole board, a byte a point.
void rules_image_board(const rules_game *game, int image, const char *board, char *to);

// --- counting -----------------------------------------------------------------------------------

// Ways to count: the game's fastest, the generator the papers describe, or the functions of this
// header. A game that lacks one of the first two counts by the last (rules/perft.c).
typedef enum { PERFT_FAST, PERFT_REFERENCE, PERFT_PLAIN } rules_perft_kind;

// Perft: lines of play of so many moves, 1 or more, and how many of them end with a capture.
uint64_t rules_perft(const rules_state *s, int depth, rules_perft_kind kind, uint64_t *captures);

// --- text ---------------------------------------------------------------------------------------

// "native", "sau", "iccs", "wxf", "chinese", "uci0", "uci1", "contest", "letter0", "letter1".
const char *rules_notation_name(rules_notation notation);
// Whether users may ask for the notation.
bool rules_has_notation(const rules_game *game, rules_notation notation);
// The notation of that name among those of the game that users may ask for.
MUST_USE bool rules_find_notation(const rules_game *game, text name, rules_notation *notation,
                                  fault *why);
// Reads a move in any notation the game knows; it must be legal here. Says why it is not.
MUST_USE bool rules_parse_move(const rules_state *s, text word, rules_move *move, fault *why);
// Reads a move written in one notation only.
MUST_USE bool rules_parse_move_as(const rules_state *s, rules_notation notation, text word,
                                  rules_move *move, fault *why);
// Writes a legal move. Writes nothing where the game lacks the notation.
void rules_format_move(const rules_state *s, rules_move move, rules_notation notation, writer *out);

typedef struct {
    bool unicode;    // else ASCII only
    bool colour;     // ANSI colours
    bool flipped;    // seen from the second side
    bool from_1;     // ranks from 1 in games whose native ranks start at 0
    rules_move last; // marked; MOVE_NONE for none
} rules_drawing;
// Draws the board as lines of text, loops and river included.
void rules_draw(const rules_state *s, const rules_drawing *how, writer *out);

#endif
