// Analysis for clients: the best lines of a position from our engine, streaming in. One at a time
// for each session, within a quota, behind the house bots, not while a tournament of an arbiter is
// being played, not for somebody who is playing a rated game of the same kind, and not of a
// position that stands on the board of one.
#include "features/engines.h"
#include "features/fairplay.h"
#include "features/features.h"
#include "features/tournament.h"
#include "server/game.h"
#include "server/ratelimit.h"

#include <stdlib.h>

enum {
    MOST_MS = 10000, // of one position
    BURST = 30,      // positions at once,
    RATE = 1,        // and a second
    MOST_PLIES = 1024
};

typedef struct {
    int64_t count; // of analyses so far: the number of the last
} analyses;

static session *find_asker(server *srv, int64_t id) {
    for (session *s = session_of(srv->sessions.first); s; s = session_of(s->link.next))
        if (s->analysis == id)
            return s;
    return NULL;
}

// --- what the engine says -----------------------------------------------------------------------

static void on_line(server *srv, int64_t id, const dialect_info *info, int number) {
    session *s = find_asker(srv, id);
    if (!s || !info->has_score)
        return;
    message m = {.verb = "line"};
    message_number(&m, "id", id);
    message_number(&m, "n", number);
    message_number(&m, "depth", info->depth);
    message_number(&m, info->is_mate ? "mate" : "score", info->score);
    if (info->nodes >= 0)
        message_number(&m, "nodes", info->nodes);
    if (info->time_ms >= 0)
        message_number(&m, "ms", info->time_ms);
    message_words(&m, "pv", info->pv);
    session_send(s, &m);
    message_free(&m);
    turns_want(&srv->turns);
}

static void on_answer(server *srv, int64_t id, rules_move move, const dialect_info *info,
                      const char *why) {
    (void)info;
    session *s = find_asker(srv, id);
    if (!s)
        return;
    s->analysis = 0;
    message m = {.verb = "analysed"};
    message_number(&m, "id", id);
    if (move == MOVE_NONE && why)
        message_string(&m, "words", why);
    session_send(s, &m);
    message_free(&m);
}

static void forget(session *s) {
    if (s->analysis)
        engines_forget(engines_of(s->server), ASKER_ANALYSIS, s->analysis);
    s->analysis = 0;
}

// --- what visitors ask --------------------------------------------------------------------------

// Nobody is helped in a rated game; tournaments of arbiters have the machine to themselves.
static const char *refusal(session *s, const rules_game *rules) {
    server *srv = s->server;
    if (srv->options->house_bots < 2)
        return "this server has no engines for analysis";
    if (tournaments_need_quiet(srv))
        return "a tournament is being played; analysis goes on afterwards";
    for (list_link *l = s->member ? s->member->seats.first : NULL; l; l = l->next)
        if (seat_of(l)->game->row.rated && seat_of(l)->game->rules == rules)
            return "you are playing a rated game";
    return NULL;
}

// Sets up the position and plays the moves of the request.
static bool read_position(const request *r, rules_state *state, fault *why) {
    text fen = request_text(r, "fen"), moves = request_text(r, "moves");
    if (fen.len && !rules_set_fen(state, fen, why))
        return false;
    while (moves.len) {
        size_t end = 0;
        while (end < moves.len && moves.at[end] != ',' && moves.at[end] != ' ')
            end++;
        rules_move move;
        if (end > 0 && (!rules_parse_move(state, (text){moves.at, end}, &move, why) ||
                        !rules_play(state, move, why)))
            return false;
        moves = text_skip(moves, end + 1);
    }
    return rules_result(state).outcome == RULES_ONGOING || fault_set(why, "that game is over");
}

static void ask(session *s, const request *r, const rules_state *state) {
    int64_t ms, count;
    fault why;
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    write_text(&w, request_text(r, "fen"));
    if (!request_number(r, "ms", 100, MOST_MS, 3000, &ms, &why) ||
        !request_number(r, "lines", 1, 5, 1, &count, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    analyses *all = feature_state(s->server, &analysis_feature);
    s->analysis = ++all->count;
    engine_question q = {.kind = ASKER_ANALYSIS,
                         .id = s->analysis,
                         .visitor = session_visitor(s),
                         .state = state,
                         .start = fen,
                         .variations = (int)count,
                         .limits = {.clock_us = {-1, -1}, .move_time_us = ms * 1000}};
    if (!engines_ask(engines_of(s->server), &q)) {
        s->analysis = 0;
        session_refuse(s, "busy", "too many are waiting");
        return;
    }
    message m = {.verb = "analysing"};
    message_number(&m, "id", s->analysis);
    session_send(s, &m);
    message_free(&m);
}

static void on_analyse(session *s, const request *r) {
    const rules_game *rules = rules_find(request_text(r, "game"));
    fault why;
    if (!rules) {
        char known[64];
        writer w = writer_on(known, sizeof known);
        rules_write_names(&w);
        session_refuse(s, "field", "game: %s", known);
        return;
    }
    const char *no = refusal(s, rules);
    if (no) {
        session_refuse(s, "analysis", "%s", no);
        return;
    }
    if (!bucket_take(&s->analyses, BURST, RATE, clock_us()) ||
        !ratelimit_take(s->server->ratelimit, s->connection->address, LIMIT_ANALYSIS, clock_us())) {
        session_refuse(s, "quota", "too many positions; wait a little");
        return;
    }
    rules_set set = rules_default_set(rules);
    text spec = request_text(r, "rules");
    if (spec.len && !rules_set_parse(rules, spec, &set, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    forget(s);
    void *memory = malloc(rules_state_size(MOST_PLIES));
    if (!memory)
        return;
    rules_state *state = rules_state_new(memory, rules, &set, MOST_PLIES);
    if (!read_position(r, state, &why))
        session_refuse(s, "position", "%s", why.line);
    else if (fairplay_holds(s->server, state))
        session_refuse(s, "analysis", "that is being played in a rated game");
    else
        ask(s, r, state);
    free(memory);
}

static void on_stop(session *s, const request *r) {
    (void)r;
    forget(s);
}

static const verb verbs[] = {
    {"analyse", on_analyse, .only_reads = true},
    {"stop", on_stop, .only_reads = true},
    {.name = NULL},
};

static void *start(server *srv, fault *why) {
    (void)why;
    engines_set_asker(engines_of(srv), ASKER_ANALYSIS, (engine_asker){on_line, on_answer});
    return calloc(1, sizeof(analyses));
}

const feature analysis_feature = {
    .name = "analysis", .verbs = verbs, .start = start, .free = free, .on_session_closed = forget};
