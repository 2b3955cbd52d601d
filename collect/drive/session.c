/* SPDX-License-Identifier: Apache-2.0 */
/* The invariant: a call is in the log before the driver sees it. Its outcome stands behind it before the next call of
 * the session. The time of a call is taken before, the time of a return after the driver's work. So the interval
 * that is recorded contains the real one. */
#include "collect/drive/session.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LEAST_PAUSE_MS = 5, MOST_PAUSE_MS = 200, MOST_AWAKE = 64 };
static const double least_patience = 10; /* seconds */

int64_t drive_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

double drive_patience(const struct drive_settings *s)
{
    return s->timeout > least_patience ? s->timeout : least_patience;
}

static void pause_for(unsigned ms)
{
    nanosleep(&(struct timespec){ms / 1000, (long)(ms % 1000) * 1000000}, NULL);
}

static bool over(const struct drive_session *s)
{
    struct drive_run *r = s->run;
    if (atomic_load_explicit(&r->stopped, memory_order_relaxed) ||
        atomic_load_explicit(&r->log.fault, memory_order_relaxed))
        return true;
    if (r->settings->interrupt && r->settings->interrupt(r->settings->arg)) {
        atomic_store(&r->stopped, true);
        return true;
    }
    return r->ends && drive_now() >= r->ends;
}

/* ---- connections ---- */

void drive_disconnect(const struct drive_run *r, assay_session *c)
{
    if (c->state)
        r->settings->driver->close(r->campaign, c);
    c->state = NULL;
    c->broken = false;
}

static void disconnect(struct drive_session *s)
{
    for (unsigned i = 0; i < s->connection_count; i++)
        drive_disconnect(s->run, &s->connections[i]);
    s->connected = false;
}

/* A client of a node that is cut off still reaches this node. */
static bool enter_network(const struct drive_run *r, assay_session *c)
{
    assay_error e = {0};
    const char *network = r->cluster->up ? r->cluster->nodes[c->node].network : "";
    if (!*network || cluster_enter(network, &e))
        return true;
    snprintf(c->message, sizeof c->message, "%.200s", e.message);
    return false;
}

bool drive_connect(const struct drive_run *r, assay_session *c)
{
    c->message[0] = 0;
    if (enter_network(r, c) && r->settings->driver->open(r->campaign, c))
        return true;
    c->state = NULL;
    return false;
}

static bool try_connect(struct drive_session *s)
{
    for (unsigned i = 0; i < s->connection_count; i++)
        if (!drive_connect(s->run, &s->connections[i])) {
            memcpy(s->refusal, s->connections[i].message, sizeof s->refusal);
            drive_printable(s->refusal);
            disconnect(s);
            return false;
        }
    s->connected = true;
    return true;
}

/* Tries until it succeeds, the history is over, or nothing explains any more why it does not succeed. */
static bool connect_again(struct drive_session *s)
{
    struct drive_run *r = s->run;
    double patience = drive_patience(r->settings);
    int64_t since = drive_now();
    for (unsigned pause = LEAST_PAUSE_MS; !try_connect(s);
         pause = 2 * pause < MOST_PAUSE_MS ? 2 * pause : MOST_PAUSE_MS) {
        int64_t now = drive_now();
        if (atomic_load(r->faults) > 0)
            since = now;
        if (over(s))
            return false;
        if ((double)(now - since) * 1e-9 > patience) {
            memcpy(s->trouble, s->refusal, sizeof s->trouble);
            atomic_store(&r->stopped, true);
            return false;
        }
        pause_for(pause);
    }
    drive_log_connection(&s->records, s->number, drive_now() - r->zero, s->connections[0].node);
    return true;
}

/* ---- transactions ---- */

/* The part of the history that is over, by operations or by time. */
static double part_done(const struct drive_session *s)
{
    const struct drive_run *r = s->run;
    double operations = (double)s->done / (double)s->operations;
    double time = r->ends ? (double)(drive_now() - r->zero) / (double)(r->ends - r->zero) : 0;
    return operations > time ? operations : time;
}

/* The final reads are about the keys that were written. */
static void note_keys(const struct drive_run *r, const struct transactions *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const assay_access *a = &c->accesses[i];
        if (a->action == r->workload.workload->changes)
            atomic_store_explicit(&r->written[a->key - r->workload.first_key], true, memory_order_relaxed);
    }
}

static void run_transaction(struct drive_session *s)
{
    struct drive_run *r = s->run;
    struct transactions *c = &s->client;
    assay_session *at = &s->connections[s->connection_count > 1 ? rng_below(&c->rng, s->connection_count) : 0];
    if (!r->workload.kept || !transactions_keep(c, part_done(s)))
        transactions_next(c);
    note_keys(r, c);
    int64_t called = drive_now() - r->zero;
    drive_log_call(&s->records, s->number, called, c->accesses, c->n, r->workload.first_key);
    if (!drive_records_write(&s->records))
        return;
    at->message[0] = 0;
    assay_outcome outcome = r->settings->driver->run(r->campaign, at, c->accesses, c->n);
    if (outcome != ASSAY_COMMITTED && outcome != ASSAY_ABORTED)
        outcome = ASSAY_UNKNOWN; /* also of a driver that says anything else */
    int64_t returned = drive_now() - r->zero;
    drive_log_outcome(&s->records, s->number, returned, outcome, c->accesses, c->n, at->message);
    atomic_store_explicit(&s->done, s->done + 1, memory_order_relaxed);
    if (outcome != ASSAY_UNKNOWN)
        latency_add(&s->latency, (uint64_t)(returned - called));
    if (at->broken || outcome == ASSAY_UNKNOWN)
        disconnect(s);
}

/* All sessions begin together, once each has a connection or knows that it has none. */
static void wait_for_others(struct drive_session *s)
{
    struct drive_run *r = s->run;
    atomic_fetch_add(&r->connected, 1);
    while (atomic_load(&r->connected) < r->workload.sessions && !atomic_load(&r->started))
        pause_for(1);
    while (!atomic_load(&r->started)) /* in a moment: fast stores would be done before a sleeper wakes up */
        r->workload.sessions <= MOST_AWAKE ? (void)sched_yield() : pause_for(1);
}

void *drive_session_main(void *session)
{
    struct drive_session *s = session;
    bool ready = try_connect(s);
    wait_for_others(s);
    if (ready)
        drive_log_connection(&s->records, s->number, 0, s->connections[0].node);
    while (s->done < s->operations && !over(s)) {
        if (!s->connected && !connect_again(s))
            break;
        run_transaction(s);
    }
    drive_records_write(&s->records);
    disconnect(s);
    return NULL;
}
