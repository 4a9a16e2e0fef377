#include "cli/challenge.h"

#include <stdio.h>
#include <strings.h>

enum { ENGINE_MOVE_US = 1000000 }; // for a move of somebody else's engine, where nobody says

int challenge_noise(void) { return complain("kraton: standard input is no game: not read on"); }

static const rules_game *find_choice(text word) {
    int64_t n;
    if (text_to_int(word, 1, 9, &n))
        return rules_nth((int)n - 1);
    for (int i = 0; word.len && rules_nth(i); i++)
        if (strncasecmp(word.at, rules_name(rules_nth(i)), word.len) == 0)
            return rules_nth(i);
    return NULL;
}

// The answer to the first question, or to the second one.
static bool take_choice(text word, bool is_second, challenge_choice *choice) {
    int64_t level;
    if (!is_second) {
        choice->game = find_choice(word);
        return choice->game != NULL;
    }
    if (word.len && !text_to_int(word, 0, OPPONENT_LEVELS, &level))
        return false;
    choice->level = word.len ? (int)level : OPPONENT_LEVEL;
    return true;
}

int challenge_ask(challenge_choice *choice, bool is_settled) {
    char which[64];
    writer w = writer_on(which, sizeof which);
    write_string(&w, "Which game? 1");
    for (int n = 2; n <= RULES_GAMES; n++)
        write_format(&w, ", %d", n);
    write_string(&w, " or q");
    const char *const questions[] = {
        which, "Against whom? The computer at level 1 to 10 (4), 0: two people"};
    puts("Kraton. You play against the computer, or two people play at this keyboard.\n");
    for (int i = 0; rules_nth(i); i++)
        printf("  %d  %s\n", i + 1, rules_properties_of(rules_nth(i))->choice);
    puts("  q  leave\n");
    char line[PLAY_LINE_SIZE];
    bool is_second = false;
    for (int tries = 0; tries < CHALLENGE_NONSENSE; tries++) {
        answer a = screen_ask(questions[is_second], line);
        text word = text_trim(text_of(line));
        if (a == ANSWER_NOISE)
            break;
        if (a == ANSWER_END || (word.len && (word.at[0] | 0x20) == 'q')) {
            choice->game = NULL;
            return STATUS_OK;
        }
        if (!take_choice(word, is_second, choice))
            continue;
        if (is_second || is_settled)
            return STATUS_OK;
        is_second = true;
    }
    choice->game = NULL;
    return challenge_noise();
}

static bool read_side(const rules_game *game, const char *word, int *side) {
    static const char *const words[2] = {"first", "second"};
    for (int i = 0; i < 2; i++)
        if (strcasecmp(word, words[i]) == 0 || strcasecmp(word, rules_side_name(game, i)) == 0) {
            *side = i;
            return true;
        }
    complain("kraton play: --side takes first or second, not %s", fault_quote(text_of(word)).shown);
    return false;
}

static bool read_count(const char *name, const char *word, int64_t high, int64_t *value) {
    if (!word || text_to_int(text_of(word), 1, high, value))
        return true;
    complain("kraton play: --%s takes a number from 1 to %lld, not %s", name, (long long)high,
             fault_quote(text_of(word)).shown);
    return false;
}

static bool read_seconds(const char *word, int64_t *us) {
    char spec[64];
    writer w = writer_on(spec, sizeof spec);
    referee_control control;
    write_format(&w, "st=%s", word);
    if (!w.overflow && !strpbrk(word, ",=") &&
        referee_control_parse(text_of(spec), &control, NULL) && control.move_time_us > 0) {
        *us = control.move_time_us;
        return true;
    }
    complain("kraton play: --time takes seconds for a move, not %s",
             fault_quote(text_of(word)).shown);
    return false;
}

bool challenge_read(const challenge_options *said, const rules_game *game, opponent *o) {
    int64_t level = 0, depth = 0;
    int side = 0;
    if (said->two && (said->level || said->depth || said->time || said->side || said->engine)) {
        complain("kraton play: with --two no computer plays, and nothing can be said about it");
        return false;
    }
    if ((said->side && !read_side(game, said->side, &side)) ||
        !read_count("level", said->level, OPPONENT_LEVELS, &level) ||
        !read_count("depth", said->depth, 100, &depth) ||
        (said->time && !read_seconds(said->time, &o->limits.move_time_us)))
        return false;
    if (said->level && (said->depth || said->time || said->engine)) {
        complain("kraton play: a level has its own depth and time, and only Kraton's own engine "
                 "has levels");
        return false;
    }
    o->command = said->engine;
    o->side = said->two ? OPPONENT_NOBODY : !side;
    o->limits.clock_us[0] = o->limits.clock_us[1] = -1;
    o->limits.depth = (int32_t)depth;
    o->level = (int)level;
    if (!level && !depth && !said->time && !said->engine)
        o->level = OPPONENT_LEVEL;
    if (said->engine && !depth && !said->time)
        o->limits.move_time_us = ENGINE_MOVE_US;
    return true;
}
