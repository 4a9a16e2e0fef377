#include "cli/opening_judge.h"

#include "cli/sibling.h"
#include "os/process.h"

#include <errno.h>
#include <stdlib.h>

enum {
    NODES = 10000,
    PATIENCE_US = 60 * 1000000, // for slow builds on busy machines: the search takes milliseconds
    ROOM = 1 << 13
};

struct opening_judge {
    os_child engine;
    int within; // centipawns
    bool is_well;
    size_t used; // of heard
    char heard[ROOM];
};

opening_judge *opening_judge_start(const rules_game *game, fault *why) {
    char path[SIBLING_PATH_SIZE];
    if (!sibling_find(rules_properties_of(game)->engine, path, why))
        return NULL;
    opening_judge *j = calloc(1, sizeof *j);
    if (!j || !os_child_start(&j->engine, path, (char *[]){path, NULL})) {
        fault_set(why, "%s: %s", path, strerror(errno));
        free(j);
        return NULL;
    }
    static const char hello[] = "uci\nsetoption name Hash value 1\n";
    j->within = rules_properties_of(game)->even_within;
    j->is_well = os_child_write(&j->engine, hello, sizeof hello - 1);
    return j;
}

void opening_judge_end(opening_judge *j) {
    if (j)
        os_child_end(&j->engine);
    free(j);
}

bool opening_judge_is_well(const opening_judge *j) { return j->is_well; }

// Reads what `score cp N` or `score mate N` says, unless that is a bound; a mate is more than any
// limit.
static void read_score(text line, int64_t *score) {
    if (text_find(line, " lowerbound ") < line.len || text_find(line, " upperbound ") < line.len)
        return;
    text rest = text_skip(line, text_find(line, " score "));
    text_next_word(&rest);
    text unit = text_next_word(&rest), number = text_next_word(&rest);
    if (text_is(unit, "mate"))
        *score = INT32_MAX;
    else if (text_is(unit, "cp") && !text_to_int(number, -INT32_MAX, INT32_MAX, score))
        *score = INT32_MAX;
}

// Takes the whole lines out of what was heard; true at the move that ends the search.
static bool take_lines(opening_judge *j, int64_t *score) {
    bool is_over = false;
    text rest = {j->heard, j->used};
    while (!is_over && rest.len && memchr(rest.at, '\n', rest.len)) {
        text line = text_next_line(&rest);
        read_score(line, score);
        is_over = text_starts(line, "bestmove");
    }
    memmove(j->heard, rest.at, rest.len);
    j->used = rest.len;
    return is_over;
}

bool opening_judge_is_even(void *judge, const char *fen) {
    opening_judge *j = judge;
    char words[RULES_FEN_SIZE + 64];
    writer w = writer_on(words, sizeof words);
    write_format(&w, "ucinewgame\nposition fen %s\ngo nodes %d\n", fen, NODES);
    int64_t score = INT32_MAX;
    j->is_well = j->is_well && !w.overflow && os_child_write(&j->engine, words, w.used);
    while (j->is_well) {
        size_t got;
        j->is_well =
            j->used < ROOM &&
            os_child_read(&j->engine, j->heard + j->used, ROOM - j->used, PATIENCE_US, &got) &&
            got > 0;
        j->used += j->is_well ? got : 0;
        if (j->is_well && take_lines(j, &score))
            return score >= -j->within && score <= j->within;
    }
    return true;
}
