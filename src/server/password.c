#include "server/password.h"

// The stems of what leaked lists have most of, in English and Chinese: compared without case and
// without digits and signs at the end, and with 0, 1, 3, 4, 5, 7, @ and $ read as the letters they
// stand for.
static const char *const stems[] = {
    "password",   "passwort",    "passwd",     "passphrase",    "qwerty",     "qwertyui",
    "qwertyuiop", "qwertz",      "qwertzuiop", "azerty",        "azertyuiop", "asdfgh",
    "asdfghjk",   "asdfghjkl",   "zxcvbn",     "zxcvbnm",       "qazwsx",     "qazwsxedc",
    "iqazxsw",    "iqztewer",    "iloveyou",   "loveyou",       "ilovegod",   "letmein",
    "welcome",    "welcomeback", "sunshine",   "princess",      "football",   "baseball",
    "basketball", "superman",    "batman",     "spiderman",     "starwars",   "pokemon",
    "dragon",     "monkey",      "shadow",     "master",        "michael",    "jordan",
    "jennifer",   "computer",    "internet",   "trustnoi",      "whatever",   "freedom",
    "liverpool",  "chelsea",     "arsenal",    "samsung",       "android",    "google",
    "facebook",   "linkedin",    "minecraft",  "cheese",        "chocolate",  "butterfly",
    "changeme",   "default",     "admin",      "administrator", "guest",      "root",
    "test",       "testtest",    "testing",    "secret",        "mypassword", "nopassword",
    "abc",        "abcd",        "abcdef",     "abcdefgh",      "abcdefghi",  "abcdefghij",
    "aaa",        "qwe",         "asd",        "zxc",           "qweasd",     "qweasdzxc",
    "woaini",     "woaiwojia",   "wodemima",   "mima",          "zhongguo",   "beijing",
    "shanghai",   "nihao",       "laogong",    "laopo",         "baobao",     "taobao",
    "xiangqi",    "surakarta",   "kraton",     "chess",         "weiqi",      "checkmate",
    "yuhan",      "ashley",      "daniel",     "charlie",       "thomas",     "jessica",
    "nicole",     "andrew",      "matthew",    "amanda",        "hannah",     "anthony",
};

static char letter_of(char c) {
    static const char digits[] = "0134578@$", letters[] = "oleastbas";
    const char *at = c ? strchr(digits, c) : NULL;
    if (at)
        return letters[at - digits];
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

// Without digits and signs at the end.
static text stem_of(text t) {
    while (t.len && !is_letter(t.at[t.len - 1]))
        t.len--;
    return t;
}

static bool is_same(text a, text b) {
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (letter_of(a.at[i]) != letter_of(b.at[i]))
            return false;
    return true;
}

// A piece of at most four characters over and over, or digits alone in few kinds or in a row.
static bool is_monotonous(text t) {
    for (size_t piece = 1; piece <= 4; piece++) {
        size_t i = piece;
        while (i < t.len && t.at[i] == t.at[i - piece])
            i++;
        if (i == t.len)
            return true;
    }
    size_t steps = 0, digits = 0;
    for (size_t i = 0; i < t.len; i++) {
        digits += t.at[i] >= '0' && t.at[i] <= '9';
        int step = i ? t.at[i] - t.at[i - 1] : 1;
        steps +=
            step == 1 || step == -1 || step == 0 || (t.at[i] == '0' && i && t.at[i - 1] == '9');
    }
    return steps == t.len || (digits == t.len && steps + 2 >= t.len);
}

bool password_is_common(text name, text password) {
    text stem = stem_of(password);
    if (is_monotonous(password) || (stem.len && is_same(stem, stem_of(name))) ||
        is_same(password, name))
        return true;
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++)
        if (is_same(stem, text_of(stems[i])) || is_same(password, text_of(stems[i])))
            return true;
    return false;
}
