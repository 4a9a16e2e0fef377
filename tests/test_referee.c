// Every way a game can end before the referee, and both clocks.
#include "referee/referee.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { S = 1000000, CAPACITY = 400 };

static const referee_score unknown = {0};

static referee_control control(const char *spec) {
    referee_control c;
    fault why = {""};
    if (!referee_control_parse(text_of(spec), &c, &why))
        fail_msg("%s", why.line);
    return c;
}

static referee_terms terms_of(const char *game, const char *set, const char *time) {
    referee_terms t = {.game = rules_find(text_of(game)), .capacity = CAPACITY};
    t.control[0] = t.control[1] = control(time);
    assert_true(rules_set_parse(t.game, text_of(set), &t.set, NULL));
    return t;
}

static referee *start(const referee_terms *t, const char *fen) {
    referee *r = referee_new(malloc(referee_size(t->capacity)), t);
    fault why = {""};
    if (fen && !referee_set_up(r, text_of(fen), &why))
        fail_msg("%s", why.line);
    referee_start(r);
    return r;
}

static rules_move parse(const referee *r, const char *word) {
    rules_move m;
    fault why = {""};
    if (!rules_parse_move(referee_state(r), text_of(word), &m, &why))
        fail_msg("%s", why.line);
    return m;
}

// A move asked for at `asked` and read at `answered`.
static void play(referee *r, const char *word, int64_t asked, int64_t answered) {
    referee_turn(r, asked);
    assert_true(referee_move(r, parse(r, word), answered, unknown));
}

static void play_scored(referee *r, const char *word, int score) {
    referee_turn(r, 0);
    assert_true(referee_move(r, parse(r, word), 0, (referee_score){.known = true, .value = score}));
}

static void play_line(referee *r, const char *line) {
    text rest = text_of(line);
    for (text word = text_next_word(&rest); word.len && !referee_is_over(r);
         word = text_next_word(&rest)) {
        char copy[32];
        writer w = writer_on(copy, sizeof copy);
        write_text(&w, word);
        play(r, copy, 0, 0);
    }
}

static void expect(referee *r, rules_outcome outcome, referee_reason reason, int side,
                   const char *words) {
    const referee_verdict *v = referee_verdict_of(r);
    assert_int_equal(v->outcome, outcome);
    assert_string_equal(referee_reason_name(v->reason), referee_reason_name(reason));
    assert_int_equal(v->side, side);
    assert_string_equal(v->words, words);
    assert_true(referee_is_over(r));
    assert_int_equal(referee_deadline(r), INT64_MAX);
    // The first verdict stands.
    referee_crash(r, 0, 1, 0);
    referee_abort(r, "too late");
    referee_turn(r, 0);
    assert_false(referee_offer_draw(r, 0));
    assert_false(referee_offer_draw(r, 1));
    assert_false(referee_flag(r, INT64_MAX));
    assert_int_equal(referee_verdict_of(r)->reason, reason);
    free(r);
}

// --- time controls ------------------------------------------------------------------------------

static void test_controls_as_text(void **state) {
    (void)state;
    static const struct {
        const char *spec, *written;
    } good[] = {
        {"40/60+0.6", "40/60+0.6"},
        {"10+0.1", "10+0.1"},
        {"10", "10"},
        {" 0.000001", "0.000001"},
        {".5+1", "0.5+1"},
        {"st=0.5", "st=0.5"},
        {"inf", "inf"},
        {"depth=6", "depth=6"},
        {"nodes=10000,inf", "nodes=10000"},
        {"margin=0.05,depth=8,5+0.050", "5+0.05,depth=8,margin=0.05"},
        {"inf,margin=1", "inf,margin=1"},
        {"60,st=2", "60,st=2"},
        {"1000000+1000000", "1000000+1000000"},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char written[REFEREE_CONTROL_SIZE];
        writer w = writer_on(written, sizeof written);
        referee_control c = control(good[i].spec), again;
        referee_control_format(&c, &w);
        assert_string_equal(written, good[i].written);
        again = control(written);
        assert_memory_equal(&c, &again, sizeof c);
    }
    referee_control c = control("40/60+0.6,margin=0.01");
    assert_true(c.has_clock);
    assert_int_equal(c.moves, 40);
    assert_int_equal(c.base_us, 60 * S);
    assert_int_equal(c.increment_us, 600000);
    assert_int_equal(c.margin_us, 10000);
}

