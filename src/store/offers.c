#include "store/offers.h"

#include "store/query.h"

void store_add_offer(store *s, const stored_offer *o) {
    query q = query_write(s, "INSERT INTO offers(id, player, opponent, side, game, rules, control,"
                             " fen, rated, made) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    query_bind(&q, 1, o->id);
    query_bind(&q, 2, o->player);
    if (o->opponent)
        query_bind(&q, 3, o->opponent);
    query_bind(&q, 4, o->side);
    query_bind_text(&q, 5, text_of(o->game));
    query_bind_text(&q, 6, text_of(o->rules));
    query_bind_text(&q, 7, text_of(o->control));
    if (o->fen[0])
        query_bind_text(&q, 8, text_of(o->fen));
    query_bind(&q, 9, o->rated);
    query_bind(&q, 10, o->made);
    query_run(&q);
}

void store_remove_offer(store *s, int64_t id) {
    query q = query_write(s, "DELETE FROM offers WHERE id = ?1");
    query_bind(&q, 1, id);
    query_run(&q);
}

void store_each_offer(store *s, void (*take)(void *context, const stored_offer *o), void *context) {
    query q = query_begin(s, "SELECT id, player, opponent, side, game, rules, control, fen, rated,"
                             " made FROM offers ORDER BY made, id");
    while (query_row(&q)) {
        stored_offer o = {.id = query_int(&q, 0),
                          .player = query_int(&q, 1),
                          .opponent = query_int(&q, 2),
                          .side = (int)query_int(&q, 3),
                          .rated = query_int(&q, 8) != 0,
                          .made = query_int(&q, 9)};
        query_copy(&q, 4, o.game, sizeof o.game);
        query_copy(&q, 5, o.rules, sizeof o.rules);
        query_copy(&q, 6, o.control, sizeof o.control);
        query_copy(&q, 7, o.fen, sizeof o.fen);
        take(context, &o);
    }
    query_end(&q);
}
