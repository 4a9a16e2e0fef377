// The parts of the match runner that need no engine: descriptions of engines, their programs, games
// as JSON, the journal, and the tally.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "match/journal.h"
#include "match/program.h"
#include "match/spec.h"
#include "match/tally.h"

// --- engines ------------------------------------------------------------------------------------

static void spec_with_everything(void **state) {
    (void)state;
    match_engine e = {0};
    fault why;
    assert_true(match_engine_parse(
        &e,
        text_of("cmd='/opt/my engine' --book \"a, b\",name=Mine,dialect=ucci,tc=40/60+0.6,"
                "margin=0.05,dir=/tmp,restart=always,ponder=on,option.Hash Size=64,option.X=1\\,2"),
        &why));
    assert_string_equal(e.command[0], "/opt/my engine");
    assert_string_equal(e.command[1], "--book");
    assert_string_equal(e.command[2], "a, b");
    assert_null(e.command[3]);
    assert_string_equal(e.name, "Mine");
    assert_true(e.dialect_known);
    assert_int_equal(e.dialect, DIALECT_UCCI);
    assert_int_equal(e.control.moves, 40);
    assert_int_equal(e.control.base_us, 60000000);
    assert_int_equal(e.control.margin_us, 50000);
    assert_string_equal(e.directory, "/tmp");
    assert_int_equal(e.restart, RESTART_ALWAYS);
    assert_true(e.ponder);
    assert_int_equal(e.option_count, 2);
    assert_string_equal(e.options[0].name, "Hash Size");
    assert_string_equal(e.options[1].value, "1,2");
    match_engine_free(&e);
}

static void spec_of_a_bare_command(void **state) {
    (void)state;
    match_engine e = {0};
    fault why;
    assert_true(match_engine_parse(&e, text_of("./bin/engine --depth=3"), &why));
    match_engine_complete(&e);
    assert_string_equal(e.name, "engine");
    assert_string_equal(e.command[1], "--depth=3");
    match_engine_free(&e);
}

static void bad_specs(void **state) {
    (void)state;
    static const char *const bad[] = {"cmd=",          "cmd='open",    "dialect=klingon", "tc=soon",
                                      "restart=never", "ponder=maybe", "option.=empty"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        match_engine e = {0};
        fault why = {""};
        assert_false(match_engine_parse(&e, text_of(bad[i]), &why));
        assert_true(why.line[0] != '\0');
        match_engine_free(&e);
    }
}

