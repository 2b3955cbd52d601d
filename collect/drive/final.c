/* SPDX-License-Identifier: Apache-2.0 */
/* A reader for each node, one after the other in a round. If the answers of a round differ, or one is missing, there is
 * another round after a pause: replicas may be behind. Only the last round is in the log, and of several tries only the
 * last one. The others had no effect, and what a replica answered while it caught up is no news.
 *
 * A queue is read by taking everything out of it. That has an effect, so each of these calls is in the log before it is
 * sent, as those of sessions. The last round is the one in which all nodes say that the queue is empty. */
#include "collect/drive/final.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST_PAUSE_MS = 5, MOST_PAUSE_MS = 200, SPARE = 16, TRIES = 8 };

struct reader { /* of a node */
    assay_session at;
    struct drive_records records; /* of this round */
    uint64_t answers;             /* a hash of them */
    bool complete;                /* it has read everything */
    char trouble[ASSAY_DRIVER_MESSAGE];
};

struct finals {
    struct drive_run *run;
    struct reader *readers;
    unsigned n;
    uint64_t *keys; /* that were written */
    size_t key_count;
    size_t together; /* keys of one transaction */
    bool takes;      /* reads take values out */
    bool took;       /* one has in this round */
    uint64_t left;   /* values that may still be taken: there cannot be more */
    assay_access accesses[WORKLOAD_MOST_ACCESSES];
};

static int64_t time_of(const struct finals *x)
{
    return drive_now() - x->run->zero;
}

static bool interrupted(const struct finals *x)
{
    const struct drive_settings *s = x->run->settings;
    if (s->interrupt && s->interrupt(s->arg))
        atomic_store(&x->run->stopped, true);
    return atomic_load(&x->run->stopped) || atomic_load(&x->run->log.fault);
}

/* ---- one transaction ---- */

static void note_trouble(struct reader *r, const char *why)
{
    snprintf(r->trouble, sizeof r->trouble, "%s", *why ? why : "no answer");
    drive_printable(r->trouble);
}

/* Orders do not matter in a set. */
static uint64_t hash_of(const assay_access *a)
{
    bool ordered = a->action == ASSAY_ACTION_LIST;
    uint64_t h = hash_mix(a->key) ^ (a->found ? hash_mix((uint64_t)a->answer + 1) : 0);
    for (size_t i = 0; i < a->count; i++) {
        uint64_t element = hash_mix((uint64_t)a->elements[i]);
        h = ordered ? hash_mix(h + element) : h + element;
    }
    return hash_mix(h + a->count);
}

/* False: there is no answer. */
static bool read_keys(struct finals *x, struct reader *r, const uint64_t *keys, size_t n)
{
    struct drive_run *run = x->run;
    unsigned session = run->workload.sessions + r->at.node;
    for (size_t i = 0; i < n; i++) {
        assay_access *a = &x->accesses[i];
        *a = (assay_access){.action = run->workload.workload->reads,
                            .key = run->workload.first_key + keys[i],
                            .elements = a->elements,
                            .room = a->room};
    }
    drive_log_call(&r->records, session, time_of(x), x->accesses, n, run->workload.first_key);
    if (x->takes && !drive_records_write(&r->records))
        return false;
    r->at.message[0] = 0;
    assay_outcome outcome = run->settings->driver->run(run->campaign, &r->at, x->accesses, n);
    if (outcome != ASSAY_COMMITTED && outcome != ASSAY_ABORTED)
        outcome = ASSAY_UNKNOWN;
    drive_log_outcome(&r->records, session, time_of(x), outcome, x->accesses, n, r->at.message);
    if (x->takes)
        drive_records_write(&r->records);
    if (outcome != ASSAY_COMMITTED)
        note_trouble(r, r->at.message);
    for (size_t i = 0; i < n && outcome == ASSAY_COMMITTED; i++)
        r->answers = hash_mix(r->answers + hash_of(&x->accesses[i]));
    if (r->at.broken || outcome == ASSAY_UNKNOWN)
        drive_disconnect(run, &r->at);
    return outcome == ASSAY_COMMITTED;
}

/* ---- a node ---- */

/* A thread of the history begins. */
static void log_connection(struct finals *x, struct reader *r)
{
    drive_log_connection(&r->records, x->run->workload.sessions + r->at.node, time_of(x), r->at.node);
}

static bool connected(struct finals *x, struct reader *r)
{
    if (r->at.state)
        return true;
    if (!drive_connect(x->run, &r->at)) {
        note_trouble(r, r->at.message);
        return false;
    }
    log_connection(x, r);
    return true;
}

/* Some of the store's refusals are a matter of chance. */
static bool read_again(struct finals *x, struct reader *r, const uint64_t *keys, size_t n)
{
    unsigned tries = x->run->settings->settle > 0 ? TRIES : 1;
    for (unsigned i = 0; i < tries && !interrupted(x) && connected(x, r); i++) {
        size_t before = r->records.n;
        uint64_t answers = r->answers;
        if (read_keys(x, r, keys, n))
            return true;
        r->answers = answers;
        if (i + 1 < tries)
            r->records.n = before;
    }
    return false;
}

