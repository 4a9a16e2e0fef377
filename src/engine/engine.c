#include "engine/engine.h"

#include "base/minmax.h"
#include "base/pipe.h"
#include "base/rng.h"
#include "engine/knowledge.h"
#include "engine/level.h"
#include "engine/settings.h"
#include "os/clock.h"
#include "os/process.h"
#include "records/opening_name.h"

#include <stdlib.h>

enum {
    REPORT_US = 50000,        // the longest time between two writes of search output
    UNTOLD_MOVE_US = 2000000, // CECP: time per move if no clock was set
    DULL_SCORE = 8,           // centipawns: a dull position, neither side is better
    DULL_MOVES = 12,          // a draw is offered after so many own dull moves in a row
    DULL_PLY = 80,            // but not before this ply
    GRACE_US = 1000000,       // a search may run on for this long after the input has ended
    ACCEPT_SCORE = -20,       // a draw offer is accepted at this score or worse,
    ACCEPT_MOVES = 4,         // or after so many dull moves
    ACCEPT_PLY = 40           // from this ply on
};

struct engine {
    engine_terms terms;
    dialect_engine dialect;
    dialect_identity identity;
    dialect_option options[SETTINGS_OPTIONS];
    engine_settings set;
    void *state_memory, *asked_memory;
    rules_state *asked; // the position being searched: the manager may set up another meanwhile
    search *search;
    knowledge known; // book, tables, network
    rules_move advised[RULES_MAX_MOVES];
    thoughts thoughts;
    line_pipe pipe;
    dialect_search go;    // the request being served
    bool is_searching;    // the search runs
    bool owes_no_move;    // there is no legal move; to be told when the manager wants an answer
    bool is_pondering;    // CECP: searching on the opponent's time without being asked
    uint64_t ponder_key;  // of the position in which the opponent is to move while pondering
    bool has_rules;       // the user or the manager has set them
    bool is_offered_draw; // by the opponent; not answered yet
    int level;            // of the search that runs
    int dull_moves;       // in a row
    int64_t began_us;     // when the request was read
    int64_t clock_us;     // left of the game's time
    uint64_t seed;
};

// --- search output ------------------------------------------------------------------------------

static void write_report(engine *e, const search_report *r) {
    dialect_report out = thought_to_tell(r);
    out.variation = e->set.variations > 1 ? r->variation : 0;
    dialect_engine_write_info(&e->dialect, &out, &e->pipe.out);
}

static void keep_room(engine *e) {
    if (e->pipe.out.used > PIPE_OUTPUT_MAX - DIALECT_TEXT_MAX)
        pipe_flush(&e->pipe);
}

// Writes the reports that have arrived since the last call.
static void report(engine *e) {
    thought next;
    while (thoughts_next(&e->thoughts, &next)) {
        if (next.report.variation <= e->set.variations)
            write_report(e, &next.report);
        keep_room(e);
    }
}

// --- answering ----------------------------------------------------------------------------------

// Whether the last `moves` own moves were dull, and the game has reached this ply.
static bool is_dull_for(const engine *e, int moves, uint32_t ply) {
    return e->dull_moves >= moves && rules_ply(e->asked) >= ply;
}

static const dialect_properties *protocol_of(const engine *e) {
    return dialect_properties_of(e->dialect.id);
}

// Whether to offer or accept a draw with the move.
static bool wants_draw(engine *e, int32_t score) {
    e->dull_moves = abs(score) <= DULL_SCORE ? e->dull_moves + 1 : 0;
    bool accepts =
        e->is_offered_draw && (score <= ACCEPT_SCORE || is_dull_for(e, ACCEPT_MOVES, ACCEPT_PLY));
    if (!is_dull_for(e, DULL_MOVES, DULL_PLY))
        return accepts;
    e->dull_moves = 0;
    return true;
}

static void write_answer(engine *e, const dialect_answer *answer) {
    e->clock_us -= clock_us() - e->began_us;
    e->is_offered_draw = false; // the move answers the offer
    dialect_engine_write_move(&e->dialect, answer, &e->pipe.out);
    rules_verdict end = rules_result(e->dialect.state);
    if (protocol_of(e)->claims_results && end.outcome != RULES_ONGOING)
        dialect_engine_write_claim(&e->dialect, end.outcome, end.words, &e->pipe.out);
}

static void ponder(engine *e, rules_move expected);

