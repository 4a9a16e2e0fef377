// What several protocols share: events, the lines that UCI and UCCI have in common, and their
// position line.
#include "dialect/manager/protocol.h"

dialect_event dialect_event_of(dialect_event_kind kind, text about) {
    return (dialect_event){
        .kind = kind, .text = about, .info = {.nodes = -1, .time_ms = -1, .pv = {"", 0}}};
}

dialect_event dialect_malformed(const char *why) {
    return dialect_event_of(EVENT_MALFORMED, text_of(why));
}

dialect_event dialect_note_option(dialect_host *h, text name) {
    if (h->on_option)
        h->on_option(h->option_context, name);
    return dialect_event_of(EVENT_OPTION, name);
}

dialect_event dialect_note_name(dialect_host *h, text name) {
    writer w = writer_on(h->name, sizeof h->name);
    for (size_t i = 0; i < name.len; i++)
        write_char(&w, (unsigned char)name.at[i] < 0x20 ? '?' : name.at[i]);
    return dialect_event_of(EVENT_NAME, name);
}

void dialect_note_squares(dialect_host *h, text words) {
    if (h->notation == NOTATION_UCI0 && !h->notation_is_fixed &&
        dialect_has_rank_ten(h->game, words) && dialect_position_renumber(h))
        h->notation = NOTATION_UCI1;
}

// --- info ---------------------------------------------------------------------------------------

static bool read_number(text *rest, int64_t low, int64_t high, int64_t *value) {
    return text_to_int(text_next_word(rest), low, high, value);
}

static bool read_score(text *rest, dialect_info *info) {
    int64_t value;
    text ahead = *rest, word = text_next_word(&ahead);
    info->is_mate = text_is(word, "mate");
    if (info->is_mate || text_is(word, "cp"))
        *rest = ahead;
    if (!read_number(rest, -1000000000, 1000000000, &value))
        return false;
    info->score = (int32_t)value;
    info->has_score = true;
    return true;
}

typedef struct {
    const char *word;
    int64_t high;
} number_field;

// Reads the number behind one of the words this program cares for. False where it is none.
static bool read_field(text word, text *rest, dialect_info *info) {
    static const number_field fields[] = {
        {"depth", 1000000},  {"seldepth", 1000000}, {"nodes", INT64_MAX},
        {"time", INT64_MAX}, {"multipv", 1000000},
    };
    for (int i = 0; i < 5; i++) {
        int64_t value;
        if (!text_is(word, fields[i].word))
            continue;
        if (!read_number(rest, 0, fields[i].high, &value))
            return false;
        switch (i) {
        case 0:
            info->depth = (int32_t)value;
            break;
        case 1:
            info->seldepth = (int32_t)value;
            break;
        case 2:
            info->nodes = value;
            break;
        case 3:
            info->time_ms = value;
            break;
        default:
            info->variation = (int32_t)value;
            break;
        }
    }
    return true;
}

dialect_event dialect_read_info(dialect_host *h, text rest) {
    dialect_event e = dialect_event_of(EVENT_INFO, (text){rest.at, 0});
    for (text word = text_next_word(&rest); word.len; word = text_next_word(&rest)) {
        if (text_is(word, "string")) { // words for people up to the end of the line
            e.text = text_trim(rest);
            break;
        }
        if (text_is(word, "pv")) {
            e.info.pv = text_trim(rest);
            dialect_note_squares(h, e.info.pv);
            break;
        }
        if (text_is(word, "lowerbound") || text_is(word, "upperbound")) {
            e.info.is_bound = true;
        } else if (text_is(word, "score")) {
            if (!read_score(&rest, &e.info))
                return dialect_malformed("info: the score is no number");
        } else if (!read_field(word, &rest, &e.info)) {
            return dialect_malformed("info: a value is no number");
        }
    }
    const dialect_info *info = &e.info;
    bool says_much = info->has_score || info->depth || info->nodes >= 0 || info->time_ms >= 0;
    bool is_extra = info->variation > 1 && !h->wants_variations;
    if (is_extra || (!says_much && info->pv.len == 0)) // a second variation, or no more than words
        e.kind = e.text.len ? EVENT_WORDS : EVENT_NONE;
    return e;
}

