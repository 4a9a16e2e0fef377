// PGN, read: tags, then moves in any notation with numbers, comments, variations, NAGs and a
// result, in one pass. docs/records.md has the grammar.
#include "records/pgn.h"

#include "base/encoding.h"
#include "base/vector.h"
#include "records/words.h"

#include <stdlib.h>

void pgn_refuse(pgn_parser *p, uint32_t line, const char *words) {
    if (!p->bad)
        record_refuse(p->why, line, "%s", words);
    p->bad = true;
}

// --- moves --------------------------------------------------------------------------------------

// Whether a variation was opened and has no move so far: the game stands before the move that the
// variation replaces.
static bool is_at_start(const pgn_parser *p) {
    return p->game.at == p->r->nodes[p->open[p->depth - 1]].parent;
}

// Reads the clock times out of a comment; what is left of it is written to `out`.
static void read_clocks(record_node *node, text comment, buffer *out) {
    while (comment.len) {
        size_t bracket = text_find(comment, "[%");
        buffer_add(out, (text){comment.at, bracket});
        comment = text_skip(comment, bracket);
        size_t end = text_find(comment, "]");
        text inside = text_skip((text){comment.at, end}, 2), name = text_next_word(&inside);
        int64_t *field = text_is(name, "clk")   ? &node->clock
                         : text_is(name, "emt") ? &node->used
                                                : NULL;
        if (field && end < comment.len && words_parse_duration(text_trim(inside), field)) {
            comment = text_skip(comment, end + 1);
        } else if (comment.len) {
            buffer_char(out, '[');
            comment = text_skip(comment, 1);
        }
    }
}

// Moving long comments again and again would take more than linear time, so that their sum is
// limited.
bool pgn_keep_comment(pgn_parser *p, text comment) {
    uint32_t at = p->game.at;
    buffer words = {0};
    if (p->r->comments.len / 8 > p->reader->all.len + 1024)
        return false;
    if (at && text_find(comment, "[%") < comment.len) {
        read_clocks(&p->r->nodes[at], comment, &words);
        comment = buffer_text(&words);
    }
    bool good = !words.failed && record_add_comment(p->r, at, comment);
    buffer_free(&words);
    return good;
}

static void read_result(pgn_parser *p, uint32_t line, rules_outcome result) {
    bool is_second = p->ended && p->r->result != RULES_ONGOING;
    p->ended = !p->bad; // behind a mistake only a tag is sure to start a game
    if (result == RULES_ONGOING || p->bad)
        return;
    if (is_second && result != p->r->result)
        record_drop(p->r, "line %u: a second result %s replaces %s", (unsigned)line,
                    result_word(result), result_word(p->r->result));
    else if (p->has_result && result != p->tagged)
        record_remark(p->r, "line %u: the game ends with %s, its tag says %s", (unsigned)line,
                      result_word(result), result_word(p->tagged));
    p->r->result = result;
}

// Programs made for chess write Che2 or Che3, ranks from 0 or from 1. The first move that can be
// played in one of the two only decides for the game; nearly always it is the first move.
static void settle_letters(pgn_parser *p, text word) {
    bool is_letters = word.len && ((word.at[0] >= 'A' && word.at[0] <= 'Z') || word.len < 4);
    if (p->notation >= 0 || !is_letters)
        return;
    rules_move move;
    fault why;
    bool fits[2];
    if (rules_parse_move(p->game.state, word, &move, &why))
        return;
    for (int i = 0; i < 2; i++)
        fits[i] = rules_parse_move_as(p->game.state, i ? NOTATION_LETTER1 : NOTATION_LETTER0, word,
                                      &move, &why);
    if (fits[0] || fits[1])
        p->notation = fits[0] ? NOTATION_LETTER0 : NOTATION_LETTER1;
}

// A move that cannot be played ends the game, or the variation that it stands in.
static void refuse_move(pgn_parser *p, uint32_t line, const char *words) {
    if (p->depth == 0 || p->reader->is_strict) {
        pgn_refuse(p, line, words);
        return;
    }
    p->skipped = p->depth;
    record_drop(p->r, "line %u: the rest of a variation is left out: %s", (unsigned)line, words);
}

