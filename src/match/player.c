#include "match/player.h"

#include "base/suggest.h"
#include "os/clock.h"
#include "os/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { LEAVE_MS = 1000, STATUS_MS = 1000, SILENT_HELLO_US = 2000000 };

// --- the end ------------------------------------------------------------------------------------

static void free_when_done(player *p) {
    if (!p->dropped || !p->process_ended || !p->timer_closed)
        return;
    dialect_host_free(&p->host);
    free(p->options);
    free(p);
}

static void on_timer_closed(uv_handle_t *handle) {
    player *p = handle->data;
    p->timer_closed = true;
    free_when_done(p);
}

static void close_timer(player *p) {
    if (!uv_is_closing((uv_handle_t *)&p->timer))
        uv_close((uv_handle_t *)&p->timer, on_timer_closed);
}

static void tell_gone(player *p, player_fate fate, int detail, const char *words) {
    if (p->told || p->dropped)
        return;
    p->told = true;
    p->state = PLAYER_GONE;
    uv_timer_stop(&p->timer);
    p->events->on_gone(p, fate, detail, words);
}

static void on_late(uv_timer_t *timer);

// Gives the player up. The owner is told by the loop, not inside its own call.
static void fail_later(player *p, player_fate fate, const char *words, uint64_t ms) {
    if (p->told || p->dropped || p->state == PLAYER_GONE)
        return;
    p->state = PLAYER_GONE;
    if (p->words) // the first reason is the cause of those that follow
        return;
    p->fate = fate;
    p->words = words;
    uv_timer_start(&p->timer, on_late, ms, 0);
}

// It closed a pipe. Perhaps it is ending: then its exit status is a better reason. The guard knows:
// told to end it, the guard ends as the engine did, or by OS_GUARD_ENDED if the engine was running.
static void fail_closed(player *p, const char *words) {
    if (p->told || p->dropped || p->state == PLAYER_GONE)
        return;
    fail_later(p, GONE_CLOSED, words, STATUS_MS);
    process_kill(&p->process, false);
}

// --- talking ------------------------------------------------------------------------------------

static void talk(player *p, bool to_engine, text lines, int64_t now) {
    if (!p->events->on_talk || p->dropped)
        return;
    while (lines.len)
        p->events->on_talk(p, to_engine, text_next_line(&lines), now);
}

// Sends what was written; `first` goes before it.
static void send_lines(player *p, text first, const writer *rest) {
    text more = {rest->buffer, rest->used};
    if (first.len == 0) {
        first = more;
        more.len = 0;
    }
    if (first.len == 0)
        return;
    int64_t now;
    process_written result = process_write(&p->process, first, more, &now);
    talk(p, true, first, now);
    talk(p, true, more, now);
    p->request_written = now;
    p->first_byte = 0;
    if (result == WRITE_STUCK)
        fail_later(p, GONE_STALLED, "does not read its input", 0);
    else if (result == WRITE_CLOSED)
        fail_closed(p, "closed its input");
}

static writer line_writer(char lines[DIALECT_TEXT_MAX]) {
    return writer_on(lines, DIALECT_TEXT_MAX);
}

static void expect_within(player *p, int64_t us) {
    uv_timer_start(&p->timer, on_late, (uint64_t)((us + 999) / 1000), 0);
}

static void become_idle(player *p) {
    uv_timer_stop(&p->timer);
    p->in_game |= p->state == PLAYER_NEW_GAME;
    p->state = PLAYER_IDLE;
    p->events->on_idle(p);
}

static bool is_rules(text name) { return text_is(name, "Rules") || text_is(name, "rules"); }

// An option that the engine has. `Rules` is set to the rules of the game, unless the settings have
// it too.
static void on_option(void *player_of, text name) {
    player *p = player_of;
    p->has_rules |= is_rules(name);
    char offered[sizeof p->options->similar];
    writer w = writer_on(offered, sizeof offered);
    write_text(&w, name);
    for (int i = 0; p->options && i < p->engine->option_count; i++) {
        text wanted = text_of(p->engine->options[i].name);
        player_option *o = &p->options[i];
        suggestion near = suggest_for(wanted);
        if (o->similar[0])
            near.distance = o->mistakes;
        suggest_offer(&near, offered);
        if (near.best) {
            o->mistakes = near.distance;
            memcpy(o->similar, offered, sizeof offered);
        }
        o->is_offered |= // case does not matter in UCI
            wanted.len == name.len && strncasecmp(wanted.at, name.at, name.len) == 0;
        if (is_rules(wanted))
            p->has_rules = false;
    }
}

