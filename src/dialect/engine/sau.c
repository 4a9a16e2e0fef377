// SAU, the engine's end.
#include "dialect/engine/protocol.h"

static void init(dialect_engine *e) {
    e->notation = NOTATION_SAU;
    e->wants_info = false;
}

static bool start(dialect_engine *e, int side) {
    e->side = side;
    e->banned_count = 0;
    return rules_set_fen(e->state, text_of(rules_start_fen(e->game)), NULL);
}

// The last move is said to be illegal: it is taken back, if it could be played at all, and must not
// come again.
static bool take_back(dialect_engine *e) {
    uint32_t ply = rules_ply(e->state);
    if (rules_side_to_move(e->state) == e->side)
        return true;
    if (ply == 0 || e->banned_count == RULES_MAX_MOVES)
        return false;
    e->banned[e->banned_count++] = rules_move_at(e->state, ply - 1);
    return rules_undo(e->state);
}

static void read_line(dialect_engine *e, text line, dialect_command *c, writer *out) {
    text rest = line, word = text_next_word(&rest), argument = text_next_word(&rest);
    if (e->is_thinking && (text_is(word, "move") || text_is(word, "error")))
        return; // it is our turn: there is no move of theirs, and none of ours to take back
    if (text_is(word, "move")) {
        e->banned_count = 0;
        if (dialect_take_move(e, argument, NULL))
            c->kind = COMMAND_GO;
    } else if (text_is(word, "new")) {
        c->is_new_game = true;
        c->abandons = e->is_thinking;
        if (start(e, text_is(argument, "white")) && text_is(argument, "black"))
            c->kind = COMMAND_GO;
    } else if (text_is(word, "error")) {
        if (take_back(e)) {
            c->kind = COMMAND_GO;
            dialect_apply_bans(e, &c->go);
        }
    } else if (text_is(word, "end")) {
        c->abandons = e->is_thinking;
    } else if (text_is(word, "name?")) {
        write_format(out, "name %s\n", e->identity->name);
    } else if (text_is(word, "quit")) {
        c->kind = COMMAND_QUIT;
    }
}

static void write_move(dialect_engine *e, const dialect_answer *a, writer *out) {
    write_string(out, "move ");
    dialect_write_moves(e, &a->move, 1, out);
    write_char(out, '\n');
    bool legal = rules_play(e->state, a->move, NULL);
    (void)legal; // an engine that plays illegal moves will be told
}

const dialect_engine_protocol dialect_engine_sau = {
    .init = init,
    .read = read_line,
    .move = write_move,
};
