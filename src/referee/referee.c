#include "referee/referee.h"

#include "base/encoding.h"
#include "base/minmax.h"

#include <assert.h>
#include <stdio.h>

// One side's clock and what its engine said. What is left may fall below 0 by the margin and then
// stays overdrawn: the margin is there once in a game, not once in a move, or a game under a clock
// that runs out could go on for ever.
typedef struct {
    int64_t left_us, used_us;
    int32_t to_go;           // moves of the period still to be made
    int32_t losing, winning; // moves in a row with such a score
    int32_t wrong_claims;
    bool offers_draw;
} player;

struct referee {
    referee_terms terms;
    referee_verdict verdict;
    player players[2];
    bool is_running;      // the clock of the side to move
    int64_t turn_us;      // when it was started
    int64_t last_used_us; // by the last move
    int32_t level_plies;  // in a row with a score that is nearly nothing
};                        // and behind it the rules_state

static const char *const reason_names[] = {
    [REFEREE_NONE] = "none",
    [REFEREE_WIPED_OUT] = "wiped out",
    [REFEREE_REPETITION_COUNT] = "count after repetition",
    [REFEREE_REPETITION] = "repetition",
    [REFEREE_NO_CAPTURE] = "no capture",
    [REFEREE_NO_MOVE] = "no move",
    [REFEREE_MATE] = "mate",
    [REFEREE_STALEMATE] = "stalemate",
    [REFEREE_PERPETUAL_CHECK] = "perpetual check",
    [REFEREE_PERPETUAL_CHASE] = "perpetual chase",
    [REFEREE_ILLEGAL_MOVE] = "illegal move",
    [REFEREE_TIME] = "time",
    [REFEREE_CRASH] = "crash",
    [REFEREE_STALL] = "stall",
    [REFEREE_RESIGNATION] = "resignation",
    [REFEREE_AGREED_DRAW] = "agreed draw",
    [REFEREE_BY_SCORE] = "adjudication by score",
    [REFEREE_BY_MOVE_LIMIT] = "adjudication by move limit",
    [REFEREE_BY_TABLE] = "adjudication by endgame table",
    [REFEREE_ABORTED] = "aborted",
    [REFEREE_BY_ARBITER] = "arbiter's decision",
    [REFEREE_ABANDONED] = "abandoned",
};
static_assert(sizeof reason_names / sizeof reason_names[0] == REFEREE_REASONS, "a name each");

const char *referee_reason_name(referee_reason reason) { return reason_names[reason]; }

bool referee_reason_find(text name, referee_reason *reason) {
    for (int i = 0; i < REFEREE_REASONS; i++)
        if (text_is(name, reason_names[i])) {
            *reason = (referee_reason)i;
            return true;
        }
    return false;
}

bool referee_can_end(const referee_terms *t, fault *why) {
    if (t->set.repetition || t->set.no_capture || t->limits.max_plies ||
        referee_control_runs_out(&t->control[0]) || referee_control_runs_out(&t->control[1]))
        return true;
    bool clock = t->control[0].has_clock || t->control[1].has_clock;
    return fault_set(why,
                     "rules: this rule set ends no game by repetition or for want of captures, so "
                     "it needs a move limit or %s",
                     clock ? "a clock that runs out: one without increment or new periods"
                           : "a game clock");
}

// --- the block ----------------------------------------------------------------------------------

static size_t state_offset(void) { return (sizeof(referee) + 15) & ~(size_t)15; }

static rules_state *state_of(referee *r) { return (rules_state *)((char *)r + state_offset()); }

size_t referee_size(uint32_t capacity) { return state_offset() + rules_state_size(capacity); }

referee *referee_new(void *memory, const referee_terms *terms) {
    referee *r = memory;
    *r = (referee){.terms = *terms, .verdict.side = -1};
    for (int side = 0; side < 2; side++) {
        r->players[side].left_us = terms->control[side].base_us;
        r->players[side].to_go = terms->control[side].moves;
    }
    rules_state_new(state_of(r), terms->game, &terms->set, terms->capacity);
    return r;
}

bool referee_set_up(referee *r, text fen, fault *why) {
    return rules_set_fen(state_of(r), fen, why);
}

// --- verdicts -----------------------------------------------------------------------------------

static rules_outcome win_of(int side) { return side == 0 ? RULES_FIRST_WINS : RULES_SECOND_WINS; }

static int loser_of(rules_outcome outcome) {
    return outcome == RULES_FIRST_WINS ? 1 : outcome == RULES_SECOND_WINS ? 0 : -1;
}

