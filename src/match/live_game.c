#include "match/live_game.h"

#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// --- the end of a game --------------------------------------------------------------------------

// Whether the engine can play another game in the same process.
static bool can_play_on(const live_game_seat *seat) {
    const player *p = seat->player;
    return p && p->state == PLAYER_IDLE && p->engine->restart != RESTART_ALWAYS &&
           dialect_is_reusable(&p->host);
}

static void vacate(live_game_seat *seat, bool at_once) {
    if (seat->player)
        player_drop(seat->player, at_once);
    seat->player = NULL;
}

static void finish(live_game *live) {
    const referee_verdict *verdict = referee_verdict_of(live->judge);
    live->stage = LIVE_GAME_FREE;
    live->game.verdict = *verdict;
    for (int side = 0; side < 2; side++) {
        live_game_seat *seat = &live->seats[side];
        live->game.wrong_claims[side] = (uint32_t)referee_wrong_claims(live->judge, side);
        if (!seat->player)
            continue;
        live->game.protocol_errors[side] = seat->player->protocol_errors;
        seat->player->protocol_errors = 0;
        seat->player->games++;
        player_state before = seat->player->state;
        player_end_game(seat->player, verdict->outcome, verdict->words);
        if (!can_play_on(seat))
            vacate(seat, before == PLAYER_THINKING || before == PLAYER_GONE);
    }
    live->terms->on_over(live);
}

static void finish_if_over(live_game *live) {
    if (live->stage != LIVE_GAME_FREE && referee_is_over(live->judge))
        finish(live);
}

// --- time ---------------------------------------------------------------------------------------

enum { TIMER_LATE_US = 2000 }; // the timer is later than this only if the manager did not run

// When an answer that is read now arrived. If the manager was busy or stopped at the deadline, it
// could not read then: an answer that was waiting for it counts as in time.
static int64_t arrival_of(const live_game *live, int64_t now) {
    const player_world *world = live->terms->world;
    int64_t flag = referee_deadline(live->judge);
    bool sleeps = world->woke < world->began_to_listen;
    bool could_read = world->began_to_listen <= flag && (sleeps || flag <= world->woke) &&
                      now - flag <= TIMER_LATE_US;
    return now <= flag || could_read ? now : flag;
}

static void on_timer(deadline *d) {
    live_game *live = d->owner;
    int64_t now = clock_us();
    if (live->stage != LIVE_GAME_PLAYING)
        return;
    int mover = rules_side_to_move(referee_state(live->judge));
    player *p = live->seats[mover].player;
    if (p->state == PLAYER_GONE)
        return; // on_gone follows and gives the reason
    if (!deadline_has_passed(d, now))
        return;
    process_drain(&p->process); // this may end the game or begin the next turn, with a new deadline
    if (live->stage != LIVE_GAME_PLAYING || p->state == PLAYER_GONE || !deadline_has_passed(d, now))
        return;
    if (!referee_flag(live->judge, now))
        referee_stall(live->judge, mover);
    finish_if_over(live);
}

// --- thinking and moving ------------------------------------------------------------------------

static dialect_limits limits_of(const live_game *live, int mover) {
    const referee_terms *terms = referee_terms_of(live->judge);
    const referee_control *control = &terms->control[mover];
    dialect_limits limits = {.moves_to_go = referee_moves_to_go(live->judge, mover),
                             .move_time_us = control->move_time_us,
                             .depth = control->depth,
                             .nodes = control->nodes};
    for (int side = 0; side < 2; side++) {
        // Without a clock of its own, an engine would take the opponent's clock for its own.
        limits.clock_us[side] = control->has_clock ? referee_left(live->judge, side) : -1;
        limits.increment_us[side] = terms->control[side].increment_us;
    }
    return limits;
}

static void ask(live_game *live) {
    const rules_state *state = referee_state(live->judge);
    int side = rules_side_to_move(state);
    live_game_seat *seat = &live->seats[side];
    player *p = seat->player;
    dialect_limits limits = limits_of(live, side);
    live->said = (dialect_info){.nodes = -1, .time_ms = -1};
    pv_check_clear(live->checker);
    if (p->state != PLAYER_PONDERING) {
        player_think(p, side, &limits);
    } else if (seat->guess == rules_move_at(state, rules_ply(state) - 1)) {
        player_ponder_hit(p);
    } else {
        seat->waiting = true; // think after it has stopped, on its own time
        player_stop_pondering(p);
    }
    if (!live->began)
        live->began = p->request_written;
    referee_turn(live->judge, p->request_written);
    int64_t flag = referee_deadline(live->judge);
    if (flag == INT64_MAX)
        flag = p->request_written + live->terms->stall_us;
    deadline_set(&live->deadline, flag, p->request_written);
}

