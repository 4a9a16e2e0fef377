// Both ends talk to each other through whole random games, in every dialect and both games: each
// move and each position must be the same to all.
#include "base/rng.h"
#include "dialect_talk.h"

enum { LONGEST_GAME = 400 };

typedef enum { FROM_START, FROM_FEN, FROM_OPENING } beginning;

// Everything the manager has written goes to the engine; its last command comes back.
static dialect_command deliver(talk *t, text first) {
    char lines[DIALECT_TEXT_MAX];
    assert_true(first.len + t->out.used < sizeof lines);
    if (first.len)
        memcpy(lines, first.at, first.len);
    memcpy(lines + first.len, t->buffer, t->out.used);
    text rest = {lines, first.len + t->out.used};
    t->out = writer_on(t->buffer, sizeof t->buffer);
    dialect_command c = {0};
    while (rest.len)
        c = dialect_engine_read(&t->engine, text_next_line(&rest), &t->out);
    return c;
}

// Everything the engine has written goes to the manager; the event of that kind comes back.
static dialect_event answered(talk *t, dialect_event_kind wanted, char lines[DIALECT_TEXT_MAX]) {
    dialect_event found = {0};
    memcpy(lines, t->buffer, t->out.used);
    text rest = {lines, t->out.used};
    t->out = writer_on(t->buffer, sizeof t->buffer);
    while (rest.len) {
        dialect_event e = dialect_read(&t->host, text_next_line(&rest));
        assert_int_not_equal(e.kind, EVENT_MALFORMED);
        assert_int_not_equal(e.kind, EVENT_REFUSED);
        if (e.kind == wanted)
            found = e;
    }
    assert_int_equal(found.kind, wanted);
    return found;
}

static const dialect_limits control = {.clock_us = {7000000, 5000000},
                                       .increment_us = {1000000, 1000000}};

static void shake_hands(talk *t) {
    char lines[DIALECT_TEXT_MAX];
    dialect_write_hello(&t->host, &t->out);
    deliver(t, (text){"", 0});
    answered(t, EVENT_HELLO, lines);
    assert_string_equal(t->host.name, talk_identity.name);
}

static void begin_game(talk *t, int side, const char *fen) {
    char lines[DIALECT_TEXT_MAX];
    bool answers;
    dialect_write_new_game(&t->host, side, &control, &answers, &t->out);
    deliver(t, (text){"", 0});
    assert_int_equal(answers, t->host.id != DIALECT_SAU);
    if (answers)
        answered(t, EVENT_READY, lines);
    assert_true(dialect_begin(&t->host, fen, &t->out));
    deliver(t, (text){"", 0});
    assert_int_equal(t->out.used, 0);
}

// What travels of the limits arrives.
static void check_limits(const talk *t, const dialect_command *c, int side) {
    assert_int_equal(c->kind, COMMAND_GO);
    assert_int_equal(c->go.allowed_count, 0);
    if (t->host.id == DIALECT_SAU)
        return;
    for (int i = 0; i < 2; i++)
        assert_int_equal(c->go.limits.clock_us[i], control.clock_us[i]);
    assert_int_equal(c->go.limits.increment_us[side], control.increment_us[side]);
}

// The engine's move in the position the manager has on the board.
static rules_move ask(talk *t, const rules_state *s, rng *r) {
    char lines[DIALECT_TEXT_MAX];
    int side = rules_side_to_move(s);
    rules_move moves[RULES_MAX_MOVES], parsed;
    text first = dialect_write_go(&t->host, side, &control, &t->out);
    dialect_command c = deliver(t, first);
    check_limits(t, &c, side);
    assert_true(rules_key(t->engine.state) == rules_key(s));
    int n = rules_legal_moves(t->engine.state, moves);
    rules_move chosen = moves[rng_below(r, (uint32_t)n)];
    dialect_report report = {.depth = 3,
                             .has_score = true,
                             .score = -12,
                             .nodes = 5,
                             .time_ms = 40,
                             .hash_full = -1,
                             .pv = &chosen,
                             .pv_count = 1};
    dialect_engine_write_info(&t->engine, &report, &t->out);
    dialect_engine_write_move(&t->engine, &(dialect_answer){.move = chosen}, &t->out);
    dialect_event e = answered(t, EVENT_MOVE, lines);
    assert_true(dialect_parse_move(&t->host, s, e.text, &parsed, NULL));
    assert_int_equal(parsed, chosen);
    return chosen;
}