// The search has ended: answers with its move, or with one that the level prefers.
static void conclude(engine *e, const search_result *result) {
    e->is_searching = e->is_pondering = false;
    if (!e->dialect.is_thinking || e->go.is_analysis)
        return;
    dialect_answer answer = {.move = result->best, .ponder = result->ponder};
    int32_t score = result->score;
    if (e->level != LEVEL_FULL && e->thoughts.line_count) {
        int chosen = level_choose(e->level, e->seed, e->asked, &e->thoughts);
        thought *line = &e->thoughts.lines[chosen];
        line->report.pv = line->pv;
        score = line->report.score;
        answer.move = line->pv[0];
        answer.ponder = line->report.pv_count > 1 ? line->pv[1] : MOVE_NONE;
        line->report.variation = 1;
        if (chosen)
            write_report(e, &line->report);
    }
    answer.offers_draw = wants_draw(e, score);
    write_answer(e, &answer);
    if (protocol_of(e)->ponders_unasked && e->dialect.may_ponder && e->level == LEVEL_FULL)
        ponder(e, answer.ponder);
}

// Writes the new reports, and the answer if the search has ended.
static void attend(engine *e) {
    search_result result;
    if (!e->is_searching)
        return;
    bool is_done = thoughts_take_result(&e->thoughts, &result);
    report(e);
    if (is_done) {
        search_wait(e->search); // it is about to end
        conclude(e, &result);
    }
}

static void answer_now(engine *e) {
    if (e->is_searching) {
        search_stop(e->search);
        search_wait(e->search);
        attend(e);
    }
    if (e->owes_no_move && e->dialect.is_thinking)
        dialect_engine_write_no_move(&e->dialect, &e->pipe.out);
    e->owes_no_move = false;
}

// Ends the search; no answer is wanted.
static void abandon(engine *e) {
    search_result unwanted;
    e->owes_no_move = false;
    if (!e->is_searching)
        return;
    search_stop(e->search);
    search_wait(e->search);
    (void)thoughts_take_result(&e->thoughts, &unwanted);
    e->is_searching = e->is_pondering = false;
}

// --- searching ----------------------------------------------------------------------------------

// Bounds a clock so that arithmetic with it cannot overflow.
static int64_t bounded_us(int64_t us) {
    return min_i64(us, INT64_C(1000000000000)); // eleven days
}

static search_limits limits_of(const engine *e) {
    const dialect_limits *l = &e->go.limits;
    int side = rules_side_to_move(e->asked);
    search_limits limits = {.depth = l->depth,
                            .nodes = (uint64_t)l->nodes,
                            .move_time_us = bounded_us(l->move_time_us),
                            .clock_us = bounded_us(l->clock_us[side]),
                            .increment_us = bounded_us(l->increment_us[side]),
                            .clock_grain_us =
                                e->dialect.milliseconds ? 0 : protocol_of(e)->clock_step_us,
                            .moves_to_go = l->moves_to_go,
                            .overhead_us = e->set.overhead_ms * 1000,
                            .start_us = e->began_us,
                            .is_infinite = e->go.is_infinite,
                            .is_ponder = e->go.is_ponder,
                            .mate = e->go.mate,
                            .variations = (int)e->set.variations,
                            .allowed = e->go.allowed_count ? e->dialect.allowed : NULL,
                            .allowed_count = e->go.allowed_count};
    if (e->terms.depth && (limits.depth == 0 || limits.depth > e->terms.depth))
        limits.depth = e->terms.depth;
    if (!protocol_of(e)->tells_limits)
        limits.clock_us = max_i64(e->clock_us, 1000);
    bool is_limited =
        limits.depth || limits.nodes || limits.move_time_us || limits.clock_us >= 0 || limits.mate;
    if (!is_limited && !protocol_of(e)->thinks_until_stopped)
        limits.move_time_us = UNTOLD_MOVE_US;
    else if (!is_limited && e->level == LEVEL_FULL)
        limits.is_infinite = true;
    level_limit(e->asked, e->level, &limits);
    return limits;
}

// Whether there is nothing to search: no position, no legal move, or a result that the protocol
// wants to be told.
static bool is_over(const engine *e) {
    rules_move moves[RULES_MAX_MOVES];
    return e->go.is_void || rules_legal_moves(e->dialect.state, moves) == 0 ||
           (protocol_of(e)->claims_results && !e->go.is_analysis &&
            rules_result(e->dialect.state).outcome != RULES_ONGOING);
}

static void say(engine *e, const char *words) {
    dialect_engine_write_words(&e->dialect, text_of(words), &e->pipe.out);
}