static void remember_move(live_game *live, const player *p, rules_move move, const char *written,
                          int64_t now) {
    match_move m = {.move = move,
                    .depth = live->said.depth,
                    .nodes = live->said.nodes,
                    .used = referee_last_used(live->judge),
                    .left = referee_left(live->judge, p == live->seats[0].player ? 0 : 1),
                    .written = p->request_written - live->began,
                    .first_byte = (p->first_byte ? p->first_byte : now) - live->began,
                    .read = now - live->began};
    writer w = writer_on(m.text, sizeof m.text);
    write_string(&w, written);
    m.score = (referee_score){live->said.has_score, live->said.is_mate, live->said.score};
    if (!match_game_add(&live->game, &m))
        referee_abort(live->judge, "out of memory");
    else if (live->terms->on_move)
        live->terms->on_move(live, &m);
}

// Lets the engine that has just moved ponder on the reply it expects.
static void ponder(live_game *live, live_game_seat *seat, text expected) {
    const rules_state *state = referee_state(live->judge);
    fault why;
    if (expected.len == 0 ||
        !dialect_parse_move(&seat->player->host, state, expected, &seat->guess, &why))
        return;
    dialect_limits limits = limits_of(live, seat->side);
    player_ponder(seat->player, state, seat->guess, &limits);
}

static void check_variation(live_game *live, const live_game_seat *seat, rules_move move) {
    fault why;
    if (pv_check_passes(live->checker, &seat->player->host, referee_state(live->judge), move, &why))
        return;
    live->game.warnings[seat->side]++;
    if (live->terms->on_warning)
        live->terms->on_warning(live, seat->side, live->game.count + 1, why.line);
}

static void take_move(live_game *live, live_game_seat *seat, const dialect_event *event,
                      int64_t now) {
    player *p = seat->player;
    const rules_state *state = referee_state(live->judge);
    rules_move move;
    fault why;
    if (!dialect_parse_move(&p->host, state, event->text, &move, &why)) {
        if (dialect_properties_of(p->host.id)->asks_again &&
            seat->retries < live->terms->sau_retries) {
            seat->retries++;
            player_retry(p); // its clock keeps running
            return;
        }
        referee_illegal(live->judge, event->text, why.line, now);
        return;
    }
    check_variation(live, seat, move);
    char written[RULES_MOVE_SIZE];
    writer w = writer_on(written, sizeof written);
    rules_format_move(state, move, NOTATION_NATIVE, &w);
    player_rest(p);
    if (event->draw_offer)
        referee_offer_draw(live->judge, seat->side);
    uint32_t plies = rules_ply(state);
    // Tell the engines first: their notation may need the position before the move.
    for (int side = 0; side < 2 && live->stage == LIVE_GAME_PLAYING; side++)
        player_played(live->seats[side].player, state, move, side == seat->side);
    if (live->stage != LIVE_GAME_PLAYING || referee_is_over(live->judge))
        return;
    referee_score score = {live->said.has_score, live->said.is_mate, live->said.score};
    if (!referee_move(live->judge, move, now, score))
        referee_illegal(live->judge, event->text, "illegal move", now);
    if (rules_ply(state) > plies)
        remember_move(live, p, move, written, now);
    if (!referee_is_over(live->judge))
        ask(live);
    if (p->engine->ponder && live->stage == LIVE_GAME_PLAYING && !referee_is_over(live->judge))
        ponder(live, seat, event->ponder);
}

static void take_result_claim(live_game *live, int side, text claim) {
    rules_outcome outcome = text_starts(claim, "1-0")   ? RULES_FIRST_WINS
                            : text_starts(claim, "0-1") ? RULES_SECOND_WINS
                                                        : RULES_DRAW;
    referee_claim(live->judge, side, outcome);
}

// Not every line has all values: keep those of earlier lines.
static void take_info(live_game *live, const dialect_info *info) {
    if (info->has_score) {
        live->said.has_score = true;
        live->said.is_mate = info->is_mate;
        live->said.score = info->score;
    }
    pv_check_note(live->checker, info);
    if (info->depth)
        live->said.depth = info->depth;
    if (info->nodes >= 0)
        live->said.nodes = info->nodes;
}

