// What the guard (os/posix/guard.c) tells its parent.
#ifndef KRATON_OS_GUARD_H
#define KRATON_OS_GUARD_H

// The signal by which the guard ends when it has ended a program that was still running. No program
// ends by it: SIGPWR, from the system's power supply to init.
enum { OS_GUARD_ENDED = 30 };

#endif
