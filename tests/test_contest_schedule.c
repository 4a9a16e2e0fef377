// Schedules: who meets whom how often, with which colours, whatever the order of the results.
#include "base/rng.h"
#include "contest/matching.h"
#include "contest/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_GAMES = 70000 };

typedef struct {
    uint32_t count, most_waiting;
    schedule_game games[MOST_GAMES];
} protocol;

// A result that depends on the game alone: the better player (of lower number) tends to win.
static int result_of(const schedule_game *g, uint64_t luck) {
    rng r = {luck + g->index * 1000003u};
    int draw = (int)rng_below(&r, 100);
    int better = g->first < g->second ? 2 : 0;
    return draw < 30 ? 1 : draw < 85 ? better : 2 - better;
}

static int always_drawn(const schedule_game *g, uint64_t luck) {
    (void)g, (void)luck;
    return 1;
}

static int lower_wins(const schedule_game *g, uint64_t luck) {
    (void)luck;
    return g->first < g->second ? 2 : 0;
}

typedef int result_rule(const schedule_game *g, uint64_t luck);

// Plays a schedule to its end. With `disorder` results come late and in any order.
static schedule *play(const schedule_rules *rules, result_rule *result, uint64_t luck,
                      uint64_t disorder, protocol *p) {
    schedule *s = schedule_new(rules);
    assert_non_null(s);
    static uint32_t waiting[MOST_GAMES];
    uint32_t waits = 0;
    rng r = {disorder};
    p->count = p->most_waiting = 0;
    for (;;) {
        schedule_game g;
        schedule_status status = schedule_next(s, &g);
        if (status == SCHEDULE_END)
            break;
        if (status == SCHEDULE_GAME) {
            assert_int_equal(g.index, p->count);
            assert_true(p->count < MOST_GAMES);
            assert_true(g.index < schedule_total(s));
            p->games[p->count++] = g;
            waiting[waits++] = g.index;
            p->most_waiting = waits > p->most_waiting ? waits : p->most_waiting;
        } else {
            assert_true(waits > 0);
        }
        while (waits && (!disorder || status == SCHEDULE_WAIT || rng_below(&r, 3) == 0)) {
            uint32_t i = disorder ? rng_below(&r, waits) : 0;
            uint32_t index = waiting[i];
            waiting[i] = waiting[--waits];
            schedule_report(s, index, result(&p->games[index], luck));
            schedule_report(s, index, 0); // said twice
        }
    }
    while (waits) {
        uint32_t index = waiting[--waits];
        schedule_report(s, index, result(&p->games[index], luck));
    }
    assert_int_equal(schedule_total(s), p->count);
    return s;
}

static protocol one, two;

// Pairs of games share an opening and change colours; no two pairs share one.
static void check_openings(const protocol *p, int games) {
    for (uint32_t i = 0; i < p->count && games % 2 == 0; i += 2) {
        assert_int_equal(p->games[i].first, p->games[i + 1].second);
        assert_int_equal(p->games[i].second, p->games[i + 1].first);
        assert_int_equal(p->games[i].round, p->games[i + 1].round);
        assert_int_equal(p->games[i].opening, i / 2);
        assert_int_equal(p->games[i + 1].opening, i / 2);
    }
}

static int games_between(const schedule *s, int a, int b) {
    int points, games, other_points, other_games;
    schedule_between(s, a, b, &points, &games);
    schedule_between(s, b, a, &other_points, &other_games);
    assert_int_equal(games, other_games);
    assert_int_equal(points + other_points, 2 * games);
    return games;
}

static int begun_less_not_begun(const protocol *p, int who) {
    int n = 0;
    for (uint32_t i = 0; i < p->count; i++)
        n += (p->games[i].first == who) - (p->games[i].second == who);
    return n;
}

