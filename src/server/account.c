#include "server/account.h"

#include "base/rng.h"
#include "server/feature.h"
#include "server/name.h"

#include <sodium.h>
#include <stdlib.h>

// Argon2id as OWASP advises: 19 MiB, two passes.
enum { HASH_PASSES = 2, HASH_MEMORY = 19 * 1024 * 1024 };
enum { GUESTS_LOOKED_AT = 32 };                           // players a second
static const int64_t BROWSER_US = 90LL * 86400 * 1000000; // how long a browser is remembered

typedef enum { JOB_REGISTER, JOB_LOG_IN, JOB_CHANGE, JOB_CLOSE } job_kind;

// One password on its way through the thread pool. The strings are wiped when it is done.
typedef struct job {
    uv_work_t work;
    server *server;
    job_kind kind;
    int64_t player;
    account_name name;
    char password[ACCOUNT_PASSWORD_MAX + 1], new_password[ACCOUNT_PASSWORD_MAX + 1];
    char hash[crypto_pwhash_STRBYTES]; // to check against, and afterwards the new one
    bool checks, makes, fits, failed;
    account_done *done;
    void *context;
    list_link link; // among those that wait
} job;

struct accounts {
    server *server;
    linked_list jobs; // waiting
    int waiting, running;
    rng numbers;    // guests' names
    int64_t looked; // players up to this one have been looked at for guests to forget
};

accounts *accounts_new(server *srv) {
    accounts *a = calloc(1, sizeof *a);
    if (!a || sodium_init() < 0) {
        free(a);
        return NULL;
    }
    a->server = srv;
    randombytes_buf(&a->numbers, sizeof a->numbers);
    return a;
}

static void free_job(job *j) {
    sodium_memzero(j, sizeof *j);
    free(j);
}

// The first that waits; NULL: none does.
static job *take_job(accounts *a) {
    job *j = LIST_ITEM(list_take_first(&a->jobs), job, link);
    a->waiting -= j != NULL;
    return j;
}

void accounts_free(accounts *a) {
    for (job *j; a && (j = take_job(a));) {
        j->done(j->context, 0, "busy", "the server stops");
        free_job(j);
    }
    free(a);
}

// --- tokens -------------------------------------------------------------------------------------

void account_hash_token(text token, char hash[TOKEN_HASH_SIZE]) {
    crypto_generichash((unsigned char *)hash, TOKEN_HASH_SIZE, (const unsigned char *)token.at,
                       token.len, NULL, 0);
}