static void warn_of_options(player *p) {
    char words[256];
    writer w = writer_on(words, sizeof words);
    for (int i = 0; p->options && i < p->engine->option_count; i++) {
        const player_option *o = &p->options[i];
        if (o->is_offered)
            continue;
        write_format(&w, "%s%s", w.used ? ", " : "has no option ",
                     fault_quote(text_of(p->engine->options[i].name)).shown);
        if (o->similar[0])
            write_format(&w, " (did you mean %s?)", o->similar);
    }
    if (w.used && p->events->on_warning)
        p->events->on_warning(p, words);
}

// After the greeting: sends the options, then asks whether the engine is ready.
static void set_up(player *p) {
    char lines[DIALECT_TEXT_MAX];
    writer out = line_writer(lines);
    warn_of_options(p);
    if (p->has_rules && p->world->rules)
        dialect_write_option(&p->host, text_of(dialect_properties_of(p->host.id)->rules_option),
                             text_of(p->world->rules), &out);
    for (int i = 0; i < p->engine->option_count; i++)
        dialect_write_option(&p->host, text_of(p->engine->options[i].name),
                             text_of(p->engine->options[i].value), &out);
    if (p->engine->ponder)
        dialect_write_option(&p->host, text_of(dialect_properties_of(p->host.id)->ponder_option),
                             text_of("true"), &out);
    bool answers = false;
    dialect_write_ping(&p->host, &answers, &out);
    p->state = PLAYER_SETUP;
    send_lines(p, (text){NULL, 0}, &out);
    if (p->state != PLAYER_SETUP)
        return;
    if (answers)
        expect_within(p, p->world->ready_us);
    else
        become_idle(p);
}

static void take_kept(player *p);

static bool may_be_silent(const player *p) {
    return dialect_properties_of(p->host.id)->greeting_is_optional && !p->world->must_greet;
}

static void on_late(uv_timer_t *timer) {
    player *p = timer->data;
    if (p->dropped) {
        // It did not exit when asked to, or its guard does not react.
        process_kill(&p->process, p->killed);
        p->killed = true;
        uv_timer_start(timer, on_late, LEAVE_MS, 0);
        return;
    }
    switch (p->state) {
    case PLAYER_HELLO:
        // Engines that need not greet are taken as they come.
        if (may_be_silent(p) && !p->host.has_done)
            set_up(p);
        else
            tell_gone(p, GONE_NOT_STARTED, 0, "did not answer the greeting");
        break;
    case PLAYER_SETUP:
        tell_gone(p, GONE_NOT_STARTED, 0, "did not get ready");
        break;
    case PLAYER_NEW_GAME:
        tell_gone(p, GONE_STALLED, 0, "did not get ready for the game");
        break;
    case PLAYER_STOPPING:
        tell_gone(p, GONE_STALLED, 0, "did not stop pondering");
        break;
    case PLAYER_THINKING:
        if (p->kept_count)
            take_kept(p);
        break;
    default:
        tell_gone(p, p->fate, 0, p->words);
        break;
    }
}

// Which of the answers after such a one come before their questions depends on time alone, and so
// does what comes after the end of a game: it is one fault a game.
static void count_unasked(player *p) {
    if (!p->in_game || p->answered_unasked)
        return;
    p->answered_unasked = true;
    p->unasked_games++;
    p->protocol_errors++;
}

static void understand(player *p, const dialect_event *event, int64_t now) {
    switch (event->kind) {
    case EVENT_HELLO:
        if (p->state == PLAYER_HELLO)
            set_up(p);
        break;
    case EVENT_WAIT:
        if (p->state == PLAYER_HELLO)
            expect_within(p, p->world->hello_us);
        break;
    case EVENT_READY:
        if (p->state == PLAYER_SETUP || p->state == PLAYER_NEW_GAME)
            become_idle(p);
        break;
    case EVENT_MALFORMED:
    case EVENT_REFUSED:
        p->protocol_errors++;
        p->events->on_event(p, event, now);
        break;
    case EVENT_OPTION: // on_option has it
    case EVENT_NONE:
    case EVENT_NAME:
    case EVENT_BYE:
        break;
    default:
        if (p->state == PLAYER_THINKING)
            p->events->on_event(p, event, now);
        else if (event->kind != EVENT_MOVE && event->kind != EVENT_NO_MOVE)
            break;
        else if (p->state == PLAYER_STOPPING)
            become_idle(p);
        else
            count_unasked(p); // on_line keeps it for the next request
        break;
    }
}

// --- what the process does ----------------------------------------------------------------------

static void keep_answer(player *p, text line) {
    count_unasked(p);
    if (p->kept_count == PLAYER_KEPT)
        return;
    writer w = writer_on(p->kept[p->kept_count++], PLAYER_ANSWER_SIZE);
    write_text(&w, line);
}

