#include "server/serve.h"

#include "base/minmax.h"
#include "os/file.h"
#include "os/process.h"
#include "os/thread.h"
#include "server/account.h"
#include "server/api.h"
#include "server/background.h"
#include "server/game.h"
#include "server/lobby.h"
#include "server/pages.h"
#include "server/ratelimit.h"
#include "store/games.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { LATE_LOGGED_US = 500000 };
enum { BEAT_MS = 500, IDLE_BEATS = 20, MOST_CONNECTIONS = 20000, MOST_PER_ADDRESS = 512 };

// --- turns --------------------------------------------------------------------------------------

static void stop(server *srv, const char *reason);

// Wakes the loop while a commit is pending: the turn's end looks after it.
static void on_store_ready(uv_poll_t *handle, int status, int events) {
    (void)handle;
    (void)status;
    (void)events;
}

static void watch_store(server *srv) {
    bool wants_write;
    store_watch(srv->store, &wants_write);
    int events = wants_write ? UV_READABLE | UV_WRITABLE : UV_READABLE;
    if (events != srv->watched)
        uv_poll_start(&srv->store_ready, events, on_store_ready);
    srv->watched = events;
}

static void unwatch_store(server *srv) {
    if (srv->watched)
        uv_poll_stop(&srv->store_ready);
    srv->watched = 0;
}

static turn_state commit(void *context, bool waits) {
    server *srv = context;
    bool was_pending = srv->commit_from != 0;
    if (!was_pending && !store_is_dirty(srv->store))
        return TURN_STORED;
    if (!was_pending)
        srv->commit_from = clock_us();
    bool is_kept = (waits || !srv->can_wait) && store_commit(srv->store, &srv->failure);
    commit_state state = is_kept ? COMMIT_DONE : store_push(srv->store, &srv->failure);
    if (state == COMMIT_PENDING) {
        watch_store(srv);
        return TURN_PENDING;
    }
    unwatch_store(srv);
    if (!was_pending)
        turns_note_commit(&srv->turns);
    srv->count.commits++;
    srv->count.commit_us += (uint64_t)(clock_us() - srv->commit_from);
    srv->commit_from = 0;
    if (state == COMMIT_DONE)
        return TURN_STORED;
    stop(srv, NULL);
    return TURN_FAILED;
}

// Clocks of games asked from now on start after the next commit.
static void on_sealed(void *context) {
    server *srv = context;
    srv->asked_sealed = srv->asked;
    srv->asked = NULL;
    srv->is_sealed = true;
}

static void after_turn(void *context) {
    server *srv = context;
    game_start_clocks(srv, srv->is_sealed ? &srv->asked_sealed : &srv->asked);
    srv->is_sealed = false;
    bool is_next = srv->worked_in != srv->turns.number; // once a turn, which may commit twice
    srv->worked_in = srv->turns.number;
    if (!srv->stopping && (!is_next || features_work(srv)))
        turns_want(&srv->turns);
    turns_keep_pace(&srv->turns, srv->live_games > 0);
}

static void on_late(void *context, int64_t us) {
    server *srv = context;
    srv->count.late_us += (uint64_t)us;
    if (srv->live_games && game_credit_late(srv, us) && us >= LATE_LOGGED_US)
        log_write(LEVEL_WARNING, "the server was %.1f s late; running clocks got that time back",
                  (double)us / 1e6);
}

static void on_drained(void *context, int64_t then) {
    game_judge_flags(context, server_time(context, then));
}

// --- the disk -----------------------------------------------------------------------------------

// When less space is left than the reserve, the server pauses before a commit can fail: everybody
// gets a notice, clocks stop, requests that write are refused, requests that only read are
// answered, and /health says so. Nothing is written meanwhile, not even that clocks are stopped: a
// server that dies then resumes the games as they were. When there is space again the server goes
// on by itself.

static int64_t free_bytes(const server *srv) {
    const char *folder = store_folder(server_store_place(srv));
    uint64_t bytes;
    return folder && os_disk_free(folder, &bytes) ? (int64_t)min_u64(bytes, INT64_MAX) : INT64_MAX;
}

static void notify_all(server *srv, const char *reason, const char *words) {
    for (session *s = session_of(srv->sessions.first); s; s = session_of(s->link.next))
        session_notice(s, reason, words);
}

