#include "server/game_record.h"

#include <stdlib.h>

static void copy_name(world *w, int64_t player, char name[PLAYER_NAME_SIZE]) {
    const member *m = table_find(&w->members, player);
    stored_player p;
    writer out = writer_on(name, PLAYER_NAME_SIZE);
    if (m)
        write_string(&out, m->name);
    else if (store_find_player(w->store, player, &p))
        write_string(&out, p.name);
}

bool game_copy_get(world *w, int64_t id, game_copy *copy) {
    *copy = (game_copy){0};
    const game *g = game_find(w, id);
    if (g) {
        copy->row = g->row;
        copy->count = (int)rules_ply(referee_state(g->judge));
        copy->moves = g->moves;
    } else {
        if (!store_find_game(w->store, id, &copy->row))
            return false;
        copy->moves = copy->owned = store_game_moves(w->store, id, &copy->count);
    }
    for (int side = 0; side < 2; side++)
        copy_name(w, copy->row.players[side], copy->names[side]);
    return true;
}

void game_copy_free(game_copy *copy) {
    free(copy->owned);
    copy->owned = NULL;
}

static bool set_tag(record *r, const char *name, const char *value) {
    return value[0] == '\0' || record_set_tag(r, text_of(name), text_of(value));
}

static bool add_moves(const game_copy *copy, record *r, fault *why) {
    rules_set set = rules_default_set(r->game);
    void *memory =
        aligned_alloc(16, (rules_state_size((uint32_t)copy->count + 1) + 15) & ~(size_t)15);
    if (!memory)
        return fault_set(why, "out of memory");
    rules_state *s = rules_state_new(memory, r->game, &set, (uint32_t)copy->count + 1);
    bool good = r->fen[0] == '\0' || rules_set_fen(s, text_of(r->fen), why);
    for (int i = 0; good && i < copy->count; i++) {
        rules_move move;
        good = rules_parse_move(s, text_of(copy->moves[i].move), &move, why) &&
               rules_play(s, move, why) &&
               (record_add_move(r, move) || fault_set(why, "out of memory"));
    }
    free(memory);
    return good;
}

bool game_copy_record(const game_copy *copy, record *r, fault *why) {
    const stored_game *row = &copy->row;
    record_init(r, rules_find(text_of(row->game)));
    writer w = writer_on(r->first, sizeof r->first);
    write_string(&w, copy->names[0]);
    w = writer_on(r->second, sizeof r->second);
    write_string(&w, copy->names[1]);
    w = writer_on(r->event, sizeof r->event);
    write_string(&w, row->rated ? "Rated game" : "Casual game");
    w = writer_on(r->site, sizeof r->site);
    write_string(&w, "Kraton");
    char moment[32], number[32];
    w = writer_on(moment, sizeof moment);
    world_write_moment(&w, row->started);
    w = writer_on(r->date, sizeof r->date); // the day only: PGN's form
    write_format(&w, "%.4s.%.2s.%.2s", moment, moment + 5, moment + 8);
    w = writer_on(r->fen, sizeof r->fen);
    write_string(&w, row->fen);
    r->result = (rules_outcome)row->outcome;
    w = writer_on(number, sizeof number);
    write_number(&w, row->id);
    bool good = set_tag(r, "GameId", number) && set_tag(r, "TimeControl", row->control) &&
                set_tag(r, "Rules", row->rules) && set_tag(r, "Termination", row->reason) &&
                set_tag(r, "Verdict", row->words);
    return good ? add_moves(copy, r, why) : fault_set(why, "too many tags");
}

const char *game_record_type(record_format format) {
    return format == RECORD_JSON      ? "application/json"
           : format == RECORD_PGN     ? "application/x-chess-pgn"
           : format == RECORD_CONTEST ? "text/plain; charset=gbk"
                                      : "text/plain; charset=utf-8";
}

// --- JSON ---------------------------------------------------------------------------------------

static void set_moment(json_t *object, const char *key, int64_t wall) {
    char moment[32];
    writer w = writer_on(moment, sizeof moment);
    world_write_moment(&w, wall);
    json_object_set_new(object, key, wall ? json_string(moment) : json_null());
}

json_t *game_copy_json(const game_copy *copy) {
    static const char *const sides[] = {"none", "first", "second"};
    const stored_game *row = &copy->row;
    json_t *j =
        json_pack("{sI,ss,ss,ss,sb,ss,ss,si}", "id", (json_int_t)row->id, "game", row->game,
                  "rules", row->rules, "tc", row->control, "rated", row->rated, "first_name",
                  copy->names[0], "second_name", copy->names[1], "plies", copy->count);
    if (!j)
        return NULL;
    if (row->fen[0])
        json_object_set_new(j, "fen", json_string(row->fen));
    if (row->tournament) {
        json_object_set_new(j, "tournament", json_integer(row->tournament));
        json_object_set_new(j, "round", json_integer(row->round));
    }
    set_moment(j, "started", row->started);
    set_moment(j, "ended", row->ended);
    json_object_set_new(j, "outcome", json_string(rules_outcome_name((rules_outcome)row->outcome)));
    if (row->ended) {
        json_object_set_new(j, "reason", json_string(row->reason));
        json_object_set_new(j, "side", json_string(sides[row->side + 1]));
        json_object_set_new(j, "words", json_string(row->words));
    }
    return j;
}

json_t *game_copy_move_json(const game_copy *copy, int ply) {
    const stored_move *m = &copy->moves[ply - 1];
    json_t *j = json_pack("{si,ss,sI,sI,sI,sI,sI,sI,sI}", "ply", ply, "move", m->move, "queued",
                          (json_int_t)m->queued, "written", (json_int_t)m->written, "read",
                          (json_int_t)m->read, "accepted", (json_int_t)m->accepted, "lag",
                          (json_int_t)m->lag, "used", (json_int_t)m->used, "remaining",
                          (json_int_t)m->remaining);
    if (j && m->has_score)
        json_object_set_new(j, m->is_mate ? "mate" : "score", json_integer(m->score));
    if (j && m->depth)
        json_object_set_new(j, "depth", json_integer(m->depth));
    if (j && m->nodes >= 0)
        json_object_set_new(j, "nodes", json_integer(m->nodes));
    return j;
}
