// The clocks of a game: requests to move, lag credit, flags, delays of the server, pauses; players
// who are away.
#include "base/minmax.h"
#include "server/feature.h"
#include "server/game.h"

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

bool game_gets_lag_credit(const game *g, int side) {
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
    return flag + (game_gets_lag_credit(g, side) ? credit : 0);
}

static void release(game *g) {
    g->hold = 0;
    game_log_clock(g, server_now(g->server));
    game_ask(g);
    game_tell_clock(g);
}

void game_on_timer(deadline *d) {
    game *g = d->owner;
    if (!deadline_has_passed(d, server_now(g->server)))
        return;
    if (game_is_over(g)) {
        game_free(g);
    } else if (g->hold & HOLD_RESTART) {
        game_hold_clock(g, HOLD_RESTART, false);
    } else if (!g->hold && !g->is_asked && !g->is_flag_due) {
        g->is_flag_due = true;
        g->next_flag = g->server->flags_due;
        g->server->flags_due = g;
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
    else
        referee_flag(g->judge, then);
    game_check_over(g);
}

void game_judge_flags(server *srv, int64_t then) {
    while (srv->flags_due) {
        game *g = srv->flags_due;
        srv->flags_due = g->next_flag;
        g->is_flag_due = false;
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
    game_count_late(g, server_now(srv), 0); // is_told is of this hour
    if (g->late.is_told)
        return;
    g->late.is_told = true;
    char words[256];
    writer out = writer_on(words, sizeof words);
    write_late(g, &out);
    log_write(LEVEL_WARNING, "%s", words);
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

void game_forget_request(game *g) {
    game **lists[] = {&g->server->asked, &g->server->asked_sealed};
    for (int i = 0; i < 2; i++)
        for (game **at = lists[i]; *at; at = &(*at)->next_asked)
            if (*at == g) {
                *at = g->next_asked;
                return;
            }
}

void game_start_clocks(server *srv, game **asked) {
    int64_t now = server_now(srv);
    game *g = *asked;
    *asked = NULL;
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

// --- players who are away -----------------------------------------------------------------------

// The opponent of a player who has left a game under way is told how long it has to wait, and may
// then claim the win or call it a draw. In tournaments a player who is away loses on time.

int64_t game_patience(const game *g, int least_s, int most_s) {
    const referee_control *c = &referee_terms_of(g->judge)->control[0];
    int64_t base = c->has_clock ? c->base_us : c->move_time_us ? c->move_time_us : INT64_MAX;
    return min_i64(max_i64(base / 10, least_s * 1000000LL), most_s * 1000000LL);
}

static int64_t patience_of(const game *g) {
    return game_patience(g, GAME_LEAST_AWAY_S, g->server->options->away_s);
}

static void build_away(const game *g, int side, message *m) {
    int64_t waited = server_now(g->server) - g->seats[side].away_since;
    message_number(m, "game", g->row.id);
    message_string(m, "side", game_side_names[side]);
    if (!g->row.tournament)
        message_number(m, "after", max_i64(patience_of(g) - waited, 0));
}

void game_note_left(member *m) {
    for (seat *s = seat_of(m->seats.first); s; s = seat_of(s->link.next)) {
        s->away_since = server_now(m->server);
        message say = {.verb = "away"};
        build_away(s->game, s->side, &say);
        game_send(s->game, &say);
        message_free(&say);
    }
    if (m->seats.first)
        turns_want(&m->server->turns);
}

void game_note_back(member *m) {
    for (seat *s = seat_of(m->seats.first); s; s = seat_of(s->link.next)) {
        if (!s->away_since)
            continue;
        s->away_since = 0;
        message say = {.verb = "back"};
        message_number(&say, "game", s->game->row.id);
        message_string(&say, "side", game_side_names[s->side]);
        game_send(s->game, &say);
        message_free(&say);
    }
}

void game_tell_away(game *g, session *s) {
    for (int side = 0; side < 2; side++) {
        bool is_own = s && g->seats[side].member == s->member;
        if (game_is_over(g) || !g->seats[side].away_since || is_own)
            continue;
        message m = {.verb = "away"};
        build_away(g, side, &m);
        game_say(g, s, &m);
        message_free(&m);
    }
}

// Why the game cannot be claimed now; false: it can.
static bool refuses_claim(const game *g, int side, fault *why) {
    const seat *other = &g->seats[side ^ 1];
    int64_t left =
        other->away_since ? other->away_since + patience_of(g) - server_now(g->server) : 0;
    if (g->row.tournament)
        fault_set(why, "not in a tournament: who is away loses on time");
    else if (!other->away_since)
        fault_set(why, "%s is here", other->member->name);
    else if (g->hold)
        fault_set(why, "the clock is stopped");
    else if (rules_ply(referee_state(g->judge)) < 2)
        fault_set(why, "the game has not begun; abort it");
    else if (left > 0)
        fault_set(why, "%s may come back: wait %lld s", other->member->name,
                  (long long)((left + 999999) / 1000000));
    else
        return false;
    return true;
}

void game_on_claim(session *s, const request *r) {
    int side;
    fault why = {""};
    text result = request_text(r, "result");
    game *g = game_of_player(s, r, &side);
    if (!g)
        return;
    if (game_is_over(g))
        session_refuse(s, "game", "you are not playing that game");
    else if (!text_is(result, "win") && !text_is(result, "draw"))
        session_refuse(s, "field", "result: win or draw");
    else if (refuses_claim(g, side, &why))
        session_refuse(s, "claim", "%s", why.line);
    else
        game_abandon(g, side ^ 1, text_is(result, "draw"));
}
