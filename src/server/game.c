#include "server/game.h"

#include "base/minmax.h"
#include "base/vector.h"
#include "server/feature.h"

#include <stdlib.h>

// --- terms --------------------------------------------------------------------------------------

bool game_read_terms(const request *r, game_terms *t, fault *why) {
    text name = request_text(r, "game"), control = request_text(r, "tc");
    text fen = request_text(r, "fen"), rules = request_text(r, "rules");
    *t = (game_terms){.rules = rules_find(name)};
    if (!t->rules) {
        char known[64];
        writer w = writer_on(known, sizeof known);
        rules_write_names(&w);
        return fault_set(why, "game: %s, not %s", known, fault_quote(name).shown);
    }
    t->set = rules_default_set(t->rules);
    if ((rules.len && !rules_set_parse(t->rules, rules, &t->set, why)) ||
        !referee_control_parse(control.len ? control : text_of("300+3"), &t->control, why) ||
        !request_flag(r, "rated", false, &t->rated, why))
        return false;
    if (t->rated && !referee_control_has_limit(&t->control))
        return fault_set(why, "a rated game needs a clock");
    if (t->rated && fen.len)
        return fault_set(why, "a rated game begins at the start position");
    if (fen.len == 0)
        return true;
    _Alignas(16) char memory[8192];
    if (rules_state_size(1) > sizeof memory)
        return fault_set(why, "fen: no room");
    rules_state *s = rules_state_new(memory, t->rules, &t->set, 1);
    if (!rules_set_fen(s, fen, why))
        return false;
    writer w = writer_on(t->fen, sizeof t->fen);
    rules_format_fen(s, &w);
    return rules_result(s).outcome == RULES_ONGOING || fault_set(why, "fen: that game is over");
}

void game_write_terms(const game_terms *t, message *m) {
    char rules[192], control[REFEREE_CONTROL_SIZE];
    writer w = writer_on(rules, sizeof rules);
    rules_set_format(t->rules, &t->set, &w);
    w = writer_on(control, sizeof control);
    referee_control_format(&t->control, &w);
    message_string(m, "game", rules_name(t->rules));
    message_string(m, "rules", rules);
    message_string(m, "tc", control);
    message_flag(m, "rated", t->rated);
    if (t->fen[0])
        message_string(m, "fen", t->fen);
}

static bool same_rules(const rules_set *a, const rules_set *b) {
    return a->repetition == b->repetition && a->no_capture == b->no_capture &&
           a->repetition_end == b->repetition_end && a->no_capture_end == b->no_capture_end &&
           a->no_move_end == b->no_move_end && a->flag_end == b->flag_end;
}

static bool same_control(const referee_control *a, const referee_control *b) {
    return a->has_clock == b->has_clock && a->moves == b->moves && a->base_us == b->base_us &&
           a->increment_us == b->increment_us && a->move_time_us == b->move_time_us &&
           a->depth == b->depth && a->nodes == b->nodes && a->margin_us == b->margin_us;
}

bool game_same_terms(const game_terms *a, const game_terms *b) {
    return a->rules == b->rules && a->rated == b->rated && strcmp(a->fen, b->fen) == 0 &&
           same_rules(&a->set, &b->set) && same_control(&a->control, &b->control);
}

// --- making and freeing -------------------------------------------------------------------------

bool game_set_up(game *g, fault *why) {
    referee_terms terms = {.game = g->rules, .capacity = RULES_LONGEST_GAME};
    if (!rules_set_parse(g->rules, text_of(g->row.rules), &terms.set, why) ||
        !referee_control_parse(text_of(g->row.control), &terms.control[0], why))
        return false;
    terms.control[1] = terms.control[0];
    g->judge = referee_new(g->judge, &terms);
    if (g->row.fen[0] && !referee_set_up(g->judge, text_of(g->row.fen), why))
        return false;
    referee_start(g->judge);
    return true;
}

static void take_seat(game *g, int side, member *m) {
    seat *s = &g->seats[side];
    *s = (seat){.game = g, .side = side, .member = m, .lag_left = GAME_LAG_STORE};
    member_hold(m);
    list_prepend(&m->seats, &s->link);
    m->game_count++;
}

static void leave_seat(seat *s) {
    member *m = s->member;
    if (!list_has(&m->seats, &s->link))
        return; // has left already
    list_remove(&m->seats, &s->link);
    m->game_count--;
}

void game_free(game *g) {
    server *srv = g->server;
    game_show_held(g);
    while (g->watches.first)
        game_unwatch(watch_of_game(g->watches.first));
    for (int side = 0; side < 2; side++)
        if (g->seats[side].member) {
            leave_seat(&g->seats[side]);
            member_release(g->seats[side].member);
        }
    if (g->row.id)
        table_remove(&srv->games, g->row.id);
    if (g->is_asked)
        game_forget_request(g);
    for (game **flag = &srv->flags_due; g->is_flag_due && *flag; flag = &(*flag)->next_flag)
        if (*flag == g) {
            *flag = g->next_flag;
            break;
        }
    srv->games_over -= g->is_counted;
    free(g->judge);
    free(g->moves);
    deadline_close(&g->deadline, free); // frees the game
}

