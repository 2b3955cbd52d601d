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

static void disconnect(struct drive_session *s)
{
    const assay_driver *d = s->run->settings->driver;
    for (unsigned i = 0; i < s->connection_count; i++) {
        if (s->connections[i].state)
            d->close(s->run->campaign, &s->connections[i]);
        s->connections[i].state = NULL;
        s->connections[i].broken = false;
    }
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

static bool try_connect(struct drive_session *s)
{
    const assay_driver *d = s->run->settings->driver;
    for (unsigned i = 0; i < s->connection_count; i++) {
        assay_session *c = &s->connections[i];
        c->message[0] = 0;
        if (!enter_network(s->run, c) || !d->open(s->run->campaign, c)) {
            memcpy(s->refusal, c->message, sizeof s->refusal);
            drive_printable(s->refusal);
            c->state = NULL;
            disconnect(s);
            return false;
        }
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

static void run_transaction(struct drive_session *s)
{
    struct drive_run *r = s->run;
    struct transactions *c = &s->client;
    assay_session *at = &s->connections[s->connection_count > 1 ? rng_below(&c->rng, s->connection_count) : 0];
    transactions_next(c);
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
