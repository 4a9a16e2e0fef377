// kraton-stub: an engine for tests and measurements that does not search. It plays every game in
// any protocol and answers at once. Its move depends only on the seed, the position and how many
// moves were played. With --fault it misbehaves as real engines sometimes do.
#include "base/pipe.h"
#include "dialect/engine/engine.h"
#include "os/clock.h"
#include "os/process.h"
#include "os/thread.h"
#include "stub/misbehave.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIFETIME_SECONDS = 600 }; // of one that nobody can get rid of otherwise

typedef struct {
    const rules_game *game;
    uint64_t seed;
    misbehaviour misbehaviour;
    int64_t think_us, delay_us;
    int64_t nodes;  // to report; -1: the number of legal moves
    int32_t depth;  // to report
    int32_t score;  // to report
    bool has_score; // else a small one made from the position
    bool is_silent; // no line of thinking
} stub_settings;

typedef struct {
    stub_settings set;
    dialect_engine engine;
    line_pipe pipe;
    int moves;           // its own, in this game
    bool must_answer;    // thinking, with an answer due
    bool may_answer;     // and not infinite or pondering
    int64_t deadline_us; // when thinking
    dialect_search search;
} stub;

// --- choosing a move ----------------------------------------------------------------------------

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t z = (a ^ b) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t position_hash(const stub *s) {
    return mix(mix(s->set.seed, rules_key(s->engine.state)), rules_ply(s->engine.state));
}

// The move whose hash is least: no order of generation matters.
static rules_move choose(const stub *s, const rules_move *moves, int count) {
    uint64_t hash = position_hash(s), least = UINT64_MAX;
    rules_move chosen = MOVE_NONE;
    for (int i = 0; i < count; i++) {
        uint64_t h = mix(hash, moves[i]);
        if (h <= least) {
            least = h;
            chosen = moves[i];
        }
    }
    return chosen;
}

static rules_move illegal_move(const stub *s) {
    const rules_properties *game = rules_properties_of(s->set.game);
    int points = game->files * game->ranks;
    for (uint64_t h = position_hash(s);; h = mix(h, 1)) {
        rules_move move = move_of((int)(h % (unsigned)points), (int)((h >> 32) % (unsigned)points));
        if (move_from(move) != move_to(move) && !rules_is_legal(s->engine.state, move))
            return move;
    }
}

// --- misbehaviour -------------------------------------------------------------------------------

// Does nothing until it is killed.
static _Noreturn void stay(void) {
    os_sleep_us(LIFETIME_SECONDS * INT64_C(1000000));
    _Exit(1);
}

static void send_string(const char *s) { pipe_send(text_of(s)); }

static _Noreturn void flood_info(stub *s) {
    dialect_report report = {
        .depth = 1, .has_score = true, .nodes = 1, .time_ms = 0, .hash_full = -1};
    for (;;) {
        dialect_engine_write_info(&s->engine, &report, &s->pipe.out);
        if (s->pipe.out.used == 0) // a protocol or manager that wants no thinking
            write_string(&s->pipe.out, "# thinking\n");
        if (s->pipe.out.used > PIPE_OUTPUT_MAX / 2)
            pipe_flush(&s->pipe);
    }
}

static void flood(size_t bytes) {
    static char block[1 << 16];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = i % 80 == 79 ? '\n' : (char)('!' + i % 90);
    for (size_t sent = 0; sent < bytes; sent += sizeof block)
        pipe_send((text){block, sizeof block});
}

static void send_binary(stub *s) {
    char bytes[4096];
    uint64_t h = position_hash(s);
    for (size_t i = 0; i < sizeof bytes; i++) {
        h = mix(h, i);
        bytes[i] = (char)(h & 0xff);
    }
    bytes[sizeof bytes - 1] = '\n';
    pipe_send((text){bytes, sizeof bytes});
}

static void send_long_line(void) {
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    send_string("info string ");
    for (int i = 0; i < 16; i++)
        pipe_send((text){block, sizeof block});
    send_string("\n");
}

static void leave_a_process(void) {
    char path[4096];
    char *const arguments[] = {"kraton-stub", "--fault", "mute", NULL};
    if (!os_self_path(path, sizeof path) || !os_process_start(path, arguments))
        abort();
}

// A move as the protocol has it, whatever the word.
static void write_raw_move(stub *s, const char *word) {
    static const char *const before[DIALECTS] = {"bestmove ", "bestmove ", "move ", "move "};
    write_format(&s->pipe.out, "%s%s\n", before[s->engine.id], word);
}

