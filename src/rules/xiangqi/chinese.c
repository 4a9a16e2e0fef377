// Chinese notation in UTF-8: 炮二平五, 马8进7, 前车平五. Written with simplified characters,
// Chinese numerals for Red and Arabic ones for Black; read with simplified and traditional
// characters, either side's piece names, and Chinese, Arabic or full-width numerals for both. Same
// file:
//   two            前 后
//   three pawns    前 中 后
//   four or five   一 二 三 四 五 from the front, in Chinese numerals for both sides
//   two files with several pawns each: 一 to 五 over both, the mover's right file first, each from
//                  the front (as the Chinese computer standard has it); read also with the file
//                  named, 前兵九平八 or 前九平八
#include "rules/xiangqi/spoken.h"

typedef enum { GLYPH_PIECE, GLYPH_DIGIT, GLYPH_MARK, GLYPH_WAY } glyph_kind;

typedef struct {
    const char *bytes;
    glyph_kind kind;
    int value;
} glyph;

static const glyph glyphs[] = {
    {"车", GLYPH_PIECE, XQ_CHARIOT},
    {"車", GLYPH_PIECE, XQ_CHARIOT},
    {"俥", GLYPH_PIECE, XQ_CHARIOT},
    {"马", GLYPH_PIECE, XQ_HORSE},
    {"馬", GLYPH_PIECE, XQ_HORSE},
    {"傌", GLYPH_PIECE, XQ_HORSE},
    {"炮", GLYPH_PIECE, XQ_CANNON},
    {"砲", GLYPH_PIECE, XQ_CANNON},
    {"包", GLYPH_PIECE, XQ_CANNON},
    {"兵", GLYPH_PIECE, XQ_PAWN},
    {"卒", GLYPH_PIECE, XQ_PAWN},
    {"相", GLYPH_PIECE, XQ_ELEPHANT},
    {"象", GLYPH_PIECE, XQ_ELEPHANT},
    {"仕", GLYPH_PIECE, XQ_ADVISOR},
    {"士", GLYPH_PIECE, XQ_ADVISOR},
    {"帅", GLYPH_PIECE, XQ_KING},
    {"帥", GLYPH_PIECE, XQ_KING},
    {"将", GLYPH_PIECE, XQ_KING},
    {"將", GLYPH_PIECE, XQ_KING},
    {"一", GLYPH_DIGIT, 1},
    {"二", GLYPH_DIGIT, 2},
    {"三", GLYPH_DIGIT, 3},
    {"四", GLYPH_DIGIT, 4},
    {"五", GLYPH_DIGIT, 5},
    {"六", GLYPH_DIGIT, 6},
    {"七", GLYPH_DIGIT, 7},
    {"八", GLYPH_DIGIT, 8},
    {"九", GLYPH_DIGIT, 9},
    {"１", GLYPH_DIGIT, 1},
    {"２", GLYPH_DIGIT, 2},
    {"３", GLYPH_DIGIT, 3},
    {"４", GLYPH_DIGIT, 4},
    {"５", GLYPH_DIGIT, 5},
    {"６", GLYPH_DIGIT, 6},
    {"７", GLYPH_DIGIT, 7},
    {"８", GLYPH_DIGIT, 8},
    {"９", GLYPH_DIGIT, 9},
    {"1", GLYPH_DIGIT, 1},
    {"2", GLYPH_DIGIT, 2},
    {"3", GLYPH_DIGIT, 3},
    {"4", GLYPH_DIGIT, 4},
    {"5", GLYPH_DIGIT, 5},
    {"6", GLYPH_DIGIT, 6},
    {"7", GLYPH_DIGIT, 7},
    {"8", GLYPH_DIGIT, 8},
    {"9", GLYPH_DIGIT, 9},
    {"前", GLYPH_MARK, STACK_FRONT},
    {"中", GLYPH_MARK, STACK_MIDDLE},
    {"后", GLYPH_MARK, STACK_REAR},
    {"後", GLYPH_MARK, STACK_REAR},
    {"进", GLYPH_WAY, SPOKEN_FORWARD},
    {"進", GLYPH_WAY, SPOKEN_FORWARD},
    {"退", GLYPH_WAY, SPOKEN_BACK},
    {"平", GLYPH_WAY, SPOKEN_SIDEWAYS},
};
enum { GLYPHS = sizeof glyphs / sizeof glyphs[0] };

