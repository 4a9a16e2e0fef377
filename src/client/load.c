#include "client/load.h"

#include "base/list.h"
#include "base/minmax.h"
#include "base/rng.h"
#include "base/table.h"
#include "client/latency.h"
#include "os/clock.h"
#include "os/process.h"
#include "protocol/message.h"
#include "rules/rules.h"
#include "server/account.h"
#include "server/serve.h"
#include "store/games.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    CONNECTING = 100, // handshakes under way at a time
    LATENCIES = 1 << 22,
    PINGS = 500,     // before the games, to compare with
    PATIENCE_S = 120 // without anything happening
};

typedef struct bench bench;
typedef struct client client;

typedef struct {
    int64_t id;
    rules_state *state;
    int64_t sent; // when the last move was
    bool over;
} pairing;

struct client {
    uv_tcp_t tcp;
    uv_connect_t connect;
    bench *bench;
    int number;
    lines lines;
    bool is_ready;  // logged in, seeking or watching
    int64_t waits;  // the game it is to move in; 0: none
    list_link link; // among those who are to move
};

struct bench {
    const server_bench_plan *plan;
    FILE *out;
    uv_loop_t loop;
    uv_process_t server;
    uv_pipe_t output;
    uv_timer_t tick;
    char ready[512]; // its first line
    size_t ready_len;
    char folder[64];
    int port;
    char (*tokens)[ACCOUNT_TOKEN_SIZE];
    client *clients;
    int opened, most, ready_count, seated, over;
    linked_list to_move; // clients
    table games;
    rng chance;
    bool playing, failed;
    int64_t began, ended, heard, sent_moves;
    double cpu_before, cpu_after;
    int64_t *latencies;
    size_t latency_count;
    uint64_t watched; // moves spectators saw
    int64_t pings[PINGS], pinged;
    int ping_count;
    fault why;
    char read_buffer[65536];
};

static void fail(bench *b, const char *what) {
    if (!b->failed)
        fault_set(&b->why, "%s", what);
    b->failed = true;
    uv_stop(&b->loop);
}

// --- what the system says -----------------------------------------------------------------------

static double server_cpu(const bench *b) {
    os_child child = {.process = b->server.pid};
    return (double)os_child_cpu_us(&child) / 1e6;
}

static double server_memory_mb(const bench *b) {
    char path[64], line[256];
    long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)b->server.pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmRSS: %ld", &kb) == 1)
            break;
    if (f)
        fclose(f);
    return (double)kb / 1024;
}

// --- a client -----------------------------------------------------------------------------------

static void send_line(client *c, const char *line) {
    uv_buf_t into = uv_buf_init((char *)(uintptr_t)line, (unsigned)strlen(line));
    if (uv_try_write((uv_stream_t *)&c->tcp, &into, 1) != (int)into.len)
        fail(c->bench, "a client could not write");
}

static bool is_player(const client *c) { return c->number < 2 * c->bench->plan->games; }

static void log_in(client *c) {
    char line[128];
    snprintf(line, sizeof line, "login token=%s\n", c->bench->tokens[c->number]);
    send_line(c, line);
}

static void on_ready(client *c) {
    bench *b = c->bench;
    if (!c->is_ready)
        b->ready_count++;
    c->is_ready = true;
}

static void wait_for_turn(client *c, int64_t id) {
    bench *b = c->bench;
    c->waits = id;
    list_append(&b->to_move, &c->link);
}

static pairing *pairing_of(bench *b, const request *r) {
    int64_t id = 0;
    fault why;
    pairing *p = NULL;
    if (request_number(r, "game", 1, INT64_MAX, 0, &id, &why) && id)
        p = table_find(&b->games, id);
    return p;
}

static void on_game(client *c, const request *r) {
    bench *b = c->bench;
    int64_t id;
    fault why;
    if (!request_number(r, "id", 1, INT64_MAX, 0, &id, &why))
        return;
    on_ready(c);
    if (!is_player(c) || table_find(&b->games, id))
        return;
    pairing *p = calloc(1, sizeof *p);
    const rules_game *rules = rules_find(request_text(r, "game"));
    rules_set set = rules_default_set(rules);
    p->id = id;
    p->state = rules_state_new(malloc(rules_state_size(RULES_LONGEST_GAME)), rules, &set,
                               RULES_LONGEST_GAME);
    if (!table_add(&b->games, id, p))
        fail(b, "out of memory");
    b->seated++;
}

