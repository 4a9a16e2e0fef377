#include "cli/games.h"

#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "os/file.h"

#include <stdlib.h>
#include <time.h>

// The game by whose rules the first line of a list of moves is legal, or NULL.
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
        record_close(&reader);
    }
    return found;
}

// Complains that there is no such format, and suggests one.
static void complain_format(const char *name, bool is_written) {
    char known[RECORD_NAMES_SIZE];
    writer names = writer_on(known, sizeof known);
    suggestion near = suggest_for(text_of(name));
    record_write_format_names(&names, is_written);
    for (int i = 0; i < RECORD_FORMATS; i++)
        suggest_offer(&near, record_format_name((record_format)i));
    complain("kraton: no record format %s (%s)%s", fault_quote(text_of(name)).shown, known,
             suggest_hint(&near).shown);
}

bool games_know_format(const char *name) {
    record_format found;
    if (!name || strcmp(name, "auto") == 0 || record_format_find(text_of(name), &found))
        return true;
    complain_format(name, false);
    return false;
}

bool games_find_written(const char *name, record_format *format) {
    if (record_format_find(text_of(name), format))
        return true;
    complain_format(name, true);
    return false;
}

// Whether a file of a folder or an archive is to be left out: nothing says that it is a record.
static bool is_foreign(const games *g, record_format format, const rules_game *game) {
    return collection_is_many(g->source) && !g->format && format == RECORD_MOVES &&
           (!game || !game_of_moves(g->bytes)) && !record_find_unread(g->bytes);
}

// The format of a file of a folder or an archive. One that looks like nothing is taken by its name,
// so that a damaged record is refused rather than skipped as no record at all.
static record_format format_of(const games *g) {
    record_format format;
    if (g->format && record_format_find(text_of(g->format), &format))
        return format;
    format = record_detect(g->bytes);
    if (format == RECORD_MOVES && collection_is_many(g->source) && !record_find_unread(g->bytes))
        record_format_of_name(g->label, &format);
    return format;
}

// Starts reading the next file; false at the end.
static bool next_file(games *g) {
    record_reader before = g->reader;
    fault why;
    for (;;) {
        if (!collection_next(g->source, &g->label, &g->bytes, &why)) {
            if (!why.line[0])
                return false;
            complain("kraton: %s", why.line);
            g->bad++;
            continue;
        }
        record_format format = format_of(g);
        const rules_game *game = g->rule;
        if (!game && format == RECORD_MOVES)
            game = game_of_moves(g->bytes);
        if (is_foreign(g, format, game))
            continue;
        g->reader = record_read(g->bytes, format, game);
        g->reader.start = before.start;
        g->reader.is_strict = before.is_strict;
        g->reader.notation = before.notation;
        g->number = g->file_good = g->file_bad = 0;
        return true;
    }
}

bool games_open(games *g, const char *path, const char *format, const rules_game *game) {
    fault why;
    if (!games_know_format(format))
        return false;
    bool detect = !format || strcmp(format, "auto") == 0;
    *g = (games){.format = detect ? NULL : format, .rule = game, .label = file_label(path)};
    g->reader.notation = -1;
    g->source = collection_open(path, &why);
    if (!g->source) {
        complain("kraton: %s", why.line);
        return false;
    }
    record_init(&g->game, game);
    next_file(g); // games_next complains where there is none
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
    for (unsigned i = 0; i < g->file_bad && i < GAMES_HELD; i++)
        complain_at(g, &g->held[i], "");
}

static void tell_likewise(games *g) {
    if (g->likewise)
        complain("%s: the same of the next %u game%s", g->label, g->likewise,
                 g->likewise > 1 ? "s" : "");
    g->likewise = 0;
}

