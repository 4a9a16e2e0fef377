// kraton analyse: what an engine thinks of a position, line by line as it looks deeper, or of every
// move of a record. Ctrl-C ends the thinking and keeps what there is.
#include "base/suggest.h"
#include "cli/annotate.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/games.h"
#include "cli/screen.h"
#include "cli/sibling.h"
#include "match/mark.h"
#include "os/clock.h"
#include "os/file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSITION_US = 5000000, MOVE_US = 500000, LINE_BYTES = 60, MAX_LINES = 64 };

typedef struct {
    const rules_game *game;
    const char *rules, *out, *format;
    rules_notation notation;
    dialect_limits limits;
    int lines;
    bool json; // JSON instead of tables
    terminal term;
    thinker *thinker;
    rules_state *state; // the position, or the game that is annotated
    bool is_position;
    // Of a record:
    const games *file;
    unsigned game_number;
    int64_t begun_us;
    unsigned marks[3]; // ?!, ?, ??
    int64_t lost[2];   // by side
    uint32_t moved[2];
    buffer text; // of all games so far, to be written
} analysis;

static bool keeps_waiting(void *context) {
    (void)context;
    return !screen_is_interrupted();
}

// --- a position ---------------------------------------------------------------------------------

static void print_line(analysis *a, const thinker_line *line) {
    char score[64], moves[512];
    writer s = writer_on(score, sizeof score), m = writer_on(moves, sizeof moves);
    size_t room = a->term.columns > 100 ? (size_t)a->term.columns - 40 : LINE_BYTES;
    lines_write_score(a->game, rules_side_to_move(a->state), &line->info, &s);
    lines_write_moves(a->state, line->pv, line->pv_count, a->notation, room, &m);
    printf("%5d ", (int)line->info.depth);
    if (a->lines > 1)
        printf("%3d ", line->info.variation > 0 ? (int)line->info.variation : 1);
    printf(" %-14s %11lld %8.2f  %s\n", score, (long long)line->info.nodes,
           (double)line->info.time_ms / 1000.0, moves);
}

static json_t *json_moves(rules_state *state, const rules_move *moves, int count,
                          rules_notation notation) {
    char words[1024];
    writer w = writer_on(words, sizeof words);
    lines_write_moves(state, moves, count, notation, sizeof words - 1, &w);
    return json_stringn(words, w.used);
}

// The moves of a line, each a string.
static json_t *json_line(const analysis *a, const thinker_line *line) {
    char words[1024];
    writer w = writer_on(words, sizeof words);
    lines_write_moves(a->state, line->pv, line->pv_count, a->notation, sizeof words - 1, &w);
    json_t *moves = json_array();
    for (text rest = {words, w.used}, word; (word = text_next_word(&rest)).len;)
        json_array_append_new(moves, json_stringn(word.at, word.len));
    return moves;
}

static void print_line_json(analysis *a, const thinker_line *line) {
    const dialect_info *info = &line->info;
    json_t *object = json_pack("{s:i, s:i, s:{s:i}, s:b, s:I, s:f, s:o}", "depth", (int)info->depth,
                               "variation", info->variation > 0 ? (int)info->variation : 1, "score",
                               info->is_mate ? "mate" : "centipawns", (int)info->score, "exact",
                               !info->is_bound, "nodes", (json_int_t)info->nodes, "seconds",
                               (double)info->time_ms / 1000.0, "line", json_line(a, line));
    (void)print_json(object); // a lack of memory was complained of
}

static void on_line(void *context, const thinker_line *line) {
    analysis *a = context;
    if (!a->is_position || line->pv_count == 0)
        return;
    if (a->json)
        print_line_json(a, line);
    else
        print_line(a, line);
    fflush(stdout);
}

// The last line: the best move, or how the game has ended.
static int print_best_json(const analysis *a, const rules_verdict *v, const char *fen,
                           const char *best) {
    return print_json(json_pack("{s:s, s:s, s:s, s:s, s:s?}", "game", rules_name(a->game), "fen",
                                fen, "result", rules_outcome_name(v->outcome), "reason",
                                v->outcome == RULES_ONGOING ? "" : v->words, "best", best));
}

