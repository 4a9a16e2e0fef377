#include "cli/options.h"
#include "features/features.h"
#include "os/file.h"
#include "server/serve.h"
#include "store/players.h"

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

static bool read_number(const char *name, const char *value, int64_t high, int *number) {
    int64_t n;
    if (!value)
        return true;
    if (!text_to_int(text_of(value), 0, high, &n)) {
        complain("kraton serve: --%s takes a number from 0 to %lld, not %s", name, (long long)high,
                 fault_quote(text_of(value)).shown);
        return false;
    }
    *number = (int)n;
    return true;
}

static int back_up(const char *data, const char *to) {
    fault why;
    if (!store_backup(data, to, &why))
        return complain("kraton serve: %s", why.line);
    printf("%s holds everything up to now\n", to);
    return STATUS_OK;
}

static bool holds_page(const char *folder) {
    char index[4096];
    writer w = writer_on(index, sizeof index);
    write_format(&w, "%s/index.html", folder);
    os_file file;
    return folder[0] && !w.overflow && os_file_open(&file, index, OS_FILE_READ) &&
           os_file_close(&file);
}

// Finds the page's folder: where it is installed, or beside the program, as in a build folder.
static bool find_web(const char *program, char *web, size_t size) {
    static const char *const places[] = {KRATON_INSTALLED_WEB, "web"};
    const char *slash = strrchr(program, '/');
    text folder = {program, slash ? (size_t)(slash - program) : 0};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        writer w = writer_on(web, size);
        write_text(&w, folder);
        write_format(&w, "/%s", places[i]);
        if (!w.overflow && holds_page(web))
            return true;
    }
    return false;
}

// Sets the page's folder, unless it was given. A server without a page serves everything else.
static void choose_web(serve_options *o, char *web, size_t size) {
    static const char without_page[] = "browsers get no page; programs and the API work";
    if (o->web && !holds_page(o->web))
        complain("kraton serve: --web '%s' has no page (no index.html there): %s", o->web,
                 without_page);
    else if (!o->web && find_web(o->program, web, size))
        o->web = web;
    else if (!o->web)
        complain("kraton serve: no page found: %s (cmake --install puts the page in place, --web "
                 "DIR names its folder)",
                 without_page);
}

// Makes an account an arbiter's; a server that runs sees it when the account next comes.
static int make_arbiter(const char *data, const char *name) {
    fault why;
    stored_player p;
    store *s = store_open_second(data, &why);
    if (!s)
        return complain("kraton serve: there is no server's data in %s", data);
    bool found = store_find_player_named(s, text_of(name), &p) && p.kind == PLAYER_PERSON;
    if (found)
        store_set_role(s, p.id, ROLE_ARBITER);
    bool kept = store_commit(s, &why);
    store_close(s);
    if (!kept)
        return complain("kraton serve: %s", why.line);
    if (!found)
        return complain("kraton serve: no account has the name %s",
                        fault_quote(text_of(name)).shown);
    printf("%s is an arbiter from the next login on\n", p.name);
    return STATUS_OK;
}

int cmd_serve(const command *self, int argc, char **argv) {
    serve_options o = {.address = "127.0.0.1",
                       .port = 8600,
                       .bot_port = 8601,
                       .data = "kraton-data",
                       .grace_s = 30,
                       .late_credit_s = SERVE_LATE_CREDIT_S,
                       .reserve_mb = SERVE_RESERVE_MB,
                       .house_bots = 4,
                       .version = KRATON_VERSION};
    const char *arbiter = NULL, *port = NULL, *bot_port = NULL, *backup = NULL, *grace = NULL,
               *bot_count = NULL, *reserve = NULL, *late_credit = NULL, *proxies = NULL;
    const option options[] = {
        {"port", 0, "N", "HTTP and WebSocket (8600; 0: any)", .string = &port},
        {"bot-port", 0, "N", "the line protocol for programs (8601; 0: any)", .string = &bot_port},
        {"address", 0, "IP", "to listen on (127.0.0.1; 0.0.0.0: everywhere)", .string = &o.address},
        {"data", 0, "DIR", "where everything is kept (kraton-data)", .string = &o.data},
        {"tls-cert", 0, "FILE", "certificate chain, PEM: TLS on both ports",
         .string = &o.tls_certificate},
        {"tls-key", 0, "FILE", "its key, PEM", .string = &o.tls_key},
        {"durable", 0, NULL, "every move is on the disk before it is told", .flag = &o.durable},
        {"grace", 0, "S",
         "after a restart, absent players' clocks start by then (30; or a tenth of "
         "the base time, but 2 at least)",
         .string = &grace},
        {"late-credit", 0, "S",
         "most time an hour that a game gets back for delays of the server "
         "(10)",
         .string = &late_credit},
        {"reserve", 0, "MB", "stand still with less of the disk left than that (64)",
         .string = &reserve},
        {"bots", 0, "N", "engine processes for house bots at most (4)", .string = &bot_count},
        {"lag-credit-rated", 0, NULL, "people get lag credit in rated games too",
         .flag = &o.lag_credit_rated},
        {"web", 0, "DIR", "the page's files, where they are not found by themselves",
         .string = &o.web},
        {"trusted-proxy", 0, "IP,...",
         "reverse proxies whose X-Forwarded-For, Forwarded and PROXY "
         "headers are believed (addresses or networks)",
         .string = &proxies},
        {"user", 0, "NAME", "become that user once the ports are open", .string = &o.user},
        {"backup", 0, "FILE", "copy the data folder's database, in use or not, and end",
         .string = &backup},
        {"arbiter", 0, "NAME", "make that account an arbiter, and end", .string = &arbiter},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, options, &argc, argv, &status))
        return status;
    if (!read_number("port", port, 65535, &o.port) ||
        !read_number("bot-port", bot_port, 65535, &o.bot_port) ||
        !read_number("grace", grace, 86400, &o.grace_s) ||
        !read_number("late-credit", late_credit, 3600, &o.late_credit_s) ||
        !read_number("reserve", reserve, 1000000, &o.reserve_mb) ||
        !read_number("bots", bot_count, 256, &o.house_bots))
        return STATUS_USAGE;
    if (!o.tls_certificate != !o.tls_key) {
        complain("kraton serve: --tls-cert and --tls-key go together");
        return STATUS_USAGE;
    }
    trusted_proxies trusted;
    fault why;
    if (proxies && !proxies_parse(text_of(proxies), &trusted, &why)) {
        complain("kraton serve: --trusted-proxy: %s", why.line);
        return STATUS_USAGE;
    }
    o.proxies = proxies ? &trusted : NULL;
    umask(0077); // whatever is written is for its owner's eyes
    if (arbiter)
        return make_arbiter(o.data, arbiter);
    if (backup)
        return back_up(o.data, backup);
    char program[4096], web[4096];
    size_t size = sizeof program;
    if (uv_exepath(program, &size) != 0)
        return complain("kraton serve: cannot find this program's own file");
    o.program = program;
    choose_web(&o, web, sizeof web);
    return server_run(&o, features_all, print_ready, &why) ? STATUS_OK
                                                           : complain("kraton serve: %s", why.line);
}