void account_new_token(server *srv, int64_t player, token_kind kind, const char *label,
                       char token[ACCOUNT_TOKEN_SIZE]) {
    unsigned char random[32];
    randombytes_buf(random, sizeof random);
    memcpy(token, "krt_", 4);
    sodium_bin2base64(token + 4, ACCOUNT_TOKEN_SIZE - 4, random, sizeof random,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    stored_token t = {.player = player, .kind = kind, .created = server_wall()};
    if (kind == TOKEN_BROWSER)
        t.expires = t.created + BROWSER_US;
    if (kind == TOKEN_BROWSER &&
        store_count_tokens(srv->store, player, kind, t.created) >= ACCOUNT_BROWSERS)
        store_revoke_oldest_token(srv->store, player, kind, t.created);
    account_hash_token(text_of(token), t.hash);
    writer out = writer_on(t.label, sizeof t.label);
    write_string(&out, label);
    store_add_token(srv->store, &t);
}

// A program is shut out with its owner.
bool account_is_shut_out(const member *m) {
    server *srv = m->server;
    stored_player owner;
    return m->is_banned || (m->owner && (!store_find_player(srv->store, m->owner, &owner) ||
                                         owner.is_banned || owner.is_closed));
}

member *account_by_token(server *srv, text token) {
    char hash[TOKEN_HASH_SIZE];
    if (token.len != ACCOUNT_TOKEN_SIZE - 1)
        return NULL;
    account_hash_token(token, hash);
    int64_t player = store_token_player(srv->store, hash, server_wall());
    member *m = player ? member_get(srv, player) : NULL;
    if (m && account_is_shut_out(m)) {
        member_release(m);
        m = NULL;
    }
    return m;
}

void account_revoke(server *srv, text token) {
    char hash[TOKEN_HASH_SIZE];
    account_hash_token(token, hash);
    store_revoke_token(srv->store, hash, server_wall());
}

typedef struct {
    int count;
    int64_t ids[1 + ACCOUNT_PROGRAMS];
} programs;

static void add_program(void *context, const stored_player *p, int tokens) {
    (void)tokens;
    programs *all = context;
    if (all->count <= ACCOUNT_PROGRAMS)
        all->ids[all->count++] = p->id;
}

void account_each_own(server *srv, int64_t player, void (*take)(void *context, member *m),
                      void *context) {
    programs all = {.count = 1, .ids = {player}};
    store_each_program(srv->store, player, add_program, &all);
    for (int i = 0; i < all.count; i++) {
        member *m = member_get(srv, all.ids[i]);
        if (m)
            take(context, m);
        member_release(m);
    }
}

// --- players ------------------------------------------------------------------------------------

member *account_new_guest(server *srv) {
    stored_player p = {.kind = PLAYER_GUEST, .created = server_wall()};
    for (int tries = 0; tries < 8; tries++) {
        writer out = writer_on(p.name, sizeof p.name);
        write_format(&out, "guest-%06x", (unsigned)rng_below(&srv->accounts->numbers, 1u << 24));
        if (store_add_player(srv->store, &p))
            return member_get(srv, p.id);
    }
    return NULL;
}

// A new name that neither is nor looks like somebody's. False with the reason.
static bool read_name(server *srv, text given, account_name *n, fault *why) {
    stored_player p;
    if (!name_read(given, n, why))
        return false;
    if (store_find_player_named(srv->store, text_of(n->name), &p))
        return fault_set(why, "that name is taken");
    int64_t like = store_find_lookalike(srv->store, &n->looks);
    return !like || !store_find_player(srv->store, like, &p) ||
           fault_set(why, "that name looks like %s", p.name);
}

// Names of earlier versions, and of house bots.
static void on_recovered(server *srv) {
    char name[PLAYER_NAME_SIZE];
    for (int64_t id = 0; (id = store_next_without_looks(srv->store, id, name));) {
        name_looks looks;
        name_look(text_of(name), &looks);
        store_set_looks(srv->store, id, &looks);
    }
}

// Deletes old guests. Their tokens have expired, so none of them can come back.
static void tick(server *srv) {
    accounts *a = srv->accounts;
    a->looked = store_forget_guests(srv->store, a->looked, GUESTS_LOOKED_AT,
                                    server_wall() - BROWSER_US - 86400 * 1000000LL);
    if (store_is_dirty(srv->store))
        turns_want(&srv->turns);
}

int64_t account_program(server *srv, int64_t owner, text name, fault *why) {
    stored_player p;
    account_name read;
    char space[PLAYER_NAME_SIZE];
    name = name_normalize(name, space);
    if (store_find_player_named(srv->store, name, &p)) {
        if (p.owner == owner && p.kind == PLAYER_PROGRAM)
            return p.id;
        fault_set(why, "that name is taken");
        return 0;
    }
    if (!read_name(srv, name, &read, why))
        return 0;
    if (store_count_programs(srv->store, owner) >= ACCOUNT_PROGRAMS) {
        fault_set(why, "an account has %d programs at most", ACCOUNT_PROGRAMS);
        return 0;
    }
    p = (stored_player){.kind = PLAYER_PROGRAM, .owner = owner, .created = server_wall()};
    writer out = writer_on(p.name, sizeof p.name);
    write_string(&out, read.name);
    if (store_add_player(srv->store, &p)) {
        store_set_looks(srv->store, p.id, &read.looks);
        return p.id;
    }
    fault_set(why, "that name is taken");
    return 0;
}

// --- passwords ----------------------------------------------------------------------------------

static void run_job(uv_work_t *work) {
    job *j = work->data;
    if (j->checks)
        j->fits = crypto_pwhash_str_verify(j->hash, j->password, strlen(j->password)) == 0;
    if (j->makes && (!j->checks || j->fits)) {
        const char *secret = j->checks ? j->new_password : j->password;
        j->failed =
            crypto_pwhash_str(j->hash, secret, strlen(secret), HASH_PASSES, HASH_MEMORY) != 0;
    }
}

static void start_jobs(accounts *a);

// The guest of the job becomes its account.
static const char *make_person(job *j, const char **words) {
    server *srv = j->server;
    member *m = member_get(srv, j->player);
    const char *code = NULL;
    if (!m || m->kind != PLAYER_GUEST) {
        *words = "you have registered already";
        code = "registered";
    } else if (!store_make_person(srv->store, m->id, text_of(j->name.name), text_of(j->hash))) {
        code = "name";
    } else {
        store_revoke_tokens(srv->store, m->id, TOKEN_BROWSER, NULL, server_wall());
        store_set_looks(srv->store, m->id, &j->name.looks);
        memcpy(m->name, j->name.name, sizeof m->name);
        m->kind = PLAYER_PERSON;
        TELL_FEATURES(srv, on_player_renamed, m);
    }
    member_release(m);
    return code;
}

static const char *finish_job(job *j, const char **words) {
    server *srv = j->server;
    stored_player p = {.kind = PLAYER_PERSON, .created = server_wall()};
    *words = "out of memory";
    if (j->failed)
        return "busy";
    *words = "wrong name or password";
    if (j->checks && (!j->fits || !j->player))
        return "password";
    *words = "that name is taken";
    switch (j->kind) {
    case JOB_REGISTER:
        if (j->player)
            return make_person(j, words);
        memcpy(p.name, j->name.name, sizeof p.name);
        memcpy(p.password, j->hash, sizeof j->hash);
        if (!store_add_player(srv->store, &p))
            return "name";
        store_set_looks(srv->store, p.id, &j->name.looks);
        j->player = p.id;
        break;
    case JOB_CHANGE:
        store_set_password(srv->store, j->player, text_of(j->hash));
        store_revoke_tokens(srv->store, j->player, TOKEN_BROWSER, NULL, p.created);
        break;
    case JOB_CLOSE:
        store_close_player(srv->store, j->player, p.created);
        break;
    case JOB_LOG_IN:
        break;
    }
    return NULL;
}

static void after_job(uv_work_t *work, int status) {
    job *j = work->data;
    accounts *a = j->server->accounts;
    a->running--;
    if (status == 0 && !j->server->stopping) {
        const char *words, *code = finish_job(j, &words);
        j->done(j->context, code ? 0 : j->player, code, words);
        turns_want(&j->server->turns);
    } else {
        j->done(j->context, 0, "busy", "the server stops");
    }
    free_job(j);
    start_jobs(a);
}

static void start_jobs(accounts *a) {
    for (job *j; a->running < ACCOUNT_HASHING && !a->server->stopping && (j = take_job(a));) {
        a->running++;
        j->work.data = j;
        uv_queue_work(a->server->loop, &j->work, run_job, after_job);
    }
}

static void queue_job(accounts *a, job *j) {
    list_append(&a->jobs, &j->link);
    a->waiting++;
    start_jobs(a);
}

// --- passwords that are guessed first -----------------------------------------------------------

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

// Whether a password for that name is no secret: a word that everybody tries, with digits behind it
// or not, the name itself, or one or two characters over and over.
static bool password_is_common(text name, text password) {
    text stem = stem_of(password);
    if (is_monotonous(password) || (stem.len && is_same(stem, stem_of(name))) ||
        is_same(password, name))
        return true;
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++)
        if (is_same(stem, text_of(stems[i])) || is_same(password, text_of(stems[i])))
            return true;
    return false;
}

