// probe FOLDER BOARD: who wins? BOARD is 36 characters from a6 to f1, x for the side to move.
//     cc probe.c $(pkg-config --cflags --libs kraton) -o probe
//     ./probe tables .......x....................o.......
#include <kraton.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static const char *const names[] = {"loss", "draw", "win", "unknown"};
    uint64_t movers = 0, others = 0;
    kraton_error error = {"usage: probe FOLDER BOARD"};
    kraton_tables *tables =
        argc == 3 ? kraton_tables_open(argv[1], "count", 0, NULL, NULL, &error) : NULL;
    if (!tables || strlen(argv[2]) != 36)
        return fprintf(stderr, "%s\n", error.line), kraton_tables_close(tables), 1;
    for (int point = 0; point < 36; point++) {
        movers |= (uint64_t)(argv[2][point] == 'x') << point;
        others |= (uint64_t)(argv[2][point] == 'o') << point;
    }
    printf("%s %d\n", names[kraton_tables_value(tables, movers, others) + 1],
           kraton_tables_distance(tables, movers, others));
    kraton_tables_close(tables);
    return 0;
}
