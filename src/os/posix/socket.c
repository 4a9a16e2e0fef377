#include "os/socket.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

void os_socket_end_sending(intptr_t socket) { shutdown((int)socket, SHUT_WR); }

size_t os_socket_unsent(intptr_t socket) {
    int bytes = 0;
    return ioctl((int)socket, SIOCOUTQ, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0;
}

int64_t os_socket_round_trip_us(intptr_t socket) {
    struct tcp_info info;
    socklen_t len = sizeof info;
    if (getsockopt((int)socket, IPPROTO_TCP, TCP_INFO, &info, &len) != 0)
        return -1;
    return info.tcpi_rtt;
}
