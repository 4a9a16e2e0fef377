// Contest records that cannot be played as they are: people type these files. Orientation, first
// mover and signs are tried until all moves can be played.
#include "base/minmax.h"
#include "base/vector.h"
#include "records/surakarta/contest.h"
#include "rules/game.h"

#include <stdlib.h>

// A move as the file has it: points count row by row from the top left.
typedef struct {
    uint8_t from, to;
    bool is_second;  // the letter says R
    bool is_capture; // the sign says so
} contest_move;

// A file taken apart, with whatever can be read of it.
typedef struct {
    record_reader *reader;
    record *r;
    contest_said said;
    char board[CONTEST_SIDE * CONTEST_SIDE]; // letters of the FEN
    int rows, long_rows, cut_pieces, left_out;
    bool is_torn; // the last word is the beginning of a move
    contest_move *moves;
    size_t count, capacity;
} contest_file;

// Cuts a point off a word: a digit from the top and a letter, in either order.
static bool cut_point(text *word, uint8_t *point) {
    if (word->len < 2)
        return false;
    char a = word->at[0], b = word->at[1];
    char digit = a >= '1' && a <= '6' ? a : b, letter = (char)((digit == a ? b : a) | 0x20);
    if (digit < '1' || digit > '6' || letter < 'a' || letter > 'f')
        return false;
    *point = (uint8_t)((digit - '1') * CONTEST_SIDE + letter - 'a');
    *word = text_skip(*word, 2);
    return true;
}

static bool scan_move(text word, contest_move *m) {
    static const char *const signs[] = {"-", "—", "×", "x", "X", "*"};
    *m = (contest_move){.is_second = text_starts(word, "R") || text_starts(word, "W")};
    if (!m->is_second && !text_starts(word, "B"))
        return false;
    word = text_skip(word, 1);
    if (!cut_point(&word, &m->from))
        return false;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (text_starts(word, signs[i])) {
            m->is_capture = i > 1;
            word = text_skip(word, strlen(signs[i]));
            break;
        }
    return cut_point(&word, &m->to) && word.len == 0;
}

static bool add_move(contest_file *f, const contest_move *m) {
    contest_move *grown = vector_reserve(f->moves, &f->capacity, f->count + 1, sizeof *grown);
    if (!grown)
        return false;
    f->moves = grown;
    f->moves[f->count++] = *m;
    return true;
}

// Whether a word is the beginning of a move, cut off where a file ends.
static bool is_torn_move(text word) {
    static const char *const ends[] = {"1A-1A", "A-1A", "1-1A", "-1A", "1A", "A", "1"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char whole[16];
        contest_move m;
        writer w = writer_on(whole, sizeof whole);
        write_text(&w, word);
        write_string(&w, ends[i]);
        if (!w.overflow && scan_move(text_of(whole), &m))
            return true;
    }
    return false;
}

static bool is_piece(char c) { return c == 'B' || c == 'R'; }

// The six points of a board line that has more: an empty point goes first, one at its end, at its
// beginning or between pieces. Otherwise what is behind the sixth is cut off.
static text shorten_row(contest_file *f, text row, char kept[CONTEST_SIDE + 1]) {
    for (; row.len > CONTEST_SIDE && row.at[row.len - 1] != '0' && row.at[0] == '0';)
        row = text_skip(row, 1);
    if (row.len == CONTEST_SIDE + 1 && is_piece(row.at[CONTEST_SIDE])) {
        size_t empty = text_find(row, "0");
        memcpy(kept, row.at, min_size(empty, CONTEST_SIDE));
        if (empty < CONTEST_SIDE)
            memcpy(kept + empty, row.at + empty + 1, CONTEST_SIDE - empty);
        f->cut_pieces += empty == row.len;
        return (text){kept, CONTEST_SIDE};
    }
    for (size_t i = CONTEST_SIDE; i < row.len; i++)
        f->cut_pieces += is_piece(row.at[i]);
    return (text){row.at, CONTEST_SIDE};
}

static bool take_row(contest_file *f, text row) {
    char kept[CONTEST_SIDE + 1];
    if (row.len < CONTEST_SIDE || f->rows == CONTEST_SIDE)
        return false;
    f->long_rows += row.len > CONTEST_SIDE;
    if (row.len > CONTEST_SIDE)
        row = shorten_row(f, row, kept);
    for (int i = 0; i < CONTEST_SIDE; i++) {
        char c = row.at[i];
        if (c != 'B' && c != 'R' && c != '0')
            return false;
        f->board[f->rows * CONTEST_SIDE + i] = c == 'B' ? 'b' : c == 'R' ? 'w' : '.';
    }
    f->rows++;
    return true;
}