// Prints what the reader remarks on the game at hand.
static void tell_remarks(games *g) {
    text remarks = buffer_text(&g->game.remarks);
    if (remarks.len && text_equal(remarks, buffer_text(&g->told))) {
        g->likewise++;
        return;
    }
    tell_likewise(g);
    buffer_clear(&g->told);
    if (remarks.len && g->remarked++ >= GAMES_HELD)
        return;
    buffer_add(&g->told, remarks);
    while (remarks.len) {
        text line = text_next_line(&remarks);
        complain("%s: game %u: %.*s", g->label, g->number, (int)line.len, line.at);
    }
    if (g->game.remark_count > RECORD_REMARKS)
        complain("%s: game %u: and %u more remarks", g->label, g->number,
                 g->game.remark_count - RECORD_REMARKS);
}

// Ends a file: complaints that were held back are due where it had no good game.
static void end_file(games *g) {
    if (g->file_good == 0 && g->file_bad > GAMES_HELD) {
        char remark[64];
        writer w = writer_on(remark, sizeof remark);
        write_format(&w, " (and the next %u games are no better%s)", g->file_bad - 1,
                     g->file_bad == GAMES_GIVE_UP ? ": not read on" : "");
        complain_at(g, &g->held[0], remark);
    } else if (g->file_good == 0) {
        complain_of_held(g);
    } else if (g->file_bad > GAMES_HELD) {
        complain("%s: and %u more games that cannot be read", g->label, g->file_bad - GAMES_HELD);
    }
    g->file_bad = 0;
    tell_likewise(g);
    if (g->remarked > GAMES_HELD)
        complain("%s: and remarks on %u more games", g->label, g->remarked - GAMES_HELD);
    g->remarked = 0;
    buffer_free(&g->told);
    record_close(&g->reader);
}

// The next game of the file that can be read.
static bool next_game(games *g) {
    while (g->file_good || g->file_bad < GAMES_GIVE_UP) {
        fault why = {0};
        record_status status = record_next(&g->reader, &g->game, &why);
        if (status == RECORD_END) {
            if (g->number == 0) {
                complain("%s: no game in it", g->label);
                g->is_empty = true;
            }
            return false;
        }
        g->number++;
        if (status == RECORD_OK) {
            record_read_file_name(&g->game, text_of(os_path_name(g->label)));
            g->good++;
            if (g->file_good++ == 0)
                complain_of_held(g);
            tell_remarks(g);
            return true;
        }
        if (g->file_bad < GAMES_HELD && g->file_good)
            complain_at(g, &why, "");
        else if (g->file_bad < GAMES_HELD)
            g->held[g->file_bad] = why;
        g->bad++;
        g->file_bad++;
    }
    return false;
}

bool games_next(games *g) {
    while (!next_game(g)) {
        if (collection_done(g->source) == collection_count(g->source))
            return false;
        end_file(g);
        if (!next_file(g))
            return false;
    }
    return true;
}

int games_close(games *g) {
    end_file(g);
    record_free(&g->game);
    collection_close(g->source);
    return g->good && !g->bad && !g->is_empty ? STATUS_OK : STATUS_BAD;
}

bool games_flatten(const char *path, const rules_game *game, bool *is_many, text *bytes,
                   fault *why) {
    collection *c = collection_open(path, why);
    *is_many = c && collection_is_many(c);
    bool is_there = c != NULL, is_empty = *is_many && collection_count(c) == 0;
    collection_close(c);
    if (is_empty)
        return fault_set(why, "%s: no game in it", path);
    if (!*is_many)
        return is_there;
    games g;
    buffer out = {0};
    bool good = games_open(&g, path, NULL, game) || fault_set(why, "%s: cannot be read", path);
    while (good && games_next(&g))
        good = record_write(&g.game, RECORD_JSON, &out, why);
    if (g.source)
        games_close(&g);
    good = good && (!out.failed || fault_set(why, "out of memory"));
    *bytes = buffer_text(&out);
    return good;
}

// --- from arguments ------------------------------------------------------------------------------

