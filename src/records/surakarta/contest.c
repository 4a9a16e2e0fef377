// The Surakarta contest's record, one game a file:
//   #2026-11-15 14:05|沈阳                    date and place
//   #先手方:A队|后手方:B队|先手胜               players and result
//   !BBBBBB                                  the board to start from, six lines, B the first
//   ...                                      player's pieces, R the second's, 0 an empty point
//   B2E-3E                                   moves: side, row (1 is the top) and column
//   R6C×4A                                   captures
// Board or heading may be missing; a record cut off before its board and its moves is none. People
// type these files: whatever cannot be played is refused with its line.
#include "base/encoding.h"
#include "records/format.h"
#include "rules/game.h"

#include <stdio.h>

enum { LINE_SIZE = 1024, SIDE = 6 };

static const char *const results[] = {"未决胜", "先手胜", "后手胜", "平局"};

// --- the heading --------------------------------------------------------------------------------

static rules_outcome result_of(text words) {
    static const struct {
        const char *word;
        rules_outcome result;
    } table[] = {
        {"先手胜", RULES_FIRST_WINS},
        {"后手胜", RULES_SECOND_WINS},
        {"先手负", RULES_SECOND_WINS},
        {"后手负", RULES_FIRST_WINS},
        {"平", RULES_DRAW},
        {"和", RULES_DRAW},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (text_find(words, table[i].word) < words.len)
            return table[i].result;
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

static void read_heading(text line, record *r) {
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
    r->result = result_of(line);
}

// --- the board ----------------------------------------------------------------------------------

typedef struct {
    record_reader *reader;
    record *r;
    replay game;
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
        read_heading(text_trim(text_skip(line, 1)), p->r);
        return true;
    }
    if (text_starts(line, "!"))
        return read_row(p, text_trim(text_skip(line, 1)), why);
    for (text word; (word = text_next_word(&line)).len;)
        if (!start(p, why) || !read_move(p, word, why))
            return false;
    return true;
}

static record_status contest_next(record_reader *reader, record *r, fault *why) {
    contest_parser p = {.reader = reader, .r = r};
    p.fen = writer_on(p.fen_text, sizeof p.fen_text);
    bool good = true;
    uint32_t number = reader->line;
    fault inner;
    while (good && reader->rest.len) {
        text line = reader_line(reader, &number);
        good = read_line(&p, line, &inner);
    }
    if (good && !p.started && !p.rows)
        good = fault_set(&inner, "a record without moves");
    good = good && start(&p, &inner);
    if (good)
        replay_settle(&p.game, why);
    else
        record_refuse(why, number, "%s", inner.line);
    replay_end(&p.game);
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
    if (r->result == RULES_ONGOING)
        r->result = result_of(result);
    return true;
}

const format_row contest_format = {
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