// Plays a word that is one move.
static bool play_one(pgn_parser *p, text word, fault *why) {
    settle_letters(p, word);
    if (replay_text(&p->game, p->notation, word, why))
        return true;
    fault other; // only the very first move tells the side: a variation starts there too
    return p->r->node_count <= 1 && pgn_turn_side(p) &&
           replay_text(&p->game, p->notation, word, &other);
}

// Cuts the first move off moves that stand together without blanks: four characters, in ICCS five.
static text cut_move(text *word) {
    text move = {word->at, 0};
    bool has_hyphen = word->len > 2 && word->at[2] == '-' && words_is_square((text){word->at, 2});
    for (int i = 0; i < 4 + has_hyphen && move.len < word->len; i++) {
        int n = utf8_length(text_skip(*word, move.len));
        move.len += n > 0 ? (size_t)n : 1;
    }
    *word = pgn_strip_word(text_skip(*word, move.len));
    return move;
}

bool pgn_play(pgn_parser *p, text word, fault *why) {
    if (play_one(p, word, why))
        return true;
    text rest = word, move = cut_move(&rest);
    fault inner;
    if (rest.len == 0 || !play_one(p, move, &inner)) // the word as a whole is wrong
        return false;
    while (rest.len) {
        move = cut_move(&rest);
        if (!play_one(p, move, why))
            return false;
    }
    return true;
}

static void add_mark(pgn_parser *p, uint32_t line, int nag) {
    if (p->game.at == 0 || !record_add_mark(p->r, p->game.at, nag))
        record_drop(p->r, "line %u: the mark $%d is left out: %s", (unsigned)line, nag,
                    p->game.at ? "the move has four" : "it stands before the first move");
}

static void read_word(pgn_parser *p, uint32_t line, text word) {
    rules_outcome result;
    fault words;
    if (result_of_word(word, &result)) {
        if (p->depth == 0)
            read_result(p, line, result);
        else if (result != RULES_ONGOING && !p->bad && !p->skipped)
            record_drop(p->r, "line %u: the result %s of a variation is left out", (unsigned)line,
                        result_word(result));
        return;
    }
    word = pgn_strip_word(word);
    int nag = words_cut_marks(&word);
    if (p->bad || p->skipped)
        return;
    if (word.len && !pgn_play(p, word, &words))
        refuse_move(p, line, words.line);
    else if (word.len && !pgn_keep_comment(p, buffer_text(&p->comment)))
        pgn_refuse(p, line, "no room for the comments");
    else if (nag)
        add_mark(p, line, nag);
    if (word.len)
        buffer_clear(&p->comment);
}

// --- comments, marks and variations -------------------------------------------------------------

static void read_comment(pgn_parser *p, uint32_t line, text comment) {
    if (p->bad || p->skipped)
        return;
    bool is_ahead = p->depth && is_at_start(p);
    if (is_ahead) {
        buffer_add(&p->comment, comment);
        buffer_char(&p->comment, '\n');
    } else if (!pgn_keep_comment(p, comment)) {
        pgn_refuse(p, line, "no room for the comments");
    }
}

static void read_nag(pgn_parser *p, uint32_t line, text word) {
    int64_t nag;
    if (p->bad || p->skipped)
        return;
    if (text_to_int(text_skip(word, 1), 1, 255, &nag))
        add_mark(p, line, (int)nag);
    else
        record_drop(p->r, "line %u: the mark %s is left out: marks are $1 to $255", (unsigned)line,
                    fault_quote(word).shown);
}

static void open_variation(pgn_parser *p, uint32_t line) {
    uint32_t *grown = vector_reserve(p->open, &p->open_capacity, p->depth + 1, sizeof *grown);
    if (!grown) {
        pgn_refuse(p, line, "out of memory");
        return;
    }
    p->open = grown;
    p->open[p->depth++] = p->game.at;
    if (p->bad || p->skipped)
        return;
    if (p->game.at == 0)
        refuse_move(p, line, "it stands before the first move");
    else
        replay_go(&p->game, p->r->nodes[p->game.at].parent);
}

