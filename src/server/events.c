#include "server/events.h"

#include "server/account.h"
#include "server/analysis.h"
#include "server/archive.h"
#include "server/bots.h"
#include "server/endgame.h"
#include "server/engines.h"
#include "server/errand.h"
#include "server/explorer.h"
#include "server/rating.h"
#include "server/review.h"
#include "server/tournament.h"
#include "server/visitor.h"

void events_game_begun(game *g) { g->world->tournament_games += g->row.tournament != 0; }

void events_game_asked(game *g) { bots_on_asked(g); }

void events_game_over(game *g) {
    g->world->tournament_games -= g->row.tournament != 0;
    archive_on_over(g);
    explorer_on_over(g);
    rating_on_over(g);
    bots_on_over(g);
    tournaments_on_result(g->world, &g->row); // last: it may begin other games
}

void events_game_corrected(world *w, const stored_game *now, int before) {
    explorer_on_corrected(w, now->id);
    rating_on_corrected(w, now, before);
    tournaments_on_corrected(w, now);
}

void events_player_renamed(world *w, member *m) {
    game_tell_renamed(m);
    lobby_on_renamed(w->lobby, m);
    tournaments_on_renamed(w);
}

void events_player_gone(world *w, const member *m) { tournaments_on_gone(w, m); }

void events_offered(game *g, const char *kind, int side) { bots_on_offer(g, kind, side); }

void events_challenged(const offer *o) { bots_on_challenge(o); }

bool events_starting(world *w, fault *why) {
    static const engine_asker askers[] = {
        [ASKER_BOT] = {NULL, bots_on_answer},
        [ASKER_ANALYSIS] = {analysis_on_line, analysis_on_answer},
        [ASKER_REVIEW] = {NULL, reviews_on_answer},
    };
    w->engines = engines_new(w, askers);
    w->bots = bots_new(w);
    w->tournaments = tournaments_new(w);
    w->errands = errands_new();
    w->endgames = endgames_new(w);
    w->reviews = reviews_new(w);
    w->visitors = visitors_new();
    return (w->engines && w->bots && w->tournaments && w->errands && w->endgames && w->reviews &&
            w->visitors) ||
           fault_set(why, "out of memory");
}

void events_stopping(world *w) { engines_stop(w->engines); }

void events_ended(world *w) {
    errands_free(w->errands);
    endgames_free(w->endgames);
    reviews_free(w->reviews);
    visitors_free(w->visitors);
    tournaments_free(w->tournaments);
    bots_free(w->bots);
    engines_free(w->engines);
}

void events_recovered(world *w) {
    lobby_recover(w->lobby);
    tournaments_recover(w);
}

void events_every_second(world *w) {
    engines_sweep(w->engines);
    visitors_sweep(w->visitors, clock_us());
    if (w->is_full)
        return;
    reviews_every_second(w);
    explorer_every_second(w);
    accounts_every_second(w);
    tournaments_every_second(w);
    lobby_every_second(w->lobby);
}
