#include "dialect/dialect.h"

static const dialect_properties table[DIALECTS] = {
    [DIALECT_UCI] =
        {
            .name = "uci",
            .tells_limits = true,
            .thinks_until_stopped = true,
            .sends_whole_game = true,
            .rules_option = "Rules",
            .ponder_option = "Ponder",
        },
    [DIALECT_UCCI] =
        {
            .name = "ucci",
            .tells_limits = true,
            .thinks_until_stopped = true,
            .sends_whole_game = true,
            .clock_step_us = 1000000, // unless the engine asks for milliseconds
            .rules_option = "rules",
            .ponder_option = "ponder",
        },
    [DIALECT_CECP] =
        {
            .name = "cecp",
            .name_too = "xboard",
            .greeting_is_optional = true, // in its first version
            .tells_limits = true,
            .claims_results = true,
            .ponders_unasked = true,
            .set_up = SUPPORT_IF_OFFERED,
            .reuse = SUPPORT_IF_OFFERED,
            .clock_step_us = 10000,
            .move_time_step_us = 1000000,
            .rules_option = "Rules",
            .ponder_option = "Ponder",
        },
    [DIALECT_SAU] =
        {
            .name = "sau",
            .notation = NOTATION_SAU,
            .asks_again = true,
            .set_up = SUPPORT_NEVER,
            .reuse = SUPPORT_NEVER,
            .rules_option = "Rules",
            .ponder_option = "Ponder",
            .rule_set = "ccgc", // it is the contest's protocol
        },
};

const dialect_properties *dialect_properties_of(dialect_id id) { return &table[id]; }

bool dialect_find(text name, dialect_id *id) {
    for (int i = 0; i < DIALECTS; i++)
        if (text_is(name, table[i].name) ||
            (table[i].name_too && text_is(name, table[i].name_too))) {
            *id = (dialect_id)i;
            return true;
        }
    return false;
}

const char *dialect_name(dialect_id id) { return table[id].name; }

bool dialect_can_play(dialect_id id, const rules_game *game) {
    return rules_has_notation(game, table[id].notation);
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
    if (!rules_has_notation(game, NOTATION_UCI1))
        return false;
    for (text word = text_next_word(&words); word.len; word = text_next_word(&words))
        if (is_move_with_ten(word))
            return true;
    return false;
}
