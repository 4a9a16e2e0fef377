// What the components above expect of the system: threads, files, memory, events, processes.
#include "os/clock.h"
#include "os/file.h"
#include "os/map.h"
#include "os/process.h"
#include "os/thread.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/kraton-os-XXXXXX";

// A path in the test's folder; valid until the fourth call after.
static const char *path_of(const char *name) {
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

// --- threads ------------------------------------------------------------------------------------

typedef struct {
    os_mutex lock;
    os_condition changed;
    int count, wanted;
} shared;

static void add_one(void *context) {
    shared *s = context;
    os_mutex_lock(&s->lock);
    s->count++;
    os_condition_broadcast(&s->changed);
    while (s->count < s->wanted)
        os_condition_wait(&s->changed, &s->lock);
    os_mutex_unlock(&s->lock);
}

static void test_threads(void **state) {
    (void)state;
    shared s = {.wanted = 4};
    os_thread threads[4];
    os_mutex_init(&s.lock);
    os_condition_init(&s.changed);
    for (int i = 0; i < 4; i++)
        assert_true(os_thread_start(&threads[i], add_one, &s));
    for (int i = 0; i < 4; i++)
        os_thread_join(&threads[i]);
    assert_int_equal(s.count, 4);
    os_mutex_lock(&s.lock);
    int64_t before = clock_us();
    while (os_condition_wait_us(&s.changed, &s.lock, 3000))
        continue; // woken without a reason
    assert_true(clock_us() - before >= 3000);
    os_mutex_unlock(&s.lock);
    os_condition_destroy(&s.changed);
    os_mutex_destroy(&s.lock);
}

static _Atomic int runs;

static void count_run(void) { runs++; }

static void run_once(void *once) { os_once_run(once, count_run); }

static void test_once(void **state) {
    (void)state;
    static os_once once = OS_ONCE_INIT;
    os_thread threads[3];
    for (int i = 0; i < 3; i++)
        assert_true(os_thread_start(&threads[i], run_once, &once));
    for (int i = 0; i < 3; i++)
        os_thread_join(&threads[i]);
    assert_int_equal(runs, 1);
}

static void test_clock(void **state) {
    (void)state;
    int64_t begin = clock_us(), cpu = clock_cpu_us();
    os_sleep_us(2000);
    assert_true(clock_us() - begin >= 2000);
    assert_true(clock_cpu_us() >= cpu);
}

// --- events -------------------------------------------------------------------------------------

static void set_event(void *event) { os_event_set(event); }

static void test_event(void **state) {
    (void)state;
    os_event event;
    os_thread thread;
    assert_true(os_event_open(&event));
    assert_false(os_event_wait(&event, 0));
    assert_false(os_event_wait(&event, 1500));
    assert_true(os_thread_start(&thread, set_event, &event));
    assert_true(os_event_wait(&event, -1));
    assert_true(os_event_wait(&event, 0)); // still set
    os_thread_join(&thread);
    os_event_clear(&event);
    assert_false(os_event_wait(&event, 0));
    os_event_clear(&event); // allowed
    os_event_close(&event);
}

static void test_event_and_input(void **state) {
    (void)state;
    int ends[2];
    os_event event;
    assert_int_equal(pipe(ends), 0);
    os_file input = {ends[0]}, output = {ends[1]};
    assert_true(os_event_open(&event));
    assert_false(os_event_wait_input(&event, &input, 0));
    assert_false(os_event_wait_input(NULL, &input, 0));
    os_event_set(&event);
    assert_false(os_event_wait_input(&event, &input, -1));
    assert_true(os_file_write(&output, "x", 1));
    assert_true(os_event_wait_input(&event, &input, -1));
    assert_true(os_event_wait_input(NULL, &input, -1));
    char c;
    size_t got;
    assert_true(os_file_read(&input, &c, 1, &got));
    assert_int_equal(got, 1);
    os_file_close(&output);
    assert_true(os_event_wait_input(NULL, &input, -1)); // the end counts as input
    assert_true(os_file_read(&input, &c, 1, &got));
    assert_int_equal(got, 0);
    os_file_close(&input);
    os_event_close(&event);
}

// --- files --------------------------------------------------------------------------------------

static void check_content(const char *path, const char *wanted) {
    char *bytes;
    size_t size;
    assert_true(os_path_read_all(path, 1 << 20, &bytes, &size));
    assert_int_equal(size, strlen(wanted));
    assert_memory_equal(bytes, wanted, size);
    free(bytes);
}

static void test_file(void **state) {
    (void)state;
    const char *path = path_of("plain");
    os_file f, other;
    assert_false(os_file_open(&f, path, OS_FILE_READ));
    assert_int_equal(errno, ENOENT);
    assert_false(os_file_open(&f, path, OS_FILE_APPEND));
    assert_true(os_file_open(&f, path, OS_FILE_CREATE));
    assert_false(os_file_open(&other, path, OS_FILE_CREATE));
    assert_int_equal(errno, EEXIST);
    assert_true(os_file_write(&f, "hello world", 11));
    char bytes[16];
    size_t got;
    assert_true(os_file_read_at(&f, 6, bytes, sizeof bytes, &got));
    assert_int_equal(got, 5);
    assert_memory_equal(bytes, "world", 5);
    assert_true(os_file_truncate(&f, 5));
    assert_true(os_file_write(&f, "!", 1));
    assert_true(os_file_sync(&f));
    assert_true(os_file_close(&f));
    assert_true(os_file_close(&f)); // allowed
    check_content(path, "hello!");
    assert_true(os_file_open(&f, path, OS_FILE_REPLACE));
    assert_true(os_file_write(&f, "....text", 8));
    assert_true(os_file_write_at(&f, 0, "head", 4));
    assert_false(os_file_is_terminal(&f));
    assert_true(os_file_close(&f));
    check_content(path, "headtext");
    os_file_status status;
    assert_true(os_path_get_status(path, &status));
    assert_int_equal(status.kind, OS_KIND_FILE);
    assert_int_equal(status.size, 8);
    assert_true(os_path_rename(path, path_of("moved")));
    assert_false(os_path_exists(path));
    assert_true(os_path_exists(path_of("moved")));
    assert_false(os_path_is_program(path_of("moved")));
    assert_true(os_path_is_program("/bin/sh"));
    assert_false(os_path_is_program("/tmp"));
    assert_int_equal(errno, EISDIR);
    assert_true(os_path_remove(path_of("moved")));
}

static void test_lock(void **state) {
    (void)state;
    os_file first, second;
    assert_true(os_file_open(&first, path_of("lock"), OS_FILE_LOCK));
    assert_true(os_file_open(&second, path_of("lock"), OS_FILE_LOCK));
    assert_true(os_file_lock(&first));
    assert_false(os_file_lock(&second));
    assert_int_equal(errno, EWOULDBLOCK);
    os_file_close(&first);
    assert_true(os_file_lock(&second));
    os_file_close(&second);
    assert_true(os_folder_lock(&first, folder));
    assert_false(os_folder_lock(&second, folder));
    assert_int_equal(errno, EWOULDBLOCK);
    os_file_close(&first);
    os_file_close(&second);
    assert_false(os_folder_lock(&first, path_of("absent")));
    assert_int_equal(first.handle, -1);
    assert_true(os_path_remove(path_of("lock")));
}

static void test_whole_files(void **state) {
    (void)state;
    const char *path = path_of("whole");
    char *bytes;
    size_t size;
    assert_false(os_path_read_all(path, 10, &bytes, &size));
    assert_int_equal(errno, ENOENT);
    assert_true(os_path_write_all(path, "first", 5));
    assert_true(os_path_write_all(path, "second", 6));
    check_content(path, "second");
    assert_false(os_path_read_all(path, 5, &bytes, &size));
    assert_int_equal(errno, EFBIG);
    assert_true(os_path_read_all(path, 6, &bytes, &size));
    free(bytes);
    assert_true(os_path_write_all(path, "", 0));
    check_content(path, "");
    assert_true(os_path_write_all("/dev/null", "text", 4));
    assert_true(os_path_exists("/dev/null"));
    assert_false(os_path_write_all(path_of("absent/file"), "text", 4));
    assert_int_equal(errno, ENOENT);
    enum { LARGE = 300000 };
    char *large = malloc(LARGE);
    memset(large, 'x', LARGE);
    assert_true(os_path_write_all(path, large, LARGE));
    assert_true(os_path_read_all(path, LARGE, &bytes, &size));
    assert_int_equal(size, LARGE);
    assert_memory_equal(bytes, large, LARGE);
    free(bytes);
    free(large);
    assert_true(os_path_remove(path));
}

typedef struct {
    int seen, most;
} listing;

static bool on_name(void *context, const char *name) {
    listing *l = context;
    assert_true(strcmp(name, "a") == 0 || strcmp(name, "b") == 0);
    return ++l->seen < l->most;
}

static void test_folder(void **state) {
    (void)state;
    char inner[128];
    snprintf(inner, sizeof inner, "%s", path_of("inner"));
    assert_true(os_folder_make(inner));
    assert_true(os_folder_make(inner));
    assert_true(os_path_write_all(path_of("inner/a"), "", 0));
    assert_true(os_path_write_all(path_of("inner/b"), "", 0));
    listing all = {0, 10}, one = {0, 1};
    assert_true(os_folder_list(inner, on_name, &all));
    assert_int_equal(all.seen, 2);
    assert_true(os_folder_list(inner, on_name, &one));
    assert_int_equal(one.seen, 1);
    assert_false(os_folder_list(path_of("absent"), on_name, &one));
    assert_int_equal(errno, ENOENT);
    assert_true(os_folder_sync(inner));
    assert_false(os_folder_sync(path_of("absent")));
    uint64_t bytes;
    assert_true(os_disk_free(inner, &bytes));
    assert_false(os_disk_free(path_of("absent"), &bytes));
    os_file_status status;
    assert_true(os_path_get_status(inner, &status));
    assert_int_equal(status.kind, OS_KIND_FOLDER);
    assert_true(os_path_remove(path_of("inner/a")));
    assert_true(os_path_remove(path_of("inner/b")));
    assert_int_equal(rmdir(inner), 0);
}

// --- memory -------------------------------------------------------------------------------------

static void test_map(void **state) {
    (void)state;
    os_map map;
    assert_false(os_map_open(&map, path_of("absent")));
    assert_int_equal(errno, ENOENT);
    assert_false(os_map_open(&map, folder));
    assert_int_equal(errno, EISDIR);
    assert_false(os_map_open(&map, "/dev/null"));
    assert_true(os_path_write_all(path_of("map"), "mapped", 6));
    assert_true(os_map_open(&map, path_of("map")));
    assert_int_equal(map.size, 6);
    for (os_map_advice advice = OS_MAP_NORMAL; advice <= OS_MAP_SOON; advice++)
        os_map_advise(&map, advice);
    assert_memory_equal(map.bytes, "mapped", 6);
    os_map_close(&map);
    os_map_close(&map);
    assert_true(os_path_write_all(path_of("map"), "", 0));
    assert_true(os_map_open(&map, path_of("map")));
    assert_null(map.bytes);
    os_map_close(&map);
    assert_true(os_path_remove(path_of("map")));
}

static void test_memory(void **state) {
    (void)state;
    const size_t sizes[] = {1, 4096, OS_LARGE_PAGE - 1, OS_LARGE_PAGE, 3 * OS_LARGE_PAGE + 5};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *memory = os_memory_new(sizes[i]);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % (sizes[i] < OS_LARGE_PAGE ? 4096 : OS_LARGE_PAGE), 0);
        for (size_t at = 0; at < sizes[i]; at += 4096)
            assert_int_equal(memory[at], 0);
        memset(memory, 1, sizes[i]);
        os_memory_free(memory, sizes[i]);
    }
    os_memory_free(NULL, 0);
    assert_null(os_memory_new(SIZE_MAX / 2));
    char *aligned = os_aligned_new(64, 100);
    assert_int_equal((uintptr_t)aligned % 64, 0);
    os_aligned_free(aligned);
}

