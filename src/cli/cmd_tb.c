// kraton tb: endgame tables. tb_build.c, tb_read.c and tb_report.c are its subcommands; what they
// share is below.
#include "cli/cmd_tb.h"
#include "base/minmax.h"
#include "os/file.h"
#include "os/process.h"

#include <stdio.h>
#include <string.h>

tb_ranks *tb_program_ranks;

const command tb_commands[] = {
    {"tb build", "--pieces N --dir FOLDER [--rules CONVENTION] [--threads T] [--device NAME]",
     "Makes the tables of up to N pieces.",
     "Under `traditional` play that never captures again is a draw, under `count` the side with\n"
     "more pieces wins it. What is in the folder already and undamaged is kept, so a build that\n"
     "was interrupted goes on where it was. docs/tablebases.md says how long it takes and how\n"
     "large tables get.\n\n"
     "With --device an OpenCL device does the work, a graphics processor or a processor; the\n"
     "files are the same. It prints what it will take before it starts. --no-files counts only,\n"
     "for tables that are too large to keep.\n\n"
     "  kraton tb build --pieces 5 --rules count --dir tables\n"
     "  kraton tb build --split 6v6 --device gpu --no-files --csv 6v6.csv\n",
     0, 0, .run = tb_build_tables},
    {"tb devices", "", "Lists the OpenCL devices that can build tables.",
     "A device is named by a part of its name, or gpu or cpu for the first of that kind.\n", 0, 0,
     .run = tb_devices},
    {"tb list", "--dir FOLDER", "Lists what tables a folder has.",
     "For each convention: the most pieces, how many tables, how many of them compressed and with\n"
     "distances, their positions and bytes.\n\n"
     "  kraton tb list --dir tables\n",
     0, 0, .run = tb_list},
    {"tb pack", "--dir FOLDER [--rules CONVENTION]", "Compresses the values of tables.",
     "A ninth of the space; a lookup takes some 6 microseconds where its block is not in memory.\n"
     "tb probe, the engine and the server read both forms; tb unpack makes the first one again,\n"
     "which building and verifying need.\n\n"
     "  kraton tb pack --dir tables\n",
     0, 0, .run = tb_pack},
    {"tb unpack", "--dir FOLDER [--rules CONVENTION]", "Undoes tb pack.",
     "  kraton tb unpack --dir tables\n", 0, 0, .run = tb_unpack},
    {"tb probe", "[FEN] --dir FOLDER [--rules CONVENTION]",
     "Looks positions up: value, distance, and every move with its own.",
     "The value is that of the side to move, the distance the plies to the capture that keeps it;\n"
     "0 where it is kept by waiting. Moves come best first. Without FEN positions are read from\n"
     "standard input, one a line, and answered with a line each: FEN, value, distance and moves,\n"
     "tabs between them.\n\n"
     "  kraton tb probe '6/1b4/6/6/4w1/6 b' --dir tables\n",
     0, 1, .run = tb_probe},
    {"tb line", "FEN --dir FOLDER [--rules CONVENTION]", "Plays a position out.",
     "The moves to the end, both sides playing as well as they can: the winner takes the shortest\n"
     "way to the next capture, the other side the longest. It ends with the last piece, or where\n"
     "the value is kept by waiting.\n\n"
     "  kraton tb line '6/1b4/6/6/4w1/6 b' --dir tables\n",
     1, 1, .run = tb_line},
    {"tb stats", "--dir FOLDER [--rules CONVENTION] [--csv] [--show WHAT]",
     "Counts what the tables hold.",
     "For each split, over all placements: wins, draws and losses of the side to move and the\n"
     "longest forced ones; all by distance; and a longest win of each, to be set up.\n\n"
     "  kraton tb stats --dir tables --rules traditional --csv\n",
     0, 0, .run = tb_stats_files},
    {"tb report", "--dir FOLDER [--rules CONVENTION]",
     "Explains what the tables mean, as Markdown.",
     "What material wins and how often, what a piece behind is still worth, and the longest wins\n"
     "with a picture and the moves to the end.\n\n"
     "  kraton tb report --dir tables --rules traditional\n",
     0, 0, .run = tb_report},
    {"tb verify", "--dir FOLDER [--rules CONVENTION] [--threads N] [--seed N] [--sample N]",
     "Checks tables by the rules alone.",
     "Checksums first; then every value and distance against those behind its moves, by forward\n"
     "moves and code the builder has no part in: all positions to seven pieces, a sample beyond.\n"
     "With --device an OpenCL device checks samples of every split instead, many times as fast.\n"
     "Status 1 where anything is wrong.\n\n"
     "  kraton tb verify --dir tables\n",
     0, 0, .run = tb_verify_files},
    {.name = NULL},
};
// --- shared by the subcommands -------------------------------------------------------------------

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

