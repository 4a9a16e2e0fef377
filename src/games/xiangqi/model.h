// The Xiangqi evaluation as the tuner sees it.
#ifndef KRATON_GAMES_XIANGQI_MODEL_H
#define KRATON_GAMES_XIANGQI_MODEL_H

#include "games/model.h"

extern const eval_model xq_model;

#endif