game *game_make(server *srv, const stored_game *row, fault *why) {
    game *g = calloc(1, sizeof *g);
    if (!g) {
        fault_set(why, "out of memory");
        return NULL;
    }
    g->server = srv;
    g->row = *row;
    g->rules = rules_find(text_of(row->game));
    g->judge = malloc(referee_size(RULES_LONGEST_GAME));
    deadline_init(&g->deadline, srv->loop, game_on_timer, g);
    member *players[2] = {member_get(srv, row->players[0]), member_get(srv, row->players[1])};
    bool good = g->rules && g->judge && players[0] && players[1] && game_set_up(g, why);
    if (good && row->id && !table_add(&srv->games, row->id, g))
        good = fault_set(why, "out of memory");
    for (int side = 0; good && side < 2; side++)
        take_seat(g, side, players[side]);
    member_release(players[0]);
    member_release(players[1]);
    if (good)
        return g;
    g->row.id = 0;
    game_free(g);
    return NULL;
}

game *game_begin(server *srv, const game_terms *t, member *first, member *second,
                 int64_t tournament, int round, fault *why) {
    if (srv->is_draining) {
        fault_set(why, "%s", server_draining_words);
        return NULL;
    }
    if (srv->live_games >= GAME_MOST || first->game_count >= GAME_MOST_OF_ONE ||
        second->game_count >= GAME_MOST_OF_ONE) {
        fault_set(why, "too many games at once");
        return NULL;
    }
    if (t->rated && !member_may_play_rated(first, second, why))
        return NULL;
    stored_game row = {.players = {first->id, second->id},
                       .rated = t->rated,
                       .tournament = tournament,
                       .round = round,
                       .started = server_wall(),
                       .begun = server_now(srv),
                       .side = -1};
    writer out = writer_on(row.game, sizeof row.game);
    write_string(&out, rules_name(t->rules));
    out = writer_on(row.rules, sizeof row.rules);
    rules_set_format(t->rules, &t->set, &out);
    out = writer_on(row.control, sizeof row.control);
    referee_control_format(&t->control, &out);
    out = writer_on(row.fen, sizeof row.fen);
    write_string(&out, t->fen);
    store_add_game(srv->store, &row);
    game *g = game_make(srv, &row, why);
    if (!g) {
        store_remove_game(srv->store, row.id); // nobody was told
        return NULL;
    }
    srv->live_games++;
    srv->count.games_started++;
    game_tell_all(g, NULL);
    TELL_FEATURES(srv, on_game_begun, g);
    game_ask(g);
    game_check_over(g);
    return g;
}

game *game_find(server *srv, int64_t id) { return table_find(&srv->games, id); }

bool game_is_over(const game *g) { return g->row.ended != 0; }

bool game_has_limit(const game *g) {
    return referee_control_has_limit(&referee_terms_of(g->judge)->control[0]);
}

int game_side_of(const game *g, const member *m) {
    return m == g->seats[0].member ? 0 : m == g->seats[1].member ? 1 : -1;
}

// --- the end ------------------------------------------------------------------------------------

void game_retire(game *g, int64_t since) {
    for (int side = 0; side < 2; side++)
        leave_seat(&g->seats[side]);
    deadline_stop(&g->deadline);
    g->is_counted = g->server->games_over < GAME_MOST_OVER;
    g->server->games_over += g->is_counted;
    game_set_deadline(g, since + (g->is_counted ? GAME_LINGER_MS * 1000LL : 0));
}

void game_check_over(game *g) {
    if (game_is_over(g) || !referee_is_over(g->judge))
        return;
    server *srv = g->server;
    const referee_verdict *v = referee_verdict_of(g->judge);
    g->row.ended = server_wall();
    g->row.outcome = (int)v->outcome;
    g->row.side = v->side;
    g->row.plies = (int)rules_ply(referee_state(g->judge));
    writer out = writer_on(g->row.reason, sizeof g->row.reason);
    write_string(&out, referee_reason_name(v->reason));
    out = writer_on(g->row.words, sizeof g->row.words);
    write_string(&out, v->words);
    store_end_game(srv->store, &g->row, g->moves);
    store_beat(srv->store, server_now(srv)); // its entries may be cut off the journal now
    srv->live_games--;
    srv->count.games_ended++;
    srv->count.flags += v->reason == REFEREE_TIME; // also by a move that came too late
    if (srv->count.games_ended % 64 == 0 || srv->live_games == 0)
        game_trim_journal(srv);
    game_retire(g, server_now(srv));
    if (g->delay_us && g->watch_count) // who watches sees the rest now
        game_show_anew(g);
    message m = {.verb = "result"};
    game_build_result(g, &m);
    game_send(g, &m);
    game_show_soon(g);
    message_free(&m);
    TELL_FEATURES(srv, on_game_over, g);
    TELL_FEATURES(srv, on_result, srv, &g->row);
}