static void hold_all(server *srv, bool on) {
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at));)
        game_hold_clock(g, HOLD_DISK, on);
    turns_want(&srv->turns);
}

// Called before games are recovered, then once a second.
static void check_disk(server *srv) {
    int64_t reserve = srv->options->reserve_mb * 1000000LL, left = free_bytes(srv);
    if (!srv->is_full && left < reserve) {
        srv->is_full = true;
        log_write(LEVEL_WARNING,
                  "the disk is full: %lld MB left for %s, %d are wanted; clocks stand, and it goes "
                  "on by itself when there is room",
                  (long long)(left / 1000000), store_folder(server_store_place(srv)),
                  srv->options->reserve_mb);
        notify_all(srv, "full", server_full_words);
        hold_all(srv, true);
    } else if (srv->is_full && left >= reserve + reserve / 8) {
        srv->is_full = false;
        log_write(LEVEL_INFO, "there is room again: %lld MB", (long long)(left / 1000000));
        notify_all(srv, "room", "there is room on the server's disk again; games go on");
        hold_all(srv, false);
    }
}

// --- timers and signals -------------------------------------------------------------------------

static void on_beat(uv_timer_t *timer) {
    server *srv = timer->data;
    if (!srv->is_full && (srv->live_games || srv->beats % IDLE_BEATS == 0)) {
        store_beat(srv->store, server_now(srv));
        turns_want(&srv->turns);
    }
    if (!store_is_sound(srv->store, &srv->failure)) {
        stop(srv, NULL);
        return;
    }
    if (srv->is_sealed || srv->beats++ % 2) // work that reads would wait for the commit
        return;
    check_disk(srv);
    int64_t now = clock_us();
    session_sweep(srv, now);
    api_sweep(srv, now);
    ratelimit_sweep(srv->ratelimit, now);
    if (!srv->is_full)
        game_trim_long_journal(srv);
    features_tick(srv);
    if (srv->is_draining && srv->live_games == 0) {
        log_write(LEVEL_INFO, "stopping: the last game has ended");
        stop(srv, "stopping");
    }
}

const char server_draining_words[] = "the server is about to stop and begins no new games";

void server_drain(server *srv) {
    if (srv->is_draining)
        return;
    srv->is_draining = true;
    log_write(LEVEL_INFO, "draining: no new games; it stops when the last of %u has ended",
              (unsigned)srv->live_games);
    notify_all(srv, "draining", server_draining_words);
    turns_want(&srv->turns);
}

// The log is standard error, which is made to be that file. A file that cannot be opened leaves it
// as it is.
static bool open_log(const char *path, fault *why) {
    FILE *tried = fopen(path, "ae");
    if (!tried)
        return fault_set(why, "cannot write to the log %s: %s", path, strerror(errno));
    fclose(tried);
    if (!freopen(path, "ae", stderr))
        return fault_set(why, "cannot open the log %s", path);
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    return true;
}

// Takes up a renewed certificate and a log file that was moved away. Connections go on with what
// they have.
static void reload(server *srv) {
    const serve_options *o = srv->options;
    fault why;
    if (o->log && !open_log(o->log, &why))
        log_write(LEVEL_WARNING, "%s", why.line);
    if (o->access_log && !log_open_access(o->access_log, &why))
        log_write(LEVEL_WARNING, "%s", why.line);
    if (o->tls_certificate) {
        tls_context *fresh = tls_context_new(o->tls_certificate, o->tls_key, &why);
        if (!fresh) {
            log_write(LEVEL_WARNING, "%s; the old certificate stays in use", why.line);
            return;
        }
        tls_context_free(srv->tls);
        srv->tls = srv->web.tls = srv->programs.tls = fresh;
    }
    log_write(LEVEL_INFO, "reloaded%s%s", o->tls_certificate ? " the certificate" : "",
              o->log ? " and the log" : "");
}

static void on_signal(uv_signal_t *handle, int number) {
    if (number == SIGHUP) {
        reload(handle->data);
        return;
    }
    if (number == SIGUSR1) {
        server_drain(handle->data);
        return;
    }
    log_write(LEVEL_INFO, "stopping: %s", number == SIGINT ? "interrupted" : "terminated");
    stop(handle->data, "stopping");
}

// --- connections --------------------------------------------------------------------------------

