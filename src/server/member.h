// A player in memory: while it has an open session, a live game or an offer. Messages to a member
// go to all its sessions, so a player can come back from anywhere by logging in. Freed with its
// last hold.
#ifndef KRATON_SERVER_MEMBER_H
#define KRATON_SERVER_MEMBER_H

#include "server/server.h"
#include "store/players.h"

struct member {
    server *server;
    int64_t id;
    char name[PLAYER_NAME_SIZE];
    player_kind kind;
    player_role role;
    int64_t owner;
    bool is_banned;
    linked_list sessions;   // see session_of_member
    linked_list seats;      // in live games, see seat_of
    linked_list offers;     // it made, and
    linked_list challenges; // were made to it: see server/lobby.h
    int session_count, game_count, offer_count;
    int holds;     // sessions, seats and offers among them
    int bot_level; // of a house bot; 0: it is none
};

// Finds it here or in the store; NULL where there is no such player. Holds it: member_release.
member *member_get(server *srv, int64_t player);
member *member_get_named(server *srv, text name);
void member_hold(member *m);
void member_release(member *m);
const char *member_kind_name(const member *m); // guest, person, program, house
bool member_is_here(const member *m);          // a session is open, or it is a house bot
void member_send(member *m, message *say);
void member_notice(member *m, const char *reason, const char *words);
// Whether the two may play a rated game: two people, or two programs that are not of one owner,
// since points could be passed from one to the other. False with the reason.
MUST_USE bool member_may_play_rated(const member *a, const member *b, fault *why);

#endif