// --- bestmove -----------------------------------------------------------------------------------

dialect_event dialect_read_bestmove(dialect_host *h, text rest) {
    static const char *const none[] = {"(none)", "none", "0000", "null", "NULL"};
    text move = text_next_word(&rest);
    for (int i = 0; i < 5; i++)
        if (text_is(move, none[i]))
            return dialect_event_of(EVENT_NO_MOVE, move);
    dialect_note_squares(h, move);
    dialect_event e = dialect_event_of(EVENT_MOVE, move);
    for (text word = text_next_word(&rest); word.len; word = text_next_word(&rest)) {
        if (text_is(word, "ponder"))
            e.ponder = text_next_word(&rest);
        e.draw_offer |= text_is(word, "draw");
        e.resigns |= text_is(word, "resign");
    }
    return e;
}

// --- the lines both have ------------------------------------------------------------------------

dialect_event dialect_read_shared(dialect_host *h, const char *hello, text line) {
    text rest = line, word = text_next_word(&rest);
    if (text_is(word, "info"))
        return dialect_read_info(h, rest);
    if (text_is(word, "bestmove"))
        return dialect_read_bestmove(h, rest);
    if (text_is(word, "readyok"))
        return dialect_event_of(EVENT_READY, word);
    if (text_is(word, hello))
        return dialect_event_of(EVENT_HELLO, word);
    if (text_is(word, "id") && text_is(text_next_word(&rest), "name"))
        return dialect_note_name(h, text_trim(rest));
    return dialect_event_of(EVENT_NONE, line);
}

// --- the position line --------------------------------------------------------------------------

// `position startpos moves ...` is kept ready to send. A game of n moves costs n short additions
// instead of n whole lines.

bool dialect_clean_fen(const rules_game *game, const char *fen, writer *out) {
    // No moves are played in this state, so it needs no room for them.
    _Alignas(16) char memory[4096];
    rules_set set = rules_default_set(game);
    if (rules_state_size(0) > sizeof memory)
        return false;
    rules_state *s = rules_state_new(memory, game, &set, 0);
    if (!rules_set_fen(s, text_of(fen), NULL))
        return false;
    rules_format_fen(s, out);
    return true;
}

// Adds to the line in front of its end.
static bool append(dialect_host *h, const char *what) {
    buffer *line = &h->position;
    size_t n = strlen(what);
    if (!buffer_reserve(line, n + 1))
        return false;
    line->len -= line->len > 0; // the end of the line
    buffer_add(line, (text){what, n});
    buffer_char(line, '\n');
    return true;
}

bool dialect_position_begin(dialect_host *h, const char *fen, writer *out) {
    (void)out; // the line goes out with dialect_write_go
    buffer_clear(&h->position);
    h->position_moves = 0;
    if (!fen)
        return append(h, "position startpos");
    char clean[RULES_FEN_SIZE];
    writer w = writer_on(clean, sizeof clean);
    return dialect_clean_fen(h->game, fen, &w) && append(h, "position fen ") && append(h, clean);
}

bool dialect_position_played(dialect_host *h, const rules_state *before, rules_move move, bool own,
                             writer *out) {
    (void)own, (void)out; // the line names the moves of both sides
    char word[RULES_MOVE_SIZE];
    writer w = writer_on(word, sizeof word);
    write_char(&w, ' ');
    rules_format_move(before, move, h->notation, &w);
    if (!h->position_moves) {
        if (!append(h, " moves"))
            return false;
        h->position_moves = h->position.len - 1;
    }
    return append(h, word);
}

bool dialect_position_renumber(dialect_host *h) {
    if (!h->position_moves)
        return true;
    text old = buffer_text(&h->position);
    buffer fresh = {0};
    buffer_add(&fresh, (text){old.at, h->position_moves});
    for (size_t i = h->position_moves; i < old.len; i++)
        if (old.at[i] >= '0' && old.at[i] <= '9')
            buffer_format(&fresh, "%d", old.at[i] - '0' + 1); // "a9" becomes "a10"
        else
            buffer_char(&fresh, old.at[i]);
    if (fresh.failed) {
        buffer_free(&fresh);
        return false;
    }
    buffer_free(&h->position);
    h->position = fresh;
    return true;
}
