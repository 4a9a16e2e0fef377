// The hot path of the search as one translation unit, compiled per game and processor level.
//
// Compiled one by one, each of these files gets its own copy of the game's evaluation and move
// generators, and they no longer fit into the instruction cache together: in Xiangqi's bench there
// are 2.5 times as many misses (cachegrind), and the search takes up to 4 % longer.
#include "search/node.c"
#include "search/quiescence.c"
#include "search/root.c"
#include "search/think.c"
