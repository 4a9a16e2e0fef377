#include "server/name.h"

#include "base/minmax.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

enum { UNITS = 256, SHORTEST = 3, SHORTEST_HAN = 2 };

// --- text as ICU has it ------------------------------------------------------------------------

typedef struct {
    UChar at[UNITS];
    int32_t len;
} units;

static bool to_units(text t, units *u) {
    UErrorCode status = U_ZERO_ERROR;
    u_strFromUTF8(u->at, UNITS - 1, &u->len, t.at, (int32_t)min_size(t.len, INT32_MAX), &status);
    return U_SUCCESS(status) && u->len < UNITS - 1;
}

static bool to_text(const units *u, char *to, size_t size) {
    UErrorCode status = U_ZERO_ERROR;
    u_strToUTF8(to, (int32_t)size, NULL, u->at, u->len, &status);
    return U_SUCCESS(status) && status != U_STRING_NOT_TERMINATED_WARNING;
}

static bool normalize(units *u) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&status);
    units done;
    if (U_FAILURE(status))
        return false;
    done.len = unorm2_normalize(nfc, u->at, u->len, done.at, UNITS - 1, &status);
    if (U_FAILURE(status))
        return false;
    *u = done;
    return true;
}

static void fold_case(units *u) {
    UErrorCode status = U_ZERO_ERROR;
    units done;
    done.len = u_strFoldCase(done.at, UNITS - 1, u->at, u->len, U_FOLD_CASE_DEFAULT, &status);
    if (U_SUCCESS(status))
        *u = done;
}

// One checker for all names, made once; NULL where ICU has no data for it.
static const USpoofChecker *checker(void) {
    static USpoofChecker *only;
    UErrorCode status = U_ZERO_ERROR;
    if (only)
        return only;
    only = uspoof_open(&status);
    if (U_FAILURE(status))
        return NULL;
    uspoof_setChecks(only, USPOOF_RESTRICTION_LEVEL | USPOOF_INVISIBLE | USPOOF_MIXED_NUMBERS,
                     &status);
    uspoof_setRestrictionLevel(only, USPOOF_SINGLE_SCRIPT_RESTRICTIVE);
    return only;
}

static bool make_skeleton(units *u) {
    UErrorCode status = U_ZERO_ERROR;
    const USpoofChecker *c = checker();
    units done;
    if (!c)
        return false;
    done.len = uspoof_getSkeleton(c, 0, u->at, u->len, done.at, UNITS - 1, &status);
    if (U_FAILURE(status))
        return false;
    *u = done;
    return true;
}

// --- looks --------------------------------------------------------------------------------------

// _ and - are read alike.
static void join_signs(units *u) {
    for (int32_t i = 0; i < u->len; i++)
        if (u->at[i] == '_')
            u->at[i] = '-';
}

static bool look(const units *name, name_looks *looks) {
    units as_is = *name, folded = *name;
    join_signs(&as_is);
    join_signs(&folded);
    fold_case(&folded);
    return make_skeleton(&as_is) && make_skeleton(&folded) &&
           to_text(&as_is, looks->as_is, sizeof looks->as_is) &&
           to_text(&folded, looks->folded, sizeof looks->folded);
}

void name_look(text name, name_looks *looks) {
    units u;
    *looks = (name_looks){0};
    if (!to_units(name, &u) || !look(&u, looks))
        *looks = (name_looks){0};
}

// --- words of the server ------------------------------------------------------------------------

// How a word looks in lower case, for comparison with those below.
static void plain_looks(text word, char to[UNITS]) {
    units u;
    to[0] = '\0';
    if (!to_units(word, &u))
        return;
    fold_case(&u);
    if (!make_skeleton(&u))
        return;
    fold_case(&u);
    if (!to_text(&u, to, UNITS))
        to[0] = '\0';
}