static void on_turn(client *c, const request *r, int64_t now) {
    bench *b = c->bench;
    pairing *p = pairing_of(b, r);
    text last = request_text(r, "move");
    fault why;
    if (!p) {
        fail(b, "a turn in no game");
        return;
    }
    if (last.len) {
        rules_move move;
        if (!rules_parse_move(p->state, last, &move, &why) || !rules_play(p->state, move, &why))
            fail(b, "the server passed on an illegal move");
        if (b->latency_count < LATENCIES)
            b->latencies[b->latency_count++] = now - p->sent;
    }
    wait_for_turn(c, p->id);
}

// Two players with neighbouring numbers seek the same game.
static void send_seek(client *c) {
    char line[64];
    writer w = writer_on(line, sizeof line);
    write_format(&w, "seek game=%s tc=600+1\n",
                 rules_name(rules_nth((c->number / 2 + 1) % RULES_GAMES)));
    send_line(c, line);
}

static void take_line(client *c, text line, int64_t now) {
    bench *b = c->bench;
    request r;
    fault why;
    b->heard = now;
    if (!request_read_line(&r, line, &why)) {
        fail(b, "a line that is none");
    } else if (text_is(r.verb, "kraton")) {
        log_in(c);
    } else if (text_is(r.verb, "welcome")) {
        if (is_player(c))
            send_seek(c);
        else
            on_ready(c);
    } else if (text_is(r.verb, "game")) {
        on_game(c, &r);
    } else if (text_is(r.verb, "turn")) {
        on_turn(c, &r, now);
    } else if (text_is(r.verb, "moved")) {
        b->watched += !is_player(c);
    } else if (text_is(r.verb, "ping")) {
        send_line(c, "pong\n"); // spectators have nothing else to say
    } else if (text_is(r.verb, "pong") && b->ping_count < PINGS) {
        b->pings[b->ping_count++] = now - b->pinged;
        b->pinged = 0;
    } else if (text_is(r.verb, "result")) {
        pairing *p = pairing_of(b, &r);
        if (p && !p->over && is_player(c)) {
            p->over = true;
            b->over++;
        }
    } else if (text_is(r.verb, "error") || text_is(r.verb, "bye")) {
        char words[200];
        snprintf(words, sizeof words, "the server said: %.*s", (int)min_size(line.len, 150),
                 line.at);
        fail(b, words);
    }
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *into) {
    (void)suggested;
    bench *b = ((client *)handle->data)->bench;
    *into = uv_buf_init(b->read_buffer, sizeof b->read_buffer);
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *into) {
    client *c = stream->data;
    if (got < 0) {
        fail(c->bench, "the server closed a connection");
        return;
    }
    text bytes = {into->base, (size_t)got}, line;
    int64_t now = clock_us();
    while (lines_next(&c->lines, &bytes, &line) == LINES_ONE)
        take_line(c, line, now);
}

static void on_connected(uv_connect_t *connect, int status) {
    client *c = connect->data;
    if (status < 0)
        fail(c->bench, "a client could not connect");
    else
        uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read);
}

static void open_client(bench *b) {
    client *c = &b->clients[b->opened];
    struct sockaddr_in at;
    *c = (client){.bench = b, .number = b->opened++};
    uv_ip4_addr("127.0.0.1", b->port, &at);
    uv_tcp_init(&b->loop, &c->tcp);
    uv_tcp_nodelay(&c->tcp, 1);
    c->tcp.data = c->connect.data = c;
    if (uv_tcp_connect(&c->connect, &c->tcp, (const struct sockaddr *)&at, on_connected) != 0)
        fail(b, "a client could not connect");
}

// --- playing ------------------------------------------------------------------------------------

