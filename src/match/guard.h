// The guard: a small parent for every engine, so that nothing an engine starts outlives the run.
// The manager starts `kraton guard CMD...`; the guard starts the engine in a process group of its
// own, stays out of its pipes, and ends the whole group when the engine ends, when it is told to
// (SIGTERM), or when the manager is gone, however it went.
#ifndef KRATON_MATCH_GUARD_H
#define KRATON_MATCH_GUARD_H

// Runs the command and ends as it ended: with its status or by its signal. 127: it could not be
// started (the reason is on standard error).
int guard_main(char *const command[]);

#endif