static bool is_like(text word, const char *reserved) {
    char a[UNITS], b[UNITS];
    plain_looks(word, a);
    plain_looks(text_of(reserved), b);
    return a[0] && strcmp(a, b) == 0;
}

static bool is_any_of(text word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (is_like(word, list[i]))
            return true;
    return false;
}

// Whether the name, or a part of it between signs and digits, is a word that would make others
// believe the server or its staff speaks.
static bool is_reserved(text name) {
    static const char *const parts[] = {
        "guest",  "gone",   "house", "kraton",  "admin",    "admins", "arbiter",      "moderator",
        "server", "system", "staff", "support", "official", "root",   "administrator"};
    static const char *const whole[] = {"none",   "first", "second", "any",  "nobody", "anonymous",
                                        "管理员", "裁判",  "系统",   "官方", "客服",   "管理員"};
    static const size_t part_count = sizeof parts / sizeof parts[0];
    if (is_any_of(name, whole, sizeof whole / sizeof whole[0]) ||
        is_any_of(name, parts, part_count))
        return true;
    for (int splits_at_digits = 0; splits_at_digits < 2; splits_at_digits++)
        for (size_t i = 0, begin = 0; i <= name.len; i++) {
            char c = i < name.len ? name.at[i] : '-';
            if (c != '-' && c != '_' && !(splits_at_digits && c >= '0' && c <= '9'))
                continue;
            if (is_any_of((text){name.at + begin, i - begin}, parts, part_count))
                return true;
            begin = i + 1;
        }
    return false;
}

// --- reading ------------------------------------------------------------------------------------

static bool has_good_letters(const units *u, int *count, bool *has_han) {
    *count = 0;
    *has_han = false;
    for (int32_t i = 0; i < u->len;) {
        uint32_t c = u->at[i++];
        if (U16_IS_LEAD(c) && i < u->len && U16_IS_TRAIL(u->at[i]))
            c = 0x10000 + ((c - 0xd800) << 10) + (u->at[i++] - 0xdc00u);
        uint32_t kind = 1u << u_charType((UChar32)c);
        bool is_other = c == '-' || c == '_' || (kind & (U_GC_ND_MASK | U_GC_M_MASK));
        if (!(kind & U_GC_L_MASK) && (*count == 0 || !is_other))
            return false;
        *has_han = *has_han || u_hasBinaryProperty((UChar32)c, UCHAR_IDEOGRAPHIC);
        ++*count;
    }
    return true;
}

bool name_read(text given, account_name *n, fault *why) {
    static const char letters[] = "a name has letters, digits, - and _, the first a letter";
    units u;
    int count;
    bool has_han;
    if (given.len > PLAYER_NAME_SIZE - 1)
        return fault_set(why, "a name has %d characters and %d bytes at most", PLAYER_NAME_MAX,
                         PLAYER_NAME_SIZE - 1);
    if (!to_units(given, &u) || !normalize(&u) || !has_good_letters(&u, &count, &has_han))
        return fault_set(why, letters);
    if (count > PLAYER_NAME_MAX || count < (has_han ? SHORTEST_HAN : SHORTEST))
        return fault_set(why, "a name has %d to %d characters", has_han ? SHORTEST_HAN : SHORTEST,
                         PLAYER_NAME_MAX);
    UErrorCode status = U_ZERO_ERROR;
    if (!checker() || !to_text(&u, n->name, sizeof n->name) || !look(&u, &n->looks))
        return fault_set(why, letters);
    if (uspoof_check(checker(), u.at, u.len, NULL, &status) != 0 || U_FAILURE(status))
        return fault_set(why, "a name has letters of one script");
    return !is_reserved(text_of(n->name)) || fault_set(why, "that name is taken");
}

text name_normalize(text given, char space[PLAYER_NAME_SIZE]) {
    units u;
    return given.len < PLAYER_NAME_SIZE && to_units(given, &u) && normalize(&u) &&
                   to_text(&u, space, PLAYER_NAME_SIZE)
               ? text_of(space)
               : given;
}
