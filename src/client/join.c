#include "client/join.h"

#include "base/encoding.h"
#include "net/connection.h"
#include "os/clock.h"
#include "os/process.h"
#include "protocol/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_GAMES = 64, RETRY_MS = 200, RETRY_MOST_MS = 5000, QUIET_S = 40 };
enum { UNTIMED_MOVE_US = 3000000 }; // for the engine to think where there is no clock

typedef struct bridge bridge;

typedef struct board board;

// An engine process, or the place for one: there are no more of them than games at a time. One that
// waits for an opponent's move goes to another game that has none.
typedef struct {
    bridge *bridge;
    player *player; // NULL: none
    const rules_game *rules;
    board *board; // it plays; NULL: none
} worker;

// One game, the engine that plays it, and how many moves the engine has been sent.
struct board {
    bridge *bridge;
    int64_t id; // 0: free
    const rules_game *rules;
    char fen[RULES_FEN_SIZE];
    int side;
    referee_control control;
    rules_state *state; // as the server has it
    rules_state *told;  // as the engine has it
    worker *worker;     // NULL: it waits for an engine
    bool has_begun;     // the engine knows of the game
    bool is_asked;      // the server wants a move
    bool is_mentioned;  // by the server since the last login
    uint32_t ply;       // it is asked at, or thinks about
    int64_t clocks[2];
    int32_t to_go;
    int failures;
    dialect_info said;
};

struct bridge {
    const join_plan *plan;
    uv_loop_t loop;
    loop_turns turns;
    tls_context *tls;
    connection *connection; // NULL: not connected
    lines lines;
    player_world worlds[RULES_GAMES];
    board boards[MOST_GAMES];
    worker workers[MOST_GAMES]; // plan.at_once of them
    uv_timer_t retry, watch;
    uv_signal_t signals[2];
    uv_getaddrinfo_t resolve;
    int wait_ms, seeking, played;
    int tries; // calls that led to no login
    bool is_in, is_leaving, was_refused, is_resolving;
    fault why;
};

static void connect_again(bridge *b);
static void advance(board *d);
static void share_engines(bridge *b);

// --- talking ------------------------------------------------------------------------------------

static void say(bridge *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(bridge *b, const char *format, ...) {
    char line[LINES_MAX];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (!b->connection || len < 0 || (size_t)len >= sizeof line - 1)
        return;
    line[len++] = '\n';
    connection_send(b->connection, (text){line, (size_t)len});
}

static int live_games(const bridge *b) {
    int count = 0;
    for (int i = 0; i < MOST_GAMES; i++)
        count += b->boards[i].id != 0;
    return count;
}

static bool wants_more(const bridge *b) {
    return live_games(b) + b->seeking < b->plan->at_once &&
           (b->plan->games == 0 || b->played + live_games(b) + b->seeking < b->plan->games);
}

static void seek(bridge *b) {
    while (b->is_in && b->plan->seek && wants_more(b)) {
        b->seeking++;
        say(b, "seek %s", b->plan->seek);
    }
}

// --- boards -------------------------------------------------------------------------------------

static board *find_board(bridge *b, int64_t id) {
    for (int i = 0; i < MOST_GAMES; i++)
        if (b->boards[i].id == id)
            return &b->boards[i];
    return NULL;
}

static void drop_player(worker *k, bool at_once) {
    if (k->player)
        player_drop(k->player, at_once);
    k->player = NULL;
}

// An idle engine stays for the next game; one that still thinks ends.
static void let_go_of_engine(board *d) {
    worker *k = d->worker;
    d->worker = NULL;
    if (!k)
        return;
    k->board = NULL;
    if (k->player && k->player->state != PLAYER_IDLE)
        drop_player(k, true);
}

static void close_board(board *d) {
    let_go_of_engine(d);
    free(d->state);
    free(d->told);
    *d = (board){.bridge = d->bridge};
}

static void leave(bridge *b) {
    if (b->is_leaving)
        return;
    b->is_leaving = true;
    for (int i = 0; i < MOST_GAMES; i++)
        if (b->boards[i].id)
            close_board(&b->boards[i]);
    for (int i = 0; i < MOST_GAMES; i++)
        drop_player(&b->workers[i], false);
    say(b, "quit");
    if (!b->connection)
        turns_close(&b->turns);
    else if (b->connection->is_calling)
        connection_cut(b->connection);
    else
        connection_close(b->connection, "left");
    uv_close((uv_handle_t *)&b->retry, NULL);
    uv_close((uv_handle_t *)&b->watch, NULL);
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t *)&b->signals[i], NULL);
}

