// DhtmlXQ, the text Chinese forums pass Xiangqi games around in:
//   [DhtmlXQ] ... [DhtmlXQ_red]甲[/DhtmlXQ_red] ... [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]
//   [/DhtmlXQ]
// A point is two digits, the file from Red's left and the rank from Black's back rank; binit holds
// where the 32 pieces stand, Red's first, 99 for those off the board; movelist is four digits a
// move. move_L_N_V is line V, which leaves line L at ply N; some programs write the main line as
// move_0_1_0 instead of movelist. commentN is the comment of ply N of the main line, commentV_N
// that of line V; || is a line end in it. Everything outside the brackets is skipped.
#include "records/xiangqi/dhtmlxq.h"
#include "base/minmax.h"
#include "base/vector.h"
#include "records/xiangqi/stream.h"
#include "rules/game.h"

#include <stdlib.h>

// A line of moves, as a field has it and as nodes of the tree, which follow one another.
typedef struct {
    uint32_t from, ply, number; // move_L_N_V
    uint32_t parent;            // the line it leaves: 0 is the main line, else from 1; or LOST
    uint32_t looked_at;         // while parents are looked for
    text moves;
    uint32_t text_line;   // where the field stands in the text
    uint32_t node, count; // filled in once it was played
} dhtmlxq_line;

enum { LOST = UINT32_MAX };

typedef struct {
    uint32_t number, ply; // of the line and its move
    text words;
} dhtmlxq_comment;

