#include "match/runner.h"

#include "match/journal.h"
#include "os/clock.h"
#include "os/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

// A game that has ended but whose turn to be counted has not come.
typedef struct {
    bool present, replayed;
    match_game game;
} ended_game;

typedef struct {
    live_game live;
    match_run *run;
    bool idle;  // nothing to play, for now
    bool over;  // its game has ended and is to be taken
    bool waits; // for the time between two games
    uv_timer_t pause;
} slot;

struct match_run {
    const match_plan *plan;
    const match_observer *observer;
    uv_loop_t loop;
    uv_idle_t service; // runs only while a slot wants service
    uv_prepare_t listen;
    uv_timer_t tick;
    uv_async_t interrupt;
    int signal; // that ended the run; 0: none
    player_world world;
    live_game_terms terms;
    schedule *schedule;
    journal *journal;
    match_output *output;
    match_tally tally;
    slot *slots;
    int slots_open;    // slots with an initialised live game
    ended_game *ended; // ring of games from next_to_count on
    uint32_t ended_capacity, next_to_count;
    uint32_t played_now;
    int64_t started;
    bool stopping, exhausted, events_failed;
    bool told_settings[SCHEDULE_MAX_PLAYERS]; // of an engine: wrong ones are told once
    match_end end;
    fault why;
};

// --- stopping -----------------------------------------------------------------------------------

// A signal is noted at once; the loop takes it up, unless a write fails by it before.
static struct {
    atomic_int number;
    uv_async_t *waker;
} interrupt;

// The second signal does not wait for anything.
static void on_interrupt(int number) {
    int error = errno;
    os_process_on_interrupt(NULL);
    interrupt.number = number;
    uv_async_send(interrupt.waker);
    errno = error;
}

static void stop(match_run *run, match_end end) {
    if (run->stopping)
        return;
    run->stopping = true;
    run->signal = interrupt.number;
    // Output that failed while a signal came has failed by it.
    run->end = run->signal && run->output && end == RUN_FAILED ? RUN_INTERRUPTED : end;
    for (int i = 0; i < run->slots_open; i++) {
        live_game_close(&run->slots[i].live);
        uv_close((uv_handle_t *)&run->slots[i].pause, NULL);
    }
    uv_close((uv_handle_t *)&run->service, NULL);
    uv_close((uv_handle_t *)&run->listen, NULL);
    uv_close((uv_handle_t *)&run->tick, NULL);
    os_process_on_interrupt(NULL);
    uv_close((uv_handle_t *)&run->interrupt, NULL);
}

static void on_signal(uv_async_t *handle) { stop(handle->data, RUN_INTERRUPTED); }

static void on_service(uv_idle_t *handle);

// --- events -------------------------------------------------------------------------------------

// Sends a line that was written, and gives the buffer back. A game may be in the middle of a move:
// if it fails, the loop stops the run.
static void send_event(match_run *run, buffer *line) {
    if (!run->events_failed && !match_output_event(run->output, line, &run->why)) {
        run->events_failed = true;
        uv_idle_start(&run->service, on_service);
    }
    buffer_free(line);
}

static match_game_style style_of(const match_run *run, const match_game *g) {
    const match_engine *first = &run->plan->engines[g->pairing.first];
    const match_engine *second = &run->plan->engines[g->pairing.second];
    return (match_game_style){.game = run->plan->game,
                              .first = first->name,
                              .second = second->name,
                              .times = run->plan->times,
                              .control = {&first->control, &second->control}};
}

// The names of all engines; false: nobody wants events.
static bool names_of(const match_run *run, const char *names[SCHEDULE_MAX_PLAYERS]) {
    for (int i = 0; i < run->plan->engine_count; i++)
        names[i] = run->plan->engines[i].name;
    return match_output_wants_events(run->output);
}

