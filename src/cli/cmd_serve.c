// kraton serve: the battle server.
#include "base/suggest.h"
#include "base/version.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/sibling.h"
#include "features/features.h"
#include "os/file.h"
#include "server/account.h"
#include "server/serve.h"
#include "store/players.h"

#include <stddef.h>
#include <stdio.h>
#include <uv.h>

static void print_ready(const server *srv) {
    const char *http = srv->tls ? "https" : "http", *address = srv->options->address;
    const char *host =
        strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0 ? "localhost" : address;
    printf("Kraton serves %s://%s:%d/ to people and %s:%d to programs; Ctrl-C stops it.\n", http,
           host, listener_port(&srv->web), host, listener_port(&srv->programs));
    fflush(stdout);
}

static int back_up(const char *place, const char *to) {
    fault why;
    if (!store_backup(place, to, &why))
        return complain("kraton serve: %s", why.line);
    printf("%s holds everything up to now\n", to);
    return STATUS_OK;
}

// Sets the page's folder, unless it was given. A server without a page serves everything else.
static void choose_web(serve_options *o, char web[SIBLING_PATH_SIZE]) {
    static const char without_page[] = "browsers get no page; programs and the API work";
    if (o->web && !sibling_holds_page(o->web))
        complain("kraton serve: --web '%s' has no page (no index.html there): %s", o->web,
                 without_page);
    else if (!o->web && sibling_find_page(web))
        o->web = web;
    else if (!o->web)
        complain("kraton serve: no page found: %s (cmake --install puts the page in place, --web "
                 "DIR names its folder)",
                 without_page);
}

// The database of a server, which may be running. NULL after a complaint.
static store *open_place(const char *place) {
    fault why;
    store *s = store_open_second(place, &why);
    const char *folder = store_folder(place);
    if (!s && folder)
        complain("kraton serve: there is no server's data in %s", folder);
    else if (!s)
        complain("kraton serve: %s", why.line);
    return s;
}

// Gives an account the role of an arbiter, or takes it away. A running server sees the one at the
// next login and the other with the next decision.
static int set_arbiter(const char *place, const char *name, player_role role) {
    fault why;
    stored_player p;
    store *s = open_place(place);
    if (!s)
        return STATUS_BAD;
    bool found = store_find_player_named(s, text_of(name), &p) && p.kind == PLAYER_PERSON;
    if (found)
        store_set_role(s, p.id, role);
    bool kept = store_commit(s, &why);
    store_close(s);
    if (!kept)
        return complain("kraton serve: %s", why.line);
    if (!found)
        return complain("kraton serve: no account has the name %s",
                        fault_quote(text_of(name)).shown);
    printf(role == ROLE_ARBITER ? "%s is an arbiter from the next login on\n"
                                : "%s is no arbiter any more\n",
           p.name);
    return STATUS_OK;
}

static int reset_password(const char *place, const char *name) {
    fault why;
    char password[ACCOUNT_NEW_PASSWORD];
    store *s = open_place(place);
    if (!s)
        return STATUS_BAD;
    bool good = account_reset_password(s, text_of(name), password, &why);
    store_close(s);
    if (!good)
        return complain("kraton serve: %s", why.line);
    printf("the new password of %s is %s\nits browsers are logged out; change it after the login\n",
           name, password);
    return STATUS_OK;
}

// What the options say. Those that are more than text, and those of other tasks than to serve, are
// as they were given.
typedef struct {
    serve_options set;
    const char *port, *bot_port, *grace, *late_credit, *away, *keep_short, *reserve, *bots,
        *proxies;
    const char *log_format, *log_level, *metrics_for, *metrics_token;
    const char *arbiter, *no_arbiter, *forgotten, *backup;
} serve_words;

#define AT(field) .place = offsetof(serve_words, field)