// A key nobody knows is named; its part is not taken for the end of the one before.
static void unknown_keys(void **state) {
    (void)state;
    static const struct {
        const char *spec, *key;
    } cases[] = {{"cmd=x,nmae=y", "'nmae'"},
                 {"x,tcc=10", "'tcc'"},
                 {"tcc=10", "'tcc'"},
                 {"tc=10,optoin.Hash=64", "'optoin.Hash'"},
                 {"tc=10,Name=x", "'Name'"},
                 {"name=x,depht=3", "'depht'; did you mean depth?"},
                 {"option.Hash=64,max=1", "'max'"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        match_engine e = {0};
        fault why = {""};
        assert_false(match_engine_parse(&e, text_of(cases[i].spec), &why));
        char words[256];
        snprintf(words, sizeof words, "no key %s", cases[i].key);
        assert_memory_equal(why.line, words, strlen(words));
        assert_non_null(strstr(why.line, "(cmd, name, dialect, dir, tc, st, depth, nodes, margin, "
                                         "restart, ponder, initstr, option.NAME)"));
        match_engine_free(&e);
    }
}

// Commas that begin no part: in a command's quotes, in a time control, before a blank, escaped.
static void commas_in_values(void **state) {
    (void)state;
    match_engine e = {0};
    fault why = {""};
    assert_true(match_engine_parse(
        &e, text_of("x \"--set=a,name=b\" c\\,d=e,tc=10+1,margin=1,nodes=5,name=A, B=C"), &why));
    assert_string_equal(e.command[1], "--set=a,name=b");
    assert_string_equal(e.command[2], "c,d=e");
    assert_int_equal(e.control.margin_us, 1000000);
    assert_int_equal(e.control.nodes, 5);
    assert_string_equal(e.name, "A, B=C");
    match_engine_free(&e);
}

static void spec_from_json(void **state) {
    (void)state;
    json_error_t error;
    json_t *json = json_loads("{\"cmd\": \"x\", \"args\": [\"a b\", \"c\"], \"tc\": \"st=0.5\","
                              "\"options\": {\"Hash\": 64, \"Ponder\": false}}",
                              0, &error);
    assert_non_null(json);
    match_engine e = {0};
    fault why;
    assert_true(match_engine_from_json(&e, json, &why));
    assert_string_equal(e.command[1], "a b");
    assert_string_equal(e.command[2], "c");
    assert_int_equal(e.control.move_time_us, 500000);
    assert_int_equal(e.option_count, 2);
    match_engine_free(&e);
    json_decref(json);
}

// --- programs -----------------------------------------------------------------------------------

// Makes FOLDER/NAME, a file with that mode.
static void make_file(const char *folder, const char *name, unsigned mode) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

static void assert_found(const char *name, const char *directory, const char *kraton,
                         const char *folder) {
    char path[PROGRAM_PATH_SIZE], expected[128];
    fault why = {""};
    if (!program_find(name, directory, kraton, path, &why))
        fail_msg("%s", why.line);
    snprintf(expected, sizeof expected, "%s%s%s", folder, *folder ? "/" : "", name);
    assert_string_equal(path, expected);
}

static void programs_are_found(void **state) {
    (void)state;
    char home[] = "/tmp/kraton-home-XXXXXX", other[] = "/tmp/kraton-path-XXXXXX", kraton[64],
         folders[128], path[PROGRAM_PATH_SIZE], words[256];
    assert_true(mkdtemp(home) && mkdtemp(other));
    snprintf(kraton, sizeof kraton, "%s/kraton", home);
    snprintf(folders, sizeof folders, "/nonexistent:%s", other);
    make_file(home, "mine", 0755);
    make_file(other, "mine", 0755);
    make_file(other, "theirs", 0755);
    make_file(home, "notes", 0644);
    make_file(other, "notes", 0755);
    char *before = strdup(getenv("PATH"));
    setenv("PATH", folders, 1);
    assert_found("mine", NULL, kraton, home);    // beside kraton before PATH
    assert_found("theirs", NULL, kraton, other); // in PATH
    assert_found("notes", NULL, kraton, other);  // what cannot be executed is passed over
    assert_found("./theirs", other, kraton, ""); // a path counts from the engine's folder
    fault why = {""};
    assert_false(program_find("./theirs", home, kraton, path, &why));
    assert_string_equal(why.line, "./theirs: No such file or directory");
    assert_false(program_find("/tmp/", NULL, kraton, path, &why));
    assert_string_equal(why.line, "/tmp/: Is a directory");
    snprintf(words, sizeof words, "no program 'nobody' in %s, in PATH or in /usr/games", home);
    assert_false(program_find("nobody", NULL, kraton, path, &why));
    assert_string_equal(why.line, words);
    assert_false(program_find("", NULL, kraton, path, &why));
    unsetenv("PATH");
    assert_false(program_find("theirs", NULL, kraton, path, &why));
    setenv("PATH", before, 1);
    free(before);
    static const char *const files[] = {"mine", "theirs", "notes"};
    for (int i = 0; i < 3; i++) {
        snprintf(words, sizeof words, "%s/%s", home, files[i]);
        unlink(words);
        snprintf(words, sizeof words, "%s/%s", other, files[i]);
        unlink(words);
    }
    assert_true(rmdir(home) == 0 && rmdir(other) == 0);
}

// --- games and journal --------------------------------------------------------------------------

static const rules_game *xiangqi(void) { return rules_find(text_of("xiangqi")); }

static match_game short_game(uint32_t index) {
    match_game g = {.pairing = {.index = index, .first = 0, .second = 1, .opening = index / 2}};
    snprintf(g.started, sizeof g.started, "2026-11-15T09:00:00Z");
    g.verdict = (referee_verdict){RULES_FIRST_WINS, REFEREE_TIME, 1, "Black's \"time\" is up"};
    g.protocol_errors[1] = 3;
    static const char *const moves[] = {"h2e2", "h9g7", "h0g2"};
    rules_set set = rules_default_set(xiangqi());
    rules_state *s = rules_state_new(malloc(rules_state_size(10)), xiangqi(), &set, 10);
    for (int i = 0; i < 3; i++) {
        match_move m = {
            .depth = i, .nodes = i ? 1000 * i : -1, .used = 5 + i, .left = i ? 100 : -1};
        m.score = (referee_score){i > 0, i == 2, i == 2 ? -3 : 25};
        m.written = 10 * i;
        m.first_byte = 10 * i + 1;
        m.read = 10 * i + 2;
        fault why;
        snprintf(m.text, sizeof m.text, "%s", moves[i]);
        assert_true(rules_parse_move(s, text_of(moves[i]), &m.move, &why));
        assert_true(rules_play(s, m.move, &why));
        assert_true(match_game_add(&g, &m));
    }
    free(s);
    return g;
}

static void game_survives_its_line(void **state) {
    (void)state;
    match_game g = short_game(6), back;
    match_game_style style = {xiangqi(), "A \"quoted\" name", "B\\", true, {NULL, NULL}};
    buffer line = {0}, again = {0};
    fault why = {""};
    match_game_write(&g, &style, &line);
    assert_int_equal(line.bytes[line.len - 1], '\n');
    assert_true(match_game_read(&back, xiangqi(), (text){line.bytes, line.len}, &why));
    assert_int_equal(back.pairing.index, 6);
    assert_int_equal(back.count, 3);
    back.pairing = g.pairing;
    match_game_write(&back, &style, &again);
    assert_int_equal(line.len, again.len);
    assert_memory_equal(line.bytes, again.bytes, line.len);
    match_game_free(&g);
    match_game_free(&back);
    buffer_free(&line);
    buffer_free(&again);
}

static void damaged_lines_are_refused(void **state) {
    (void)state;
    match_game g = short_game(0), back;
    match_game_style style = {xiangqi(), "A", "B", true, {NULL, NULL}};
    buffer line = {0};
    fault why;
    match_game_write(&g, &style, &line);
    for (size_t cut = 0; cut < line.len - 1; cut++)
        assert_false(match_game_read(&back, xiangqi(), (text){line.bytes, cut}, &why));
    match_game_free(&g);
    buffer_free(&line);
}

static void journal_forgets_only_torn_lines(void **state) {
    (void)state;
    char path[] = "/tmp/kraton-journal-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    unlink(path);
    fault why = {""};
    journal *j = journal_open(path, text_of("{\"settings\":1}"), false, false, &why);
    assert_non_null(j);
    assert_true(journal_add(j, 4, text_of("{\"game\":5,\"x\":1}\n"), &why));
    assert_true(journal_add(j, 0, text_of("{\"game\":1,\"x\":2}\n"), &why));
    assert_null(journal_open(path, text_of("{\"settings\":1}"), true, false, &why)); // it is in use
    journal_close(j);
    FILE *file = fopen(path, "a");
    fputs("{\"game\":2,\"x", file);
    fclose(file);
    assert_null(journal_open(path, text_of("{\"settings\":2}"), true, false, &why));
    assert_null(journal_open(path, text_of("{\"settings\":1}"), false, false, &why));
    j = journal_open(path, text_of("{\"settings\":1}"), true, false, &why);
    assert_non_null(j);
    assert_int_equal(journal_count(j), 2);
    assert_true(journal_has(j, 0) && journal_has(j, 4) && !journal_has(j, 1));
    assert_true(journal_add(j, 1, text_of("{\"game\":2,\"x\":3}\n"), &why));
    buffer line = {0};
    assert_true(journal_read(j, 4, &line, &why));
    assert_memory_equal(line.bytes, "{\"game\":5,\"x\":1}\n", line.len);
    assert_true(journal_read(j, 1, &line, &why));
    assert_memory_equal(line.bytes, "{\"game\":2,\"x\":3}\n", line.len);
    buffer_free(&line);
    journal_close(j);
    unlink(path);
}

static void tally_counts_pairs(void **state) {
    (void)state;
    match_tally t;
    assert_true(match_tally_init(&t, 2));
    match_game a = short_game(0), b = short_game(1);
    b.pairing.first = 1;
    b.pairing.second = 0;
    b.verdict.outcome = RULES_DRAW;
    match_tally_add(&t, &a); // engine 0 wins with the first side
    match_tally_add(&t, &b); // and draws with the second
    assert_int_equal(t.between[1].wins, 1);
    assert_int_equal(t.between[1].draws, 1);
    assert_int_equal(t.between[1].pairs[3], 1);
    assert_int_equal(t.between[2].pairs[1], 1);
    assert_int_equal(t.accounts[1].lost_by[REFEREE_TIME], 1);
    assert_int_equal(t.accounts[0].moves, 3); // two as the first side, one as the second
    match_game_free(&a);
    match_game_free(&b);
    match_tally_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spec_with_everything),
        cmocka_unit_test(spec_of_a_bare_command),
        cmocka_unit_test(bad_specs),
        cmocka_unit_test(unknown_keys),
        cmocka_unit_test(commas_in_values),
        cmocka_unit_test(spec_from_json),
        cmocka_unit_test(programs_are_found),
        cmocka_unit_test(game_survives_its_line),
        cmocka_unit_test(damaged_lines_are_refused),
        cmocka_unit_test(journal_forgets_only_torn_lines),
        cmocka_unit_test(tally_counts_pairs),
    };
    return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
