#include "client/load.h"

#include "base/list.h"
#include "base/minmax.h"
#include "base/rng.h"
#include "base/table.h"
#include "client/latency.h"
#include "client/load_server.h"
#include "os/clock.h"
#include "os/process.h"
#include "protocol/message.h"
#include "rules/rules.h"
#include "store/games.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    CONNECTING = 100, // handshakes under way at a time
    LATENCIES = 1 << 22,
    PINGS = 500,      // before the games, to compare with
    PATIENCE_S = 120, // without anything happening
    PLAIN_SHARE = 4   // one in so many moves is made before the spectators come
};

// What happens, in this order. In the last two the games are resigned, and idle connections opened.
typedef enum { GATHERING, PLAIN, SEATING, SHOWN, ENDING, IDLE } phase;

// What has happened by some moment.
typedef struct {
    int64_t at;
    double cpu_us; // of the server
    int64_t moves;
    uint64_t shown;
} reading;

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
    int64_t game;   // the last it was told of; 0: none
    int64_t waits;  // the game it is to move in; 0: none
    list_link link; // among those who are to move
};

struct bench {
    const server_bench_plan *plan;
    FILE *out;
    uv_loop_t loop;
    load_server server;
    uv_timer_t tick;
    client *clients;
    int opened, most, ready_count, begun, over;
    int watching;        // spectators who were shown their first game
    linked_list to_move; // clients
    table games;
    rng chance;
    phase phase;
    bool failed;
    int64_t began, heard, sent_moves;
    reading plain[2], shown[2]; // at the beginning and end of these phases
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

static void on_server_ended(void *context, const char *words) { fail(context, words); }

// --- a client -----------------------------------------------------------------------------------

static void send_line(client *c, const char *line) {
    uv_buf_t into = uv_buf_init((char *)(uintptr_t)line, (unsigned)strlen(line));
    if (uv_try_write((uv_stream_t *)&c->tcp, &into, 1) != (int)into.len)
        fail(c->bench, "a client could not write");
}

static bool is_player(const client *c) { return c->number < 2 * c->bench->plan->games; }

static void log_in(client *c) {
    char line[128];
    snprintf(line, sizeof line, "login token=%s\n", c->bench->server.tokens[c->number]);
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

static void add_pairing(bench *b, int64_t id, const request *r) {
    pairing *p = calloc(1, sizeof *p);
    const rules_game *rules = rules_find(request_text(r, "game"));
    void *memory = malloc(rules_state_size(RULES_LONGEST_GAME));
    if (!p || !rules || !memory || !table_add(&b->games, id, p)) {
        free(p);
        free(memory);
        fail(b, "out of memory, or no game");
        return;
    }
    rules_set set = rules_default_set(rules);
    p->id = id;
    p->state = rules_state_new(memory, rules, &set, RULES_LONGEST_GAME);
    b->begun++;
}

// The player whose games a spectator watches, one after the other.
static const client *followed_by(const bench *b, int spectator) {
    return &b->clients[b->plan->on_one ? 0 : 2 * (spectator % b->plan->games)];
}

static void watch(client *spectator, int64_t id) {
    char line[96];
    writer w = writer_on(line, sizeof line);
    if (spectator->game)
        write_format(&w, "unwatch game=%" PRId64 "\n", spectator->game);
    write_format(&w, "watch game=%" PRId64 "\n", id);
    send_line(spectator, line);
}

// player: whose spectators watch its game now; NULL: all of them, theirs.
static void seat_spectators(bench *b, const client *player) {
    for (int i = 0; i < b->plan->spectators; i++) {
        const client *followed = followed_by(b, i);
        if (!player || followed == player)
            watch(&b->clients[2 * b->plan->games + i], followed->game);
    }
}

static void on_game(client *c, const request *r) {
    bench *b = c->bench;
    int64_t id;
    fault why;
    if (!request_number(r, "id", 1, INT64_MAX, 0, &id, &why))
        return;
    on_ready(c);
    b->watching += !is_player(c) && !c->game;
    c->game = id;
    if (!is_player(c))
        return;
    if (!table_find(&b->games, id))
        add_pairing(b, id, r);
    if (b->phase == SEATING || b->phase == SHOWN)
        seat_spectators(b, c);
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

// Who has finished a game begins another, so that there are always as many.
static void on_result(client *c, const request *r) {
    bench *b = c->bench;
    pairing *p = pairing_of(b, r);
    if (!p || !is_player(c))
        return;
    b->over += !p->over;
    p->over = true;
    if (b->phase < ENDING)
        send_seek(c);
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
        on_result(c, &r);
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
    uv_ip4_addr("127.0.0.1", b->server.port, &at);
    uv_tcp_init(&b->loop, &c->tcp);
    uv_tcp_nodelay(&c->tcp, 1);
    c->tcp.data = c->connect.data = c;
    if (uv_tcp_connect(&c->connect, &c->tcp, (const struct sockaddr *)&at, on_connected) != 0)
        fail(b, "a client could not connect");
}

// --- playing ------------------------------------------------------------------------------------

static bool is_to_resign(const bench *b, const pairing *p) {
    return b->phase >= ENDING ||
           (b->plan->most_plies && rules_ply(p->state) >= (uint32_t)b->plan->most_plies);
}

static void make_move(bench *b, client *c) {
    pairing *p = table_find(&b->games, c->waits);
    rules_move moves[RULES_MAX_MOVES];
    char line[128];
    writer w = writer_on(line, sizeof line);
    c->waits = 0;
    if (p->over)
        return;
    if (is_to_resign(b, p)) {
        write_format(&w, "resign game=%" PRId64 "\n", p->id);
        send_line(c, line);
        return;
    }
    int count = rules_legal_moves(p->state, moves);
    rules_move move = moves[rng_below(&b->chance, (uint32_t)count)];
    write_format(&w, "move game=%" PRId64 " ply=%u move=", p->id, (unsigned)rules_ply(p->state));
    rules_format_move(p->state, move, NOTATION_NATIVE, &w);
    write_string(&w, "\n");
    b->sent_moves++;
    p->sent = clock_us();
    if (!rules_play(p->state, move, NULL))
        fail(b, "a game is too long");
    rules_undo(p->state); // the server's word makes it a move
    send_line(c, line);
}

static reading read_now(const bench *b, int64_t now) {
    return (reading){now, load_server_cpu_us(&b->server), b->sent_moves, b->watched};
}

static void enter_phase(bench *b, phase next, int64_t now) {
    reading here = read_now(b, now);
    if (b->phase == PLAIN)
        b->plain[1] = here;
    if (b->phase == SHOWN)
        b->shown[1] = here;
    if (next == PLAIN)
        b->plain[0] = here;
    if (next == SHOWN)
        b->shown[0] = here;
    if (next == PLAIN)
        b->began = now;
    if (next == SEATING)
        seat_spectators(b, NULL);
    if (next == SHOWN)
        b->latency_count = 0;
    b->phase = next;
}

// While the spectators take their seats the games go on.
static void go_on(bench *b, int64_t now) {
    int64_t most = b->plan->moves, plain = b->plan->spectators ? most / PLAIN_SHARE : most;
    if (b->phase == PLAIN && b->sent_moves >= plain)
        enter_phase(b, b->plan->spectators ? SEATING : ENDING, now);
    if (b->phase == SEATING && b->watching == b->plan->spectators)
        enter_phase(b, SHOWN, now);
    if (b->phase == SHOWN && b->sent_moves - b->shown[0].moves >= most - plain)
        enter_phase(b, ENDING, now);
}

static void move_on(bench *b, int64_t now) {
    int64_t due =
        b->plan->rate ? (now - b->began) * b->plan->rate / 1000000 - b->sent_moves : INT64_MAX;
    while (!list_is_empty(&b->to_move) && (due-- > 0 || b->phase == ENDING) && !b->failed)
        make_move(b, LIST_ITEM(list_take_first(&b->to_move), client, link));
    go_on(b, now);
    if (b->phase == ENDING && b->over == b->begun)
        uv_stop(&b->loop);
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
    bool are_ready = b->ready_count == b->most;
    if (b->phase == GATHERING && are_ready && b->begun == b->plan->games && has_pinged(b, now))
        enter_phase(b, PLAIN, now);
    else if (b->phase == IDLE && are_ready)
        uv_stop(&b->loop);
    else if (b->phase > GATHERING && b->phase < IDLE)
        move_on(b, now);
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
    store *s = store_open_second(b->server.data, why);
    int right = 0;
    uint32_t at = 0;
    for (pairing *p; s && (p = table_next(&b->games, &at));)
        right += is_right(s, p, why);
    store_close(s);
    return right;
}

// --- the whole ----------------------------------------------------------------------------------

static int64_t moves_in(const reading span[2]) { return span[1].moves - span[0].moves; }

static double cpu_a_move(const reading span[2]) {
    return (span[1].cpu_us - span[0].cpu_us) / (double)max_i64(moves_in(span), 1);
}

// What a move costs without spectators is taken off: the rest is for showing.
static void print_cpu(const bench *b) {
    double plain = cpu_a_move(b->plain), all = cpu_a_move(b->shown);
    uint64_t shown = b->shown[1].shown - b->shown[0].shown;
    if (b->plan->spectators == 0) {
        fprintf(b->out, "server's CPU   %.1f us a move\n", plain);
        return;
    }
    fprintf(b->out, "server's CPU   %.1f us a move; %.1f before the spectators came\n", all, plain);
    fprintf(b->out, "shown          %" PRIu64 " moves, %.2f for each move: %.2f us each\n", shown,
            (double)shown / (double)moves_in(b->shown),
            (all - plain) * (double)moves_in(b->shown) / (double)max_i64((int64_t)shown, 1));
}

static void print_play(bench *b) {
    const reading *span = b->plan->spectators ? b->shown : b->plain;
    double seconds = (double)(span[1].at - span[0].at) / 1e6;
    fprintf(b->out, "games          %d at once on %d connections, %d spectators%s\n",
            b->plan->games, 2 * b->plan->games, b->plan->spectators,
            b->plan->on_one ? " of one game" : "");
    fprintf(b->out, "moves          %" PRId64 " in %.1f s: %.0f a second\n", moves_in(span),
            seconds, (double)moves_in(span) / seconds);
    print_cpu(b);
    latency_print(b->out, "pings before", b->pings, (size_t)b->ping_count);
    latency_print(b->out, "passed on", b->latencies, b->latency_count);
    fprintf(b->out, "memory         %.0f MB after it\n", load_server_memory_mb(&b->server));
}

static void hold_idle(bench *b) {
    b->most += b->plan->idle;
    b->phase = IDLE;
    b->heard = clock_us();
    uv_run(&b->loop, UV_RUN_DEFAULT);
    if (!b->failed)
        fprintf(b->out, "idle           %d connections in %.0f MB\n", b->most,
                load_server_memory_mb(&b->server));
}

static void stop_server(bench *b) {
    for (int i = 0; i < b->opened; i++) {
        uv_close((uv_handle_t *)&b->clients[i].tcp, NULL);
        lines_free(&b->clients[i].lines);
    }
    uv_close((uv_handle_t *)&b->tick, NULL);
    load_server_stop(&b->server);
    uv_run(&b->loop, UV_RUN_DEFAULT); // until it has ended
    uv_run(&b->loop, UV_RUN_DEFAULT);
}

static bool measure(bench *b, fault *why) {
    os_process_raise_open_files();
    uv_timer_init(&b->loop, &b->tick);
    b->tick.data = b;
    if (!load_server_start(&b->server, why))
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
    fprintf(b->out, "records        %d of %d right\n", right, b->begun);
    return right == b->begun;
}

bool server_bench(FILE *out, const server_bench_plan *plan, fault *why) {
    bench *b = calloc(1, sizeof *b);
    int most = 2 * plan->games + plan->spectators + plan->idle;
    if (!b)
        return fault_set(why, "out of memory");
    *b = (bench){.plan = plan, .out = out, .chance = {1}, .most = most - plan->idle};
    b->server = (load_server){
        .loop = &b->loop, .program = plan->program, .on_ended = on_server_ended, .context = b};
    b->clients = calloc((size_t)most, sizeof *b->clients);
    b->latencies = malloc(LATENCIES * sizeof *b->latencies);
    bool good = b->clients && b->latencies ? true : fault_set(why, "out of memory");
    good = good && load_server_make(&b->server, most, why);
    uv_loop_init(&b->loop);
    good = good && measure(b, why);
    uv_loop_close(&b->loop);
    load_server_remove(&b->server);
    uint32_t at = 0;
    for (pairing *p; (p = table_next(&b->games, &at));) {
        free(p->state);
        free(p);
    }
    table_free(&b->games);
    free(b->clients);
    free(b->latencies);
    free(b);
    return good;
}
