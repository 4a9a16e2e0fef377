// Seeks (anybody may take them up) and challenges (one player may). A seek that fits one already
// open is paired with it at once. Public seeks end with their
// maker's last session and are not stored: the maker is connected and can seek again. Challenges
// and private seeks are stored and survive a restart; they wait a while for their maker to come
// back.
#ifndef KRATON_SERVER_LOBBY_H
#define KRATON_SERVER_LOBBY_H

#include "server/game.h"

enum { LOBBY_MOST = 20000, LOBBY_MOST_OF_ONE = 64, LOBBY_GRACE_S = 120, LOBBY_PAGE = 100 };

typedef struct seek_group seek_group; // open seeks of the same terms and side

typedef struct lobby_offer lobby_offer;
struct lobby_offer {
    int64_t id;
    member *from;
    member *to;      // NULL: a seek
    bool is_private; // listed nowhere: for whoever was given its number
    int side;        // the side `from` wants; -1: either
    game_terms terms;
    int64_t made;
    int64_t left;            // clock_us since when its maker is not here; 0: it is
    list_link link;          // in the lobby, in the order they were made
    list_link link_public;   // among the seeks that are listed, in that order
    list_link link_of_maker; // in member.offers
    list_link link_of_other; // in member.challenges
    seek_group *group;       // of a seek that is listed; else NULL
    list_link link_of_group;
};

lobby *lobby_new(server *srv);
void lobby_free(lobby *l);
// The offer of that number; NULL: there is none.
lobby_offer *lobby_find(const lobby *l, int64_t id);
// The first seek that is listed with a number above `after`, and the one behind it; NULL: none.
lobby_offer *lobby_first_seek(const lobby *l, int64_t after);
lobby_offer *lobby_next_seek(const lobby_offer *o);
uint32_t lobby_seek_count(const lobby *l);
// `by` takes an offer up: the game begins. False with the reason.
MUST_USE bool lobby_accept(lobby *l, lobby_offer *o, member *by, fault *why);
// Refuses a challenge, on behalf of whom it was made to; `why` is told.
void lobby_decline(lobby *l, lobby_offer *o, const char *why);
// Offers a game to one player. False where there are too many offers.
MUST_USE bool lobby_challenge(lobby *l, member *from, member *to, int side, const game_terms *t);

#endif