// Nobody sits at two boards in one round.
static void check_rounds(const protocol *p, int games) {
    int last[SCHEDULE_MAX_PLAYERS];
    memset(last, -1, sizeof last);
    for (uint32_t i = 0; i < p->count; i += (uint32_t)games) {
        const schedule_game *g = &p->games[i];
        assert_true(last[g->first] < g->round && last[g->second] < g->round);
        last[g->first] = last[g->second] = g->round;
    }
}

static void test_names(void **state) {
    (void)state;
    schedule_kind kind;
    for (int i = 0; i < 4; i++) {
        assert_true(schedule_find(schedule_name((schedule_kind)i), &kind));
        assert_int_equal(kind, i);
    }
    assert_false(schedule_find("lottery", &kind));
}

static void test_refused(void **state) {
    (void)state;
    const schedule_rules bad[] = {
        {SCHEDULE_ROUND_ROBIN, 1, 1, 2, 0, 0, false},
        {SCHEDULE_ROUND_ROBIN, 257, 1, 2, 0, 0, false},
        {SCHEDULE_GAUNTLET, 2, -1, 2, 0, 0, false},
        {SCHEDULE_SWISS, 8, 3, 0, 0, 0, false},
        {SCHEDULE_SWISS, 8, 100000, 2, 0, 0, false},
        {SCHEDULE_ROUND_ROBIN, 256, 1 << 22, 1 << 22, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_null(schedule_new(&bad[i]));
    schedule_free(NULL);
}

static void test_round_robin(void **state) {
    (void)state;
    static const int sizes[] = {2, 3, 4, 5, 6, 7, 8, 15, 16, 33};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int times = 1; times <= 2; times++)
            for (int games = 1; games <= 2; games++) {
                schedule_rules rules = {SCHEDULE_ROUND_ROBIN, sizes[i], times, games, 7, 0, false};
                schedule *s = play(&rules, result_of, 1, 0, &one);
                int n = sizes[i];
                assert_int_equal(one.count, n * (n - 1) / 2 * times * games);
                for (int a = 0; a < n; a++)
                    for (int b = 0; b < n; b++)
                        assert_int_equal(games_between(s, a, b), a == b ? 0 : times * games);
                for (int a = 0; a < n; a++) {
                    int off = begun_less_not_begun(&one, a);
                    assert_true(games == 2 || times == 2 ? off == 0 : abs(off) <= 1);
                }
                check_openings(&one, games);
                check_rounds(&one, games);
                schedule_free(s);
            }
}

static void test_gauntlet(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_GAUNTLET, 6, 3, 4, 0, 0, false};
    schedule *s = play(&rules, result_of, 2, 0, &one);
    assert_int_equal(one.count, 5 * 3 * 4);
    for (int a = 1; a < 6; a++) {
        assert_int_equal(games_between(s, 0, a), 12);
        for (int b = 1; b < 6; b++)
            assert_int_equal(games_between(s, a, b), 0);
    }
    check_openings(&one, 4);
    schedule_free(s);
    rules.games = 1;
    schedule_free(play(&rules, result_of, 2, 0, &one));
    assert_true(abs(begun_less_not_begun(&one, 0)) <= 1);
}

// --- Swiss --------------------------------------------------------------------------------------

typedef struct {
    int rematches, most_byes, most_off;
} quality;

static quality quality_of(const schedule *s, const schedule_rules *rules, const protocol *p) {
    quality q = {0};
    int n = rules->players;
    schedule_standing lines[SCHEDULE_MAX_PLAYERS];
    assert_int_equal(schedule_standings(s, lines), n);
    for (int i = 0; i < n; i++) {
        int off = abs(begun_less_not_begun(p, i));
        q.most_off = off > q.most_off ? off : q.most_off;
        q.most_byes = lines[i].byes > q.most_byes ? lines[i].byes : q.most_byes;
        for (int j = 0; j < i; j++)
            q.rematches += games_between(s, i, j) > rules->games;
        assert_int_equal(lines[i].played + lines[i].byes * rules->games,
                         rules->games * rules->rounds);
    }
    return q;
}

