// The commands that a build for Windows refuses: those that need the server's parts.
#include "cli/cli.h"
#include "client/load.h"
#include "features/archive_bench.h"

const bool has_server = false;

static int refuse(const char *name) {
    return complain(
        "kraton %s: not on Windows; run it on Linux, or here under WSL or in a container", name);
}

int cmd_serve(const command *self, int argc, char **argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return refuse("serve");
}

int cmd_archive_import(const command *self, int argc, char **argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return refuse("archive import");
}

int cmd_store_copy(const command *self, int argc, char **argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return refuse("store copy");
}

bool server_bench(FILE *out, const server_bench_plan *plan, fault *why) {
    (void)out;
    (void)plan;
    return fault_set(why, "the server is not on Windows");
}

bool archive_bench(FILE *out, const archive_bench_plan *plan, bool (*goes_on)(void), fault *why) {
    (void)out;
    (void)plan;
    (void)goes_on;
    return fault_set(why, "the archive is not on Windows");
}
