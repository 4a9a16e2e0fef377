// The Surakarta contest's record, one game a file:
//   #2026-11-15 14:05|沈阳                    date and place
//   #先手方:A队|后手方:B队|先手胜               players and result
//   !BBBBBB                                  the board to start from, six lines, B the first
//   ...                                      player's pieces, R the second's, 0 an empty point
//   B2E-3E                                   moves: side, row (1 is the top) and column
//   R6C×4A                                   captures
// Board or heading may be missing; a record cut off before its board and its moves is none. People
// type these files: one that cannot be played as it is, is tried in other ways (contest_repair.c),
// and otherwise refused with the line where it goes wrong.
#include "records/surakarta/contest.h"
#include "base/encoding.h"
#include "rules/game.h"

enum { LINE_SIZE = 1024 };

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
    if (p->rows == CONTEST_SIDE)
        return fault_set(why, "a seventh board line");
    if (row.len != CONTEST_SIDE)
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
    if (p->rows && p->rows < CONTEST_SIDE)
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
        contest_read_heading(text_trim(text_skip(line, 1)), p->r, &p->said);
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
static bool read_strictly(record_reader *reader, record *r, uint32_t *line, fault *why) {
    contest_parser p = {.reader = reader, .r = r};
    p.fen = writer_on(p.fen_text, sizeof p.fen_text);
    bool good = true;
    *line = reader->line;
    while (good && reader->rest.len)
        good = read_line(&p, reader_line(reader, line), why);
    if (good && !p.started && !p.rows)
        good = fault_set(why, "a record without moves");
    good = good && start(&p, why);
    if (good && p.said.unknown.line[0])
        record_remark(r, "%s", p.said.unknown.line);
    if (good)
        replay_settle(&p.game);
    replay_end(&p.game);
    return contest_keep_notes(r, &p.said) ? good : fault_set(why, "out of memory");
}

static record_status contest_next(record_reader *reader, record *r, fault *why) {
    record_reader again = *reader;
    uint32_t number;
    fault inner;
    bool good = read_strictly(reader, r, &number, &inner);
    if (!good && !reader->is_strict) {
        record attempt;
        record_init(&attempt, r->game);
        good = contest_repair(&again, &attempt);
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
                 contest_results[r->result]);
    return add_gbk(out, heading, why);
}

static void write_board(const rules_state *state, buffer *out) {
    for (int point = 0; point < CONTEST_SIDE * CONTEST_SIDE; point++) {
        char piece = rules_piece_at(state, point);
        buffer_string(out, point % CONTEST_SIDE ? "" : "!");
        buffer_string(out, piece == 'b' ? "B" : piece == 'w' ? "R" : "0");
        buffer_string(out, point % CONTEST_SIDE == CONTEST_SIDE - 1 ? "\r\n" : "");
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

const format_row format_contest = {
    .name = "contest",
    .title = "contest",
    .type = "text/plain; charset=gbk",
    .extension = "txt",
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
