// kraton doctor: looks whether everything that Kraton needs is there and works, and says what to do
// where it is not.
#include "base/buffer.h"
#include "base/encoding.h"
#include "base/version.h"
#include "cli/cli.h"
#include "cli/cmd_tb.h"
#include "cli/files.h"
#include "cli/sibling.h"
#include "cli/terminal.h"
#include "games/network.h"
#include "match/thinker.h"
#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

typedef enum { FOUND_GOOD, FOUND_WARNING, FOUND_BAD } finding;

typedef struct {
    const char *tables, *data, *network;
    bool is_tables_asked, is_data_asked; // by an option
    int port, bot_port;
    int warnings, failures;
} doctor;

static void report(doctor *d, finding f, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void report(doctor *d, finding f, const char *what, const char *format, ...) {
    static const char *const words[] = {"ok", "warning", "FAILED"};
    d->warnings += f == FOUND_WARNING;
    d->failures += f == FOUND_BAD;
    va_list args;
    va_start(args, format);
    printf("%-8s %-18s ", words[f], what);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
}

// --- programs -----------------------------------------------------------------------------------

static bool keeps_waiting(void *context) {
    (void)context;
    return true;
}

// Starts the engine of a game and greets it.
static void check_engine(doctor *d, const rules_game *game) {
    match_engine e = {0};
    thinker_listener listener = {.keeps_waiting = keeps_waiting};
    char self[SIBLING_PATH_SIZE], what[64];
    fault why;
    thinker *t = NULL;
    writer w = writer_on(what, sizeof what);
    write_format(&w, "engine %s", rules_name(game));
    if (sibling_self(self, &why) && sibling_engine(&e, game, NULL, &why)) {
        match_engine_complete(&e);
        t = thinker_open(&e, game, self, &listener, &why);
    }
    match_engine_free(&e);
    if (t) {
        report(d, FOUND_GOOD, what, "%s answers", thinker_name(t));
        thinker_close(t);
    } else {
        report(d, FOUND_BAD, what, "%s", why.line);
    }
}

// --- files --------------------------------------------------------------------------------------

static void ignore_line(void *context, const char *line) {
    (void)context;
    (void)line;
}

static void check_tables(doctor *d) {
    const char *folder = d->tables;
    if (!folder || !*folder) {
        report(
            d, FOUND_WARNING, "endgame tables",
            "KRATON_TABLES names no folder: `kraton tb build --pieces 5 --dir tables` makes some");
        return;
    }
    int found = 0;
    for (int rules = 0; rules < TB_CONVENTIONS; rules++) {
        kraton_tb *tables = kraton_tb_open(folder, rules, 0, ignore_line, NULL);
        if (!tables)
            continue;
        found++;
        report(d, FOUND_GOOD, "endgame tables", "%s: up to %d pieces under %s", folder,
               kraton_tb_pieces(tables), tb_rules_name((tb_rules)rules));
        kraton_tb_close(tables);
    }
    if (!found)
        report(d, d->is_tables_asked ? FOUND_BAD : FOUND_WARNING, "endgame tables",
               "none that can be used in %s", folder);
}

// The network that is part of the program for a game.
static void check_network(doctor *d, const rules_game *game) {
    char what[64];
    fault why;
    network *n;
    writer w = writer_on(what, sizeof what);
    write_format(&w, "network %s", rules_name(game));
    if (!network_choose("default", rules_name(game), &n, &why))
        report(d, FOUND_BAD, what, "%s", why.line);
    else if (!n)
        report(d, FOUND_GOOD, what, "none: the evaluation is made by hand");
    else
        report(d, FOUND_GOOD, what, "part of the program: %d units, checksum %016llx",
               n->shape.width, (unsigned long long)n->checksum);
    network_free(n);
}

// One for the engines' option EvalFile, of whichever game.
static void check_network_file(doctor *d) {
    const char *what = "network file";
    fault why;
    for (int i = 0; rules_nth(i); i++) {
        network *n = network_open(d->network, rules_name(rules_nth(i)), &why);
        if (!n)
            continue;
        report(d, FOUND_GOOD, what, "%s: for %s, %d units, checksum %016llx", d->network,
               rules_name(rules_nth(i)), n->shape.width, (unsigned long long)n->checksum);
        network_free(n);
        return;
    }
    report(d, FOUND_BAD, what, "%s", why.line);
}

static void check_page(doctor *d) {
    char page[SIBLING_PATH_SIZE];
    if (sibling_find_page(page))
        report(d, FOUND_GOOD, "page", "%s", page);
    else
        report(d, FOUND_WARNING, "page",
               "not found: `kraton serve` needs it for browsers; `cmake --install` installs it");
}

static void check_disk(doctor *d) {
    uint64_t bytes;
    fault why;
    if (!folder_takes_files(d->data, &why))
        report(d, d->is_data_asked ? FOUND_BAD : FOUND_WARNING, "data folder", "%s", why.line);
    const char *where = os_path_exists(d->data) ? d->data : ".";
    if (!os_disk_free(where, &bytes))
        report(d, FOUND_WARNING, "disk", "cannot tell how much is free in %s", where);
    else
        report(d, bytes < (uint64_t)256 << 20 ? FOUND_WARNING : FOUND_GOOD, "disk",
               "%.1f GB free in %s", (double)bytes / 1e9,
               strcmp(where, ".") == 0 ? "the current folder" : where);
}

// --- the system ---------------------------------------------------------------------------------

static void ignore_connection(uv_stream_t *stream, int status) {
    (void)stream;
    (void)status;
}

// Whether a server could listen there.
static void check_port(doctor *d, const char *what, int port) {
    uv_loop_t loop;
    uv_tcp_t tcp;
    struct sockaddr_in at;
    if (uv_loop_init(&loop) != 0)
        return;
    int error = uv_ip4_addr("127.0.0.1", port, &at);
    bool is_open = error == 0 && uv_tcp_init(&loop, &tcp) == 0;
    if (is_open) {
        error = uv_tcp_bind(&tcp, (const struct sockaddr *)&at, 0);
        if (error == 0)
            error = uv_listen((uv_stream_t *)&tcp, 1, ignore_connection);
        uv_close((uv_handle_t *)&tcp, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    uv_loop_close(&loop);
    if (error == 0)
        report(d, FOUND_GOOD, what, "%d is free", port);
    else if (error == UV_EADDRINUSE)
        report(d, FOUND_WARNING, what, "%d is in use: a server may be running", port);
    else
        report(d, FOUND_WARNING, what, "%d: %s", port, uv_strerror(error));
}

static void check_encodings(doctor *d) {
    buffer bytes = {0};
    if (encoding_from_utf8(ENCODING_GB18030, text_of("象"), &bytes))
        report(d, FOUND_GOOD, "GBK", "contest records can be read and written");
    else
        report(d, FOUND_BAD, "GBK",
               "the C library lacks GB18030: contest records cannot be read (on Debian, install "
               "libc-bin's gconv modules)");
    buffer_free(&bytes);
    terminal t = terminal_look();
    if (t.unicode)
        report(d, FOUND_GOOD, "locale",
               "UTF-8: boards are drawn with lines and Chinese characters");
    else
        report(d, FOUND_WARNING, "locale",
               "not UTF-8: boards are drawn in ASCII; LANG=C.UTF-8 changes that");
}

// Counts what fontconfig knows for Chinese.
static void check_fonts(doctor *d) {
    FILE *list = popen("fc-list :lang=zh family 2>/dev/null", "r");
    int fonts = 0, c;
    while (list && (c = fgetc(list)) != EOF)
        fonts += c == '\n';
    int status = list ? pclose(list) : -1;
    if (fonts)
        report(d, FOUND_GOOD, "Chinese fonts", "%d installed", fonts);
    else if (status == 0)
        report(
            d, FOUND_WARNING, "Chinese fonts",
            "none: terminals and browsers on this machine cannot show Chinese pieces (on Debian: "
            "fonts-noto-cjk)");
    else
        report(d, FOUND_GOOD, "Chinese fonts", "unknown: there is no fc-list to ask");
}

int cmd_doctor(const command *self, int argc, char **argv) {
    doctor d = {
        .tables = getenv("KRATON_TABLES"), .data = "kraton-data", .port = 8600, .bot_port = 8601};
    const char *port = NULL, *bot_port = NULL, *tables = NULL, *data = NULL;
    const option table[] = {
        {"tables", 0, "FOLDER", "endgame tables (KRATON_TABLES)", .string = &tables},
        {"network", 0, "FILE", "a network for the engines' option EvalFile", .string = &d.network},
        {"data", 0, "DIR", "data folder of a server (kraton-data)", .string = &data},
        {"port", 0, "N", "HTTP port of a server (8600)", .string = &port},
        {"bot-port", 0, "N", "port for programs of a server (8601)", .string = &bot_port},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!option_int(self, "port", port, 1, 65535, &d.port) ||
        !option_int(self, "bot-port", bot_port, 1, 65535, &d.bot_port))
        return STATUS_USAGE;
    d.is_tables_asked = tables != NULL;
    d.is_data_asked = data != NULL;
    d.tables = tables ? tables : d.tables;
    d.data = data ? data : d.data;
    report(&d, FOUND_GOOD, "version", "%s, commit %s", version_number, version_commit);
    report(&d, FOUND_GOOD, "processor", "%s", version_instruction_set());
    for (int i = 0; rules_nth(i); i++)
        check_engine(&d, rules_nth(i));
    for (int i = 0; rules_nth(i); i++)
        check_network(&d, rules_nth(i));
    if (d.network)
        check_network_file(&d);
    check_tables(&d);
    check_disk(&d);
    if (has_server) {
        check_page(&d);
        check_port(&d, "HTTP port", d.port);
        check_port(&d, "port for programs", d.bot_port);
    }
    check_encodings(&d);
    check_fonts(&d);
    printf("%d failed, %d warning%s\n", d.failures, d.warnings, d.warnings == 1 ? "" : "s");
    return d.failures ? STATUS_BAD : STATUS_OK;
}