static bool on_web(listener *l, connection *c) { return api_accept(l->owner, c); }

static bool on_program(listener *l, connection *c) {
    return session_open_lines(l->owner, c) != NULL;
}

static bool listen_on(server *srv, fault *why) {
    const serve_options *o = srv->options;
    if (o->tls_certificate && !(srv->tls = tls_context_new(o->tls_certificate, o->tls_key, why)))
        return false;
    srv->web = (listener){.on_connection = on_web};
    srv->programs = (listener){.on_connection = on_program};
    listener *both[] = {&srv->web, &srv->programs};
    for (int i = 0; i < 2; i++) {
        both[i]->owner = srv;
        both[i]->tls = srv->tls;
        both[i]->most_connections = MOST_CONNECTIONS;
        both[i]->most_per_address = MOST_PER_ADDRESS;
        both[i]->proxies = o->proxies;
    }
    if (!listener_open(&srv->web, &srv->turns, o->address, o->port, why))
        return false;
    if (listener_open(&srv->programs, &srv->turns, o->address, o->bot_port, why))
        return true;
    listener_close(&srv->web);
    return false;
}

// --- start and stop -----------------------------------------------------------------------------

static void send_bye(server *srv, const char *reason, const char *words) {
    for (session *s = session_of(srv->sessions.first); s; s = session_of(s->link.next)) {
        session_notice(s, reason, words);
        session_end(s, reason);
    }
}

// Stops the server: says goodbye, commits, closes everything. Without a reason the store has
// failed: messages of this turn are dropped, because what they say is not stored.
static void stop(server *srv, const char *reason) {
    if (srv->stopping)
        return;
    srv->stopping = true;
    listener_close(&srv->web);
    listener_close(&srv->programs);
    if (reason) {
        game_show_crowds(srv);
        send_bye(srv, reason, "the server stops; games go on after the restart");
        store_beat(srv->store, server_now(srv));
        turns_commit(&srv->turns);
        turns_send_all(&srv->turns);
    } else {
        turns_forget(&srv->turns);
        send_bye(srv, "failure",
                 "the server cannot keep anything any more and stops; what you were "
                 "told is kept, and games go on after the restart");
        turns_send_all(&srv->turns);
    }
    uv_close((uv_handle_t *)&srv->beat, NULL);
    uv_close((uv_handle_t *)&srv->showing, NULL);
    if (srv->can_wait)
        uv_close((uv_handle_t *)&srv->store_ready, NULL);
    for (int i = 0; i < SERVER_SIGNALS; i++)
        uv_close((uv_handle_t *)&srv->signals[i], NULL);
    features_stop(srv);
    game_close_all(srv);
    turns_close(&srv->turns);
}

// Server time stands where it stopped until everything is recovered, however long that takes.
// Without games the heartbeat is slow: what may have passed since the last one is skipped, so that
// time never goes back. With live games nothing is skipped: it would be charged to the side to
// move.
static void hold_time(server *srv) {
    int64_t skipped = store_has_live_games(srv->store) ? 0 : IDLE_BEATS * BEAT_MS * 1000LL;
    srv->resumed = store_heartbeat(srv->store) + skipped;
    srv->is_starting = true;
}

static void let_time_run(server *srv) {
    srv->offset = srv->resumed - clock_us();
    srv->is_starting = false;
}

static bool make_modules(server *srv, const feature *const *features, fault *why) {
    srv->pages = pages_new(srv->options->web, why);
    if (!srv->pages)
        return false;
    srv->lobby = lobby_new(srv);
    srv->accounts = accounts_new(srv);
    srv->ratelimit = ratelimit_new();
    srv->background = background_new();
    if (!srv->lobby || !srv->accounts || !srv->ratelimit || !srv->background)
        return fault_set(why, "out of memory");
    return features_start(srv, features, why);
}

