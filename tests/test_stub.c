// kraton-stub as a process: the same moves whatever the dialect, and each fault as it is named.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "rules/rules.h"

enum { PATIENCE_MS = 20000, MOMENT_MS = 200, LINE_MAX = 2 << 20 };

typedef struct {
    pid_t pid;
    int in, out; // of the child
    char *buffer;
    size_t begin, used; // what is read and not handed out is between them
} child;

static char stub_path[4096];

static int find_stub(void **unused) {
    (void)unused;
    ssize_t n = readlink("/proc/self/exe", stub_path, sizeof stub_path - 1);
    if (n <= 0)
        return -1;
    stub_path[n] = '\0';
    for (int i = 0; i < 2; i++) // .../tests/test_stub
        *strrchr(stub_path, '/') = '\0';
    writer w = {stub_path, sizeof stub_path, strlen(stub_path), false};
    write_string(&w, "/kraton-stub");
    return access(stub_path, X_OK);
}

static child start(const char *const arguments[]) {
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    const char *full[16] = {stub_path};
    for (int i = 0; arguments[i]; i++)
        full[i + 1] = arguments[i];
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        setpgid(0, 0);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        for (int i = 0; i < 2; i++) {
            close(in[i]);
            close(out[i]);
        }
        execv(stub_path, (char *const *)full);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    return (child){.pid = pid, .in = in[1], .out = out[0], .buffer = malloc(LINE_MAX)};
}

static void send_to(child *c, const char *lines) {
    size_t n = strlen(lines);
    assert_int_equal(write(c->in, lines, n), (ssize_t)n);
}

// More output: its size, 0 at its end, -1 when none comes in that time.
static ssize_t more(child *c, int milliseconds) {
    struct pollfd p = {.fd = c->out, .events = POLLIN};
    if (poll(&p, 1, milliseconds) <= 0)
        return -1;
    memmove(c->buffer, c->buffer + c->begin, c->used - c->begin);
    c->used -= c->begin;
    c->begin = 0;
    assert_true(c->used < LINE_MAX);
    ssize_t n = read(c->out, c->buffer + c->used, LINE_MAX - c->used);
    c->used += n > 0 ? (size_t)n : 0;
    return n;
}

// The next line into `line`; false at the end of the output.
static bool next_line(child *c, char line[512]) {
    for (;;) {
        const char *from = c->buffer + c->begin, *end = memchr(from, '\n', c->used - c->begin);
        if (end) {
            size_t n = (size_t)(end - from), kept = n < 511 ? n : 511;
            memcpy(line, from, kept);
            line[kept] = '\0';
            c->begin += n + 1;
            return true;
        }
        ssize_t got = more(c, PATIENCE_MS);
        assert_true(got >= 0);
        if (got == 0)
            return false;
    }
}

// Reads on to a line that begins so, and gives what follows; false at the end of the output.
static bool line_after(child *c, const char *prefix, char rest[512]) {
    char line[512];
    while (next_line(c, line))
        if (text_starts(text_of(line), prefix)) {
            writer w = writer_on(rest, 512);
            write_string(&w, line + strlen(prefix));
            return true;
        }
    return false;
}

static bool is_silent(child *c) {
    return !memchr(c->buffer + c->begin, '\n', c->used - c->begin) && more(c, MOMENT_MS) == -1;
}

static int end(child *c, int with_signal) {
    int status = 0;
    if (with_signal)
        kill(c->pid, with_signal);
    close(c->in);
    assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
    close(c->out);
    free(c->buffer);
    return status;
}

static bool is_alive(const child *c) { return waitpid(c->pid, NULL, WNOHANG) == 0; }

// --- the moves ----------------------------------------------------------------------------------

typedef struct {
    const char *hello, *ready, *done;
    const char *first, *answer; // asks for the first move; what stands before it
} manner;

static const manner manners[] = {
    {"uci\n", "ucinewgame\nisready\n", "readyok", "position startpos\ngo depth 1\n", "bestmove "},
    {"ucci\n", "isready\n", "readyok", "position startpos\ngo depth 1\n", "bestmove "},
    {"xboard\nprotover 2\n", "new\nping 1\n", "pong 1", "go\n", "move "},
    {"name?\n", "", "name", "new black\n", "move "},
};