static void test_swiss(void **state) {
    (void)state;
    static const struct {
        int players, rounds;
    } sizes[] = {{2, 1}, {3, 3},  {4, 3},  {5, 4},  {5, 5},  {6, 5},   {8, 5},
                 {9, 9}, {16, 9}, {21, 7}, {32, 9}, {64, 7}, {255, 8}, {256, 11}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            int games = seed % 2 ? 2 : 1;
            schedule_rules rules = {
                SCHEDULE_SWISS, sizes[i].players, sizes[i].rounds, games, seed, 0, false};
            schedule *s = play(&rules, seed == 4 ? always_drawn : result_of, seed, 0, &one);
            int n = sizes[i].players;
            assert_int_equal(one.count, n / 2 * sizes[i].rounds * games);
            quality q = quality_of(s, &rules, &one);
            bool sane = sizes[i].rounds <= n / 2; // more may leave no way, whatever the pairing
            if (sane || n == 2 || n == 4)
                assert_int_equal(q.rematches, 0);
            if (sane)
                assert_true(q.most_byes <= 1);
            if (games == 1 && sane)
                assert_true(q.most_off <= 2);
            check_openings(&one, games);
            check_rounds(&one, games);
            schedule_free(s);
        }
}

// Every possible pair has met: from now on rematches cannot be avoided, and are spread.
static void test_swiss_beyond_its_size(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_SWISS, 4, 6, 2, 0, 0, false};
    schedule *s = play(&rules, result_of, 3, 0, &one);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            assert_int_equal(games_between(s, a, b), 4);
    schedule_free(s);
}

static void test_swiss_finds_the_best(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_SWISS, 64, 0, 2, 99, 0, false};
    schedule *s = play(&rules, lower_wins, 0, 0, &one);
    assert_int_equal(one.count, 64 / 2 * 6 * 2);
    schedule_standing lines[SCHEDULE_MAX_PLAYERS];
    schedule_standings(s, lines);
    assert_int_equal(lines[0].player, 0);
    assert_int_equal(lines[0].half_points, 24);
    assert_int_equal(lines[63].player, 63);
    assert_int_equal(lines[63].half_points, 0);
    schedule_free(s);
}

// First round by place: the upper half against the lower; another seed draws other lots.
static void test_swiss_first_round(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_SWISS, 8, 1, 1, 0, 0, false};
    schedule_free(play(&rules, result_of, 0, 0, &one));
    static const int expected[4][2] = {{0, 4}, {5, 1}, {2, 6}, {7, 3}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(one.games[i].first, expected[i][0]);
        assert_int_equal(one.games[i].second, expected[i][1]);
    }
    rules.seed = 5;
    schedule_free(play(&rules, result_of, 0, 0, &two));
    assert_memory_not_equal(one.games, two.games, 4 * sizeof one.games[0]);
}

// --- knockout -----------------------------------------------------------------------------------

static void test_knockout(void **state) {
    (void)state;
    static const int sizes[] = {2, 3, 5, 8, 13, 16, 100, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int n = sizes[i];
        schedule_rules rules = {SCHEDULE_KNOCKOUT, n, 0, 2, 0, 0, false};
        schedule *s = play(&rules, lower_wins, 0, 0, &one);
        assert_int_equal(one.count, (n - 1) * 2);
        schedule_standing lines[SCHEDULE_MAX_PLAYERS];
        schedule_standings(s, lines);
        for (int place = 0; place < 2; place++)
            assert_int_equal(lines[place].player, place); // the best two meet in the end
        if (n >= 4)
            assert_true(lines[2].player + lines[3].player == 2 + 3);
        check_openings(&one, 2);
        schedule_free(s);
    }
    schedule_rules rules = {SCHEDULE_KNOCKOUT, 5, 0, 2, 0, 0, false}; // 0 1 2 rest; 3 meets 4
    schedule *s = play(&rules, lower_wins, 0, 0, &one);
    schedule_standing lines[SCHEDULE_MAX_PLAYERS];
    schedule_standings(s, lines);
    assert_int_equal(one.games[0].first + one.games[0].second, 3 + 4);
    for (int i = 0; i < 5; i++)
        assert_int_equal(lines[i].byes, lines[i].player < 3);
    schedule_free(s);
}

