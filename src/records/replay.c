// Playing a record's moves by the rules, so that what is read is legal and what is written has a
// position to be written from.
#include "base/minmax.h"
#include "records/format.h"
#include "records/words.h"

#include <assert.h>
#include <stdlib.h>

enum { SHORTEST_MOVE = 4 }; // bytes, in any notation

// The board's own verdict, history apart: how a record came to its end is for others to judge.
static rules_set board_only(const rules_game *game) {
    rules_set set = rules_default_set(game);
    set.repetition = set.no_capture = 0;
    return set;
}

static bool set_up(replay *p, const rules_game *game, const char *fen, size_t most, fault *why) {
    uint32_t plies = (uint32_t)min_size(most, RULES_MAX_PLIES);
    size_t size = (rules_state_size(plies) + 15) & ~(size_t)15;
    p->memory = malloc(size + ((size_t)plies + 1) * sizeof *p->path);
    if (!p->memory)
        return fault_set(why, "out of memory");
    p->path = (uint32_t *)((char *)p->memory + size);
    rules_set set = board_only(game);
    p->state = rules_state_new(p->memory, game, &set, plies);
    return fen[0] == '\0' || rules_set_fen(p->state, text_of(fen), why);
}

bool replay_begin(replay *p, record *r, size_t bytes, fault *why) {
    *p = (replay){.r = r, .tree = r};
    if (!set_up(p, r->game, r->fen, bytes / SHORTEST_MOVE, why))
        return false;
    writer w = writer_on(r->fen, sizeof r->fen);
    rules_format_fen(p->state, &w);
    if (strcmp(r->fen, rules_start_fen(r->game)) == 0)
        r->fen[0] = '\0';
    return true;
}

bool replay_show(replay *p, const record *r, fault *why) {
    *p = (replay){.r = NULL, .tree = r};
    return set_up(p, r->game, r->fen, r->node_count, why);
}

void replay_end(replay *p) {
    free(p->memory);
    p->memory = NULL;
}

bool replay_is_over(const replay *p, rules_verdict *verdict) {
    *verdict = rules_result(p->state);
    return verdict->reason == REASON_WIPED_OUT || verdict->reason == REASON_MATE ||
           verdict->reason == REASON_STALEMATE;
}

bool replay_move(replay *p, rules_move move, fault *why) {
    if (!rules_play(p->state, move, why))
        return false;
    if (p->r)
        p->at = record_add(p->r, p->at, move);
    return !p->r || p->at || fault_set(why, "out of memory");
}

void replay_go(replay *p, uint32_t node) {
    const record_node *nodes = p->tree->nodes;
    uint32_t count = 0;
    while (node != p->at) { // up to where both lines part
        int node_ply = nodes[node].ply, at_ply = nodes[p->at].ply;
        if (node_ply >= at_ply) {
            p->path[count++] = node;
            node = nodes[node].parent;
        }
        if (at_ply >= node_ply) {
            p->at = nodes[p->at].parent;
            rules_undo(p->state);
        }
    }
    while (count) { // and down again
        p->at = p->path[--count];
        bool good = rules_play(p->state, nodes[p->at].move, NULL);
        assert(good); // it was legal when the node was added
        (void)good;
    }
}

bool replay_write(replay *p, uint32_t node, rules_notation notation, writer *out, fault *why) {
    rules_move move = p->tree->nodes[node].move;
    replay_go(p, p->tree->nodes[node].parent);
    if (!rules_is_legal(p->state, move))
        return fault_set(why, "move %u of the record is illegal",
                         (unsigned)rules_ply(p->state) + 1);
    rules_format_move(p->state, move, notation, out);
    if (out->used == 0)
        return fault_set(why, "%s has no such notation", rules_name(rules_game_of(p->state)));
    p->at = node;
    return rules_play(p->state, move, why);
}

bool replay_check(replay *p, fault *why) {
    for (uint32_t n = 1; n < p->tree->node_count; n++) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        if (!replay_write(p, n, NOTATION_NATIVE, &w, why))
            return false;
    }
    return true;
}

bool replay_word(replay *p, int notation, text word, fault *why) {
    rules_move move;
    if (words_parse_move(p->state, notation, word, &move, why))
        return replay_move(p, move, why);
    rules_verdict over;
    if (replay_is_over(p, &over))
        return fault_set(why, "the game is over: %s", over.words);
    return false;
}

bool replay_text(replay *p, int notation, text word, fault *why) {
    fault inner;
    return replay_word(p, notation, word, &inner) ||
           fault_set(why, "move %u, %s: %s", (unsigned)rules_ply(p->state) + 1,
                     fault_quote(word).shown, inner.line);
}

bool replay_can_open(const record_reader *reader, text word) {
    const rules_game *game = reader->game ? reader->game : rules_default_game();
    replay p = {0};
    fault why;
    bool can = set_up(&p, game, "", 1, &why) && replay_text(&p, reader->notation, word, &why);
    replay_end(&p);
    return can;
}

void replay_settle(replay *p) {
    rules_verdict over;
    if (!replay_is_over(p, &over))
        return;
    if (p->r->result == RULES_ONGOING)
        p->r->result = over.outcome;
    else if (p->r->result != over.outcome)
        record_remark(p->r, "the record says %s, the board %s: %s",
                      rules_outcome_name(p->r->result), rules_outcome_name(over.outcome),
                      over.words);
}
