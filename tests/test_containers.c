// What base offers to hold things: vectors, buffers, lists; and the smaller of two numbers.
#include "base/buffer.h"
#include "base/list.h"
#include "base/minmax.h"
#include "base/vector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_vector(void **state) {
    (void)state;
    int *items = NULL, moves = 0;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        size_t before = capacity;
        int *grown = vector_reserve(items, &capacity, (size_t)i + 1, sizeof *grown);
        assert_non_null(grown);
        assert_true(capacity > (size_t)i);
        moves += capacity != before;
        items = grown;
        items[i] = i;
    }
    assert_true(moves <= 10); // it doubles
    for (int i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    size_t before = capacity;
    assert_null(vector_reserve(items, &capacity, SIZE_MAX / 2, sizeof *items));
    assert_null(vector_reserve(items, &capacity, SIZE_MAX, 1));
    assert_int_equal(capacity, before);
    assert_ptr_equal(vector_reserve(items, &capacity, capacity, sizeof *items), items);
    free(items);
    capacity = 0;
    void *large = vector_reserve(NULL, &capacity, 100000, 3);
    assert_non_null(large);
    assert_int_equal(capacity, 100000);
    free(large);
    capacity = 0;
    void *none = vector_reserve(NULL, &capacity, 0, 8); // an array, if without items
    assert_non_null(none);
    free(none);
}

static void test_buffer(void **state) {
    (void)state;
    buffer b = {0};
    assert_int_equal(buffer_text(&b).len, 0);
    buffer_add(&b, (text){NULL, 0});
    assert_null(b.bytes);
    buffer_string(&b, "moves");
    buffer_char(&b, ':');
    buffer_format(&b, " %d of %s", 12, "40");
    assert_true(text_is(buffer_text(&b), "moves: 12 of 40"));
    buffer_drop(&b, 7);
    assert_true(text_is(buffer_text(&b), "12 of 40"));
    buffer_drop(&b, 100);
    assert_int_equal(b.len, 0);
    for (int i = 0; i < 5000; i++)
        buffer_format(&b, "%04d", i);
    assert_int_equal(b.len, 20000);
    assert_memory_equal(b.bytes + 4 * 1234, "1234", 4);
    assert_memory_equal(b.bytes + 4 * 4999, "4999", 4);
    size_t kept = b.capacity;
    buffer_clear(&b);
    assert_int_equal(b.len, 0);
    assert_int_equal(b.capacity, kept);
    assert_true(buffer_reserve(&b, 100000));
    memset(b.bytes, 'x', 100000);
    b.len = 100000;
    buffer_free(&b);
    assert_null(b.bytes);
    assert_int_equal(b.capacity, 0);
    buffer_free(&b);
}

// Once memory has run out nothing more is added, and nothing is lost.
static void test_buffer_fails(void **state) {
    (void)state;
    buffer b = {0};
    buffer_string(&b, "kept");
    assert_false(buffer_reserve(&b, SIZE_MAX));
    assert_true(b.failed);
    buffer_string(&b, "dropped");
    assert_false(buffer_reserve(&b, 1));
    assert_true(text_is(buffer_text(&b), "kept"));
    buffer_clear(&b);
    buffer_string(&b, "again");
    assert_true(text_is(buffer_text(&b), "again"));
    buffer_free(&b);
}

typedef struct {
    char name;
    list_link link;
} thing;

static void check_order(const linked_list *l, const char *wanted) {
    size_t n = 0;
    for (list_link *at = l->first; at; at = at->next, n++)
        assert_int_equal(LIST_ITEM(at, thing, link)->name, wanted[n]);
    assert_int_equal(n, strlen(wanted));
    for (list_link *at = l->last; at; at = at->previous)
        assert_int_equal(LIST_ITEM(at, thing, link)->name, wanted[--n]);
    assert_int_equal(n, 0);
    assert_int_equal(list_is_empty(l), !*wanted);
}

static void test_list(void **state) {
    (void)state;
    linked_list l = {0};
    thing a = {.name = 'a'}, b = {.name = 'b'}, c = {.name = 'c'}, d = {.name = 'd'};
    check_order(&l, "");
    assert_null(LIST_ITEM(l.first, thing, link));
    assert_null(list_take_first(&l));
    assert_false(list_has(&l, &a.link));
    list_append(&l, &b.link);
    assert_true(list_has(&l, &b.link));
    check_order(&l, "b");
    list_append(&l, &d.link);
    list_prepend(&l, &a.link);
    list_insert(&l, &b.link, &c.link);
    check_order(&l, "abcd");
    assert_true(list_has(&l, &a.link) && list_has(&l, &d.link));
    list_remove(&l, &c.link); // in the middle
    assert_false(list_has(&l, &c.link));
    check_order(&l, "abd");
    list_remove(&l, &d.link); // at the end
    check_order(&l, "ab");
    assert_ptr_equal(list_take_first(&l), &a.link);
    check_order(&l, "b");
    list_remove(&l, &b.link);
    check_order(&l, "");
    list_append(&l, &b.link); // what was removed may come back
    check_order(&l, "b");
}

static void test_minmax(void **state) {
    (void)state;
    assert_int_equal(min_int(-1, 2), -1);
    assert_int_equal(max_int(-1, 2), 2);
    assert_true(min_u64(1, UINT64_MAX) == 1 && max_u64(1, UINT64_MAX) == UINT64_MAX);
    assert_true(min_i64(INT64_MIN, 0) == INT64_MIN && max_i64(INT64_MIN, 0) == 0);
    assert_true(min_u32(1, 2) == 1 && max_u32(1, 2) == 2);
    assert_true(min_size(1, SIZE_MAX) == 1 && max_size(1, SIZE_MAX) == SIZE_MAX);
    assert_true(min_double(0.5, 1) < 0.75 && max_double(0.5, 1) > 0.75);
    assert_int_equal(clamp_int(5, 1, 3), 3);
    assert_int_equal(clamp_int(0, 1, 3), 1);
    assert_int_equal(clamp_int(2, 1, 3), 2);
    assert_true(clamp_i64(-9, -5, 5) == -5 && clamp_i64(9, -5, 5) == 5);
    assert_true(clamp_double(2, 0, 1) <= 1 && clamp_double(-2, 0, 1) >= 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector),       cmocka_unit_test(test_buffer),
        cmocka_unit_test(test_buffer_fails), cmocka_unit_test(test_list),
        cmocka_unit_test(test_minmax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