void tb_complain_of_file(const char *name, const char *line) {
    static const char *const damages[] = {" is damaged", " is cut off", " is empty",
                                          " is no endgame table"};
    const char *remedy = "";
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
        if (strstr(line, damages[i]))
            remedy = strstr(line, ".packed ")
                         ? "; delete it: kraton tb unpack and kraton tb build make it again"
                         : "; delete it: kraton tb build makes it again";
    complain("kraton %s: %s%s", name, line, remedy);
}

static void tell(void *context, const char *line) {
    (void)context;
    tb_complain_of_file("tb", line);
}

kraton_tb *tb_open(const command *self, const char *dir, tb_rules rules) {
    kraton_tb *tables = kraton_tb_open(dir, (int)rules, 0, tell, NULL);
    if (!tables && os_path_exists(dir))
        complain("kraton %s: no tables for %s that can be used in %s", self->name,
                 tb_rules_name(rules), fault_quote(text_of(dir)).shown);
    return tables;
}

int tb_usual_threads(void) {
    int processors = os_processor_count();
    return tb_program_ranks ? max_int(1, processors / tb_program_ranks->beside) : processors;
}

bool tb_has_dir(const command *self, const char *dir) {
    if (!dir)
        complain("kraton %s: --dir FOLDER says where the tables are", self->name);
    return dir != NULL;
}

typedef struct {
    const char *dir;
    const tb_rules *only;
    char found[TB_NAME_SIZE];
} file_search;

// Goes on until a compressed file is found that has no other form beside it.
static bool look_for_packed(void *context, const char *name) {
    file_search *s = context;
    char path[TB_PATH_SIZE];
    tb_kind kind;
    tb_rules rules;
    int movers, others;
    if (!tb_file_parse_name(text_of(name), &kind, &rules, &movers, &others) || kind != TB_PACKED ||
        (s->only && *s->only != rules) ||
        !tb_file_path(path, s->dir, TB_VALUES, rules, movers, others) || os_path_exists(path))
        return true;
    tb_file_name(s->found, kind, rules, movers, others);
    return false;
}

bool tb_is_unpacked(const command *self, const char *dir, const tb_rules *only) {
    file_search s = {.dir = dir, .only = only};
    (void)!os_folder_list(dir, look_for_packed, &s); // what cannot be read is complained of later
    if (!s.found[0])
        return true;
    complain("kraton %s: %s is compressed; kraton tb unpack --dir %s comes first", self->name,
             s.found, dir);
    return false;
}

// Goes on until values are found that have no distances beside them.
static bool look_for_values(void *context, const char *name) {
    file_search *s = context;
    char path[TB_PATH_SIZE];
    tb_kind kind;
    tb_rules rules;
    int movers, others;
    if (!tb_file_parse_name(text_of(name), &kind, &rules, &movers, &others) || kind != TB_VALUES ||
        (s->only && *s->only != rules) ||
        !tb_file_path(path, s->dir, TB_DISTANCES, rules, movers, others) || os_path_exists(path))
        return true;
    tb_file_name(s->found, kind, rules, movers, others);
    return false;
}

bool tb_has_distances(const command *self, const char *dir, const tb_rules *only) {
    file_search s = {.dir = dir, .only = only};
    (void)!os_folder_list(dir, look_for_values, &s);
    if (!s.found[0])
        return true;
    complain("kraton %s: %s is values alone: --device NAME checks those, kraton tb build adds "
             "distances",
             self->name, s.found);
    return false;
}

const char *tb_value_name(int value) {
    return value == TB_WIN ? "win" : value == TB_LOSS ? "loss" : "draw";
}
