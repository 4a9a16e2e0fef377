#include "match/events.h"

#include <inttypes.h>

// `{"event":"NAME"`
static void open_event(buffer *out, const char *name) {
    buffer_format(out, "{\"event\":\"%s\"", name);
}

static void close_event(buffer *out) { buffer_add(out, text_of("}\n")); }

void events_start(buffer *out, const char *game, const char *const *names, int count,
                  uint32_t games) {
    open_event(out, "start");
    match_write_string(out, "game", game);
    buffer_format(out, ",\"games\":%" PRIu32 ",\"engines\":[", games);
    for (int i = 0; i < count; i++) {
        buffer_add(out, text_of(i ? ",{\"number\":" : "{\"number\":"));
        buffer_format(out, "%d", i + 1);
        match_write_string(out, "name", names[i]);
        buffer_char(out, '}');
    }
    buffer_char(out, ']');
    close_event(out);
}

void events_begin(buffer *out, const match_game *g, const match_game_style *style) {
    open_event(out, "begin");
    buffer_format(out, ",\"number\":%" PRIu32 ",\"round\":%d,\"opening\":%" PRIu32,
                  g->pairing.index + 1, g->pairing.round + 1, g->pairing.opening + 1);
    match_write_string(out, "first", style->first);
    match_write_string(out, "second", style->second);
    if (g->fen[0])
        match_write_string(out, "fen", g->fen);
    close_event(out);
}

void events_move(buffer *out, uint32_t index, uint32_t ply, int side, const match_move *move,
                 bool times) {
    open_event(out, "move");
    buffer_format(out, ",\"number\":%" PRIu32 ",\"ply\":%" PRIu32 ",\"side\":%d,", index + 1, ply,
                  side);
    match_move_write(move, times, out);
    close_event(out);
}

void events_warning(buffer *out, uint32_t index, const char *engine, const char *words) {
    open_event(out, "warning");
    buffer_format(out, ",\"number\":%" PRIu32, index + 1);
    match_write_string(out, "engine", engine);
    match_write_string(out, "words", words);
    close_event(out);
}

void events_result(buffer *out, const match_game *g, const match_game_style *style) {
    open_event(out, "result");
    buffer_format(out, ",\"number\":%" PRIu32, g->pairing.index + 1);
    match_write_string(out, "first", style->first);
    match_write_string(out, "second", style->second);
    match_write_string(out, "result", rules_outcome_name(g->verdict.outcome));
    match_write_string(out, "reason", referee_reason_name(g->verdict.reason));
    match_write_string(out, "words", g->verdict.words);
    buffer_format(out, ",\"plies\":%" PRIu32, g->count);
    close_event(out);
}

void events_score(buffer *out, const match_tally *t, const char *const *names, const double *llr) {
    open_event(out, "score");
    buffer_format(out, ",\"games\":%" PRId64 ",\"engines\":[", t->games);
    for (int i = 0; i < t->engines; i++) {
        const match_account *a = &t->accounts[i];
        buffer_format(out, "%s{\"number\":%d", i ? "," : "", i + 1);
        match_write_string(out, "name", names[i]);
        buffer_format(out,
                      ",\"games\":%" PRId64 ",\"wins\":%" PRId64 ",\"draws\":%" PRId64
                      ",\"losses\":%" PRId64 "}",
                      a->games, a->wins, a->draws, a->losses);
    }
    buffer_char(out, ']');
    if (llr)
        buffer_format(out, ",\"llr\":%.4f", *llr);
    close_event(out);
}

void events_end(buffer *out, const char *how) {
    open_event(out, "end");
    match_write_string(out, "how", how);
    close_event(out);
}