static void say_of_tables(void *context, const char *line) { say(context, line); }

static void copy_position(engine *e) {
    memcpy(e->asked, e->dialect.state, rules_state_size(rules_ply(e->dialect.state)));
}

// Tells the name of the opening to which a book move belongs.
static void say_opening(engine *e, rules_move move) {
    copy_position(e);
    bool played = rules_play(e->asked, move, NULL);
    (void)played; // fails only in a game of the greatest length, which has left its opening
    const opening_name *name = opening_name_of(e->asked);
    fault words = {DIALECT_FROM_BOOK};
    if (name)
        fault_set(&words, DIALECT_FROM_BOOK ": %s %s, %s", name->code, name->chinese,
                  name->english);
    say(e, words.line);
}

// Answers with a move of the book, if it has one.
static bool play_from_book(engine *e) {
    rng random = {e->seed ^ rules_key(e->dialect.state)};
    bool is_free = !e->go.is_infinite && !e->go.is_ponder && e->go.allowed_count == 0;
    rules_move move =
        is_free && e->known.book ? book_probe(e->known.book, e->dialect.state, &random) : MOVE_NONE;
    if (move == MOVE_NONE)
        return false;
    say_opening(e, move);
    write_answer(e, &(dialect_answer){.move = move, .ponder = MOVE_NONE});
    return true;
}

// If the endgame tables know the position, the search chooses among the moves they advise.
static void take_advice(engine *e, search_limits *limits) {
    bool is_free =
        !e->go.is_infinite && !limits->allowed && limits->variations <= 1 && e->level == LEVEL_FULL;
    int n =
        is_free && e->known.tables ? game_tables_advise(e->known.tables, e->asked, e->advised) : 0;
    if (n == 0)
        return;
    limits->allowed = e->advised;
    limits->allowed_count = n;
}

// Without threads the search runs inside search_start: its reports are sent as they come.
static void on_report_now(void *context, const search_report *r) {
    engine *e = context;
    search_listener queue = thoughts_listener(&e->thoughts);
    queue.on_report(queue.context, r);
    report(e);
    pipe_flush(&e->pipe);
}

static void on_done_now(void *context, const search_result *result) {
    engine *e = context;
    search_listener queue = thoughts_listener(&e->thoughts);
    queue.on_done(queue.context, result);
}

static search_listener listener_of(engine *e) {
    if (OS_HAS_THREADS)
        return thoughts_listener(&e->thoughts);
    return (search_listener){.on_report = on_report_now, .on_done = on_done_now, .context = e};
}

// Starts the search of the position in `asked` with the request in `go`.
static void search_asked(engine *e) {
    search_limits limits = limits_of(e);
    take_advice(e, &limits);
    search_listener listener = listener_of(e);
    thoughts_clear(&e->thoughts);
    search_set_state(e->search, e->asked);
    e->is_searching = true;
    search_start(e->search, &limits, &listener);
}

static void think(engine *e, const dialect_command *c) {
    e->go = c->go;
    e->began_us = clock_us();
    e->is_offered_draw |= c->go.has_draw_offer;
    e->level = c->go.is_infinite ? LEVEL_FULL : (int)e->set.level;
    if (is_over(e)) {
        e->owes_no_move = true;
        if (!e->go.is_infinite && !e->go.is_ponder)
            answer_now(e);
        return;
    }
    if (play_from_book(e))
        return;
    copy_position(e);
    search_asked(e);
}

// --- pondering ----------------------------------------------------------------------------------

// CECP only allows an engine to search on the opponent's time. The engine guesses the opponent's
// reply and searches its own next move; the results are in the transposition table afterwards.
static void ponder(engine *e, rules_move expected) {
    const rules_state *now = e->dialect.state;
    rules_move moves[RULES_MAX_MOVES];
    copy_position(e);
    if (expected == MOVE_NONE || rules_result(now).outcome != RULES_ONGOING ||
        !rules_play(e->asked, expected, NULL) || rules_legal_moves(e->asked, moves) == 0)
        return;
    dialect_engine_write_hint(&e->dialect, expected, &e->pipe.out);
    e->go = (dialect_search){.is_infinite = true, .limits.clock_us = {-1, -1}};
    e->began_us = clock_us();
    e->is_pondering = true;
    e->ponder_key = rules_key(now);
    search_asked(e);
}