// Ties are played on pair by pair; then the better placed goes on.
static void test_knockout_ties(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_KNOCKOUT, 4, 0, 2, 0, 0, false};
    schedule *s = play(&rules, always_drawn, 0, 0, &one);
    assert_int_equal(one.count, 3 * (2 + 2 * SCHEDULE_EXTRA_PAIRS));
    check_openings(&one, 2);
    schedule_standing lines[SCHEDULE_MAX_PLAYERS];
    schedule_standings(s, lines);
    assert_int_equal(lines[0].player, 0);
    assert_int_equal(lines[1].player, 1);
    schedule_free(s);

    s = schedule_new(&rules);
    schedule_game g;
    for (int i = 0; i < 4; i++)
        assert_int_equal(schedule_next(s, &g), SCHEDULE_GAME);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_WAIT);
    schedule_report(s, 0, 1); // 0 and 3 draw both, 2 beats 1
    schedule_report(s, 1, 1);
    schedule_report(s, 2, 0);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_WAIT);
    schedule_report(s, 3, 2);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_GAME);
    assert_int_equal(schedule_total(s), 8);
    assert_true(g.round == 0 && g.first == 0 && g.second == 3);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_GAME);
    assert_true(g.first == 3 && g.second == 0);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_WAIT);
    schedule_report(s, 4, 0);
    schedule_report(s, 5, 1);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_GAME);
    assert_true(g.round == 1 && g.first + g.second == 3 + 2);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_GAME);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_WAIT);
    schedule_report(s, 6, 2);
    schedule_report(s, 7, 1);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_END);
    schedule_free(s);
}

// --- withdrawals and corrections ----------------------------------------------------------------

static int next_round(schedule *s, schedule_game games[], int most) {
    int count = 0;
    while (count < most && schedule_next(s, &games[count]) == SCHEDULE_GAME)
        count++;
    return count;
}

// Who has withdrawn is not drawn again; the bye goes round among those who are left.
static void test_swiss_withdrawal(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_SWISS, 6, 5, 1, 0, 0, false};
    schedule *s = schedule_new(&rules);
    schedule_game g[8];
    assert_int_equal(next_round(s, g, 8), 3);
    for (int i = 0; i < 3; i++)
        schedule_report(s, g[i].index, lower_wins(&g[i], 0));
    schedule_withdraw(s, 0);
    for (int round = 1; round < 5; round++) {
        assert_int_equal(next_round(s, g, 8), 2);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(g[i].round, round);
            assert_true(g[i].first != 0 && g[i].second != 0);
            schedule_report(s, g[i].index, lower_wins(&g[i], 0));
        }
        assert_int_equal(schedule_total(s), 3 + 4 * 2);
    }
    assert_int_equal(schedule_next(s, g), SCHEDULE_END);
    schedule_standing lines[6];
    schedule_standings(s, lines);
    int byes = 0;
    for (int i = 0; i < 6; i++) {
        assert_true(lines[i].byes <= 1);
        byes += lines[i].byes;
        assert_int_equal(lines[i].played + lines[i].byes, lines[i].player == 0 ? 1 : 5);
    }
    assert_int_equal(byes, 4);
    schedule_free(s);
}

static void test_everybody_withdraws(void **state) {
    (void)state;
    for (int kind = SCHEDULE_SWISS; kind <= SCHEDULE_KNOCKOUT; kind++) {
        schedule_rules rules = {(schedule_kind)kind, 5, 4, 1, 0, 0, false};
        schedule *s = schedule_new(&rules);
        schedule_game g[8];
        int count = next_round(s, g, 8);
        for (int i = 0; i < count; i++)
            schedule_report(s, g[i].index, SCHEDULE_BOTH_LOST);
        for (int i = 0; i < 5; i++)
            schedule_withdraw(s, i);
        assert_int_equal(schedule_next(s, g), SCHEDULE_END);
        assert_int_equal(schedule_next(s, g), SCHEDULE_END);
        schedule_free(s);
    }
}

