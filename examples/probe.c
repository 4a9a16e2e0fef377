// probe FOLDER BOARD: who wins? BOARD is 36 characters from a6 to f1, x for the side to move.
//     cc probe.c $(pkg-config --cflags --libs kraton-tb) -o probe
//     ./probe tables .......x....................o.......
#include <kraton/tablebase.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static const char *const names[] = {"loss", "draw", "win", "unknown"};
    uint64_t movers = 0, others = 0;
    kraton_tb *tables = argc == 3 ? kraton_tb_open(argv[1], KRATON_TB_COUNT, 0, NULL, NULL) : NULL;
    if (!tables || strlen(argv[2]) != 36)
        return fprintf(stderr, "usage: probe FOLDER BOARD\n"), 1;
    for (int point = 0; point < 36; point++) {
        movers |= (uint64_t)(argv[2][point] == 'x') << point;
        others |= (uint64_t)(argv[2][point] == 'o') << point;
    }
    printf("%s %d\n", names[kraton_tb_value(tables, movers, others) + 1],
           kraton_tb_distance(tables, movers, others));
    kraton_tb_close(tables);
    return 0;
}