// Makes the words one line of UTF-8: they may quote an engine or be cut off.
static void make_plain(char *words) {
    for (char *c = words; *c;) {
        int bytes = utf8_length(text_of(c));
        if (bytes == 0 || *c == 0x7f || (bytes == 1 && *c < ' '))
            *c = '?';
        c += bytes ? bytes : 1;
    }
}

__attribute__((format(printf, 5, 6))) static void end_game(referee *r, rules_outcome outcome,
                                                           referee_reason reason, int side,
                                                           const char *format, ...) {
    if (referee_is_over(r))
        return;
    referee_verdict *v = &r->verdict;
    *v = (referee_verdict){.outcome = outcome, .reason = reason, .side = side};
    va_list args;
    va_start(args, format);
    vsnprintf(v->words, sizeof v->words, format, args);
    va_end(args);
    make_plain(v->words);
    r->is_running = false;
}

static const char *name_of(const referee *r, int side) {
    return rules_side_name(r->terms.game, side);
}

// Ends the game as a rules_end says, loser being the side that END_LOSS speaks of.
static void cut_off(referee *r, rules_end how, int loser, referee_reason reason,
                    const char *words) {
    if (how == END_LOSS) {
        end_game(r, win_of(loser ^ 1), reason, loser, "%s", words);
        return;
    }
    int first = rules_piece_count(state_of(r), 0), second = rules_piece_count(state_of(r), 1);
    if (how != END_COUNT)
        end_game(r, RULES_DRAW, reason, loser, "%s: draw", words);
    else if (first == second)
        end_game(r, RULES_DRAW, reason, loser, "%s: equal pieces, %d each", words, first);
    else
        end_game(r, win_of(first < second), reason, loser, "%s: %s has more pieces, %d to %d",
                 words, name_of(r, first < second), max_int(first, second), min_int(first, second));
}

referee_reason referee_reason_for(rules_reason reason) {
    static const referee_reason same[] = {
        [REASON_NONE] = REFEREE_NONE,
        [REASON_WIPED_OUT] = REFEREE_WIPED_OUT,
        [REASON_REPETITION] = REFEREE_REPETITION,
        [REASON_NO_CAPTURE] = REFEREE_NO_CAPTURE,
        [REASON_NO_MOVE] = REFEREE_NO_MOVE,
        [REASON_MATE] = REFEREE_MATE,
        [REASON_STALEMATE] = REFEREE_STALEMATE,
        [REASON_PERPETUAL_CHECK] = REFEREE_PERPETUAL_CHECK,
        [REASON_PERPETUAL_CHASE] = REFEREE_PERPETUAL_CHASE,
    };
    _Static_assert(sizeof same / sizeof same[0] == RULES_REASONS, "every reason of the rules");
    return same[reason];
}

static referee_reason reason_of(const referee *r, rules_reason reason) {
    bool counted = reason == REASON_REPETITION && r->terms.set.repetition_end == END_COUNT;
    return counted ? REFEREE_REPETITION_COUNT : referee_reason_for(reason);
}

static void judge_by_rules(referee *r) {
    rules_verdict v = rules_result(state_of(r));
    if (v.outcome != RULES_ONGOING)
        end_game(r, v.outcome, reason_of(r, v.reason), loser_of(v.outcome), "%s", v.words);
}

static void judge_by_table(referee *r, bool captured) {
    const referee_limits *l = &r->terms.limits;
    rules_outcome outcome;
    if (!captured || !l->probe || !l->probe(l->probe_context, state_of(r), &outcome))
        return;
    int loser = loser_of(outcome);
    if (loser < 0)
        end_game(r, RULES_DRAW, REFEREE_BY_TABLE, -1, "the endgame table has a draw");
    else
        end_game(r, outcome, REFEREE_BY_TABLE, loser, "the endgame table has a win for %s",
                 name_of(r, loser ^ 1));
}

static void judge_by_length(referee *r) {
    const referee_limits *l = &r->terms.limits;
    uint32_t ply = rules_ply(state_of(r));
    if (ply < r->terms.capacity && (l->max_plies == 0 || ply < l->max_plies))
        return;
    char words[48];
    writer w = writer_on(words, sizeof words);
    write_format(&w, "the game is %u plies long", (unsigned)ply);
    cut_off(r, l->max_plies_end, -1, REFEREE_BY_MOVE_LIMIT, words);
}

// Keeps count of what the engines think of the game; side has moved.
static void note_score(referee *r, int side, bool captured, referee_score score) {
    const referee_limits *l = &r->terms.limits;
    player *p = &r->players[side];
    bool losing = score.is_mate ? score.value <= 0 : score.value <= -l->resign_score;
    bool winning = score.is_mate ? score.value > 0 : score.value >= l->resign_score;
    bool level = !score.is_mate && score.value >= -l->draw_score && score.value <= l->draw_score;
    p->losing = score.known && losing ? p->losing + 1 : 0;
    p->winning = score.known && winning ? p->winning + 1 : 0;
    r->level_plies = score.known && level && !captured ? r->level_plies + 1 : 0;
}

