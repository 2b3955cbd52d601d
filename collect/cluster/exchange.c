/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cluster/exchange.h"

#include "collect/cluster/network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { SECONDS = 5 };

static bool converse(int fd, const char *request, char *answer, size_t size)
{
    size_t n = 0;
    ssize_t got = send(fd, request, strlen(request), MSG_NOSIGNAL);
    if (got != (ssize_t)strlen(request))
        return false;
    while (n < size - 1 && (got = recv(fd, answer + n, size - 1 - n, 0)) > 0)
        n += (size_t)got;
    answer[n] = 0;
    return n > 0;
}

bool exchange(const struct site *s, unsigned node, const char *request, char *answer, size_t size)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)site_port(s, node, 0))};
    struct timeval patience = {.tv_sec = SECONDS};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int back = s->isolated ? network_visit(s, node) : -1;
    if (s->isolated && back < 0)
        return false;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->isolated)
        network_leave(back); /* a socket stays in the network that it was made in */
    if (fd < 0)
        return false;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    bool fine = connect(fd, (struct sockaddr *)&at, sizeof at) == 0 && converse(fd, request, answer, size);
    close(fd);
    return fine;
}
