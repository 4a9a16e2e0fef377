// kraton-lab: what only researchers run, apart from what needs a search (lab/selfplay). `kraton
// tune` and `kraton bench rules|papers|tables|match` start it, so its messages are in the name of
// `kraton`.
#include "cli/options.h"
#include "lab/bench/bench.h"
#include "lab/tune/command.h"

#include <locale.h>
#include <stdio.h>

static int run_bench(const command *self, int argc, char **argv) {
    const char *dir = NULL;
    const option table[] = {
        {"dir", 0, "FOLDER", "tables: time lookups in these; papers: try paper 3's",
         .string = &dir},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (strcmp(argv[0], "rules") == 0)
        return bench_rules(stdout);
    if (strcmp(argv[0], "papers") == 0)
        return bench_papers(stdout, dir);
    if (strcmp(argv[0], "tables") == 0)
        return dir ? bench_lookups(stdout, dir) : bench_tables(stdout);
    if (strcmp(argv[0], "match") == 0)
        return bench_match(stdout);
    if (strcmp(argv[0], "sessions") == 0)
        return bench_sessions(stdout);
    complain("kraton-lab bench: rules, papers, tables, match or sessions, not %s",
             fault_quote(text_of(argv[0])).shown);
    return STATUS_USAGE;
}

static const command commands[] = {
    {"tune", "GAME FILE... [--out FILE]", "Fits the weights of an evaluation to finished games.",
     "Files hold positions, a line each, `FEN ; RESULT [; SCORE]`, or games as `kraton match`\n"
     "writes them. Ctrl-C ends it with the best weights so far. docs/tuning.md says more.\n\n"
     "  kraton tune surakarta positions.txt --out src/games/surakarta/weights.h\n",
     2, -1, tune_command},
    {"bench", "rules|papers|tables|match|sessions [--dir FOLDER]",
     "Measures what things cost, side by side.",
     "`rules` compares the generators with slower ones and with Fairy-Stockfish, `papers` shows\n"
     "what each idea of the papers is worth, `tables` compares indexes for endgame tables,\n"
     "`match` measures the match runner, `sessions` what sessions of engines would cost it.\n\n"
     "  kraton bench rules\n",
     1, 1, run_bench},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int usage(FILE *to) {
    fputs("usage: kraton-lab COMMAND [ARGUMENT...]\n\n", to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].summary);
    fputs("\nGames against itself: kraton-surakarta selfplay, kraton-xiangqi selfplay.\n", to);
    return to == stdout ? STATUS_OK : STATUS_USAGE;
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    for (int i = 0; argc > 1 && i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            int status = commands[i].run(&commands[i], argc - 2, argv + 2);
            // A full disk may show only now.
            return fclose(stdout) == 0 ? status : complain("kraton: cannot write the output");
        }
    return usage(argc > 1 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
}