static void judge_by_score(referee *r) {
    const referee_limits *l = &r->terms.limits;
    for (int side = 0; side < 2 && l->resign_moves; side++)
        if (r->players[side].losing >= l->resign_moves &&
            (!l->both_resign || r->players[side ^ 1].winning >= l->resign_moves))
            end_game(r, win_of(side ^ 1), REFEREE_BY_SCORE, side,
                     l->both_resign ? "both engines say that %s loses"
                                    : "%s's own score says that it loses",
                     name_of(r, side));
    if (l->draw_moves && r->level_plies / 2 >= l->draw_moves &&
        (int64_t)rules_ply(state_of(r)) >= 2 * (int64_t)l->draw_from)
        end_game(r, RULES_DRAW, REFEREE_BY_SCORE, -1, "both engines say that the game is level");
}

// --- clocks -------------------------------------------------------------------------------------

static int to_move(const referee *r) { return rules_side_to_move(referee_state(r)); }

int64_t referee_deadline(const referee *r) {
    if (!r->is_running)
        return INT64_MAX;
    int side = to_move(r);
    const referee_control *c = &r->terms.control[side];
    int64_t limit = INT64_MAX - r->turn_us - c->margin_us;
    if (c->has_clock)
        limit = r->players[side].left_us;
    if (c->move_time_us && c->move_time_us < limit)
        limit = c->move_time_us;
    return r->turn_us + limit + c->margin_us;
}

// Stops the clock and charges the side to move. False where the time was up: the game is over.
static bool stop_clock(referee *r, int64_t now_us) {
    if (!r->is_running)
        return true;
    int side = to_move(r);
    bool in_time = now_us <= referee_deadline(r);
    int64_t used = now_us > r->turn_us ? now_us - r->turn_us : 0;
    r->is_running = false;
    r->last_used_us = used;
    r->players[side].used_us += used;
    r->players[side].left_us -= used;
    if (!in_time) {
        char words[48];
        writer w = writer_on(words, sizeof words);
        write_format(&w, "%s's time is up", name_of(r, side));
        cut_off(r, r->terms.set.flag_end, side, REFEREE_TIME, words);
    }
    return in_time;
}

static void add_time(referee *r, int side) {
    const referee_control *c = &r->terms.control[side];
    player *p = &r->players[side];
    p->left_us += c->increment_us;
    if (c->moves && --p->to_go == 0) {
        p->left_us += c->base_us;
        p->to_go = c->moves;
    }
}

// --- what happens -------------------------------------------------------------------------------

void referee_start(referee *r) { judge_by_rules(r); }

void referee_turn(referee *r, int64_t now_us) {
    if (referee_is_over(r))
        return;
    r->is_running = true;
    r->turn_us = now_us;
}

bool referee_move(referee *r, rules_move move, int64_t now_us, referee_score score) {
    if (referee_is_over(r))
        return true;
    rules_state *s = state_of(r);
    int side = to_move(r);
    bool legal = rules_is_legal(s, move), in_time = now_us <= referee_deadline(r);
    if (in_time && !legal)
        return false;
    if (!stop_clock(r, now_us))
        return true;
    bool captured = rules_is_capture(s, move);
    if (!rules_play(s, move, NULL)) {
        assert(false); // legal, and a full state is a finished game
        return false;
    }
    add_time(r, side);
    r->players[side ^ 1].offers_draw = false;
    note_score(r, side, captured, score);
    judge_by_rules(r);
    judge_by_table(r, captured && !referee_is_over(r));
    judge_by_length(r);
    judge_by_score(r);
    return true;
}

bool referee_flag(referee *r, int64_t now_us) {
    return r->is_running && now_us > referee_deadline(r) && !stop_clock(r, now_us);
}

void referee_illegal(referee *r, text written, const char *why, int64_t now_us) {
    if (referee_is_over(r) || !stop_clock(r, now_us))
        return;
    int side = to_move(r);
    if (written.len == 0)
        end_game(r, win_of(side ^ 1), REFEREE_ILLEGAL_MOVE, side, "%s answers without a move",
                 name_of(r, side));
    else
        end_game(r, win_of(side ^ 1), REFEREE_ILLEGAL_MOVE, side, "%s plays %s: %s",
                 name_of(r, side), fault_quote(written).shown, why ? why : "illegal move");
}