static void test_controls_refused(void **state) {
    (void)state;
    static const struct {
        const char *spec, *words;
    } bad[] = {
        {"", "'' is not"},
        {"fast", "'fast' is not"},
        {"10+", "'10+' is not"},
        {"-1", "'-1' is not"},
        {"1.-5", "'1.-5' is not"},
        {".", "'.' is not"},
        {"1.0000001", "'1.0000001' is not"},
        {"1000001", "'1000001' is not"},
        {"0+1", "no time"},
        {"0/10", "moves before '/'"},
        {"10,20", "second clock"},
        {"10,inf", "second clock"},
        {"inf,10", "second clock"},
        {"10,", "second clock"},
        {"st=0", "st takes seconds, not '0'"},
        {"st=", "st takes seconds, not ''"},
        {"margin=x", "margin takes seconds, not 'x'"},
        {"depth=0", "depth takes 1 to 1000"},
        {"nodes=-3", "nodes takes"},
        {"speed=3", "no setting 'speed'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        referee_control c;
        fault why = {""};
        assert_false(referee_control_parse(text_of(bad[i].spec), &c, &why));
        if (!strstr(why.line, bad[i].words))
            fail_msg("%s: %s", bad[i].spec, why.line);
    }
}

// --- clocks -------------------------------------------------------------------------------------

static void test_increment(void **state) {
    (void)state;
    referee_terms t = terms_of("surakarta", "icga", "10+0.5");
    referee *r = start(&t, NULL);
    assert_int_equal(referee_deadline(r), INT64_MAX);
    referee_turn(r, 100 * S);
    assert_int_equal(referee_deadline(r), 110 * S);
    assert_int_equal(referee_left_now(r, 0, 103 * S), 7 * S);
    assert_int_equal(referee_left_now(r, 0, 200 * S), 0);
    assert_int_equal(referee_left_now(r, 1, 103 * S), 10 * S);
    assert_true(referee_move(r, parse(r, "b5-b4"), 104 * S, unknown));
    assert_int_equal(referee_left(r, 0), 6500000);
    assert_int_equal(referee_left(r, 1), 10 * S);
    assert_int_equal(referee_last_used(r), 4 * S);
    play(r, "c2-c3", 105 * S, 105 * S + 250000);
    assert_int_equal(referee_left(r, 1), 10 * S + 250000);
    assert_int_equal(referee_used(r, 0), 4 * S);
    assert_int_equal(referee_used(r, 1), 250000);
    assert_int_equal(referee_moves_to_go(r, 0), 0);
    free(r);
}

static void test_periods(void **state) {
    (void)state;
    referee_terms t = terms_of("xiangqi", "wxf", "2/10");
    t.control[1] = control("3/20+1");
    referee *r = start(&t, NULL);
    assert_int_equal(referee_moves_to_go(r, 0), 2);
    play(r, "h2e2", 0, 4 * S);
    play(r, "h9g7", 0, 8 * S);
    assert_int_equal(referee_moves_to_go(r, 0), 1);
    assert_int_equal(referee_left(r, 0), 6 * S);
    play(r, "h0g2", 0, 6 * S); // to the microsecond
    assert_int_equal(referee_left(r, 0), 10 * S);
    assert_int_equal(referee_moves_to_go(r, 0), 2);
    play(r, "i9h9", 0, 1 * S);
    assert_int_equal(referee_left(r, 1), (20 - 8 - 1 + 2) * S);
    play(r, "i0h0", 0, 0);
    play(r, "b9c7", 0, 3 * S);
    assert_int_equal(referee_left(r, 1), (20 - 8 - 1 - 3 + 3 + 20) * S);
    assert_int_equal(referee_moves_to_go(r, 1), 3);
    free(r);
}

static void test_flag(void **state) {
    (void)state;
    referee_terms t = terms_of("xiangqi", "wxf", "1,margin=0.1");
    referee *r = start(&t, NULL);
    referee_turn(r, 5 * S);
    assert_int_equal(referee_deadline(r), 6 * S + 100000);
    assert_false(referee_flag(r, 6 * S + 100000));
    assert_true(referee_flag(r, 6 * S + 100001));
    assert_int_equal(referee_left(r, 0), 0);
    expect(r, RULES_SECOND_WINS, REFEREE_TIME, 0, "Red's time is up");

    // The move came too late, and no timer had noticed; it is not played, legal or not.
    r = start(&t, NULL);
    play(r, "h2e2", 0, 0);
    referee_turn(r, 0);
    assert_true(referee_move(r, parse(r, "h9g7"), 1100001, unknown));
    assert_int_equal(rules_ply(referee_state(r)), 1);
    expect(r, RULES_FIRST_WINS, REFEREE_TIME, 1, "Black's time is up");
    r = start(&t, NULL);
    referee_turn(r, 0);
    assert_true(referee_move(r, MOVE_NONE, 1100001, unknown));
    expect(r, RULES_SECOND_WINS, REFEREE_TIME, 0, "Red's time is up");
    r = start(&t, NULL);
    referee_turn(r, 0);
    referee_illegal(r, text_of("h2h9"), NULL, 2 * S);
    expect(r, RULES_SECOND_WINS, REFEREE_TIME, 0, "Red's time is up");
}

// The margin is there once: what was overdrawn stays overdrawn.
static void test_margin_is_no_gift(void **state) {
    (void)state;
    referee_terms t = terms_of("xiangqi", "wxf", "1,margin=0.1");
    referee *r = start(&t, NULL);
    play(r, "h2e2", 0, 1060000);
    assert_false(referee_is_over(r));
    assert_int_equal(referee_left(r, 0), 0);
    play(r, "h9g7", 0, 0);
    referee_turn(r, 0);
    assert_int_equal(referee_deadline(r), 40000);
    assert_int_equal(referee_left_now(r, 0, 10000), 0);
    assert_true(referee_flag(r, 40001));
    expect(r, RULES_SECOND_WINS, REFEREE_TIME, 0, "Red's time is up");
}

static void test_time_per_move(void **state) {
    (void)state;
    referee_terms t = terms_of("surakarta", "icga", "st=0.5,margin=0.02");
    t.control[1] = control("2,st=1.5"); // both limits hold, for one side only
    referee *r = start(&t, NULL);
    assert_int_equal(referee_left(r, 0), -1);
    assert_int_equal(referee_left_now(r, 0, 0), -1);
    play(r, "b5-b4", 0, 520000);
    assert_int_equal(referee_left(r, 1), 2 * S);
    play(r, "c2-c3", 0, 1500000);
    assert_int_equal(referee_left(r, 1), 500000);
    play(r, "e5-e4", 0, 520000);
    referee_turn(r, 0);
    assert_int_equal(referee_deadline(r), 500000);
    assert_true(referee_move(r, parse(r, "d2-d3"), 500000, unknown));
    referee_turn(r, 0);
    assert_true(referee_flag(r, 520001));
    expect(r, RULES_SECOND_WINS, REFEREE_TIME, 0, "Black's time is up");
}

static void test_flag_by_rule_set(void **state) {
    (void)state;
    static const struct {
        const char *set, *fen;
        rules_outcome outcome;
        const char *words;
    } cases[] = {
        {"ccgc", "6/1b4/2b3/6/3w2/6 b 0 1", RULES_FIRST_WINS,
         "Black's time is up: Black has more pieces, 2 to 1"},
        {"ccgc", "6/1b4/6/6/3ww1/6 b 0 1", RULES_SECOND_WINS,
         "Black's time is up: White has more pieces, 2 to 1"},
        {"ccgc", "6/1b4/6/6/3w2/6 b 0 1", RULES_DRAW, "Black's time is up: equal pieces, 1 each"},
        {"icga", "6/1b4/2b3/6/3w2/6 b 0 1", RULES_SECOND_WINS, "Black's time is up"},
        {"icga,flag-end=draw", "6/1b4/2b3/6/3w2/6 b 0 1", RULES_DRAW, "Black's time is up: draw"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        referee_terms t = terms_of("surakarta", cases[i].set, "1");
        referee *r = start(&t, cases[i].fen);
        referee_turn(r, 0);
        assert_true(referee_flag(r, S + 1));
        expect(r, cases[i].outcome, REFEREE_TIME, 0, cases[i].words);
    }
}

// --- by the rules -------------------------------------------------------------------------------

static void test_rules_end_the_game(void **state) {
    (void)state;
    referee_terms t = terms_of("surakarta", "icga", "inf");
    referee *r = start(&t, "6/6/1bbb2/3w2/6/6 b 0 1");
    play_line(r, "c4xd3");
    expect(r, RULES_FIRST_WINS, REFEREE_WIPED_OUT, 1, "White has no pieces left");

    r = start(&t, NULL);
    play_line(r, "b5-b4 c2-c3 b4-b5 c3-c2 b5-b4 c2-c3 b4-b5 c3-c2");
    expect(r, RULES_DRAW, REFEREE_REPETITION_COUNT, -1,
           "the position repeats: equal pieces, 12 each");

    t = terms_of("surakarta", "traditional", "inf");
    r = start(&t, NULL);
    play_line(r, "b5-b4 c2-c3 b4-b5 c3-c2 b5-b4 c2-c3 b4-b5 c3-c2");
    expect(r, RULES_DRAW, REFEREE_REPETITION, -1, "the position repeats");

    t = terms_of("surakarta", "icga,no-capture=2", "inf");
    r = start(&t, NULL);
    play_line(r, "b5-b4 c2-c3");
    expect(r, RULES_DRAW, REFEREE_NO_CAPTURE, -1,
           "2 plies without a capture: equal pieces, 12 each");

    t = terms_of("xiangqi", "wxf", "inf");
    r = start(&t, "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1");
    play_line(r, "b0b9");
    expect(r, RULES_FIRST_WINS, REFEREE_MATE, 1, "Black is mated");

    r = start(&t, "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1");
    play_line(r, "e1e8");
    expect(r, RULES_FIRST_WINS, REFEREE_STALEMATE, 1, "Black has no legal move");
}

static void test_repetition_judged(void **state) {
    (void)state;
    referee_terms t = terms_of("xiangqi", "wxf", "inf");
    referee *r = start(&t, "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1");
    play_line(r, "a0a9");
    while (!referee_is_over(r))
        play_line(r, "e9e8 a9a8 e8e9 a8a9");
    assert_int_equal(referee_verdict_of(r)->outcome, RULES_SECOND_WINS);
    assert_int_equal(referee_verdict_of(r)->reason, REFEREE_PERPETUAL_CHECK);
    assert_int_equal(referee_verdict_of(r)->side, 0);
    free(r);
    r = start(&t, "3k5/9/9/9/9/9/7c1/8R/9/4K4 w - - 0 1");
    while (!referee_is_over(r))
        play_line(r, "i2i3 h3h2 i3i2 h2h3");
    expect(r, RULES_SECOND_WINS, REFEREE_PERPETUAL_CHASE, 0,
           "Red chases the cannon on h3 without end");
}

static void test_no_move(void **state) {
    (void)state;
    referee_terms t = terms_of("surakarta", "icga", "inf");
    referee *r = start(&t, "wb4/bb4/6/6/6/5b b 0 1");
    play_line(r, "f1-f2");
    expect(r, RULES_FIRST_WINS, REFEREE_NO_MOVE, 1,
           "White has no legal move: Black has more pieces, 4 to 1");
}

static void test_decided_before_it_starts(void **state) {
    (void)state;
    referee_terms t = terms_of("xiangqi", "wxf", "inf");
    referee *r = start(&t, "R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1");
    expect(r, RULES_FIRST_WINS, REFEREE_MATE, 1, "Black is mated");
}

// --- by what a player did -----------------------------------------------------------------------

static void test_illegal_move(void **state) {
    (void)state;
    referee_terms t = terms_of("xiangqi", "wxf", "10");
    referee *r = start(&t, NULL);
    referee_turn(r, 0);
    assert_false(referee_move(r, move_of(0, 80), S, unknown));
    assert_int_equal(rules_ply(referee_state(r)), 0);
    assert_false(referee_is_over(r));
    assert_int_equal(referee_deadline(r), 10 * S); // the clock still runs
    referee_illegal(r, text_of("a0\033\xe4i8"), "no such point", 2 * S);
    assert_int_equal(referee_left(r, 0), 8 * S);
    expect(r, RULES_SECOND_WINS, REFEREE_ILLEGAL_MOVE, 0, "Red plays 'a0??i8': no such point");

    r = start(&t, NULL);
    play(r, "h2e2", 0, 0);
    referee_turn(r, 0);
    referee_illegal(r, text_of("h2e2"), NULL, 0);
    expect(r, RULES_FIRST_WINS, REFEREE_ILLEGAL_MOVE, 1, "Black plays 'h2e2': illegal move");
}

static void test_crash_stall_resignation(void **state) {
    (void)state;
    referee_terms t = terms_of("surakarta", "icga", "10");
    referee *r = start(&t, NULL);
    referee_crash(r, 1, 0, 6);
    expect(r, RULES_FIRST_WINS, REFEREE_CRASH, 1, "White crashed (signal 6)");
    r = start(&t, NULL);
    referee_crash(r, 0, 1, 0);
    expect(r, RULES_SECOND_WINS, REFEREE_CRASH, 0, "Black exited (status 1)");
    r = start(&t, NULL);
    referee_fail(r, 0, "closed its output");
    expect(r, RULES_SECOND_WINS, REFEREE_CRASH, 0, "Black closed its output");
    r = start(&t, NULL);
    referee_stall(r, 1);
    expect(r, RULES_FIRST_WINS, REFEREE_STALL, 1, "White does not answer");
    r = start(&t, NULL);
    referee_resign(r, 0);
    expect(r, RULES_SECOND_WINS, REFEREE_RESIGNATION, 0, "Black resigns");
    r = start(&t, NULL);
    referee_abort(r, "the match was stopped");
    expect(r, RULES_ONGOING, REFEREE_ABORTED, -1, "the match was stopped");
}

static void test_draw_offers(void **state) {
    (void)state;
    referee_terms t = terms_of("surakarta", "icga", "10");
    referee *r = start(&t, NULL);
    assert_false(referee_accept_draw(r, 1));
    assert_false(referee_offer_draw(r, 0));
    assert_false(referee_accept_draw(r, 0)); // not its own
    play_line(r, "b5-b4");
    play_line(r, "c2-c3"); // declined
    assert_false(referee_accept_draw(r, 1));
    assert_false(referee_offer_draw(r, 0));
    play_line(r, "b4-b5");
    assert_true(referee_accept_draw(r, 1));
    expect(r, RULES_DRAW, REFEREE_AGREED_DRAW, -1, "both sides agree to a draw");

    r = start(&t, NULL);
    assert_false(referee_offer_draw(r, 0));
    play_line(r, "b5-b4");
    assert_true(referee_offer_draw(r, 1));
    expect(r, RULES_DRAW, REFEREE_AGREED_DRAW, -1, "both sides agree to a draw");
}

static void test_claims(void **state) {
    (void)state;
    referee_terms t = terms_of("surakarta", "icga", "10");
    referee *r = start(&t, NULL);
    assert_false(referee_claim(r, 0, RULES_FIRST_WINS));
    assert_false(referee_claim(r, 0, RULES_DRAW));
    assert_false(referee_claim(r, 1, RULES_SECOND_WINS));
    assert_int_equal(referee_wrong_claims(r, 0), 2);
    assert_int_equal(referee_wrong_claims(r, 1), 1);
    assert_false(referee_is_over(r));
    assert_true(referee_claim(r, 1, RULES_FIRST_WINS));
    expect(r, RULES_FIRST_WINS, REFEREE_RESIGNATION, 1, "White resigns");

    t = terms_of("surakarta", "icga,no-capture=2", "10");
    r = start(&t, NULL);
    play_line(r, "b5-b4 c2-c3");
    assert_true(referee_claim(r, 0, RULES_DRAW));
    assert_false(referee_claim(r, 0, RULES_FIRST_WINS));
    assert_int_equal(referee_wrong_claims(r, 0), 0);
    free(r);
}

// --- by the conditions of the match -------------------------------------------------------------

static void test_resign_by_score(void **state) {
    (void)state;
    referee_terms t = terms_of("xiangqi", "simple,repetition=none", "inf");
    t.limits = (referee_limits){.resign_moves = 2, .resign_score = 500};
    referee *r = start(&t, NULL);
    play_scored(r, "h2e2", -500);
    play_scored(r, "h9g7", 0);
    play_scored(r, "e2h2", -499); // begins anew
    play_scored(r, "g7h9", 0);
    play_scored(r, "h2e2", -600);
    play_scored(r, "h9g7", 0);
    assert_false(referee_is_over(r));
    play_scored(r, "e2h2", -600);
    expect(r, RULES_SECOND_WINS, REFEREE_BY_SCORE, 0, "Red's own score says that it loses");

    t.limits.both_resign = true;
    r = start(&t, NULL);
    play_scored(r, "h2e2", -600);
    play_scored(r, "h9g7", 600);
    play_scored(r, "e2h2", -600);
    play_scored(r, "g7h9", 100);
    play_scored(r, "h2e2", -600);
    play_scored(r, "h9g7", 500);
    play_scored(r, "e2h2", -600);
    assert_false(referee_is_over(r));
    referee_turn(r, 0);
    assert_true(referee_move(r, parse(r, "g7h9"), 0, (referee_score){true, true, 12}));
    expect(r, RULES_SECOND_WINS, REFEREE_BY_SCORE, 0, "both engines say that Red loses");
}

static void test_draw_by_score(void **state) {
    (void)state;
    referee_terms t = terms_of("xiangqi", "simple,repetition=none", "inf");
    t.limits = (referee_limits){.draw_moves = 1, .draw_score = 8, .draw_from = 2};
    referee *r = start(&t, NULL);
    play_scored(r, "h2e2", 0);
    play_scored(r, "h9g7", -8);
    play_scored(r, "e2e6", 0); // a capture
    play_scored(r, "b9c7", 8);
    assert_false(referee_is_over(r));
    play_scored(r, "e6d6", 9);
    play_scored(r, "g7h9", 8);
    assert_false(referee_is_over(r));
    referee_turn(r, 0);
    assert_true(referee_move(r, parse(r, "d6e6"), 0, unknown)); // nothing said
    play_scored(r, "h9g7", 8);
    assert_false(referee_is_over(r));
    play_scored(r, "e6d6", -3);
    expect(r, RULES_DRAW, REFEREE_BY_SCORE, -1, "both engines say that the game is level");
}

static void test_move_limit(void **state) {
    (void)state;
    referee_terms t = terms_of("surakarta", "ccgc", "inf");
    t.limits.max_plies = 2;
    t.limits.max_plies_end = END_COUNT;
    referee *r = start(&t, "6/1b4/2b3/6/3w2/6 b 0 1");
    play_line(r, "b5-b4 d2-d3");
    expect(r, RULES_FIRST_WINS, REFEREE_BY_MOVE_LIMIT, -1,
           "the game is 2 plies long: Black has more pieces, 2 to 1");
    t.limits.max_plies_end = END_DRAW;
    r = start(&t, "6/1b4/2b3/6/3w2/6 b 0 1");
    play_line(r, "b5-b4 d2-d3");
    expect(r, RULES_DRAW, REFEREE_BY_MOVE_LIMIT, -1, "the game is 2 plies long: draw");
    t.limits.max_plies = 0; // the block is full
    t.capacity = 1;
    r = start(&t, NULL);
    play_line(r, "b5-b4");
    expect(r, RULES_DRAW, REFEREE_BY_MOVE_LIMIT, -1, "the game is 1 plies long: draw");
}

typedef struct {
    int calls;
    rules_outcome answer; // ongoing: not known
} table;

static bool probe(void *context, const rules_state *s, rules_outcome *outcome) {
    table *known = context;
    (void)s;
    known->calls++;
    *outcome = known->answer;
    return known->answer != RULES_ONGOING;
}

static void test_endgame_table(void **state) {
    (void)state;
    static const char fen[] = "6/6/1bbb2/3w2/5w/6 b 0 1";
    table known = {0, RULES_ONGOING};
    referee_terms t = terms_of("surakarta", "icga", "inf");
    t.limits.probe = probe;
    t.limits.probe_context = &known;
    referee *r = start(&t, fen);
    play_line(r, "b4-b3 f2-f3");
    assert_int_equal(known.calls, 0);
    free(r);
    r = start(&t, fen);
    play_line(r, "c4xd3");
    assert_int_equal(known.calls, 1);
    assert_false(referee_is_over(r));
    free(r);
    known.answer = RULES_SECOND_WINS;
    r = start(&t, fen);
    play_line(r, "c4xd3");
    expect(r, RULES_SECOND_WINS, REFEREE_BY_TABLE, 0, "the endgame table has a win for White");
    known.answer = RULES_DRAW;
    r = start(&t, fen);
    play_line(r, "c4xd3");
    expect(r, RULES_DRAW, REFEREE_BY_TABLE, -1, "the endgame table has a draw");
}

static void test_games_that_may_never_end(void **state) {
    (void)state;
    static const struct {
        const char *set, *first, *second;
        uint32_t max_plies;
        bool ends;
    } cases[] = {
        {"icga", "inf", "inf", 0, true},
        {"traditional", "inf", "inf", 0, true},
        {"ccgc", "inf", "depth=3", 0, false},
        {"ccgc", "inf", "inf", 300, true},
        {"ccgc", "900", "900", 0, true},
        {"ccgc", "900", "depth=3", 0, true}, // one flag is enough
        {"ccgc", "10+0.1", "10+0.1", 0, false},
        {"ccgc", "40/60", "40/60", 0, false},
        {"ccgc", "st=1", "st=1", 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        referee_terms t = terms_of("surakarta", cases[i].set, cases[i].first);
        fault why = {""};
        t.control[1] = control(cases[i].second);
        t.limits.max_plies = cases[i].max_plies;
        assert_int_equal(referee_can_end(&t, &why), cases[i].ends);
        assert_int_equal(why.line[0] == '\0', cases[i].ends);
    }
}

static void test_reason_names(void **state) {
    (void)state;
    for (int i = 0; i < REFEREE_REASONS; i++) {
        referee_reason found;
        assert_true(referee_reason_find(text_of(referee_reason_name((referee_reason)i)), &found));
        assert_int_equal(found, i);
    }
    referee_reason found;
    assert_false(referee_reason_find(text_of("magic"), &found));
}

// A block copied is the game copied: nothing in it points into itself.
static void test_copy(void **state) {
    (void)state;
    referee_terms t = terms_of("surakarta", "icga", "10");
    referee *r = start(&t, NULL);
    play_line(r, "b5-b4");
    size_t size = referee_size(t.capacity);
    referee *copy = malloc(size);
    memcpy(copy, r, size);
    play_line(r, "c2-c3");
    assert_int_equal(rules_ply(referee_state(copy)), 1);
    assert_true(rules_is_legal(referee_state(copy), parse(copy, "c2-c3")));
    free(copy);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_controls_as_text),
        cmocka_unit_test(test_controls_refused),
        cmocka_unit_test(test_increment),
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_flag),
        cmocka_unit_test(test_margin_is_no_gift),
        cmocka_unit_test(test_time_per_move),
        cmocka_unit_test(test_flag_by_rule_set),
        cmocka_unit_test(test_rules_end_the_game),
        cmocka_unit_test(test_repetition_judged),
        cmocka_unit_test(test_no_move),
        cmocka_unit_test(test_decided_before_it_starts),
        cmocka_unit_test(test_illegal_move),
        cmocka_unit_test(test_crash_stall_resignation),
        cmocka_unit_test(test_draw_offers),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_resign_by_score),
        cmocka_unit_test(test_draw_by_score),
        cmocka_unit_test(test_move_limit),
        cmocka_unit_test(test_endgame_table),
        cmocka_unit_test(test_games_that_may_never_end),
        cmocka_unit_test(test_reason_names),
        cmocka_unit_test(test_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
