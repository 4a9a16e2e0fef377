#include "server/server.h"

#include "server/account.h"
#include "server/api.h"
#include "server/background.h"
#include "server/diskguard.h"
#include "server/lobby.h"
#include "server/pages.h"
#include "server/ratelimit.h"
#include "store/games.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LATE_LOGGED_US = 500000 };
enum { BEAT_MS = 500, IDLE_BEATS = 20, MOST_WIRES = 20000, MOST_PER_ADDRESS = 512 };

// --- turns --------------------------------------------------------------------------------------

static void stop(world *w, const char *reason);

static void on_committed(void *context, const fault *why) {
    if (why)
        ((world *)context)->failure = *why;
}

// Nothing goes out before the commit is done, so the loop waits for it.
static bool commit(void *context) {
    world *w = context;
    if (!store_is_dirty(w->store))
        return true;
    int64_t before = clock_us();
    store_commit_begin(w->store, on_committed, w);
    w->count.commits++;
    w->count.commit_us += (uint64_t)(clock_us() - before);
    if (!store_has_failed(w->store))
        return true;
    stop(w, NULL);
    return false;
}

static void after_turn(void *context) {
    world *w = context;
    game_start_clocks(w);
    pump_keep_pace(&w->pump, w->live_games > 0);
}

static void on_late(void *context, int64_t us) {
    world *w = context;
    w->count.late_us += (uint64_t)us;
    if (us >= LATE_LOGGED_US)
        world_log("the server was late by %.1f s; running clocks are given it back",
                  (double)us / 1e6);
    if (w->live_games)
        game_credit_late(w, us);
}

static void on_drained(void *context, int64_t then) {
    game_judge_flags(context, world_time(context, then));
}

// --- what time brings ---------------------------------------------------------------------------

static void on_beat(uv_timer_t *timer) {
    world *w = timer->data;
    if (!w->is_full && (w->live_games || w->beats % IDLE_BEATS == 0)) {
        store_beat(w->store, world_now(w));
        pump_want_turn(&w->pump);
    }
    if (!store_is_sound(w->store, &w->failure)) {
        stop(w, NULL);
        return;
    }
    if (w->beats++ % 2)
        return;
    diskguard_check(w);
    int64_t now = clock_us();
    session_sweep(w, now);
    api_sweep(w, now);
    ratelimit_sweep(w->ratelimit, now);
    features_tick(w);
}

static void on_signal(uv_signal_t *handle, int number) {
    world_log("stopping: %s", number == SIGINT ? "interrupted" : "terminated");
    stop(handle->data, "stopping");
}

// --- connections --------------------------------------------------------------------------------

static bool on_web(listener *l, wire *w) { return api_accept(l->owner, w); }

static bool on_program(listener *l, wire *w) { return session_open_lines(l->owner, w) != NULL; }

static bool listen_on(world *w, fault *why) {
    const serve_options *o = w->options;
    if (o->tls_certificate && !(w->tls = tls_context_new(o->tls_certificate, o->tls_key, why)))
        return false;
    w->web = (listener){.on_wire = on_web};
    w->programs = (listener){.on_wire = on_program};
    listener *both[] = {&w->web, &w->programs};
    for (int i = 0; i < 2; i++) {
        both[i]->owner = w;
        both[i]->tls = w->tls;
        both[i]->most_wires = MOST_WIRES;
        both[i]->most_per_address = MOST_PER_ADDRESS;
    }
    if (!listener_open(&w->web, &w->pump, o->address, o->port, why))
        return false;
    if (listener_open(&w->programs, &w->pump, o->address, o->bot_port, why))
        return true;
    listener_close(&w->web);
    return false;
}

// As many connections as the system lets us have.
static void raise_limits(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

// --- start and stop -----------------------------------------------------------------------------

static void send_bye(world *w, const char *reason, const char *words) {
    for (session *s = w->sessions; s; s = s->next) {
        session_notice(s, reason, words);
        session_end(s, reason);
    }
}

// Announces the end, keeps everything, lets everybody go. Without a reason it was a failure: what
// this turn wanted to say is not kept, so nobody hears it.
static void stop(world *w, const char *reason) {
    if (w->stopping)
        return;
    w->stopping = true;
    listener_close(&w->web);
    listener_close(&w->programs);
    if (reason) {
        send_bye(w, reason, "the server stops; games go on after the restart");
        store_beat(w->store, world_now(w));
        pump_turn(&w->pump);
    } else {
        pump_forget_turn(&w->pump);
        send_bye(w, "failure",
                 "the server cannot keep anything any more and stops; what you were "
                 "told is kept, and games go on after the restart");
        pump_say_last(&w->pump);
    }
    uv_close((uv_handle_t *)&w->beat, NULL);
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t *)&w->signals[i], NULL);
    features_stop(w);
    game_close_all(w);
    pump_close(&w->pump);
}

