/* SPDX-License-Identifier: Apache-2.0 */
/* A linearizable store for wild_driver.c, in a process of its own, so that it outlives its clients: wild_store SOCKET. One
 * thread runs one request after the other. A late request waits in a list, also after its client is gone. */
#define _GNU_SOURCE
#include "wild.h"

#include <assay_driver.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { CLIENTS = 1000, ROOM = 1 << 16, MOST = 256 };

struct thing {
    uint64_t key;
    int64_t value, *elements[3]; /* a list, a set, a queue */
    size_t count[3], room[3];
    struct thing *next;
};

static struct thing *table[ROOM];

static struct client {
    char *bytes;
    size_t length, room;
} clients[CLIENTS];

static struct pollfd polls[CLIENTS + 1];

static struct late {
    int64_t when;
    struct request r;
    struct request_access a[MOST];
    struct late *next;
} * waiting;

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static struct thing *find(uint64_t key)
{
    struct thing **t = &table[key % ROOM];
    while (*t && (*t)->key != key)
        t = &(*t)->next;
    if (!*t) {
        *t = calloc(1, sizeof **t);
        (*t)->key = key;
    }
    return *t;
}

static void add(struct thing *t, int kind, int64_t value)
{
    if (t->count[kind] == t->room[kind]) {
        t->room[kind] = 2 * t->room[kind] + 16;
        t->elements[kind] = realloc(t->elements[kind], t->room[kind] * sizeof(int64_t));
    }
    t->elements[kind][t->count[kind]++] = value;
}

static void reply(int s, const void *bytes, size_t n)
{
    for (const char *p = bytes; s >= 0 && n > 0;) {
        ssize_t k = send(s, p, n, MSG_NOSIGNAL);
        if (k <= 0)
            return;
        p += k;
        n -= (size_t)k;
    }
}

static void apply(int s, const struct request_access *a)
{
    struct thing *t = find(a->key), *to;
    struct answer b = {.found = 1, .answer = t->value};
    int kind = a->action <= ASSAY_ACTION_APPEND ? 0 : a->action <= ASSAY_ACTION_INSERT ? 1 : 2;
    switch (a->action) {
    case ASSAY_ACTION_WRITE: t->value = a->value; break;
    case ASSAY_ACTION_ADD: t->value += a->value; break;
    case ASSAY_ACTION_TRANSFER:
        to = find(a->to);
        b.found = t->value >= a->value;
        if (b.found) {
            t->value -= a->value;
            to->value += a->value;
        }
        break;
    case ASSAY_ACTION_APPEND:
    case ASSAY_ACTION_INSERT:
    case ASSAY_ACTION_ENQUEUE: add(t, kind, a->value); break;
    case ASSAY_ACTION_LIST:
    case ASSAY_ACTION_ELEMENTS: b.count = t->count[kind]; break;
    case ASSAY_ACTION_DEQUEUE:
        b.found = t->count[2] > 0;
        if (b.found) {
            b.answer = t->elements[2][0];
            memmove(t->elements[2], t->elements[2] + 1, --t->count[2] * sizeof(int64_t));
        }
        break;
    default: break;
    }
    reply(s, &b, sizeof b);
    reply(s, t->elements[kind], b.count * sizeof(int64_t));
}

static void ripe(void)
{
    for (struct late **l = &waiting; *l;) {
        if ((*l)->when > now()) {
            l = &(*l)->next;
            continue;
        }
        struct late *gone = *l;
        for (uint64_t i = 0; i < gone->r.n; i++)
            apply(-1, &gone->a[i]);
        *l = gone->next;
        free(gone);
    }
}

static void serve(struct client *c, int s)
{
    struct request r;
    struct request_access a[MOST];
    size_t size;
    while (c->length >= sizeof r) {
        memcpy(&r, c->bytes, sizeof r);
        size = sizeof r + (r.prepare || r.n > MOST ? 0 : r.n * sizeof *a);
        if (c->length < size)
            return;
        memcpy(a, c->bytes + sizeof r, size - sizeof r);
        memmove(c->bytes, c->bytes + size, c->length -= size);
        if (r.prepare) {
            for (uint64_t k = r.first; k < r.first + r.n; k++) {
                struct thing *t = find(k);
                t->value = r.initial;
                memset(t->count, 0, sizeof t->count);
            }
            reply(s, "!", 1);
        } else if (r.late) {
            struct late *l = malloc(sizeof *l);
            *l = (struct late){.when = now() + (int64_t)r.late, .r = r, .next = waiting};
            memcpy(l->a, a, size - sizeof r);
            waiting = l;
        } else {
            for (uint64_t i = 0; i < r.n; i++)
                apply(s, &a[i]);
        }
    }
}

int main(int count, char **words)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t n = 0;
    if (count != 2)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", words[1]);
    unlink(words[1]);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 100) != 0)
        return 2;
    polls[0] = (struct pollfd){.fd = listener, .events = POLLIN};
    for (;;) {
        poll(polls, n + 1, waiting ? 1 : -1);
        ripe();
        if (polls[0].revents && n < CLIENTS) {
            int s = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
            if (s >= 0) {
                polls[++n] = (struct pollfd){.fd = s, .events = POLLIN};
                clients[n - 1] = (struct client){0};
            }
        }
        for (size_t i = n; i > 0; i--) {
            struct client *c = &clients[i - 1];
            if (!polls[i].revents)
                continue;
            if (c->room - c->length < 4096)
                c->bytes = realloc(c->bytes, c->room = 2 * c->room + 8192);
            ssize_t k = recv(polls[i].fd, c->bytes + c->length, c->room - c->length, MSG_DONTWAIT);
            if (k <= 0) {
                close(polls[i].fd);
                free(c->bytes);
                polls[i] = polls[n];
                *c = clients[--n];
                continue;
            }
            c->length += (size_t)k;
            serve(c, polls[i].fd);
        }
    }
}
