// The server's small parts: messages in both spellings, requests, the table, lines, the bucket,
// allowances.
#include "base/table.h"
#include "net/connection.h"
#include "protocol/message.h"
#include "server/ratelimit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_text(text got, const char *wanted) {
    if (!text_is(got, wanted))
        fail_msg("got %.*s, wanted %s", (int)got.len, got.at, wanted);
}

static void test_message_has_two_spellings(void **state) {
    (void)state;
    message m = {.verb = "result"};
    message_number(&m, "game", -7);
    message_string(&m, "words", "50% of \"it\"\\");
    message_flag(&m, "rated", true);
    message_list(&m, "moves");
    message_item(&m, "b2-b3");
    message_item(&m, "c2xf4");
    message_list(&m, "none");
    assert_text(message_as_line(&m), "result game=-7 words=50%25%20of%20\"it\"\\ rated=yes"
                                     " moves=b2-b3,c2xf4 none=\n");
    assert_text(message_as_json(&m),
                "{\"t\":\"result\",\"game\":-7,\"words\":\"50% of \\\"it\\\"\\\\\",\"rated\":true,"
                "\"moves\":[\"b2-b3\",\"c2xf4\"],\"none\":[]}");
    message_free(&m);
    m = (message){.verb = "pong"};
    assert_text(message_as_line(&m), "pong\n");
    assert_text(message_as_json(&m), "{\"t\":\"pong\"}");
    message_free(&m);
}