static void moves_do_not_depend_on_the_dialect(void **unused) {
    (void)unused;
    const char *const games[] = {"surakarta", "xiangqi"};
    for (int g = 0; g < 2; g++) {
        rules_move first = MOVE_NONE;
        const rules_game *game = rules_find(text_of(games[g]));
        rules_set set = rules_default_set(game);
        void *memory = malloc(rules_state_size(1));
        rules_state *s = rules_state_new(memory, game, &set, 1);
        for (int d = 0; d < (g == 0 ? 4 : 3); d++) {
            child c = start((const char *[]){"--game", games[g], "--seed", "9", NULL});
            char word[512];
            rules_move move;
            send_to(&c, manners[d].hello);
            send_to(&c, manners[d].ready);
            assert_true(line_after(&c, manners[d].done, word));
            send_to(&c, manners[d].first);
            assert_true(line_after(&c, manners[d].answer, word));
            assert_true(rules_parse_move(s, text_of(word), &move, NULL));
            if (d == 0)
                first = move;
            assert_int_equal(move, first);
            send_to(&c, "quit\n");
            assert_int_equal(end(&c, 0), 0);
        }
        free(memory);
    }
}

// --- faults -------------------------------------------------------------------------------------

static child start_faulty(const char *kind) {
    child c = start((const char *[]){"--fault", kind, NULL});
    char rest[512];
    send_to(&c, "uci\n");
    assert_true(line_after(&c, "uciok", rest));
    return c;
}

// One good move, then the one that goes wrong.
static child reach_fault(const char *kind) {
    char argument[64], rest[512];
    writer w = writer_on(argument, sizeof argument);
    write_format(&w, "%s@2", kind);
    child c = start_faulty(argument);
    send_to(&c, "ucinewgame\nposition startpos\ngo depth 1\n");
    assert_true(line_after(&c, "bestmove ", rest));
    send_to(&c, "position startpos\ngo depth 1\n");
    return c;
}

