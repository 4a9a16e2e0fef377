// kraton tune: reads positions and games, fits the weights of an evaluation, writes them as C.
#ifndef KRATON_LAB_TUNE_COMMAND_H
#define KRATON_LAB_TUNE_COMMAND_H

#include "cli/cli.h"

int tune_command(const command *self, int argc, char **argv);
// kraton-lab train: trains a network from packed games and writes its file.
int train_command(const command *self, int argc, char **argv);

#endif