// Takes the oldest kept answer for the present request.
static void take_kept(player *p) {
    char line[PLAYER_ANSWER_SIZE];
    memcpy(line, p->kept[0], sizeof line);
    memmove(p->kept[0], p->kept[1], (size_t)--p->kept_count * sizeof p->kept[0]);
    dialect_event event = dialect_read(&p->host, text_of(line));
    understand(p, &event, clock_us());
}

static void on_line(process *child, text line, int64_t now, bool cut) {
    player *p = child->owner;
    if (p->dropped || p->told)
        return;
    p->never_spoke = false;
    if (p->world->woke < p->world->began_to_listen)
        p->world->woke = now;
    talk(p, false, line, now);
    if (cut) {
        dialect_event event = {.kind = EVENT_MALFORMED, .text = text_of("a line over the limit")};
        understand(p, &event, now);
        return;
    }
    dialect_event event = dialect_read(&p->host, line);
    if (event.is_binary && event.kind != EVENT_MALFORMED)
        p->protocol_errors++; // and it says something all the same
    bool is_early = p->state == PLAYER_IDLE || (p->state == PLAYER_THINKING && p->kept_count);
    if (is_early && (event.kind == EVENT_MOVE || event.kind == EVENT_NO_MOVE))
        keep_answer(p, line);
    else
        understand(p, &event, now);
}

static void on_first_byte(process *child, int64_t now) {
    player *p = child->owner;
    p->first_byte = now;
}

static void on_closed(process *child) {
    player *p = child->owner;
    if (!child->exited)
        fail_closed(p, "closed its output");
}

static void on_input_closed(process *child) {
    player *p = child->owner;
    process_drain(child); // a move that it wrote before counts
    if (!child->exited)
        fail_closed(p, "closed its input");
}

static void on_end(process *child, int64_t status, int signal_number) {
    player *p = child->owner;
    p->process_ended = true;
    if (!p->dropped && !p->told) {
        char words[64];
        writer w = writer_on(words, sizeof words);
        if (signal_number == OS_GUARD_ENDED && p->words) {
            tell_gone(p, p->fate, 0, p->words);
        } else if (signal_number) {
            write_format(&w, "crashed (signal %d)", signal_number);
            tell_gone(p, GONE_CRASHED, signal_number, words);
        } else if (p->why.line[0]) {
            tell_gone(p, GONE_NO_MEANS, 0, p->why.line);
        } else if (status == 127 && p->never_spoke) {
            tell_gone(p, GONE_NOT_STARTED, 127, "cannot be started");
        } else {
            write_format(&w, "exited (status %d)", (int)status);
            tell_gone(p, GONE_EXITED, (int)status, words);
        }
    }
    if (p->dropped)
        close_timer(p);
}

static const process_events process_handlers = {on_line, on_first_byte, on_closed, on_input_closed,
                                                on_end};

// --- what the owner asks for --------------------------------------------------------------------

player *player_start(player_world *world, const match_engine *engine, const player_events *events,
                     void *owner) {
    return player_start_on(world, engine, -1, events, owner);
}

player *player_start_on(player_world *world, const match_engine *engine, int processor,
                        const player_events *events, void *owner) {
    player *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->engine = engine;
    p->world = world;
    p->events = events;
    p->owner = owner;
    p->state = PLAYER_HELLO;
    dialect_host_init(&p->host, engine->dialect, world->game);
    p->host.on_option = on_option;
    p->host.option_context = p;
    if (engine->option_count)
        p->options = calloc((size_t)engine->option_count, sizeof *p->options);
    uv_timer_init(world->loop, &p->timer);
    p->timer.data = p;
    process_plan plan = {.command = engine->command,
                         .directory = engine->directory,
                         .kraton = world->kraton,
                         .processor = processor,
                         .in_session = world->in_sessions,
                         .error_fd = world->error_fd,
                         .read_buffer = world->read_buffer};
    p->never_spoke = true;
    if (!process_start(&p->process, world->loop, &plan, &process_handlers, p, &p->why))
        return p; // on_end follows and tells
    char lines[DIALECT_TEXT_MAX];
    writer out = line_writer(lines);
    if (engine->first_lines)
        write_string(&out, engine->first_lines);
    dialect_write_hello(&p->host, &out);
    expect_within(p, may_be_silent(p) ? SILENT_HELLO_US : world->hello_us);
    send_lines(p, (text){NULL, 0}, &out);
    return p;
}

static bool write_moves(player *p, const rules_move *moves, int count, writer *out) {
    rules_set set = rules_default_set(p->world->game);
    void *memory = malloc(rules_state_size((uint32_t)count));
    if (!memory)
        return false;
    rules_state *state = rules_state_new(memory, p->world->game, &set, (uint32_t)count);
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = dialect_played(&p->host, state, moves[i], false, out) &&
               rules_play(state, moves[i], NULL);
    free(memory);
    return good;
}