// Whether pondering may go on: it is allowed, and the opponent has not moved.
static bool may_go_on(const engine *e) {
    const dialect_xboard *x = &e->dialect.xboard;
    return e->dialect.may_ponder && !x->is_force && !x->is_analysing &&
           rules_key(e->dialect.state) == e->ponder_key;
}

// --- settings -----------------------------------------------------------------------------------

static void renew_seed(engine *e) {
    rng fresh = {(uint64_t)clock_us()};
    e->seed = e->set.seed ? (uint64_t)e->set.seed : rng_next(&fresh);
}

static bool change_rules(engine *e, fault *why) {
    rules_set set;
    if (!rules_set_parse(e->terms.game, text_of(e->set.rules), &set, why))
        return false;
    e->has_rules = true;
    rules_change_set(e->dialect.state, &set);
    rules_change_set(e->asked, &set);
    return true;
}

static bool change_tables(engine *e, fault *why) {
    if (!knowledge_set_tables(&e->known, &e->set, say_of_tables, e, why))
        return false;
    if (!e->known.tables)
        return true;
    fault words;
    fault_set(&words, "endgame tables of up to %d pieces", game_tables_pieces(e->known.tables));
    say(e, words.line);
    return true;
}

// At most three quarters of the machine's memory: the system grants more than it has, and ends a
// process when it is used.
static bool change_hash(engine *e) {
    uint64_t most_mb = (os_memory_total() >> 20) / 4 * 3;
    return (most_mb == 0 || (uint64_t)e->set.hash_mb <= most_mb) &&
           search_set_hash(e->search, (size_t)e->set.hash_mb);
}

static bool change_option(engine *e, text name, text value, fault *why) {
    if (!settings_take(&e->set, name, value))
        return fault_set(why, "the value is too long");
    if (text_is(name, "Hash") && !change_hash(e))
        return fault_set(why, "not enough memory for that; the hash table stays as it was");
    if (text_is(name, "Threads") && !search_set_threads(e->search, (int)e->set.threads))
        return fault_set(why, "not that many threads; they stay as they were");
    if (text_is(name, "Rules"))
        return change_rules(e, why);
    if (text_is(name, "OwnBook") || text_is(name, "BookFile"))
        return knowledge_set_book(&e->known, &e->set, why);
    if (text_is(name, "TablePath"))
        return change_tables(e, why);
    if (text_is(name, "EvalFile"))
        return knowledge_set_network(&e->known, &e->set, why);
    if (text_is(name, "Split"))
        search_set_root_splitting(e->search, e->set.splits_root);
    else if (text_is(name, "Seed"))
        renew_seed(e);
    else if (text_is(name, "Clear Hash"))
        search_clear(e->search);
    return true;
}

// Options cannot change during a search: it is stopped and started again. The transposition table
// keeps its results.
static bool set_option(engine *e, text name, text value, fault *why) {
    attend(e);
    bool goes_on = e->is_searching, ponders = e->is_pondering;
    if (goes_on)
        abandon(e);
    bool is_set = change_option(e, name, value, why);
    if (goes_on) {
        e->is_pondering = ponders;
        search_asked(e);
    }
    return is_set;
}

bool engine_set(engine *e, text name, text value, fault *why) {
    for (const dialect_option *o = e->options; o->name; o++) {
        engine_settings trial = e->set;
        if (!text_is(name, o->name))
            continue;
        if (!settings_take(&trial, name, value))
            return fault_set(why, "option %s: %s is no value of it", o->name,
                             fault_quote(value).shown);
        return set_option(e, text_of(o->name), value, why);
    }
    return dialect_refuse_option(e->options, name, why);
}

// --- the manager --------------------------------------------------------------------------------

static void start_game(engine *e) {
    search_clear(e->search);
    e->clock_us = e->terms.game_time_us;
    e->dull_moves = 0;
    e->is_offered_draw = false;
    renew_seed(e);
}

// A contest protocol implies the rules of the contest, unless others were set.
static void settle_rules(engine *e) {
    rules_set set;
    const char *name = protocol_of(e)->rule_set;
    if (name && !e->has_rules && rules_set_parse(e->terms.game, text_of(name), &set, NULL))
        rules_change_set(e->dialect.state, &set);
}

