// The position line of UCI and UCCI, kept ready to send: `position startpos moves ...`. A game of n
// moves costs n short additions, not n lines built anew.
#include "dialect/host.h"

#include <stdlib.h>

bool dialect_clean_fen(const rules_game *game, const char *fen, writer *out) {
    // No moves are played in it, so the state needs no room behind the struct; 4 kB is ample.
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

static bool make_room(dialect_host *h, size_t more) {
    size_t needed = h->position_len + more;
    if (needed <= h->position_capacity)
        return true;
    size_t capacity = h->position_capacity ? h->position_capacity : 1024;
    while (capacity < needed)
        capacity *= 2;
    char *grown = realloc(h->position, capacity);
    if (!grown)
        return false;
    h->position = grown;
    h->position_capacity = capacity;
    return true;
}

// Adds to the line in front of its end.
static bool append(dialect_host *h, const char *what) {
    size_t n = strlen(what);
    if (!make_room(h, n + 1))
        return false;
    size_t at = h->position_len ? h->position_len - 1 : 0;
    memcpy(h->position + at, what, n);
    h->position[at + n] = '\n';
    h->position_len = at + n + 1;
    return true;
}

bool dialect_position_begin(dialect_host *h, const char *fen, writer *out) {
    (void)out; // the line goes out with dialect_write_go
    h->position_len = 0;
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
        h->position_moves = h->position_len - 1;
    }
    return append(h, word);
}

bool dialect_position_renumber(dialect_host *h) {
    if (!h->position_moves)
        return true;
    char *old = h->position;
    size_t capacity = 2 * h->position_len + 1; // "a9" becomes "a10"
    char *fresh = malloc(capacity);
    if (!fresh)
        return false;
    writer w = writer_on(fresh, capacity);
    write_text(&w, (text){old, h->position_moves});
    for (size_t i = h->position_moves; i < h->position_len; i++)
        if (old[i] >= '0' && old[i] <= '9')
            write_format(&w, "%d", old[i] - '0' + 1);
        else
            write_char(&w, old[i]);
    free(old);
    h->position = fresh;
    h->position_len = w.used;
    h->position_capacity = capacity;
    return true;
}