static void on_event(player *p, const dialect_event *event, int64_t now) {
    live_game_seat *seat = p->owner;
    live_game *live = seat->live;
    if (live->stage != LIVE_GAME_PLAYING || p->state != PLAYER_THINKING)
        return;
    switch (event->kind) {
    case EVENT_INFO:
        take_info(live, &event->info);
        return;
    case EVENT_MOVE:
        if (event->resigns)
            referee_resign(live->judge, seat->side);
        else
            take_move(live, seat, event, arrival_of(live, now));
        break;
    case EVENT_NO_MOVE:
        referee_illegal(live->judge, event->text, "there are legal moves", arrival_of(live, now));
        break;
    case EVENT_RESIGN:
        referee_resign(live->judge, seat->side);
        break;
    case EVENT_DRAW:
        referee_offer_draw(live->judge, seat->side);
        break;
    case EVENT_RESULT:
        take_result_claim(live, seat->side, event->text);
        break;
    default:
        break;
    }
    if (live->stage == LIVE_GAME_PLAYING && referee_is_over(live->judge))
        player_rest(p); // no answer is expected any more
    finish_if_over(live);
}

// --- seats --------------------------------------------------------------------------------------

static bool is_waiting(const live_game *live) {
    return live->seats[0].waiting || live->seats[1].waiting;
}

static void tell_new_game(live_game *live, int side) {
    dialect_limits control = limits_of(live, side);
    player *p = live->seats[side].player;
    if (live->game.fen[0] && live->opening.plies >= 0 && !dialect_can_set_up(&p->host))
        player_new_game_by_moves(p, side, &control, live->opening.moves, live->opening.plies);
    else
        player_new_game(p, side, &control, live->game.fen[0] ? live->game.fen : NULL);
}

static void ready_players(live_game *live) {
    live->stage = LIVE_GAME_READYING;
    live->seats[0].waiting = live->seats[1].waiting = true;
    for (int side = 0; side < 2 && live->stage == LIVE_GAME_READYING; side++) {
        live->seats[side].anew = false;
        tell_new_game(live, side);
    }
}

static void start_playing(live_game *live) {
    live->stage = LIVE_GAME_PLAYING;
    referee_start(live->judge);
    if (!referee_is_over(live->judge))
        ask(live);
    finish_if_over(live);
}

static void seat_player(live_game *live, live_game_seat *seat);

static void on_idle(player *p) {
    live_game_seat *seat = p->owner;
    live_game *live = seat->live;
    seat->player = p; // it may be idle before player_start has returned
    if (!seat->waiting)
        return;
    if (seat->anew && live->stage == LIVE_GAME_READYING) {
        seat->anew = false;
        tell_new_game(live, seat->side);
        return;
    }
    seat->waiting = false;
    if (is_waiting(live))
        return;
    if (live->stage == LIVE_GAME_SEATING) {
        ready_players(live);
    } else if (live->stage == LIVE_GAME_READYING) {
        start_playing(live);
    } else if (live->stage == LIVE_GAME_PLAYING) { // it has stopped pondering
        dialect_limits limits = limits_of(live, seat->side);
        player_think(p, seat->side, &limits);
    }
}

static void on_gone(player *p, player_fate fate, int detail, const char *words) {
    live_game_seat *seat = p->owner;
    live_game *live = seat->live;
    seat->player = p;
    seat->waiting = false;
    if (live->stage == LIVE_GAME_FREE) { // between games: started again when needed
        vacate(seat, true);
        return;
    }
    if (live->stage != LIVE_GAME_PLAYING && p->games > 0) {
        // Some engines exit after a game. That does not lose the next one.
        vacate(seat, true);
        seat->waiting = seat->anew = true;
        seat_player(live, seat);
        return;
    }
    if (fate == GONE_NO_MEANS)
        referee_abort(live->judge, words);
    else if (fate == GONE_CRASHED)
        referee_crash(live->judge, seat->side, 0, detail);
    else if (fate == GONE_EXITED)
        referee_crash(live->judge, seat->side, detail, 0);
    else
        referee_fail(live->judge, seat->side, words);
    finish_if_over(live);
}

static void on_talk(player *p, bool to_engine, text line, int64_t now) {
    live_game_seat *seat = p->owner;
    seat->live->terms->on_talk(seat->live, p, to_engine, line, now);
}

