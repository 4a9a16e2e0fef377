// The Surakarta contest's record, one game a file:
//   #2026-11-15 14:05|沈阳                    date and place
//   #先手方:A队|后手方:B队|先手胜               players and result
//   !BBBBBB                                  the board to start from, six lines, B the first
//   ...                                      player's pieces, R the second's, 0 an empty point
//   B2E-3E                                   moves: side, row (1 is the top) and column
//   R6C×4A                                   captures
// Board or heading may be missing; a record cut off before its board and its moves is none. People
// type these files: one that cannot be played as it is, is tried in other ways (see repair), and
// otherwise refused with the line where it goes wrong.
#include "base/encoding.h"
#include "base/vector.h"
#include "records/format.h"
#include "rules/game.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE_SIZE = 1024, SIDE = 6 };

static const char *const results[] = {"未决胜", "先手胜", "后手胜", "平局"};

// --- the heading --------------------------------------------------------------------------------

// What a file says of the result.
typedef struct {
    bool is_by_colour; // as in 黑方胜: the colours as the file has them
    fault unknown;     // words that say nothing known; else empty
} contest_said;

// Cuts the first of the words that the text starts with off it.
static bool cut_any(text *rest, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (text_starts(*rest, words[i])) {
            *rest = text_skip(*rest, strlen(words[i]));
            return true;
        }
    return false;
}

#define CUT_ANY(rest, words) cut_any(rest, words, sizeof(words) / sizeof((words)[0]))

// Whether the text says won or lost at once, as in 胜出, 获胜 and 超时负.
static bool says_won(text rest, bool *has_won) {
    static const char *const between[] = {" ",    ":",    "：",   "方",   "队",   "获", "取", "得",
                                          "中盘", "超时", "犯规", "违例", "被判", "判", "认", "告"};
    static const char *const won[] = {"胜", "赢"}, *const lost[] = {"负", "输"};
    while (CUT_ANY(&rest, between))
        ;
    *has_won = CUT_ANY(&rest, won);
    return *has_won || CUT_ANY(&rest, lost);
}

// Whether the words start with the player's whole name and go on with won or lost.
static bool names_player(text words, const char *name, bool *has_won) {
    return name[0] && text_starts(words, name) && says_won(text_skip(words, strlen(name)), has_won);
}

// What stands before won or lost.
static text subject_of(text words, bool *has_won) {
    text rest = words;
    while (rest.len && !says_won(rest, has_won)) {
        int n = utf8_length(rest);
        rest = text_skip(rest, n ? (size_t)n : 1);
    }
    return (text){words.at, words.len - rest.len};
}

// Which side words such as 先手 or 黑方 mean, 0 or 1; -1: it is none of them. The second player has
// R, or White. A side says more than a colour: 先手红方 is the first player in any colours.
static int side_of(text who, bool *is_by_colour) {
    static const char *const first[] = {"先"}, *const second[] = {"后"}, *const black[] = {"黑"},
                             *const white[] = {"白", "红"}, *const other[] = {"手", "方", "棋",
                                                                              "子", "(",  ")",
                                                                              "（", "）", " "};
    bool said[4] = {false};
    while (who.len) {
        if (CUT_ANY(&who, first))
            said[0] = true;
        else if (CUT_ANY(&who, second))
            said[1] = true;
        else if (CUT_ANY(&who, black))
            said[2] = true;
        else if (CUT_ANY(&who, white))
            said[3] = true;
        else if (!CUT_ANY(&who, other))
            return -1;
    }
    *is_by_colour = !said[0] && !said[1];
    const bool *pair = *is_by_colour ? said + 2 : said;
    return pair[0] == pair[1] ? -1 : pair[1];
}

// How well a name begins with its short form: A1 is A1 甲 rather than A11.
static int likeness(const char *name, text shorter) {
    text whole = text_of(name);
    if (!shorter.len || shorter.len > whole.len || memcmp(name, shorter.at, shorter.len) != 0)
        return 0;
    text rest = text_skip(whole, shorter.len);
    return rest.len && record_is_tag_char(rest.at[0]) ? 1 : 2;
}

