// Players and tokens in the database. Names are compared without regard to case.
#ifndef KRATON_STORE_PLAYERS_H
#define KRATON_STORE_PLAYERS_H

#include "store/store.h"

typedef enum {
    PLAYER_GUEST,
    PLAYER_PERSON,
    PLAYER_PROGRAM,
    PLAYER_HOUSE,
    PLAYER_RECORDED // a name in imported games: nobody's account
} player_kind;
typedef enum { ROLE_NONE, ROLE_ARBITER } player_role;
typedef enum { TOKEN_BROWSER, TOKEN_PROGRAM } token_kind;

enum {
    PLAYER_NAME_MAX = 24,   // characters of an account's
    PLAYER_NAME_SIZE = 65,  // room for that of any player
    PLAYER_HASH_SIZE = 128, // room for an Argon2id string
    TOKEN_HASH_SIZE = 32
};

typedef struct {
    int64_t id;
    char name[PLAYER_NAME_SIZE];
    player_kind kind;
    player_role role;
    int64_t owner; // 0: nobody's
    int64_t created;
    bool is_closed, is_banned;
    char password[PLAYER_HASH_SIZE]; // its hash; empty: no password
} stored_player;

// How a name looks: as it is, and in lower case. Empty: not known.
typedef struct {
    char as_is[256], folded[256];
} name_looks;
void store_set_looks(store *s, int64_t player, const name_looks *looks);
// A player whose name looks the same in one way or the other; 0: none.
int64_t store_find_lookalike(store *s, const name_looks *looks);
// The next account, program or bot behind that id whose looks are not known; its name is copied. 0:
// none.
int64_t store_next_without_looks(store *s, int64_t after, char name[PLAYER_NAME_SIZE]);

// Adds a player and fills in its id. False where the name is taken (or the store failed).
MUST_USE bool store_add_player(store *s, stored_player *p);
MUST_USE bool store_find_player(store *s, int64_t id, stored_player *p);
MUST_USE bool store_find_player_named(store *s, text name, stored_player *p);
// A guest becomes a person with that name and password hash; it stays the same player. False where
// it is no guest, or the name is taken.
MUST_USE bool store_make_person(store *s, int64_t guest, text name, text hash);
// Forgets guests who came before that moment and never sat at a board, looking at so many players
// behind that id. Returns the id to go on from; 0: that was the last.
int64_t store_forget_guests(store *s, int64_t after, int count, int64_t before);
void store_set_password(store *s, int64_t player, text hash);
void store_set_role(store *s, int64_t player, player_role role);
void store_set_banned(store *s, int64_t player, text reason); // empty: no longer
// Closes an account: the name becomes "gone-ID", password and tokens go, the games stay.
void store_close_player(store *s, int64_t player, int64_t now);

typedef struct {
    char hash[TOKEN_HASH_SIZE];
    int64_t player;
    token_kind kind;
    char label[PLAYER_NAME_SIZE];
    int64_t created, expires; // expires 0: never
} stored_token;
void store_add_token(store *s, const stored_token *t);
// The player a token that is neither revoked nor expired belongs to; 0: none.
int64_t store_token_player(store *s, const char hash[TOKEN_HASH_SIZE], int64_t now);
int store_count_tokens(store *s, int64_t player, token_kind kind, int64_t now); // good ones
// Revokes the oldest good token of the kind.
void store_revoke_oldest_token(store *s, int64_t player, token_kind kind, int64_t now);
// Revokes a player's tokens of a kind, or one of them by its label (NULL: all). Returns how many.
int store_revoke_tokens(store *s, int64_t player, token_kind kind, const char *label, int64_t now);
// Takes back one token.
void store_revoke_token(store *s, const char hash[TOKEN_HASH_SIZE], int64_t now);
// A player's good tokens of a kind, newest first.
void store_each_token(store *s, int64_t player, token_kind kind, int64_t now,
                      void (*take)(void *context, const stored_token *t), void *context);
int store_count_programs(store *s, int64_t owner);
// The programs of an account, by name, with how many tokens of each are good.
void store_each_program(store *s, int64_t owner,
                        void (*take)(void *context, const stored_player *p, int tokens),
                        void *context);

// --- recovery, mutes, reports --------------------------------------------------------------------

// The hash of the code that replaces a forgotten password.
void store_set_recovery(store *s, int64_t player, const char hash[TOKEN_HASH_SIZE]);
// False where the player has none.
MUST_USE bool store_find_recovery(store *s, int64_t player, char hash[TOKEN_HASH_SIZE]);

void store_set_mute(store *s, int64_t player, int64_t other, bool on);
bool store_is_muted(store *s, int64_t player, int64_t other); // by the player
int store_count_mutes(store *s, int64_t player);
void store_each_mute(store *s, int64_t player, void (*take)(void *context, text name),
                     void *context);

typedef struct {
    int64_t id, at, game; // game 0: about none
    char reporter[PLAYER_NAME_SIZE], player[PLAYER_NAME_SIZE];
    char words[512];
} stored_report;
void store_add_report(store *s, int64_t at, int64_t reporter, int64_t player, int64_t game,
                      text words);
int store_count_reports(store *s, int64_t reporter, int64_t since);
// The latest before that id, newest first; of one reporter, or (0) of all.
void store_each_report(store *s, int64_t reporter, int64_t before, int limit,
                       void (*take)(void *context, const stored_report *r), void *context);

// --- ratings -------------------------------------------------------------------------------------

// Ratings and their history, by player and game.

typedef struct {
    int64_t player;
    char game[16];
    double rating, deviation, volatility;
    int games;
    int64_t updated; // since 1970
} stored_rating;

typedef struct {
    int64_t at, played; // the game that changed it
    double rating, deviation;
} stored_rating_point;

// False where the player has none in that game yet.
MUST_USE bool store_find_rating(store *s, int64_t player, const char *game, stored_rating *r);
// Keeps it, with a line of history for the game just played.
void store_set_rating(store *s, const stored_rating *r, int64_t played);
// Games that changed the rating of the first against the second since that moment, before the game
// of that number.
int store_count_rated_between(store *s, int64_t player, int64_t opponent, const char *game,
                              int64_t since, int64_t before);
// The point before the game brought its own, `at` 0 where it was the player's first. False where
// the game brought none.
MUST_USE bool store_rating_before(store *s, int64_t player, const char *game, int64_t played,
                                  stored_rating_point *p);
// The best players of a kind in a game, those with at least so many games.
void store_each_rating(store *s, const char *game, player_kind kind, int least_games, int limit,
                       void (*take)(void *context, const stored_rating *r, text name),
                       void *context);
// A player's ratings in all games.
void store_each_rating_of(store *s, int64_t player,
                          void (*take)(void *context, const stored_rating *r, text name),
                          void *context);
// The history, oldest first, the last `limit` points of it.
void store_each_rating_point(store *s, int64_t player, const char *game, int limit,
                             void (*take)(void *context, const stored_rating_point *p),
                             void *context);

#endif