static void on_warning(player *p, const char *words) {
    live_game_seat *seat = p->owner;
    if (seat->live->terms->on_warning)
        seat->live->terms->on_warning(seat->live, seat->side, 0, words);
}

static const player_events handlers = {on_idle, on_event, on_gone, NULL, on_warning};
static const player_events talkative_handlers = {on_idle, on_event, on_gone, on_talk, on_warning};

static void seat_player(live_game *live, live_game_seat *seat) {
    player *p = player_start_on(live->terms->world, live->engines[seat->side], live->processor,
                                live->terms->on_talk ? &talkative_handlers : &handlers, seat);
    if (p) {
        seat->player = p;
    } else {
        referee_abort(live->judge, "out of memory");
        finish(live);
    }
}

// Engines of the last game that also play this one keep running, perhaps on the other side.
static void reseat(live_game *live) {
    player *old[2] = {live->seats[0].player, live->seats[1].player};
    for (int side = 0; side < 2; side++) {
        live->seats[side] = (live_game_seat){.live = live, .side = side};
        for (int i = 0; i < 2; i++)
            if (old[i] && !live->seats[side].player && old[i]->engine == live->engines[side]) {
                live->seats[side].player = old[i];
                old[i]->owner = &live->seats[side];
                old[i] = NULL;
            }
    }
    for (int i = 0; i < 2; i++)
        if (old[i])
            player_drop(old[i], false);
}

static void seat_players(live_game *live) {
    for (int side = 0; side < 2; side++)
        live->seats[side].waiting = live->seats[side].player == NULL;
    for (int side = 0; side < 2 && live->stage == LIVE_GAME_SEATING; side++) {
        live_game_seat *seat = &live->seats[side];
        if (seat->player)
            continue;
        seat_player(live, seat);
    }
    if (live->stage == LIVE_GAME_SEATING && !is_waiting(live))
        ready_players(live);
}

// --- what the runner asks for -------------------------------------------------------------------

bool live_game_init(live_game *live, const live_game_terms *terms, void *owner) {
    *live = (live_game){.terms = terms, .owner = owner, .processor = -1};
    if (terms->checks_pv && !(live->checker = pv_check_new()))
        return false;
    live->judge = malloc(referee_size(RULES_LONGEST_GAME));
    if (!live->judge) {
        pv_check_free(live->checker);
        return false;
    }
    deadline_init(&live->deadline, terms->world->loop, on_timer, live);
    for (int side = 0; side < 2; side++)
        live->seats[side] = (live_game_seat){.live = live, .side = side};
    return true;
}

static void stamp_start(match_game *g) {
    time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) ||
        strftime(g->started, sizeof g->started, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        g->started[0] = '\0';
}

void live_game_begin(live_game *live, const schedule_game *pairing, const match_engine *first,
                     const match_engine *second, const live_game_opening *opening) {
    const char *fen = opening->fen;
    match_move *moves = live->game.moves; // keep the memory
    size_t capacity = live->game.capacity;
    live->game = (match_game){.pairing = *pairing, .moves = moves, .capacity = capacity};
    stamp_start(&live->game);
    live->engines[0] = first;
    live->engines[1] = second;
    live->opening = *opening;
    live->opening.fen = NULL; // game.fen is a copy
    live->began = 0;
    live->stage = LIVE_GAME_SEATING;
    referee_terms terms = {.game = live->terms->world->game,
                           .set = live->terms->set,
                           .control = {first->control, second->control},
                           .limits = live->terms->limits,
                           .capacity = RULES_LONGEST_GAME};
    live->judge = referee_new(live->judge, &terms);
    reseat(live);
    if (fen) {
        writer w = writer_on(live->game.fen, sizeof live->game.fen);
        write_string(&w, fen);
        fault why;
        if (!referee_set_up(live->judge, text_of(fen), &why)) {
            referee_abort(live->judge, why.line);
            finish(live);
            return;
        }
    }
    live->game.begins = rules_side_to_move(referee_state(live->judge));
    seat_players(live);
}

void live_game_close(live_game *live) {
    live->stage = LIVE_GAME_FREE;
    for (int side = 0; side < 2; side++)
        vacate(&live->seats[side], false);
    match_game_free(&live->game);
    free(live->judge);
    live->judge = NULL;
    pv_check_free(live->checker);
    live->checker = NULL;
    deadline_close(&live->deadline, NULL);
}