// In a knockout the other goes on, with a bye where they had not met.
static void test_knockout_withdrawal(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_KNOCKOUT, 8, 0, 1, 0, 0, false};
    schedule *s = schedule_new(&rules);
    schedule_game g[8];
    assert_int_equal(next_round(s, g, 8), 4);
    for (int i = 0; i < 4; i++)
        schedule_report(s, g[i].index, lower_wins(&g[i], 0));
    schedule_withdraw(s, 3); // would meet 0
    assert_int_equal(next_round(s, g, 8), 1);
    assert_true(g[0].first + g[0].second == 1 + 2);
    schedule_report(s, g[0].index, lower_wins(&g[0], 0));
    assert_int_equal(next_round(s, g, 8), 1);
    assert_true(g[0].round == 2 && g[0].first + g[0].second == 0 + 1);
    schedule_report(s, g[0].index, lower_wins(&g[0], 0));
    schedule_finish(s);
    schedule_standing lines[8];
    schedule_standings(s, lines);
    assert_true(lines[0].player == 0 && lines[0].byes == 1 && lines[0].played == 2);
    assert_int_equal(lines[1].player, 1);
    schedule_free(s);
}

static void test_nobody_came(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_ROUND_ROBIN, 2, 1, 2, 0, 0, false};
    schedule *s = schedule_new(&rules);
    schedule_game g[2];
    assert_int_equal(next_round(s, g, 2), 2);
    schedule_report(s, 0, SCHEDULE_BOTH_LOST);
    schedule_report(s, 1, 2);
    schedule_standing lines[2];
    schedule_standings(s, lines);
    assert_int_equal(lines[0].half_points + lines[1].half_points, 2);
    assert_true(lines[0].losses == 1 && lines[1].losses == 2);
    schedule_free(s);
}

// A correction is as if the result had been so from the start, as far as rounds are not drawn yet.
static void test_corrections(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_SWISS, 8, 3, 1, 0, 0, false};
    schedule *as_was = schedule_new(&rules), *corrected = schedule_new(&rules);
    schedule_game g[4], h[4];
    for (int round = 0; round < 3; round++) {
        assert_int_equal(next_round(as_was, g, 4), 4);
        assert_int_equal(next_round(corrected, h, 4), 4);
        assert_memory_equal(g, h, sizeof g);
        for (int i = 0; i < 4; i++) {
            schedule_report(as_was, g[i].index, lower_wins(&g[i], 0));
            schedule_report(corrected, g[i].index, i % 3);
            schedule_correct(corrected, g[i].index, -1); // annulled: the round waits
            assert_int_equal(schedule_next(corrected, h), SCHEDULE_WAIT);
            schedule_report(corrected, g[i].index, SCHEDULE_BOTH_LOST);
            schedule_correct(corrected, g[i].index, lower_wins(&g[i], 0));
        }
    }
    schedule_standing first[8], second[8];
    schedule_standings(as_was, first);
    schedule_standings(corrected, second);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(first[i].player, second[i].player);
        assert_int_equal(first[i].half_points, second[i].half_points);
        assert_int_equal(first[i].played, second[i].played);
        assert_true(first[i].buchholz == second[i].buchholz);
    }
    schedule_free(as_was);
    schedule_free(corrected);
}

// --- all kinds ----------------------------------------------------------------------------------

