// Endgame tables, for the programs that build them and ask them. One game has tables so far; its
// folder holds all of them. The headers below are included from here, so that who asks tables does
// not name a game.
#ifndef KRATON_TABLEBASE_TABLEBASE_H
#define KRATON_TABLEBASE_TABLEBASE_H

#include "tablebase/surakarta/build/build.h"
#include "tablebase/surakarta/build/device_build.h"
#include "tablebase/surakarta/build/work.h"
#include "tablebase/surakarta/build/writer.h"
#include "tablebase/surakarta/device/device_verify.h"
#include "tablebase/surakarta/entry.h"
#include "tablebase/surakarta/moves.h"
#include "tablebase/surakarta/probe.h"
#include "tablebase/surakarta/stats.h"
#include "tablebase/surakarta/verify.h"

#endif
