// Two plain texts of Xiangqi games.
//
// WXF, as PlayOK and the World Xiangqi Federation write it: headings, a word and its value a line,
// then the moves between START{ and }END:
//   FORMAT WXF
//   RED 甲
//   RESULT 1-0
//   START{
//   1. C2=5 H8+7
//   }END
// COMMENT{ ... } among the headings is about the start, behind the moves about the last of them.
//
// The text export of dpxq: headings with a colon, then moves with numbers:
//   标题: 甲 胜 乙
//   红方: 甲
//   1.炮二平五　马8进7
#include "base/minmax.h"
#include "records/format.h"
#include "records/words.h"
#include "rules/game.h"

// --- headings -----------------------------------------------------------------------------------

typedef enum { TO_TAG, TO_FIRST, TO_SECOND, TO_EVENT, TO_SITE, TO_DATE, TO_FEN, TO_RESULT } target;

typedef struct {
    const char *name;
    target to;
    const char *tag; // of those that become tags; NULL: it says nothing
} heading;

static const heading wxf_headings[] = {
    {"RED", TO_FIRST, NULL},   {"BLACK", TO_SECOND, NULL}, {"EVENT", TO_EVENT, NULL},
    {"SITE", TO_SITE, NULL},   {"DATE", TO_DATE, NULL},    {"RESULT", TO_RESULT, NULL},
    {"FEN", TO_FEN, NULL},     {"ROUND", TO_TAG, "Round"}, {"OPEN", TO_TAG, "Opening"},
    {"GAME", TO_TAG, "Title"}, {"FORMAT", TO_TAG, NULL},   {NULL, TO_TAG, NULL},
};

static const heading dpxq_headings[] = {
    {"标题", TO_TAG, "Title"},
    {"红方", TO_FIRST, NULL},
    {"黑方", TO_SECOND, NULL},
    {"赛事", TO_EVENT, NULL},
    {"地点", TO_SITE, NULL},
    {"日期", TO_DATE, NULL},
    {"结果", TO_RESULT, NULL},
    {"轮次", TO_TAG, "Round"},
    {"布局", TO_TAG, "Opening"},
    {"评论", TO_TAG, "Annotator"},
    {"作者", TO_TAG, "Author"},
    {"红方团体", TO_TAG, "RedTeam"},
    {"黑方团体", TO_TAG, "BlackTeam"},
    {"用时规则", TO_TAG, "TimeControl"},
    {NULL, TO_TAG, NULL},
};

// Takes a heading; what the table does not have becomes a tag of its own name.
static void take_heading(record *r, const heading *table, text name, text value) {
    const struct {
        const char *name;
        char *field;
        size_t size;
    } fields[] = {
        [TO_FIRST] = {"Red", r->first, sizeof r->first},
        [TO_SECOND] = {"Black", r->second, sizeof r->second},
        [TO_EVENT] = {"Event", r->event, sizeof r->event},
        [TO_SITE] = {"Site", r->site, sizeof r->site},
        [TO_DATE] = {"Date", r->date, sizeof r->date},
        [TO_FEN] = {"FEN", r->fen, sizeof r->fen},
    };
    while (table->name && !text_is(name, table->name))
        table++;
    if (table->to == TO_RESULT)
        record_read_result(r, value);
    else if (table->to != TO_TAG)
        record_read_field(r, fields[table->to].name, fields[table->to].field,
                          fields[table->to].size, value);
    else if (value.len && (table->tag || !table->name))
        record_read_other_tag(r, table->tag ? text_of(table->tag) : name, value);
}

// --- moves --------------------------------------------------------------------------------------

// A word without its number and dots.
static text strip(text word) {
    static const char dots[] = "…";
    word = words_skip_number(word);
    while (text_starts(word, dots))
        word = text_skip(word, strlen(dots));
    return word;
}

// Cuts the next word off a line; wide blanks of Chinese text separate words too.
static text next_word(text *line) {
    static const char wide[] = "\xe3\x80\x80";
    for (;;) {
        text word = text_next_word(line);
        size_t end = text_find(word, wide);
        if (end < word.len)
            *line = (text){word.at + end + strlen(wide),
                           line->len + (size_t)(line->at - word.at) - end - strlen(wide)};
        word.len = end;
        if (word.len || line->len == 0)
            return word;
    }
}

typedef struct {
    record_reader *reader;
    record *r;
    replay game;
    bool is_started;
} plain_parser;

static bool read_word(plain_parser *p, text word, fault *why) {
    rules_outcome result;
    if (result_of_word(word, &result)) {
        if (result != RULES_ONGOING)
            p->r->result = result;
        return true;
    }
    word = strip(word);
    int nag = words_cut_marks(&word);
    if (word.len == 0)
        return true;
    if (!p->is_started && !replay_begin(&p->game, p->r, p->reader->all.len, why))
        return false;
    p->is_started = true;
    bool good = replay_text(&p->game, -1, word, why);
    if (good && nag)
        record_add_mark(p->r, p->game.at, nag);
    return good;
}

