// kraton judge: the state of a game by the rules, and the reason. The same for moves on the command
// line and for every game of a file.
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/games.h"
#include "os/file.h"
#include "records/words.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

// The options.
typedef struct {
    const char *rules, *fen, *file, *format;
    int notation; // -1: any
    bool json;
    bool is_explained;
} request;

// A game being judged. All moves are played; the first ending counts.
typedef struct {
    rules_state *state;
    rules_verdict ending; // ongoing: none so far
    uint32_t ended_after; // moves
    bool is_explained;
    json_t *explanation; // its lines, for JSON; NULL: they are printed
} trial;

static void note_ending(trial *t) {
    if (t->ending.outcome != RULES_ONGOING)
        return;
    t->ending = rules_result(t->state);
    t->ended_after = rules_ply(t->state);
}

static trial trial_begin(rules_state *state, const request *q) {
    trial t = {.state = state,
               .is_explained = q->is_explained,
               .explanation = q->is_explained && q->json ? json_array() : NULL};
    note_ending(&t);
    return t;
}

// Lines of the explanation, each with its end.
static void say(const trial *t, text lines) {
    if (!t->explanation)
        printf("%.*s", (int)lines.len, lines.at);
    while (t->explanation && lines.len) {
        text line = text_next_line(&lines);
        json_array_append_new(t->explanation, json_stringn(line.at, line.len));
    }
}

// What the repetition at hand would bring: said at every ply, also where a side varies and a
// position comes back by another way.
static void print_repetition(const trial *t) {
    rules_verdict cycle;
    char word[RULES_MOVE_SIZE];
    writer w = writer_on(word, sizeof word);
    uint32_t ply = rules_ply(t->state);
    if (!rules_cycle(t->state, &cycle))
        return;
    rules_move last = rules_move_at(t->state, ply - 1);
    rules_undo(t->state);
    rules_format_move(t->state, last, NOTATION_NATIVE, &w);
    if (!rules_play(t->state, last, NULL))
        return; // cannot be: it was played before
    char line[sizeof cycle.words + 160];
    w = writer_on(line, sizeof line);
    write_format(&w, "move %u, %s: occurrence %d of the position; the cycle brings: %s, %s\n",
                 (unsigned)ply, word, rules_occurrences(t->state),
                 rules_outcome_name(cycle.outcome), cycle.words);
    say(t, (text){line, w.used});
}

static bool trial_play(trial *t, rules_move move, fault *why) {
    if (!rules_play(t->state, move, why))
        return false;
    note_ending(t);
    if (t->is_explained)
        print_repetition(t);
    return true;
}

// The cycle move by move.
static void explain_cycle(const trial *t) {
    enum { SIZE = 1 << 20 };
    char *lines = malloc(SIZE);
    if (!lines)
        return;
    writer w = writer_on(lines, SIZE);
    if (rules_explain_cycle(t->state, &w))
        say(t, (text){lines, w.used});
    free(lines);
}

static void print_ending(const trial *t) {
    unsigned played = (unsigned)rules_ply(t->state), after = (unsigned)t->ended_after;
    printf("result: %s\n", rules_outcome_name(t->ending.outcome));
    if (t->ending.outcome == RULES_ONGOING)
        printf("reason: %s to move\n",
               rules_side_name(rules_game_of(t->state), rules_side_to_move(t->state)));
    else if (after == played)
        printf("reason: %s\n", t->ending.words);
    else
        printf("reason: %s (after move %u of %u)\n", t->ending.words, after, played);
}

// The first ending; position and cycle are those of the last move.
static void print_verdict(const trial *t) {
    rules_verdict cycle;
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(t->state, &w);
    print_ending(t);
    printf("fen: %s\n", fen);
    if (rules_cycle(t->state, &cycle))
        printf("cycle: %s\ncycle reason: %s\n", rules_outcome_name(cycle.outcome), cycle.words);
    if (t->is_explained)
        explain_cycle(t);
}

