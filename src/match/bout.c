#include "match/bout.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void ask(bout *b);

// --- the end of a game --------------------------------------------------------------------------

// A player that still thinks, or is in any trouble, does not get another game.
static bool fit_for_more(const bout_seat *seat) {
    const player *p = seat->player;
    return p && p->state == PLAYER_IDLE && p->engine->restart != RESTART_ALWAYS &&
           dialect_is_reusable(&p->host);
}

static void vacate(bout_seat *seat, bool at_once) {
    if (seat->player)
        player_drop(seat->player, at_once);
    seat->player = NULL;
}

static void finish(bout *b) {
    const referee_verdict *verdict = referee_verdict_of(b->judge);
    b->stage = BOUT_FREE;
    b->game.verdict = *verdict;
    for (int side = 0; side < 2; side++) {
        bout_seat *seat = &b->seats[side];
        b->game.wrong_claims[side] = (uint32_t)referee_wrong_claims(b->judge, side);
        if (!seat->player)
            continue;
        b->game.protocol_faults[side] = seat->player->faults;
        seat->player->faults = 0;
        seat->player->games++;
        player_state before = seat->player->state;
        player_end_game(seat->player, verdict->outcome, verdict->words);
        if (!fit_for_more(seat))
            vacate(seat, before == PLAYER_THINKING || before == PLAYER_GONE);
    }
    b->terms->on_over(b);
}

static void finish_if_over(bout *b) {
    if (b->stage != BOUT_FREE && referee_is_over(b->judge))
        finish(b);
}

// --- time ---------------------------------------------------------------------------------------

static void on_timer(deadline *d) {
    bout *b = d->owner;
    if (b->stage != BOUT_PLAYING)
        return;
    int mover = rules_side_to_move(referee_state(b->judge));
    if (b->seats[mover].player->state == PLAYER_GONE)
        return; // why is told in a moment, and says more than the clock
    int64_t now = clock_us();
    if (deadline_has_passed(d, now) && !referee_flag(b->judge, now))
        referee_stall(b->judge, mover);
    finish_if_over(b);
}

// --- thinking and moving ------------------------------------------------------------------------

static dialect_limits limits_of(const bout *b, int mover) {
    const referee_terms *terms = referee_terms_of(b->judge);
    const referee_control *control = &terms->control[mover];
    dialect_limits limits = {.moves_to_go = referee_moves_to_go(b->judge, mover),
                             .move_time_us = control->move_time_us,
                             .depth = control->depth,
                             .nodes = control->nodes};
    for (int side = 0; side < 2; side++) {
        // Who has no clock is not told the opponent's: engines would take it for their own.
        limits.clock_us[side] = control->has_clock ? referee_left(b->judge, side) : -1;
        limits.increment_us[side] = terms->control[side].increment_us;
    }
    return limits;
}

static void ask(bout *b) {
    const rules_state *state = referee_state(b->judge);
    int side = rules_side_to_move(state);
    bout_seat *seat = &b->seats[side];
    player *p = seat->player;
    dialect_limits limits = limits_of(b, side);
    b->said = (dialect_info){.nodes = -1, .time_ms = -1};
    if (p->state != PLAYER_PONDERING) {
        player_think(p, side, &limits);
    } else if (seat->guess == rules_move_at(state, rules_ply(state) - 1)) {
        player_ponder_hit(p);
    } else {
        seat->waiting = true; // asked when it has stopped, on its own time
        player_stop_pondering(p);
    }
    if (!b->began)
        b->began = p->request_written;
    referee_turn(b->judge, p->request_written);
    int64_t flag = referee_deadline(b->judge);
    if (flag == INT64_MAX)
        flag = p->request_written + b->terms->stall_us;
    deadline_set(&b->deadline, flag, p->request_written);
}

static void remember_move(bout *b, const player *p, rules_move move, const char *written,
                          int64_t now) {
    match_move m = {.move = move,
                    .depth = b->said.depth,
                    .nodes = b->said.nodes,
                    .used = referee_last_used(b->judge),
                    .left = referee_left(b->judge, p == b->seats[0].player ? 0 : 1),
                    .written = p->request_written - b->began,
                    .first_byte = (p->first_byte ? p->first_byte : now) - b->began,
                    .read = now - b->began};
    writer w = writer_on(m.text, sizeof m.text);
    write_string(&w, written);
    m.score = (referee_score){b->said.has_score, b->said.is_mate, b->said.score};
    if (!match_game_add(&b->game, &m))
        referee_abort(b->judge, "out of memory");
}

// The engine that has just moved goes on thinking about the reply it expects.
static void ponder(bout *b, bout_seat *seat, text expected) {
    const rules_state *state = referee_state(b->judge);
    fault why;
    if (expected.len == 0 ||
        !dialect_parse_move(&seat->player->host, state, expected, &seat->guess, &why))
        return;
    dialect_limits limits = limits_of(b, seat->side);
    player_ponder(seat->player, state, seat->guess, &limits);
}

