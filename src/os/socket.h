// What the event loop's library does not tell about a connected TCP socket. Any thread.
#ifndef KRATON_OS_SOCKET_H
#define KRATON_OS_SOCKET_H

#include <stddef.h>
#include <stdint.h>

// Ends the sending side: the peer reads to the end of what was sent. Receiving goes on.
void os_socket_end_sending(intptr_t socket);
// Bytes that the system has taken and the peer has not acknowledged; 0 where it is not known.
size_t os_socket_unsent(intptr_t socket);
// The round-trip time as the system measures it, in microseconds; -1 where it is not known.
int64_t os_socket_round_trip_us(intptr_t socket);

#endif