// --- requests -----------------------------------------------------------------------------------

static bool password_is_good(text name, text password, fault *why) {
    if (password.len < ACCOUNT_PASSWORD_MIN || password.len > ACCOUNT_PASSWORD_MAX)
        return fault_set(why, "a password has %d to %d bytes", ACCOUNT_PASSWORD_MIN,
                         ACCOUNT_PASSWORD_MAX);
    return !password_is_common(name, password) ||
           fault_set(why, "that password is among the first that are guessed; take another");
}

static void copy_text(char *to, size_t size, text from) {
    writer w = writer_on(to, size);
    write_text(&w, from);
}

// A new job; NULL after `done` was called with an error.
static job *new_job(server *srv, job_kind kind, text password, account_done *done, void *context) {
    job *j = srv->accounts->waiting < ACCOUNT_WAITING ? calloc(1, sizeof *j) : NULL;
    if (!j) {
        done(context, 0, "busy", "too many are logging in; try again in a moment");
        return NULL;
    }
    j->server = srv;
    j->kind = kind;
    j->done = done;
    j->context = context;
    copy_text(j->password, sizeof j->password, password);
    return j;
}

void account_register(server *srv, const member *guest, text name, text password,
                      account_done *done, void *context) {
    fault why;
    account_name read;
    if (!read_name(srv, name, &read, &why)) {
        done(context, 0, "name", why.line);
    } else if (!password_is_good(text_of(read.name), password, &why)) {
        done(context, 0, "password", why.line);
    } else {
        job *j = new_job(srv, JOB_REGISTER, password, done, context);
        if (!j)
            return;
        j->name = read;
        j->player = guest ? guest->id : 0;
        j->makes = true;
        queue_job(srv->accounts, j);
    }
}

static void check_password(server *srv, job *j, const stored_player *p) {
    // An unknown name takes as long as a known one, so that the time does not tell them apart.
    static const char nobody[] = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
                                 "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    bool known = p && p->password[0] && !p->is_closed && !p->is_banned;
    j->player = known ? p->id : 0;
    j->checks = true;
    copy_text(j->hash, sizeof j->hash, text_of(known ? p->password : nobody));
    queue_job(srv->accounts, j);
}

