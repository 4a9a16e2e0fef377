#include "cli/games.h"
#include "cli/cli.h"
#include "cli/files.h"

#include <stdlib.h>

// Whose moves a list holds: of the game by whose rules its first line can be played, or NULL.
static const rules_game *game_of_moves(text bytes) {
    const rules_game *found = NULL;
    for (int i = 0; rules_nth(i) && !found; i++) {
        record_reader reader = record_read(bytes, RECORD_MOVES, rules_nth(i));
        record first;
        fault why;
        record_init(&first, rules_nth(i));
        if (record_next(&reader, &first, &why) == RECORD_OK)
            found = rules_nth(i);
        record_free(&first);
    }
    return found;
}

bool games_open(games *g, const char *path, const char *format, const rules_game *game) {
    fault why;
    record_format chosen;
    bool detect = !format || strcmp(format, "auto") == 0;
    if (!detect && !record_format_find(text_of(format), &chosen)) {
        complain("kraton: no record format %s (contest, pgn, dhtmlxq, json, moves)",
                 fault_quote(text_of(format)).shown);
        return false;
    }
    *g = (games){.label = file_label(path)};
    if (!file_read(path, &g->bytes, &why)) {
        complain("kraton: %s", why.line);
        return false;
    }
    const char *zero = g->bytes.len ? memchr(g->bytes.at, '\0', g->bytes.len) : NULL;
    if (zero) {
        complain("%s: not a record: byte %zu is 0, and that is no text", g->label,
                 (size_t)(zero - g->bytes.at) + 1);
        free((void *)g->bytes.at);
        return false;
    }
    if (detect)
        chosen = record_detect(g->bytes);
    if (!game && chosen == RECORD_MOVES)
        game = game_of_moves(g->bytes);
    g->reader = record_read(g->bytes, chosen, game);
    record_init(&g->game, game);
    return true;
}

// "line 12: why" of this file as "FILE:12: why", with a remark behind it.
static void complain_at(const games *g, const fault *why, const char *remark) {
    text line = text_of(why->line);
    const char *colon = text_starts(line, "line ") ? memchr(line.at, ':', line.len) : NULL;
    if (colon)
        complain("%s:%s%s", g->label, line.at + 5, remark);
    else
        complain("%s: %s%s", g->label, line.at, remark);
}

static void complain_of_held(const games *g) {
    for (unsigned i = 0; i < g->bad && i < GAMES_HELD; i++)
        complain_at(g, &g->held[i], "");
    if (g->bad > GAMES_HELD)
        complain("%s: and %u more games that cannot be read", g->label, g->bad - GAMES_HELD);
}

bool games_next(games *g) {
    while (g->good || g->bad < GAMES_GIVE_UP) {
        fault why = {0};
        record_status status = record_next(&g->reader, &g->game, &why);
        if (status == RECORD_END) {
            if (g->number == 0)
                complain("%s: no game in it", g->label);
            return false;
        }
        g->number++;
        if (status == RECORD_OK) {
            if (g->good++ == 0)
                complain_of_held(g);
            if (*why.line)
                complain("%s: game %u: %s", g->label, g->number, why.line);
            return true;
        }
        if (g->good)
            complain_at(g, &why, "");
        else if (g->bad < GAMES_HELD)
            g->held[g->bad] = why;
        g->bad++;
    }
    return false;
}

int games_close(games *g) {
    if (g->good == 0 && g->bad > GAMES_HELD) {
        char remark[64];
        writer w = writer_on(remark, sizeof remark);
        write_format(&w, " (and the next %u games are no better%s)", g->bad - 1,
                     g->bad == GAMES_GIVE_UP ? ": not read on" : "");
        complain_at(g, &g->held[0], remark);
    } else if (g->good == 0)
        complain_of_held(g);
    record_free(&g->game);
    free((void *)g->bytes.at);
    return g->good && !g->bad ? STATUS_OK : STATUS_BAD;
}