static void test_request_reads_lines(void **state) {
    (void)state;
    request r;
    fault why;
    int64_t n;
    bool flag;
    assert_true(request_read_line(&r, text_of("move game=7  ply=x fen=a%20b%25 draw=yes"), &why));
    assert_text(r.verb, "move");
    assert_text(request_text(&r, "fen"), "a b%");
    assert_text(request_text(&r, "none"), "");
    assert_true(request_number(&r, "game", 1, 9, 0, &n, &why) && n == 7);
    assert_true(request_number(&r, "none", 1, 9, -1, &n, &why) && n == -1);
    assert_false(request_number(&r, "ply", 0, 9, 0, &n, &why));
    assert_false(request_number(&r, "game", 1, 6, 0, &n, &why));
    assert_true(request_flag(&r, "draw", false, &flag, &why) && flag);
    assert_true(request_flag(&r, "none", true, &flag, &why) && flag);
    assert_false(request_flag(&r, "game", true, &flag, &why));
    const char *bad[] = {"",           "move game",  "move =7",     "move a=%2",
                         "move a=%zz", "move a=%0a", "move a=\xff", "\x01"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(request_read_line(&r, text_of(bad[i]), &why));
    char many[256];
    writer w = writer_on(many, sizeof many);
    write_string(&w, "move");
    for (int i = 0; i <= REQUEST_FIELDS; i++)
        write_string(&w, " a=1");
    assert_false(request_read_line(&r, text_of(many), &why));
}

static void test_request_reads_json(void **state) {
    (void)state;
    request r;
    fault why;
    bool flag;
    assert_true(request_read_json(&r,
                                  text_of("{\"t\":\"move\",\"game\":7,\"draw\":true,"
                                          "\"move\":\"c2-c3\"}"),
                                  &why));
    assert_text(r.verb, "move");
    assert_text(request_text(&r, "game"), "7");
    assert_text(request_text(&r, "move"), "c2-c3");
    assert_true(request_flag(&r, "draw", false, &flag, &why) && flag);
    assert_true(request_read_json(&r, text_of("{\"a\":[\"x y\",\"z\"],\"b\":[]}"), &why));
    assert_text(request_text(&r, "a"), "x y,z");
    assert_text(request_text(&r, "b"), "");
    const char *bad[] = {"",
                         "[]",
                         "{",
                         "{\"a\":[1]}",
                         "{\"a\":[\"x,y\"]}",
                         "{\"a\":1.5}",
                         "{\"a\":null}",
                         "{\"a\":\"\\n\"}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(request_read_json(&r, text_of(bad[i]), &why));
}

static void test_table_finds_what_is_there(void **state) {
    (void)state;
    table t = {0};
    int things[1000];
    assert_null(table_find(&t, 1));
    for (int64_t i = 0; i < 1000; i++)
        assert_true(table_add(&t, i * 64 + 1, &things[i]));
    for (int64_t i = 0; i < 1000; i += 3)
        table_remove(&t, i * 64 + 1);
    table_remove(&t, 2);
    uint32_t at = 0, count = 0;
    while (table_next(&t, &at))
        count++;
    assert_int_equal(count, 666);
    assert_int_equal(t.count, 666);
    for (int64_t i = 0; i < 1000; i++)
        assert_ptr_equal(table_find(&t, i * 64 + 1), i % 3 ? &things[i] : NULL);
    table_free(&t);
}

static void test_lines_in_any_pieces(void **state) {
    (void)state;
    static const char stream[] = "one\r\n\ntwo three\nfour";
    static const char *const wanted[] = {"one", "", "two three"};
    for (size_t step = 1; step < sizeof stream; step++) {
        lines l = {0};
        int count = 0;
        for (size_t from = 0; from < sizeof stream - 1; from += step) {
            size_t len = sizeof stream - 1 - from < step ? sizeof stream - 1 - from : step;
            text bytes = {stream + from, len}, line;
            while (lines_next(&l, &bytes, &line) == LINES_ONE)
                assert_text(line, wanted[count++]);
        }
        assert_int_equal(count, 3);
        assert_int_equal(l.held.len, 4);
        lines_free(&l);
    }
}

static void test_lines_have_a_limit(void **state) {
    (void)state;
    char *big = malloc(2 * LINES_MAX);
    memset(big, 'x', 2 * LINES_MAX);
    lines l = {0};
    text bytes = {big, 2 * LINES_MAX}, line;
    assert_int_equal(lines_next(&l, &bytes, &line), LINES_TOO_LONG);
    lines_free(&l);
    big[LINES_MAX] = '\n';
    bytes = (text){big, LINES_MAX + 1};
    assert_int_equal(lines_next(&l, &bytes, &line), LINES_ONE);
    assert_int_equal(line.len, LINES_MAX);
    big[LINES_MAX] = 'x';
    big[LINES_MAX + 1] = '\n';
    bytes = (text){big, LINES_MAX + 2};
    assert_int_equal(lines_next(&l, &bytes, &line), LINES_TOO_LONG);
    lines_free(&l);
    free(big);
}

static void test_bucket_fills_again(void **state) {
    (void)state;
    bucket b = {0};
    int64_t now = 1000000;
    for (int i = 0; i < 10; i++)
        assert_true(bucket_take(&b, 10, 5, now));
    assert_false(bucket_take(&b, 10, 5, now));
    now += 200000; // a fifth of a second brings one
    assert_true(bucket_take(&b, 10, 5, now));
    assert_false(bucket_take(&b, 10, 5, now));
    now += 60000000;
    for (int i = 0; i < 10; i++)
        assert_true(bucket_take(&b, 10, 5, now));
    assert_false(bucket_take(&b, 10, 5, now));
}

// An address has so much; another one, and this machine, are not touched by it.
static void test_address_has_its_limits(void **state) {
    (void)state;
    ratelimit *v = ratelimit_new();
    assert_non_null(v);
    int64_t now = 1000000;
    for (int i = 0; i < 200; i++)
        assert_true(ratelimit_take(v, "192.0.2.7", LIMIT_GUEST, now));
    assert_false(ratelimit_take(v, "192.0.2.7", LIMIT_GUEST, now));
    assert_false(ratelimit_take(v, "::ffff:192.0.2.7", LIMIT_GUEST, now));
    assert_true(ratelimit_take(v, "192.0.2.7", LIMIT_REQUEST, now));
    assert_true(ratelimit_take(v, "192.0.2.8", LIMIT_GUEST, now));
    assert_true(ratelimit_take(v, "192.0.2.7", LIMIT_GUEST, now + 2000000));
    for (int i = 0; i < 1000; i++) {
        assert_true(ratelimit_take(v, "127.0.0.1", LIMIT_GUEST, now));
        assert_true(ratelimit_take(v, "::1", LIMIT_GUEST, now));
    }
    // one network of 64 bits
    for (int i = 0; i < 200; i++)
        assert_true(ratelimit_take(v, i % 2 ? "2001:db8::1" : "2001:db8::2:3", LIMIT_GUEST, now));
    assert_false(ratelimit_take(v, "2001:db8::ffff", LIMIT_GUEST, now));
    assert_true(ratelimit_take(v, "2001:db8:0:1::1", LIMIT_GUEST, now));
    // names in any case
    for (int i = 0; i < 30; i++)
        assert_true(ratelimit_take_guess(v, "192.0.2.7", text_of(i % 2 ? "Ann" : "aNN"), now));
    assert_false(ratelimit_take_guess(v, "192.0.2.7", text_of("ann"), now));
    assert_true(ratelimit_take_guess(v, "192.0.2.8", text_of("ann"), now)); // the owner's
    assert_true(ratelimit_take_guess(v, "192.0.2.7", text_of("bob"), now));
    // what was much counts for more
    ratelimit_charge(v, "192.0.2.9", LIMIT_REQUEST, 999, now);
    assert_true(ratelimit_take(v, "192.0.2.9", LIMIT_REQUEST, now));
    assert_false(ratelimit_take(v, "192.0.2.9", LIMIT_REQUEST, now));
    ratelimit_charge(v, "127.0.0.1", LIMIT_REQUEST, 5000, now);
    assert_true(ratelimit_take(v, "127.0.0.1", LIMIT_REQUEST, now));
    // all debts are paid after a while
    assert_true(ratelimit_count(v) > 3);
    ratelimit_sweep(v, now + 1000000000);
    assert_int_equal(ratelimit_count(v), 0);
    ratelimit_free(v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message_has_two_spellings),
        cmocka_unit_test(test_request_reads_lines),
        cmocka_unit_test(test_request_reads_json),
        cmocka_unit_test(test_table_finds_what_is_there),
        cmocka_unit_test(test_lines_in_any_pieces),
        cmocka_unit_test(test_lines_have_a_limit),
        cmocka_unit_test(test_bucket_fills_again),
        cmocka_unit_test(test_address_has_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