static void start_timers(server *srv) {
    bool wants_write;
    intptr_t handle = store_watch(srv->store, &wants_write);
    srv->can_wait = handle >= 0 && uv_poll_init(srv->loop, &srv->store_ready, (int)handle) == 0;
    uv_timer_init(srv->loop, &srv->beat);
    uv_timer_init(srv->loop, &srv->showing);
    srv->beat.data = srv->showing.data = srv;
    uv_timer_start(&srv->beat, on_beat, BEAT_MS, BEAT_MS);
    const int numbers[SERVER_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (int i = 0; i < SERVER_SIGNALS; i++) {
        uv_signal_init(srv->loop, &srv->signals[i]);
        srv->signals[i].data = srv;
        uv_signal_start(&srv->signals[i], on_signal, numbers[i]);
    }
}

// Drops the rights of root after the ports are open.
static bool become_user(const char *name, fault *why) {
    if (!name || os_process_become_user(name))
        return true;
    if (errno == ENOENT)
        return fault_set(why, "there is no user %s", fault_quote(text_of(name)).shown);
    return fault_set(why, "cannot become %s: %s", name, strerror(errno));
}

static void log_damage(server *srv) {
    const char *line;
    for (int n = 0; (line = store_damage(srv->store, n)); n++)
        log_write(LEVEL_WARNING, "%s", line);
}

// Ports and keys are opened first, perhaps as root; everything else as the user we become. Nobody
// is accepted before the loop runs.
static bool start(server *srv, const feature *const *features, fault *why) {
    if (!listen_on(srv, why))
        return false;
    const serve_options *o = srv->options;
    if (become_user(o->user, why) && (!o->log || open_log(o->log, why)) &&
        (!o->access_log || log_open_access(o->access_log, why)))
        srv->store =
            store_open(server_store_place(srv),
                       (o->durable ? STORE_DURABLE : 0) | (o->is_new ? STORE_NEW : 0), why);
    bool good = srv->store != NULL;
    if (good) {
        log_damage(srv);
        hold_time(srv);
        check_disk(srv);
        good = make_modules(srv, features, why) && game_recover(srv, why);
        if (good)
            TELL_FEATURES(srv, on_recovered, srv);
    }
    if (!good) {
        listener_close(&srv->web);
        listener_close(&srv->programs);
    }
    return good;
}

static void run(server *srv, void (*ready)(const server *srv)) {
    start_timers(srv);
    if (srv->live_games)
        log_write(LEVEL_INFO, "%u games go on", (unsigned)srv->live_games);
    ready(srv);
    let_time_run(srv);
    turns_want(&srv->turns);
    os_thread_go_first();
    uv_run(srv->loop, UV_RUN_DEFAULT);
}

static void let_go(server *srv) {
    game_close_all(srv);               // where it never ran
    uv_run(srv->loop, UV_RUN_DEFAULT); // handles close
    background_free(srv->background);
    features_free(srv);
    lobby_free(srv->lobby);
    ratelimit_free(srv->ratelimit);
    accounts_free(srv->accounts);
    pages_free(srv->pages);
    tls_context_free(srv->tls);
    store_close(srv->store);
    uint32_t at = 0;
    for (int64_t *first; (first = table_next(&srv->aside, &at));)
        free(first);
    table_free(&srv->aside);
    table_free(&srv->games);
    table_free(&srv->members);
}

bool server_run(const serve_options *options, const feature *const *features,
                void (*ready)(const server *srv), fault *why) {
    os_process_ignore_broken_pipes();
    os_process_ignore_file_limit();
    os_process_raise_open_files();
    // Two passwords and five background queues: none waits for another.
    setenv("UV_THREADPOOL_SIZE", "8", 0);
    uv_loop_t loop;
    server *srv = calloc(1, sizeof *srv);
    if (!srv || uv_loop_init(&loop) != 0) {
        free(srv);
        return fault_set(why, "out of memory");
    }
    srv->loop = &loop;
    srv->options = options;
    srv->started = clock_us();
    turns_events events = {.commit = commit,
                           .sealed = on_sealed,
                           .after = after_turn,
                           .context = srv,
                           .late = on_late,
                           .drained = on_drained};
    turns_open(&srv->turns, &loop, &events);
    bool good = start(srv, features, why);
    if (good) {
        run(srv, ready);
    } else {
        features_stop(srv);
        turns_close(&srv->turns);
    }
    const char *folder = store_folder(server_store_place(srv));
    if (good && srv->failure.line[0])
        good = fault_set(why,
                         "%.120s; nothing that was told is lost: see to %s%.60s, then start it "
                         "again",
                         srv->failure.line, folder ? "the disk of " : "the database",
                         folder ? folder : "");
    let_go(srv);
    uv_loop_close(&loop);
    free(srv);
    return good;
}
