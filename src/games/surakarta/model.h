// The Surakarta evaluation as the tuner sees it.
#ifndef KRATON_GAMES_SURAKARTA_MODEL_H
#define KRATON_GAMES_SURAKARTA_MODEL_H

#include "games/model.h"

extern const eval_model sk_model;

#endif
