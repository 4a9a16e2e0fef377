// A line of moves a game: `[position] [startpos | fen F] [moves] MOVE... [RESULT]`. Move numbers
// are skipped, blank lines too. A rank of 10 makes the squares of a whole line a1 to i10.
#include "records/format.h"
#include "records/words.h"

static bool is_counter(text word) {
    int64_t n;
    return text_is(word, "-") || text_to_int(word, 0, 1000000, &n);
}

// Takes the FEN at the start of the line: board, side, then whatever looks like its counters.
static bool take_fen(text *line, record *r, fault *why) {
    text fen = text_next_word(line);
    for (int fields = 1; fields < 6; fields++) {
        text rest = *line, word = text_next_word(&rest);
        if (word.len == 0 || (fields > 1 && !is_counter(word)))
            break;
        fen.len = (size_t)(word.at + word.len - fen.at);
        *line = rest;
    }
    if (fen.len == 0 || fen.len >= sizeof r->fen)
        return fault_set(why, "%s is no FEN", fault_quote(fen).shown);
    record_set_field(r->fen, sizeof r->fen, fen);
    return true;
}

// A line that does not say where its game starts begins at `start`; then *says_start is false.
static bool read_head(text *line, text start, record *r, bool *says_start, fault *why) {
    text rest = *line, word = text_next_word(&rest);
    if (text_is(word, "position")) {
        *line = rest;
        word = text_next_word(&rest);
    }
    *says_start = text_is(word, "startpos") || text_is(word, "fen");
    if (text_is(word, "startpos")) {
        *line = rest;
    } else if (text_is(word, "fen")) {
        *line = rest;
        if (!take_fen(line, r, why))
            return false;
    } else {
        record_set_field(r->fen, sizeof r->fen, start);
    }
    rest = *line;
    if (text_is(text_next_word(&rest), "moves"))
        *line = rest;
    return true;
}

static bool read_moves(const record_reader *reader, text line, replay *p, fault *why) {
    char joined[WORDS_JOINED_SIZE];
    int how = reader->notation < 0 ? words_settle(p->r->game, line) : reader->notation;
    for (text word; (word = words_next_move(&line, joined)).len;) {
        if (result_of_word(word, &p->r->result)) {
            word = text_next_word(&line);
            return word.len == 0 || fault_set(why, "%s behind the result", fault_quote(word).shown);
        }
        if (!replay_text(p, how, word, why))
            return false;
    }
    return true;
}

static record_status moves_next(record_reader *reader, record *r, fault *why) {
    uint32_t number = 0;
    text line = {0};
    while (reader->rest.len && text_trim(line).len == 0)
        line = reader_line(reader, &number);
    if (text_trim(line).len == 0)
        return RECORD_END;
    if (!r->game)
        return record_refuse(why, number, "nothing says which game these moves are of");
    replay p = {0};
    fault inner;
    text whole = line;
    bool says_start = false;
    bool good = read_head(&line, reader->start, r, &says_start, &inner) &&
                replay_begin(&p, r, line.len, &inner) && read_moves(reader, line, &p, &inner);
    if (good && r->count == 0 && !says_start) // numbers or a result alone, say
        good = fault_set(&inner, "no move in %s", fault_quote(text_trim(whole)).shown);
    if (good)
        replay_settle(&p);
    else
        record_refuse(why, number, "%s", inner.line);
    replay_end(&p);
    return good ? RECORD_OK : RECORD_BAD;
}

static bool moves_write(const record *r, rules_notation notation, buffer *out, fault *why) {
    replay p;
    bool good = replay_show(&p, r, why);
    if (good && r->fen[0]) {
        char fen[RULES_FEN_SIZE];
        writer w = writer_on(fen, sizeof fen);
        rules_format_fen(p.state, &w);
        buffer_string(out, "fen ");
        buffer_string(out, fen);
        buffer_string(out, r->count ? " moves " : "");
    } else if (good && r->count == 0) {
        buffer_string(out, "startpos");
    }
    for (uint32_t n = record_main_node(r, 1); good && n; n = r->nodes[n].next) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        good = replay_write(&p, n, notation, &w, why);
        buffer_string(out, r->nodes[n].ply > 1 ? " " : "");
        buffer_string(out, word);
    }
    buffer_string(out, "\n");
    replay_end(&p);
    return good;
}

const format_row format_moves = {
    .name = "moves",
    .title = "lists of moves",
    .type = "text/plain; charset=utf-8",
    .extension = "moves",
    .next = moves_next,
    .write = moves_write,
};
