// DhtmlXQ, the text Chinese forums pass Xiangqi games around in, read:
//   [DhtmlXQ] ... [DhtmlXQ_red]甲[/DhtmlXQ_red] ... [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]
//   [/DhtmlXQ]
// A point is two digits, the file from Red's left and the rank from Black's back rank; binit holds
// where the 32 pieces stand, Red's first, 99 for those off the board; movelist is four digits a
// move. move_L_N_V is line V, which leaves line L at move N; some programs write the main line as
// move_0_1_0 instead of movelist. Everything outside the brackets, comments and variations are
// skipped.
#include "records/format.h"
#include "rules/game.h"

enum { VALUE_SIZE = 512, PIECES = 32 };

typedef struct {
    record_reader *reader;
    record *r;
    text binit, moves, line_0; // movelist and move_0_1_0
    uint32_t binit_line, moves_line, line_0_line;
} dhtmlxq_parser;

static uint32_t count_lines(text t) {
    uint32_t lines = 0;
    for (const char *at; t.len && (at = memchr(t.at, '\n', t.len)); lines++)
        t = text_skip(t, (size_t)(at - t.at) + 1);
    return lines;
}

static void advance(record_reader *reader, size_t bytes) {
    reader->line += count_lines((text){reader->rest.at, bytes});
    reader->rest = text_skip(reader->rest, bytes);
}

// --- fields -------------------------------------------------------------------------------------

static rules_outcome result_of(text words) {
    rules_outcome result;
    if (result_of_word(words, &result))
        return result;
    bool red = text_find(words, "红") < words.len || text_find(words, "紅") < words.len;
    bool black = text_find(words, "黑") < words.len;
    bool won = text_find(words, "胜") < words.len || text_find(words, "勝") < words.len;
    bool lost = text_find(words, "负") < words.len || text_find(words, "負") < words.len;
    if (text_find(words, "和") < words.len)
        return RULES_DRAW;
    if (red == black || won == lost)
        return RULES_ONGOING;
    return red == won ? RULES_FIRST_WINS : RULES_SECOND_WINS;
}

// Fields that become a record's own, and those that become tags.
static void set_field(record *r, text name, text value) {
    static const struct {
        const char *field, *tag;
    } tags[] = {
        {"title", "Title"},     {"round", "Round"},         {"open", "Opening"},
        {"redteam", "RedTeam"}, {"blackteam", "BlackTeam"}, {"author", "Annotator"},
        {"type", "Type"},       {"class", "Class"},
    };
    if (text_is(name, "red") || text_is(name, "redname"))
        record_set_field(r->first, sizeof r->first, value);
    else if (text_is(name, "black") || text_is(name, "blackname"))
        record_set_field(r->second, sizeof r->second, value);
    else if (text_is(name, "event"))
        record_set_field(r->event, sizeof r->event, value);
    else if (text_is(name, "place"))
        record_set_field(r->site, sizeof r->site, value);
    else if (text_is(name, "date"))
        record_set_field(r->date, sizeof r->date, value);
    else if (text_is(name, "result"))
        r->result = result_of(value);
    for (size_t i = 0; value.len && i < sizeof tags / sizeof tags[0]; i++)
        if (text_is(name, tags[i].field))
            record_set_tag(r, text_of(tags[i].tag), value); // eight tags always fit
}

static bool take_field(dhtmlxq_parser *p, text name, text raw, uint32_t line, fault *why) {
    if (text_is(name, "binit")) {
        p->binit = text_trim(raw);
        p->binit_line = line;
    } else if (text_is(name, "movelist")) {
        p->moves = text_trim(raw);
        p->moves_line = line;
    } else if (text_is(name, "move_0_1_0")) {
        p->line_0 = text_trim(raw);
        p->line_0_line = line;
    } else if (!text_starts(name, "comment") && raw.len < VALUE_SIZE / 2) {
        char value[VALUE_SIZE];
        writer w = writer_on(value, sizeof value);
        if (!reader_decode(p->reader, raw, &w, why))
            return false;
        set_field(p->r, name, text_trim((text){value, w.used}));
    }
    return true;
}

// Reads the field the rest starts with; *line is its line.
static bool read_field(dhtmlxq_parser *p, uint32_t *line, fault *why) {
    record_reader *reader = p->reader;
    *line = reader->line;
    text name = text_skip(reader->rest, strlen("[DhtmlXQ_"));
    const char *bracket = name.len ? memchr(name.at, ']', name.len < 64 ? name.len : 64) : NULL;
    if (!bracket) {
        advance(reader, 1);
        return fault_set(why, "a bracket without end");
    }
    name.len = (size_t)(bracket - name.at);
    advance(reader, strlen("[DhtmlXQ_") + name.len + 1);
    text raw = {reader->rest.at, text_find(reader->rest, "[/DhtmlXQ")};
    if (raw.len == reader->rest.len) {
        advance(reader, raw.len);
        return fault_set(why, "%s without end", fault_quote(name).shown);
    }
    bool good = take_field(p, name, raw, *line, why);
    advance(reader, raw.len + 1); // and into the closing bracket, which opens nothing
    return good;
}