static int analyse_position(analysis *a) {
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(a->state, &w);
    rules_verdict v = rules_result(a->state);
    if (v.outcome != RULES_ONGOING && a->json)
        return print_best_json(a, &v, fen, NULL);
    if (v.outcome != RULES_ONGOING) {
        printf("%s: %s\n", rules_outcome_name(v.outcome), v.words);
        return STATUS_OK;
    }
    if (!a->json)
        printf("depth %s score              nodes  seconds  line\n", a->lines > 1 ? " no" : "");
    thinker_answer found = thinker_ask(a->thinker, a->state, fen, &a->limits);
    if (found.end == THINKER_GONE)
        return complain("kraton analyse: %s", found.why.line);
    rules_move best = found.end == THINKER_MOVES ? found.move
                      : found.line.pv_count      ? found.line.pv[0]
                                                 : MOVE_NONE;
    char move[RULES_MOVE_SIZE] = "none", chinese[RULES_MOVE_SIZE] = "";
    writer m = writer_on(move, sizeof move), c = writer_on(chinese, sizeof chinese);
    if (best != MOVE_NONE) {
        rules_format_move(a->state, best, a->notation, &m);
        if (a->term.unicode && a->notation != NOTATION_CHINESE)
            rules_format_move(a->state, best, NOTATION_CHINESE, &c);
    }
    if (a->json)
        return print_best_json(a, &v, fen, best == MOVE_NONE ? NULL : move);
    printf("best %s%s%s%s\n", move, *chinese ? " (" : "", chinese, *chinese ? ")" : "");
    return STATUS_OK;
}

// --- a record -----------------------------------------------------------------------------------

static void write_move_number(const rules_state *before, uint32_t ply, writer *out) {
    uint32_t mover = (uint32_t)rules_side_to_move(before);
    uint32_t turn = ply + (mover + ply) % 2; // counts from the first side's move
    write_format(out, "%u%s", (unsigned)turn / 2 + 1, mover ? "..." : ".");
}

static void write_score(const analysis *a, int mover, int32_t score, writer *out) {
    dialect_info info = {.score = score};
    if (abs(score) > MARK_WON) {
        info.is_mate = true;
        info.score = score > 0 ? MARK_MATE - score : -MARK_MATE - score;
    }
    lines_write_score(a->game, mover, &info, out);
}

// "h2e2 h9g7 was better: Red +0.35 instead of even"
static void write_comment(const analysis *a, rules_state *before, const annotation *n,
                          rules_move played, size_t bytes, writer *out) {
    int mover = rules_side_to_move(before);
    if (n->loss == 0) {
        write_score(a, mover, n->played, out);
        if (n->best.pv_count && n->best.pv[0] == played)
            write_string(out, ", best");
        return;
    }
    write_score(a, mover, n->played, out);
    write_format(out, ", loses %d.%02d; better ", (int)n->loss / 100, (int)n->loss % 100);
    lines_write_moves(before, n->best.pv, n->best.pv_count, a->notation, bytes, out);
    write_string(out, ": ");
    write_score(a, mover, n->score, out);
}

static void show_progress(const analysis *a, const annotated *done) {
    if (!stderr_is_terminal())
        return;
    double gone = (double)(clock_us() - a->begun_us) / 1e6, n = done->done;
    double left = gone / n * (double)(done->game->count - done->done);
    fprintf(stderr, "\r%u of %u moves, %.0f s left (Ctrl-C keeps what is done)\033[K",
            (unsigned)done->done, (unsigned)done->game->count, left);
}

static void hide_progress(void) {
    if (stderr_is_terminal())
        fputs("\r\033[K", stderr);
}

