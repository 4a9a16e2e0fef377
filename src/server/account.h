// Who somebody is: guests, accounts with passwords, tokens. Passwords are hashed with Argon2id in
// the thread pool, a few at a time; tokens are random and kept as hashes. Neither is ever logged.
#ifndef KRATON_SERVER_ACCOUNT_H
#define KRATON_SERVER_ACCOUNT_H

#include "server/member.h"

enum {
    ACCOUNT_PASSWORD_MIN = 8,
    ACCOUNT_PASSWORD_MAX = 128,
    ACCOUNT_TOKEN_SIZE = 48, // "krt_" and 43 characters, terminated
    ACCOUNT_HASHING = 2,     // passwords at a time
    ACCOUNT_WAITING = 64,    // and in the queue
    ACCOUNT_PROGRAMS = 64,   // of one account
    ACCOUNT_TOKENS = 8,      // of one program
    ACCOUNT_BROWSERS = 32    // of one account: the oldest is logged out
};

accounts *accounts_new(server *srv);
void accounts_free(accounts *a);

// A new guest, held; NULL where the store failed.
member *account_new_guest(server *srv);
// A new token for the player; written to `token`, kept as a hash.
void account_new_token(server *srv, int64_t player, token_kind kind, const char *label,
                       char token[ACCOUNT_TOKEN_SIZE]);
// What is kept of a token.
void account_hash_token(text token, char hash[TOKEN_HASH_SIZE]);
// The member a token stands for, held; NULL: none. Banned and closed players have none, nor have
// their programs.
member *account_by_token(server *srv, text token);
bool account_is_shut_out(const member *m); // banned, closed, or a program of such
void account_revoke(server *srv, text token);
// The player and its programs, each held for the call.
void account_each_own(server *srv, int64_t player, void (*take)(void *context, member *m),
                      void *context);

// What becomes of a password, told on the loop: `code` is NULL where all went well, else a code of
// docs/api.md. The player is 0 where it failed.
typedef void account_done(void *context, int64_t player, const char *code, const char *words);
// A new account; or the guest becomes it: the same player, with all its games and connections. Its
// tokens are revoked, for whoever had them has no right to the account.
void account_register(server *srv, const member *guest, text name, text password,
                      account_done *done, void *context);
void account_log_in(server *srv, text name, text password, account_done *done, void *context);
void account_change_password(server *srv, int64_t player, text old_one, text new_one,
                             account_done *done, void *context);
// A code that replaces a forgotten password once: 20 letters and digits in groups. Kept as a hash.
enum { ACCOUNT_CODE_SIZE = 25 };
void account_new_code(server *srv, int64_t player, char code[ACCOUNT_CODE_SIZE]);
// A new password for whoever has the code.
void account_recover(server *srv, text name, text code, text new_one, account_done *done,
                     void *context);
// Whether the password is right: `done` has the player.
void account_check(server *srv, int64_t player, text password, account_done *done, void *context);
// Closes the account where the password is right.
void account_close(server *srv, int64_t player, text password, account_done *done, void *context);
// A new random password for an account, hashed into the store; its browsers are logged out. For
// the command line, without a server. False with the reason.
enum { ACCOUNT_NEW_PASSWORD = 25 };
MUST_USE bool account_reset_password(store *s, text name, char password[ACCOUNT_NEW_PASSWORD],
                                     fault *why);
// A program of the owner's, made where there is none of that name. 0 with the reason.
int64_t account_program(server *srv, int64_t owner, text name, fault *why);

#endif