static rules_state *new_state(const board *d, const rules_set *set) {
    void *memory = aligned_alloc(16, (rules_state_size(RULES_LONGEST_GAME) + 15) & ~(size_t)15);
    fault why;
    if (!memory)
        return NULL;
    rules_state *s = rules_state_new(memory, d->rules, set, RULES_LONGEST_GAME);
    if (!d->fen[0] || rules_set_fen(s, text_of(d->fen), &why))
        return s;
    free(memory);
    return NULL;
}

// Plays the moves of a list that are not on the board yet. False if one is illegal.
static bool catch_up(board *d, text moves) {
    uint32_t n = 0;
    fault why;
    while (moves.len) {
        size_t end = text_find(moves, ",");
        rules_move move;
        if (n >= rules_ply(d->state) &&
            (!rules_parse_move(d->state, (text){moves.at, end}, &move, &why) ||
             !rules_play(d->state, move, &why)))
            return false;
        moves = text_skip(moves, end + 1);
        n++;
    }
    // The server has fewer moves: some were taken back. The engine starts the game again.
    while (rules_ply(d->state) > n)
        rules_undo(d->state);
    return true;
}

// --- the engine ---------------------------------------------------------------------------------

static dialect_limits limits_of(const board *d) {
    dialect_limits limits = {.clock_us = {d->clocks[0], d->clocks[1]},
                             .moves_to_go = d->to_go,
                             .move_time_us = d->control.move_time_us,
                             .depth = d->control.depth,
                             .nodes = d->control.nodes};
    for (int side = 0; side < 2; side++)
        limits.increment_us[side] = d->control.increment_us;
    if (limits.clock_us[d->side] < 0 && !limits.move_time_us && !limits.depth && !limits.nodes)
        limits.move_time_us = UNTIMED_MOVE_US; // without a limit many would never answer
    return limits;
}

// Sends the engine the moves it does not know yet, and asks for a move if it is its turn.
static void advance(board *d) {
    player *p = d->worker ? d->worker->player : NULL;
    if (!p || p->state != PLAYER_IDLE)
        return;
    dialect_limits limits = limits_of(d);
    if (!d->has_begun || rules_ply(d->told) > rules_ply(d->state)) {
        while (rules_undo(d->told)) {
        }
        d->has_begun = true;
        p->games = 0; // what was played before is told, not its own
        player_new_game(p, d->side, &limits, d->fen[0] ? d->fen : NULL);
        if (p->state != PLAYER_IDLE)
            return;
    }
    while (rules_ply(d->told) < rules_ply(d->state)) {
        rules_move move = rules_move_at(d->state, rules_ply(d->told));
        bool own = rules_side_to_move(d->told) == d->side && p->games > 0;
        player_played(p, d->told, move, own);
        if (!rules_play(d->told, move, NULL))
            return;
    }
    if (!d->is_asked || rules_ply(d->told) != d->ply)
        return;
    d->is_asked = false;
    d->said = (dialect_info){.nodes = -1};
    p->games = 1; // from here on its own moves are its own
    player_think(p, d->side, &limits);
}

static void on_idle(player *p) {
    const worker *k = p->owner;
    if (k->board)
        advance(k->board);
    share_engines(k->bridge);
}