static void tell_start(match_run *run) {
    const char *names[SCHEDULE_MAX_PLAYERS];
    buffer line = {0};
    if (!names_of(run, names))
        return;
    events_start(&line, rules_name(run->plan->game), names, run->plan->engine_count,
                 schedule_total(run->schedule));
    send_event(run, &line);
}

static void tell_score(match_run *run) {
    const char *names[SCHEDULE_MAX_PLAYERS];
    buffer line = {0};
    if (!names_of(run, names))
        return;
    double llr = run->plan->sprt ? contest_llr(&run->plan->test, &run->tally.between[1]) : 0;
    events_score(&line, &run->tally, names, run->plan->sprt ? &llr : NULL);
    send_event(run, &line);
}

static void on_move(live_game *live, const match_move *move) {
    match_run *run = ((slot *)live->owner)->run;
    buffer line = {0};
    int side = (int)((live->game.count - 1) & 1) ^ live->game.begins;
    events_move(&line, live->game.pairing.index, live->game.count, side, move, run->plan->times);
    send_event(run, &line);
}

static void on_warning(live_game *live, int side, uint32_t ply, const char *words) {
    match_run *run = ((slot *)live->owner)->run;
    const match_engine *engine = live->engines[side];
    bool *is_told = &run->told_settings[engine - run->plan->engines];
    if (ply == 0 && *is_told)
        return;
    *is_told |= ply == 0;
    if (run->observer->on_warning)
        run->observer->on_warning(run->observer->context, live->game.pairing.index, ply,
                                  engine->name, words);
    buffer line = {0};
    if (!match_output_wants_events(run->output))
        return;
    events_warning(&line, live->game.pairing.index, ply, engine->name, words);
    send_event(run, &line);
}

// A game begins, or has ended.
static void tell_game(match_run *run, const match_game *g,
                      void (*write)(buffer *out, const match_game *g,
                                    const match_game_style *style)) {
    buffer line = {0};
    if (!match_output_wants_events(run->output))
        return;
    match_game_style style = style_of(run, g);
    write(&line, g, &style);
    send_event(run, &line);
}

static void tell_end(match_run *run) {
    static const char *const how[] = {
        [RUN_DONE] = "done", [RUN_DECIDED] = "decided", [RUN_INTERRUPTED] = "interrupted"};
    buffer line = {0};
    if (run->events_failed)
        return;
    events_end(&line, how[run->end]);
    bool good = match_output_event(run->output, &line, &run->why);
    buffer_free(&line);
    if (!good)
        run->end = RUN_FAILED;
}

// --- counting -----------------------------------------------------------------------------------

static ended_game *ended_slot(match_run *run, uint32_t index) {
    uint32_t ahead = index - run->next_to_count;
    if (ahead >= run->ended_capacity) {
        uint32_t capacity = run->ended_capacity ? run->ended_capacity : 64;
        while (capacity <= ahead)
            capacity *= 2;
        ended_game *ended = calloc(capacity, sizeof *ended);
        if (!ended)
            return NULL;
        for (uint32_t i = 0; i < run->ended_capacity; i++) {
            uint32_t k = run->next_to_count + i;
            ended[k % capacity] = run->ended[k % run->ended_capacity];
        }
        free(run->ended);
        run->ended = ended;
        run->ended_capacity = capacity;
    }
    return &run->ended[index % run->ended_capacity];
}

// Pairings that follow from results need them at once. Else standings have what is counted.
static bool needs_results(const match_run *run) {
    schedule_kind kind = run->plan->schedule.kind;
    return kind == SCHEDULE_SWISS || kind == SCHEDULE_KNOCKOUT;
}

static void report_game(match_run *run, const match_game *g) {
    schedule_report(run->schedule, g->pairing.index, match_half_points(g->verdict.outcome));
}

