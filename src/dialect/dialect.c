#include "dialect/dialect.h"

static const char *const names[DIALECTS] = {
    [DIALECT_UCI] = "uci",
    [DIALECT_UCCI] = "ucci",
    [DIALECT_CECP] = "cecp",
    [DIALECT_SAU] = "sau",
};

bool dialect_find(text name, dialect_id *id) {
    if (text_is(name, "xboard"))
        name = text_of("cecp");
    for (int i = 0; i < DIALECTS; i++)
        if (text_is(name, names[i])) {
            *id = (dialect_id)i;
            return true;
        }
    return false;
}

const char *dialect_name(dialect_id id) { return names[id]; }

bool dialect_can_play(dialect_id id, const rules_game *game) {
    return id != DIALECT_SAU || text_is(text_of(rules_name(game)), "surakarta");
}

void dialect_write_field(writer *out, const char *word, int64_t number) {
    write_char(out, ' ');
    write_string(out, word);
    write_char(out, ' ');
    write_number(out, number);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// a1..i10 twice, one rank being 10.
static bool is_move_with_ten(text word) {
    bool seen = false;
    for (int i = 0; i < 2; i++) {
        if (word.len < 2 || word.at[0] < 'a' || word.at[0] > 'i' || !is_digit(word.at[1]))
            return false;
        bool ten = word.len > 2 && word.at[1] == '1' && word.at[2] == '0';
        seen |= ten;
        word = text_skip(word, ten ? 3 : 2);
    }
    return seen && word.len == 0;
}

bool dialect_has_rank_ten(const rules_game *game, text words) {
    if (!text_is(text_of(rules_name(game)), "xiangqi"))
        return false;
    for (text word = text_next_word(&words); word.len; word = text_next_word(&words))
        if (is_move_with_ten(word))
            return true;
    return false;
}