// The same as JSON. `g` has the game of a file; NULL for moves of the command line.
static int print_verdict_json(const trial *t, const games *g) {
    const rules_game *game = rules_game_of(t->state);
    bool is_over = t->ending.outcome != RULES_ONGOING;
    const char *mover = rules_side_name(game, rules_side_to_move(t->state));
    rules_verdict cycle;
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(t->state, &w);
    json_t *verdict =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i}", "game", rules_name(game), "result",
                  rules_outcome_name(t->ending.outcome), "reason", is_over ? t->ending.words : "",
                  "to_move", mover, "fen", fen, "plies", (int)rules_ply(t->state));
    json_object_set_new(verdict, "ended_after",
                        is_over ? json_integer(t->ended_after) : json_null());
    json_object_set_new(verdict, "cycle",
                        rules_cycle(t->state, &cycle)
                            ? json_pack("{s:s, s:s}", "result", rules_outcome_name(cycle.outcome),
                                        "reason", cycle.words)
                            : json_null());
    if (t->explanation) {
        explain_cycle(t);
        json_object_set_new(verdict, "explanation", t->explanation);
    }
    if (g) {
        json_object_set_new(verdict, "number", json_integer(g->number));
        json_object_set_new(verdict, "recorded", json_string(rules_outcome_name(g->game.result)));
    }
    if (g && collection_is_many(g->source))
        json_object_set_new(verdict, "file", json_string(g->label));
    return print_json(verdict);
}

// Whether the position has ended the game although moves follow; complains after the prefix. Moves
// after an end by repetition or by a limit are allowed: judging a cycle needs all of them.
static bool is_decided(const trial *t, const char *prefix) {
    rules_move moves[RULES_MAX_MOVES];
    if (rules_piece_count(t->state, 0) && rules_piece_count(t->state, 1) &&
        rules_legal_moves(t->state, moves))
        return false;
    rules_verdict result = rules_result(t->state);
    unsigned played = (unsigned)rules_ply(t->state);
    if (played)
        complain("%smove %u: the game was over after move %u (%s)", prefix, played + 1, played,
                 result.words);
    else
        complain("%smove 1: the game was over before it (%s)", prefix, result.words);
    return true;
}

// Judges a line of moves, all in one notation or, for -1, each in any.
static int judge_moves(rules_state *state, const request *q, text moves) {
    char joined[WORDS_JOINED_SIZE];
    trial t = trial_begin(state, q);
    int status = STATUS_OK, how = q->notation;
    if (how < 0)
        how = words_settle(rules_game_of(state), moves);
    for (text word; status == STATUS_OK && (word = words_next_move(&moves, joined)).len;) {
        rules_move move;
        fault why;
        if (is_decided(&t, ""))
            status = STATUS_BAD;
        else if (!words_parse_move(state, how, word, &move, &why) || !trial_play(&t, move, &why)) {
            json_decref(t.explanation);
            return complain("move %u, %s: %s", (unsigned)rules_ply(state) + 1,
                            fault_quote(word).shown, why.line);
        }
    }
    if (q->json)
        return print_verdict_json(&t, NULL) | status;
    print_verdict(&t);
    return status;
}

// Judges a record, whose moves are legal.
static int judge_record(rules_state *state, const request *q, const games *g) {
    const record *r = &g->game;
    const char *fen = *r->fen ? r->fen : rules_start_fen(r->game);
    fault why;
    int status = STATUS_OK;
    if (!rules_set_fen(state, text_of(fen), &why))
        return complain("%s: game %u: %s", g->label, g->number, why.line);
    char prefix[512];
    writer w = writer_on(prefix, sizeof prefix);
    write_format(&w, "%s: game %u: ", g->label, g->number);
    trial t = trial_begin(state, q);
    for (uint32_t i = 0; i < r->count && status == STATUS_OK; i++) {
        if (is_decided(&t, prefix))
            status = STATUS_BAD;
        else if (!trial_play(&t, r->moves[i], &why)) {
            json_decref(t.explanation);
            return complain("%smove %u: %s", prefix, (unsigned)i + 1, why.line);
        }
    }
    if (q->json)
        return print_verdict_json(&t, g) | status;
    printf("%s", g->good > 1 ? "\n" : "");
    if (collection_is_many(g->source))
        printf("file: %s\n", g->label);
    printf("game: %u\n", g->number);
    print_verdict(&t);
    if (r->result != RULES_ONGOING && r->result != t.ending.outcome)
        printf("recorded: %s\n", rules_outcome_name(r->result));
    return status;
}

