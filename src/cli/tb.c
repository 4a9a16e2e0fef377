#include "cli/tb.h"

#include "os/file.h"

bool tb_find_rules(const command *self, const char *named, tb_rules *rules) {
    const rules_game *game = tb_game();
    rules_set set = rules_default_set(game);
    fault why;
    if (named && tb_rules_find(text_of(named), rules))
        return true;
    if (named && !rules_set_parse(game, text_of(named), &set, &why)) {
        complain("kraton %s: --rules is traditional, count or a rule set: %s", self->name,
                 why.line);
        return false;
    }
    if (tb_rules_of_set(&set, rules))
        return true;
    complain("kraton %s: no tables know how games by these rules end: %s", self->name,
             fault_quote(text_of(named)).shown);
    return false;
}

static void tell(void *context, const char *line) {
    (void)context;
    complain("kraton tb: %s", line);
}

kraton_tb *tb_open(const command *self, const char *dir, tb_rules rules) {
    kraton_tb *tables = kraton_tb_open(dir, (int)rules, 0, tell, NULL);
    if (!tables && os_path_exists(dir))
        complain("kraton %s: no tables for %s that can be used in %s", self->name,
                 tb_rules_name(rules), fault_quote(text_of(dir)).shown);
    return tables;
}

bool tb_has_dir(const command *self, const char *dir) {
    if (!dir)
        complain("kraton %s: --dir FOLDER says where the tables are", self->name);
    return dir != NULL;
}

const char *tb_value_name(int value) {
    return value == TB_WIN ? "win" : value == TB_LOSS ? "loss" : "draw";
}