static void count_game(match_run *run, ended_game *e) {
    match_tally_add(&run->tally, &e->game);
    if (!needs_results(run))
        report_game(run, &e->game);
    match_game_style style = style_of(run, &e->game);
    if (!match_output_game(run->output, &e->game, &style, &run->why)) {
        stop(run, RUN_FAILED);
        return;
    }
    if (run->observer->on_game)
        run->observer->on_game(run->observer->context, run, &e->game, e->replayed);
    tell_score(run);
    if (run->plan->sprt &&
        contest_sprt_judge(&run->plan->test, &run->tally.between[1]) != SPRT_RUNNING)
        stop(run, RUN_DECIDED);
}

// Counts every game whose predecessors have all been counted.
static void count_games(match_run *run) {
    while (!run->stopping && run->ended_capacity) {
        ended_game *e = &run->ended[run->next_to_count % run->ended_capacity];
        if (!e->present)
            return;
        count_game(run, e);
        match_game_free(&e->game);
        e->present = false;
        run->next_to_count++;
    }
}

static void add_ended(match_run *run, const match_game *g, bool replayed) {
    ended_game *e = ended_slot(run, g->pairing.index);
    if (!e) {
        fault_set(&run->why, "out of memory");
        stop(run, RUN_FAILED);
        return;
    }
    *e = (ended_game){true, replayed, *g};
    if (needs_results(run))
        report_game(run, g);
}

// --- playing ------------------------------------------------------------------------------------

// A game found in the journal counts without being played again.
static bool take_from_journal(match_run *run, const schedule_game *pairing) {
    buffer line = {0};
    match_game g;
    bool good = journal_read(run->journal, pairing->index, &line, &run->why) &&
                match_game_read(&g, run->plan->game, (text){line.bytes, line.len}, &run->why);
    buffer_free(&line);
    if (!good) {
        fault cause = run->why;
        return fault_set(&run->why, "%s: game %" PRIu32 ": %.180s", run->plan->journal,
                         pairing->index + 1, cause.line);
    }
    g.pairing = *pairing;
    add_ended(run, &g, true);
    return true;
}

static void start_game(slot *s, const schedule_game *pairing) {
    match_run *run = s->run;
    const match_plan *plan = run->plan;
    const match_engine *engines = plan->engines;
    char room[RULES_FEN_SIZE];
    live_game_opening opening = {.plies = -1};
    if (plan->opening) {
        uint32_t number = plan->opening_start + pairing->opening;
        opening.fen = plan->opening(plan->opening_context, number, room);
        opening.plies = plan->opening_line(plan->opening_context, number, opening.moves);
    }
    s->idle = false;
    match_game begins = {.pairing = *pairing};
    writer fen = writer_on(begins.fen, sizeof begins.fen);
    write_string(&fen, opening.fen ? opening.fen : "");
    tell_game(run, &begins, events_begin);
    live_game_begin(&s->live, pairing, &engines[pairing->first], &engines[pairing->second],
                    &opening);
}

static void find_work(slot *s) {
    match_run *run = s->run;
    while (!run->stopping) {
        schedule_game pairing;
        schedule_status status = schedule_next(run->schedule, &pairing);
        if (status != SCHEDULE_GAME) {
            s->idle = true;
            run->exhausted = status == SCHEDULE_END;
            return;
        }
        if (!run->journal || !journal_has(run->journal, pairing.index)) {
            start_game(s, &pairing);
            return;
        }
        if (!take_from_journal(run, &pairing)) {
            stop(run, RUN_FAILED);
            return;
        }
        count_games(run);
    }
}

static void on_waited(uv_timer_t *timer) {
    slot *s = timer->data;
    s->waits = false;
    uv_idle_start(&s->run->service, on_service);
}