// Judges the games of a file or of standard input. Input that was not asked for may be empty.
static int judge_file(rules_state *state, const request *q) {
    games g;
    if (!games_open(&g, q->file ? q->file : "-", q->format, rules_game_of(state)))
        return STATUS_BAD;
    int status = STATUS_OK;
    if (q->fen)
        g.reader.start = text_of(q->fen);
    g.reader.notation = q->notation;
    if (!q->file && g.bytes.len == 0) {
        trial t = trial_begin(state, q);
        if (q->json)
            status = print_verdict_json(&t, NULL);
        else
            print_verdict(&t);
        games_close(&g);
        return status;
    }
    while (games_next(&g))
        status |= judge_record(state, q, &g);
    return games_close(&g) | status;
}

// The arguments as one line; the caller frees it.
static char *join_arguments(int argc, char **argv) {
    size_t size = 1;
    for (int i = 0; i < argc; i++)
        size += strlen(argv[i]) + 1;
    char *line = malloc(size);
    if (!line)
        return NULL;
    writer w = writer_on(line, size);
    for (int i = 0; i < argc; i++)
        write_format(&w, "%s ", argv[i]);
    return line;
}

static int judge_arguments(rules_state *state, const request *q, int argc, char **argv) {
    char *line = join_arguments(argc, argv);
    if (!line)
        return complain("kraton: out of memory");
    int status = judge_moves(state, q, text_of(line));
    free(line);
    return status;
}

// Whether standard input is a pipe or a file: neither a keyboard nor /dev/null.
static bool is_piped(void) {
    os_file in = os_standard_input();
    os_file_status s;
    return os_file_get_status(&in, &s) &&
           (s.kind == OS_KIND_FILE || s.kind == OS_KIND_PIPE || s.kind == OS_KIND_SOCKET);
}

int cmd_judge(const command *self, int argc, char **argv) {
    request q = {.notation = -1};
    const char *notation = NULL;
    const option table[] = {
        {"rules", 0, "RULES", "a rule set: NAME, or NAME,field=value,...", .string = &q.rules},
        {"fen", 0, "FEN", "from this position instead of the start", .string = &q.fen},
        {"notation", 0, "NOTATION", "read moves in this notation only: uci1, wxf, ...",
         .string = &notation},
        {"file", 'f', "FILE", "judge the games of a file; - is standard input", .string = &q.file},
        {"format", 0, "FORMAT", "format of the file: pgn, xqf, dhtmlxq, json, ...",
         .string = &q.format},
        {"json", 0, NULL, "a line of JSON for each game", .flag = &q.json},
        {"explain", 0, NULL, "say at every ply what a repetition would bring, and why, by article",
         .flag = &q.is_explained},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    const rules_game *game = find_game(argv[0]);
    rules_notation only;
    rules_set set;
    if (!game || (notation && !find_notation(game, notation, &only)) ||
        !find_rules(game, q.rules, &set) || !games_know_format(q.format))
        return STATUS_USAGE;
    if (notation)
        q.notation = (int)only;
    rules_state *state = new_game(game, &set, q.fen);
    if (!state)
        return STATUS_BAD;
    if (argc == 2 && strcmp(argv[1], "-") == 0)
        q.file = "-";
    if (q.file || (argc == 1 && is_piped()))
        status = judge_file(state, &q);
    else
        status = judge_arguments(state, &q, argc - 1, argv + 1);
    free(state);
    return status;
}
