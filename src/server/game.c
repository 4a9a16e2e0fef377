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

static void on_timer(deadline *d);

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
    while (g->watches.first)
        game_unwatch(watch_of_game(g->watches.first));
    for (int side = 0; side < 2; side++)
        if (g->seats[side].member) {
            leave_seat(&g->seats[side]);
            member_release(g->seats[side].member);
        }
    if (g->row.id)
        table_remove(&srv->games, g->row.id);
    for (game **flag = &srv->flags; g->is_flag && *flag; flag = &(*flag)->next_flag)
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
    g->judge = aligned_alloc(16, (referee_size(RULES_LONGEST_GAME) + 15) & ~(size_t)15);
    deadline_init(&g->deadline, srv->loop, on_timer, g);
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

// --- the clock ----------------------------------------------------------------------------------

void game_set_deadline(game *g, int64_t at) {
    deadline_set(&g->deadline, at, server_now(g->server));
}

// Whether the member plays on a page only. A program may log in as a guest, so kind is not enough.
static bool plays_on_page(const member *m) {
    for (list_link *l = m->sessions.first; l; l = l->next)
        if (!session_of_member(l)->socket)
            return false;
    return !list_is_empty(&m->sessions);
}

static bool gets_lag_credit(const game *g, int side) {
    player_kind kind = g->seats[side].member->kind;
    return plays_on_page(g->seats[side].member) &&
           (kind == PLAYER_PERSON || kind == PLAYER_GUEST) &&
           (!g->row.rated || g->server->options->lag_credit_rated);
}

// When to judge the flag: its fall, plus the lag credit that a move may still get.
static int64_t flag_deadline(const game *g) {
    int64_t flag = referee_deadline(g->judge);
    int side = rules_side_to_move(referee_state(g->judge));
    int64_t credit = min_i64(g->seats[side].lag_left, GAME_LAG_MOVE);
    if (flag == INT64_MAX)
        return g->sent_at + GAME_STALL_S * 1000000LL;
    return flag + (gets_lag_credit(g, side) ? credit : 0);
}

static void release(game *g) {
    g->hold = 0;
    game_log_clock(g, server_now(g->server));
    game_ask(g);
    game_tell_clock(g);
}

static void on_timer(deadline *d) {
    game *g = d->owner;
    if (!deadline_has_passed(d, server_now(g->server)))
        return;
    if (game_is_over(g)) {
        game_free(g);
    } else if (g->hold & HOLD_RESTART) {
        game_hold_clock(g, HOLD_RESTART, false);
    } else if (!g->hold && !g->is_asked && !g->is_flag) {
        g->is_flag = true;
        g->next_flag = g->server->flags;
        g->server->flags = g;
        turns_want_drained(&g->server->turns);
    }
}

// Whether the side to move has sent something in time that waits behind other work (net/turns.h).
static bool has_input(const game *g) {
    const member *m = g->seats[rules_side_to_move(referee_state(g->judge))].member;
    int64_t by = g->deadline.at - g->server->offset;
    for (list_link *l = m->sessions.first; l; l = l->next)
        if (connection_holds_input(session_of_member(l)->connection, by))
            return true;
    return false;
}

static void judge_flag(game *g, int64_t then) {
    if (game_is_over(g) || g->hold || g->is_asked)
        return; // a move was here in time: its answer sets the timer
    if (has_input(g)) {
        game_set_deadline(g, g->deadline.at);
        return;
    }
    if (then <= g->deadline.at) {
        game_set_deadline(g, g->deadline.at);
        return;
    }
    if (referee_deadline(g->judge) == INT64_MAX)
        referee_stall(g->judge, rules_side_to_move(referee_state(g->judge)));
    else if (referee_flag(g->judge, then))
        g->server->count.flags++;
    game_check_over(g);
}

void game_judge_flags(server *srv, int64_t then) {
    while (srv->flags) {
        game *g = srv->flags;
        srv->flags = g->next_flag;
        g->is_flag = false;
        judge_flag(g, then);
    }
}

static int64_t hour_of(const game *g, int64_t at) { return (at - g->row.begun) / 3600000000LL; }

void game_count_late(game *g, int64_t at, int64_t us) {
    if (hour_of(g, at) != g->late.hour) {
        g->late.hour = hour_of(g, at);
        g->late.given = 0;
        g->late.is_told = false;
    }
    g->late.given += us;
}

int64_t game_late_allowance(const game *g, int64_t at, int64_t us) {
    int64_t most = g->server->options->late_credit_s * 1000000LL;
    int64_t given = (hour_of(g, at) == g->late.hour ? g->late.given : 0) + g->late_credit;
    return min_i64(us, max_i64(most - given, 0));
}

static void write_late(const game *g, writer *out) {
    write_format(out,
                 "game %lld: the server was late by more than %d s in an hour; the rest was "
                 "charged to the clock of %s",
                 (long long)g->row.id, g->server->options->late_credit_s,
                 g->seats[rules_side_to_move(referee_state(g->judge))].member->name);
}

// An arbiter decides what to do about a game that got back less than it lost.
static void tell_arbiters(game *g) {
    server *srv = g->server;
    char words[256];
    writer out = writer_on(words, sizeof words);
    write_late(g, &out);
    game_count_late(g, server_now(srv), 0); // is_told is of this hour
    if (g->late.is_told)
        return;
    g->late.is_told = true;
    server_log("%s", words);
    for (session *s = session_of(srv->sessions.first); s; s = session_of(s->link.next))
        if (s->member && s->member->role == ROLE_ARBITER)
            session_notice(s, "late", words);
}