static void make_move(bench *b, client *c) {
    pairing *p = table_find(&b->games, c->waits);
    rules_move moves[RULES_MAX_MOVES];
    char line[128], word[RULES_MOVE_SIZE];
    c->waits = 0;
    if (p->over)
        return;
    int count = rules_legal_moves(p->state, moves);
    uint32_t ply = rules_ply(p->state);
    rules_move move = moves[rng_below(&b->chance, (uint32_t)count)];
    writer w = writer_on(word, sizeof word);
    rules_format_move(p->state, move, NOTATION_NATIVE, &w);
    if (b->plan->most_plies && ply >= (uint32_t)b->plan->most_plies)
        snprintf(line, sizeof line, "resign game=%" PRId64 "\n", p->id);
    else
        snprintf(line, sizeof line, "move game=%" PRId64 " ply=%u move=%s\n", p->id, (unsigned)ply,
                 word);
    b->sent_moves++;
    p->sent = clock_us();
    if (!rules_play(p->state, move, NULL))
        fail(b, "a game is too long");
    rules_undo(p->state); // the server's word makes it a move
    send_line(c, line);
}

static void move_on(bench *b, int64_t now) {
    int64_t due =
        b->plan->rate ? (now - b->began) * b->plan->rate / 1000000 - b->sent_moves : INT64_MAX;
    while (!list_is_empty(&b->to_move) && due-- > 0 && !b->failed)
        make_move(b, LIST_ITEM(list_take_first(&b->to_move), client, link));
    if (b->over == b->plan->games) {
        b->ended = now;
        b->cpu_after = server_cpu(b);
        b->playing = false;
        uv_stop(&b->loop);
    }
}

// Spectators take their places once all games have begun.
static void seat_spectators(bench *b) {
    uint32_t at = 0;
    const pairing *p = NULL;
    for (int i = 0; i < b->plan->spectators; i++) {
        if (!p || !b->plan->on_one)
            p = table_next(&b->games, &at);
        if (!p) {
            at = 0;
            p = table_next(&b->games, &at);
        }
        char line[64];
        snprintf(line, sizeof line, "watch game=%" PRId64 "\n", p->id);
        send_line(&b->clients[2 * b->plan->games + i], line);
    }
}

// Pings of the first player while nothing else happens. True when there are enough.
static bool has_pinged(bench *b, int64_t now) {
    if (b->ping_count < PINGS && !b->pinged) {
        b->pinged = now;
        send_line(&b->clients[0], "ping\n");
    }
    return b->ping_count == PINGS;
}

static void on_tick(uv_timer_t *timer) {
    bench *b = timer->data;
    int64_t now = clock_us();
    int waiting = 0;
    if (now - b->heard > PATIENCE_S * 1000000LL)
        fail(b, "nothing is heard of the server");
    for (int i = b->ready_count; i < b->opened; i++)
        waiting++;
    while (b->opened < b->most && waiting++ < CONNECTING)
        open_client(b);
    if (b->playing) {
        move_on(b, now);
    } else if (b->ready_count == b->most) {
        if (b->seated < b->plan->games)
            return;
        if (b->began) { // the idle ones are there
            uv_stop(&b->loop);
            return;
        }
        if (!has_pinged(b, now))
            return;
        seat_spectators(b);
        b->playing = true;
        b->began = now;
        b->cpu_before = server_cpu(b);
    }
}

// --- the server ---------------------------------------------------------------------------------

static void on_output_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *into) {
    (void)suggested;
    bench *b = handle->data;
    *into = uv_buf_init(b->ready + b->ready_len, (unsigned)(sizeof b->ready - 1 - b->ready_len));
}

static void on_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *into) {
    (void)into;
    bench *b = stream->data;
    if (got < 0) {
        fail(b, "the server did not start");
        return;
    }
    b->ready_len += (size_t)got;
    const char *port = strstr(b->ready, " to programs");
    while (port && port > b->ready && port[-1] != ':')
        port--;
    if (port)
        b->port = (int)strtol(port, NULL, 10);
    if (b->port)
        uv_read_stop(stream);
    if (b->port)
        uv_stop(&b->loop);
}

static void on_exit_of_server(uv_process_t *process, int64_t status, int signal_number) {
    bench *b = process->data;
    (void)status;
    (void)signal_number;
    uv_close((uv_handle_t *)process, NULL);
    fail(b, "the server ended");
}

