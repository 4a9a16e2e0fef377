#include "tablebase/surakarta/entry.h"

static const char *const names[] = {"traditional", "count"};

const char *tb_rules_name(tb_rules rules) { return names[rules]; }

bool tb_rules_find(text name, tb_rules *rules) {
    for (int i = 0; i < TB_CONVENTIONS; i++)
        if (text_is(name, names[i])) {
            *rules = (tb_rules)i;
            return true;
        }
    return false;
}

bool tb_rules_of_set(const rules_set *set, tb_rules *rules) {
    // Without repetition and limit a game is waited out until the clock ends it.
    rules_end waiting = set->repetition   ? set->repetition_end
                        : set->no_capture ? set->no_capture_end
                                          : set->flag_end;
    if ((waiting != END_DRAW && waiting != END_COUNT) || set->no_move_end != waiting ||
        (set->no_capture && set->no_capture_end != waiting))
        return false;
    *rules = waiting == END_DRAW ? TB_TRADITIONAL : TB_COUNT;
    return true;
}