static void close_variation(pgn_parser *p, uint32_t line) {
    if (p->depth == 0) {
        pgn_refuse(p, line, "a variation ends that never began");
        return;
    }
    if (p->skipped == p->depth)
        p->skipped = 0;
    p->depth--;
    if (p->bad || p->skipped)
        return;
    replay_go(&p->game, p->open[p->depth]);
    if (p->comment.len && !pgn_keep_comment(p, buffer_text(&p->comment))) // words without a move
        pgn_refuse(p, line, "no room for the comments");
    buffer_clear(&p->comment);
}

// One piece of the movetext; the rest starts with something that is no blank.
static void read_token(pgn_parser *p) {
    record_reader *reader = p->reader;
    uint32_t line = reader->line;
    char c = reader->rest.at[0];
    text start = text_skip(reader->rest, 1);
    switch (c) {
    case '{':
        if (pgn_skip_braces(reader))
            read_comment(p, line, (text){start.at, (size_t)(reader->rest.at - start.at) - 1});
        else
            pgn_refuse(p, line, "a comment without end");
        break;
    case ';':
        pgn_skip_past(reader, '\n');
        read_comment(p, line, (text){start.at, (size_t)(reader->rest.at - start.at)});
        break;
    case '(':
        open_variation(p, line);
        pgn_advance(reader, 1);
        break;
    case ')':
        close_variation(p, line);
        pgn_advance(reader, 1);
        break;
    case '$':
        read_nag(p, line, pgn_take_word(reader));
        break;
    case '}':
        pgn_refuse(p, line, "a comment ends that never began");
        pgn_take_word(reader);
        break;
    case '%':
        if (pgn_at_line_start(reader)) {
            pgn_skip_past(reader, '\n');
            break;
        }
        // fallthrough
    default:
        read_word(p, line, pgn_take_word(reader));
    }
}

// --- games --------------------------------------------------------------------------------------

// Whether nothing else stands behind a comment on its line.
static bool ends_line(const record_reader *reader) {
    size_t end = pgn_skip_blanks(reader->rest, 0);
    return end == reader->rest.len || strchr("\r\n", reader->rest.at[end]);
}

// Takes the comments behind the result: on its line, or on lines of their own. Braces that are not
// closed are text.
static void read_last_words(pgn_parser *p) {
    for (;;) {
        record_reader ahead = *p->reader;
        for (size_t blank; (blank = pgn_blank_length(&ahead));)
            pgn_advance(&ahead, blank);
        record_reader behind = ahead;
        bool is_comment = text_starts(ahead.rest, ";") ||
                          (text_starts(ahead.rest, "{") && pgn_skip_comment(&behind) &&
                           (ahead.line == p->reader->line || ends_line(&behind)));
        p->reader->plain = behind.plain;
        if (!is_comment)
            return;
        *p->reader = ahead;
        read_token(p);
    }
}

// Whether a word is a move that can be played here, or starts with one.
static bool can_play(const pgn_parser *p, text word) {
    rules_move move;
    fault why;
    if (word.len == 0 || words_parse_move(p->game.state, p->notation, word, &move, &why))
        return word.len && rules_is_legal(p->game.state, move);
    text first = cut_move(&word);
    return word.len && words_parse_move(p->game.state, p->notation, first, &move, &why) &&
           rules_is_legal(p->game.state, move);
}

// Whether a variation of the last move starts here.
static bool opens_variation(pgn_parser *p, record_reader ahead) {
    uint32_t at = p->game.at;
    int64_t number;
    pgn_advance(&ahead, 1);
    for (size_t blank; (blank = pgn_blank_length(&ahead));)
        pgn_advance(&ahead, blank);
    if (at == 0 || ahead.rest.len == 0)
        return false;
    replay_go(&p->game, p->r->nodes[at].parent);
    bool opens = can_play(p, pgn_look_at_move(&ahead, &number));
    replay_go(&p->game, at);
    return opens;
}