static void take_result(slot *s) {
    match_run *run = s->run;
    match_game *g = &s->live.game;
    s->over = false;
    if (g->verdict.reason ==
        REFEREE_ABORTED) { // the manager failed, not an engine: do not count it
        fault_set(&run->why, "game %" PRIu32 ": %s", g->pairing.index + 1, g->verdict.words);
        stop(run, RUN_FAILED);
        return;
    }
    if (run->journal) {
        buffer line = {0};
        match_game_style style = style_of(run, g);
        style.times = true;
        match_game_write(g, &style, &line);
        bool good = !line.failed && journal_add(run->journal, g->pairing.index,
                                                (text){line.bytes, line.len}, &run->why);
        buffer_free(&line);
        if (!good) {
            stop(run, RUN_FAILED);
            return;
        }
    }
    run->played_now++;
    tell_game(run, g, events_result);
    add_ended(run, g, false);
    g->moves = NULL; // the ended game has them now
    g->capacity = g->count = 0;
    if (run->plan->wait_us) {
        s->waits = true;
        uv_timer_start(&s->pause, on_waited, (uint64_t)(run->plan->wait_us + 999) / 1000, 0);
    }
}

// Handles games that have ended. Called by the loop, so it never runs inside a callback of a
// player.
static void on_service(uv_idle_t *handle) {
    match_run *run = handle->data;
    uv_idle_stop(handle);
    if (run->events_failed)
        stop(run, RUN_FAILED);
    for (int i = 0; i < run->plan->concurrency && !run->stopping; i++)
        if (run->slots[i].over)
            take_result(&run->slots[i]);
    if (!run->stopping)
        count_games(run);
    bool busy = false;
    for (int i = 0; i < run->plan->concurrency && !run->stopping; i++) {
        slot *s = &run->slots[i];
        if (s->live.stage == LIVE_GAME_FREE && !s->over && !s->waits)
            find_work(s);
        busy |= !s->idle;
    }
    if (!run->stopping && !busy && run->exhausted)
        stop(run, RUN_DONE);
}

static void on_listen(uv_prepare_t *handle) {
    match_run *run = handle->data;
    run->world.began_to_listen = clock_us();
}

static void on_over(live_game *live) {
    slot *s = live->owner;
    s->over = true;
    s->idle = false;
    uv_idle_start(&s->run->service, on_service);
}

static void on_tick(uv_timer_t *handle) {
    match_run *run = handle->data;
    if (run->observer->on_tick)
        run->observer->on_tick(run->observer->context, run);
}

static void on_talk(live_game *live, const player *p, bool to_engine, text line, int64_t now) {
    match_run *run = ((slot *)live->owner)->run;
    match_output_talk(run->output, live->game.pairing.index, p->engine->name, to_engine, line,
                      now - run->started);
}

// --- set-up and end -----------------------------------------------------------------------------

const match_plan *match_run_plan(const match_run *run) { return run->plan; }
const match_tally *match_run_tally(const match_run *run) { return &run->tally; }
const schedule *match_run_schedule(const match_run *run) { return run->schedule; }
uint32_t match_run_total(const match_run *run) { return schedule_total(run->schedule); }
int64_t match_run_elapsed_us(const match_run *run) { return clock_us() - run->started; }
uint32_t match_run_played_now(const match_run *run) { return run->played_now; }
int match_run_signal(const match_run *run) { return run->signal; }

static bool set_up(match_run *run) {
    const match_plan *plan = run->plan;
    size_t slots = (size_t)plan->concurrency;
    run->schedule = schedule_new(&plan->schedule);
    run->slots = calloc(slots, sizeof *run->slots);
    if (!run->schedule || !run->slots || !match_tally_init(&run->tally, plan->engine_count))
        return fault_set(&run->why, "out of memory");
    if (plan->journal) {
        run->journal = journal_open(plan->journal, text_of(plan->settings), plan->resume,
                                    plan->files == OUTPUT_REPLACE, &run->why);
        if (!run->journal)
            return false;
    }
    match_output_plan output = {plan->json, plan->pgn, plan->records, plan->transcript,
                                plan->events};
    run->output = match_output_open(&output, plan->resume ? OUTPUT_RESUME : plan->files, &run->why);
    if (!run->output)
        return false;
    run->world.loop = &run->loop;
    run->world.game = plan->game;
    run->world.kraton = plan->kraton;
    run->world.in_sessions = plan->in_sessions;
    run->world.rules = plan->rules;
    run->world.error_fd = match_output_error_fd(run->output);
    run->world.hello_us = plan->hello_us;
    run->world.ready_us = plan->ready_us;
    run->terms = (live_game_terms){.world = &run->world,
                                   .set = plan->set,
                                   .limits = plan->limits,
                                   .sau_retries = plan->sau_retries,
                                   .stall_us = plan->stall_us,
                                   .checks_pv = plan->checks_pv,
                                   .on_over = on_over,
                                   .on_move = plan->events ? on_move : NULL,
                                   .on_warning = on_warning,
                                   .on_talk = plan->transcript ? on_talk : NULL};
    return true;
}

