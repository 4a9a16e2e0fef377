// kraton-GAME.wasm: the engine for browsers. The page's worker (web/engine/worker.js) puts a line
// into wasm_input and calls wasm_hear; answers are lines on standard output, written before it
// returns. There is one thread, so a search ends by its limits; who cannot wait ends the worker.
//
//   judge RULES;FEN;MOVES   how the game stands: judged OUTCOME;WORDS
//   tables                  makes the endgame tables, for the engine and for probe: tables PIECES
//   probe RULES;FEN         probed PIECES;CONVENTION;VALUE;DISTANCE, then for every move, best
//                           first, ;MOVE CAPTURES VALUE DISTANCE; a distance of -1 is not known
//   bench DEPTH NETWORK     as kraton-GAME bench; NETWORK is default or none
//   perft DEPTH;FEN         perft NODES
//
// Other lines are for the engine, in its protocols. An empty field stands for the default. What
// cannot be done is answered by refused WORDS.
#include "engine/engine.h"
#include "games/network.h"
#include "os/file.h"
#include "search/search.h"
#include "wasm/tables.h"

#include <stdlib.h>

#define EXPORTED(name) __attribute__((export_name(#name))) name

enum { INPUT_SIZE = 1 << 16, OUTPUT_SIZE = 1 << 14, MOST_PLIES = 4096 };

static engine *speaker; // made when first asked
static const rules_game *game;

char *EXPORTED(wasm_input)(void);
int EXPORTED(wasm_input_size)(void);
void EXPORTED(wasm_hear)(int length);

static char input[INPUT_SIZE];

char *wasm_input(void) { return input; }

int wasm_input_size(void) { return INPUT_SIZE; }

static void send(writer *out) {
    os_file output = os_standard_output();
    write_string(out, "\n");
    (void)!os_file_write(&output, out->buffer, out->used);
}

static void refuse(const fault *why) {
    char line[sizeof why->line + 16];
    writer out = writer_on(line, sizeof line);
    write_format(&out, "refused %s", why->line);
    send(&out);
}

// Takes the text up to the next semicolon.
static text next_field(text *rest) {
    text field = *rest;
    field.len = text_find(field, ";");
    *rest = text_skip(*rest, field.len + 1);
    return field;
}

// --- positions ----------------------------------------------------------------------------------

static bool read_position(rules_state *s, text fen, text moves, fault *why) {
    if (fen.len && !rules_set_fen(s, fen, why))
        return false;
    for (text word; (word = text_next_word(&moves)).len;) {
        rules_move move;
        if (!rules_parse_move(s, word, &move, why) || !rules_play(s, move, why))
            return false;
    }
    return true;
}

// The position of `RULES;FEN;MOVES`, to be freed; NULL, with the reason, where it is none.
static rules_state *position_of(text fields, fault *why) {
    rules_set set = rules_default_set(game);
    text rules = next_field(&fields), fen = next_field(&fields);
    void *memory = malloc(rules_state_size(MOST_PLIES));
    fault_set(why, "out of memory");
    if (memory && (!rules.len || rules_set_parse(game, rules, &set, why))) {
        rules_state *s = rules_state_new(memory, game, &set, MOST_PLIES);
        if (read_position(s, fen, fields, why))
            return s;
    }
    free(memory);
    return NULL;
}

static bool judge(text fields, writer *out, fault *why) {
    rules_state *s = position_of(fields, why);
    if (!s)
        return false;
    rules_verdict v = rules_result(s);
    write_format(out, "judged %s;%s", rules_outcome_name(v.outcome), v.words);
    free(s);
    return true;
}

static bool probe(text fields, writer *out, fault *why) {
    rules_state *s = position_of(fields, why);
    if (!s)
        return false;
    bool known = wasm_tables_write(s, out, why);
    free(s);
    return known;
}

// --- engine -------------------------------------------------------------------------------------

static engine *find_speaker(fault *why) {
    enum { GAME_SECONDS = 15 * 60 };
    engine_terms terms = {.game = game,
                          .name = "Kraton " ENGINE_VERSION,
                          .game_time_us = (int64_t)GAME_SECONDS * 1000000};
    if (!speaker)
        speaker = engine_new(&terms, why);
    return speaker;
}

static bool make_tables(text rest, writer *out, fault *why) {
    (void)rest;
    engine *e = find_speaker(why);
    if (!e || !wasm_tables_make(game, why) ||
        !engine_set(e, text_of("TablePath"), text_of(WASM_TABLES_FOLDER), why))
        return false;
    write_format(out, "tables %d", WASM_TABLES_PIECES);
    return true;
}

static bool bench(text words, writer *out, fault *why) {
    int64_t depth;
    network *n;
    if (!text_to_int(text_next_word(&words), 1, SEARCH_MAX_PLY - 1, &depth))
        return fault_set(why, "which depth?");
    const char *name = text_is(text_next_word(&words), "none") ? "none" : "default";
    if (!network_choose(name, ENGINE_GAME, &n, why))
        return false;
    search_signature signature = search_bench((int)depth, n);
    network_free(n);
    write_format(out, "%llu nodes, %.3f s", (unsigned long long)signature.nodes,
                 (double)signature.time_us / 1e6);
    return true;
}

static bool perft(text fields, writer *out, fault *why) {
    int64_t depth;
    rules_set set = rules_default_set(game);
    if (!text_to_int(next_field(&fields), 1, 20, &depth))
        return fault_set(why, "which depth?");
    rules_state *s = malloc(rules_state_size(0));
    if (!s)
        return fault_set(why, "out of memory");
    rules_state_new(s, game, &set, 0);
    bool fine = !fields.len || rules_set_fen(s, fields, why);
    if (fine)
        write_format(out, "perft %llu",
                     (unsigned long long)rules_perft(s, (int)depth, PERFT_FAST, NULL));
    free(s);
    return fine;
}

static void speak(text line) {
    fault why;
    engine *e = find_speaker(&why);
    if (!e) {
        refuse(&why);
        return;
    }
    (void)!engine_hear(e, line);
    engine_send(e);
}

void wasm_hear(int length) {
    static const struct {
        const char *name;
        bool (*answer)(text rest, writer *out, fault *why);
    } verbs[] = {{"judge", judge},
                 {"tables", make_tables},
                 {"probe", probe},
                 {"bench", bench},
                 {"perft", perft}};
    static char memory[OUTPUT_SIZE];
    writer out = writer_on(memory, sizeof memory - 1);
    text line = {input, (size_t)length}, rest = line, verb = text_next_word(&rest);
    fault why;
    game = rules_find(text_of(ENGINE_GAME));
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (text_is(verb, verbs[i].name)) {
            if (verbs[i].answer(text_trim(rest), &out, &why))
                send(&out);
            else
                refuse(&why);
            return;
        }
    speak(line);
}
