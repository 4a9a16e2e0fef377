// Checks a folder of endgame tables by samples on an OpenCL device: checksums first, then positions
// drawn at random against those behind their moves, by forward moves. Unlike tb_verify it shares
// the device's index with the solver.
#ifndef KRATON_TABLEBASE_SURAKARTA_DEVICE_DEVICE_VERIFY_H
#define KRATON_TABLEBASE_SURAKARTA_DEVICE_DEVICE_VERIFY_H

#include "tablebase/surakarta/device/solver.h"
#include "tablebase/surakarta/verify.h"

// As tb_verify; terms->sample positions of each split, all where it has no more or with 0. Tables
// of values alone are checked without distances.
tb_verify_result tb_verify_on_device(const tb_verify_terms *terms, solver *s,
                                     const tb_verify_listener *listener);

#endif
