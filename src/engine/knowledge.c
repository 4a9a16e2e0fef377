#include "engine/knowledge.h"

static void drop_book(knowledge *k) {
    if (k->book)
        book_free(k->book);
    k->book = NULL;
}

bool knowledge_set_book(knowledge *k, const engine_settings *set, fault *why) {
    drop_book(k);
    if (!set->own_book && !set->book_file[0])
        return true;
    fault_set(why, "out of memory");
    k->book = set->book_file[0] ? book_open(set->book_file, k->game, why) : book_built_in(k->game);
    bool is_there = k->book != NULL;
    if (!set->own_book)
        drop_book(k);
    return is_there;
}

bool knowledge_set_tables(knowledge *k, const engine_settings *set, kraton_tb_listener *tell,
                          void *context, fault *why) {
    search_set_tables(k->search, NULL);
    game_tables_close(k->tables);
    k->tables = NULL;
    if (!set->table_path[0])
        return true;
    k->tables = game_tables_open(k->game, set->table_path, tell, context);
    search_set_tables(k->search, k->tables);
    return k->tables || fault_set(why, "no endgame tables in %s", set->table_path);
}

bool knowledge_set_network(knowledge *k, const engine_settings *set, fault *why) {
    network *n;
    const char *name = set->eval_file[0] ? set->eval_file : "default";
    if (!network_choose(name, rules_name(k->game), &n, why))
        return false;
    if (!search_set_network(k->search, n)) {
        network_free(n);
        return fault_set(why, "the network has another shape than this engine's");
    }
    network_free(k->network);
    k->network = n;
    search_clear(k->search);
    return true;
}

void knowledge_free(knowledge *k) {
    drop_book(k);
    game_tables_close(k->tables);
    network_free(k->network);
}