static void test_order_of_reports(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int players = 9; players <= 24; players += 15) {
            schedule_rules rules = {(schedule_kind)kind, players, 4, 2, 3, 0, false};
            schedule *s = play(&rules, result_of, 5, 0, &one);
            schedule_standing first[SCHEDULE_MAX_PLAYERS], second[SCHEDULE_MAX_PLAYERS];
            schedule_standings(s, first);
            schedule_free(s);
            for (uint64_t disorder = 1; disorder < 20; disorder++) {
                s = play(&rules, result_of, 5, disorder, &two);
                assert_int_equal(one.count, two.count);
                assert_memory_equal(one.games, two.games, one.count * sizeof one.games[0]);
                assert_true(two.most_waiting > 1);
                schedule_standings(s, second);
                for (int i = 0; i < players; i++) {
                    assert_int_equal(first[i].player, second[i].player);
                    assert_int_equal(first[i].half_points, second[i].half_points);
                    assert_true(first[i].buchholz == second[i].buchholz);
                }
                schedule_free(s);
            }
        }
}

static void test_standings(void **state) {
    (void)state;
    // 0 beats 1 and 2; 1 draws with 2: scores 2, 0.5, 0.5.
    schedule_rules rules = {SCHEDULE_ROUND_ROBIN, 3, 1, 1, 0, 0, false};
    schedule *s = schedule_new(&rules);
    schedule_game g;
    while (schedule_next(s, &g) == SCHEDULE_GAME)
        schedule_report(s, g.index, g.first == 0 ? 2 : g.second == 0 ? 0 : 1);
    schedule_standing lines[3];
    assert_int_equal(schedule_standings(s, lines), 3);
    assert_int_equal(lines[0].player, 0);
    assert_int_equal(lines[0].wins, 2);
    assert_true(lines[0].buchholz == 1 && lines[0].sonneborn_berger == 1);
    assert_int_equal(lines[1].player, 1);
    assert_int_equal(lines[1].draws, 1);
    assert_int_equal(lines[1].losses, 1);
    assert_true(lines[1].buchholz == 2.5 && lines[1].sonneborn_berger == 0.25);
    schedule_free(s);

    // A bye is a point, and counts as a game against one's equal.
    rules = (schedule_rules){SCHEDULE_SWISS, 3, 1, 2, 0, 0, false};
    s = schedule_new(&rules);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(schedule_next(s, &g), SCHEDULE_GAME);
    schedule_report(s, 0, 1);
    schedule_report(s, 1, 1);
    assert_int_equal(schedule_next(s, &g), SCHEDULE_END);
    schedule_standings(s, lines);
    assert_true(lines[0].player == 2 && lines[0].byes == 1 && lines[0].played == 0);
    assert_int_equal(lines[0].half_points, 4);
    assert_true(lines[0].buchholz == 4 && lines[0].sonneborn_berger == 4);
    assert_true(lines[1].buchholz == 2 && lines[1].sonneborn_berger == 1);
    schedule_free(s);
}

static void test_gauntlet_standings(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_GAUNTLET, 4, 1, 2, 0, 0, false};
    schedule *s = schedule_new(&rules);
    schedule_game g;
    while (schedule_next(s, &g) == SCHEDULE_GAME) { // 3 beats 0, who beats the others
        int half = g.first + g.second == 3 ? 0 : 2;
        schedule_report(s, g.index, g.first == 0 ? half : 2 - half);
    }
    schedule_standing lines[4];
    schedule_standings(s, lines);
    assert_int_equal(lines[0].player, 3);
    assert_int_equal(lines[1].player, 0); // 4 of 6, which is less than 2 of 2
    schedule_free(s);
}

// --- matching -----------------------------------------------------------------------------------

// Whether the rest of a small graph can be paired off, by trying everything.
static bool can_pair(const matching *m, unsigned left) {
    if (left == 0)
        return true;
    int a = 0;
    while (!(left >> a & 1))
        a++;
    for (int b = a + 1; b < m->n; b++)
        if (left >> b & 1 && m->joined[a][b] && can_pair(m, left & ~(1u << a | 1u << b)))
            return true;
    return false;
}

