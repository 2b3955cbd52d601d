/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/write.h"

#include "oracle/memory/history.h"
#include "support/chance.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char *spelling(const char *const pair[2], const struct style *s)
{
    return pair[s->respell && chance(50)];
}

static void say_value(struct text *t, int v, const struct style *s)
{
    if (v >= FRESH)
        say(t, s->respell && chance(20) ? "0x%x" : "%d", v);
    else
        say(t, "%s", spelling(values[v], s));
}

static void say_name(struct text *t, const struct history *h, int var, const struct style *s)
{
    int name = h->vars[var].name;
    if (name >= NAMES)
        say(t, "v%d", name);
    else
        say(t, "%s", spelling(names[name], s));
}

static const char *line_end(const struct style *s)
{
    return s->crlf ? "\r\n" : "\n";
}

static void end_operation(struct text *t, const struct style *s)
{
    say(t, "%s%s", s->comments && chance(30) ? "  # write(x, 7)" : "", line_end(s));
    if (s->comments && chance(20))
        say(t, "%s%s", chance(50) ? "" : "# t0: read(x) => 9", line_end(s));
}

static void say_thread(struct text *t, int thread, const struct style *s)
{
    char name[32];
    snprintf(name, sizeof name, s->thread, thread + s->salt);
    say(t, "%s", name);
}

static const char *header(const struct style *s, const char *with_hash)
{
    return with_hash + (s->bare_headers ? 2 : 0);
}

static void say_headers(struct text *t, const struct history *h, const struct style *s)
{
    if (chance(50))
        say(t, "%s memory%s", header(s, "# @object"), line_end(s));
    if (h->default_init != NOTHING) {
        say(t, "%s ", header(s, "# @init"));
        say_value(t, h->default_init, s);
        say(t, "%s", line_end(s));
    }
    for (int v = 0; v < h->var_count; v++) {
        if (h->vars[v].named_init) {
            say(t, "%s ", header(s, "# @init"));
            say_name(t, h, v, s);
            say(t, "=");
            say_value(t, h->vars[v].init, s);
            say(t, "%s", line_end(s));
        }
        if (h->vars[v].final != NOTHING) {
            say(t, "%s ", header(s, "# @final"));
            say_name(t, h, v, s);
            say(t, "=");
            say_value(t, h->vars[v].final, s);
            say(t, "%s", line_end(s));
        }
    }
    if (h->po_after)
        say(t, "%s after%s", header(s, "# @po"), line_end(s));
    if (s->times == EVENTS)
        say(t, "%s thread%s", header(s, "# @ids"), line_end(s));
}

static void say_call(struct text *t, const struct history *h, int i, const struct style *s)
{
    static const char *const methods[] = {"read", "write", "rmw", "fence"};
    char object[16] = "";
    const struct op *o = &h->ops[i];
    if (o->kind == FENCE && chance(30)) {
        say(t, "fence");
        return;
    }
    if (o->kind != FENCE && h->vars[o->var].object)
        snprintf(object, sizeof object, "%c.", 'a' - 1 + h->vars[o->var].object);
    say(t, "%s%s(", object, methods[o->kind]);
    if (o->kind != FENCE)
        say_name(t, h, o->var, s);
    if (o->kind == RMW) {
        say(t, ", ");
        say_value(t, o->old, s);
    }
    if (writes(o)) {
        say(t, ", ");
        say_value(t, o->val, s);
    }
    say(t, ")");
}

int event_order(const struct history *h, int events[2 * MAX_OPS])
{
    int next[MAX_THREADS], n = 0;
    bool open[MAX_THREADS] = {false};
    for (int t = 0; t < h->threads; t++)
        next[t] = 0;
    for (int left = h->n; left > 0;) {
        int t = below(h->threads);
        while (next[t] < h->n && h->ops[next[t]].thread != t)
            next[t]++;
        if (next[t] == h->n)
            continue;
        int i = next[t];
        events[n++] = 2 * i + open[t];
        if (open[t] || h->ops[i].pending) {
            next[t]++;
            left--;
            open[t] = false;
        } else {
            open[t] = true;
        }
    }
    return n;
}

static void say_events(struct text *t, const struct history *h, const struct style *s, const int *events, int n)
{
    for (int k = 0; k < n; k++) {
        int i = events[k] / 2;
        say(t, "[");
        say_thread(t, h->ops[i].thread, s);
        say(t, "] %s", events[k] % 2 ? "return" : "call ");
        if (events[k] % 2 == 0)
            say_call(t, h, i, s);
        else if (h->ops[i].kind == READ) {
            say(t, " ");
            say_value(t, h->ops[i].old, s);
        }
        end_operation(t, s);
    }
}