static void tell_both(talk *players[2], const rules_state *s, rules_move move, int mover) {
    for (int i = 0; i < 2; i++) {
        assert_true(dialect_played(&players[i]->host, s, move, i == mover, &players[i]->out));
        deliver(players[i], (text){"", 0});
        assert_int_equal(players[i]->out.used, 0);
    }
}

static void play_random(rules_state *s, rng *r, rules_move *move) {
    rules_move moves[RULES_MAX_MOVES];
    *move = moves[rng_below(r, (uint32_t)rules_legal_moves(s, moves))];
    assert_true(rules_play(s, *move, NULL));
}

static void play_game(talk *players[2], beginning how, rng *r) {
    rules_state *s = players[0]->state;
    rules_move move;
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    assert_true(rules_set_fen(s, text_of(rules_start_fen(rules_game_of(s))), NULL));
    if (how == FROM_FEN) {
        for (int i = 0; i < 7; i++)
            play_random(s, r, &move);
        rules_format_fen(s, &w);
        assert_true(rules_set_fen(s, text_of(fen), NULL));
    }
    for (int i = 0; i < 2; i++)
        begin_game(players[i], i, how == FROM_FEN ? fen : NULL);
    for (int i = 0; how == FROM_OPENING && i < 5; i++) {
        rules_move opening;
        play_random(s, r, &opening);
        rules_undo(s);
        tell_both(players, s, opening, -1);
        assert_true(rules_play(s, opening, NULL));
    }
    while (rules_result(s).outcome == RULES_ONGOING && rules_ply(s) < LONGEST_GAME) {
        int side = rules_side_to_move(s);
        move = ask(players[side], s, r);
        tell_both(players, s, move, side);
        assert_true(rules_play(s, move, NULL));
    }
    rules_verdict v = rules_result(s);
    for (int i = 0; i < 2; i++) {
        dialect_write_result(&players[i]->host, v.outcome, v.words, &players[i]->out);
        deliver(players[i], (text){"", 0});
        assert_int_equal(players[i]->out.used, 0);
    }
}

// Six games between two engines that may speak different dialects.
static void play_match(const char *game, const dialect_id ids[2], bool has_variant) {
    dialect_identity identity = talk_identity;
    identity.has_variant = has_variant;
    talk *players[2];
    rng r = {(uint64_t)(17 + ids[0] * 4 + ids[1])};
    bool sau = ids[0] == DIALECT_SAU || ids[1] == DIALECT_SAU;
    for (int i = 0; i < 2; i++) {
        players[i] = talk_new(ids[i], game, &identity);
        shake_hands(players[i]);
    }
    for (int i = 0; i < 6; i++)
        play_game(players, sau ? FROM_START : (beginning)(i % 3), &r);
    for (int i = 0; i < 2; i++) {
        dialect_write_quit(&players[i]->host, &players[i]->out);
        assert_int_equal(deliver(players[i], (text){"", 0}).kind, COMMAND_QUIT);
        talk_free(players[i]);
    }
}

static void play_all(const char *game) {
    for (int first = 0; first < DIALECTS; first++)
        for (int second = 0; second < DIALECTS; second++) {
            const dialect_id ids[2] = {(dialect_id)first, (dialect_id)second};
            const rules_game *g = rules_find(text_of(game));
            if (dialect_can_play(ids[0], g) && dialect_can_play(ids[1], g))
                play_match(game, ids, false);
        }
}

static void surakarta_in_every_dialect(void **unused) {
    (void)unused;
    play_all("surakarta");
}

static void xiangqi_in_every_dialect(void **unused) {
    (void)unused;
    play_all("xiangqi");
}

static void xiangqi_with_ranks_from_one(void **unused) {
    (void)unused;
    play_match("xiangqi", (const dialect_id[]){DIALECT_UCI, DIALECT_UCI}, true);
    play_match("xiangqi", (const dialect_id[]){DIALECT_CECP, DIALECT_UCI}, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surakarta_in_every_dialect),
        cmocka_unit_test(xiangqi_in_every_dialect),
        cmocka_unit_test(xiangqi_with_ranks_from_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