void game_close_all(server *srv) {
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at)); at = 0)
        game_free(g);
    srv->asked = srv->asked_sealed = NULL;
}

// --- moves --------------------------------------------------------------------------------------

bool game_keep_move(game *g, const stored_move *m) {
    uint32_t ply = rules_ply(referee_state(g->judge));
    stored_move *grown = vector_reserve(g->moves, &g->move_capacity, ply, sizeof *grown);
    if (!grown)
        return false;
    g->moves = grown;
    g->moves[ply - 1] = *m;
    return true;
}

int64_t game_take_lag(seat *s, int64_t credit) {
    credit = min_i64(credit, min_i64(s->lag_left, GAME_LAG_MOVE));
    s->lag_left = min_i64(s->lag_left - credit + GAME_LAG_REGAIN, GAME_LAG_STORE);
    return credit;
}

static void accept_move(game *g, int side, const game_move *m, rules_move move) {
    server *srv = g->server;
    stored_move kept = {.queued = g->asked_at,
                        .written = g->sent_at,
                        .read = m->read,
                        .late = g->late_credit,
                        .has_score = m->has_score,
                        .is_mate = m->is_mate,
                        .score = m->score,
                        .depth = m->depth,
                        .nodes = m->nodes};
    const rules_state *state = referee_state(g->judge);
    uint32_t plies = rules_ply(state);
    writer out = writer_on(kept.move, sizeof kept.move);
    rules_format_move(state, move, NOTATION_NATIVE, &out);
    bool has_credit = game_gets_lag_credit(g, side) && m->round_trip > 0;
    kept.lag = game_take_lag(&g->seats[side], has_credit ? m->round_trip : 0);
    referee_score score = {m->has_score, m->is_mate, m->score};
    int64_t at = m->read - kept.lag;
    if (m->offers_draw)
        referee_offer_draw(g->judge, side);
    if (referee_is_over(g->judge) || !referee_move(g->judge, move, at, score) ||
        rules_ply(state) == plies)
        return; // drawn by it, or late
    kept.accepted = server_now(srv);
    kept.used = referee_last_used(g->judge);
    kept.remaining = referee_left(g->judge, side);
    g->used_before = 0;
    game_count_late(g, kept.accepted, kept.late);
    g->late_credit = 0;
    for (int i = 0; i < 2; i++)
        g->seats[i].offers_takeback = false;
    if (!game_keep_move(g, &kept))
        referee_abort(g->judge, "out of memory");
    game_log_move(g, &kept);
    if (m->offers_draw)
        game_log_offer(g, OFFER_DRAW, side);
    srv->count.moves++;
    game_tell_move(g, m->offers_draw);
    game_ask(g);
}

const char *game_play(game *g, int side, const game_move *made, fault *why) {
    const rules_state *state = referee_state(g->judge);
    rules_move move;
    game_move copy = *made, *m = &copy;
    if (m->read < g->clock_from) // it may have waited so long, but not before its clock ran
        m->read = g->clock_from;
    if (game_is_over(g)) {
        fault_set(why, "the game is over");
        return "game";
    }
    if (g->hold) {
        fault_set(why, "the clock is stopped");
        return "paused";
    }
    if (side != rules_side_to_move(state) || g->is_asked) {
        fault_set(why, "it is not your turn");
        return "turn";
    }
    if (m->ply >= 0 && (uint32_t)m->ply != rules_ply(state)) {
        fault_set(why, "%d plies said, %u are on the board", m->ply, (unsigned)rules_ply(state));
        return "ply";
    }
    if (!rules_parse_move(state, m->move, &move, why)) {
        g->server->count.illegal_moves++;
        player_kind kind = g->seats[side].member->kind;
        if (kind == PLAYER_PERSON || kind == PLAYER_GUEST)
            return "illegal";
        referee_illegal(g->judge, m->move, why->line, m->read);
        game_check_over(g);
        return NULL;
    }
    accept_move(g, side, m, move);
    game_check_over(g);
    return NULL;
}

void game_resign(game *g, int side) {
    referee_resign(g->judge, side);
    game_check_over(g);
}

void game_fail(game *g, int side, const char *what) {
    referee_fail(g->judge, side, what);
    game_check_over(g);
}

void game_abandon(game *g, int side, bool is_draw) {
    char words[128];
    writer w = writer_on(words, sizeof words);
    write_format(&w, "%s was away before the second move", g->seats[side].member->name);
    if (rules_ply(referee_state(g->judge)) < 2)
        referee_abort(g->judge, words);
    else
        referee_abandon(g->judge, side, is_draw);
    game_check_over(g);
}

// --- the arbiter --------------------------------------------------------------------------------

void game_void(game *g, const char *why) {
    referee_abort(g->judge, why);
    game_check_over(g);
}

void game_decide(game *g, int loser, const char *why) {
    referee_decide(g->judge, loser, why);
    game_check_over(g);
}