static void on_move(void *context, rules_state *before, const annotated *done) {
    analysis *a = context;
    uint32_t i = done->done - 1;
    const annotation *n = &done->moves[i];
    int mover = rules_side_to_move(before);
    char number[16], move[RULES_MOVE_SIZE + 4], comment[512];
    writer w = writer_on(number, sizeof number), m = writer_on(move, sizeof move),
           c = writer_on(comment, sizeof comment);
    write_move_number(before, i, &w);
    rules_format_move(before, done->game->moves[i], a->notation, &m);
    write_string(&m, n->mark);
    write_comment(a, before, n, done->game->moves[i], LINE_BYTES, &c);
    hide_progress();
    if (!a->json)
        printf("%6s %-10s %s\n", number, move, comment);
    fflush(stdout);
    size_t severity = strcmp(n->mark, "?!") == 0 ? 0 : strcmp(n->mark, "?") == 0 ? 1 : 2;
    if (n->mark[0])
        a->marks[severity]++;
    a->lost[mover] += n->loss;
    a->moved[mover]++;
    show_progress(a, done);
}

static void print_summary(const analysis *a, const annotated *done) {
    printf("%u of %u moves", (unsigned)done->done, (unsigned)done->game->count);
    for (int side = 0; side < 2; side++)
        if (a->moved[side])
            printf("; %s loses %.2f a move", rules_side_name(a->game, side),
                   (double)a->lost[side] / 100.0 / a->moved[side]);
    printf("; %u ?!, %u ?, %u ??\n", a->marks[0], a->marks[1], a->marks[2]);
}

// --- what is written ----------------------------------------------------------------------------

static bool add_pgn(analysis *a, const annotated *done, fault *why) {
    enum { COMMENT = 512 };
    record_note *notes = calloc((size_t)done->done + 1, sizeof *notes);
    char *comments = malloc(((size_t)done->done + 1) * COMMENT);
    const record *r = done->game;
    bool good = (notes && comments) || fault_set(why, "out of memory");
    good = good &&
           rules_set_fen(a->state, text_of(r->fen[0] ? r->fen : rules_start_fen(r->game)), why);
    for (uint32_t i = 0; good && i < done->done; i++) {
        writer w = writer_on(comments + (size_t)i * COMMENT, COMMENT);
        write_comment(a, a->state, &done->moves[i], r->moves[i], COMMENT / 2, &w);
        notes[i] = (record_note){done->moves[i].mark, w.buffer};
        good = rules_play(a->state, r->moves[i], why);
    }
    rules_notation notation = a->notation;
    if (notation == NOTATION_NATIVE)
        notation = rules_properties_of(a->game)->pgn_notation; // what other programs read
    good = good && record_write_notes(r, notation, notes, done->done, &a->text, why);
    free(notes);
    free(comments);
    return good;
}

// The game itself, as the format json has it: with tags, comments and variations.
static json_t *json_record(const record *r) {
    buffer line = {0};
    fault why;
    json_t *whole = record_write(r, RECORD_JSON, &line, &why) && !line.failed
                        ? json_loadb(line.bytes, line.len, 0, NULL)
                        : NULL;
    buffer_free(&line);
    return whole;
}

static bool add_json(analysis *a, const annotated *done, fault *why) {
    const record *r = done->game;
    json_t *moves = json_array(), *game = json_object();
    const char *start = r->fen[0] ? r->fen : rules_start_fen(r->game);
    bool good = rules_set_fen(a->state, text_of(start), why);
    for (uint32_t i = 0; good && i < done->done; i++) {
        const annotation *n = &done->moves[i];
        json_t *entry = json_object();
        json_object_set_new(entry, "move", json_moves(a->state, &r->moves[i], 1, a->notation));
        json_object_set_new(entry, "score", json_integer(n->played));
        json_object_set_new(entry, "best_score", json_integer(n->score));
        json_object_set_new(entry, "loss", json_integer(n->loss));
        json_object_set_new(entry, "mark", json_string(n->mark));
        json_object_set_new(entry, "depth", json_integer(n->best.info.depth));
        json_object_set_new(entry, "best",
                            json_moves(a->state, n->best.pv, n->best.pv_count, a->notation));
        json_array_append_new(moves, entry);
        good = rules_play(a->state, r->moves[i], why);
    }
    json_object_set_new(game, "game", json_string(rules_name(r->game)));
    json_object_set_new(game, "first", json_string(r->first));
    json_object_set_new(game, "second", json_string(r->second));
    json_object_set_new(game, "fen", json_string(start));
    json_object_set_new(game, "moves", json_integer(r->count));
    json_object_set_new(game, "analysis", moves);
    json_object_set_new(game, "record", json_record(r));
    char *line = json_dumps(game, JSON_COMPACT);
    json_decref(game);
    if (!line)
        return fault_set(why, "out of memory");
    buffer_add(&a->text, text_of(line));
    buffer_add(&a->text, text_of("\n"));
    free(line);
    return good;
}