static bool start_server(bench *b, fault *why) {
    char data[96];
    snprintf(data, sizeof data, "%s/data", b->folder);
    char *command[] = {(char *)(uintptr_t)b->plan->program,
                       "serve",
                       "--port",
                       "0",
                       "--bot-port",
                       "0",
                       "--data",
                       data,
                       "--bots",
                       "0",
                       NULL};
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&b->output},
        {.flags = UV_IGNORE}};
    uv_process_options_t options = {.file = b->plan->program,
                                    .args = command,
                                    .stdio = stdio,
                                    .stdio_count = 3,
                                    .exit_cb = on_exit_of_server};
    uv_pipe_init(&b->loop, &b->output, 0);
    b->output.data = b->server.data = b;
    int error = uv_spawn(&b->loop, &b->server, &options);
    if (error)
        return fault_set(why, "cannot start the server: %s", uv_strerror(error));
    uv_read_start((uv_stream_t *)&b->output, on_output_alloc, on_output);
    uv_run(&b->loop, UV_RUN_DEFAULT);
    if (b->failed)
        *why = b->why;
    return !b->failed;
}

// Creates programs with tokens before the server starts.
static bool make_tokens(bench *b, int count, fault *why) {
    char data[96];
    snprintf(data, sizeof data, "%s/data", b->folder);
    store *s = store_open(data, 0, why);
    for (int i = 0; s && i < count; i++) {
        stored_player p = {.kind = PLAYER_PROGRAM, .created = 1};
        snprintf(p.name, sizeof p.name, "bench-%d", i);
        stored_token t = {.kind = TOKEN_PROGRAM, .label = "bench"};
        snprintf(b->tokens[i], ACCOUNT_TOKEN_SIZE, "krt_%043d", i);
        account_hash_token(text_of(b->tokens[i]), t.hash);
        if (!store_add_player(s, &p))
            break;
        t.player = p.id;
        store_add_token(s, &t);
    }
    bool good = s && store_commit(s, why);
    store_close(s);
    return good;
}

// --- the records --------------------------------------------------------------------------------

// Checks a record: the moves are those the clients saw, all are legal, the end follows the rules.
static bool is_right(store *s, const pairing *p, fault *why) {
    stored_game row;
    int count = 0;
    stored_move *moves = store_game_moves(s, p->id, &count);
    bool good = store_find_game(s, p->id, &row) && row.ended && row.plies == count;
    uint32_t seen = rules_ply(p->state);
    good = good && (uint32_t)count >= seen && (uint32_t)count <= seen + 1;
    while (rules_undo(p->state)) {
    }
    int64_t last = row.begun;
    for (int i = 0; good && i < count; i++) {
        rules_move move;
        const stored_move *m = &moves[i];
        good = rules_parse_move(p->state, text_of(m->move), &move, why) &&
               rules_play(p->state, move, why) && m->queued >= last && m->written >= m->queued &&
               m->read >= m->written && m->accepted >= m->read &&
               m->used == m->read - m->written - m->late;
        last = m->accepted;
    }
    rules_verdict v = rules_result(p->state);
    good = good && (strcmp(row.reason, "resignation") == 0 || (int)v.outcome == row.outcome);
    free(moves);
    return good || fault_set(why, "the record of game %" PRId64 " is wrong", p->id);
}

static int count_right(bench *b, fault *why) {
    char data[96];
    snprintf(data, sizeof data, "%s/data", b->folder);
    store *s = store_open_second(data, why);
    int right = 0;
    uint32_t at = 0;
    for (pairing *p; s && (p = table_next(&b->games, &at));)
        right += is_right(s, p, why);
    store_close(s);
    return right;
}

// --- the whole ----------------------------------------------------------------------------------