static bool take_apart(contest_file *f) {
    static const char usual[] = "bbbbbbbbbbbb............wwwwwwwwwwww";
    bool good = true;
    while (good && f->reader->rest.len) {
        uint32_t number;
        text line = text_trim(reader_line(f->reader, &number));
        if (text_starts(line, "#"))
            contest_read_heading(text_trim(text_skip(line, 1)), f->r, &f->said);
        else if (text_starts(line, "!"))
            good = take_row(f, text_trim(text_skip(line, 1)));
        else
            for (text word; good && (word = text_next_word(&line)).len;) {
                contest_move m;
                bool is_move = scan_move(word, &m);
                // Words may follow the last move.
                good = is_move ? !f->left_out && add_move(f, &m) : f->count > 0;
                f->left_out += !is_move;
                f->is_torn = !is_move && f->left_out == 1 && is_torn_move(word);
            }
    }
    if (f->rows == 0)
        memcpy(f->board, usual, sizeof f->board);
    return good && f->count && (f->rows == 0 || f->rows == CONTEST_SIDE);
}

// Plays the file's moves in an image of their coordinates (see rules_image_point). Where R moves
// first the colours are exchanged and the board is turned, so that the first side is Black. Returns
// how many moves could be played; *wrong_signs counts signs that say the wrong thing.
static size_t play_image(const contest_file *f, int image, replay *p, int *wrong_signs) {
    bool is_exchanged = f->moves[0].is_second;
    int turn = is_exchanged ? 3 : 0;
    size_t n = 0;
    *wrong_signs = 0;
    for (; n < f->count; n++) {
        const contest_move *m = &f->moves[n];
        int from = rules_image_point(&rules_surakarta, image ^ turn, m->from);
        int to = rules_image_point(&rules_surakarta, image ^ turn, m->to);
        rules_move move = move_of(from, to);
        fault why;
        if (!rules_is_legal(p->state, move) ||
            (m->is_second != is_exchanged) != rules_side_to_move(p->state))
            break;
        *wrong_signs += m->is_capture != rules_is_capture(p->state, move);
        if (!replay_move(p, move, &why))
            break;
    }
    return n;
}

// The board to start from.
static void set_board(const contest_file *f, record *r) {
    bool is_exchanged = f->moves[0].is_second;
    char board[CONTEST_SIDE * CONTEST_SIDE];
    rules_image_board(&rules_surakarta, is_exchanged ? 3 : 0, f->board, board);
    writer w = writer_on(r->fen, sizeof r->fen);
    for (int point = 0; point < CONTEST_SIDE * CONTEST_SIDE; point++) {
        char c = board[point];
        if (is_exchanged && c != '.')
            c = c == 'b' ? 'w' : 'b';
        if (point && point % CONTEST_SIDE == 0)
            write_char(&w, '/');
        write_char(&w, c == '.' ? '1' : c);
    }
    write_string(&w, " b 0 1");
}

static void tell_repairs(const contest_file *f, int image, int wrong_signs) {
    char list[sizeof f->said.unknown.line];
    writer w = writer_on(list, sizeof list);
    if (f->moves[0].is_second)
        write_string(&w, "; R moves first, so the colours are exchanged");
    if (image)
        write_string(&w, image == 3 ? "; coordinates are seen from the other side"
                                    : "; coordinates are seen in a mirror");
    if (wrong_signs)
        write_format(&w, "; %d wrong sign%s of steps and captures", wrong_signs,
                     wrong_signs > 1 ? "s" : "");
    if (f->long_rows)
        write_format(&w, "; %d board line%s with more than 6 points", f->long_rows,
                     f->long_rows > 1 ? "s" : "");
    if (f->cut_pieces)
        write_format(&w, "; %d piece%s behind the sixth point cut off", f->cut_pieces,
                     f->cut_pieces > 1 ? "s" : "");
    if (f->is_torn)
        write_string(&w, "; the last move is cut off and left out");
    else if (f->left_out)
        write_string(&w, "; words after the last move are left out");
    if (f->said.unknown.line[0])
        write_format(&w, "; %s", f->said.unknown.line);
    record_remark(f->r, "repaired: %s", w.used ? list + 2 : "the order of digits and letters");
}

// A result given by colour means the colours of the file, which are exchanged.
static void exchange_result(record *r) {
    if (r->result == RULES_FIRST_WINS)
        r->result = RULES_SECOND_WINS;
    else if (r->result == RULES_SECOND_WINS)
        r->result = RULES_FIRST_WINS;
}

// Tries the orientations until one lets all moves be played.
bool contest_repair(record_reader *reader, record *r) {
    static const int images[] = {0, 3, 1, 2, 4, 7, 5, 6};
    contest_file f = {.reader = reader, .r = r};
    bool good = false, is_whole = take_apart(&f);
    if (is_whole && f.moves[0].is_second && f.said.is_by_colour)
        exchange_result(r);
    for (size_t i = 0; is_whole && !good && i < sizeof images / sizeof images[0]; i++) {
        replay p = {0};
        int wrong_signs;
        record_drop_moves(r);
        set_board(&f, r);
        fault why;
        good = replay_begin(&p, r, f.count * 8, &why) &&
               play_image(&f, images[i], &p, &wrong_signs) == f.count;
        if (good) {
            tell_repairs(&f, images[i], wrong_signs);
            replay_settle(&p);
        }
        replay_end(&p);
    }
    free(f.moves);
    return contest_keep_notes(r, &f.said) && good;
}