static void take_move(bout *b, bout_seat *seat, const dialect_event *event, int64_t now) {
    player *p = seat->player;
    const rules_state *state = referee_state(b->judge);
    rules_move move;
    fault why;
    if (!dialect_parse_move(&p->host, state, event->text, &move, &why)) {
        if (dialect_properties_of(p->host.id)->asks_again &&
            seat->retries < b->terms->sau_retries) {
            seat->retries++;
            player_retry(p); // the clock runs on
            return;
        }
        referee_illegal(b->judge, event->text, why.line, now);
        return;
    }
    char written[RULES_MOVE_SIZE];
    writer w = writer_on(written, sizeof written);
    rules_format_move(state, move, NOTATION_NATIVE, &w);
    player_rest(p);
    if (event->draw_offer)
        referee_offer_draw(b->judge, seat->side);
    uint32_t plies = rules_ply(state);
    // The engines are told before the referee moves on: their notation may need the old position.
    for (int side = 0; side < 2 && b->stage == BOUT_PLAYING; side++)
        player_played(b->seats[side].player, state, move, side == seat->side);
    if (b->stage != BOUT_PLAYING || referee_is_over(b->judge))
        return;
    referee_score score = {b->said.has_score, b->said.is_mate, b->said.score};
    if (!referee_move(b->judge, move, now, score))
        referee_illegal(b->judge, event->text, "illegal move", now);
    if (rules_ply(state) > plies)
        remember_move(b, p, move, written, now);
    if (!referee_is_over(b->judge))
        ask(b);
    if (p->engine->ponder && b->stage == BOUT_PLAYING && !referee_is_over(b->judge))
        ponder(b, seat, event->ponder);
}

static void take_result_claim(bout *b, int side, text claim) {
    rules_outcome outcome = text_starts(claim, "1-0")   ? RULES_FIRST_WINS
                            : text_starts(claim, "0-1") ? RULES_SECOND_WINS
                                                        : RULES_DRAW;
    referee_claim(b->judge, side, outcome);
}

// A later line completes an earlier one; not every line says everything.
static void take_info(bout *b, const dialect_info *info) {
    if (info->has_score) {
        b->said.has_score = true;
        b->said.is_mate = info->is_mate;
        b->said.score = info->score;
    }
    if (info->depth)
        b->said.depth = info->depth;
    if (info->nodes >= 0)
        b->said.nodes = info->nodes;
}

static void on_event(player *p, const dialect_event *event, int64_t now) {
    bout_seat *seat = p->owner;
    bout *b = seat->bout;
    if (b->stage != BOUT_PLAYING || p->state != PLAYER_THINKING)
        return;
    switch (event->kind) {
    case EVENT_INFO:
        take_info(b, &event->info);
        return;
    case EVENT_MOVE:
        if (event->resigns)
            referee_resign(b->judge, seat->side);
        else
            take_move(b, seat, event, now);
        break;
    case EVENT_NO_MOVE:
        referee_illegal(b->judge, event->text, "there are legal moves", now);
        break;
    case EVENT_RESIGN:
        referee_resign(b->judge, seat->side);
        break;
    case EVENT_DRAW:
        referee_offer_draw(b->judge, seat->side);
        break;
    case EVENT_RESULT:
        take_result_claim(b, seat->side, event->text);
        break;
    default:
        break;
    }
    if (b->stage == BOUT_PLAYING && referee_is_over(b->judge))
        player_rest(p); // it has said its last word
    finish_if_over(b);
}

// --- seats --------------------------------------------------------------------------------------

static bool anybody_waited_for(const bout *b) { return b->seats[0].waiting || b->seats[1].waiting; }

static void tell_new_game(bout *b, int side) {
    dialect_limits control = limits_of(b, side);
    player *p = b->seats[side].player;
    if (b->game.fen[0] && b->opening.plies >= 0 && !dialect_can_set_up(&p->host))
        player_new_game_by_moves(p, side, &control, b->opening.moves, b->opening.plies);
    else
        player_new_game(p, side, &control, b->game.fen[0] ? b->game.fen : NULL);
}

static void ready_players(bout *b) {
    b->stage = BOUT_READYING;
    b->seats[0].waiting = b->seats[1].waiting = true;
    for (int side = 0; side < 2 && b->stage == BOUT_READYING; side++) {
        b->seats[side].anew = false;
        tell_new_game(b, side);
    }
}

static void start_playing(bout *b) {
    b->stage = BOUT_PLAYING;
    referee_start(b->judge);
    if (!referee_is_over(b->judge))
        ask(b);
    finish_if_over(b);
}

static void seat_player(bout *b, bout_seat *seat);

static void on_idle(player *p) {
    bout_seat *seat = p->owner;
    bout *b = seat->bout;
    seat->player = p; // it may be idle before player_start has returned
    if (!seat->waiting)
        return;
    if (seat->anew && b->stage == BOUT_READYING) {
        seat->anew = false;
        tell_new_game(b, seat->side);
        return;
    }
    seat->waiting = false;
    if (anybody_waited_for(b))
        return;
    if (b->stage == BOUT_SEATING) {
        ready_players(b);
    } else if (b->stage == BOUT_READYING) {
        start_playing(b);
    } else if (b->stage == BOUT_PLAYING) { // it has stopped pondering
        dialect_limits limits = limits_of(b, seat->side);
        player_think(p, seat->side, &limits);
    }
}