static void send_move(board *d, const dialect_event *event) {
    bridge *b = d->bridge;
    rules_move move;
    fault why;
    char word[RULES_MOVE_SIZE], extra[96];
    writer w = writer_on(word, sizeof word);
    if (dialect_parse_move(&d->worker->player->host, d->told, event->text, &move, &why))
        rules_format_move(d->told, move, NOTATION_NATIVE, &w);
    else // the referee is to see it as it is
        write_text(&w, utf8_cut(text_next_word(&(text){event->text.at, event->text.len}), 20));
    w = writer_on(extra, sizeof extra);
    if (d->said.has_score)
        write_format(&w, " %s=%d", d->said.is_mate ? "mate" : "score", (int)d->said.score);
    if (d->said.depth > 0)
        write_format(&w, " depth=%d", (int)d->said.depth);
    if (d->said.nodes >= 0)
        write_format(&w, " nodes=%" PRId64, d->said.nodes);
    if (event->draw_offer)
        write_string(&w, " draw=yes");
    say(b, "move game=%" PRId64 " ply=%u move=%s%s", d->id, (unsigned)d->ply, word, extra);
    d->failures = 0;
}

static void on_event(player *p, const dialect_event *event, int64_t now) {
    (void)now;
    board *d = ((const worker *)p->owner)->board;
    if (!d)
        return;
    if (event->kind == EVENT_INFO) {
        if (event->info.variation <= 1 && event->info.has_score)
            d->said = event->info;
        return;
    }
    if (event->kind == EVENT_MOVE && !event->resigns) {
        player_rest(p);
        send_move(d, event);
        share_engines(d->bridge);
    } else if (event->kind == EVENT_RESIGN || event->kind == EVENT_NO_MOVE ||
               event->kind == EVENT_MOVE) {
        player_rest(p);
        say(d->bridge, "resign game=%" PRId64, d->id);
    }
}

static void on_gone(player *p, player_fate fate, int detail, const char *words) {
    (void)detail;
    worker *k = p->owner;
    bridge *b = k->bridge;
    board *d = k->board;
    if (fate == GONE_NOT_STARTED || fate == GONE_NO_MEANS) { // nor will the next one be
        b->was_refused = true;
        fault_set(&b->why, "the engine %s", words);
        for (int i = 0; i < MOST_GAMES; i++)
            if (b->boards[i].id)
                say(b, "resign game=%" PRId64, b->boards[i].id);
        leave(b);
        return;
    }
    drop_player(k, true);
    if (!d)
        return;
    fprintf(stderr, "game %" PRId64 ": the engine %s\n", d->id, words);
    let_go_of_engine(d);
    // The engine is asked again; its clock has not stopped.
    d->is_asked = rules_side_to_move(d->state) == d->side;
    d->ply = rules_ply(d->state);
    if (d->failures++ < 3)
        share_engines(b);
    else
        say(b, "resign game=%" PRId64, d->id);
}

static const player_events engine_events = {
    .on_idle = on_idle, .on_event = on_event, .on_gone = on_gone};

// How good a place an engine is for a game; 0: it is none.
static int fitness_of(const worker *k, const board *d) {
    bool is_ready = k->player && k->rules == d->rules && k->player->state == PLAYER_IDLE;
    if (!k->board)
        return is_ready ? 4 : !k->player ? 3 : 2;
    // One that waits for its opponent's move; it is told the game anew when it is back.
    return is_ready && d->is_asked && !k->board->is_asked ? 1 : 0;
}

static void give_engine(worker *k, board *d) {
    bridge *b = d->bridge;
    if (k->board)
        let_go_of_engine(k->board);
    if (k->player && k->rules != d->rules)
        drop_player(k, true);
    k->board = d;
    k->rules = d->rules;
    d->worker = k;
    d->has_begun = false;
    while (rules_undo(d->told)) {
    }
    if (k->player)
        advance(d);
    else
        k->player =
            player_start(&b->worlds[rules_index(d->rules)], b->plan->engine, &engine_events, k);
}