typedef struct {
    record_reader *reader;
    record *r;
    text binit, fen;
    uint32_t binit_line;
    bool has_moves;
    text list, other; // the main line: movelist, and move_0_1_0
    uint32_t list_line, other_line;
    dhtmlxq_line main, *lines;
    size_t line_count, line_capacity;
    dhtmlxq_comment *comments;
    size_t comment_count, comment_capacity;
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

const dhtmlxq_tag dhtmlxq_tags[DHTMLXQ_TAGS] = {
    {"title", "Title"},         {"round", "Round"},          {"open", "Opening"},
    {"redteam", "RedTeam"},     {"blackteam", "BlackTeam"},  {"author", "Annotator"},
    {"type", "Type"},           {"class", "Class"},          {"redtime", "RedTime"},
    {"blacktime", "BlackTime"}, {"timerule", "TimeControl"},
};

bool dhtmlxq_is_own(text name) {
    static const char *const own[] = {"binit", "fen",       "red",   "redname", "black",
                                      "event", "blackname", "place", "date",    "result"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (text_is(name, own[i]))
            return true;
    return text_starts(name, "move") || text_starts(name, "comment");
}

// Fields about the page that shows the game.
static bool is_of_page(text name) {
    static const char *const fields[] = {"ver", "init", "pver", "viewurl", "length", "num"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (text_is(name, fields[i]))
            return true;
    return false;
}

static void set_field(record *r, text name, text value) {
    const char *tag = NULL;
    if (text_is(name, "red") || text_is(name, "redname"))
        record_read_field(r, "Red", r->first, sizeof r->first, value);
    else if (text_is(name, "black") || text_is(name, "blackname"))
        record_read_field(r, "Black", r->second, sizeof r->second, value);
    else if (text_is(name, "event"))
        record_read_field(r, "Event", r->event, sizeof r->event, value);
    else if (text_is(name, "place"))
        record_read_field(r, "Site", r->site, sizeof r->site, value);
    else if (text_is(name, "date"))
        record_read_field(r, "Date", r->date, sizeof r->date, value);
    else if (text_is(name, "result"))
        record_read_result(r, value);
    else if (dhtmlxq_is_own(name))
        record_drop(r, "the field %s is left out: nobody knows what it means",
                    fault_quote(name).shown);
    if (value.len == 0 || dhtmlxq_is_own(name) || is_of_page(name))
        return;
    for (size_t i = 0; !tag && i < DHTMLXQ_TAGS; i++)
        if (text_is(name, dhtmlxq_tags[i].field))
            tag = dhtmlxq_tags[i].tag;
    record_read_other_tag(r, tag ? text_of(tag) : name, value);
}

// Reads numbers with _ between them behind a prefix, as many as there are; 0 where something else
// stands there.
static int read_numbers(text name, const char *prefix, uint32_t numbers[3]) {
    int count = 0;
    name = text_skip(name, strlen(prefix));
    while (count < 3) {
        size_t end = text_find(name, "_");
        int64_t n;
        if (!text_to_int((text){name.at, end}, 0, UINT16_MAX, &n))
            return 0;
        numbers[count++] = (uint32_t)n;
        if (end == name.len)
            return count;
        name = text_skip(name, end + 1);
    }
    return 0;
}

static bool add_variation(dhtmlxq_parser *p, const uint32_t n[3], text moves, uint32_t line) {
    dhtmlxq_line *grown =
        vector_reserve(p->lines, &p->line_capacity, p->line_count + 1, sizeof *grown);
    if (!grown)
        return false;
    p->lines = grown;
    p->lines[p->line_count++] = (dhtmlxq_line){
        .from = n[0], .ply = n[1], .number = n[2], .moves = moves, .text_line = line};
    return true;
}

static bool add_comment(dhtmlxq_parser *p, uint32_t number, uint32_t ply, text words) {
    dhtmlxq_comment *grown =
        vector_reserve(p->comments, &p->comment_capacity, p->comment_count + 1, sizeof *grown);
    if (!grown)
        return false;
    p->comments = grown;
    p->comments[p->comment_count++] = (dhtmlxq_comment){number, ply, words};
    return true;
}

// A field with the main line. An empty one says nothing.
static void take_main_line(dhtmlxq_parser *p, text name, text moves, uint32_t line) {
    bool is_list = text_is(name, "movelist");
    text *to = is_list ? &p->list : &p->other;
    if (to->len && moves.len)
        record_drop(p->r, "line %u: a second %s replaces the first", (unsigned)line,
                    is_list ? "movelist" : "move_0_1_0");
    if (to->len == 0 || moves.len) {
        *to = moves;
        *(is_list ? &p->list_line : &p->other_line) = line;
    }
    p->has_moves = true;
}

// Whether both have the same moves: blanks and line ends do not count.
static bool is_same_list(text a, text b) {
    while (a.len || b.len) {
        if (a.len && (unsigned char)a.at[0] <= ' ')
            a = text_skip(a, 1);
        else if (b.len && (unsigned char)b.at[0] <= ' ')
            b = text_skip(b, 1);
        else if (!a.len || !b.len || a.at[0] != b.at[0])
            return false;
        else
            a = text_skip(a, 1), b = text_skip(b, 1);
    }
    return true;
}

// The main line is movelist, or move_0_1_0 where that is missing or empty.
static void choose_main_line(dhtmlxq_parser *p) {
    bool is_other = p->list.len == 0 && p->other_line;
    p->main = (dhtmlxq_line){.ply = 1,
                             .moves = is_other ? p->other : p->list,
                             .text_line = is_other ? p->other_line : p->list_line};
    if (p->list.len && p->other.len && !is_same_list(p->list, p->other))
        record_drop(p->r, "line %u: move_0_1_0 says other moves than movelist, which is taken",
                    (unsigned)p->other_line);
}

static bool take_field(dhtmlxq_parser *p, text name, text raw, uint32_t line, fault *why) {
    uint32_t n[3] = {0};
    bool good = true;
    raw = text_trim(raw);
    if (text_is(name, "binit")) {
        p->binit = raw;
        p->binit_line = line;
    } else if (text_is(name, "fen")) {
        p->fen = raw;
    } else if (text_is(name, "movelist") || text_is(name, "move_0_1_0")) {
        take_main_line(p, name, raw, line);
    } else if (text_starts(name, "move_") && read_numbers(name, "move_", n) == 3) {
        good = add_variation(p, n, raw, line);
    } else if (text_starts(name, "comment")) {
        int count = read_numbers(name, "comment", n);
        if (count == 1 || count == 2)
            good = add_comment(p, count == 2 ? n[0] : 0, n[count - 1], raw);
        else
            set_field(p->r, name, raw);
    } else {
        set_field(p->r, name, raw);
    }
    return good || fault_set(why, "out of memory");
}

// Where the next bracket that opens or closes a field is; the end where there is none.
static size_t find_bracket(text rest) {
    size_t at = text_find(rest, "[");
    while (at < rest.len) {
        text here = text_skip(rest, at);
        if (text_starts(here, "[/DhtmlXQ") || text_starts(here, "[DhtmlXQ_"))
            break;
        at += 1 + text_find(text_skip(here, 1), "[");
    }
    return at;
}

// A field whose closing bracket is missing, as where somebody cut the text out of a page: words are
// taken to the end of their line or of the attribute they stand in. Moves that are cut off are not.
static bool take_unclosed(dhtmlxq_parser *p, text name, text *raw, fault *why) {
    bool is_game = text_starts(name, "move") || text_is(name, "binit") || text_is(name, "fen");
    if (p->reader->is_strict || is_game)
        return fault_set(why, "%s without end", fault_quote(name).shown);
    for (size_t i = 0; i < raw->len; i++)
        if (raw->at[i] == '"' || raw->at[i] == '<' || raw->at[i] == '\n')
            raw->len = i;
    record_remark(p->r, "%s without end: the words of its line were taken",
                  fault_quote(name).shown);
    return true;
}

// Reads the field the rest starts with; *line is its line.
static bool read_field(dhtmlxq_parser *p, uint32_t *line, fault *why) {
    record_reader *reader = p->reader;
    *line = reader->line;
    text name = text_skip(reader->rest, strlen("[DhtmlXQ_"));
    const char *bracket = name.len ? memchr(name.at, ']', min_size(name.len, 64)) : NULL;
    if (!bracket) {
        advance(reader, 1);
        return fault_set(why, "a bracket without end");
    }
    name.len = (size_t)(bracket - name.at);
    advance(reader, strlen("[DhtmlXQ_") + name.len + 1);
    text raw = {reader->rest.at, find_bracket(reader->rest)};
    bool is_closed = text_starts(text_skip(reader->rest, raw.len), "[/");
    size_t end = raw.len + is_closed; // into the closing bracket, which opens nothing
    bool good = is_closed || take_unclosed(p, name, &raw, why);
    good = good && take_field(p, name, raw, *line, why);
    advance(reader, end);
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
    char board[POINTS];
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
        board[point] = piece_letters[i];
    }
    text moves = p->main.moves;
    int first = moves.len >= 2 ? point_of(moves.at) : -1;
    // Without a move only the field fen, which some programs write, says whose turn it is.
    bool is_black = first >= 0 ? board[first] >= 'a' : text_find(p->fen, " b") < p->fen.len;
    writer w = writer_on(p->r->fen, sizeof p->r->fen);
    pieces_write_fen(board, is_black, &w);
    if (text_starts(p->fen, p->r->fen)) // the counters too
        record_set_field(p->r->fen, sizeof p->r->fen, p->fen);
    else if (p->fen.len)
        record_remark(p->r, "fen says another position than binit, which is taken");
    return true;
}

static bool play_moves(text moves, replay *game, fault *why) {
    char digits[4];
    int n = 0;
    for (size_t i = 0; i < moves.len; i++) {
        char c = moves.at[i];
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

// Plays a line from where the game stands, as far as it can be played.
static bool play(dhtmlxq_line *line, replay *game, fault *why) {
    record *r = game->r;
    line->node = r->node_count ? r->node_count : 1;
    bool good = play_moves(line->moves, game, why);
    line->count = r->node_count > line->node ? r->node_count - line->node : 0;
    return good;
}

static int by_number(const void *a, const void *b) {
    const dhtmlxq_line *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

// The place of the line of that number: 0 is the main line, else from 1; or LOST.
static uint32_t find_line(const dhtmlxq_parser *p, uint32_t number) {
    dhtmlxq_line wanted = {.number = number};
    if (number == 0 || p->line_count == 0)
        return number ? LOST : 0;
    const dhtmlxq_line *found = bsearch(&wanted, p->lines, p->line_count, sizeof wanted, by_number);
    return found ? (uint32_t)(found - p->lines) + 1 : LOST;
}

static dhtmlxq_line *line_at(dhtmlxq_parser *p, uint32_t place) {
    return place == LOST ? NULL : place ? &p->lines[place - 1] : &p->main;
}

// Finds the line that each variation leaves. Their numbers say nothing about their order; where
// lines leave one another in a circle, one of them is lost and the others cannot be played.
static void find_parents(dhtmlxq_parser *p) {
    for (size_t i = 0; i < p->line_count; i++)
        p->lines[i].parent = find_line(p, p->lines[i].from);
    for (uint32_t way = 1; way <= p->line_count; way++) {
        uint32_t at = way;
        for (; at && at != LOST && !p->lines[at - 1].looked_at; at = p->lines[at - 1].parent)
            p->lines[at - 1].looked_at = way;
        if (at && at != LOST && p->lines[at - 1].looked_at == way)
            p->lines[at - 1].parent = LOST;
    }
}

// The node of a ply on the way to the end of a line; false where the line is too short. Lines say
// where they leave another, not seldom by a ply before that one begins: a few such steps are taken,
// not any number, so that time stays linear.
static bool find_ply(dhtmlxq_parser *p, const dhtmlxq_line *line, uint32_t ply, uint32_t *node) {
    enum { MOST_STEPS = 64 };
    const record *r = p->r;
    *node = 0;
    if (ply == 0)
        return true;
    for (int steps = 0; line && steps < MOST_STEPS; steps++) {
        uint32_t first = line->count ? r->nodes[line->node].ply : line->ply;
        if (ply >= first) {
            *node = line->node + ply - first;
            return ply < first + line->count;
        }
        if (line->count && ply + 1 == first) {
            *node = r->nodes[line->node].parent;
            return true;
        }
        line = line == &p->main ? NULL : line_at(p, line->parent);
    }
    return false;
}

static bool play_variation(dhtmlxq_parser *p, size_t i, replay *game, fault *why) {
    dhtmlxq_line *line = &p->lines[i];
    const dhtmlxq_line *from = line_at(p, line->parent);
    uint32_t node;
    if (line->moves.len == 0)
        return true;
    if (!from || line->ply == 0 || p->r->node_count == 0 ||
        !find_ply(p, from, line->ply - 1, &node))
        return fault_set(why, "variation %u leaves line %u at ply %u, which is not there",
                         (unsigned)line->number, (unsigned)line->from, (unsigned)line->ply);
    replay_go(game, node);
    return play(line, game, why);
}

void dhtmlxq_read_words(text raw, buffer *words) {
    while (raw.len) {
        size_t end = text_find(raw, "||");
        buffer_add(words, (text){raw.at, end});
        if (end < raw.len)
            buffer_char(words, '\n');
        raw = text_skip(raw, end + 2);
    }
}

static bool set_comment(dhtmlxq_parser *p, const dhtmlxq_comment *c) {
    const dhtmlxq_line *line = line_at(p, find_line(p, c->number));
    uint32_t node = 0;
    bool is_start = c->number == 0 && c->ply == 0;
    if (c->words.len == 0)
        return true;
    if (!is_start && (!line || !p->r->node_count || !find_ply(p, line, c->ply, &node))) {
        record_drop(p->r, "the comment of ply %u of line %u is left out: there is no such move",
                    (unsigned)c->ply, (unsigned)c->number);
        return true;
    }
    if (record_comment(p->r, node)[0])
        record_drop(p->r, "a second comment of ply %u of line %u replaces the first",
                    (unsigned)c->ply, (unsigned)c->number);
    buffer words = {0};
    dhtmlxq_read_words(c->words, &words);
    bool good = !words.failed && record_set_comment(p->r, node, buffer_text(&words));
    buffer_free(&words);
    return good;
}

// The order to play the variations in: p->line_count + 1 numbers, from 1.
static uint32_t *order_lines(const dhtmlxq_parser *p) {
    tree_line *places = calloc(p->line_count + 1, sizeof *places);
    for (size_t i = 0; places && i < p->line_count; i++) {
        uint32_t parent = p->lines[i].parent;
        places[i + 1] = (tree_line){parent == LOST ? 0 : parent, p->lines[i].ply};
    }
    uint32_t *order = places ? tree_order_lines(places, p->line_count + 1) : NULL;
    free(places);
    return order;
}

static bool play_lines(dhtmlxq_parser *p, replay *game, uint32_t *line, fault *why) {
    *line = p->main.text_line;
    bool good = play(&p->main, game, why);
    if (p->line_count)
        qsort(p->lines, p->line_count, sizeof p->lines[0], by_number);
    find_parents(p);
    uint32_t *order = good ? order_lines(p) : NULL;
    for (size_t i = 1; good && order && i <= p->line_count; i++) {
        fault inner;
        if (play_variation(p, order[i] - 1, game, &inner))
            continue;
        good = !p->reader->is_strict;
        *line = p->lines[order[i] - 1].text_line;
        if (good)
            record_drop(p->r, "line %u: the rest of a variation is left out: %s", (unsigned)*line,
                        inner.line);
        else
            fault_set(why, "%s", inner.line);
    }
    if (good && !order)
        good = fault_set(why, "out of memory");
    free(order);
    for (size_t i = 0; good && i < p->comment_count; i++)
        good = set_comment(p, &p->comments[i]) || fault_set(why, "out of memory");
    return good;
}

static bool play_out(dhtmlxq_parser *p, uint32_t *line, fault *why) {
    replay game = {0};
    choose_main_line(p);
    if (p->binit.at)
        *line = p->binit_line;
    else if (p->has_moves)
        *line = p->main.text_line;
    if (p->binit.len == 0)
        record_read_field(p->r, "fen", p->r->fen, sizeof p->r->fen, p->fen);
    bool good = p->binit.len == 0 || set_up(p, why);
    good = good && replay_begin(&game, p->r, p->reader->all.len, why);
    if (good && !p->has_moves)
        good = fault_set(why, "a record without moves");
    good = good && play_lines(p, &game, line, why);
    if (good) {
        replay_go(&game, p->r->last);
        replay_settle(&game);
    }
    replay_end(&game);
    return good;
}

static record_status dhtmlxq_next(record_reader *reader, record *r, fault *why) {
    dhtmlxq_parser p = {.reader = reader, .r = r};
    bool is_fresh = reader->rest.len == reader->all.len;
    uint32_t line = reader->line;
    bool any = false;
    fault inner = {""};
    bool good = read_fields(&p, &any, &line, &inner);
    good = good && any && play_out(&p, &line, &inner);
    free(p.lines);
    free(p.comments);
    if (!any) // text behind the last game is skipped
        return is_fresh ? record_refuse(why, line, "no [DhtmlXQ] record in it") : RECORD_END;
    if (!good)
        return record_refuse(why, line, "%s", inner.line);
    return RECORD_OK;
}

static bool dhtmlxq_detect(text start) { return text_find(start, "[DhtmlXQ") < start.len; }

const format_row format_dhtmlxq = {
    .name = "dhtmlxq",
    .title = "DhtmlXQ",
    .type = "text/plain; charset=utf-8",
    .extension = "ubb",
    .game = &rules_xiangqi,
    .detect = dhtmlxq_detect,
    .holds = HOLDS_VARIATIONS | HOLDS_COMMENTS | HOLDS_TAGS | HOLDS_RESULT,
    .next = dhtmlxq_next,
    .write = dhtmlxq_write,
    .keeps = dhtmlxq_keeps,
};
