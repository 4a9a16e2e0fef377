// The clock is os/clock.h; this name stays until all includes have moved.
#ifndef KRATON_BASE_CLOCK_H
#define KRATON_BASE_CLOCK_H

#include "os/clock.h"

#endif