// Engines for the games that have none, those that are asked for a move first.
static void share_engines(bridge *b) {
    for (int asked = 1; asked >= 0 && !b->is_leaving; asked--)
        for (int i = 0; i < MOST_GAMES; i++) {
            board *d = &b->boards[i];
            worker *best = NULL;
            if (!d->id || d->worker || d->is_asked != (asked != 0) || d->failures > 3)
                continue;
            for (int j = 0; j < b->plan->at_once; j++)
                if (fitness_of(&b->workers[j], d) > (best ? fitness_of(best, d) : 0))
                    best = &b->workers[j];
            if (best)
                give_engine(best, d);
        }
}

// --- what the server says -----------------------------------------------------------------------

static bool open_board(bridge *b, board *d, const request *r, int64_t id) {
    fault why;
    *d = (board){.bridge = b, .rules = rules_find(request_text(r, "game"))};
    rules_set set;
    if (!d->rules || !dialect_can_play(b->plan->engine->dialect, d->rules) ||
        !rules_set_parse(d->rules, request_text(r, "rules"), &set, &why) ||
        !referee_control_parse(request_text(r, "tc"), &d->control, &why))
        return false;
    writer w = writer_on(d->fen, sizeof d->fen);
    write_text(&w, request_text(r, "fen"));
    d->side = text_is(request_text(r, "you"), "second");
    d->state = new_state(d, &set);
    d->told = new_state(d, &set);
    d->id = id;
    if (!d->state || !d->told)
        return false;
    printf("game %" PRId64 ": %.*s, %.*s - %.*s\n", id, (int)request_text(r, "game").len,
           request_text(r, "game").at, (int)request_text(r, "first_name").len,
           request_text(r, "first_name").at, (int)request_text(r, "second_name").len,
           request_text(r, "second_name").at);
    fflush(stdout);
    return true;
}

static int64_t number_of(const request *r, const char *key) {
    int64_t n = 0;
    fault why;
    return request_number(r, key, INT64_MIN, INT64_MAX, 0, &n, &why) ? n : 0;
}

static void on_game(bridge *b, const request *r) {
    int64_t id = number_of(r, "id");
    board *d = find_board(b, id);
    if (text_is(request_text(r, "you"), "none"))
        return;
    bool is_new = !d;
    if (is_new) {
        d = find_board(b, 0);
        b->seeking -= b->seeking > 0;
        if (!d || !open_board(b, d, r, id)) {
            say(b, "resign game=%" PRId64, id);
            if (d)
                close_board(d);
            return;
        }
    }
    d->is_mentioned = true;
    if (!catch_up(d, request_text(r, "moves"))) {
        say(b, "resign game=%" PRId64, id);
        return;
    }
    if (!d->worker)
        share_engines(b);
    else
        advance(d);
}

static void on_turn(bridge *b, const request *r) {
    board *d = find_board(b, number_of(r, "game"));
    uint32_t ply = (uint32_t)number_of(r, "ply");
    if (!d || d->id == 0)
        return;
    d->clocks[0] = number_of(r, "first");
    d->clocks[1] = number_of(r, "second");
    d->to_go = (int32_t)number_of(r, "togo");
    const player *p = d->worker ? d->worker->player : NULL;
    bool thinks = p && p->state == PLAYER_THINKING && d->ply == ply;
    d->ply = ply;
    d->is_asked = !thinks; // after a lost connection it may be at it already
    if (d->worker)
        advance(d);
    else
        share_engines(b);
}

static void on_moved(bridge *b, const request *r) {
    board *d = find_board(b, number_of(r, "game"));
    rules_move move;
    fault why;
    if (!d || d->id == 0 || number_of(r, "ply") != (int64_t)rules_ply(d->state) + 1)
        return;
    if (rules_parse_move(d->state, request_text(r, "move"), &move, &why) &&
        rules_play(d->state, move, &why))
        advance(d);
}