static bool says_draw(text words) {
    static const char *const draws[] = {"平局", "和局", "和棋", "平手",     "言和",
                                        "战平", "打平", "战和", "不分胜负", "平分秋色"};
    bool found = text_is(words, "平") || text_is(words, "和");
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++)
        found |= text_find(words, draws[i]) < words.len;
    return found;
}

// Who wins by words such as 先手胜, 后手负, 黑方胜, A1胜出 or 平局. Teams are named as they like,
// after colours or after peace (和平队): whole names are compared before anything is read into
// words.
static rules_outcome result_of(const record *r, text words, contest_said *said) {
    static const rules_outcome wins[] = {RULES_FIRST_WINS, RULES_SECOND_WINS};
    *said = (contest_said){0};
    words = text_trim(words);
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (text_is(words, results[i]))
            return (rules_outcome)i;
    bool won[2], has_won = false;
    bool named[] = {names_player(words, r->first, &won[0]),
                    names_player(words, r->second, &won[1])};
    if (named[0] && named[1] && strlen(r->first) != strlen(r->second))
        named[strlen(r->first) > strlen(r->second)] = false;
    if (named[0] != named[1])
        return wins[won[named[1]] ? named[1] : named[0]];
    text who = subject_of(words, &has_won);
    bool is_said = who.len < words.len;
    int side = is_said ? side_of(who, &said->is_by_colour) : -1;
    int like[] = {likeness(r->first, who), likeness(r->second, who)};
    if (side < 0 && is_said && like[0] != like[1])
        side = like[1] > like[0];
    if (side >= 0)
        return wins[has_won ? side : 1 - side];
    if (says_draw(words))
        return RULES_DRAW;
    if (words.len && !text_starts(words, "未") && !text_is(words, "*"))
        fault_set(&said->unknown, "the result %s is not understood", fault_quote(words).shown);
    return RULES_ONGOING;
}

// Cuts off what stands before the next bar.
static text next_part(text *rest) {
    const char *bar = rest->len ? memchr(rest->at, '|', rest->len) : NULL;
    text part = {rest->at, bar ? (size_t)(bar - rest->at) : rest->len};
    *rest = text_skip(*rest, part.len + 1);
    return text_trim(part);
}

// The name behind a label such as 先手方, with either kind of colon.
static text name_behind(text part, const char *label) {
    part = text_skip(part, strlen(label));
    if (text_starts(part, "："))
        part = text_skip(part, strlen("："));
    else if (text_starts(part, ":"))
        part = text_skip(part, 1);
    return text_trim(part);
}

static void read_heading(text line, record *r, contest_said *said) {
    if (!text_starts(line, "先手方")) {
        if (r->date[0] || r->site[0])
            return; // a remark
        record_set_field(r->date, sizeof r->date, next_part(&line));
        record_set_field(r->site, sizeof r->site, next_part(&line));
        return;
    }
    record_set_field(r->first, sizeof r->first, name_behind(next_part(&line), "先手方"));
    text second = next_part(&line);
    if (text_starts(second, "后手方"))
        second = name_behind(second, "后手方");
    record_set_field(r->second, sizeof r->second, second);
    r->result = result_of(r, line, said);
}

// --- the board ----------------------------------------------------------------------------------

typedef struct {
    record_reader *reader;
    record *r;
    replay game;
    contest_said said;
    bool started; // the board is set up, moves may follow
    int rows;
    writer fen;
    char fen_text[RULES_FEN_SIZE];
} contest_parser;

