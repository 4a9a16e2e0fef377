#include "features/game_record.h"

#include "match/mark.h"
#include "store/archive.h"
#include "store/tournaments.h"

#include <stdlib.h>

static void copy_name(server *srv, int64_t player, char name[PLAYER_NAME_SIZE]) {
    const member *m = table_find(&srv->members, player);
    stored_player p;
    writer out = writer_on(name, PLAYER_NAME_SIZE);
    if (m)
        write_string(&out, m->name);
    else if (store_find_player(srv->store, player, &p))
        write_string(&out, p.name);
}

// Only for finished games: lists of live games are requested often.
static void copy_event(store *s, game_copy *copy) {
    stored_tournament t;
    writer out = writer_on(copy->event, sizeof copy->event);
    if (copy->row.tournament && copy->row.ended &&
        store_find_tournament(s, copy->row.tournament, &t))
        write_string(&out, t.name);
}

// An imported game says where and when it was played itself.
static void copy_import(store *s, bool with_record, game_copy *copy) {
    stored_import i;
    if (!copy->row.ended || !store_find_import(s, copy->row.id, &i))
        return;
    copy->is_imported = true;
    memcpy(copy->event, i.event, sizeof i.event);
    memcpy(copy->site, i.site, sizeof i.site);
    memcpy(copy->date, i.date, sizeof i.date);
    if (with_record)
        store_read_import(s, copy->row.id, &copy->record);
}

bool game_copy_get(server *srv, int64_t id, game_copy *copy) {
    *copy = (game_copy){0};
    const game *g = game_find(srv, id);
    if (g) {
        copy->row = g->row;
        copy->count = (int)game_plies_shown(g);
        copy->moves = g->moves;
    } else {
        if (!store_find_game(srv->store, id, &copy->row))
            return false;
        copy->moves = copy->owned = store_game_moves(srv->store, id, &copy->count);
    }
    for (int side = 0; side < 2; side++)
        copy_name(srv, copy->row.players[side], copy->names[side]);
    copy_event(srv->store, copy);
    copy_import(srv->store, true, copy);
    return true;
}

void game_copy_free(game_copy *copy) {
    free(copy->owned);
    copy->owned = NULL;
    buffer_free(&copy->record);
}

void game_copy_read(store *s, const stored_game *row, bool with_moves, game_copy *copy) {
    *copy = (game_copy){.row = *row, .count = row->plies};
    if (with_moves)
        copy->moves = copy->owned = store_game_moves(s, row->id, &copy->count);
    for (int side = 0; side < 2; side++) {
        stored_player p;
        writer out = writer_on(copy->names[side], PLAYER_NAME_SIZE);
        if (store_find_player(s, row->players[side], &p))
            write_string(&out, p.name);
    }
    copy_event(s, copy);
    copy_import(s, with_moves, copy);
}

static bool set_tag(record *r, const char *name, const char *value) {
    return value[0] == '\0' || record_set_tag(r, text_of(name), text_of(value));
}

