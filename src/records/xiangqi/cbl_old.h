// Libraries of the first CCBridge: the rest of a file is one packed stream. The inside of cbr.c.
#ifndef KRATON_RECORDS_XIANGQI_CBL_OLD_H
#define KRATON_RECORDS_XIANGQI_CBL_OLD_H

#include "records/format.h"

// Whether a file starts as one.
bool cbl_old_detect(text start);
// Reads the next game of one; the first call unpacks it into the reader's buffer.
record_status cbl_old_next(record_reader *reader, record *r, fault *why);

#endif