static void on_result(bridge *b, const request *r) {
    board *d = find_board(b, number_of(r, "game"));
    if (!d || d->id == 0)
        return;
    printf("game %" PRId64 ": %.*s (%.*s)\n", d->id, (int)request_text(r, "outcome").len,
           request_text(r, "outcome").at, (int)request_text(r, "words").len,
           request_text(r, "words").at);
    fflush(stdout);
    close_board(d);
    b->played++;
    if (b->plan->games && b->played >= b->plan->games) {
        leave(b);
    } else {
        share_engines(b);
        seek(b);
    }
}

static void on_challenge(bridge *b, const request *r) {
    const rules_game *rules = rules_find(request_text(r, "game"));
    bool can = rules && dialect_can_play(b->plan->engine->dialect, rules) && wants_more(b);
    say(b, "%s id=%" PRId64, can ? "accept" : "decline", number_of(r, "id"));
}

static void on_welcome(bridge *b) {
    b->is_in = true;
    b->wait_ms = RETRY_MS;
    b->seeking = 0;
    for (int i = 0; i < MOST_GAMES; i++)
        b->boards[i].is_mentioned = false;
    if (b->plan->tournament)
        say(b, "enter tournament=%" PRId64, b->plan->tournament);
    say(b, "ping n=all"); // its answer comes behind the games we are in
}

// Games that the server did not list ended while we were disconnected.
static void on_all_told(bridge *b) {
    for (int i = 0; i < MOST_GAMES; i++)
        if (b->boards[i].id && !b->boards[i].is_mentioned) {
            printf("game %" PRId64 ": over while the connection was lost\n", b->boards[i].id);
            close_board(&b->boards[i]);
            b->played++;
        }
    seek(b);
}

static void on_error(bridge *b, const request *r) {
    text code = request_text(r, "code"), words = request_text(r, "words");
    if (text_is(code, "token")) {
        b->was_refused = true;
        fault_set(&b->why, "the server does not know this token");
        leave(b);
    } else if (!text_is(code, "tournament")) { // it has been entered before
        fprintf(stderr, "the server: %.*s\n", (int)words.len, words.at);
    }
}

static void take_line(bridge *b, text line) {
    request r;
    fault why;
    if (!request_read_line(&r, line, &why))
        return;
    if (text_is(r.verb, "kraton"))
        say(b, "login token=%s", b->plan->token);
    else if (text_is(r.verb, "welcome"))
        on_welcome(b);
    else if (text_is(r.verb, "game"))
        on_game(b, &r);
    else if (text_is(r.verb, "moved"))
        on_moved(b, &r);
    else if (text_is(r.verb, "turn"))
        on_turn(b, &r);
    else if (text_is(r.verb, "result"))
        on_result(b, &r);
    else if (text_is(r.verb, "challenge"))
        on_challenge(b, &r);
    else if (text_is(r.verb, "ping"))
        say(b, "pong");
    else if (text_is(r.verb, "pong") && text_is(request_text(&r, "n"), "all"))
        on_all_told(b);
    else if (text_is(r.verb, "error"))
        on_error(b, &r);
}

// --- the connection -----------------------------------------------------------------------------

static void on_bytes(connection *w, text bytes, int64_t now) {
    (void)now;
    bridge *b = w->owner;
    text line;
    lines_status status = LINES_NONE;
    while (!b->is_leaving && (status = lines_next(&b->lines, &bytes, &line)) == LINES_ONE)
        take_line(b, line);
    if (status == LINES_TOO_LONG)
        connection_close(w, "a line without end");
}

static void on_connection_gone(connection *w, const char *why) {
    bridge *b = w->owner;
    b->connection = NULL;
    b->tries += !b->is_in;
    b->is_in = false;
    lines_free(&b->lines);
    if (b->is_leaving) {
        turns_close(&b->turns);
        return;
    }
    fprintf(stderr, "the connection is lost (%s); trying again\n", why);
    connect_again(b);
}

static const connection_events handlers = {on_bytes, on_connection_gone};

