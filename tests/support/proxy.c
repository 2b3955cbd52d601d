/* SPDX-License-Identifier: Apache-2.0 */
/* A proxy between a client and a server on this machine, which loses answers and requests at chosen moments.
 *
 *     proxy LISTEN_PORT TARGET_PORT [--only TEXT] [--drop-answer N[,N...]] [--drop-request N[,N...]]
 *                                   [--delay-answer N:MS[,N:MS...]]
 *
 * An exchange is a request and its answer: bytes of the client up to bytes of the server. Exchanges of all connections
 * are numbered from 1 as they begin; with --only TEXT, only those whose first bytes contain TEXT have a number.
 *   --drop-answer   the request is forwarded; the answer comes, is swallowed, and both sides are closed;
 *   --drop-request  the request is swallowed, and both sides are closed: the server never sees it;
 *   --delay-answer  the answer waits for MS milliseconds.
 * LISTEN_PORT 0 is any free one. The first line of the output is the port; then there is a line for each exchange that
 * was tampered with. It runs until it is killed. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 256, MOST_PLANS = 4096, CHUNK = 65536 };

enum deed { FORWARD, DROP_ANSWER, DROP_REQUEST, DELAY_ANSWER };

static struct plan {
    unsigned long number;
    enum deed deed;
    long milliseconds;
} plans[MOST_PLANS];
static size_t plan_count;

static struct connection {
    int client, server;
    bool asked;        /* the client has sent bytes, and the server none since */
    struct plan plan;  /* of this exchange */
    double held_until; /* the answer waits; 0: it does not */
} connections[MOST_CONNECTIONS];
static size_t connection_count;

static const char *only;
static unsigned long exchanges;
static char chunk[CHUNK];

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "proxy: %s\n", what);
    exit(2);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- the plan ---- */

static void read_plans(enum deed deed, const char *text)
{
    for (const char *at = text;; at++) {
        char *end;
        struct plan p = {strtoul(at, &end, 10), deed, 0};
        if (end == at || plan_count == MOST_PLANS)
            fail("numbers of exchanges are needed, as 3,5 or 3:100");
        if (deed == DELAY_ANSWER && *end == ':')
            p.milliseconds = strtol(end + 1, &end, 10);
        plans[plan_count++] = p;
        if (!*end)
            return;
        if (*end != ',')
            fail("numbers of exchanges are needed, with commas between them");
        at = end;
    }
}

static bool contains(const char *at, size_t n, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= n; i++)
        if (memcmp(at + i, text, length) == 0)
            return true;
    return false;
}

static struct plan begin_exchange(size_t n)
{
    if (only && !contains(chunk, n, only))
        return (struct plan){0};
    exchanges++;
    for (size_t i = 0; i < plan_count; i++)
        if (plans[i].number == exchanges)
            return plans[i];
    return (struct plan){.number = exchanges};
}

/* ---- connections ---- */

static struct sockaddr_in loopback(unsigned port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int listen_at(unsigned port)
{
    struct sockaddr_in address = loopback(port);
    socklen_t size = sizeof address;
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 64) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        fail(strerror(errno));
    printf("%u\n", (unsigned)ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

/* Without a server, the client finds its connection closed. */
static void accept_from(int listener, unsigned target)
{
    struct sockaddr_in address = loopback(target);
    int on = 1, client = accept(listener, NULL, NULL), server = socket(AF_INET, SOCK_STREAM, 0);
    if (client < 0 || server < 0 || connection_count == MOST_CONNECTIONS ||
        connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
        if (client >= 0)
            close(client);
        if (server >= 0)
            close(server);
        return;
    }
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections[connection_count++] = (struct connection){.client = client, .server = server};
}

static bool forward(int to, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t sent = send(to, chunk + done, n - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        done += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool drop(const struct plan *p, const char *what)
{
    printf("dropped the %s of %lu\n", what, p->number);
    fflush(stdout);
    return false;
}

/* Bytes of the client. False: the connection ends. */
static bool ask(struct connection *c)
{
    ssize_t n = recv(c->client, chunk, sizeof chunk, 0);
    if (n <= 0)
        return false;
    if (!c->asked)
        c->plan = begin_exchange((size_t)n);
    c->asked = true;
    return c->plan.deed == DROP_REQUEST ? drop(&c->plan, "request") : forward(c->server, (size_t)n);
}

/* Bytes of the server. False: the connection ends. */
static bool answer(struct connection *c)
{
    if (c->asked && c->plan.deed == DELAY_ANSWER && !c->held_until) {
        c->held_until = now() + (double)c->plan.milliseconds * 1e-3;
        printf("delayed the answer of %lu\n", c->plan.number);
        fflush(stdout);
        return true;
    }
    c->held_until = 0;
    ssize_t n = recv(c->server, chunk, sizeof chunk, 0);
    if (n <= 0)
        return false;
    if (c->asked && c->plan.deed == DROP_ANSWER)
        return drop(&c->plan, "answer");
    c->asked = false;
    return forward(c->client, (size_t)n);
}

/* ---- the loop ---- */

static void serve(int listener, unsigned target)
{
    static struct pollfd waits[1 + 2 * MOST_CONNECTIONS];
    int timeout = -1;
    waits[0] = (struct pollfd){.fd = listener, .events = POLLIN};
    for (size_t i = 0; i < connection_count; i++) {
        struct connection *c = &connections[i];
        double rest = c->held_until - now();
        bool held = c->held_until != 0 && rest > 0;
        if (held && (timeout < 0 || rest * 1e3 < timeout))
            timeout = (int)(rest * 1e3) + 1;
        waits[1 + 2 * i] = (struct pollfd){.fd = c->client, .events = POLLIN};
        waits[2 + 2 * i] = (struct pollfd){.fd = held ? -1 : c->server, .events = POLLIN};
    }
    size_t count = connection_count;
    if (poll(waits, 1 + 2 * count, timeout) < 0 && errno != EINTR)
        fail(strerror(errno));
    for (size_t i = count; i-- > 0;) { /* from the end, so that the last one can take an ended one's place */
        struct connection *c = &connections[i];
        bool ends = (waits[2 + 2 * i].revents && !answer(c)) || (waits[1 + 2 * i].revents && !ask(c));
        if (ends) {
            close(c->client);
            close(c->server);
            *c = connections[--connection_count];
        }
    }
    if (waits[0].revents)
        accept_from(listener, target);
}

int main(int count, char **words)
{
    if (count < 3)
        fail("LISTEN_PORT and TARGET_PORT are needed");
    for (int i = 3; i < count; i += 2) {
        const char *value = i + 1 < count ? words[i + 1] : "";
        if (strcmp(words[i], "--only") == 0)
            only = value;
        else if (strcmp(words[i], "--drop-answer") == 0)
            read_plans(DROP_ANSWER, value);
        else if (strcmp(words[i], "--drop-request") == 0)
            read_plans(DROP_REQUEST, value);
        else if (strcmp(words[i], "--delay-answer") == 0)
            read_plans(DELAY_ANSWER, value);
        else
            fail("options are --only, --drop-answer, --drop-request and --delay-answer");
    }
    int listener = listen_at((unsigned)strtoul(words[1], NULL, 10));
    for (;;)
        serve(listener, (unsigned)strtoul(words[2], NULL, 10));
}