// Reads on to the end of the game: its closing bracket, the next game or the end of the text. What
// comes behind a bad field is skipped. False where there was a bad one.
static bool read_fields(dhtmlxq_parser *p, bool *any, uint32_t *line, fault *why) {
    record_reader *reader = p->reader;
    bool good = true;
    for (;;) {
        advance(reader, text_find(reader->rest, "["));
        if (reader->rest.len == 0 || (*any && text_starts(reader->rest, "[DhtmlXQ]")))
            return good;
        if (*any && text_starts(reader->rest, "[/DhtmlXQ]")) {
            advance(reader, strlen("[/DhtmlXQ]"));
            return good;
        }
        bool field = text_starts(reader->rest, "[DhtmlXQ_");
        *any |= field || text_starts(reader->rest, "[DhtmlXQ]");
        if (field && good)
            good = read_field(p, line, why);
        else
            advance(reader, 1);
    }
}

// --- the board and the moves --------------------------------------------------------------------

// The point two digits stand for, or -1.
static int point_of(const char *digits) {
    int file = digits[0] - '0', row = digits[1] - '0';
    return file >= 0 && file <= 8 && row >= 0 && row <= 9 ? (9 - row) * 9 + file : -1;
}

// Makes the FEN of binit. Whose turn it is follows from the first move.
static bool set_up(dhtmlxq_parser *p, fault *why) {
    static const char letters[] = "RNBAKABNRCCPPPPPrnbakabnrccppppp";
    char board[90];
    memset(board, 0, sizeof board);
    if (p->binit.len != PIECES * 2)
        return fault_set(why, "binit has %zu digits, not 64", p->binit.len);
    for (int i = 0; i < PIECES; i++) {
        text digits = {p->binit.at + i * 2, 2};
        int point = point_of(digits.at);
        if (text_is(digits, "99"))
            continue;
        if (point < 0 || board[point])
            return fault_set(why, "binit puts a piece on %s", fault_quote(digits).shown);
        board[point] = letters[i];
    }
    int first = p->moves.len >= 2 ? point_of(p->moves.at) : -1;
    writer w = writer_on(p->r->fen, sizeof p->r->fen);
    for (int rank = 9; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 9; file++) {
            char piece = board[rank * 9 + file];
            empty += !piece;
            if (piece && empty)
                write_char(&w, (char)('0' + empty));
            if (piece)
                write_char(&w, piece);
            if (piece)
                empty = 0;
        }
        if (empty)
            write_char(&w, (char)('0' + empty));
        write_char(&w, rank ? '/' : ' ');
    }
    write_char(&w, first >= 0 && board[first] >= 'a' ? 'b' : 'w');
    return true;
}

static bool play(const dhtmlxq_parser *p, replay *game, fault *why) {
    char digits[4];
    int n = 0;
    for (size_t i = 0; i < p->moves.len; i++) {
        char c = p->moves.at[i];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            continue;
        digits[n++] = c;
        if (n < 4)
            continue;
        n = 0;
        int from = point_of(digits), to = point_of(digits + 2);
        unsigned number = (unsigned)rules_ply(game->state) + 1;
        quoted shown = fault_quote((text){digits, sizeof digits});
        if (from < 0 || to < 0)
            return fault_set(why, "move %u, %s, is not a move", number, shown.shown);
        char word[5];
        writer w = writer_on(word, sizeof word);
        write_format(&w, "%c%d%c%d", 'a' + from % 9, from / 9, 'a' + to % 9, to / 9);
        fault inner;
        if (!replay_word(game, NOTATION_NATIVE, text_of(word), &inner))
            return fault_set(why, "move %u, %s (%s): %s", number, shown.shown, word, inner.line);
    }
    return n == 0 || fault_set(why, "the move list is cut off in the middle of a move");
}

static bool play_out(dhtmlxq_parser *p, uint32_t *line, fault *why) {
    if (p->moves.len == 0 && p->line_0.at) {
        p->moves = p->line_0;
        p->moves_line = p->line_0_line;
    }
    if (!p->binit.at && !p->moves.at)
        return fault_set(why, "a record without moves");
    replay game = {0};
    *line = p->binit.at ? p->binit_line : p->moves_line;
    bool good = p->binit.len == 0 || set_up(p, why);
    good = good && replay_begin(&game, p->r, p->moves.len, why);
    if (good && !p->moves.at)
        good = fault_set(why, "a record without moves");
    if (good) {
        *line = p->moves_line;
        good = play(p, &game, why);
    }
    if (good)
        replay_settle(&game, why);
    replay_end(&game);
    return good;
}

static record_status dhtmlxq_next(record_reader *reader, record *r, fault *why) {
    dhtmlxq_parser p = {.reader = reader, .r = r};
    bool fresh = reader->rest.len + 3 >= reader->all.len; // but for a byte order mark
    uint32_t line = reader->line;
    bool any = false;
    fault inner = {""};
    bool good = read_fields(&p, &any, &line, &inner);
    if (!any) // text behind the last game is nobody's business
        return fresh ? record_refuse(why, line, "no [DhtmlXQ] record in it") : RECORD_END;
    if (!good || !play_out(&p, &line, &inner))
        return record_refuse(why, line, "%s", inner.line);
    *why = inner;
    return RECORD_OK;
}

static bool dhtmlxq_detect(text start) { return text_find(start, "[DhtmlXQ") < start.len; }

const format_row dhtmlxq_format = {
    .name = "dhtmlxq",
    .title = "DhtmlXQ",
    .type = "text/plain; charset=utf-8",
    .game = &rules_xiangqi,
    .detect = dhtmlxq_detect,
    .next = dhtmlxq_next,
};