// --- processes ----------------------------------------------------------------------------------

static void test_process(void **state) {
    (void)state;
    char path[4096];
    assert_true(os_self_path(path, sizeof path));
    assert_non_null(strstr(path, "test_os"));
    assert_false(os_self_path(path, 3));
    assert_int_equal(errno, ENAMETOOLONG);
    char *quiet[] = {"sh", "-c", "exit 3", NULL}, *killed[] = {"sh", "-c", "kill -9 $$", NULL};
    int status;
    assert_true(os_process_run("/bin/sh", quiet, &status));
    assert_int_equal(status, 3);
    assert_true(os_process_run("/bin/sh", killed, &status));
    assert_int_equal(status, 128 + 9);
    assert_false(os_process_run(path_of("absent"), quiet, &status));
    assert_int_equal(errno, ENOENT);
    assert_false(os_process_become(path_of("absent"), quiet));
    assert_false(os_process_start(path_of("absent"), quiet));
    assert_true(os_process_nice(0));
    os_processors before = os_processors_use_one();
    os_processors one = os_processors_use_one();
    os_processors_use(&before);
    int bits = 0;
    for (int i = 0; i < 16; i++) {
        bits += __builtin_popcountll(one.bits[i]);
        assert_true((one.bits[i] & ~before.bits[i]) == 0);
    }
    assert_int_equal(bits, 1);
    assert_true(os_processor_count() >= 1);
    assert_true(os_memory_available() > 0);
    assert_true(os_memory_total() >= os_memory_available());
}

static void test_child(void **state) {
    (void)state;
    os_child child;
    char *arguments[] = {"cat", NULL}, bytes[16];
    size_t got;
    assert_true(os_child_start(&child, "cat", arguments));
    assert_false(os_child_read(&child, bytes, sizeof bytes, 1000, &got));
    assert_true(os_child_write(&child, "hello", 5));
    assert_true(os_child_read(&child, bytes, sizeof bytes, -1, &got));
    assert_int_equal(got, 5);
    assert_memory_equal(bytes, "hello", 5);
    assert_true(os_child_cpu_us(&child) >= 0);
    os_child_end(&child);
    char *silent[] = {"true", NULL};
    assert_true(os_child_start(&child, "true", silent));
    assert_true(os_child_read(&child, bytes, sizeof bytes, -1, &got));
    assert_int_equal(got, 0);
    os_child_end(&child);
    assert_false(os_child_start(&child, "kraton-absent", silent));
    assert_int_equal(errno, ENOENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_event),
        cmocka_unit_test(test_event_and_input),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_whole_files),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_process),
        cmocka_unit_test(test_child),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