static void check_mates(const matching *m) {
    for (int v = 0; v < m->n; v++)
        assert_true(m->mate[v] >= 0 && m->mate[m->mate[v]] == v && m->joined[v][m->mate[v]]);
}

static void test_matching(void **state) {
    (void)state;
    rng r = {20};
    static matching m;
    int complete = 0, fixed = 0, refused = 0;
    for (int round = 0; round < 20000; round++) {
        m = (matching){.n = 2 + 2 * (int)rng_below(&r, 5)};
        uint32_t density = 15 + rng_below(&r, 45);
        for (int a = 0; a < m.n; a++)
            for (int b = 0; b < a; b++)
                m.joined[a][b] = m.joined[b][a] = rng_below(&r, 100) < density;
        bool can = can_pair(&m, (1u << m.n) - 1);
        assert_int_equal(matching_complete(&m), can);
        if (!can)
            continue;
        complete++;
        check_mates(&m);
        int a = (int)rng_below(&r, (uint32_t)m.n), b = (int)rng_below(&r, (uint32_t)m.n);
        if (a == b || !m.joined[a][b])
            continue;
        bool may = can_pair(&m, ((1u << m.n) - 1) & ~(1u << a | 1u << b));
        assert_int_equal(matching_fix(&m, a, b), may);
        check_mates(&m);
        assert_int_equal(m.gone[a] && m.gone[b] && m.mate[a] == b, may);
        fixed += may;
        refused += !may;
    }
    assert_true(complete > 2000 && fixed > 500 && refused > 100);
}

// Each seed of a gauntlet meets everybody who is none, and only them.
static void test_a_gauntlet_of_seeds(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_GAUNTLET, 5, 3, 2, 1, 2, false};
    schedule *s = schedule_new(&rules);
    assert_non_null(s);
    int meetings[5][5] = {0}, begun[5][5] = {0};
    schedule_game g;
    assert_int_equal(schedule_total(s), 3 * 2 * 3 * 2);
    while (schedule_next(s, &g) == SCHEDULE_GAME) {
        meetings[g.first][g.second]++;
        meetings[g.second][g.first]++;
        begun[g.first][g.second]++;
    }
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++) {
            assert_int_equal(meetings[a][b], (a < 2) != (b < 2) ? 6 : 0);
            assert_int_equal(begun[a][b], meetings[a][b] / 2);
        }
    schedule_free(s);
    rules.seeds = 5;
    assert_null(schedule_new(&rules));
}

// Without a change of colours the lower number always begins; openings go on as before.
static void test_colours_that_stay(void **state) {
    (void)state;
    schedule_rules rules = {SCHEDULE_ROUND_ROBIN, 4, 3, 4, 1, 0, true};
    schedule *s = schedule_new(&rules);
    assert_non_null(s);
    schedule_game g;
    for (uint32_t i = 0; schedule_next(s, &g) == SCHEDULE_GAME; i++) {
        assert_true(g.first < g.second);
        assert_int_equal(g.opening, i / 2);
    }
    schedule_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_gauntlet_of_seeds),
        cmocka_unit_test(test_colours_that_stay),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_round_robin),
        cmocka_unit_test(test_gauntlet),
        cmocka_unit_test(test_swiss),
        cmocka_unit_test(test_swiss_beyond_its_size),
        cmocka_unit_test(test_swiss_finds_the_best),
        cmocka_unit_test(test_swiss_first_round),
        cmocka_unit_test(test_knockout),
        cmocka_unit_test(test_knockout_ties),
        cmocka_unit_test(test_swiss_withdrawal),
        cmocka_unit_test(test_everybody_withdraws),
        cmocka_unit_test(test_knockout_withdrawal),
        cmocka_unit_test(test_nobody_came),
        cmocka_unit_test(test_corrections),
        cmocka_unit_test(test_order_of_reports),
        cmocka_unit_test(test_standings),
        cmocka_unit_test(test_gauntlet_standings),
        cmocka_unit_test(test_matching),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