static void it_ends_itself(void **unused) {
    (void)unused;
    char rest[512];
    child c = reach_fault("crash");
    assert_false(line_after(&c, "bestmove ", rest));
    int status = end(&c, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    c = reach_fault("exit");
    assert_false(line_after(&c, "bestmove ", rest));
    status = end(&c, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    c = start((const char *[]){"--fault", "no-start", NULL});
    assert_false(next_line(&c, rest));
    status = end(&c, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

static void it_falls_silent(void **unused) {
    (void)unused;
    char rest[512];
    child c = reach_fault("hang");
    send_to(&c, "isready\nquit\n");
    assert_true(is_silent(&c) && is_alive(&c));
    end(&c, SIGTERM);

    c = reach_fault("no-newline");
    assert_true(line_after(&c, "info ", rest));
    while (c.used - c.begin < strlen("bestmove a0a1"))
        assert_true(more(&c, PATIENCE_MS) > 0);
    assert_true(text_starts((text){c.buffer + c.begin, c.used - c.begin}, "bestmove "));
    assert_true(is_silent(&c) && is_alive(&c));
    end(&c, SIGTERM);

    c = reach_fault("close-stdout");
    assert_false(line_after(&c, "bestmove ", rest));
    assert_true(is_alive(&c));
    end(&c, SIGTERM);

    c = start((const char *[]){"--fault", "mute", NULL});
    send_to(&c, "uci\n");
    assert_true(is_silent(&c) && is_alive(&c));
    end(&c, SIGTERM);
}

static void it_talks_too_much(void **unused) {
    (void)unused;
    char rest[512], line[512];
    child c = reach_fault("flood-info");
    for (int i = 0; i < 100000; i++) {
        assert_true(next_line(&c, line));
        assert_true(text_starts(text_of(line), "info "));
    }
    end(&c, SIGTERM);

    const char *const rubbish_first[] = {"flood", "binary", "long-line", "bad-score"};
    for (int i = 0; i < 4; i++) {
        c = reach_fault(rubbish_first[i]);
        assert_true(next_line(&c, line));
        assert_false(text_starts(text_of(line), "info depth 1"));
        assert_true(line_after(&c, "bestmove ", rest));
        send_to(&c, "quit\n");
        assert_int_equal(end(&c, 0), 0);
    }

    c = reach_fault("late-output");
    assert_true(line_after(&c, "bestmove ", rest));
    assert_true(line_after(&c, "info depth 9", rest));
    end(&c, SIGTERM);
    c = reach_fault("early");
    assert_true(line_after(&c, "bestmove ", rest));
    assert_true(line_after(&c, "bestmove ", rest));
    end(&c, SIGTERM);
}

static bool is_legal_first(const char *word) {
    const rules_game *game = rules_find(text_of("xiangqi"));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(1));
    rules_move move;
    bool legal =
        rules_parse_move(rules_state_new(memory, game, &set, 1), text_of(word), &move, NULL);
    free(memory);
    return legal;
}

static void it_plays_wrongly(void **unused) {
    (void)unused;
    const char *const kinds[] = {"illegal", "illegal-once", "wrong-game"};
    for (int i = 0; i < 3; i++) {
        char word[512];
        child c = reach_fault(kinds[i]);
        assert_true(line_after(&c, "bestmove ", word));
        assert_false(is_legal_first(word));
        send_to(&c, "position startpos\ngo depth 1\n");
        assert_true(line_after(&c, "bestmove ", word));
        assert_int_equal(is_legal_first(word), i == 1);
        end(&c, SIGTERM);
    }
}

static void it_gives_up_or_claims(void **unused) {
    (void)unused;
    const struct {
        const char *fault, *ucci, *cecp;
    } cases[] = {
        {"resign@1", "resign", "resign"},
        {"offer-draw@1", "draw", "offer draw"},
        {"claim-draw@1", "", "1/2-1/2 {"},
        {"claim-win@1", "", "1-0 {"},
    };
    for (int i = 0; i < 4; i++) {
        char rest[512];
        child c = start((const char *[]){"--fault", cases[i].fault, NULL});
        send_to(&c, "ucci\nposition startpos\ngo depth 1\n");
        assert_true(line_after(&c, "bestmove ", rest));
        assert_true(strlen(rest) >= 4);
        assert_string_equal(cases[i].ucci, rest[4] ? rest + 5 : "");
        end(&c, SIGTERM);
        c = start((const char *[]){"--fault", cases[i].fault, NULL});
        send_to(&c, "xboard\nnew\ngo\n");
        assert_true(line_after(&c, cases[i].cecp, rest));
        end(&c, SIGTERM);
    }
}

static void it_will_not_leave(void **unused) {
    (void)unused;
    child c = start_faulty("ignore-quit");
    send_to(&c, "quit\n");
    assert_true(is_silent(&c) && is_alive(&c));
    int status = end(&c, SIGTERM);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);

    c = start_faulty("stubborn");
    send_to(&c, "quit\n");
    kill(c.pid, SIGTERM);
    assert_true(is_silent(&c) && is_alive(&c));
    status = end(&c, SIGKILL);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void it_leaves_a_process_behind(void **unused) {
    (void)unused;
    char rest[512];
    child c = reach_fault("fork");
    assert_true(line_after(&c, "bestmove ", rest));
    send_to(&c, "quit\n");
    int status;
    assert_int_equal(waitpid(c.pid, &status, 0), c.pid);
    assert_true(is_silent(&c)); // somebody still holds the pipe
    assert_int_equal(kill(-c.pid, SIGKILL), 0);
    assert_int_equal(more(&c, PATIENCE_MS), 0);
    close(c.in);
    close(c.out);
    free(c.buffer);
}

static void it_waits_when_told_to(void **unused) {
    (void)unused;
    char rest[512];
    child c = start((const char *[]){"--score", "-77", "--depth", "12", "--nodes", "345", NULL});
    send_to(&c, "uci\nposition startpos\ngo infinite\nisready\n");
    assert_true(line_after(&c, "readyok", rest));
    assert_true(is_silent(&c));
    send_to(&c, "stop\n");
    assert_true(line_after(&c, "info depth 12 score cp -77 nodes 345 ", rest));
    assert_true(line_after(&c, "bestmove ", rest));
    send_to(&c, "go ponder depth 1\nponderhit\n");
    assert_true(line_after(&c, "bestmove ", rest));
    end(&c, SIGTERM);
    c = start((const char *[]){"--fault", "slow-start", "--delay", "20", NULL});
    send_to(&c, "uci\n");
    assert_true(line_after(&c, "uciok", rest));
    end(&c, SIGTERM);
    c = start((const char *[]){"--think", "10", "--silent", NULL});
    send_to(&c, "uci\nposition startpos\ngo depth 1\n");
    assert_true(line_after(&c, "uciok", rest));
    assert_true(next_line(&c, rest));
    assert_true(text_starts(text_of(rest), "bestmove "));
    end(&c, SIGTERM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_do_not_depend_on_the_dialect),
        cmocka_unit_test(it_ends_itself),
        cmocka_unit_test(it_falls_silent),
        cmocka_unit_test(it_talks_too_much),
        cmocka_unit_test(it_plays_wrongly),
        cmocka_unit_test(it_gives_up_or_claims),
        cmocka_unit_test(it_will_not_leave),
        cmocka_unit_test(it_leaves_a_process_behind),
        cmocka_unit_test(it_waits_when_told_to),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, find_stub, NULL);
}