static bool read_row(contest_parser *p, text row, fault *why) {
    if (p->started)
        return fault_set(why, "a board line among the moves");
    if (p->rows == SIDE)
        return fault_set(why, "a seventh board line");
    if (row.len != SIDE)
        return fault_set(why, "a board line has 6 points, not %zu", row.len);
    if (p->rows++)
        write_char(&p->fen, '/');
    int empty = 0;
    for (size_t i = 0; i <= row.len; i++) {
        char c = i < row.len ? row.at[i] : '\0';
        if (c == '0') {
            empty++;
            continue;
        }
        if (empty)
            write_char(&p->fen, (char)('0' + empty));
        empty = 0;
        if (c == 'B' || c == 'R')
            write_char(&p->fen, c == 'B' ? 'b' : 'w');
        else if (c)
            return fault_set(why, "a board line holds B, R and 0, not %s",
                             fault_quote((text){row.at + i, 1}).shown);
    }
    return true;
}

static bool start(contest_parser *p, fault *why) {
    if (p->started)
        return true;
    p->started = true;
    if (p->rows && p->rows < SIDE)
        return fault_set(why, "the board has %d lines, not 6", p->rows);
    if (p->rows) {
        write_string(&p->fen, " b 0 1");
        record_set_field(p->r->fen, sizeof p->r->fen, text_of(p->fen_text));
    }
    return replay_begin(&p->game, p->r, p->reader->all.len, why);
}

// --- the moves ----------------------------------------------------------------------------------

static bool read_move(contest_parser *p, text word, fault *why) {
    fault inner;
    if (replay_word(&p->game, NOTATION_CONTEST, word, &inner))
        return true;
    return fault_set(why, "move %u, %s: %s", (unsigned)rules_ply(p->game.state) + 1,
                     fault_quote(word).shown, inner.line);
}

static bool read_line(contest_parser *p, text raw, fault *why) {
    if (raw.len > LINE_SIZE)
        return fault_set(why, "the line is too long for a contest record");
    text line = text_trim(raw);
    if (text_starts(line, "#")) {
        read_heading(text_trim(text_skip(line, 1)), p->r, &p->said);
        return !p->reader->is_strict || !p->said.unknown.line[0] ||
               fault_set(why, "%s", p->said.unknown.line);
    }
    if (text_starts(line, "!"))
        return read_row(p, text_trim(text_skip(line, 1)), why);
    for (text word; (word = text_next_word(&line)).len;)
        if (!start(p, why) || !read_move(p, word, why))
            return false;
    return true;
}

// Reads the file as it should be.
static bool read_strictly(record_reader *reader, record *r, uint32_t *line, fault *remark,
                          fault *why) {
    contest_parser p = {.reader = reader, .r = r};
    p.fen = writer_on(p.fen_text, sizeof p.fen_text);
    bool good = true;
    *line = reader->line;
    while (good && reader->rest.len)
        good = read_line(&p, reader_line(reader, line), why);
    if (good && !p.started && !p.rows)
        good = fault_set(why, "a record without moves");
    good = good && start(&p, why);
    if (good)
        *remark = p.said.unknown;
    if (good)
        replay_settle(&p.game, remark);
    replay_end(&p.game);
    return good;
}

// --- repairing ----------------------------------------------------------------------------------

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
    char board[SIDE * SIDE]; // letters of the FEN
    int rows, long_rows, left_out;
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
    *point = (uint8_t)((digit - '1') * SIDE + letter - 'a');
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

// Points of a board line; more than six are cut off.
static bool take_row(contest_file *f, text row) {
    if (row.len < SIDE || f->rows == SIDE)
        return false;
    f->long_rows += row.len > SIDE;
    for (int i = 0; i < SIDE; i++) {
        char c = row.at[i];
        if (c != 'B' && c != 'R' && c != '0')
            return false;
        f->board[f->rows * SIDE + i] = c == 'B' ? 'b' : c == 'R' ? 'w' : '.';
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
            read_heading(text_trim(text_skip(line, 1)), f->r, &f->said);
        else if (text_starts(line, "!"))
            good = take_row(f, text_trim(text_skip(line, 1)));
        else
            for (text word; good && (word = text_next_word(&line)).len;) {
                contest_move m;
                bool is_move = scan_move(word, &m);
                // Words may follow the last move.
                good = is_move ? !f->left_out && add_move(f, &m) : f->count > 0;
                f->left_out += !is_move;
            }
    }
    if (f->rows == 0)
        memcpy(f->board, usual, sizeof f->board);
    return good && f->count && (f->rows == 0 || f->rows == SIDE);
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
    char board[SIDE * SIDE];
    rules_image_board(&rules_surakarta, is_exchanged ? 3 : 0, f->board, board);
    writer w = writer_on(r->fen, sizeof r->fen);
    for (int point = 0; point < SIDE * SIDE; point++) {
        char c = board[point];
        if (is_exchanged && c != '.')
            c = c == 'b' ? 'w' : 'b';
        if (point && point % SIDE == 0)
            write_char(&w, '/');
        write_char(&w, c == '.' ? '1' : c);
    }
    write_string(&w, " b 0 1");
}