/* Until the queue says that it is empty. */
static bool take_all(struct finals *x, struct reader *r, const uint64_t *key)
{
    do {
        if (!x->left || interrupted(x) || !connected(x, r) || !read_keys(x, r, key, 1))
            return false;
        x->left -= x->accesses[0].found;
        x->took = x->took || x->accesses[0].found;
    } while (x->accesses[0].found);
    return true;
}

static bool read_node(struct finals *x, struct reader *r)
{
    r->answers = 0;
    if (!x->takes) {
        r->records.n = 0;
        if (r->at.state) /* the round before is not in the log */
            log_connection(x, r);
    }
    for (size_t i = 0; i < x->key_count; i += x->together) {
        size_t rest = x->key_count - i, n = rest < x->together ? rest : x->together;
        if (!(x->takes ? take_all(x, r, &x->keys[i]) : read_again(x, r, &x->keys[i], n)))
            return false;
    }
    return true;
}

/* ---- rounds ---- */

static bool agree(const struct finals *x)
{
    for (unsigned i = 0; i < x->n; i++)
        if (!x->readers[i].complete || (!x->takes && x->readers[i].answers != x->readers[0].answers))
            return false;
    return !x->took;
}

static bool read_round(struct finals *x)
{
    x->took = false;
    for (unsigned i = 0; i < x->n; i++)
        x->readers[i].complete = read_node(x, &x->readers[i]);
    return agree(x);
}

static bool read_until_settled(struct finals *x)
{
    int64_t until = drive_now() + (int64_t)(x->run->settings->settle * 1e9);
    for (unsigned pause = LEAST_PAUSE_MS; !read_round(x);
         pause = 2 * pause < MOST_PAUSE_MS ? 2 * pause : MOST_PAUSE_MS) {
        bool goes_on = x->took && x->left; /* what has come out of a queue shall not stop it */
        if (interrupted(x) || (!goes_on && drive_now() >= until))
            return false;
        nanosleep(&(struct timespec){0, (long)pause * 1000000}, NULL);
    }
    return true;
}

static void write_down(struct finals *x, bool agreed)
{
    struct drive_records last = {.log = &x->run->log};
    for (unsigned i = 0; i < x->n; i++) {
        struct reader *r = &x->readers[i];
        drive_records_write(&r->records);
        if (!r->complete)
            drive_log_missed(&last, i, time_of(x), r->trouble[0] ? r->trouble : "more values than were put in");
    }
    drive_log_settled(&last, time_of(x), agreed);
    drive_records_write(&last);
    drive_records_free(&last);
}

/* ---- all of it ---- */

static bool prepare(struct finals *x)
{
    const struct workload_settings *w = &x->run->workload;
    unsigned all = w->keys + w->kept;
    bool any = false;
    x->readers = calloc(x->n, sizeof *x->readers);
    x->keys = calloc(all, sizeof *x->keys);
    if (!x->readers || !x->keys)
        return false;
    for (unsigned i = 0; i < x->n; i++) {
        x->readers[i].at.node = i;
        x->readers[i].records.log = &x->run->log;
    }
    for (unsigned i = 0; i < all; i++)
        any = any || atomic_load(&x->run->written[i]);
    for (unsigned i = 0; i < all; i++)
        if (any && (w->workload->whole || atomic_load(&x->run->written[i])))
            x->keys[x->key_count++] = i;
    unsigned most = w->driver->most_accesses;
    x->together = w->workload->whole                      ? all
                  : !w->workload->transactions            ? 1
                  : most && most < WORKLOAD_MOST_ACCESSES ? most
                                                          : WORKLOAD_MOST_ACCESSES;
    return true;
}

void drive_final_reads(struct drive_run *r, uint64_t operations, assay_error *e)
{
    struct finals x = {.run = r,
                       .n = (unsigned)r->campaign->node_count,
                       .takes = r->workload.workload->reads == ASSAY_ACTION_DEQUEUE,
                       .left = operations + SPARE};
    struct drive_records first = {.log = &r->log};
    drive_log_final(&first, time_of(&x));
    drive_records_write(&first);
    drive_records_free(&first);
    if (prepare(&x)) {
        bool agreed = read_until_settled(&x);
        if (!interrupted(&x))
            write_down(&x, agreed);
    } else {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        atomic_store(&r->stopped, true);
    }
    for (unsigned i = 0; x.readers && i < x.n; i++) {
        drive_disconnect(r, &x.readers[i].at);
        drive_records_free(&x.readers[i].records);
    }
    for (size_t i = 0; i < WORKLOAD_MOST_ACCESSES; i++)
        free(x.accesses[i].elements);
    free(x.readers);
    free(x.keys);
}