// Whether the game goes on behind its result: with a variation of the last move, a result once
// more, or with moves that can be played. `1.` on a line of its own starts another game.
static bool goes_on(pgn_parser *p) {
    read_last_words(p);
    record_reader ahead = *p->reader;
    bool is_fresh = pgn_at_line_start(&ahead);
    for (size_t blank; (blank = pgn_blank_length(&ahead)); pgn_advance(&ahead, blank))
        is_fresh |= ahead.rest.at[0] == '\n' || ahead.rest.at[0] == '\r';
    if (p->bad || ahead.rest.len == 0)
        return false;
    record_reader behind = ahead;
    rules_outcome again;
    int64_t number;
    bool is_more = text_starts(ahead.rest, "(") ? opens_variation(p, ahead)
                                                : result_of_word(pgn_take_word(&behind), &again);
    if (!is_more) {
        text word = pgn_look_at_move(&ahead, &number);
        bool is_other =
            number == 1 && is_fresh && (p->r->count != 1 || replay_can_open(&ahead, word));
        is_more = !is_other && can_play(p, word);
        if (is_more)
            record_drop(p->r, "line %u: the game goes on behind its result", (unsigned)ahead.line);
        p->ended = !is_more;
    }
    if (is_more)
        *p->reader = ahead;
    return is_more;
}

static record_status finish(pgn_parser *p) {
    text skipped = p->ended ? pgn_skip_text(p->reader) : (text){0};
    if (skipped.len)
        record_drop(p->r, "text behind the result is left out: %s", fault_quote(skipped).shown);
    if (!p->in_moves)
        pgn_end_tags(p);
    if (p->depth)
        pgn_refuse(p, p->reader->line, "a variation without end");
    if (!p->bad) {
        replay_go(&p->game, p->r->last);
        replay_settle(&p->game);
    }
    replay_end(&p->game);
    free(p->open);
    buffer_free(&p->comment);
    return p->bad ? RECORD_BAD : RECORD_OK;
}

static record_status pgn_next(record_reader *reader, record *r, fault *why) {
    pgn_parser p = {.reader = reader, .r = r, .why = why, .notation = reader->notation};
    bool any = false;
    while (reader->rest.len) {
        if (p.ended && p.depth == 0 && !goes_on(&p))
            break;
        size_t blank = pgn_blank_length(reader);
        if (blank) {
            pgn_advance(reader, blank);
            continue;
        }
        bool bracket = reader->rest.at[0] == '[';
        if (p.in_moves && pgn_at_line_start(reader) && pgn_starts_tag(reader->rest))
            break; // the next game: this one lacks its result
        if (any && bracket && !p.in_moves && pgn_starts_tags(reader) && pgn_repeats_tag(&p))
            break; // the next game: this one has nothing but tags
        if (!any)
            p.start = reader->line;
        any = true;
        if (bracket && !p.in_moves) {
            pgn_read_tag(&p);
        } else if (!p.in_moves && pgn_starts_drawing(reader)) {
            pgn_end_tags(&p);
            pgn_read_drawing(&p);
        } else {
            if (!p.in_moves)
                pgn_end_tags(&p);
            read_token(&p);
        }
    }
    return any ? finish(&p) : RECORD_END;
}

// A tag, the number of a move, or a comment. JSON has a string behind its brace.
static bool pgn_detect(text start) {
    size_t digits = 0;
    if (text_starts(start, "{")) {
        text inside = text_trim(text_skip(start, 1));
        return inside.len && inside.at[0] != '"' && inside.at[0] != '}';
    }
    while (digits < start.len && start.at[digits] >= '0' && start.at[digits] <= '9')
        digits++;
    bool is_numbered = digits && digits < 4 && text_starts(text_skip(start, digits), ".");
    return pgn_starts_tag(start) || is_numbered;
}

static bool pgn_says_game(text bytes) { return text_find(bytes, "[Game ") < bytes.len; }

const format_row format_pgn = {
    .name = "pgn",
    .title = "PGN",
    .type = "application/x-chess-pgn",
    .extension = "pgn",
    .holds = HOLDS_ALL,
    .detect = pgn_detect,
    .says_game = pgn_says_game,
    .next = pgn_next,
    .write = pgn_write,
};