static const option_row serve_rows[] = {
    {"port", 0, "N", "HTTP and WebSocket (8600; 0: any)", AT(port)},
    {"bot-port", 0, "N", "the line protocol for programs (8601; 0: any)", AT(bot_port)},
    {"address", 0, "IP", "to listen on (127.0.0.1; 0.0.0.0: everywhere)", AT(set.address)},
    {"data", 0, "DIR", "folder for all data (kraton-data)", AT(set.data)},
    {"store", 0, "PLACE", "the database: sqlite:DIR (the data folder) or postgresql://...",
     AT(set.store)},
    {"tls-cert", 0, "FILE", "certificate chain, PEM: TLS on both ports", AT(set.tls_certificate)},
    {"tls-key", 0, "FILE", "its key, PEM", AT(set.tls_key)},
    {"new", 0, NULL, "begin with nothing in a data folder that has no database", AT(set.is_new)},
    {"durable", 0, NULL, "write every move to the disk before it is sent", AT(set.durable)},
    {"grace", 0, "S",
     "after a restart, absent players' clocks start by then (30; or a tenth of "
     "the base time, but 2 at least)",
     AT(grace)},
    {"late-credit", 0, "S", "most time an hour that a game gets back for delays of the server (10)",
     AT(late_credit)},
    {"away", 0, "S",
     "a player away for so long has left the game (120): bots stop waiting, opponents may "
     "claim it, in fast games earlier",
     AT(away)},
    {"keep-short", 0, "DAYS",
     "unrated games of fewer than 10 moves are forgotten after so long (7; 0: never)",
     AT(keep_short)},
    {"reserve", 0, "MB", "stop play if the disk has less space left (64)", AT(reserve)},
    {"bots", 0, "N", "most engine processes for house bots (4)", AT(bots)},
    {"lag-credit-rated", 0, NULL, "people get lag credit in rated games too",
     AT(set.lag_credit_rated)},
    {"log", 0, "FILE",
     "append the log to that file; SIGHUP opens it anew and reads the certificate", AT(set.log)},
    {"log-format", 0, "text|json", "form of the log (text)", AT(log_format)},
    {"log-level", 0, "info|warning|error", "nothing less is logged (info)", AT(log_level)},
    {"access-log", 0, "FILE", "append a line for every HTTP request to that file",
     AT(set.access_log)},
    {"metrics-for", 0, "IP,...", "addresses or networks that may read /metrics (127.0.0.1,::1)",
     AT(metrics_for)},
    {"metrics-token-file", 0, "FILE", "holds a token with which anybody may read /metrics",
     AT(metrics_token)},
    {"web", 0, "DIR", "folder of the page, if it is not found by itself", AT(set.web)},
    {"trusted-proxy", 0, "IP,...",
     "reverse proxies whose X-Forwarded-For, Forwarded and PROXY "
     "headers are believed (addresses or networks)",
     AT(proxies)},
    {"user", 0, "NAME", "switch to that user when the ports are open", AT(set.user)},
    {"backup", 0, "FILE", "copy the database, which may be in use, and end", AT(backup)},
    {"arbiter", 0, "NAME", "make that account an arbiter, and end", AT(arbiter)},
    {"no-arbiter", 0, "NAME", "that account is no arbiter any more; end", AT(no_arbiter)},
    {"reset-password", 0, "NAME", "give that account a new password, print it, and end",
     AT(forgotten)},
};

enum { SERVE_OPTIONS = sizeof serve_rows / sizeof serve_rows[0] };

