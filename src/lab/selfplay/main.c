// kraton-lab-surakarta and kraton-lab-xiangqi: the part of the lab that needs the search of a game,
// ENGINE_GAME. The engines start it for `selfplay` and `bench tables`.
#include "lab/selfplay/selfplay.h"
#include "lab/selfplay/tables_bench.h"

#include <string.h>

static int usage(FILE *to) {
    fputs("usage: kraton-lab-" ENGINE_GAME " selfplay --out FILE [OPTION...]\n"
          "       kraton-lab-" ENGINE_GAME " bench tables FOLDER\n\n"
          "selfplay plays games against itself and writes them packed, for kraton tune and for"
          " networks:\n"
          "  --games N --resume --threads N     how many games the file gets; go on with it\n"
          "  --nodes N --tables FOLDER          for each move\n"
          "  --random N --seed N --balance CP   openings: random moves that favour neither side\n"
          "  --win-score CP --win-plies N --draw-score CP --draw-plies N --draw-after N\n"
          "  --max-plies N                      when a game is decided\n"
          "  --openings CP                      write only openings, as FENs\n"
          "docs/tuning.md explains them. bench tables measures the search with the endgame tables"
          " of a\nfolder.\n",
          to);
    return to == stdout ? 0 : 2;
}

static int bench_tables(const rules_game *game, const char *folder) {
    fault why;
    if (tables_bench(game, folder, stdout, &why))
        return 0;
    fprintf(stderr, "kraton-" ENGINE_GAME ": %s\n", why.line);
    return 1;
}

int main(int argc, char **argv) {
    const rules_game *game = rules_find(text_of(ENGINE_GAME));
    if (argc > 1 && strcmp(argv[1], "selfplay") == 0)
        return selfplay_main(game, argv + 2);
    if (argc == 4 && strcmp(argv[1], "bench") == 0 && strcmp(argv[2], "tables") == 0)
        return bench_tables(game, argv[3]);
    return usage(argc > 1 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
}
