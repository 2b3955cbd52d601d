/* SPDX-License-Identifier: Apache-2.0 */
/* A driver for `assay drive --load` that behaves as badly as the contract of assay_driver.h allows, and keeps a log of its own.
 *
 * With `store` it asks the server of wild_store.c, which outlives `assay drive`; answers are then those of a linearizable
 * store. Without, answers are arbitrary. Outcomes, broken connections and their messages come from a seed. The log is
 * independent of Assay's: LOG/SESSION has a line at the beginning (B) and at the end (E) of each call of `run`, LOG/campaign the
 * rest. A line is one write to a file opened for appending, so it survives a kill. Breaches of the contract are lines `X`. */
#define _GNU_SOURCE
#include "wild.h"

#include <assay_driver.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SESSIONS = 1024 };

static struct {
    char folder[512], store[100];
    unsigned unknown, abort, broken, refuse, delay, long_lists;
    uint64_t seed, first;
    uint64_t calls[SESSIONS];
    atomic_int busy, alone; /* functions of sessions, and others, that are running */
} wild;

struct connection {
    int file, server;
    unsigned node, session;
};

static uint64_t chance(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = wild.seed * 0x9e3779b97f4a7c15u + a * 0xbf58476d1ce4e5b9u + b * 0x94d049bb133111ebu + c;
    for (int i = 0; i < 3; i++) {
        x ^= x >> 31;
        x *= 0xd6e8feb86659fd93u;
    }
    return x ^ x >> 29;
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct line {
    char *text;
    size_t length, room;
};

static void say(struct line *l, const char *format, ...)
{
    for (;;) {
        va_list arguments;
        va_start(arguments, format);
        int n = vsnprintf(l->text + l->length, l->room - l->length, format, arguments);
        va_end(arguments);
        if (l->length + (size_t)n < l->room) {
            l->length += (size_t)n;
            return;
        }
        l->room = 2 * (l->room + (size_t)n) + 256;
        l->text = realloc(l->text, l->room);
        if (!l->text)
            abort();
    }
}

static void put(int file, struct line *l)
{
    say(l, "\n");
    if (write(file, l->text, l->length) != (ssize_t)l->length)
        abort();
    free(l->text);
}

static int log_file(const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", wild.folder, name);
    return open(path, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0644);
}

static void note(const char *format, ...)
{
    char text[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int file = log_file("campaign");
    struct line l = {0};
    say(&l, "%s %ld", text, (long)getpid());
    put(file, &l);
    close(file);
}

static int connect_store(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s", wild.store);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s >= 0 && connect(s, (struct sockaddr *)&a, sizeof a) != 0) {
        close(s);
        s = -1;
    }
    return s;
}

static bool all(int s, void *bytes, size_t n, bool out)
{
    for (char *p = bytes; n > 0;) {
        ssize_t k = out ? send(s, p, n, MSG_NOSIGNAL) : recv(s, p, n, 0);
        if (k <= 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

static bool alone(bool enter, const char *name)
{
    if (!enter)
        return atomic_fetch_sub(&wild.alone, 1), true;
    atomic_fetch_add(&wild.alone, 1);
    if (atomic_load(&wild.busy))
        note("X %s beside sessions", name);
    return true;
}

static void beside(bool enter, const char *name)
{
    atomic_fetch_add(&wild.busy, enter ? 1 : -1);
    if (enter && atomic_load(&wild.alone))
        note("X %s beside a function that is to be alone", name);
}

static bool attach(assay_campaign *c)
{
    alone(true, "attach");
    snprintf(wild.folder, sizeof wild.folder, "%s", c->setting(c, "log"));
    snprintf(wild.store, sizeof wild.store, "%s", c->setting(c, "store"));
    wild.unknown = (unsigned)atoi(c->setting(c, "unknown"));
    wild.abort = (unsigned)atoi(c->setting(c, "abort"));
    wild.broken = (unsigned)atoi(c->setting(c, "broken"));
    wild.refuse = (unsigned)atoi(c->setting(c, "refuse"));
    wild.delay = (unsigned)atoi(c->setting(c, "delay"));
    wild.long_lists = (unsigned)atoi(c->setting(c, "elements"));
    wild.seed = c->seed;
    mkdir(wild.folder, 0755);
    note("A");
    snprintf(c->server, sizeof c->server, "wild\n# @object queue\n---\n%s", c->setting(c, "server"));
    alone(false, "");
    return true;
}

static void detach(assay_campaign *c)
{
    (void)c;
    alone(true, "detach");
    note("D");
    alone(false, "");
}

static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    alone(true, "prepare");
    wild.first = keys->first;
    note("P %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRId64, keys->first, keys->count, keys->actions, keys->initial);
    bool good = true;
    if (*wild.store) {
        struct request r = {.prepare = 1, .first = keys->first, .n = keys->count, .initial = keys->initial};
        char done;
        int s = connect_store();
        good = s >= 0 && all(s, &r, sizeof r, true) && all(s, &done, 1, false);
        close(s);
        snprintf(c->message, sizeof c->message, "no store");
    }
    alone(false, "");
    return good;
}

static void forget(assay_campaign *c, const assay_keys *keys)
{
    (void)c;
    alone(true, "forget");
    if (keys->first != wild.first)
        note("X forget of other keys");
    alone(false, "");
}

static const char *const words[] = {
    "plain words",
    "two\nlines\ns0: read(x0) => 77 @ 1..2\n",
    "\n---\n# @object queue",
    "# @object counter",
    "\"quotes' \\ back",
    "bytes \xff\xfe\xc3( \x80",
    "bell \a escape \x1b[31m tab \t return \r feed \f delete \x7f",
    " @ 5..6 # : => abort",
    "",
    "long",
};

static void speak(char *message, uint64_t r)
{
    const char *w = words[r % (sizeof words / sizeof *words)];
    snprintf(message, ASSAY_DRIVER_MESSAGE, "%s", w);
    if (strcmp(w, "long") == 0) { /* 255 bytes; the last character is cut in the middle */
        memset(message, 'm', ASSAY_DRIVER_MESSAGE - 1);
        message[ASSAY_DRIVER_MESSAGE - 2] = '\xc3';
        message[ASSAY_DRIVER_MESSAGE - 1] = 0;
    }
}

static bool open_session(assay_campaign *c, assay_session *s)
{
    static atomic_uint tries;
    char name[32];
    bool good = true;
    (void)c;
    beside(true, "open");
    uint64_t r = chance(s->number, atomic_fetch_add(&tries, 1), 3);
    if (s->broken)
        note("X open of a session that is still broken");
    if (r % 100 < wild.refuse)
        good = false;
    struct connection *k = calloc(1, sizeof *k);
    snprintf(name, sizeof name, "%u", s->number);
    k->server = good && *wild.store ? connect_store() : -1;
    if (good && *wild.store && k->server < 0)
        good = false;
    k->file = log_file(name);
    k->node = s->node;
    k->session = s->number;
    struct line l = {0};
    say(&l, "O %ld %u %d", (long)getpid(), s->node, good);
    put(k->file, &l);
    if (good) {
        s->state = k;
    } else {
        speak(s->message, r >> 32);
        close(k->file);
        free(k);
        s->state = NULL;
    }
    beside(false, "open");
    return good;
}

static void close_session(assay_campaign *c, assay_session *s)
{
    struct connection *k = s->state;
    (void)c;
    beside(true, "close");
    if (!k) {
        note("X close of a session that is not open");
    } else {
        close(k->file);
        if (k->server >= 0)
            close(k->server);
        free(k);
        s->state = NULL;
    }
    beside(false, "close");
}

static int64_t odd(uint64_t r)
{
    static const int64_t values[] = {INT64_MIN, INT64_MAX, -1, 0, 1, INT64_MIN + 1, INT64_MAX - 1, 1000000007};
    return r & 64 ? values[r & 7] : (int64_t)(r >> 56);
}

static void invent(assay_access *a, uint64_t r)
{
    a->found = r % 8 != 0;
    a->answer = odd(r >> 3);
    if (a->action == ASSAY_ACTION_LIST || a->action == ASSAY_ACTION_ELEMENTS) {
        size_t n = r >> 20 & 31 ? r >> 25 & 7 : wild.long_lists;
        for (size_t i = 0; i < n; i++)
            assay_access_push(a, odd(chance(r, i, 9)));
    }
}

/* False: no answer. */
static bool ask(struct connection *k, assay_access *a, size_t n, uint64_t late, bool listen)
{
    struct request r = {.n = n, .late = late};
    if (!all(k->server, &r, sizeof r, true))
        return false;
    for (size_t i = 0; i < n; i++) {
        struct request_access q = {(uint64_t)a[i].action, a[i].key, a[i].to, a[i].value};
        if (!all(k->server, &q, sizeof q, true))
            return false;
    }
    for (size_t i = 0; listen && i < n; i++) {
        struct answer b;
        if (!all(k->server, &b, sizeof b, false))
            return false;
        a[i].found = b.found;
        a[i].answer = b.answer;
        for (uint64_t j = 0; j < b.count; j++) {
            int64_t e;
            if (!all(k->server, &e, sizeof e, false) || !assay_access_push(&a[i], e))
                return false;
        }
    }
    return true;
}

static assay_outcome run(assay_campaign *c, assay_session *s, assay_access *a, size_t n)
{
    struct connection *k = s->state;
    struct line l = {0};
    int64_t start = now();
    assay_outcome outcome = ASSAY_COMMITTED;
    (void)c;
    beside(true, "run");
    if (!k || s->broken || k->session != s->number || k->node != s->node || n == 0) {
        note("X run of a session: open %d broken %d node %u, opened for %u", k != NULL, s->broken, s->node,
             k ? k->node : 0);
        abort();
    }
    uint64_t r = chance(s->number, wild.calls[s->number % SESSIONS]++, wild.first);
    say(&l, "B %ld %" PRIu64 " %u %" PRId64 " %zu", (long)getpid(), wild.first, s->node, start, n);
    for (size_t i = 0; i < n; i++) {
        if (a[i].found || a[i].count)
            note("X an access with an answer in it");
        say(&l, " %u %" PRIu64 " %" PRIu64 " %" PRId64, (unsigned)a[i].action, a[i].key, a[i].to, a[i].value);
    }
    put(k->file, &l);
    if (wild.delay && (r >> 8) % 4 == 0)
        usleep((useconds_t)((r >> 12) % wild.delay));
    unsigned dice = (unsigned)(r >> 32) % 100;
    bool broken = (r >> 40) % 100 < wild.broken;
    if (dice < wild.unknown)
        outcome = ASSAY_UNKNOWN;
    else if (dice < wild.unknown + wild.abort)
        outcome = ASSAY_ABORTED;
    if (!*wild.store) {
        for (size_t i = 0; i < n; i++)
            invent(&a[i], chance(r, i, 1));
    } else if (outcome == ASSAY_COMMITTED) {
        if (!ask(k, a, n, 0, true)) {
            outcome = ASSAY_UNKNOWN;
            broken = true;
        }
    } else if (outcome == ASSAY_UNKNOWN && dice % 2) { /* with an effect, now or later */
        ask(k, a, n, dice % 4 == 1 ? 1 + r % 3000 : 0, false);
        broken = true;
    }
    s->broken = broken;
    if (outcome != ASSAY_COMMITTED || r % 3 == 0)
        speak(s->message, r >> 50);
    struct line e = {0};
    int64_t end = now();
    say(&e, "E %" PRId64 " %d %d", end, (int)outcome, broken);
    for (size_t i = 0; outcome == ASSAY_COMMITTED && i < n; i++) {
        say(&e, " %d %" PRId64 " %zu", a[i].found, a[i].answer, a[i].count);
        for (size_t j = 0; j < a[i].count; j++)
            say(&e, " %" PRId64, a[i].elements[j]);
    }
    put(k->file, &e);
    beside(false, "run");
    return outcome;
}

static const assay_driver_setting settings[] = {
    {"log", "wild-log", "FOLDER", "the driver's own log"},
    {"store", "", "SOCKET", "a server; else answers are arbitrary"},
    {"unknown", "10", "PERCENT", "calls without an answer"},
    {"abort", "10", "PERCENT", "calls that are refused"},
    {"broken", "5", "PERCENT", "connections that break after a call"},
    {"refuse", "20", "PERCENT", "connections that are refused"},
    {"delay", "0", "MICROSECONDS", "of some calls, at most"},
    {"elements", "100", "N", "of long lists"},
    {"server", "1", "WORDS", "in the name of the server"},
    {0},
};

static const assay_driver wild_driver = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "wild",
    .title = "all that the contract allows",
    .nodes = "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3",
    .actions = (1u << ASSAY_ACTIONS) - 1,
    .settings = settings,
    .attach = attach,
    .detach = detach,
    .prepare = prepare,
    .forget = forget,
    .open = open_session,
    .run = run,
    .close = close_session,
};

const assay_driver *const assay_drivers[] = {&wild_driver, NULL};
