// The positions of the search's signature.
#ifndef KRATON_GAMES_SURAKARTA_POSITIONS_H
#define KRATON_GAMES_SURAKARTA_POSITIONS_H

extern const char *const sk_bench_fens[]; // NULL at the end

#endif