static bool add_moves(const game_copy *copy, record *r, fault *why) {
    rules_set set = rules_default_set(r->game);
    void *memory = malloc(rules_state_size((uint32_t)copy->count + 1));
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

// The result is the row's: an arbiter may have corrected it.
static bool read_own_record(const game_copy *copy, record *r, fault *why) {
    record_reader reader = record_read(buffer_text(&copy->record), RECORD_JSON, NULL);
    bool good = record_next(&reader, r, why) == RECORD_OK;
    record_close(&reader);
    r->result = (rules_outcome)copy->row.outcome;
    return good;
}

bool game_copy_record(const game_copy *copy, record *r, fault *why) {
    const stored_game *row = &copy->row;
    record_init(r, rules_find(text_of(row->game)));
    if (copy->record.len)
        return read_own_record(copy, r, why);
    writer w = writer_on(r->first, sizeof r->first);
    write_string(&w, copy->names[0]);
    w = writer_on(r->second, sizeof r->second);
    write_string(&w, copy->names[1]);
    w = writer_on(r->event, sizeof r->event);
    write_string(&w, copy->event[0] || copy->is_imported ? copy->event
                     : row->rated                        ? "Rated game"
                                                         : "Casual game");
    w = writer_on(r->site, sizeof r->site);
    write_string(&w, copy->is_imported ? copy->site : "Kraton");
    char moment[32], number[32], round[16];
    w = writer_on(round, sizeof round);
    if (row->tournament)
        write_number(&w, row->round);
    w = writer_on(moment, sizeof moment);
    server_write_moment(&w, row->started);
    w = writer_on(r->date, sizeof r->date); // the day only: PGN's form
    if (copy->is_imported)
        write_string(&w, copy->date);
    else
        write_format(&w, "%.4s.%.2s.%.2s", moment, moment + 5, moment + 8);
    w = writer_on(r->fen, sizeof r->fen);
    write_string(&w, row->fen);
    r->result = (rules_outcome)row->outcome;
    w = writer_on(number, sizeof number);
    write_number(&w, row->id);
    bool good = set_tag(r, "GameId", number) && set_tag(r, "Round", round) &&
                set_tag(r, "TimeControl", row->control) && set_tag(r, "Rules", row->rules) &&
                set_tag(r, "Termination", row->reason) && set_tag(r, "Verdict", row->words);
    return good ? add_moves(copy, r, why) : fault_set(why, "too many tags");
}

int game_copy_begins(const game_copy *copy) {
    const rules_game *rules = rules_find(text_of(copy->row.game));
    rules_set set = rules_default_set(rules);
    rules_state *s = malloc(rules_state_size(1));
    if (!s || !copy->row.fen[0]) {
        free(s);
        return 0;
    }
    rules_state_new(s, rules, &set, 1);
    int side = rules_set_fen(s, text_of(copy->row.fen), NULL) ? rules_side_to_move(s) : 0;
    free(s);
    return side;
}

// --- remarks ------------------------------------------------------------------------------------

enum { COMMENT_SIZE = 96 };

// h:mm:ss.mmm
static void write_duration(writer *w, int64_t us) {
    int64_t ms = us / 1000;
    write_format(w, "%lld:%02lld:%02lld.%03lld", (long long)(ms / 3600000),
                 (long long)(ms / 60000 % 60), (long long)(ms / 1000 % 60), (long long)(ms % 1000));
}

// What a program said of its move is kept from its own point of view; records have it from the
// first side's.
static int32_t score_for_first(const game_copy *copy, int begins, int i) {
    return (begins + i) & 1 ? -copy->moves[i].score : copy->moves[i].score;
}

// As other servers write it: time left, time used, the score.
static void write_remark(const game_copy *copy, int begins, int i, writer *w) {
    const stored_move *m = &copy->moves[i];
    if (m->remaining >= 0) {
        write_string(w, "[%clk ");
        write_duration(w, m->remaining);
        write_string(w, m->used >= 0 ? "] " : "]");
    }
    if (m->used >= 0) {
        write_string(w, "[%emt ");
        write_duration(w, m->used);
        write_string(w, "]");
    }
    if (!m->has_score || !copy->row.ended)
        return;
    int score = score_for_first(copy, begins, i), size = score < 0 ? -score : score;
    if (m->is_mate)
        write_format(w, " [%%eval #%d]", score);
    else
        write_format(w, " [%%eval %s%d.%02d]", score < 0 ? "-" : "", size / 100, size % 100);
}

static bool write_pgn(const game_copy *copy, const record *r, int begins, buffer *out, fault *why) {
    size_t count = (size_t)copy->count;
    record_note *notes = calloc(count + 1, sizeof *notes);
    char(*comments)[COMMENT_SIZE] = calloc(count + 1, sizeof *comments);
    bool good = (notes && comments) || fault_set(why, "out of memory");
    for (int i = 0; good && i < copy->count; i++) {
        writer w = writer_on(comments[i], COMMENT_SIZE);
        write_remark(copy, begins, i, &w);
        notes[i] = (record_note){"", comments[i]};
    }
    good = good && record_write_notes(r, rules_properties_of(r->game)->pgn_notation, notes,
                                      (uint32_t)copy->count, out, why);
    free(notes);
    free(comments);
    return good;
}

static json_t *score_json(const game_copy *copy, int begins, int i) {
    const stored_move *m = &copy->moves[i];
    if (!m->has_score || !copy->row.ended)
        return json_null();
    int32_t score = score_for_first(copy, begins, i);
    return m->is_mate ? json_sprintf("#%d", (int)score) : json_integer(score);
}

// The record's own line with three lists beside the moves.
static bool write_json(const game_copy *copy, const record *r, int begins, buffer *out,
                       fault *why) {
    buffer plain = {0};
    bool good = record_write(r, RECORD_JSON, &plain, why);
    json_t *j = good ? json_loadb(plain.bytes, plain.len, 0, NULL) : NULL;
    json_t *used = json_array(), *clocks = json_array(), *scores = json_array();
    for (int i = 0; i < copy->count; i++) {
        const stored_move *m = &copy->moves[i];
        json_array_append_new(used, m->used < 0 ? json_null() : json_integer(m->used));
        json_array_append_new(clocks, m->remaining < 0 ? json_null() : json_integer(m->remaining));
        json_array_append_new(scores, score_json(copy, begins, i));
    }
    json_object_set_new(j, "used", used);
    json_object_set_new(j, "clocks", clocks);
    json_object_set_new(j, "scores", scores);
    char *bytes = j ? json_dumps(j, JSON_COMPACT) : NULL;
    if (bytes) {
        buffer_add(out, text_of(bytes));
        buffer_add(out, text_of("\n"));
    } else if (good) {
        good = fault_set(why, "out of memory");
    }
    free(bytes);
    json_decref(j);
    buffer_free(&plain);
    return good;
}

bool game_copy_write(const game_copy *copy, record_format format, buffer *out, fault *why) {
    record r;
    int begins = game_copy_begins(copy);
    bool good = game_copy_record(copy, &r, why), is_own = copy->record.len != 0;
    if (good && format == RECORD_PGN && !is_own)
        good = write_pgn(copy, &r, begins, out, why);
    else if (good && format == RECORD_JSON && !is_own)
        good = write_json(copy, &r, begins, out, why);
    else if (good)
        good = record_write(&r, format, out, why);
    if (good && !record_tell_losses(&r, format, why))
        why->line[0] = '\0';
    record_free(&r);
    return good;
}

void game_record_answer(api_call *c, record_format format, text records, const fault *loss) {
    char extra[sizeof loss->line + 64];
    writer w = writer_on(extra, sizeof extra);
    write_string(&w, "Cache-Control: no-store\r\n");
    if (loss->line[0])
        write_format(&w, "Kraton-Remarks: %s\r\n", loss->line);
    api_send(c, 200, record_format_type(format), extra, records);
}

// --- JSON ---------------------------------------------------------------------------------------

static void set_moment(json_t *object, const char *key, int64_t wall) {
    char moment[32];
    writer w = writer_on(moment, sizeof moment);
    server_write_moment(&w, wall);
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
    if (copy->is_imported)
        json_object_set_new(j, "imported", json_true());
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

void game_copy_add_tree(const game_copy *copy, json_t *object) {
    static const char *const keys[] = {"event",    "site",  "date", "tags",
                                       "comments", "marks", "lines"};
    json_t *whole =
        copy->record.len ? json_loadb(copy->record.bytes, copy->record.len, 0, NULL) : NULL;
    for (size_t i = 0; whole && i < sizeof keys / sizeof keys[0]; i++) {
        json_t *value = json_object_get(whole, keys[i]);
        if (value)
            json_object_set(object, keys[i], value);
    }
    json_decref(whole);
}

// The mark of a move from the scores reported with it and with the move before; "" if one has none.
static const char *reported_mark(const game_copy *copy, int ply) {
    const stored_move *m = &copy->moves[ply - 1];
    if (ply < 2 || !m->has_score || !m[-1].has_score)
        return "";
    return mark_of(-mark_score(m[-1].is_mate, m[-1].score), mark_score(m->is_mate, m->score),
                   false);
}

// Scores of programs stay secret while the game is played.
json_t *game_copy_move_json(const game_copy *copy, int ply) {
    const stored_move *m = &copy->moves[ply - 1];
    bool is_over = copy->row.ended != 0;
    json_t *j = json_pack("{si,ss,sI,sI,sI,sI,sI,sI,sI}", "ply", ply, "move", m->move, "queued",
                          (json_int_t)m->queued, "written", (json_int_t)m->written, "read",
                          (json_int_t)m->read, "accepted", (json_int_t)m->accepted, "lag",
                          (json_int_t)m->lag, "late", (json_int_t)m->late, "remaining",
                          (json_int_t)m->remaining);
    if (j && m->used >= 0)
        json_object_set_new(j, "used", json_integer(m->used));
    if (j && is_over && m->has_score)
        json_object_set_new(j, m->is_mate ? "mate" : "score", json_integer(m->score));
    const char *mark = is_over ? reported_mark(copy, ply) : "";
    if (j && mark[0])
        json_object_set_new(j, "mark", json_string(mark));
    if (j && is_over && m->depth)
        json_object_set_new(j, "depth", json_integer(m->depth));
    if (j && is_over && m->nodes >= 0)
        json_object_set_new(j, "nodes", json_integer(m->nodes));
    return j;
}
