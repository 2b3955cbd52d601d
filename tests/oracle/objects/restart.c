/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/restart.h"

#include "oracle/finding.h"
#include "oracle/objects/calls.h"
#include "oracle/objects/choose.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/history.h"
#include "oracle/objects/monitor.h"
#include "oracle/objects/schedule.h"
#include "oracle/objects/search.h"
#include "oracle/objects/simulate.h"
#include "oracle/objects/stream.h"
#include "oracle/objects/value.h"
#include "oracle/objects/write.h"
#include "support/chance.h"

#include <assay.h>
#include <assay_monitor.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static assay_monitor *run_all(const struct text *t, const char *engine, struct reports *r, assay_error *e)
{
    memset(r, 0, sizeof *r);
    assay_monitor_options o = {ASSAY_MONITOR_OPTIONS_INIT, .engine = engine, .all = true, .on_violation = on_violation,
                               .context = r};
    assay_monitor *m = need(assay_monitor_open(NULL, &o, e));
    if (assay_monitor_feed(m, t->bytes, t->size, e))
        assay_monitor_end(m, e);
    return m;
}

/* A long correct run of one object, with distinct values where something is put in. */
static void make_run(struct history *h, enum kind k, struct taste *taste)
{
    values_reset();
    memset(h, 0, sizeof *h);
    choose_objects(h, 1, false, taste);
    h->kinds[0] = k;
    h->parameters[0] = k == SEMAPHORE ? 2 : 0;
    h->named = h->odd_names = false;
    shape(h, 20 + below(60), 2 + below(3), EVENTS, 0);
    h->event_form = true;
    simulate_whole(h, taste);
    for (int i = 0; i < h->ops; i++)
        if (h->op[i].pending) { /* all return */
            h->op[i].pending = false;
            h->op[i].ret = h->op[i].ret_event = last_event(h) + 1;
        }
}

/* One result is spoiled: with --all at most one violation may be reported, since the object itself goes on being
 * right. */
static void restart_once(void)
{
    static struct history h, right;
    static struct reports r;
    static const enum kind kinds[] = {QUEUE,        STACK,  PQUEUE,    PQUEUE_MIN, SET,     MULTISET,
                                      REGISTER,     LOCK,   EXCHANGER, SEMAPHORE,  COUNTER, MAP,
                                      CAS_REGISTER, MEMORY, DEQUE,     RWLOCK};
    struct text t = {0};
    struct taste taste = {.distinct = true, .words = chance(40), .pool = 4};
    make_run(&h, kinds[below(16)], &taste);
    if (linearizable(&h, true) != YES)
        return;
    right = h;
    for (int tries = 0; tries < 20 && !memcmp(&right, &h, sizeof h); tries++)
        spoil_result(&h, &taste);
    write_history(&t, &h);
    assay_error e = {0};
    const char *engine = chance(70) ? NULL : chance(50) ? "exact-jit" : monitors[1 + below(2)];
    assay_monitor *m = run_all(&t, engine, &r, &e);
    counts.restarts++;
    counts.reports += r.count;
    if (e.code && e.code != ASSAY_ERROR_NOT_APPLICABLE)
        finding(t.bytes, "restart: monitor %s fails: %s", engine ? engine : "(default)", e.message);
    int limit = 1; /* a value that comes out twice, where it should not and where it should, may be reported twice */
    for (int i = 0; i < h.ops; i++)
        for (int k = 0; k < h.ops; k++)
            if (i != k && h.op[i].result != right.op[i].result && h.op[k].result == h.op[i].result &&
                values[h.op[i].result].kind == 'i')
                limit = 2;
    if (r.count > limit)
        finding(t.bytes, "restart: monitor %s --all: %d violations (events %d, %d), though only one result was spoiled",
                engine ? engine : "(default)", r.count, (int)r.list[0].event, (int)r.list[1].event);
    assay_monitor_close(m);
    free(t.bytes);
}

/* Two results, the second after the first was reported, become values that nobody ever put in: both are reported. */
static void restart_twice(void)
{
    static struct history h;
    static struct reports r;
    static const enum kind kinds[] = {QUEUE, STACK, PQUEUE, PQUEUE_MIN, REGISTER};
    struct text t = {0};
    struct taste taste = {.distinct = true, .words = chance(40), .pool = 4};
    make_run(&h, kinds[below(5)], &taste);
    if (linearizable(&h, true) != YES)
        return;
    int spoiled[2] = {NONE, NONE}, n = 0;
    for (int i = 0; i < h.ops && n < 2; i++) {
        enum method m = h.op[i].method;
        bool takes = m == TAKE_FRONT || m == TAKE_BACK || m == READ || m == PEEK_FRONT || m == PEEK_BACK;
        if (takes && chance(20) && (!n || h.op[i].call_event > h.op[spoiled[0]].ret_event)) {
            h.op[i].result = v_int(1000000 + n);
            spoiled[n++] = i;
        }
    }
    if (n < 2)
        return;
    write_history(&t, &h);
    assay_error e = {0};
    assay_monitor *m = run_all(&t, NULL, &r, &e);
    bool exact, prompt;
    counts.restarts++;
    counts.reports += r.count;
    is_weakened(m, &exact, &prompt);
    bool must = exact && r.count && r.list[0].noticed < (uint64_t)h.op[spoiled[1]].call_event;
    if (r.count > 2 || (exact && r.count < 1) || (must && r.count != 2))
        finding(t.bytes, "restart: --all: %d violations (%s), though two results were spoiled: events %d and %d",
                r.count, exact ? "exact" : "sound only", h.op[spoiled[0]].ret_event, h.op[spoiled[1]].ret_event);
    assay_monitor_close(m);
    free(t.bytes);
}

void random_restart(void)
{
    if (chance(70))
        restart_once();
    else
        restart_twice();
}