static void join_arguments(int argc, char **argv, buffer *line) {
    if (argc && strchr(argv[0], '/'))
        buffer_add(line, text_of("fen "));
    for (int i = 0; i < argc; i++) {
        buffer_add(line, text_of(argv[i]));
        buffer_add(line, text_of(" "));
    }
}

static rules_state *game_of_record(const record *r) {
    fault why;
    rules_state *s = new_game(r->game, NULL, r->fen[0] ? r->fen : NULL);
    for (uint32_t i = 0; s && i < r->count; i++)
        if (!rules_play(s, r->moves[i], &why)) {
            complain("kraton: %s", why.line);
            free(s);
            return NULL;
        }
    return s;
}

rules_state *game_of_arguments(const rules_game *game, int argc, char **argv) {
    if (argc == 0)
        return new_game(game, NULL, NULL);
    buffer line = {0};
    join_arguments(argc, argv, &line);
    if (line.failed) {
        complain("kraton: out of memory");
        return NULL;
    }
    record_reader reader = record_read((text){line.bytes, line.len}, RECORD_MOVES, game);
    record r;
    fault why = {""};
    rules_state *s = NULL;
    record_init(&r, game);
    record_status status = record_next(&reader, &r, &why);
    if (status == RECORD_OK)
        s = game_of_record(&r);
    else if (status == RECORD_END)
        s = new_game(game, NULL, NULL);
    else
        complain("kraton: %s", strncmp(why.line, "line 1: ", 8) == 0 ? why.line + 8 : why.line);
    record_close(&reader);
    record_free(&r);
    buffer_free(&line);
    return s;
}

// --- saving --------------------------------------------------------------------------------------

static record_format format_for(const rules_game *game, const char *path) {
    record_format format;
    return record_format_of_name(path, &format) ? format : record_format_for(game);
}

static void write_today(writer *out) {
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local))
        write_format(out, "%04d.%02d.%02d", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

// Tags that PGN and JSON can hold: the rule set, and why the game is over.
static void set_tags(record *r, const rules_state *state, const rules_verdict *end) {
    char rules[RECORD_TAG_SIZE];
    writer w = writer_on(rules, sizeof rules);
    rules_set_format(r->game, rules_set_of(state), &w);
    if (!w.overflow)
        record_set_tag(r, text_of("Rules"), text_of(rules));
    if (end->outcome != RULES_ONGOING)
        record_set_tag(r, text_of("Verdict"), text_of(end->words));
}

static bool fill_record(record *r, const rules_state *state, const char *start,
                        const char *const names[2], const rules_verdict *end) {
    const rules_game *game = rules_game_of(state);
    writer w = writer_on(r->fen, sizeof r->fen);
    if (strcmp(start, rules_start_fen(game)) != 0)
        write_string(&w, start);
    w = writer_on(r->first, sizeof r->first);
    write_string(&w, names[0]);
    w = writer_on(r->second, sizeof r->second);
    write_string(&w, names[1]);
    w = writer_on(r->date, sizeof r->date);
    write_today(&w);
    r->result = end->outcome;
    set_tags(r, state, end);
    uint32_t ply = rules_ply(state);
    for (uint32_t i = 0; i < ply; i++)
        if (!record_add_move(r, rules_move_at(state, i)))
            return false;
    return true;
}

bool game_save(const rules_state *state, const char *start, const char *const names[2],
               const rules_verdict *end, const char *path, fault *why) {
    const rules_game *game = rules_game_of(state);
    record r;
    buffer out = {0};
    record_init(&r, game);
    bool saved = (fill_record(&r, state, start, names, end) || fault_set(why, "out of memory")) &&
                 record_write(&r, format_for(game, path), &out, why) &&
                 (!out.failed || fault_set(why, "out of memory")) &&
                 file_write(path, (text){out.bytes, out.len}, why);
    buffer_free(&out);
    record_free(&r);
    return saved;
}
