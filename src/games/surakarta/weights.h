// What the features of games/surakarta/evaluate are worth, {opening, ending} in centipawns.
// Typed in, not fitted yet.
#ifndef KRATON_GAMES_SURAKARTA_WEIGHTS_H
#define KRATON_GAMES_SURAKARTA_WEIGHTS_H

#include "games/trace.h"

// clang-format off
static const tapered sk_weights[] = {
    {100, 100}, // material
    { 10,  20}, // lead-1
    {  0,  10}, // lead-2
    {  0,  10}, // lead-3
    {  0,   0}, // lead-4
    {-12,  -6}, // point-corner
    { -4,  -2}, // point-b6
    { -2,   0}, // point-c6
    {  4,   4}, // point-b5
    {  6,   4}, // point-c5
    {  8,   4}, // point-c4
    {  1,   1}, // steps
    { -1,  -1}, // cluster
    {  8,   8}, // tempo
    {  4,   4}, // owned-inner-0
    {  8,   8}, // owned-inner-1
    { 10,  10}, // owned-inner-2
    {  4,   4}, // owned-outer-0
    {  8,   8}, // owned-outer-1
    { 10,  10}, // owned-outer-2
    { 10,  10}, // contested-inner-0
    {  0,   0}, // contested-inner-1
    { 40,  40}, // contested-inner-2
    { 30,  30}, // contested-inner-3
    { 10,  10}, // contested-outer-0
    {  0,   0}, // contested-outer-1
    { 40,  40}, // contested-outer-2
    { 30,  30}, // contested-outer-3
};
// clang-format on

#endif