static void begin_game(player *p, int side, const dialect_limits *control, const char *fen,
                       const rules_move *moves, int count) {
    char lines[DIALECT_TEXT_MAX];
    writer out = line_writer(lines);
    bool answers = false;
    dialect_write_new_game(&p->host, side, control, &answers, &out);
    bool possible =
        dialect_begin(&p->host, fen, &out) && (!count || write_moves(p, moves, count, &out));
    p->state = PLAYER_NEW_GAME;
    p->kept_count = 0; // of the last game
    p->in_game = p->answered_unasked = false;
    send_lines(p, (text){NULL, 0}, &out);
    if (p->state != PLAYER_NEW_GAME)
        return;
    if (!possible)
        fail_later(p, GONE_STALLED, "its protocol cannot set up this position", 0);
    else if (answers)
        expect_within(p, p->world->ready_us);
    else
        become_idle(p);
}

void player_new_game(player *p, int side, const dialect_limits *control, const char *fen) {
    begin_game(p, side, control, fen, NULL, 0);
}

void player_new_game_by_moves(player *p, int side, const dialect_limits *control,
                              const rules_move *moves, int count) {
    begin_game(p, side, control, NULL, moves, count);
}

void player_played(player *p, const rules_state *before, rules_move move, bool own) {
    char lines[DIALECT_TEXT_MAX];
    writer out = line_writer(lines);
    if (!dialect_played(&p->host, before, move, own, &out))
        fail_later(p, GONE_STALLED, "its protocol cannot follow the game", 0);
    else
        send_lines(p, (text){NULL, 0}, &out);
}

void player_think(player *p, int side, const dialect_limits *limits) {
    char lines[DIALECT_TEXT_MAX];
    writer out = line_writer(lines);
    text position = dialect_write_go(&p->host, side, limits, &out);
    p->state = PLAYER_THINKING;
    p->request_written = clock_us(); // SAU asks by the opponent's move alone
    send_lines(p, position, &out);
    if (p->kept_count && p->state == PLAYER_THINKING)
        uv_timer_start(&p->timer, on_late, 0, 0);
}

void player_rest(player *p) {
    if (p->state == PLAYER_THINKING)
        p->state = PLAYER_IDLE;
}

static void write_and_send(player *p, void (*write)(dialect_host *, writer *)) {
    char lines[DIALECT_TEXT_MAX];
    writer out = line_writer(lines);
    write(&p->host, &out);
    send_lines(p, (text){NULL, 0}, &out);
}

void player_hurry(player *p) { write_and_send(p, dialect_write_stop); }

void player_set_option(player *p, text name, text value) {
    char lines[DIALECT_TEXT_MAX];
    writer out = line_writer(lines);
    dialect_write_option(&p->host, name, value, &out);
    send_lines(p, (text){NULL, 0}, &out);
}

void player_retry(player *p) {
    int64_t written = p->request_written, first = p->first_byte; // the request is still the first
    write_and_send(p, dialect_write_retry);
    p->request_written = written;
    p->first_byte = first;
}

void player_ponder(player *p, const rules_state *now, rules_move guess,
                   const dialect_limits *limits) {
    char lines[DIALECT_TEXT_MAX];
    writer out = line_writer(lines);
    if (p->state != PLAYER_IDLE || !dialect_write_ponder(&p->host, now, guess, limits, &out))
        return;
    p->state = PLAYER_PONDERING;
    send_lines(p, (text){NULL, 0}, &out);
}

void player_ponder_hit(player *p) {
    p->state = PLAYER_THINKING;
    write_and_send(p, dialect_write_ponder_hit);
}

void player_stop_pondering(player *p) {
    p->state = PLAYER_STOPPING;
    expect_within(p, p->world->ready_us);
    write_and_send(p, dialect_write_stop);
}

void player_end_game(player *p, rules_outcome outcome, const char *reason) {
    p->in_game = false;
    if (p->state == PLAYER_GONE)
        return;
    char lines[DIALECT_TEXT_MAX];
    writer out = line_writer(lines);
    dialect_write_result(&p->host, outcome, reason, &out);
    send_lines(p, (text){NULL, 0}, &out);
}

void player_drop(player *p, bool at_once) {
    if (p->dropped)
        return;
    bool polite = !at_once && p->process.running && !p->process.exited && p->state != PLAYER_GONE;
    p->dropped = true; // nobody is told anything from here on
    if (p->process_ended) {
        close_timer(p);
        return;
    }
    if (polite)
        write_and_send(p, dialect_write_quit);
    else
        process_kill(&p->process, false);
    p->killed = !polite;
    uv_timer_start(&p->timer, on_late, LEAVE_MS, 0);
}