static void on_gone(player *p, player_fate fate, int detail, const char *words) {
    bout_seat *seat = p->owner;
    bout *b = seat->bout;
    seat->player = p;
    seat->waiting = false;
    if (b->stage == BOUT_FREE) { // between games: another is started when it is needed
        vacate(seat, true);
        return;
    }
    if (b->stage != BOUT_PLAYING && p->games > 0) {
        // Some leave when their game is over: that is no fault of this game's.
        vacate(seat, true);
        seat->waiting = seat->anew = true;
        seat_player(b, seat);
        return;
    }
    if (fate == GONE_NO_MEANS)
        referee_abort(b->judge, words);
    else if (fate == GONE_CRASHED)
        referee_crash(b->judge, seat->side, 0, detail);
    else if (fate == GONE_EXITED)
        referee_crash(b->judge, seat->side, detail, 0);
    else
        referee_fail(b->judge, seat->side, words);
    finish_if_over(b);
}

static void on_talk(player *p, bool to_engine, text line, int64_t now) {
    bout_seat *seat = p->owner;
    seat->bout->terms->on_talk(seat->bout, p, to_engine, line, now);
}

static const player_events handlers = {on_idle, on_event, on_gone, NULL};
static const player_events talkative_handlers = {on_idle, on_event, on_gone, on_talk};

static void seat_player(bout *b, bout_seat *seat) {
    player *p = player_start(b->terms->world, b->engines[seat->side],
                             b->terms->on_talk ? &talkative_handlers : &handlers, seat);
    if (p) {
        seat->player = p;
    } else {
        referee_abort(b->judge, "out of memory");
        finish(b);
    }
}

// Those who played the last game change seats where they must; the others leave.
static void reseat(bout *b) {
    player *old[2] = {b->seats[0].player, b->seats[1].player};
    for (int side = 0; side < 2; side++) {
        b->seats[side] = (bout_seat){.bout = b, .side = side};
        for (int i = 0; i < 2; i++)
            if (old[i] && !b->seats[side].player && old[i]->engine == b->engines[side]) {
                b->seats[side].player = old[i];
                old[i]->owner = &b->seats[side];
                old[i] = NULL;
            }
    }
    for (int i = 0; i < 2; i++)
        if (old[i])
            player_drop(old[i], false);
}

static void seat_players(bout *b) {
    for (int side = 0; side < 2; side++)
        b->seats[side].waiting = b->seats[side].player == NULL;
    for (int side = 0; side < 2 && b->stage == BOUT_SEATING; side++) {
        bout_seat *seat = &b->seats[side];
        if (seat->player)
            continue;
        seat_player(b, seat);
    }
    if (b->stage == BOUT_SEATING && !anybody_waited_for(b))
        ready_players(b);
}

// --- what the runner asks for -------------------------------------------------------------------

bool bout_init(bout *b, const bout_terms *terms, void *owner) {
    *b = (bout){.terms = terms, .owner = owner};
    b->judge = aligned_alloc(16, (referee_size(BOUT_PLIES) + 15) / 16 * 16);
    if (!b->judge)
        return false;
    deadline_init(&b->deadline, terms->world->loop, on_timer, b);
    for (int side = 0; side < 2; side++)
        b->seats[side] = (bout_seat){.bout = b, .side = side};
    return true;
}

static void stamp_start(match_game *g) {
    time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) ||
        strftime(g->started, sizeof g->started, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        g->started[0] = '\0';
}

void bout_begin(bout *b, const schedule_game *pairing, const match_engine *first,
                const match_engine *second, const bout_opening *opening) {
    const char *fen = opening->fen;
    match_move *moves = b->game.moves; // the room is used again
    uint32_t capacity = b->game.capacity;
    b->game = (match_game){.pairing = *pairing, .moves = moves, .capacity = capacity};
    stamp_start(&b->game);
    b->engines[0] = first;
    b->engines[1] = second;
    b->opening = *opening;
    b->opening.fen = NULL; // game.fen is the copy that stays
    b->began = 0;
    b->stage = BOUT_SEATING;
    referee_terms terms = {.game = b->terms->world->game,
                           .set = b->terms->set,
                           .control = {first->control, second->control},
                           .limits = b->terms->limits,
                           .capacity = BOUT_PLIES};
    b->judge = referee_new(b->judge, &terms);
    reseat(b);
    if (fen) {
        writer w = writer_on(b->game.fen, sizeof b->game.fen);
        write_string(&w, fen);
        fault why;
        if (!referee_set_up(b->judge, text_of(fen), &why)) {
            referee_abort(b->judge, why.line);
            finish(b);
            return;
        }
    }
    b->game.begins = rules_side_to_move(referee_state(b->judge));
    seat_players(b);
}

void bout_close(bout *b) {
    b->stage = BOUT_FREE;
    for (int side = 0; side < 2; side++)
        vacate(&b->seats[side], false);
    match_game_free(&b->game);
    free(b->judge);
    b->judge = NULL;
    deadline_close(&b->deadline, NULL);
}
