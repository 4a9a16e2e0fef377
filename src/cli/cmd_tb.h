// What the subcommands of `kraton tb` share.
#ifndef KRATON_CLI_CMD_TB_H
#define KRATON_CLI_CMD_TB_H

#include "cli/cli.h"
#include "tablebase/tablebase.h"

// The processes this one works with, for tb build and tb verify; NULL: none. kraton-mpi sets it.
extern tb_ranks *tb_program_ranks;

int tb_build_tables(const command *self, int argc, char **argv);
int tb_devices(const command *self, int argc, char **argv);
int tb_line(const command *self, int argc, char **argv);
int tb_list(const command *self, int argc, char **argv);
int tb_pack(const command *self, int argc, char **argv);
int tb_unpack(const command *self, int argc, char **argv);
int tb_probe(const command *self, int argc, char **argv);
int tb_report(const command *self, int argc, char **argv);
int tb_stats_files(const command *self, int argc, char **argv);
int tb_verify_files(const command *self, int argc, char **argv);

// The convention that --rules names: itself, or a rule set it belongs to; `count`, the default rule
// set's, for NULL. False after a complaint.
MUST_USE bool tb_find_rules(const command *self, const char *named, tb_rules *rules);

// Opens the tables; NULL after a complaint. Files that are refused are complained of, too.
kraton_tb *tb_open(const command *self, const char *dir, tb_rules rules);

// Complains of a file of tables, with the remedy where it is damaged. `name` is the command's.
void tb_complain_of_file(const char *name, const char *line);

// Threads where --threads was not given: one a processor, shared by the ranks of this machine.
int tb_usual_threads(void);

// Whether --dir was given; complains where it was not.
MUST_USE bool tb_has_dir(const command *self, const char *dir);

// Whether building and verifying find values that are not compressed; complains of a file that is.
// Of one convention only, or of any (NULL).
MUST_USE bool tb_is_unpacked(const command *self, const char *dir, const tb_rules *only);

// Whether all values have distances beside them, which checking on processors needs; complains of a
// file that has none.
MUST_USE bool tb_has_distances(const command *self, const char *dir, const tb_rules *only);

// "win", "draw", "loss"
const char *tb_value_name(int value);

#endif