void referee_crash(referee *r, int side, int exit_status, int signal) {
    char what[48];
    writer w = writer_on(what, sizeof what);
    if (signal)
        write_format(&w, "crashed (signal %d)", signal);
    else
        write_format(&w, "exited (status %d)", exit_status);
    referee_fail(r, side, what);
}

void referee_fail(referee *r, int side, const char *what) {
    end_game(r, win_of(side ^ 1), REFEREE_CRASH, side, "%s %s", name_of(r, side), what);
}

void referee_stall(referee *r, int side) {
    end_game(r, win_of(side ^ 1), REFEREE_STALL, side, "%s does not answer", name_of(r, side));
}

void referee_resign(referee *r, int side) {
    end_game(r, win_of(side ^ 1), REFEREE_RESIGNATION, side, "%s resigns", name_of(r, side));
}

bool referee_offer_draw(referee *r, int side) {
    if (referee_accept_draw(r, side))
        return true;
    r->players[side].offers_draw = !referee_is_over(r);
    return false;
}

bool referee_accept_draw(referee *r, int side) {
    if (referee_is_over(r) || !r->players[side ^ 1].offers_draw)
        return false;
    end_game(r, RULES_DRAW, REFEREE_AGREED_DRAW, -1, "both sides agree to a draw");
    return true;
}

void referee_refuse_draw(referee *r, int side) { r->players[side].offers_draw = false; }

bool referee_offers_draw(const referee *r, int side) { return r->players[side].offers_draw; }

bool referee_claim(referee *r, int side, rules_outcome outcome) {
    if (referee_is_over(r))
        return outcome == r->verdict.outcome;
    if (outcome == win_of(side ^ 1)) {
        referee_resign(r, side);
        return true;
    }
    r->players[side].wrong_claims++; // the rules were asked after the last move: it goes on
    return false;
}

// The time given with the move is taken back with it, a new period's base included.
static void take_time_back(referee *r, int side) {
    const referee_control *c = &r->terms.control[side];
    player *p = &r->players[side];
    p->left_us -= c->increment_us;
    if (c->moves && p->to_go++ == c->moves) {
        p->left_us -= c->base_us;
        p->to_go = 1;
    }
}

bool referee_take_back(referee *r) {
    if (referee_is_over(r) || !rules_undo(state_of(r)))
        return false;
    r->is_running = false;
    take_time_back(r, to_move(r));
    for (int side = 0; side < 2; side++) {
        r->players[side].losing = r->players[side].winning = 0;
        r->players[side].offers_draw = false;
    }
    r->level_plies = 0;
    return true;
}

int64_t referee_pause(referee *r, int64_t now_us) {
    int64_t used = r->is_running && now_us > r->turn_us ? now_us - r->turn_us : 0;
    r->is_running = false;
    return used;
}

void referee_decide(referee *r, int loser, const char *why) {
    end_game(r, loser < 0 ? RULES_DRAW : win_of(loser ^ 1), REFEREE_BY_ARBITER, loser, "%s", why);
}

void referee_abandon(referee *r, int side, bool is_draw) {
    end_game(r, is_draw ? RULES_DRAW : win_of(side ^ 1), REFEREE_ABANDONED, side, "%s was away",
             name_of(r, side));
}

void referee_abort(referee *r, const char *why) {
    end_game(r, RULES_ONGOING, REFEREE_ABORTED, -1, "%s", why);
}

// --- how it stands ------------------------------------------------------------------------------

bool referee_is_over(const referee *r) { return r->verdict.reason != REFEREE_NONE; }

const referee_verdict *referee_verdict_of(const referee *r) { return &r->verdict; }

const rules_state *referee_state(const referee *r) {
    return (const rules_state *)((const char *)r + state_offset());
}

const referee_terms *referee_terms_of(const referee *r) { return &r->terms; }

int64_t referee_left(const referee *r, int side) {
    int64_t left = r->players[side].left_us;
    return !r->terms.control[side].has_clock ? -1 : max_i64(left, 0);
}

int64_t referee_left_now(const referee *r, int side, int64_t now_us) {
    int64_t left = referee_left(r, side);
    if (left <= 0 || !r->is_running || side != to_move(r) || now_us <= r->turn_us)
        return left;
    return left > now_us - r->turn_us ? left - (now_us - r->turn_us) : 0;
}

int32_t referee_moves_to_go(const referee *r, int side) { return r->players[side].to_go; }

int64_t referee_used(const referee *r, int side) { return r->players[side].used_us; }

int64_t referee_last_used(const referee *r) { return r->last_used_us; }

int referee_wrong_claims(const referee *r, int side) { return r->players[side].wrong_claims; }