static void write_raw(stub *s, rules_move move) {
    char word[RULES_MOVE_SIZE];
    writer w = writer_on(word, sizeof word);
    rules_format_move(s->engine.state, move, s->engine.notation, &w);
    write_raw_move(s, word);
}

static void write_late_lines(stub *s) {
    dialect_report late = {.depth = 9, .has_score = true, .score = 99, .nodes = 99, .time_ms = 9};
    dialect_engine_write_info(&s->engine, &late, &s->pipe.out);
    write_string(&s->pipe.out, "one more thing\n");
}

static void write_bad_score(stub *s) {
    write_string(&s->pipe.out, "info depth x score cp potato nodes -1 pv\n"
                               "info score mate\n9 potato x y\n");
}

// What happens before the move; false: the move is not to be sent.
static bool misbehave_before(stub *s) {
    int side = rules_side_to_move(s->engine.state);
    pipe_flush(&s->pipe); // whatever it is, it comes after what was said before
    switch (s->set.misbehaviour.kind) {
    case MISBEHAVE_CRASH:
        abort();
    case MISBEHAVE_EXIT:
        _Exit(3);
    case MISBEHAVE_HANG:
        stay();
    case MISBEHAVE_FLOOD_INFO:
        flood_info(s);
    case MISBEHAVE_FLOOD:
        flood((size_t)32 << 20);
        return true;
    case MISBEHAVE_CLOSE_STDOUT: {
        os_file out = os_standard_output();
        os_file_close(&out);
        stay();
    }
    case MISBEHAVE_BINARY:
        send_binary(s);
        return true;
    case MISBEHAVE_LONG_LINE:
        send_long_line();
        return true;
    case MISBEHAVE_BAD_SCORE:
        write_bad_score(s);
        return true;
    case MISBEHAVE_WORDS:
        dialect_engine_write_words(&s->engine, text_of("NNUE evaluation using stub.nnue"),
                                   &s->pipe.out);
        dialect_engine_write_words(&s->engine, text_of("bestmove is a word too"), &s->pipe.out);
        return true;
    case MISBEHAVE_FORK:
        if (s->moves == s->set.misbehaviour.from_move)
            leave_a_process();
        return true;
    case MISBEHAVE_ILLEGAL_ONCE:
        s->set.misbehaviour.kind = MISBEHAVE_NONE; // fall through
    case MISBEHAVE_ILLEGAL:
        write_raw(s, illegal_move(s));
        return false;
    case MISBEHAVE_WRONG_GAME:
        write_raw_move(s, rules_has_notation(s->set.game, NOTATION_SAU) ? "h2e2" : "EBFC");
        return false;
    case MISBEHAVE_CLAIM_DRAW:
    case MISBEHAVE_CLAIM_WIN: {
        size_t used = s->pipe.out.used;
        bool draw = s->set.misbehaviour.kind == MISBEHAVE_CLAIM_DRAW;
        rules_outcome win = side == 0 ? RULES_FIRST_WINS : RULES_SECOND_WINS;
        dialect_engine_write_claim(&s->engine, draw ? RULES_DRAW : win, "says the stub",
                                   &s->pipe.out);
        return s->pipe.out.used == used;
    }
    default:
        return true;
    }
}

static void misbehave_after(stub *s) {
    switch (s->set.misbehaviour.kind) {
    case MISBEHAVE_NO_NEWLINE:
        s->pipe.out.used--;
        break;
    case MISBEHAVE_LATE_OUTPUT:
        write_late_lines(s);
        break;
    case MISBEHAVE_EARLY: {
        rules_move moves[RULES_MAX_MOVES];
        int n = rules_legal_moves(s->engine.state, moves);
        write_raw(s, n ? choose(s, moves, n) : move_of(0, 1));
        break;
    }
    default:
        break;
    }
}

// --- answering ----------------------------------------------------------------------------------

static void report(stub *s, rules_move move, int legal) {
    dialect_report r = {.depth = s->set.depth,
                        .has_score = true,
                        .score = s->set.has_score ? s->set.score
                                                  : (int32_t)(position_hash(s) % 101) - 50,
                        .nodes = s->set.nodes >= 0 ? s->set.nodes : legal,
                        .time_ms = s->set.think_us / 1000,
                        .hash_full = -1,
                        .pv = &move,
                        .pv_count = 1};
    dialect_engine_write_info(&s->engine, &r, &s->pipe.out);
}