static record_status finish(plain_parser *p, bool good, uint32_t line, const fault *inner,
                            fault *why) {
    fault words = *inner;
    if (good && !p->is_started)
        good = replay_begin(&p->game, p->r, p->reader->all.len, &words);
    if (good)
        replay_settle(&p->game);
    replay_end(&p->game);
    return good ? RECORD_OK : record_refuse(why, line, "%s", words.line);
}

// --- WXF ----------------------------------------------------------------------------------------

// Whether a line is a heading of WXF.
static bool is_known(text line) {
    const heading *h = wxf_headings;
    text name = text_next_word(&line);
    while (h->name && !text_is(name, h->name))
        h++;
    return h->name != NULL;
}

// The next line and its first word, without taking it.
static text peek_line(const record_reader *reader, text *word) {
    text rest = reader->rest, line = text_trim(text_next_line(&rest)), left = line;
    *word = text_next_word(&left);
    return line;
}

static bool is_block(text line) {
    return text_starts(line, "COMMENT{") || text_starts(line, "COMMENT {");
}

// A block COMMENT{ ... } that the rest starts with: its words go to the node at hand.
static bool read_block(plain_parser *p, fault *why) {
    text rest = p->reader->rest;
    rest = text_skip(rest, text_find(rest, "{") + 1);
    size_t brace = text_find(rest, "}"), end = text_find((text){rest.at, brace}, "\nSTART{");
    uint32_t number = p->reader->line;
    if (end < brace || end == rest.len)
        record_remark(p->r, "line %u: COMMENT{ without }", (unsigned)number);
    const char *behind = rest.at + end;
    while (p->reader->rest.len && p->reader->rest.at <= behind)
        reader_line(p->reader, &number);
    return record_add_comment(p->r, p->game.at, (text){rest.at, end}) ||
           fault_set(why, "out of memory");
}

// A heading of WXF. A word alone that nobody knows is none.
static void read_heading(plain_parser *p, text line, uint32_t number) {
    bool is_of_table = is_known(line);
    text name = text_next_word(&line), value = text_trim(line);
    if (value.len == 0 && !is_of_table)
        record_drop(p->r, "line %u: %s is left out: no heading of WXF", (unsigned)number,
                    fault_quote(name).shown);
    else
        take_heading(p->r, wxf_headings, name, value);
}

// Reads the headings and START{, whose line the rest then starts with. *any: there was a heading.
static bool read_headings(plain_parser *p, bool *any, fault *why) {
    record_reader *reader = p->reader;
    bool has_format = false;
    uint32_t first = reader->line, number;
    while (reader->rest.len) {
        text word, line = peek_line(reader, &word);
        bool is_format = text_is(word, "FORMAT");
        if (text_starts(line, "START"))
            return *any = true;
        if (is_format && has_format)
            break; // the next game
        has_format |= is_format;
        *any |= is_known(line);
        if (is_block(line)) {
            if (!read_block(p, why))
                return false;
            continue;
        }
        reader_line(reader, &number);
        if (line.len)
            read_heading(p, line, number);
    }
    record_refuse(why, first, "no START{ with moves");
    return false;
}

// Reads the moves to their }; a FORMAT before it is the next game's. What comes behind a bad move
// is skipped.
static bool read_moves(plain_parser *p, fault *why) {
    record_reader *reader = p->reader;
    bool good = true, is_over = false, is_first = true;
    uint32_t number = reader->line, last = number;
    while (reader->rest.len && !is_over) {
        fault inner;
        text word, line = peek_line(reader, &word);
        if (text_is(word, "FORMAT"))
            break;
        reader_line(reader, &number);
        if (is_first)
            line = text_skip(line, text_find(line, "{") + 1);
        is_first = false;
        size_t end = text_find(line, "}");
        is_over = end < line.len;
        line.len = end;
        while (good && (word = next_word(&line)).len) {
            last = number;
            good = read_word(p, word, &inner);
            if (!good)
                record_refuse(why, number, "%s", inner.line);
        }
    }
    if (good && !is_over)
        record_refuse(why, last, "the moves have no }END");
    return good && is_over;
}

static record_status wxf_next(record_reader *reader, record *r, fault *why) {
    plain_parser p = {.reader = reader, .r = r};
    bool is_fresh = reader->rest.at == reader->all.at, any = false;
    uint32_t line = reader->line;
    bool good = read_headings(&p, &any, why);
    if (!any && !is_fresh)
        return RECORD_END; // words behind the last game
    good = good && read_moves(&p, why);
    text word;
    while (good && reader->rest.len && peek_line(reader, &word).len == 0)
        reader_line(reader, &(uint32_t){0});
    if (good && is_block(peek_line(reader, &word)))
        good = read_block(&p, why);
    if (good)
        return finish(&p, true, line, &(fault){""}, why);
    replay_end(&p.game);
    return RECORD_BAD;
}

