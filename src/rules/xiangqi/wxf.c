// WXF notation (Asian Xiangqi Federation 1980, World Xiangqi Federation 1997): four characters,
// C2=5. Written in capitals, H and E for horse and elephant, = for sideways; read in either case,
// with N, B, G, S and . as well. Pawns on one file:
//   2      P+ P-
//   3      P+ P3 P-          (3 stands for the file)
//   4      ++ P+ P- --
//   5      ++ P+ P3 P- --
//   and where two files hold several, each by its file: 3+ 33 3-, 7+ 7-
#include "rules/xiangqi/spoken.h"

static int type_of_letter(char c) {
    switch (c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) {
    case 'R':
        return XQ_CHARIOT;
    case 'C':
        return XQ_CANNON;
    case 'H':
    case 'N':
        return XQ_HORSE;
    case 'P':
    case 'S':
        return XQ_PAWN;
    case 'E':
    case 'B':
        return XQ_ELEPHANT;
    case 'A':
        return XQ_ADVISOR;
    case 'K':
    case 'G':
        return XQ_KING;
    default:
        return XQ_EMPTY;
    }
}

static int digit_of(char c) { return c >= '1' && c <= '9' ? c - '0' : 0; }

static bool is_level(char c) { return c == '=' || c == '.'; }

static spoken_mark mark_of(char c) {
    return c == '+' ? STACK_PLUS : c == '-' ? STACK_MINUS : is_level(c) ? STACK_MIDDLE : STACK_NONE;
}

static int count_on_file(const xq_pos *pos, int type, int file) {
    int count = 0;
    for (int p = 0; p < XQ_POINTS; p++)
        count += pos->board[p] == xq_piece(type, pos->stm) && spoken_file(pos->stm, p) == file;
    return count;
}

// The first two characters: the piece.
static bool parse_piece(const xq_pos *pos, char a, char b, spoken_move *said) {
    int type = type_of_letter(a);
    if (type) {
        said->type = type;
        said->file = digit_of(b);
        said->mark = mark_of(b);
        bool lettered = type == XQ_PAWN && ((b >= 'a' && b <= 'e') || (b >= 'A' && b <= 'E'));
        if (lettered) { // as some programs count pawns on several files
            said->mark = STACK_ORDINAL;
            said->ordinal = (b | 0x20) - 'a' + 1;
        } else if (type == XQ_PAWN && said->file) {
            // Of three or five pawns the file alone means the middle one.
            int count = count_on_file(pos, XQ_PAWN, said->file);
            if (count == 3 || count == 5)
                said->mark = STACK_MIDDLE;
        }
        return said->file || said->mark;
    }
    said->mark = mark_of(a);
    said->type = type_of_letter(b);
    if (said->mark && said->type) // +C for C+
        return said->mark != STACK_MIDDLE;
    said->type = XQ_PAWN;
    if (said->mark == STACK_PLUS || said->mark == STACK_MINUS) {
        said->mark = a == '+' ? STACK_FOREMOST : STACK_REARMOST;
        return b == a;
    }
    said->file = digit_of(a);
    said->mark = b == a ? STACK_MIDDLE : mark_of(b);
    return said->file && said->mark;
}

bool wxf_parse(const xq_pos *pos, text word, rules_move *move, fault *why) {
    spoken_move said = {0};
    bool good = word.len == 4 && parse_piece(pos, word.at[0], word.at[1], &said);
    if (good) {
        char way = word.at[2];
        said.way = way == '+' ? SPOKEN_FORWARD : way == '-' ? SPOKEN_BACK : SPOKEN_SIDEWAYS;
        said.number = digit_of(word.at[3]);
        good = said.number && (way == '+' || way == '-' || is_level(way));
    }
    if (!good)
        return fault_set(why, "%s is not a move (C2=5, H8+7, R+-1)", fault_quote(word).shown);
    return spoken_resolve(pos, &said, move, why);
}

// The mark of one pawn among several, as in the table above.
static void format_stacked(const spoken_census *c, int type, char letter, int file, writer *out) {
    bool front = c->place == 1, rear = c->place == c->count, many = c->count >= 4;
    char digit = (char)('0' + file), mark = digit;
    if (many && (front || rear)) {
        write_string(out, front ? "++" : "--");
        return;
    }
    if (many ? c->place == 2 : front)
        mark = '+';
    else if (many ? c->place == c->count - 1 : rear)
        mark = '-';
    write_char(out, type == XQ_PAWN && c->stacks > 1 ? digit : letter);
    write_char(out, mark);
}

void wxf_format(const xq_pos *pos, rules_move move, writer *out) {
    static const char letters[] = ".RCHPEAK", ways[] = "-=+";
    spoken_move said = spoken_describe(pos, move);
    spoken_census census = spoken_take_census(pos, move_from(move));
    if (spoken_needs_mark(said.type, &census))
        format_stacked(&census, said.type, letters[said.type], said.file, out);
    else
        write_format(out, "%c%d", letters[said.type], said.file);
    write_format(out, "%c%d", ways[said.way + 1], said.number);
}
