// kraton archive: the finished games of a server.
#include "cli/cli.h"
#include "cli/games.h"
#include "cli/screen.h"
#include "features/import.h"
#include "features/position_index.h"
#include "os/clock.h"
#include "os/file.h"

#include <stdio.h>
#include <time.h>

enum { BATCH = 500, SHOW_US = 250000 };

typedef struct {
    store *store;
    int paths, path; // how many, and which is read
    unsigned added, known, bad;
    int64_t now, begun_us, shown_us;
    bool shows;
} import_run;

// How much of everything has been read, 0 to 1.
static double share_done(const import_run *i, const games *g) {
    double files = (double)collection_count(g->source), done = (double)collection_done(g->source);
    double left = g->reader.all.len ? (double)g->reader.rest.len / (double)g->reader.all.len : 0;
    double here = files > 0 ? (done - left) / files : 1;
    return (i->path + here) / i->paths;
}

static void show_progress(import_run *i, const games *g) {
    int64_t us = clock_us();
    if (!i->shows || us - i->shown_us < SHOW_US)
        return;
    i->shown_us = us;
    double share = share_done(i, g), gone = (double)(us - i->begun_us) / 1e6;
    fprintf(stderr, "\r%u games, %.1f %%, %.0f s left (Ctrl-C keeps what is done)\033[K",
            i->added + i->known, 100 * share, share > 0 ? gone * (1 - share) / share : 0.0);
}

static void hide_progress(import_run *i) {
    if (i->shows && i->shown_us)
        fputs("\r\033[K", stderr);
}

// Adds the game at hand. False where the store has failed.
static bool add_game(import_run *i, const games *g, fault *why) {
    fault bad;
    switch (import_record(i->store, &g->game, i->now, &bad)) {
    case IMPORT_NEW:
        i->added++;
        break;
    case IMPORT_KNOWN:
        i->known++;
        break;
    case IMPORT_FAILED:
        if (!store_has_failed(i->store)) {
            complain("%s: game %u: %s", g->label, g->number, bad.line);
            i->bad++;
        }
    }
    bool is_due = (i->added + i->known) % BATCH == 0 && store_is_dirty(i->store);
    return !(is_due || store_has_failed(i->store)) || store_commit(i->store, why);
}

static int import_path(import_run *i, const char *path, const rules_game *game) {
    games g;
    fault why;
    if (!games_open(&g, path, NULL, game))
        return STATUS_BAD;
    bool good = true;
    while (good && !screen_is_interrupted() && games_next(&g)) {
        good = add_game(i, &g, &why);
        show_progress(i, &g);
    }
    hide_progress(i);
    i->bad += g.bad;
    int status = games_close(&g);
    if (!store_commit(i->store, &why))
        status = complain("kraton archive import: %s", why.line);
    return status;
}

static bool show_indexing(void *context, double share) {
    import_run *i = context;
    int64_t us = clock_us();
    if (i->shows && us - i->shown_us >= SHOW_US) {
        double gone = (double)(us - i->begun_us) / 1e6;
        fprintf(stderr, "\rindex of positions: %.1f %%, %.0f s left (Ctrl-C: later)\033[K",
                100 * share, share > 0 ? gone * (1 - share) / share : 0.0);
        i->shown_us = us;
    }
    return !screen_is_interrupted();
}

// Positions are searched by an index; a server would fill it more slowly.
static int fill_index(import_run *i) {
    fault why;
    i->begun_us = clock_us();
    bool good = position_index_fill(i->store, show_indexing, i, &why);
    hide_progress(i);
    return good ? STATUS_OK : complain("kraton archive import: %s", why.line);
}

static void print_summary(const import_run *i) {
    printf("%u games: %u new, %u there already", i->added + i->known + i->bad, i->added, i->known);
    if (i->bad)
        printf(", %u that cannot be read", i->bad);
    printf("\n");
}

int cmd_archive_import(const command *self, int argc, char **argv) {
    const char *data = "kraton-data", *place = NULL, *game_name = NULL;
    const option table[] = {
        {"data", 0, "DIR", "the server's data folder (kraton-data)", .string = &data},
        {"store", 0, "PLACE", "its database, as `kraton serve` takes it", .string = &place},
        {"game", 0, "GAME", "whose games they are, where the files do not tell",
         .string = &game_name},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = game_name ? find_game(game_name) : NULL;
    if (!game && game_name)
        return STATUS_USAGE;
    if (!store_is_place(place))
        return misuse("kraton archive import: --store: sqlite:DIR or postgresql://..., not %s",
                      fault_quote(text_of(place)).shown);
    place = place ? place : data;
    fault why;
    if (store_folder(place) && !os_path_exists(store_folder(place)))
        return complain("kraton archive import: there is no folder %s; `kraton serve --data %s` "
                        "makes it",
                        store_folder(place), store_folder(place));
    import_run i = {.store = store_open(place, 0, &why),
                    .paths = argc,
                    .now = (int64_t)time(NULL) * 1000000,
                    .begun_us = clock_us(),
                    .shows = stderr_is_terminal()};
    if (!i.store)
        return complain("kraton archive import: %s", why.line);
    status = STATUS_OK;
    screen_catch_interrupt();
    for (; i.path < argc && !screen_is_interrupted() && !store_has_failed(i.store); i.path++)
        status |= import_path(&i, argv[i.path], game);
    if (!screen_is_interrupted() && !store_has_failed(i.store))
        status |= fill_index(&i);
    bool failed = store_has_failed(i.store);
    store_close(i.store);
    if (!failed)
        print_summary(&i);
    if (!screen_is_interrupted())
        return failed ? STATUS_BAD : status;
    complain("kraton archive import: interrupted; the same command goes on from here");
    return STATUS_INTERRUPTED;
}
