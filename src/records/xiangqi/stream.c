#include "records/xiangqi/stream.h"

#include "base/vector.h"

#include <stdlib.h>

// --- boards -------------------------------------------------------------------------------------

const char piece_letters[PIECES + 1] = "RNBAKABNRCCPPPPPrnbakabnrccppppp";

void pieces_find(const rules_state *state, int points[PIECES]) {
    bool is_used[POINTS] = {false};
    for (int i = 0; i < PIECES; i++) {
        int point = 0;
        while (point < POINTS &&
               (is_used[point] || rules_piece_at(state, point) != piece_letters[i]))
            point++;
        points[i] = point < POINTS ? point : -1;
        if (point < POINTS)
            is_used[point] = true;
    }
}

void pieces_write_fen(const char board[POINTS], bool is_black, writer *out) {
    for (int rank = 9; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 9; file++) {
            char piece = board[rank * 9 + file];
            empty += !piece;
            if (piece && empty)
                write_char(out, (char)('0' + empty));
            if (piece)
                write_char(out, piece);
            if (piece)
                empty = 0;
        }
        if (empty)
            write_char(out, (char)('0' + empty));
        write_char(out, rank ? '/' : ' ');
    }
    write_char(out, is_black ? 'b' : 'w');
}

// --- streams ------------------------------------------------------------------------------------

enum { HEADING = UINT32_MAX, LOST = UINT32_MAX }; // instead of a node

static bool add_words(stream *s, text raw, uint32_t node) {
    bool is_wide = s->coding == ENCODING_UTF16LE;
    struct stream_comment *grown =
        vector_reserve(s->comments, &s->comment_capacity, s->comment_count + 1, sizeof *grown);
    if (!grown)
        return false;
    s->comments = grown;
    s->comments[s->comment_count++].node = node;
    for (size_t i = 0; i + is_wide < raw.len; i += 1u + is_wide) {
        if (!raw.at[i] && (!is_wide || !raw.at[i + 1]))
            break;
        buffer_add(&s->words, (text){raw.at + i, 1u + is_wide});
    }
    buffer_add(&s->words, (text){"\0", 1u + is_wide});
    return !s->words.failed;
}

bool stream_add_words(stream *s, text raw) { return add_words(s, raw, HEADING); }

// The side to move is the one whose piece moves first.
static bool start(stream *s, const stream_move *first, fault *why) {
    if (s->is_started)
        return true;
    s->is_started = true;
    char piece = first ? s->board[first->from] : '\0';
    if (piece)
        s->is_black = piece >= 'a';
    writer w = writer_on(s->r->fen, sizeof s->r->fen);
    pieces_write_fen(s->board, s->is_black, &w);
    return replay_begin(&s->game, s->r, s->reader->all.len, why);
}

static bool add_comment(stream *s, uint32_t node, text comment, fault *why) {
    return node == LOST || comment.len == 0 || add_words(s, comment, node) ||
           fault_set(why, "out of memory");
}

bool stream_set_start(stream *s, text comment, bool has_next, fault *why) {
    s->is_over = !has_next;
    return add_comment(s, 0, comment, why);
}

static bool remember(stream *s, uint32_t node) {
    uint32_t *grown =
        vector_reserve(s->pending, &s->pending_capacity, s->pending_count + 1, sizeof *grown);
    if (grown) {
        s->pending = grown;
        s->pending[s->pending_count++] = node;
    }
    return grown != NULL;
}

static bool play_here(stream *s, const stream_move *m, fault *why) {
    rules_move move = move_of(m->from, m->to);
    replay_go(&s->game, s->at);
    char word[5];
    writer w = writer_on(word, sizeof word);
    write_format(&w, "%c%d%c%d", 'a' + m->from % 9, m->from / 9, 'a' + m->to % 9, m->to / 9);
    if (rules_is_legal(s->game.state, move))
        return replay_move(&s->game, move, why);
    return replay_text(&s->game, NOTATION_NATIVE, text_of(word), why);
}

