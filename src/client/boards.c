#include "client/boards.h"

#include "base/encoding.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_GAMES = 64 };
enum { UNTIMED_MOVE_US = 3000000 }; // for the engine to think where there is no clock

typedef struct board board;

// An engine process, or the place for one: there are no more of them than games at a time. One that
// waits for an opponent's move goes to another game that has none.
typedef struct {
    boards *all;
    player *player; // NULL: none
    const rules_game *rules;
    board *board; // it plays; NULL: none
} worker;

// One game, the engine that plays it, and how many moves the engine has been sent.
struct board {
    boards *all;
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

struct boards {
    boards_terms terms;
    player_world worlds[RULES_GAMES];
    board boards[MOST_GAMES];
    worker workers[MOST_GAMES]; // terms.at_once of them
    bool is_stopped;
};

// --- games --------------------------------------------------------------------------------------

static board *find_place(boards *all, int64_t id) {
    for (int i = 0; i < MOST_GAMES; i++)
        if (all->boards[i].id == id)
            return &all->boards[i];
    return NULL;
}

static board *find_board(boards *all, int64_t id) { return id ? find_place(all, id) : NULL; }

static void resign(boards *all, int64_t id) {
    char line[64];
    snprintf(line, sizeof line, "resign game=%" PRId64, id);
    all->terms.send(all->terms.context, line);
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
    *d = (board){.all = d->all};
}

static rules_state *new_state(const board *d, const rules_set *set) {
    void *memory = malloc(rules_state_size(RULES_LONGEST_GAME));
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
    boards_share(k->all);
}

static void send_move(board *d, const dialect_event *event) {
    const boards_terms *terms = &d->all->terms;
    rules_move move;
    fault why;
    char word[RULES_MOVE_SIZE], extra[96], line[256];
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
    snprintf(line, sizeof line, "move game=%" PRId64 " ply=%u move=%s%s", d->id, (unsigned)d->ply,
             word, extra);
    terms->send(terms->context, line);
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
        boards_share(d->all);
    } else if (event->kind == EVENT_RESIGN || event->kind == EVENT_NO_MOVE ||
               event->kind == EVENT_MOVE) {
        player_rest(p);
        resign(d->all, d->id);
    }
}

static void on_gone(player *p, player_fate fate, int detail, const char *words) {
    (void)detail;
    worker *k = p->owner;
    boards *all = k->all;
    board *d = k->board;
    if (fate == GONE_NOT_STARTED || fate == GONE_NO_MEANS) { // nor will the next one be
        for (int i = 0; i < MOST_GAMES; i++)
            if (all->boards[i].id)
                resign(all, all->boards[i].id);
        all->terms.on_no_engine(all->terms.context, words);
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
        boards_share(all);
    else
        resign(all, d->id);
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
    boards *all = d->all;
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
            player_start(&all->worlds[rules_index(d->rules)], all->terms.engine, &engine_events, k);
}

// Games that are asked for a move come first.
void boards_share(boards *all) {
    for (int asked = 1; asked >= 0 && !all->is_stopped; asked--)
        for (int i = 0; i < MOST_GAMES; i++) {
            board *d = &all->boards[i];
            worker *best = NULL;
            if (!d->id || d->worker || d->is_asked != (asked != 0) || d->failures > 3)
                continue;
            for (int j = 0; j < all->terms.at_once; j++)
                if (fitness_of(&all->workers[j], d) > (best ? fitness_of(best, d) : 0))
                    best = &all->workers[j];
            if (best)
                give_engine(best, d);
        }
}

// --- what the server says -----------------------------------------------------------------------

static bool open_board(board *d, const request *r, int64_t id) {
    fault why;
    *d = (board){.all = d->all, .rules = rules_find(request_text(r, "game"))};
    rules_set set;
    if (!d->rules || !dialect_can_play(d->all->terms.engine->dialect, d->rules) ||
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

static board *add_board(boards *all, int64_t id, const request *r) {
    board *d = id ? find_place(all, 0) : NULL;
    if (!d || open_board(d, r, id))
        return d;
    close_board(d);
    return NULL;
}

// Plays on, with another engine if it has none.
static void go_on(board *d) {
    if (d->worker)
        advance(d);
    else
        boards_share(d->all);
}

void boards_set(boards *all, int64_t id, const request *r) {
    board *d = find_board(all, id);
    if (!d)
        d = add_board(all, id, r);
    if (d)
        d->is_mentioned = true;
    if (d && catch_up(d, request_text(r, "moves")))
        go_on(d);
    else
        resign(all, id);
}

void boards_turn(boards *all, int64_t id, uint32_t ply, const int64_t clocks_us[2],
                 int32_t moves_to_go) {
    board *d = find_board(all, id);
    if (!d)
        return;
    d->clocks[0] = clocks_us[0];
    d->clocks[1] = clocks_us[1];
    d->to_go = moves_to_go;
    const player *p = d->worker ? d->worker->player : NULL;
    bool thinks = p && p->state == PLAYER_THINKING && d->ply == ply;
    d->ply = ply;
    d->is_asked = !thinks; // after a lost connection it may be at it already
    go_on(d);
}

void boards_moved(boards *all, int64_t id, int64_t ply, text word) {
    board *d = find_board(all, id);
    rules_move move;
    fault why;
    if (!d || ply != (int64_t)rules_ply(d->state) + 1)
        return;
    if (rules_parse_move(d->state, word, &move, &why) && rules_play(d->state, move, &why))
        advance(d);
}

void boards_close(boards *all, int64_t id) {
    board *d = find_board(all, id);
    if (d)
        close_board(d);
}

void boards_forget_mentions(boards *all) {
    for (int i = 0; i < MOST_GAMES; i++)
        all->boards[i].is_mentioned = false;
}

int boards_close_unmentioned(boards *all) {
    int count = 0;
    for (int i = 0; i < MOST_GAMES; i++)
        if (all->boards[i].id && !all->boards[i].is_mentioned) {
            printf("game %" PRId64 ": over while the connection was lost\n", all->boards[i].id);
            close_board(&all->boards[i]);
            count++;
        }
    return count;
}

// --- all of them --------------------------------------------------------------------------------

int boards_count(const boards *all) {
    int count = 0;
    for (int i = 0; i < MOST_GAMES; i++)
        count += all->boards[i].id != 0;
    return count;
}

bool boards_has(const boards *all, int64_t id) {
    for (int i = 0; i < MOST_GAMES; i++)
        if (id && all->boards[i].id == id)
            return true;
    return false;
}

boards *boards_new(const boards_terms *terms) {
    boards *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    all->terms = *terms;
    for (int i = 0; i < RULES_GAMES; i++)
        all->worlds[i] = (player_world){.loop = terms->loop,
                                        .game = rules_nth(i),
                                        .kraton = terms->guard,
                                        .error_fd = -1,
                                        .hello_us = 10000000,
                                        .ready_us = 10000000};
    for (int i = 0; i < MOST_GAMES; i++) {
        all->boards[i].all = all;
        all->workers[i].all = all;
    }
    return all;
}

void boards_stop(boards *all) {
    all->is_stopped = true;
    for (int i = 0; i < MOST_GAMES; i++)
        if (all->boards[i].id)
            close_board(&all->boards[i]);
    for (int i = 0; i < MOST_GAMES; i++)
        drop_player(&all->workers[i], false);
}

void boards_free(boards *all) { free(all); }