static void say_count(struct text *t, int thread, int count, const struct style *s)
{
    say(t, " ");
    say_thread(t, thread, s);
    say(t, ":%d", count);
}

/* The order of the history itself, with counts that say nothing now and then: of no operations, of the own thread */
static void say_own_after(struct text *t, const struct history *h, int i, const struct style *s)
{
    const struct op *o = &h->ops[i];
    int own = 0, last = 0;
    bool nothing = chance(10);
    for (int a = 0; a < i; a++)
        own += h->ops[a].thread == o->thread;
    for (int u = 0; u < h->threads; u++)
        last = o->after[u] ? u : last;
    if (!o->after[last] && !nothing)
        return;
    say(t, " @ after");
    for (int u = 0; u < h->threads; u++) {
        bool appears = false; /* a thread without operations would be a new one */
        for (int a = 0; a < h->n; a++)
            appears = appears || h->ops[a].thread == u;
        if (o->after[u])
            say_count(t, u, o->after[u], s);
        else if (appears && chance(10))
            say_count(t, u, u == o->thread ? below(own + 1) : 0, s);
    }
}

static void say_after(struct text *t, const struct history *h, const struct style *s, const int *events, int call)
{
    int returned[MAX_THREADS] = {0};
    for (int k = 0; k < call; k++)
        returned[h->ops[events[k] / 2].thread] += events[k] % 2;
    say(t, " @ after");
    for (int u = 0; u < h->threads; u++)
        if (returned[u] && chance(60))
            say_count(t, u, returned[u], s);
}

static void say_operation(struct text *t, const struct history *h, int i, const struct style *s, const int *events,
                          const int64_t *times, int n)
{
    const struct op *o = &h->ops[i];
    int call = 0, ret = NOTHING;
    for (int k = 0; k < n; k++) {
        if (events[k] == 2 * i)
            call = k;
        if (events[k] == 2 * i + 1)
            ret = k;
    }
    say_thread(t, o->thread, s);
    say(t, ": ");
    say_call(t, h, i, s);
    if (o->kind == READ && !o->pending) {
        say(t, " => ");
        say_value(t, o->old, s);
    }
    if (o->pending && (s->times != TIMES || chance(50)))
        say(t, " => ?");
    if (s->times == TIMES) {
        say(t, " @ %" PRId64 "..", times[call]);
        if (ret >= 0)
            say(t, "%" PRId64, times[ret]);
    }
    if (h->knows)
        say_own_after(t, h, i, s);
    else if (s->times == AFTER && chance(70))
        say_after(t, h, s, events, call);
    end_operation(t, s);
}

/* Times that never decrease, with ties, sometimes at the ends of the range */
static void draw_times(int64_t *times, int n)
{
    static const int64_t starts[] = {0, 0, 1000000007, -1000, INT64_MIN, INT64_MAX - 4 * MAX_OPS};
    int64_t now = starts[below(6)];
    for (int k = 0; k < n; k++)
        times[k] = now += below(3);
}

static void say_operations(struct text *t, const struct history *h, const struct style *s)
{
    int events[2 * MAX_OPS], n = event_order(h, events);
    int64_t times[2 * MAX_OPS];
    draw_times(times, n);
    if (s->times == EVENTS) {
        say_events(t, h, s, events, n);
        return;
    }
    for (int k = 0; k < (s->shuffle ? n : h->n); k++) {
        if (!s->shuffle)
            say_operation(t, h, k, s, events, times, n);
        else if (events[k] % 2 == 0)
            say_operation(t, h, events[k] / 2, s, events, times, n);
    }
}

struct style any_style(void)
{
    struct style s = {.shuffle = chance(50), .crlf = chance(5), .respell = chance(40)};
    int times = below(10);
    s.times = times == 0 ? TIMES : times == 1 ? AFTER : times == 2 ? EVENTS : NO_TIMES;
    static const char *const threads[] = {"t%d", "t%d", "t%d", "%d", "client-%d.a", "\xc3\xa9%d", "read%d"};
    s.thread = threads[below(7)];
    s.salt = chance(20) ? below(30) : 0;
    s.comments = chance(10);
    s.bare_headers = chance(10);
    return s;
}

char *history_text(const struct history *h, struct style s)
{
    struct text t = {0};
    say(&t, "%s", "");
    if (h->knows)
        s.times = AFTER;
    say_headers(&t, h, &s);
    say_operations(&t, h, &s);
    return t.bytes;
}
