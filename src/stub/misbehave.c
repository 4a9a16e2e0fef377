#include "stub/misbehave.h"

static const char *const names[MISBEHAVIOURS] = {
    [MISBEHAVE_NONE] = "none",
    [MISBEHAVE_ILLEGAL] = "illegal",
    [MISBEHAVE_ILLEGAL_ONCE] = "illegal-once",
    [MISBEHAVE_WRONG_GAME] = "wrong-game",
    [MISBEHAVE_CRASH] = "crash",
    [MISBEHAVE_EXIT] = "exit",
    [MISBEHAVE_HANG] = "hang",
    [MISBEHAVE_FLOOD_INFO] = "flood-info",
    [MISBEHAVE_FLOOD] = "flood",
    [MISBEHAVE_NO_NEWLINE] = "no-newline",
    [MISBEHAVE_LATE_OUTPUT] = "late-output",
    [MISBEHAVE_EARLY] = "early",
    [MISBEHAVE_BINARY] = "binary",
    [MISBEHAVE_LONG_LINE] = "long-line",
    [MISBEHAVE_BAD_SCORE] = "bad-score",
    [MISBEHAVE_WORDS] = "words",
    [MISBEHAVE_CLOSE_STDOUT] = "close-stdout",
    [MISBEHAVE_FORK] = "fork",
    [MISBEHAVE_RESIGN] = "resign",
    [MISBEHAVE_OFFER_DRAW] = "offer-draw",
    [MISBEHAVE_CLAIM_DRAW] = "claim-draw",
    [MISBEHAVE_CLAIM_WIN] = "claim-win",
    [MISBEHAVE_NO_START] = "no-start",
    [MISBEHAVE_MUTE] = "mute",
    [MISBEHAVE_SLOW_START] = "slow-start",
    [MISBEHAVE_IGNORE_QUIT] = "ignore-quit",
    [MISBEHAVE_STUBBORN] = "stubborn",
};

const char *misbehaviour_name(int n) { return n >= 0 && n < MISBEHAVIOURS ? names[n] : NULL; }

bool misbehaviour_parse(text word, misbehaviour *found) {
    const char *at = word.len ? memchr(word.at, '@', word.len) : NULL;
    text name = {word.at, at ? (size_t)(at - word.at) : word.len};
    int64_t from = 3;
    if (at && !text_to_int(text_skip(word, name.len + 1), 1, 1000000, &from))
        return false;
    for (int i = 0; i < MISBEHAVIOURS; i++)
        if (text_is(name, names[i])) {
            *found = (misbehaviour){(misbehaviour_kind)i, (int)from};
            return true;
        }
    return false;
}
