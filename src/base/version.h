// Which program this is: version, commit, compiler, instruction set.
#ifndef KRATON_BASE_VERSION_H
#define KRATON_BASE_VERSION_H

#include "base/text.h"

extern const char version_number[]; // "0.1.0"
extern const char version_commit[]; // "unknown" where the source came without its history

// "x86-64-v3": the level of the instruction set that hot code uses on this processor.
const char *version_instruction_set(void);
enum { VERSION_SIZE = 512 };
// Writes four lines: "PROGRAM 0.1.0", "commit: ...", "compiler: ...", "instruction set: ...".
void version_write(const char *program, writer *out);

#endif