// Each try takes the next of the host's addresses: of localhost's two the first may be one where
// nobody listens.
static const struct sockaddr *choose(const struct addrinfo *found, int tries) {
    int count = 0;
    for (const struct addrinfo *a = found; a; a = a->ai_next)
        count++;
    for (int left = tries % count; left > 0; left--)
        found = found->ai_next;
    return found->ai_addr;
}

static void on_resolved(uv_getaddrinfo_t *resolve, int status, struct addrinfo *found) {
    bridge *b = resolve->data;
    b->is_resolving = false;
    if (!b->is_leaving && status == 0)
        b->connection = connection_call(&b->turns, choose(found, b->tries), b->tls, b->plan->host,
                                        &handlers, b);
    if (!b->is_leaving && !b->connection)
        connect_again(b);
    uv_freeaddrinfo(found);
}

static void on_retry(uv_timer_t *timer) {
    bridge *b = timer->data;
    char port[16];
    snprintf(port, sizeof port, "%d", b->plan->port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    b->resolve.data = b;
    b->is_resolving =
        uv_getaddrinfo(&b->loop, &b->resolve, on_resolved, b->plan->host, port, &hints) == 0;
    if (!b->is_resolving)
        connect_again(b);
}

static void connect_again(bridge *b) {
    uv_timer_start(&b->retry, on_retry, (uint64_t)b->wait_ms, 0);
    b->wait_ms = b->wait_ms * 2 > RETRY_MOST_MS ? RETRY_MOST_MS : b->wait_ms * 2;
}

// A connection that was cut sends nothing: after a silence it is pinged, then given up.
static void on_watch(uv_timer_t *timer) {
    bridge *b = timer->data;
    int64_t silent = b->connection ? clock_us() - b->connection->heard : 0;
    if (b->connection && b->is_in && silent > QUIET_S * 1000000LL)
        connection_cut(b->connection);
    else if (silent > QUIET_S / 4 * 1000000LL)
        say(b, "ping");
}

static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    leave(handle->data);
}

static bool commit(void *context) {
    (void)context;
    return true;
}

static void after(void *context) { (void)context; }

bool join_run(const join_plan *plan, fault *why) {
    bridge *b = calloc(1, sizeof *b);
    if (!b || uv_loop_init(&b->loop) != 0) {
        free(b);
        return fault_set(why, "out of memory");
    }
    b->plan = plan;
    b->wait_ms = RETRY_MS;
    b->lines.most = LINES_SERVER_MAX;
    os_process_ignore_broken_pipes();
    if (plan->tls && !(b->tls = tls_context_new_client(plan->authorities, why))) {
        uv_loop_close(&b->loop);
        free(b);
        return false;
    }
    turns_events events = {.commit = commit, .after = after, .context = b};
    turns_open(&b->turns, &b->loop, &events);
    for (int i = 0; i < RULES_GAMES; i++) {
        b->worlds[i] = (player_world){.loop = &b->loop,
                                      .game = rules_nth(i),
                                      .kraton = plan->guard,
                                      .error_fd = -1,
                                      .hello_us = 10000000,
                                      .ready_us = 10000000};
        const int numbers[] = {SIGINT, SIGTERM};
        uv_signal_init(&b->loop, &b->signals[i]);
        b->signals[i].data = b;
        uv_signal_start(&b->signals[i], on_signal, numbers[i]);
    }
    for (int i = 0; i < MOST_GAMES; i++)
        b->workers[i].bridge = b;
    uv_timer_init(&b->loop, &b->retry);
    uv_timer_init(&b->loop, &b->watch);
    b->retry.data = b->watch.data = b;
    uv_timer_start(&b->watch, on_watch, 5000, 5000);
    on_retry(&b->retry);
    uv_run(&b->loop, UV_RUN_DEFAULT);
    bool good = !b->was_refused;
    if (!good)
        *why = b->why;
    tls_context_free(b->tls);
    uv_loop_close(&b->loop);
    free(b);
    return good;
}