static bool wxf_write(const record *r, rules_notation notation, buffer *out, fault *why) {
    (void)notation; // the format's own
    replay p;
    bool good = replay_show(&p, r, why);
    buffer_string(out, "FORMAT WXF\n");
    const char *const values[][2] = {{"GAME", record_find_tag(r, "Title")},
                                     {"EVENT", r->event},
                                     {"SITE", r->site},
                                     {"DATE", r->date},
                                     {"ROUND", record_find_tag(r, "Round")},
                                     {"OPEN", record_find_tag(r, "Opening")},
                                     {"RED", r->first},
                                     {"BLACK", r->second},
                                     {"RESULT", result_word(r->result)},
                                     {"FEN", r->fen}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (values[i][1] && values[i][1][0])
            buffer_format(out, "%s %s\n", values[i][0], values[i][1]);
    buffer_string(out, "START{\n");
    unsigned turn = good ? (unsigned)rules_side_to_move(p.state) : 0;
    for (uint32_t n = record_main_node(r, 1); good && n; n = r->nodes[n].next, turn++) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        good = replay_write(&p, n, NOTATION_WXF, &w, why);
        if (turn % 2 == 0 || r->nodes[n].ply == 1)
            buffer_format(out, "%s%u. %s", turn > 1 ? "\n" : "", turn / 2 + 1,
                          turn % 2 ? "... " : "");
        else
            buffer_char(out, ' ');
        buffer_string(out, word);
    }
    buffer_string(out, r->count ? "\n}END\n" : "}END\n");
    replay_end(&p);
    return good;
}

static bool wxf_detect(text start) {
    text rest = start, word = text_next_word(&rest);
    return (text_is(word, "FORMAT") && text_is(text_next_word(&rest), "WXF")) ||
           text_starts(start, "START{");
}

const format_row format_wxf = {
    .name = "wxf",
    .title = "WXF",
    .type = "text/plain; charset=utf-8",
    .extension = "wxf",
    .game = &rules_xiangqi,
    .holds = HOLDS_TAGS | HOLDS_RESULT,
    .detect = wxf_detect,
    .next = wxf_next,
    .write = wxf_write,
};

// --- dpxq ---------------------------------------------------------------------------------------

// Where the name of a heading ends: at a colon of either kind.
static size_t find_colon(text line, size_t *length) {
    size_t narrow = text_find(line, ":"), wide = text_find(line, "：");
    *length = wide < narrow ? strlen("：") : 1;
    return min_size(wide, narrow);
}

// Whether a line holds moves: its first word is a number with a dot.
static bool is_move_line(text line) {
    size_t digits = 0;
    text word = next_word(&line);
    while (digits < word.len && word.at[digits] >= '0' && word.at[digits] <= '9')
        digits++;
    return digits && digits < 4 && digits < word.len && word.at[digits] == '.';
}

// Takes a heading; what nobody knows is kept as words before the first move.
static void take_dpxq(plain_parser *p, text name, text value) {
    const heading *h = dpxq_headings;
    name = text_trim(name);
    while (h->name && !text_is(name, h->name))
        h++;
    if (h->name)
        take_heading(p->r, h, name, text_trim(value));
    else if (!record_add_comment(p->r, 0,
                                 (text){name.at, (size_t)(value.at + value.len - name.at)}))
        record_drop(p->r, "a heading is left out: out of memory");
}

static record_status dpxq_next(record_reader *reader, record *r, fault *why) {
    plain_parser p = {.reader = reader, .r = r};
    bool good = true;
    uint32_t number = reader->line;
    fault inner = {""};
    while (reader->rest.len) {
        uint32_t line_number;
        text ahead = reader->rest, line = text_trim(text_next_line(&ahead));
        if (p.is_started && text_starts(line, "标题"))
            break; // the next game
        line = text_trim(reader_line(reader, &line_number));
        size_t length, colon = find_colon(line, &length);
        if (is_move_line(line)) {
            for (text word; good && (word = next_word(&line)).len;) {
                number = line_number;
                good = read_word(&p, word, &inner);
            }
        } else if (!p.is_started && colon < line.len) {
            take_dpxq(&p, (text){line.at, colon}, text_skip(line, colon + length));
        } else if (good && !record_add_comment(r, p.game.at, line)) {
            good = fault_set(&inner, "out of memory");
        }
    }
    if (good && !p.is_started)
        good = fault_set(&inner, "a record without moves");
    return finish(&p, good, number, &inner, why);
}

static bool dpxq_detect(text start) {
    size_t length;
    return text_starts(start, "标题") && find_colon(start, &length) < 16;
}

const format_row format_dpxq = {
    .name = "dpxq",
    .title = "dpxq",
    .type = "text/plain; charset=utf-8",
    .extension = "dpxq",
    .game = &rules_xiangqi,
    .holds = HOLDS_TAGS | HOLDS_RESULT,
    .detect = dpxq_detect,
    .next = dpxq_next,
};
