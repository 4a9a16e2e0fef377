// kraton-GAME: the engines. ENGINE_GAME is the game this is compiled for.
#include "base/suggest.h"
#include "base/version.h"
#include "engine/arguments.h"
#include "engine/engine.h"
#include "games/network.h"
#include "os/file.h"
#include "os/process.h"
#include "search/search.h"

#include <errno.h>
#include <stdio.h>

enum { STATUS_OK = 0, STATUS_BAD = 1, STATUS_USAGE = 2, GAME_SECONDS = 15 * 60, PATH_SIZE = 4096 };

static void print_version(void) {
    char lines[VERSION_SIZE];
    writer w = writer_on(lines, sizeof lines);
    version_write(ENGINE_PROGRAM, &w);
    fputs(lines, stdout);
}

static int complain(const char *words, const char *argument) {
    fprintf(stderr, "%s: %s%s\n", ENGINE_PROGRAM, words, argument);
    return STATUS_USAGE;
}

static int complain_option(const char *argument) {
    suggestion near = suggest_for(text_of(argument));
    arguments_suggest(&near);
    fprintf(stderr, "%s: no such option (--help): %s%s\n", ENGINE_PROGRAM, argument,
            suggest_hint(&near).shown);
    return STATUS_USAGE;
}

// `SECONDS` or `MINUTES:SECONDS`
static bool read_time(const char *value, int64_t *us) {
    text all = text_of(value);
    const char *colon = strchr(value, ':');
    text minutes = {value, colon ? (size_t)(colon - value) : 0};
    text seconds = colon ? text_skip(all, minutes.len + 1) : all;
    int64_t m = 0, s;
    if ((colon && !text_to_int(minutes, 0, 10000, &m)) || !text_to_int(seconds, 0, 1000000, &s))
        return false;
    *us = (m * 60 + s) * 1000000;
    return *us > 0;
}

static int run_bench(const char *depth, const char *name) {
    int64_t plies = SEARCH_BENCH_DEPTH;
    if (depth && !text_to_int(text_of(depth), 1, SEARCH_MAX_PLY - 1, &plies))
        return complain("no depth: ", depth);
    network *n;
    fault why;
    if (!network_choose(name ? name : "default", ENGINE_GAME, &n, &why))
        return complain("", why.line);
    search_signature signature = search_bench((int)plies, n);
    network_free(n);
    double seconds = (double)signature.time_us / 1e6;
    printf("%llu nodes, %.3f s, %.0f nodes/s, %d positions\n", (unsigned long long)signature.nodes,
           seconds, seconds > 0 ? (double)signature.nodes / seconds : 0.0, signature.positions);
    return STATUS_OK;
}

// Prints the help, the version or the manual page.
static int print_about(argument_kind kind) {
    bool is_done = true;
    if (kind == ARGUMENT_HELP)
        arguments_print_help(ENGINE_PROGRAM);
    else if (kind == ARGUMENT_VERSION)
        print_version();
    else
        is_done = arguments_print_manual(ENGINE_PROGRAM, rules_find(text_of(ENGINE_GAME)));
    if (is_done && fflush(stdout) == 0)
        return STATUS_OK;
    complain("cannot write the output", "");
    return STATUS_BAD;
}

// The terms among the arguments; -1 where they are as they should be.
static int read_terms(char **arguments, engine_terms *terms) {
    int64_t depth = 0;
    for (char **a = arguments; *a; a++) {
        argument_kind kind = argument_find(*a);
        switch (kind) {
        case ARGUMENT_NONE:
            return complain_option(*a);
        case ARGUMENT_HELP:
        case ARGUMENT_MAN:
        case ARGUMENT_VERSION:
            return print_about(kind);
        default:
            break;
        }
        if (!a[1])
            return complain("a value is missing after ", *a);
        a++;
        if (kind == ARGUMENT_RULES)
            terms->rules = *a;
        if (kind == ARGUMENT_DEPTH && !text_to_int(text_of(*a), 1, SEARCH_MAX_PLY - 1, &depth))
            return complain("no depth: ", *a);
        if (kind == ARGUMENT_TIME && !read_time(*a, &terms->game_time_us))
            return complain("neither seconds nor MINUTES:SECONDS: ", *a);
    }
    terms->depth = (int)depth;
    return -1;
}