static void tell_repairs(const contest_file *f, int image, int wrong_signs, fault *remark) {
    char list[sizeof remark->line];
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
    if (f->left_out)
        write_string(&w, "; words after the last move are left out");
    if (f->said.unknown.line[0])
        write_format(&w, "; %s", f->said.unknown.line);
    fault_set(remark, "repaired: %s", w.used ? list + 2 : "the order of digits and letters");
}

// A result given by colour means the colours of the file, which are exchanged.
static void exchange_result(record *r) {
    if (r->result == RULES_FIRST_WINS)
        r->result = RULES_SECOND_WINS;
    else if (r->result == RULES_SECOND_WINS)
        r->result = RULES_FIRST_WINS;
}

// Tries the orientations until one lets all moves be played.
static bool repair(record_reader *reader, record *r, fault *remark) {
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
        good = replay_begin(&p, r, f.count * 8, remark) &&
               play_image(&f, images[i], &p, &wrong_signs) == f.count;
        if (good) {
            tell_repairs(&f, images[i], wrong_signs, remark);
            replay_settle(&p, remark);
        }
        replay_end(&p);
    }
    free(f.moves);
    return good;
}

static record_status contest_next(record_reader *reader, record *r, fault *why) {
    record_reader again = *reader;
    uint32_t number;
    fault inner;
    bool good = read_strictly(reader, r, &number, why, &inner);
    if (!good && !reader->is_strict) {
        record attempt;
        record_init(&attempt, r->game);
        good = repair(&again, &attempt, why);
        if (good) {
            record_free(r);
            *r = attempt;
        } else {
            record_free(&attempt);
        }
    }
    if (!good)
        record_refuse(why, number, "%s", inner.line);
    reader->rest = text_skip(reader->rest, reader->rest.len);
    return good ? RECORD_OK : RECORD_BAD;
}

// --- writing ------------------------------------------------------------------------------------

// Adds UTF-8 in GBK.
static bool add_gbk(buffer *out, const char *utf8, fault *why) {
    return encoding_from_utf8(ENCODING_GB18030, text_of(utf8), out) ||
           fault_set(why, "%s cannot be written in GBK", fault_quote(text_of(utf8)).shown);
}

static bool write_heading(const record *r, buffer *out, fault *why) {
    const char *const fields[] = {r->date, r->site, r->first, r->second};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (strchr(fields[i], '|'))
            return fault_set(why, "%s: a contest record has no way to write a bar",
                             fault_quote(text_of(fields[i])).shown);
    char heading[LINE_SIZE];
    writer w = writer_on(heading, sizeof heading);
    write_format(&w, "#%s|%s\r\n#先手方:%s|后手方:%s|%s\r\n", r->date, r->site, r->first, r->second,
                 results[r->result]);
    return add_gbk(out, heading, why);
}

static void write_board(const rules_state *state, buffer *out) {
    for (int point = 0; point < SIDE * SIDE; point++) {
        char piece = rules_piece_at(state, point);
        buffer_string(out, point % SIDE ? "" : "!");
        buffer_string(out, piece == 'b' ? "B" : piece == 'w' ? "R" : "0");
        buffer_string(out, point % SIDE == SIDE - 1 ? "\r\n" : "");
    }
}