void account_log_in(server *srv, text name, text password, account_done *done, void *context) {
    stored_player p;
    char space[PLAYER_NAME_SIZE];
    bool found = store_find_player_named(srv->store, name_normalize(name, space), &p);
    job *j = new_job(srv, JOB_LOG_IN, password, done, context);
    if (j)
        check_password(srv, j, found ? &p : NULL);
}

void account_change_password(server *srv, int64_t player, text old_one, text new_one,
                             account_done *done, void *context) {
    fault why;
    stored_player p;
    bool found = store_find_player(srv->store, player, &p);
    if (!password_is_good(text_of(found ? p.name : ""), new_one, &why)) {
        done(context, 0, "password", why.line);
        return;
    }
    job *j = new_job(srv, JOB_CHANGE, old_one, done, context);
    if (!j)
        return;
    copy_text(j->new_password, sizeof j->new_password, new_one);
    j->makes = true;
    check_password(srv, j, found ? &p : NULL);
}

// A code as it was shown: without signs, in capital letters.
static void hash_code(text code, char hash[TOKEN_HASH_SIZE]) {
    char plain[ACCOUNT_CODE_SIZE];
    size_t len = 0;
    for (size_t i = 0; i < code.len && len < sizeof plain; i++) {
        char c = code.at[i];
        if (c != '-' && c != ' ')
            plain[len++] = c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
    }
    account_hash_token((text){plain, len}, hash);
}

void account_new_code(server *srv, int64_t player, char code[ACCOUNT_CODE_SIZE]) {
    static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"; // none looks like another
    char hash[TOKEN_HASH_SIZE];
    size_t at = 0;
    for (int i = 0; i < 20; i++) { // 100 bits
        if (i && i % 5 == 0)
            code[at++] = '-';
        code[at++] = letters[randombytes_uniform(32)];
    }
    code[at] = '\0';
    hash_code(text_of(code), hash);
    store_set_recovery(srv->store, player, hash);
}

void account_recover(server *srv, text name, text code, text new_one, account_done *done,
                     void *context) {
    fault why;
    stored_player p;
    char given[TOKEN_HASH_SIZE], kept[TOKEN_HASH_SIZE], space[PLAYER_NAME_SIZE];
    hash_code(code, given);
    bool fits = store_find_player_named(srv->store, name_normalize(name, space), &p) &&
                !p.is_closed && !p.is_banned && store_find_recovery(srv->store, p.id, kept) &&
                sodium_memcmp(given, kept, sizeof kept) == 0;
    if (!fits) {
        done(context, 0, "code", "wrong name or code");
    } else if (!password_is_good(text_of(p.name), new_one, &why)) {
        done(context, 0, "password", why.line);
    } else {
        job *j = new_job(srv, JOB_CHANGE, new_one, done, context);
        if (!j)
            return;
        j->player = p.id;
        j->makes = true;
        queue_job(srv->accounts, j);
    }
}

void account_check(server *srv, int64_t player, text password, account_done *done, void *context) {
    stored_player p;
    bool found = store_find_player(srv->store, player, &p);
    job *j = new_job(srv, JOB_LOG_IN, password, done, context);
    if (j)
        check_password(srv, j, found ? &p : NULL);
}

void account_close(server *srv, int64_t player, text password, account_done *done, void *context) {
    stored_player p;
    bool found = store_find_player(srv->store, player, &p);
    job *j = new_job(srv, JOB_CLOSE, password, done, context);
    if (j)
        check_password(srv, j, found ? &p : NULL);
}

bool account_reset_password(store *s, text name, char password[ACCOUNT_NEW_PASSWORD], fault *why) {
    stored_player p;
    unsigned char random[18];
    char hash[crypto_pwhash_STRBYTES], space[PLAYER_NAME_SIZE];
    if (sodium_init() < 0 || !store_find_player_named(s, name_normalize(name, space), &p) ||
        p.kind != PLAYER_PERSON || p.is_closed)
        return fault_set(why, "no account has the name %s", fault_quote(name).shown);
    randombytes_buf(random, sizeof random);
    sodium_bin2base64(password, ACCOUNT_NEW_PASSWORD, random, sizeof random,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    if (crypto_pwhash_str(hash, password, strlen(password), HASH_PASSES, HASH_MEMORY) != 0)
        return fault_set(why, "out of memory");
    store_set_password(s, p.id, text_of(hash));
    store_revoke_tokens(s, p.id, TOKEN_BROWSER, NULL, server_wall());
    return store_commit(s, why);
}

const feature account_feature = {.name = "accounts", .tick = tick, .on_recovered = on_recovered};