// Server time stands where it stopped until everything is recovered, however long that takes.
// Without games the heartbeat is slow: what may have passed since the last one is skipped, so that
// time never goes back. With games it is not, since it would be charged to whoever is to move.
static void hold_time(world *w) {
    int64_t skipped = store_has_live_games(w->store) ? 0 : IDLE_BEATS * BEAT_MS * 1000LL;
    w->resumed = store_heartbeat(w->store) + skipped;
    w->is_starting = true;
}

static void let_time_run(world *w) {
    w->offset = w->resumed - clock_us();
    w->is_starting = false;
}

static bool make_modules(world *w, const feature *const *features, fault *why) {
    w->pages = pages_new(w->options->web, why);
    if (!w->pages)
        return false;
    w->lobby = lobby_new(w);
    w->accounts = accounts_new(w);
    w->ratelimit = ratelimit_new();
    w->background = background_new();
    if (!w->lobby || !w->accounts || !w->ratelimit || !w->background)
        return fault_set(why, "out of memory");
    return features_start(w, features, why);
}

static void start_timers(world *w) {
    uv_timer_init(w->loop, &w->beat);
    w->beat.data = w;
    uv_timer_start(&w->beat, on_beat, BEAT_MS, BEAT_MS);
    const int numbers[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        uv_signal_init(w->loop, &w->signals[i]);
        w->signals[i].data = w;
        uv_signal_start(&w->signals[i], on_signal, numbers[i]);
    }
}

// The ports are open: nothing more is done as root.
static bool become_user(const char *name, fault *why) {
    if (!name)
        return true;
    const struct passwd *user = getpwnam(name);
    if (!user)
        return fault_set(why, "there is no user %s", fault_quote(text_of(name)).shown);
    if (setgroups(0, NULL) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)
        return fault_set(why, "cannot become %s: %s", name, strerror(errno));
    return true;
}

// Ports and keys first, as whoever we are; all else as the user we become. Nobody is let in before
// the loop runs.
static bool start(world *w, const feature *const *features, fault *why) {
    if (!listen_on(w, why))
        return false;
    if (become_user(w->options->user, why))
        w->store = store_open(w->options->data, w->options->durable, why);
    bool good = w->store != NULL;
    if (good) {
        hold_time(w);
        diskguard_check(w);
        good = make_modules(w, features, why) && game_recover(w, why);
        if (good)
            TELL_FEATURES(w, on_recovered, w);
    }
    if (!good) {
        listener_close(&w->web);
        listener_close(&w->programs);
    }
    return good;
}

static void run(world *w, void (*ready)(const world *w)) {
    start_timers(w);
    if (w->live_games)
        world_log("%u games go on", (unsigned)w->live_games);
    ready(w);
    let_time_run(w);
    pump_want_turn(&w->pump);
    uv_run(w->loop, UV_RUN_DEFAULT);
}

static void let_go(world *w) {
    game_close_all(w);               // where it never ran
    uv_run(w->loop, UV_RUN_DEFAULT); // handles close
    background_free(w->background);
    features_free(w);
    lobby_free(w->lobby);
    ratelimit_free(w->ratelimit);
    accounts_free(w->accounts);
    pages_free(w->pages);
    tls_context_free(w->tls);
    store_close(w->store);
    uint32_t at = 0;
    for (int64_t *first; (first = table_next(&w->aside, &at));)
        free(first);
    table_free(&w->aside);
    table_free(&w->games);
    table_free(&w->members);
    message_free(&w->say);
}

bool server_run(const serve_options *options, const feature *const *features,
                void (*ready)(const world *w), fault *why) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // a file too long is an error like others
    raise_limits();
    // Two passwords and two background queues: none waits for another.
    setenv("UV_THREADPOOL_SIZE", "8", 0);
    uv_loop_t loop;
    world *w = calloc(1, sizeof *w);
    if (!w || uv_loop_init(&loop) != 0) {
        free(w);
        return fault_set(why, "out of memory");
    }
    w->loop = &loop;
    w->options = options;
    w->started = clock_us();
    pump_events events = {.commit = commit,
                          .after = after_turn,
                          .context = w,
                          .late = on_late,
                          .drained = on_drained};
    pump_open(&w->pump, &loop, &events);
    bool good = start(w, features, why);
    if (good) {
        run(w, ready);
    } else {
        features_stop(w);
        pump_close(&w->pump);
    }
    if (good && w->failure.line[0])
        good = fault_set(why,
                         "%.120s; nothing that was told is lost: see to the disk of %.60s, then "
                         "start it again",
                         w->failure.line, options->data);
    let_go(w);
    uv_loop_close(&loop);
    free(w);
    return good;
}