static void answer(stub *s) {
    rules_move moves[RULES_MAX_MOVES];
    int legal = rules_legal_moves(s->engine.state, moves);
    bool limited = s->search.allowed_count > 0;
    bool misbehaves = ++s->moves >= s->set.misbehaviour.from_move &&
                      s->set.misbehaviour.kind < MISBEHAVE_NO_START;
    dialect_answer a = {.move = choose(s, limited ? s->engine.allowed : moves,
                                       limited ? s->search.allowed_count : legal)};
    s->must_answer = false;
    if (legal == 0 || s->search.is_void) {
        dialect_engine_write_no_move(&s->engine, &s->pipe.out);
        return;
    }
    if (misbehaves && !misbehave_before(s)) {
        s->engine.is_thinking = false;
        return;
    }
    if (!s->set.is_silent)
        report(s, a.move, legal);
    a.offers_draw = misbehaves && s->set.misbehaviour.kind == MISBEHAVE_OFFER_DRAW;
    a.resigns = misbehaves && s->set.misbehaviour.kind == MISBEHAVE_RESIGN;
    dialect_engine_write_move(&s->engine, &a, &s->pipe.out);
    if (misbehaves)
        misbehave_after(s);
}

static void begin_thinking(stub *s, const dialect_command *c) {
    s->search = c->go;
    s->must_answer = !c->go.is_analysis;
    s->may_answer = !c->go.is_infinite && !c->go.is_ponder;
    s->deadline_us = s->set.think_us ? clock_us() + s->set.think_us : 0;
    if (s->may_answer && s->must_answer && s->set.think_us == 0)
        answer(s);
}

static void leave(const stub *s) {
    if (s->set.misbehaviour.kind == MISBEHAVE_IGNORE_QUIT ||
        s->set.misbehaviour.kind == MISBEHAVE_STUBBORN)
        stay();
    exit(0);
}

static void act(stub *s, const dialect_command *c) {
    if (c->abandons)
        s->must_answer = false;
    if (c->is_new_game)
        s->moves = 0;
    switch (c->kind) {
    case COMMAND_GO:
        begin_thinking(s, c);
        break;
    case COMMAND_PONDER_HIT:
        s->may_answer = true;
        break;
    case COMMAND_STOP:
        if (s->must_answer)
            answer(s);
        break;
    case COMMAND_QUIT:
        pipe_flush(&s->pipe);
        leave(s);
        break;
    case COMMAND_NONE:
    case COMMAND_OPTION:
    case COMMAND_DRAW_OFFER:
        break;
    }
}

static _Noreturn void serve(stub *s) {
    for (;;) {
        text line;
        while (pipe_next_line(&s->pipe, &line)) {
            dialect_command c = dialect_engine_read(&s->engine, line, &s->pipe.out);
            act(s, &c);
            if (s->pipe.out.used > PIPE_OUTPUT_MAX - DIALECT_TEXT_MAX)
                pipe_flush(&s->pipe);
        }
        bool thinks = s->must_answer && s->may_answer;
        int64_t wait = thinks ? s->deadline_us - clock_us() : -1;
        if (thinks && wait <= 0) {
            answer(s);
            continue;
        }
        pipe_flush(&s->pipe);
        if (s->pipe.is_closed)
            leave(s);
        (void)pipe_wait(&s->pipe, thinks ? wait : -1);
    }
}

// --- the command line ---------------------------------------------------------------------------

static void usage(FILE *to) {
    fputs("usage: kraton-stub [option...]\n"
          "An engine that plays random moves, for tests; it speaks uci, ucci, cecp and sau.\n"
          "  --game NAME      the game\n"
          "  --seed N         another player for every N\n"
          "  --dialect NAME   do not wait for the first line to tell\n"
          "  --name TEXT      what it calls itself\n"
          "  --think MS       time per move\n"
          "  --score N        the score it reports, in centipawns\n"
          "  --depth N        the depth it reports\n"
          "  --nodes N        the nodes it reports\n"
          "  --silent         no line of thinking\n"
          "  --variant        offer UCI_Variant: squares a1..i10\n"
          "  --no-setup       over cecp, do not know setboard\n"
          "  --delay MS       how late slow-start is\n"
          "  --fault KIND[@N] misbehave from the N-th move of each game (3):\n",
          to);
    for (int i = 1; misbehaviour_name(i); i++)
        fprintf(to, "%s%s", i % 7 == 1 ? "\n      " : " ", misbehaviour_name(i));
    fputs("\n", to);
}

