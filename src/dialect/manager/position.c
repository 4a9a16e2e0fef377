// The position line of UCI and UCCI, kept ready to send: `position startpos moves ...`. A game of n
// moves costs n short additions, not n lines built anew.
#include "dialect/manager/protocol.h"

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
