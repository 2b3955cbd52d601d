/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/listen.h"

#include "options.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 64 };

static bool any_address(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET)
        return ((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr == htonl(INADDR_ANY);
    return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
}

static struct addrinfo *resolve(const char *address, unsigned port)
{
    struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found;
    char service[16];
    snprintf(service, sizeof service, "%u", port);
    if (getaddrinfo(address, service, &wanted, &found) != 0) {
        complain("--bind: expected an address such as 127.0.0.1 or ::1, not '%s'", address);
        return NULL;
    }
    if (any_address(found->ai_addr)) {
        complain("--bind: %s means all addresses of this machine (name one of them)", address);
        freeaddrinfo(found);
        return NULL;
    }
    return found;
}

static bool name_address(int listening, struct address *here)
{
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    char host[sizeof here->host - 2], service[16];
    if (getsockname(listening, (struct sockaddr *)&bound, &length) != 0 ||
        getnameinfo((struct sockaddr *)&bound, length, host, sizeof host, service, sizeof service,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return false;
    snprintf(here->host, sizeof here->host, bound.ss_family == AF_INET6 ? "[%s]" : "%s", host);
    unsigned long long port;
    bool known = whole_number(service, 1, 65535, &port);
    here->port = known ? (unsigned)port : 0;
    return known;
}

int listen_on(const char *address, unsigned port, struct address *here)
{
    struct addrinfo *where = resolve(address, port);
    if (!where)
        return -1;
    int listening = socket(where->ai_family, SOCK_STREAM, 0), on = 1;
    bool fine = listening >= 0 && fcntl(listening, F_SETFD, FD_CLOEXEC) == 0 &&
                setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                bind(listening, where->ai_addr, where->ai_addrlen) == 0 && listen(listening, BACKLOG) == 0 &&
                name_address(listening, here);
    int why = errno;
    freeaddrinfo(where);
    if (fine)
        return listening;
    if (why == EADDRINUSE)
        complain("serve: port %u is in use (--port 0 takes a free one)", port);
    else
        complain("serve: cannot listen on %s, port %u: %s", address, port, strerror(why));
    if (listening >= 0)
        close(listening);
    return -1;
}