static _Noreturn void refuse(const char *option) {
    fprintf(stderr, "kraton-stub: %s: not understood\n", option);
    usage(stderr);
    exit(2);
}

static int64_t number(const char *option, const char *value, int64_t low) {
    int64_t n;
    if (!value || !text_to_int(text_of(value), low, INT64_MAX / 1000, &n))
        refuse(option);
    return n;
}

static const dialect_option options[] = {
    {.name = "Hash",
     .ucci = "hashsize",
     .type = OPTION_SPIN,
     .initial = "16",
     .low = 1,
     .high = 4096},
    {.name = "Threads",
     .ucci = "threads",
     .type = OPTION_SPIN,
     .initial = "1",
     .low = 1,
     .high = 64},
    {.name = "Ponder", .ucci = "ponder", .type = OPTION_CHECK, .initial = "false"},
    {0},
};

typedef struct {
    dialect_identity identity;
    bool has_dialect;
    dialect_id dialect;
} stub_speech;

// One option and its value; how many arguments it took.
static int read_argument(const char *option, const char *value, stub_settings *set,
                         stub_speech *speech) {
    text name = text_of(option);
    if (text_is(name, "--silent")) {
        set->is_silent = true;
        return 1;
    }
    if (text_is(name, "--variant")) {
        speech->identity.has_variant = true;
        return 1;
    }
    if (text_is(name, "--no-setup")) {
        speech->identity.has_no_setup = true;
        return 1;
    }
    if (text_is(name, "--game"))
        set->game = value ? rules_find(text_of(value)) : NULL;
    else if (text_is(name, "--seed"))
        set->seed = (uint64_t)number(option, value, 0);
    else if (text_is(name, "--think"))
        set->think_us = 1000 * number(option, value, 0);
    else if (text_is(name, "--delay"))
        set->delay_us = 1000 * number(option, value, 0);
    else if (text_is(name, "--nodes"))
        set->nodes = number(option, value, 0);
    else if (text_is(name, "--depth"))
        set->depth = (int32_t)(number(option, value, 0) & INT32_MAX);
    else if (text_is(name, "--score")) {
        set->score = (int32_t)number(option, value, -1000000);
        set->has_score = true;
    } else if (text_is(name, "--name") && value)
        speech->identity.name = value;
    else if (text_is(name, "--dialect") && value && dialect_find(text_of(value), &speech->dialect))
        speech->has_dialect = true;
    else if (!text_is(name, "--fault") || !value ||
             !misbehaviour_parse(text_of(value), &set->misbehaviour))
        refuse(option);
    if (!set->game)
        refuse(option);
    return 2;
}

static void ignore(int number) { (void)number; }

static void misbehave_at_start(const stub_settings *set) {
    if (set->misbehaviour.kind == MISBEHAVE_NO_START)
        exit(1);
    if (set->misbehaviour.kind == MISBEHAVE_MUTE)
        stay();
    if (set->misbehaviour.kind == MISBEHAVE_STUBBORN)
        os_process_on_interrupt(ignore);
    if (set->misbehaviour.kind == MISBEHAVE_SLOW_START)
        os_sleep_us(set->delay_us);
}

int main(int count, char **arguments) {
    static stub s;
    os_process_begin(&count, &arguments);
    s.set =
        (stub_settings){.game = rules_default_game(), .nodes = -1, .depth = 1, .delay_us = 1500000};
    stub_speech speech = {
        .identity = {.name = "Kraton stub", .author = "the Kraton authors", .options = options}};
    for (int i = 1; i < count;) {
        if (text_is(text_of(arguments[i]), "--help")) {
            usage(stdout);
            return 0;
        }
        i += read_argument(arguments[i], arguments[i + 1], &s.set, &speech);
    }
    misbehave_at_start(&s.set);
    rules_set rules = rules_default_set(s.set.game);
    void *memory = malloc(rules_state_size(RULES_MAX_PLIES));
    if (!memory)
        return 1;
    pipe_init(&s.pipe);
    dialect_engine_init(&s.engine, s.set.game,
                        rules_state_new(memory, s.set.game, &rules, RULES_MAX_PLIES),
                        &speech.identity);
    if (speech.has_dialect)
        dialect_engine_speak(&s.engine, speech.dialect);
    serve(&s);
}