static bool set_options(engine *e, char **arguments, fault *why) {
    for (char **a = arguments; *a; a += 2) {
        text value = text_of(a[1]), name = value;
        if (!text_is(text_of(*a), "--option"))
            continue;
        name.len = text_find(name, "=");
        if (!engine_set(e, name, text_skip(value, name.len + 1), why))
            return false;
    }
    return true;
}

// Runs kraton-NAME, from the folder of this program, in its place; arguments[0] is replaced by its
// path. Returns only when that fails, with the reason.
static void become(const char *name, char **arguments, fault *why) {
    char path[PATH_SIZE];
    if (!os_self_path(path, sizeof path)) {
        fault_set(why, "cannot find this program's own file");
        return;
    }
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    writer w = writer_on(path + folder, sizeof path - folder);
    write_format(&w, "kraton-%s", name);
    if (w.overflow || !os_path_is_program(path)) {
        fault_set(why, "kraton-%s is not beside this program; it comes with %s", name,
                  strncmp(name, "lab-", 4) == 0 ? "a build of the checkout"
                                                : "the same package or build");
        return;
    }
    arguments[0] = path;
    os_process_become(path, arguments);
    fault_set(why, "%s: %s", path, strerror(errno));
}

// `--player NAME`: runs kraton-NAME instead, with the other arguments. Returns -1 if the option is
// not given, or a status if that program cannot be run.
static int run_player(char **arguments) {
    char **a = arguments + 1;
    while (*a && strcmp(*a, "--player") != 0)
        a++;
    if (!*a)
        return -1;
    const char *name = a[1];
    if (!name)
        return complain("a value is missing after ", *a);
    static const char *const players[] = {"paper3", "paper3-table", "paper4", NULL};
    int known = 0;
    while (players[known] && strcmp(players[known], name) != 0)
        known++;
    if (!players[known]) {
        suggestion near = suggest_for(text_of(name));
        for (known = 0; players[known]; known++)
            suggest_offer(&near, players[known]);
        fprintf(stderr, "%s: no player: %s%s\n", ENGINE_PROGRAM, name, suggest_hint(&near).shown);
        return STATUS_USAGE;
    }
    for (char **rest = a; (rest[0] = rest[2]) != NULL; rest++)
        continue;
    fault why;
    become(name, arguments, &why);
    return complain("no player: ", why.line);
}

// What only researchers need is in a program of its own.
static int run_lab(char **arguments) {
    fault why;
    become("lab-" ENGINE_GAME, arguments, &why);
    return complain(why.line, "");
}

int main(int argc, char **argv) {
    fault why;
    os_process_begin(&argc, &argv);
    int player = run_player(argv);
    if (player >= 0)
        return player;
    bool is_bench = argc > 1 && text_is(text_of(argv[1]), "bench");
    if ((is_bench && argc > 3 && text_is(text_of(argv[2]), "tables")) ||
        (argc > 1 &&
         (text_is(text_of(argv[1]), "selfplay") || text_is(text_of(argv[1]), "puzzles"))))
        return run_lab(argv);
    if (is_bench)
        return argc > 4 ? complain("one argument too many: ", argv[4])
                        : run_bench(argv[2], argc > 3 ? argv[3] : NULL);
    engine_terms terms = {.game = rules_find(text_of(ENGINE_GAME)),
                          .name = "Kraton " ENGINE_VERSION,
                          .game_time_us = (int64_t)GAME_SECONDS * 1000000};
    int status = read_terms(argv + 1, &terms);
    if (status >= 0)
        return status;
    engine *e = engine_new(&terms, &why);
    if (!e || !set_options(e, argv + 1, &why)) {
        if (e)
            engine_free(e);
        return complain("", why.line);
    }
    engine_serve(e);
    engine_free(e);
    return STATUS_OK;
}