bool engine_hear(engine *e, text line) {
    bool was_thinking = e->is_searching || e->owes_no_move, was_known = e->dialect.is_known;
    dialect_command c = dialect_engine_read(&e->dialect, line, &e->pipe.out);
    if (!was_known && e->dialect.is_known)
        settle_rules(e);
    bool ends_pondering = c.kind == COMMAND_GO || c.is_new_game || !may_go_on(e);
    if (c.abandons || (e->is_pondering && ends_pondering))
        abandon(e);
    else if (was_thinking && (c.kind == COMMAND_GO || c.is_new_game))
        answer_now(e); // each request gets an answer, also if the manager does not wait
    if (c.kind == COMMAND_GO)
        e->dialect.is_thinking = true;
    if (c.is_new_game)
        start_game(e);
    switch (c.kind) {
    case COMMAND_GO:
        think(e, &c);
        break;
    case COMMAND_STOP:
        answer_now(e);
        break;
    case COMMAND_PONDER_HIT:
        if (!e->go.is_ponder)
            break; // not pondering
        e->is_offered_draw |= c.go.has_draw_offer;
        e->go.is_ponder = false;
        e->began_us = clock_us();
        if (e->is_searching)
            search_ponder_hit(e->search);
        else if (!e->go.is_infinite)
            answer_now(e);
        break;
    case COMMAND_OPTION: {
        fault why;
        if (!set_option(e, text_of(c.name), c.value, &why))
            say(e, why.line);
        break;
    }
    case COMMAND_DRAW_OFFER:
        e->is_offered_draw = true;
        break;
    case COMMAND_QUIT:
        return false;
    case COMMAND_NONE:
        break;
    }
    keep_room(e);
    return true;
}

// The input has ended: answers the last request, soon.
static void wind_up(engine *e) {
    bool has_end = !e->go.is_infinite && !e->go.is_ponder;
    if (e->is_searching && has_end)
        os_event_wait(&e->thoughts.done, GRACE_US);
    answer_now(e);
}

// Handles all lines that have arrived. False: the manager wants the engine to quit.
static bool hear_all(engine *e) {
    text line;
    while (pipe_next_line(&e->pipe, &line))
        if (!engine_hear(e, line))
            return false;
    return true;
}

void engine_send(engine *e) {
    attend(e);
    pipe_flush(&e->pipe);
}

void engine_serve(engine *e) {
    bool goes_on = hear_all(e);
    while (goes_on && !e->pipe.is_closed) {
        engine_send(e);
        (void)pipe_wait(&e->pipe, e->is_searching ? REPORT_US : -1);
        goes_on = hear_all(e);
    }
    attend(e);
    if (goes_on)
        wind_up(e);
    else
        abandon(e);
    pipe_flush(&e->pipe);
}

engine *engine_new(const engine_terms *terms, fault *why) {
    rules_set set = rules_default_set(terms->game);
    if (terms->rules && !rules_set_parse(terms->game, text_of(terms->rules), &set, why))
        return NULL;
    engine *e = calloc(1, sizeof *e);
    void *memory = malloc(rules_state_size(RULES_MAX_PLIES));
    void *asked = malloc(rules_state_size(RULES_MAX_PLIES));
    search *s = search_new();
    if (!e || !memory || !asked || !s || !thoughts_init(&e->thoughts)) {
        free(e);
        free(memory);
        free(asked);
        if (s)
            search_free(s);
        fault_set(why, "out of memory");
        return NULL;
    }
    e->terms = *terms;
    e->search = s;
    e->known = (knowledge){.game = terms->game, .search = s};
    e->state_memory = memory;
    e->asked_memory = asked;
    e->asked = rules_state_new(asked, terms->game, &set, RULES_MAX_PLIES);
    e->has_rules = terms->rules != NULL;
    settings_init(&e->set, terms->game, e->options);
    e->identity = (dialect_identity){.name = terms->name,
                                     .author = "the Kraton authors",
                                     .options = e->options,
                                     .has_variant = true};
    dialect_engine_init(&e->dialect, terms->game,
                        rules_state_new(memory, terms->game, &set, RULES_MAX_PLIES), &e->identity);
    pipe_init(&e->pipe);
    e->pipe.wake = &e->thoughts.done;
    fault refused; // the network in the program, which fits
    if (search_takes_networks() && !knowledge_set_network(&e->known, &e->set, &refused))
        say(e, refused.line);
    start_game(e);
    return e;
}

void engine_free(engine *e) {
    abandon(e);
    search_free(e->search);
    knowledge_free(&e->known);
    thoughts_free(&e->thoughts);
    dialect_engine_free(&e->dialect);
    free(e->state_memory);
    free(e->asked_memory);
    free(e);
}
