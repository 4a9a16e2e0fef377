// The state of the server, for people, load balancers and Prometheus.
#include "features/features.h"
#include "server/api.h"
#include "server/server.h"

#include <inttypes.h>
#include <sodium.h>

static double cpu_seconds(void) {
    uv_rusage_t usage;
    if (uv_getrusage(&usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void get_health(api_call *c) {
    const server *srv = c->server;
    api_json(c, 200,
             json_pack("{ss,ss,sI,sI,sI,sI,sI,sI,si}", "status",
                       srv->stopping      ? "stopping"
                       : srv->is_full     ? "full"
                       : srv->is_draining ? "draining"
                                          : "ok",
                       "version", srv->options->version, "uptime",
                       (json_int_t)((clock_us() - srv->started) / 1000000), "live_games",
                       (json_int_t)srv->live_games, "sessions", (json_int_t)srv->session_count,
                       "set_aside", (json_int_t)srv->aside.count, "damaged",
                       (json_int_t)srv->damaged, "spectators", (json_int_t)srv->spectators,
                       "bot_port", listener_port(&srv->programs)));
}

static void put(buffer *b, const char *name, const char *kind, double value) {
    char line[256];
    writer w = writer_on(line, sizeof line);
    write_format(&w, "# TYPE kraton_%s %s\nkraton_%s %.15g\n", name, kind, name, value);
    buffer_add(b, (text){line, w.used});
}

static void put_bucket(buffer *b, const char *name, double bound, uint64_t count) {
    char line[192];
    writer w = writer_on(line, sizeof line);
    write_format(&w, "kraton_%s_bucket{le=\"%g\"} %" PRIu64 "\n", name, bound, count);
    buffer_add(b, (text){line, w.used});
}

// counts[i]: of values up to bounds[i] us; the last class has no bound.
static void put_histogram(buffer *b, const char *name, const int64_t *bounds,
                          const uint64_t *counts, int classes, double sum_us) {
    char line[192];
    uint64_t sum = 0;
    writer w = writer_on(line, sizeof line);
    write_format(&w, "# TYPE kraton_%s histogram\n", name);
    buffer_add(b, (text){line, w.used});
    for (int i = 0; i < classes - 1; i++) {
        sum += counts[i];
        put_bucket(b, name, (double)bounds[i] / 1e6, sum);
    }
    sum += counts[classes - 1];
    w = writer_on(line, sizeof line);
    write_format(&w,
                 "kraton_%s_bucket{le=\"+Inf\"} %" PRIu64 "\nkraton_%s_sum %.6f\nkraton_%s_count "
                 "%" PRIu64 "\n",
                 name, sum, name, sum_us / 1e6, name, sum);
    buffer_add(b, (text){line, w.used});
}

static void put_histograms(buffer *b, const server *srv) {
    int64_t bounds[SERVER_PASS_ON - 1];
    for (int i = 0; i < SERVER_PASS_ON - 1; i++)
        bounds[i] = 64LL << i;
    put_histogram(b, "pass_on_seconds", bounds, srv->count.pass_on, SERVER_PASS_ON,
                  (double)srv->count.pass_on_us);
    put_histogram(b, "turn_cpu_seconds", turns_cost_bounds, srv->turns.costs, TURNS_COSTS,
                  (double)srv->turns.cost_sum);
    put(b, "longest_turn_cpu_seconds", "gauge", (double)srv->turns.cost_most / 1e6);
}

// Whether the caller is an operator: by its address, or by a token in the Authorization header.
static bool may_read_metrics(const api_call *c) {
    const serve_options *o = c->server->options;
    text given = http_header_of(c->request, "authorization");
    if (proxies_trust(o->metrics_for, c->http->connection->address))
        return true;
    return o->metrics_token && text_starts(given, "Bearer ") &&
           given.len == 7 + strlen(o->metrics_token) &&
           sodium_memcmp(given.at + 7, o->metrics_token, given.len - 7) == 0;
}

static void get_metrics(api_call *c) {
    const server *srv = c->server;
    if (!may_read_metrics(c)) {
        api_refuse(c, 403, "metrics",
                   "for operators only: see --metrics-for and --metrics-token-file");
        return;
    }
    const server_counters *n = &srv->count;
    buffer b = {0};
    put(&b, "live_games", "gauge", srv->live_games);
    put(&b, "sessions", "gauge", srv->session_count);
    put(&b, "connections", "gauge", srv->turns.count);
    put(&b, "spectators", "gauge", srv->spectators);
    put(&b, "disk_full", "gauge", srv->is_full);
    put(&b, "games_set_aside", "gauge", srv->aside.count);
    put(&b, "games_damaged", "gauge", srv->damaged);
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
    put(&b, "slow_readers_total", "counter", (double)srv->turns.dropped);
    put(&b, "accepted_total", "counter", (double)(srv->web.accepted + srv->programs.accepted));
    put(&b, "turned_away_total", "counter", (double)(srv->web.refused + srv->programs.refused));
    put(&b, "commits_total", "counter", (double)n->commits);
    put(&b, "commit_seconds_total", "counter", (double)n->commit_us / 1e6);
    store_figures disk = store_get_figures(srv->store);
    put(&b, "syncs_total", "counter", (double)disk.syncs);
    put(&b, "sync_seconds_total", "counter", (double)disk.took_us / 1e6);
    put(&b, "late_seconds_total", "counter", (double)n->late_us / 1e6);
    put(&b, "late_given_back_seconds_total", "counter", (double)n->late_given_us / 1e6);
    put(&b, "late_charged_seconds_total", "counter", (double)n->late_charged_us / 1e6);
    put(&b, "cpu_seconds_total", "counter", cpu_seconds());
    put_histograms(&b, srv);
    api_text(c, 200, "text/plain; version=0.0.4", (text){b.bytes, b.len});
    buffer_free(&b);
}

static const api_route routes[] = {
    {"GET", "/api/v1/health", get_health, false},
    {"GET", "/metrics", get_metrics, false},
    {.pattern = NULL},
};

const feature health_feature = {.name = "health", .routes = routes};
