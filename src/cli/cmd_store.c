// kraton store copy: a whole server from one database to another.
#include "cli/cli.h"
#include "cli/screen.h"
#include "cli/terminal.h"
#include "os/clock.h"
#include "store/copy.h"

#include <stdio.h>

enum { SHOW_US = 200000 };

typedef struct {
    int64_t begun, shown;
    bool shows;
} copy_run;

// Verifying takes about as long as copying: the time left is that of both.
static bool show_progress(void *context, const store_copy_progress *p) {
    copy_run *run = context;
    int64_t now = clock_us();
    if (run->shows && now - run->shown >= SHOW_US) {
        double share = p->total ? (double)p->done / (double)p->total : 1;
        share = p->is_verifying ? (1 + share) / 2 : share / 2;
        double left = share > 0 ? (double)(now - run->begun) / 1e6 * (1 - share) / share : 0;
        fprintf(stderr, "\r\033[K%s %s: %3.0f%%, %.0f s left",
                p->is_verifying ? "comparing" : "copying", p->table, share * 100, left);
        run->shown = now;
    }
    return !screen_is_interrupted();
}

int cmd_store_copy(const command *self, int argc, char **argv) {
    const option table[] = {{.name = NULL}};
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    for (int i = 0; i < 2; i++)
        if (!store_is_place(argv[i]))
            return misuse("kraton store copy: sqlite:DIR or postgresql://..., not %s",
                          fault_quote(text_of(argv[i])).shown);
    copy_run run = {.begun = clock_us(), .shows = stderr_is_terminal()};
    int64_t rows;
    fault why;
    screen_catch_interrupt();
    bool good = store_copy(argv[0], argv[1], show_progress, &run, &rows, &why);
    if (run.shown)
        fputs("\r\033[K", stderr);
    if (!good) {
        complain("kraton store copy: %s", why.line);
        return screen_is_interrupted() ? STATUS_INTERRUPTED : STATUS_BAD;
    }
    printf("%lld rows copied and compared\n", (long long)rows);
    return STATUS_OK;
}