static bool is_json(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && strcmp(dot, ".json") == 0;
}

static bool keep(analysis *a, const annotated *done, fault *why) {
    size_t before = a->text.len;
    if (a->json) {
        bool good = add_json(a, done, why);
        fwrite(a->text.bytes + before, 1, a->text.len - before, stdout);
        a->text.len = before;
        if (!good)
            return false;
    }
    return !a->out || (is_json(a->out) ? add_json(a, done, why) : add_pgn(a, done, why));
}

static void print_heading(const analysis *a) {
    const record *r = &a->file->game;
    if (a->game_number > 1)
        putchar('\n');
    printf("game %u: %s - %s, %u moves\n", a->game_number, r->first[0] ? r->first : "?",
           r->second[0] ? r->second : "?", (unsigned)r->count);
}

// One game of the file; false when no other is to follow.
static bool analyse_game(analysis *a, int *status) {
    annotated done;
    fault why;
    annotate_listener listener = {on_move, a};
    a->game_number++;
    a->begun_us = clock_us();
    memset(a->marks, 0, sizeof a->marks);
    memset(a->lost, 0, sizeof a->lost);
    memset(a->moved, 0, sizeof a->moved);
    if (!a->json)
        print_heading(a);
    annotate_end end =
        annotate_game(a->thinker, &a->file->game, a->state, &a->limits, &listener, &done, &why);
    hide_progress();
    if (!a->json)
        print_summary(a, &done);
    if (end == ANNOTATE_FAILED)
        *status = complain("kraton analyse: %s", why.line);
    if (end == ANNOTATE_LEFT_OFF)
        *status = STATUS_BAD;
    if (done.moves && !keep(a, &done, &why))
        *status = complain("kraton analyse: %s", why.line);
    annotated_free(&done);
    return end == ANNOTATE_DONE;
}

static int analyse_file(analysis *a, const char *path) {
    games *g = calloc(1, sizeof *g);
    if (!g)
        return complain("kraton: out of memory");
    if (!games_open(g, path, a->format, a->game)) {
        free(g);
        return STATUS_BAD;
    }
    int status = STATUS_OK;
    a->file = g;
    while (games_next(g) && analyse_game(a, &status))
        continue;
    int read = games_close(g);
    free(g);
    fault why;
    if (a->out && a->text.len && !file_write(a->out, (text){a->text.bytes, a->text.len}, &why))
        status = complain("kraton analyse: %s", why.line);
    buffer_free(&a->text);
    return status == STATUS_OK ? read : status;
}

// --- the command --------------------------------------------------------------------------------

static bool start_engine(analysis *a, const char *program, const char *threads, const char *hash) {
    match_engine e = {0};
    char guard[SIBLING_PATH_SIZE], rules[256], lines[16];
    writer r = writer_on(rules, sizeof rules), l = writer_on(lines, sizeof lines);
    thinker_listener listener = {on_line, keeps_waiting, a};
    fault why;
    rules_set_format(a->game, rules_set_of(a->state), &r);
    write_format(&l, "%d", a->lines);
    bool good =
        sibling_engine(&e, a->game, program, &why) &&
        match_engine_set(&e, text_of("option.MultiPV"), text_of(lines), &why) &&
        (program || match_engine_set(&e, text_of("option.Rules"), text_of(rules), &why)) &&
        (!threads || match_engine_set(&e, text_of("option.Threads"), text_of(threads), &why)) &&
        (!hash || match_engine_set(&e, text_of("option.Hash"), text_of(hash), &why)) &&
        sibling_self(guard, &why);
    match_engine_complete(&e);
    if (good)
        a->thinker = thinker_open(&e, a->game, guard, &listener, &why);
    match_engine_free(&e);
    if (!good || !a->thinker) {
        complain("kraton analyse: %s", why.line);
        return false;
    }
    if (a->lines > 1)
        thinker_want_variations(a->thinker);
    return true;
}

