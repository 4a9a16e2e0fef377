// How the server is: for people, load balancers and Prometheus.
#include "features/features.h"
#include "server/api.h"
#include "server/world.h"

#include <inttypes.h>
#include <sys/resource.h>

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void get_health(api_call *c) {
    const world *w = c->world;
    api_json(c, 200,
             json_pack("{ss,ss,sI,sI,sI,sI,sI,si}", "status",
                       w->stopping  ? "stopping"
                       : w->is_full ? "full"
                                    : "ok",
                       "version", w->options->version, "uptime",
                       (json_int_t)((clock_us() - w->started) / 1000000), "live_games",
                       (json_int_t)w->live_games, "sessions", (json_int_t)w->session_count,
                       "set_aside", (json_int_t)w->aside.count, "spectators",
                       (json_int_t)w->spectators, "bot_port", listener_port(&w->programs)));
}

static void put(buffer *b, const char *name, const char *kind, double value) {
    char line[256];
    writer w = writer_on(line, sizeof line);
    write_format(&w, "# TYPE kraton_%s %s\nkraton_%s %.15g\n", name, kind, name, value);
    buffer_add(b, (text){line, w.used});
}

// How long moves took from being read to being handed on.
static void put_histogram(buffer *b, const world_counters *n) {
    char line[192];
    uint64_t sum = 0;
    buffer_add(b, text_of("# TYPE kraton_pass_on_seconds histogram\n"));
    for (int i = 0; i < WORLD_PASS_ON - 1; i++) {
        sum += n->pass_on[i];
        writer w = writer_on(line, sizeof line);
        write_format(&w, "kraton_pass_on_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
                     (double)(64LL << i) / 1e6, sum);
        buffer_add(b, (text){line, w.used});
    }
    sum += n->pass_on[WORLD_PASS_ON - 1];
    writer w = writer_on(line, sizeof line);
    write_format(&w,
                 "kraton_pass_on_seconds_bucket{le=\"+Inf\"} %" PRIu64
                 "\nkraton_pass_on_seconds_sum %.6f\nkraton_pass_on_seconds_count %" PRIu64 "\n",
                 sum, (double)n->pass_on_us / 1e6, sum);
    buffer_add(b, (text){line, w.used});
}

static void get_metrics(api_call *c) {
    const world *w = c->world;
    const world_counters *n = &w->count;
    buffer b = {0};
    put(&b, "live_games", "gauge", w->live_games);
    put(&b, "sessions", "gauge", w->session_count);
    put(&b, "connections", "gauge", w->pump.count);
    put(&b, "spectators", "gauge", w->spectators);
    put(&b, "disk_full", "gauge", w->is_full);
    put(&b, "games_set_aside", "gauge", w->aside.count);
    put(&b, "moves_total", "counter", (double)n->moves);
    put(&b, "games_started_total", "counter", (double)n->games_started);
    put(&b, "games_ended_total", "counter", (double)n->games_ended);
    put(&b, "flags_total", "counter", (double)n->flags);
    put(&b, "illegal_moves_total", "counter", (double)n->illegal_moves);
    put(&b, "offers_total", "counter", (double)n->seeks);
    put(&b, "logins_total", "counter", (double)n->logins);
    put(&b, "failed_logins_total", "counter", (double)n->failed_logins);
    put(&b, "requests_in_total", "counter", (double)n->lines_in);
    put(&b, "messages_out_total", "counter", (double)n->messages_out);
    put(&b, "http_requests_total", "counter", (double)n->requests);
    put(&b, "refused_requests_total", "counter", (double)n->bad_requests);
    put(&b, "floods_total", "counter", (double)n->floods);
    put(&b, "connections_cut_total", "counter", (double)n->cut);
    put(&b, "slow_readers_total", "counter", (double)w->pump.dropped);
    put(&b, "accepted_total", "counter", (double)(w->web.accepted + w->programs.accepted));
    put(&b, "turned_away_total", "counter", (double)(w->web.refused + w->programs.refused));
    put(&b, "commits_total", "counter", (double)n->commits);
    put(&b, "commit_seconds_total", "counter", (double)n->commit_us / 1e6);
    store_figures disk = store_get_figures(w->store);
    put(&b, "syncs_total", "counter", (double)disk.syncs);
    put(&b, "sync_seconds_total", "counter", (double)disk.took_us / 1e6);
    put(&b, "late_seconds_total", "counter", (double)n->late_us / 1e6);
    put(&b, "cpu_seconds_total", "counter", cpu_seconds());
    put_histogram(&b, n);
    api_text(c, 200, "text/plain; version=0.0.4", (text){b.bytes, b.len});
    buffer_free(&b);
}

static const api_route routes[] = {
    {"GET", "/api/v1/health", get_health, false},
    {"GET", "/metrics", get_metrics, false},
    {.pattern = NULL},
};

const feature health_feature = {.name = "health", .routes = routes};