// The loop was late by `us`: each running clock stops at now - us, or at its start if that is
// later, and starts again now. Time used before still counts.
bool game_credit_late(server *srv, int64_t us) {
    int64_t now = server_now(srv), entry = 0;
    uint32_t at = 0;
    bool some = false;
    for (game *g; (g = table_next(&srv->games, &at));) {
        if (game_is_over(g) || g->hold || g->is_asked || g->clock_from >= now || !game_has_limit(g))
            continue;
        if (!some)
            entry = game_log_late(srv, now, us);
        some = true;
        if (!g->first_entry)
            g->first_entry = entry;
        int64_t ran = min_i64(us, now - g->clock_from);
        int64_t given = game_late_allowance(g, now, ran);
        g->used_before = referee_pause(g->judge, now - given);
        g->late_credit += given;
        srv->count.late_given_us += (uint64_t)given;
        srv->count.late_charged_us += (uint64_t)(ran - given);
        referee_turn(g->judge, now - g->used_before);
        g->clock_from = now;
        game_set_deadline(g, flag_deadline(g));
        if (given < ran)
            tell_arbiters(g);
    }
    return some;
}

void game_ask(game *g) {
    if (g->is_asked || g->hold || referee_is_over(g->judge))
        return;
    server *srv = g->server;
    g->is_asked = true;
    g->asked_at = server_now(srv);
    g->next_asked = srv->asked;
    srv->asked = g;
    turns_want(&srv->turns);
    game_tell_turn(g, NULL);
}

// When the request was handed to the system, on the first of the player's connections.
static int64_t written_at(const game *g, int64_t now) {
    int64_t written = now;
    const member *m = g->seats[rules_side_to_move(referee_state(g->judge))].member;
    for (list_link *l = m->sessions.first; l; l = l->next) {
        int64_t at = server_time(g->server, session_of_member(l)->connection->written);
        if (at >= g->asked_at && at < written)
            written = at;
    }
    return written;
}

// Counts the time from reading the last move to sending it to the opponent.
static void note_pass_on(const game *g) {
    uint32_t ply = rules_ply(referee_state(g->judge));
    if (ply == 0 || g->moves[ply - 1].accepted > g->asked_at)
        return;
    int64_t took = g->sent_at - g->moves[ply - 1].read;
    int i = 0;
    while (i < SERVER_PASS_ON - 1 && took > 64LL << i)
        i++;
    g->server->count.pass_on[i]++;
    g->server->count.pass_on_us += took > 0 ? (uint64_t)took : 0;
}

void game_start_clocks(server *srv) {
    int64_t now = server_now(srv);
    game *g = srv->asked;
    srv->asked = NULL;
    while (g) {
        game *next = g->next_asked;
        g->next_asked = NULL;
        g->is_asked = false;
        if (!game_is_over(g) && !g->hold) {
            g->clock_from = g->sent_at = written_at(g, now);
            g->late_credit = 0;
            referee_turn(g->judge, g->clock_from - g->used_before);
            game_set_deadline(g, flag_deadline(g));
            note_pass_on(g);
            TELL_FEATURES(srv, on_turn, g);
        }
        g = next;
    }
}

static void tell_of_late_games(member *arbiter) {
    uint32_t at = 0;
    for (const game *g; (g = table_next(&arbiter->server->games, &at));) {
        char words[256];
        writer out = writer_on(words, sizeof words);
        if (game_is_over(g) || !g->late.is_told)
            continue;
        write_late(g, &out);
        member_notice(arbiter, "late", words);
    }
}

void game_on_arrived(member *m) {
    if (m->role == ROLE_ARBITER && m->server->aside.count)
        game_tell_aside(m);
    if (m->role == ROLE_ARBITER)
        tell_of_late_games(m);
    if (m->server->is_full)
        member_notice(m, "full", server_full_words);
    for (seat *s = seat_of(m->seats.first); s; s = seat_of(s->link.next)) {
        game *g = s->game;
        if (g->hold & HOLD_RESTART && s->side == rules_side_to_move(referee_state(g->judge)))
            game_hold_clock(g, HOLD_RESTART, false);
    }
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
    if (srv->count.games_ended % 64 == 0 || srv->live_games == 0)
        game_trim_journal(srv);
    game_retire(g, server_now(srv));
    message m = {.verb = "result"};
    game_build_result(g, &m);
    game_send(g, &m);
    message_free(&m);
    TELL_FEATURES(srv, on_game_over, g);
    TELL_FEATURES(srv, on_result, srv, &g->row);
}

void game_close_all(server *srv) {
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at)); at = 0)
        game_free(g);
    srv->asked = NULL;
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
    bool has_credit = gets_lag_credit(g, side) && m->round_trip > 0;
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

// --- the arbiter --------------------------------------------------------------------------------

void game_hold_clock(game *g, int why, bool on) {
    if (game_is_over(g) || on == ((g->hold & why) != 0))
        return;
    if (!on && g->hold == why) {
        release(g);
        return;
    }
    int64_t now = server_now(g->server);
    if (!g->hold && !g->is_asked)
        g->used_before = referee_pause(g->judge, now);
    g->hold = on ? g->hold | why : g->hold & ~why;
    game_log_clock(g, now);
    game_tell_clock(g);
}

void game_void(game *g, const char *why) {
    referee_abort(g->judge, why);
    game_check_over(g);
}

void game_decide(game *g, int loser, const char *why) {
    referee_decide(g->judge, loser, why);
    game_check_over(g);
}
