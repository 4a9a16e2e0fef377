// What base offers to hold things: vectors, buffers, lists; the smaller of two numbers; and what
// comes out of packed streams.
#include "base/buffer.h"
#include "base/inflate.h"
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

// What zlib made of texts: fixed codes, codes of its own, nothing packed.
static const uint8_t fixed_codes[] = {0x78, 0x01, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8,
                                      0x40, 0x90, 0x5c, 0x00, 0x40, 0xb5, 0x06, 0x87};
static const uint8_t own_codes[] = {
    0x78, 0xda, 0x1d, 0x90, 0xc1, 0x09, 0x44, 0x41, 0x08, 0x43, 0x5b, 0x99, 0xd6, 0x04, 0x03, 0x0a,
    0x32, 0x82, 0xe6, 0xf7, 0xbf, 0x99, 0x3d, 0xaa, 0x31, 0xbe, 0x48, 0x6c, 0x16, 0xb9, 0x8c, 0xc3,
    0xef, 0x4e, 0x15, 0xd1, 0x88, 0xdc, 0x05, 0x4e, 0xf0, 0x03, 0x2e, 0x10, 0xd8, 0xfb, 0xd1, 0xb8,
    0x5d, 0x4b, 0x07, 0x43, 0x22, 0x18, 0x0b, 0x45, 0xbb, 0x86, 0x34, 0x8f, 0x0f, 0x1f, 0x61, 0x9d,
    0x76, 0xa0, 0x7d, 0x14, 0xe4, 0x98, 0x5a, 0x49, 0xc8, 0xc7, 0xaa, 0xd3, 0xc7, 0xb4, 0xa4, 0x76,
    0x18, 0x25, 0x25, 0x9f, 0x02, 0x6a, 0x1e, 0x78, 0xd3, 0x1a, 0x5e, 0x6d, 0x4d, 0x76, 0xe3, 0xf4,
    0x39, 0x75, 0x90, 0x30, 0x6c, 0x9d, 0x9d, 0x68, 0x31, 0x75, 0xb4, 0x3f, 0xcc, 0xc6, 0x9e, 0xf0,
    0x6b, 0x33, 0x76, 0xe5, 0x61, 0x7c, 0x33, 0x33, 0x8e, 0x59, 0x4b, 0xaf, 0x5a, 0x84, 0x7e, 0x9d,
    0x59, 0xb0, 0x7d, 0x54, 0x17, 0x56, 0xe6, 0xe6, 0x57, 0x0e, 0x99, 0x59, 0xb7, 0x83, 0x73, 0x5f,
    0x80, 0xcd, 0x55, 0xc0, 0x8c, 0x9e, 0xe9, 0x38, 0x7f, 0xa0, 0x7e, 0xf8, 0x2f, 0xb2, 0x0d, 0x4d,
    0x1a, 0xc1, 0x08, 0x77, 0xf4, 0xa1, 0xf3, 0xf5, 0x0b, 0xe7, 0xe1, 0xa5, 0x48, 0x3d, 0x16, 0x72,
    0x68, 0x7c, 0xae, 0x58, 0x23, 0xc9, 0xc1, 0x67, 0x7a, 0xc8, 0x6a, 0x87, 0xe1, 0xa3, 0x62, 0xa1,
    0x39, 0x65, 0x14, 0x98, 0xeb, 0xb8, 0xe4, 0x44, 0x66, 0x63, 0x26, 0x23, 0xf4, 0xdd, 0x77, 0xd0,
    0x43, 0x98, 0xba, 0xa3, 0x43, 0xde, 0x8f, 0xe5, 0x07, 0x3d, 0x68, 0xa1, 0xd9};

// The text of own_codes.
static void make_text(char *to, int n) {
    static const char letters[] = "eeeeettttaaooinshrdlu ";
    uint32_t x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1103515245 + 12345;
        to[i] = letters[(x >> 16) % 22];
    }
}

static void test_inflate(void **state) {
    (void)state;
    buffer out = {0};
    char wanted[400];
    make_text(wanted, 400);
    text packed = {(const char *)fixed_codes, sizeof fixed_codes};
    assert_true(inflate_zlib(packed, 100, &out));
    assert_true(text_is(buffer_text(&out), "hello hello hello\n"));
    packed = (text){(const char *)own_codes, sizeof own_codes};
    buffer_clear(&out);
    assert_true(inflate_zlib(packed, 400, &out));
    assert_int_equal(out.len, 400);
    assert_memory_equal(out.bytes, wanted, 400);
    buffer_clear(&out);
    assert_false(inflate_zlib(packed, 399, &out)); // more than was allowed
    assert_true(out.len <= 399);
    for (size_t cut = 0; cut < sizeof own_codes; cut++) {
        buffer_clear(&out);
        assert_false(inflate_zlib((text){packed.at, cut}, 1000, &out));
    }
    for (size_t i = 0; i < 8 * sizeof own_codes;
         i++) { // one bit wrong: the sum or the codes show it
        uint8_t damaged[sizeof own_codes];
        memcpy(damaged, own_codes, sizeof damaged);
        damaged[i / 8] ^= (uint8_t)(1u << i % 8);
        buffer_clear(&out);
        bool good = inflate_zlib((text){(const char *)damaged, sizeof damaged}, 100000, &out);
        assert_true(!good || (out.len == 400 && memcmp(out.bytes, wanted, 400) == 0));
    }
    buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector),       cmocka_unit_test(test_buffer),
        cmocka_unit_test(test_buffer_fails), cmocka_unit_test(test_list),
        cmocka_unit_test(test_minmax),       cmocka_unit_test(test_inflate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