// The limits for each position that is looked at.
static bool read_limits(analysis *a, const char *depth, const char *seconds, const char *nodes) {
    char spec[128];
    writer w = writer_on(spec, sizeof spec);
    referee_control control;
    fault why;
    const char *const values[] = {depth, seconds, nodes}, *const keys[] = {"depth", "st", "nodes"};
    for (int i = 0; i < 3; i++)
        if (values[i] && strpbrk(values[i], ",=")) {
            complain("kraton analyse: %s is no number", fault_quote(text_of(values[i])).shown);
            return false;
        } else if (values[i])
            write_format(&w, "%s%s=%s", w.used ? "," : "", keys[i], values[i]);
    a->limits = (dialect_limits){.clock_us = {-1, -1}};
    if (w.used == 0)
        return true;
    if (!referee_control_parse(text_of(spec), &control, &why)) {
        complain("kraton analyse: %s", why.line);
        return false;
    }
    a->limits.depth = control.depth;
    a->limits.nodes = control.nodes;
    a->limits.move_time_us = control.move_time_us;
    return true;
}

// Whether the argument is a position, which then is the state; else it is a file.
static bool read_what(analysis *a, const char *what) {
    fault why;
    if (strcmp(what, "start") == 0)
        a->is_position = true;
    else if (strcmp(what, "-") != 0 && !os_path_exists(what)) {
        if (!rules_set_fen(a->state, text_of(what), &why)) {
            suggestion near = suggest_for(text_of(what));
            suggest_offer(&near, "start");
            complain("kraton analyse: neither a file nor a FEN: %s%s", why.line,
                     suggest_hint(&near).shown);
            return false;
        }
        a->is_position = true;
    }
    return true;
}

int cmd_analyse(const command *self, int argc, char **argv) {
    analysis a = {.lines = 1};
    const char *depth = NULL, *seconds = NULL, *nodes = NULL, *lines = NULL, *program = NULL,
               *threads = NULL, *hash = NULL, *notation = "native";
    const option table[] = {
        {"depth", 0, "N", "search so many plies", .string = &depth},
        {"time", 0, "SECONDS", "think so long; 5 for a position, 0.5 for each move of a record",
         .string = &seconds},
        {"nodes", 0, "N", "search so many nodes", .string = &nodes},
        {"lines", 0, "N", "show the N best moves (1)", .string = &lines},
        {"out", 'o', "FILE", "write the annotated games as PGN, or for .json what --json prints",
         .string = &a.out},
        {"notation", 0, "NOTATION", "notation of the moves", .string = &notation},
        {"rules", 0, "RULES", "a rule set", .string = &a.rules},
        {"format", 0, "FORMAT", "format of the record (default: find out)", .string = &a.format},
        {"json", 0, NULL, "lines of JSON: for each depth, or for each game of a record",
         .flag = &a.json},
        {"threads", 0, "N", "threads of the engine (1)", .string = &threads},
        {"hash", 0, "MB", "memory of the engine (16)", .string = &hash},
        {"engine", 0, "CMD", "another engine than Kraton's own", .string = &program},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    rules_set set;
    a.game = find_game(argv[0]);
    if (!a.game || !find_notation(a.game, notation, &a.notation) ||
        !find_rules(a.game, a.rules, &set) || !games_know_format(a.format) ||
        !option_int(self, "lines", lines, 1, MAX_LINES, &a.lines) ||
        !read_limits(&a, depth, seconds, nodes))
        return STATUS_USAGE;
    a.term = terminal_look();
    a.state = new_game(a.game, &set, NULL);
    if (!a.state)
        return STATUS_BAD;
    status = STATUS_BAD;
    screen_catch_interrupt();
    if (read_what(&a, argv[1]) && start_engine(&a, program, threads, hash)) {
        if (!depth && !seconds && !nodes)
            a.limits.move_time_us = a.is_position ? POSITION_US : MOVE_US;
        status = a.is_position ? analyse_position(&a) : analyse_file(&a, argv[1]);
        thinker_close(a.thinker);
    }
    free(a.state);
    return status;
}
