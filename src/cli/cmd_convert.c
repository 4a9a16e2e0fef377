// kraton convert: game records from one format to another.
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/games.h"
#include "os/file.h"

#include <stdio.h>

static bool is_folder(const char *path) {
    os_file_status s;
    return os_path_get_status(path, &s) && s.kind == OS_KIND_FOLDER;
}

// What the games are to become.
typedef struct {
    record_format format;
    const char *notation; // of the moves; NULL: the format's own
    bool is_strict;       // nothing may be left out
    fault told;           // what was left out of the last game
    unsigned likewise;    // games since with the same loss
} target;

static bool write_in_notation(const record *r, const target *to, buffer *out, fault *why) {
    if (!to->notation)
        return record_write(r, to->format, out, why);
    rules_notation notation;
    if (!rules_find_notation(r->game, text_of(to->notation), &notation, why))
        return false;
    return record_write_as(r, to->format, notation, out, why);
}

static void tell_likewise(target *to) {
    if (to->likewise)
        complain("kraton convert: the same of the next %u game%s", to->likewise,
                 to->likewise > 1 ? "s" : "");
    to->likewise = 0;
}

// Says what the format cannot hold of the game; once where game after game loses the same.
static void tell_loss(const games *g, target *to, const fault *remark) {
    if (strcmp(remark->line, to->told.line) == 0) {
        to->likewise++;
        return;
    }
    tell_likewise(to);
    to->told = *remark;
    complain("%s: game %u: %s", g->label, g->number, remark->line);
}

static bool write_record(const games *g, target *to, buffer *out, fault *why) {
    fault remark;
    if (!write_in_notation(&g->game, to, out, why))
        return false;
    bool is_lost = record_tell_losses(&g->game, to->format, &remark);
    if (is_lost && to->is_strict)
        return fault_set(why, "%s", remark.line);
    if (is_lost)
        tell_loss(g, to, &remark);
    return true;
}

// Writes one game to a file of its own.
static bool write_apart(const games *g, target *to, const char *folder, fault *why) {
    char path[4096];
    writer w = writer_on(path, sizeof path);
    write_format(&w, "%s/", folder);
    unsigned number = collection_is_many(g->source) ? g->good : g->number;
    record_write_file_name(&g->game, to->format, number, &w);
    if (w.overflow)
        return fault_set(why, "the file name is too long");
    buffer out = {0};
    bool written = write_record(g, to, &out, why) &&
                   (!out.failed || fault_set(why, "out of memory")) &&
                   file_write(path, (text){out.bytes, out.len}, why);
    buffer_free(&out);
    return written;
}

static int convert_apart(games *g, target *to, const char *folder) {
    int status = STATUS_OK;
    while (status == STATUS_OK && games_next(g)) {
        fault why;
        if (!write_apart(g, to, folder, &why))
            status = complain("%s: game %u: %s", g->label, g->number, why.line);
    }
    return status;
}

// All games into one file, or none of them where one cannot be written in that format.
static int convert_together(games *g, target *to, const char *path) {
    buffer out = {0};
    fault why;
    int status = STATUS_OK;
    while (status == STATUS_OK && games_next(g)) {
        if (record_format_is_single(to->format) && g->good > 1)
            status = complain("%s: a %s record holds one game, and here are more: give a "
                              "folder with -o",
                              g->label, record_format_name(to->format));
        else if (!write_record(g, to, &out, &why))
            status = complain("%s: game %u: %s", g->label, g->number, why.line);
    }
    if (out.failed)
        status = complain("kraton: out of memory");
    if (status == STATUS_OK && g->good && !path)
        fwrite(out.bytes, 1, out.len, stdout);
    else if (status == STATUS_OK && g->good && !file_write(path, (text){out.bytes, out.len}, &why))
        status = complain("kraton: %s", why.line);
    buffer_free(&out);
    return status;
}

// Whether it is a notation of the game, or of any where the records are to tell theirs.
static bool knows_notation(const rules_game *game, const char *name) {
    rules_notation found;
    if (!name || game)
        return !name || find_notation(game, name, &found);
    suggestion near = suggest_for(text_of(name));
    for (int i = 0; rules_nth(i); i++) {
        const rules_properties *properties = rules_properties_of(rules_nth(i));
        for (int n = 0; n < properties->notation_count; n++) {
            const char *known = rules_notation_name(properties->notations[n]);
            if (strcmp(name, known) == 0)
                return true;
            suggest_offer(&near, known);
        }
    }
    misuse("kraton convert: no notation %s%s", fault_quote(text_of(name)).shown,
           suggest_hint(&near).shown);
    return false;
}

int cmd_convert(const command *self, int argc, char **argv) {
    const char *path = NULL, *game_name = NULL, *read_as = NULL;
    target to = {.notation = NULL};
    const option table[] = {
        {"out", 'o', "OUT", "write to this file or folder", .string = &path},
        {"game", 0, "GAME", "whose moves they are, where the formats do not tell",
         .string = &game_name},
        {"notation", 0, "NOTATION", "write the moves of pgn and moves so: wxf, chinese, uci1, ...",
         .string = &to.notation},
        {"read-as", 0, "NOTATION", "the notation to read moves in, with --game: uci1, ...",
         .string = &read_as},
        {"strict", 0, NULL, "refuse what would be repaired or left out with a remark",
         .flag = &to.is_strict},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!games_know_format(argv[0]) || !games_find_written(argv[1], &to.format))
        return STATUS_USAGE;
    const rules_game *game = game_name ? find_game(game_name) : NULL;
    if (!game && game_name)
        return STATUS_USAGE;
    rules_notation only;
    if (read_as && !game)
        return misuse("kraton: --read-as needs --game: notations are a game's own");
    if ((read_as && !find_notation(game, read_as, &only)) || !knows_notation(game, to.notation))
        return STATUS_USAGE;
    games g;
    if (!games_open(&g, argv[2], argv[0], game))
        return STATUS_BAD;
    g.reader.is_strict = to.is_strict;
    if (read_as)
        g.reader.notation = (int)only;
    if (path && is_folder(path))
        status = convert_apart(&g, &to, path);
    else
        status = convert_together(&g, &to, path);
    tell_likewise(&to);
    return games_close(&g) | status;
}
