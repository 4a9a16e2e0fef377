#include "os/socket.h"

#include <winsock2.h>

void os_socket_end_sending(intptr_t socket) { shutdown((SOCKET)socket, SD_SEND); }

size_t os_socket_unsent(intptr_t socket) {
    (void)socket;
    return 0;
}

int64_t os_socket_round_trip_us(intptr_t socket) {
    (void)socket;
    return -1;
}
