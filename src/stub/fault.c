#include "stub/fault.h"

static const char *const names[FAULTS] = {
    [FAULT_NONE] = "none",
    [FAULT_ILLEGAL] = "illegal",
    [FAULT_ILLEGAL_ONCE] = "illegal-once",
    [FAULT_WRONG_GAME] = "wrong-game",
    [FAULT_CRASH] = "crash",
    [FAULT_EXIT] = "exit",
    [FAULT_HANG] = "hang",
    [FAULT_FLOOD_INFO] = "flood-info",
    [FAULT_FLOOD] = "flood",
    [FAULT_NO_NEWLINE] = "no-newline",
    [FAULT_LATE_OUTPUT] = "late-output",
    [FAULT_EARLY] = "early",
    [FAULT_BINARY] = "binary",
    [FAULT_LONG_LINE] = "long-line",
    [FAULT_BAD_SCORE] = "bad-score",
    [FAULT_WORDS] = "words",
    [FAULT_CLOSE_STDOUT] = "close-stdout",
    [FAULT_FORK] = "fork",
    [FAULT_RESIGN] = "resign",
    [FAULT_OFFER_DRAW] = "offer-draw",
    [FAULT_CLAIM_DRAW] = "claim-draw",
    [FAULT_CLAIM_WIN] = "claim-win",
    [FAULT_NO_START] = "no-start",
    [FAULT_MUTE] = "mute",
    [FAULT_SLOW_START] = "slow-start",
    [FAULT_IGNORE_QUIT] = "ignore-quit",
    [FAULT_STUBBORN] = "stubborn",
};

const char *fault_name(int n) { return n >= 0 && n < FAULTS ? names[n] : NULL; }

bool fault_parse(text word, stub_fault *fault_found) {
    const char *at = word.len ? memchr(word.at, '@', word.len) : NULL;
    text name = {word.at, at ? (size_t)(at - word.at) : word.len};
    int64_t from = 3;
    if (at && !text_to_int(text_skip(word, name.len + 1), 1, 1000000, &from))
        return false;
    for (int i = 0; i < FAULTS; i++)
        if (text_is(name, names[i])) {
            *fault_found = (stub_fault){(fault_kind)i, (int)from};
            return true;
        }
    return false;
}
