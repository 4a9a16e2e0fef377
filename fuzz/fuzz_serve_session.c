// Two programs and a page at one server, saying anything: login, seeks, games, offers. Every line
// of the input is said by one of them, as its first letter tells:
//   a b     a program
//   p       the page, over its WebSocket
//   A B     the program's line without its end
//   x y z   hangs up and comes back: a, b, the page
// The programs are guests from the start; `@` in a line is the token of the one who says it, `#`
// the number of the game it last heard of.
#include "serve.h"

enum { CLIENTS = 3, PAGE = 2, MOST_LINES = 400 };

typedef struct {
    fuzz_server *server;
    int fds[CLIENTS];
    char tokens[CLIENTS][64], games[CLIENTS][16];
} talk;

// Copies what follows the key: so many bytes, or digits.
static void pick(text all, const char *key, size_t len, char *to, size_t size) {
    all = text_skip(all, text_find(all, key));
    all = text_skip(all, strlen(key));
    size_t digits = 0;
    while (digits < all.len && all.at[digits] >= '0' && all.at[digits] <= '9')
        digits++;
    len = len ? len : digits;
    if (len && len <= all.len && len < size) {
        memcpy(to, all.at, len);
        to[len] = '\0';
    }
}

// Reads what has come, and a token and a game out of it.
static void hear(talk *t, int who) {
    static char heard[65536];
    ssize_t got;
    while ((got = recv(t->fds[who], heard, sizeof heard, MSG_DONTWAIT)) > 0) {
        text all = {heard, (size_t)got};
        pick(all, "krt_", ACCOUNT_TOKEN_SIZE - 5, t->tokens[who], sizeof t->tokens[who]);
        pick(all, "game id=", 0, t->games[who], sizeof t->games[who]);
        pick(all, "\"game\",\"id\":", 0, t->games[who], sizeof t->games[who]);
    }
}

static void say(talk *t, int who, const char *bytes, size_t len) {
    if (who == PAGE) {
        uint8_t head[8] = {0x81, (uint8_t)(0x80 | (len < 126 ? len : 126)), (uint8_t)(len >> 8),
                           (uint8_t)len};
        if (len < 126)
            memset(head + 2, 0, 6);
        fuzz_send(t->fds[who], head, len < 126 ? 6 : 8);
    }
    fuzz_send(t->fds[who], bytes, len);
}

static void come(talk *t, int who) {
    t->fds[who] = fuzz_connect(t->server, who == PAGE);
    if (who == PAGE)
        fuzz_upgrade(t->fds[who]);
    fuzz_turn(t->server, 2);
    hear(t, who);
}

// The line with its tokens filled in.
static size_t fill_in(const talk *t, int who, text line, char *out, size_t size) {
    writer w = writer_on(out, size - 1);
    for (size_t i = 0; i < line.len; i++)
        if (line.at[i] == '@')
            write_format(&w, "krt_%s", t->tokens[who]);
        else if (line.at[i] == '#')
            write_string(&w, t->games[who][0] ? t->games[who] : t->games[0]);
        else
            write_char(&w, line.at[i]);
    return w.used;
}

static void take_line(talk *t, text line) {
    char out[16384];
    char how = line.len ? line.at[0] : 'a';
    if (how >= 'x' && how <= 'z') {
        close(t->fds[how - 'x']);
        fuzz_turn(t->server, 2);
        come(t, how - 'x');
        return;
    }
    int who = how == 'p' ? PAGE : how == 'b' || how == 'B';
    size_t len = fill_in(t, who, text_skip(line, 1), out, sizeof out);
    if (how != 'A' && how != 'B' && who != PAGE)
        out[len++] = '\n';
    say(t, who, out, len);
    fuzz_turn(t->server, 2);
    for (int i = 0; i < CLIENTS; i++)
        hear(t, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    talk t = {.server = fuzz_begin()};
    for (int who = 0; who < CLIENTS; who++) {
        come(&t, who);
        if (who != PAGE)
            say(&t, who, "login guest=yes\n", 16);
    }
    fuzz_turn(t.server, 2);
    for (int i = 0; i < CLIENTS; i++)
        hear(&t, i);
    text rest = {(const char *)data, size};
    for (int n = 0; rest.len && n < MOST_LINES; n++)
        take_line(&t, text_next_line(&rest));
    for (int i = 0; i < CLIENTS; i++)
        close(t.fds[i]);
    fuzz_end(t.server);
    return 0;
}