// Cuts the next character off the word; NULL where it is none of ours.
static const glyph *next_glyph(text *word) {
    // A digit is one byte long, everything else three; comparing these beats a search for strings.
    bool is_wide = word->len >= 3 && (unsigned char)word->at[0] >= 0x80;
    for (int i = 0; word->len && i < GLYPHS; i++) {
        const char *bytes = glyphs[i].bytes;
        if (bytes[0] == word->at[0] &&
            (!is_wide || (bytes[1] == word->at[1] && bytes[2] == word->at[2]))) {
            *word = text_skip(*word, is_wide ? 3 : 1);
            return &glyphs[i];
        }
    }
    return NULL;
}

// The characters before the way: piece, file, mark and ordinal, each at most once.
static bool parse_piece(text *word, spoken_move *said) {
    const glyph *g;
    int digit = 0;
    bool digit_first = false;
    while ((g = next_glyph(word)) && g->kind != GLYPH_WAY) {
        if (g->kind == GLYPH_PIECE && !said->type) {
            said->type = g->value;
        } else if (g->kind == GLYPH_MARK && !said->mark) {
            said->mark = (spoken_mark)g->value;
        } else if (g->kind == GLYPH_DIGIT && !digit) {
            digit = g->value;
            digit_first = !said->type;
        } else {
            return false;
        }
    }
    if (!g || (!digit && !said->mark))
        return false;
    said->way = (spoken_way)g->value;
    if (!said->type) { // 前九平八: only pawns go without their name
        said->type = XQ_PAWN;
        said->file = digit;
        return said->mark && digit;
    }
    if (digit_first && !said->mark) {
        said->mark = STACK_ORDINAL;
        said->ordinal = digit;
    } else {
        said->file = digit;
    }
    return true;
}

bool chinese_parse(const xq_pos *pos, text word, rules_move *move, fault *why) {
    spoken_move said = {0};
    text rest = word;
    const glyph *g = NULL;
    if (parse_piece(&rest, &said))
        g = next_glyph(&rest);
    if (!g || g->kind != GLYPH_DIGIT || rest.len)
        return fault_set(why, "%s is not a move (炮二平五, 马8进7, 前车退1)",
                         fault_quote(word).shown);
    said.number = g->value;
    return spoken_resolve(pos, &said, move, why);
}

static const char *const chinese_digits[] = {"",   "一", "二", "三", "四",
                                             "五", "六", "七", "八", "九"};

static void format_number(int side, int number, writer *out) {
    if (side == XQ_RED)
        write_string(out, chinese_digits[number]);
    else
        write_char(out, (char)('0' + number));
}

static const char *stacked_mark(const spoken_census *census) {
    if (census->stacks > 1 || census->count > 3)
        return chinese_digits[census->ordinal];
    return census->place == 1 ? "前" : census->place == census->count ? "后" : "中";
}

void chinese_format(const xq_pos *pos, rules_move move, writer *out) {
    static const char *const names[2][XQ_TYPES] = {
        {"", "车", "炮", "马", "兵", "相", "仕", "帅"},
        {"", "车", "炮", "马", "卒", "象", "士", "将"},
    };
    static const char *const ways[] = {"退", "平", "进"};
    spoken_move said = spoken_describe(pos, move);
    spoken_census census = spoken_take_census(pos, move_from(move));
    const char *name = names[pos->stm][said.type];
    if (spoken_needs_mark(said.type, &census)) {
        write_format(out, "%s%s", stacked_mark(&census), name);
    } else {
        write_string(out, name);
        format_number(pos->stm, said.file, out);
    }
    write_string(out, ways[said.way + 1]);
    format_number(pos->stm, said.number, out);
}