// Signals are caught before the first file is opened, so that an interrupt loses nothing.
static bool open_loop(match_run *run) {
    if (uv_loop_init(&run->loop) != 0)
        return fault_set(&run->why, "out of memory");
    uv_idle_init(&run->loop, &run->service);
    uv_timer_init(&run->loop, &run->tick);
    uv_prepare_init(&run->loop, &run->listen);
    uv_async_init(&run->loop, &run->interrupt, on_signal);
    run->service.data = run->tick.data = run->listen.data = run->interrupt.data = run;
    interrupt.number = 0;
    interrupt.waker = &run->interrupt;
    os_process_on_interrupt(on_interrupt);
    return true;
}

static bool start(match_run *run) {
    for (int i = 0; i < run->plan->concurrency; i++) {
        slot *s = &run->slots[i];
        s->run = run;
        if (!live_game_init(&s->live, &run->terms, s))
            return fault_set(&run->why, "out of memory");
        uv_timer_init(&run->loop, &s->pause);
        s->pause.data = s;
        if (run->plan->processors)
            s->live.processor = run->plan->processors[i];
        run->slots_open++;
    }
    tell_start(run);
    uv_timer_start(&run->tick, on_tick, 250, 250);
    uv_prepare_start(&run->listen, on_listen);
    uv_idle_start(&run->service, on_service);
    return true;
}

// A run that ends before its first game is over replaces what it was to replace, unless it failed.
static bool finish_files(match_run *run) {
    return (!run->journal || journal_begin(run->journal, &run->why)) &&
           match_output_begin(run->output, &run->why) && match_output_sync(run->output, &run->why);
}

static void give_back(match_run *run) {
    bool is_abandoned = run->end == RUN_FAILED && run->played_now == 0;
    for (uint32_t i = 0; i < run->ended_capacity; i++)
        match_game_free(&run->ended[i].game);
    free(run->ended);
    free(run->slots);
    if (is_abandoned) {
        match_output_abandon(run->output);
        journal_abandon(run->journal);
    } else {
        match_output_close(run->output);
        journal_close(run->journal);
    }
    match_tally_free(&run->tally);
    schedule_free(run->schedule);
    free(run);
}

match_end match_play(const match_plan *plan, const match_observer *observer,
                     void (*finally)(void *context, const match_run *run, match_end end),
                     fault *why) {
    match_run *run = calloc(1, sizeof *run);
    if (!run) {
        fault_set(why, "out of memory");
        return RUN_FAILED;
    }
    *run = (match_run){.plan = plan, .observer = observer, .end = RUN_FAILED};
    run->started = clock_us();
    if (open_loop(run)) {
        if (!set_up(run) || !start(run))
            stop(run, RUN_FAILED);
        uv_run(&run->loop, UV_RUN_DEFAULT);
        uv_loop_close(&run->loop);
        if (run->end != RUN_FAILED)
            tell_end(run);
        if (run->end != RUN_FAILED && !finish_files(run))
            run->end = RUN_FAILED;
    }
    match_end end = run->end;
    if (end == RUN_FAILED)
        *why = run->why;
    else if (finally)
        finally(observer->context, run, end);
    give_back(run);
    return end;
}