bool stream_play(stream *s, const stream_move *m, fault *why) {
    uint32_t before = s->at, node = LOST;
    fault inner;
    if (!start(s, m, why))
        return false;
    if (before != LOST && play_here(s, m, &inner)) {
        node = s->game.at;
    } else if (before != LOST) {
        if (s->reader->is_strict || before == s->r->last)
            return fault_set(why, "%s", inner.line);
        record_drop(s->r, "the rest of a variation is left out: %s", inner.line);
    }
    if (!add_comment(s, node, m->comment, why))
        return false;
    if (m->has_other && m->has_next && !remember(s, before))
        return fault_set(why, "out of memory");
    if (m->has_next)
        s->at = node;
    else if (!m->has_other && s->pending_count)
        s->at = s->pending[--s->pending_count];
    else
        s->is_over = !m->has_other;
    return true;
}

// Old files are in GB18030 or Big5. Short texts in GB18030 may look like UTF-8.
static encoding find_encoding(const stream *s) {
    enum { EVIDENCE = 24 };
    text words = buffer_text(&s->words);
    if (s->coding == ENCODING_UTF16LE)
        return s->coding;
    size_t wide = 0;
    for (size_t i = 0; i < words.len && wide < EVIDENCE; i++)
        wide += (unsigned char)words.at[i] >= 0x80;
    buffer plain = {0}; // zero bytes would look like UTF-16
    for (size_t i = 0; i < words.len && i < 16384; i++)
        buffer_char(&plain, words.at[i] ? words.at[i] : '\n');
    encoding e = plain.len ? encoding_detect(buffer_text(&plain)) : ENCODING_GB18030;
    buffer_free(&plain);
    bool is_sure = e == ENCODING_BIG5 || (e == ENCODING_UTF8 && wide >= EVIDENCE);
    return is_sure ? e : ENCODING_GB18030;
}

bool stream_end(stream *s, void (*take)(record *r, int heading, text words), fault *why) {
    buffer utf8 = {0};
    size_t bad = 0;
    if (!start(s, NULL, why))
        return false;
    bool good = encoding_to_utf8(find_encoding(s), buffer_text(&s->words), &utf8, &bad) ||
                fault_set(why, "out of memory");
    text rest = buffer_text(&utf8);
    int heading = 0;
    for (size_t i = 0; good && i < s->comment_count; i++) {
        const char *end = rest.len ? memchr(rest.at, '\0', rest.len) : NULL;
        text words = {rest.at, end ? (size_t)(end - rest.at) : rest.len};
        if (s->comments[i].node == HEADING)
            take(s->r, heading++, text_trim(words));
        else if (!record_add_comment(s->r, s->comments[i].node, words))
            good = fault_set(why, "out of memory");
        rest = text_skip(rest, words.len + 1);
    }
    buffer_free(&utf8);
    if (good) {
        record_tell_damage(s->r, bad);
        replay_go(&s->game, s->r->last);
        replay_settle(&s->game);
    }
    return good;
}

void stream_set_result(stream *s, unsigned number) {
    static const rules_outcome results[] = {RULES_ONGOING, RULES_FIRST_WINS, RULES_SECOND_WINS,
                                            RULES_DRAW};
    if (number < sizeof results / sizeof results[0])
        s->r->result = results[number];
    else
        record_remark(s->r, "no result has the number %u", number);
}

void stream_free(stream *s) {
    replay_end(&s->game);
    free(s->pending);
    free(s->comments);
    buffer_free(&s->words);
}

uint32_t stream_next_node(const record *r, uint32_t node) {
    if (r->node_count == 0)
        return 0;
    if (r->nodes[node].next)
        return r->nodes[node].next;
    while (node && !r->nodes[node].other)
        node = r->nodes[node].parent;
    return node ? r->nodes[node].other : 0;
}
