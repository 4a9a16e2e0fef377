// What an engine may have of the machine: memory, processor time, and when. `kraton limit MEMORY
// TIME MANNERS CMD...` takes the limits upon itself and becomes the command, so that nothing but
// the system is needed for it.
//   MEMORY   megabytes of address space, mapped files included; 0: any
//   TIME     seconds of processor time in all, after which the system ends it; 0: any
//   MANNERS  `nice`: behind those who serve people; `idle`: where nobody else wants to run
// Besides it leaves no core behind and is the first to go when memory runs out.
#ifndef KRATON_MATCH_LIMIT_H
#define KRATON_MATCH_LIMIT_H

// Becomes the command. Returns a status only where that cannot be; the reason is on standard error.
int limit_main(int count, char *const words[]);

#endif