static void print_play(bench *b) {
    double seconds = (double)(b->ended - b->began) / 1e6;
    fprintf(b->out, "games          %d at once on %d connections, %d spectators%s\n",
            b->plan->games, 2 * b->plan->games, b->plan->spectators,
            b->plan->on_one ? " of one game" : "");
    fprintf(b->out, "moves          %" PRId64 " in %.1f s: %.0f a second\n", b->sent_moves, seconds,
            (double)b->sent_moves / seconds);
    fprintf(b->out, "server's CPU   %.1f us a move, %" PRIu64 " moves shown to spectators in it\n",
            (b->cpu_after - b->cpu_before) * 1e6 / (double)b->sent_moves, b->watched);
    latency_print(b->out, "pings before", b->pings, (size_t)b->ping_count);
    latency_print(b->out, "passed on", b->latencies, b->latency_count);
    fprintf(b->out, "memory         %.0f MB after it\n", server_memory_mb(b));
}

static void hold_idle(bench *b) {
    b->most += b->plan->idle;
    b->heard = clock_us();
    uv_run(&b->loop, UV_RUN_DEFAULT);
    if (!b->failed)
        fprintf(b->out, "idle           %d connections in %.0f MB\n", b->most, server_memory_mb(b));
}

static void stop_server(bench *b) {
    for (int i = 0; i < b->opened; i++) {
        uv_close((uv_handle_t *)&b->clients[i].tcp, NULL);
        lines_free(&b->clients[i].lines);
    }
    uv_close((uv_handle_t *)&b->tick, NULL);
    if (uv_is_active((uv_handle_t *)&b->server))
        uv_process_kill(&b->server, SIGTERM);
    uv_close((uv_handle_t *)&b->output, NULL);
    uv_run(&b->loop, UV_RUN_DEFAULT); // until it has ended
    uv_run(&b->loop, UV_RUN_DEFAULT);
}

static bool measure(bench *b, fault *why) {
    os_process_raise_open_files();
    uv_timer_init(&b->loop, &b->tick);
    b->tick.data = b;
    if (!start_server(b, why))
        return false;
    b->heard = clock_us();
    uv_timer_start(&b->tick, on_tick, 1, 1);
    uv_run(&b->loop, UV_RUN_DEFAULT);
    if (!b->failed)
        print_play(b);
    if (!b->failed && b->plan->idle)
        hold_idle(b);
    fault kept = b->why;
    bool good = !b->failed;
    stop_server(b);
    if (!good) {
        *why = kept;
        return false;
    }
    int right = count_right(b, why);
    fprintf(b->out, "records        %d of %d right\n", right, b->plan->games);
    return right == b->plan->games;
}

static bool make_folder(char *path, size_t size) {
    uv_fs_t made;
    bool good = uv_fs_mkdtemp(NULL, &made, "/tmp/kraton-bench-XXXXXX", NULL) == 0;
    snprintf(path, size, "%s", good ? made.path : "");
    uv_fs_req_cleanup(&made);
    return good;
}

static void remove_folder(const char *path) {
    uv_fs_t removed;
    uv_fs_rmdir(NULL, &removed, path, NULL);
    uv_fs_req_cleanup(&removed);
}

bool server_bench(FILE *out, const server_bench_plan *plan, fault *why) {
    bench *b = calloc(1, sizeof *b);
    int most = 2 * plan->games + plan->spectators + plan->idle;
    if (!b)
        return fault_set(why, "out of memory");
    *b = (bench){.plan = plan, .out = out, .chance = {1}, .most = most - plan->idle};
    b->clients = calloc((size_t)most, sizeof *b->clients);
    b->tokens = calloc((size_t)most, sizeof *b->tokens);
    b->latencies = malloc(LATENCIES * sizeof *b->latencies);
    bool good = b->clients && b->tokens && b->latencies && make_folder(b->folder, sizeof b->folder);
    if (!good)
        fault_set(why, "out of memory, or no folder for it");
    good = good && make_tokens(b, most, why);
    uv_loop_init(&b->loop);
    good = good && measure(b, why);
    uv_loop_close(&b->loop);
    char data[96];
    snprintf(data, sizeof data, "%s/data", b->folder);
    store_remove(data);
    remove_folder(data);
    remove_folder(b->folder);
    uint32_t at = 0;
    for (pairing *p; (p = table_next(&b->games, &at));) {
        free(p->state);
        free(p);
    }
    table_free(&b->games);
    free(b->clients);
    free(b->tokens);
    free(b->latencies);
    free(b);
    return good;
}