// False after a complaint. The options point to `trusted`.
static bool read_words(const command *self, serve_words *w, trusted_proxies trusted[2]) {
    serve_options *o = &w->set;
    fault why;
    log_level level = LEVEL_INFO;
    bool as_json = w->log_format && strcmp(w->log_format, "json") == 0;
    if (w->log_level && !log_level_find(text_of(w->log_level), &level))
        return false; // not to be: the table has the words
    log_set(as_json, level);
    if (!proxies_parse(text_of(w->metrics_for ? w->metrics_for : "127.0.0.1,::1"), &trusted[1],
                       &why)) {
        misuse("kraton serve: --metrics-for: %s", why.line);
        return false;
    }
    o->metrics_for = &trusted[1];
    if (!option_int(self, "port", w->port, 0, 65535, &o->port) ||
        !option_int(self, "bot-port", w->bot_port, 0, 65535, &o->bot_port) ||
        !option_int(self, "grace", w->grace, 0, 86400, &o->grace_s) ||
        !option_int(self, "late-credit", w->late_credit, 0, 3600, &o->late_credit_s) ||
        !option_int(self, "away", w->away, 1, 86400, &o->away_s) ||
        !option_int(self, "keep-short", w->keep_short, 0, 36500, &o->keep_short_days) ||
        !option_int(self, "reserve", w->reserve, 0, 1000000, &o->reserve_mb) ||
        !option_int(self, "bots", w->bots, 0, 256, &o->house_bots))
        return false;
    if (!o->tls_certificate != !o->tls_key) {
        misuse("kraton serve: --tls-cert and --tls-key go together");
        return false;
    }
    if (w->proxies && !proxies_parse(text_of(w->proxies), trusted, &why)) {
        misuse("kraton serve: --trusted-proxy: %s", why.line);
        return false;
    }
    o->proxies = w->proxies ? trusted : NULL;
    if (!store_is_place(o->store)) {
        text kind = {o->store, text_find(text_of(o->store), ":")};
        suggestion near = suggest_for(kind);
        suggest_offer(&near, "sqlite");
        suggest_offer(&near, "postgresql");
        misuse("kraton serve: --store: sqlite:DIR or postgresql://..., not %s%s",
               fault_quote(text_of(o->store)).shown, suggest_hint(&near).shown);
        return false;
    }
    return true;
}

static int serve(serve_options *o) {
    char program[SIBLING_PATH_SIZE], web[SIBLING_PATH_SIZE];
    size_t size = sizeof program;
    fault why;
    if (uv_exepath(program, &size) != 0)
        return complain("kraton serve: cannot find this program's own file");
    if (!folder_takes_files(o->data, &why))
        return complain("kraton serve: --data: %s", why.line);
    o->program = program;
    choose_web(o, web);
    return server_run(o, features_all, print_ready, &why) ? STATUS_OK
                                                          : complain("kraton serve: %s", why.line);
}

const bool has_server = true;

int cmd_serve(const command *self, int argc, char **argv) {
    serve_words w = {.set = {.address = "127.0.0.1",
                             .port = 8600,
                             .bot_port = 8601,
                             .grace_s = 30,
                             .late_credit_s = SERVE_LATE_CREDIT_S,
                             .away_s = SERVE_AWAY_S,
                             .keep_short_days = 7,
                             .reserve_mb = SERVE_RESERVE_MB,
                             .house_bots = 4,
                             .version = version_number}};
    option options[SERVE_OPTIONS + 1];
    options_place(serve_rows, SERVE_OPTIONS, &w, options);
    int status;
    if (!options_read(self, options, &argc, argv, &status))
        return status;
    serve_options *o = &w.set;
    trusted_proxies trusted[2];
    char metrics_line[256];
    if (!read_words(self, &w, trusted))
        return STATUS_USAGE;
    if (!o->data)
        o->data = store_folder(o->store) ? store_folder(o->store) : "kraton-data";
    const char *place = o->store ? o->store : o->data;
    umask(0077); // whatever is written is for its owner's eyes
    if (w.arbiter)
        return set_arbiter(place, w.arbiter, ROLE_ARBITER);
    if (w.no_arbiter)
        return set_arbiter(place, w.no_arbiter, ROLE_NONE);
    if (w.forgotten)
        return reset_password(place, w.forgotten);
    if (w.backup)
        return back_up(place, w.backup);
    if (w.metrics_token &&
        !(o->metrics_token = read_secret(w.metrics_token, metrics_line, sizeof metrics_line)))
        return misuse("kraton serve: %s holds no token", w.metrics_token);
    return serve(o);
}