static bool contest_write(const record *r, rules_notation notation, buffer *out, fault *why) {
    (void)notation; // the contest's own
    replay p;
    bool good = replay_show(&p, r, why);
    if (good && rules_side_to_move(p.state) != 0)
        good = fault_set(why, "a contest record starts with Black's move");
    good = good && write_heading(r, out, why);
    if (good)
        write_board(p.state, out);
    for (uint32_t n = record_main_node(r, 1); good && n; n = r->nodes[n].next) {
        char line[RULES_MOVE_SIZE];
        writer w = writer_on(line, sizeof line);
        good = replay_write(&p, n, NOTATION_CONTEST, &w, why);
        write_string(&w, "\r\n");
        good = good && add_gbk(out, line, why);
    }
    replay_end(&p);
    return good;
}

static bool contest_detect(text start) {
    return text_starts(start, "#") || text_starts(start, "!");
}

// --- the file's name ----------------------------------------------------------------------------

// 2026-11-15 14:05, 2026.11.15, 2026-8-4-9:5 ... as 202611151405; what is missing is 0.
static void write_stamp(text date, writer *out) {
    static const int widths[] = {4, 2, 2, 2, 2};
    for (int field = 0; field < 5; field++) {
        while (date.len && (date.at[0] < '0' || date.at[0] > '9'))
            date = text_skip(date, 1);
        int value = 0;
        for (int n = 0; n < widths[field] && date.len && date.at[0] >= '0' && date.at[0] <= '9';
             n++) {
            value = value * 10 + date.at[0] - '0';
            date = text_skip(date, 1);
        }
        write_format(out, "%0*d", widths[field], value);
    }
}

// A name as part of a file name.
static void write_part(const char *name, writer *out) {
    for (const char *c = name; *c; c++)
        write_char(out, *c == '/' || *c == '\\' ? '_' : *c);
}

static void contest_write_name(const record *r, writer *out) {
    write_string(out, "SU-");
    write_part(r->first[0] ? r->first : "先手", out);
    write_string(out, " vs ");
    write_part(r->second[0] ? r->second : "后手", out);
    write_format(out, "-%s-", results[r->result]);
    write_stamp(text_of(r->date), out);
    write_string(out, ".txt");
}

// Cuts off what stands behind the last hyphen.
static text last_part(text *name) {
    size_t at = name->len;
    while (at && name->at[at - 1] != '-')
        at--;
    text part = text_skip(*name, at);
    name->len = at ? at - 1 : 0;
    return part;
}

static bool contest_read_name(record *r, text name) {
    const char *slash = NULL;
    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] == '/')
            slash = name.at + i;
    if (slash)
        name = text_skip(name, (size_t)(slash - name.at) + 1);
    size_t ends = strlen("SU-") + strlen(".txt");
    if (name.len < ends || !text_starts(name, "SU-") ||
        !text_is(text_skip(name, name.len - 4), ".txt"))
        return false;
    name = (text){name.at + strlen("SU-"), name.len - ends};
    text date = last_part(&name), result = last_part(&name);
    size_t versus = text_find(name, " vs ");
    if (versus == name.len)
        return false;
    if (!r->first[0])
        record_set_field(r->first, sizeof r->first, (text){name.at, versus});
    if (!r->second[0])
        record_set_field(r->second, sizeof r->second, text_skip(name, versus + 4));
    if (!r->date[0])
        record_set_field(r->date, sizeof r->date, date);
    contest_said said;
    if (r->result == RULES_ONGOING)
        r->result = result_of(r, result, &said);
    return true;
}

const format_row format_contest = {
    .name = "contest",
    .title = "contest",
    .type = "text/plain; charset=gbk",
    .game = &rules_surakarta,
    .holds = HOLDS_TAGS | HOLDS_RESULT,
    .is_single = true,
    .is_usual = true,
    .detect = contest_detect,
    .next = contest_next,
    .write = contest_write,
    .write_file_name = contest_write_name,
    .read_file_name = contest_read_name,
};
