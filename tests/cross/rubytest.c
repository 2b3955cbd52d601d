/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of a simulated Ruby tester, whose processors have many requests under way. The reader may put the requests of a
 * processor into one thread, by issue or by completion, or keep the certain pairs only. Demanded of every log:
 *
 *   - linearizability has one verdict, in all orders;
 *   - a violation of sc, in any order, is one of lin: no order accuses a memory that does as the tester demands;
 *   - a violation of sc with the certain pairs is one in both orders, which contain them.
 *
 *   rubytest [--quick|--long] */
#include "assay.h"
#include "base/rng.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKS = 5, MOST_BYTES = 3, VALUES = 200, LOG = 1 << 17 };

/* ---- the tester ---- */

struct check {
    bool pending, write;
    unsigned processor, stores;
    unsigned written[MOST_BYTES][VALUES], count[MOST_BYTES]; /* every byte's values, the initial one first */
};

struct tester {
    struct rng rng;
    unsigned processors, bytes, stale; /* stale: one read in so many returns an older value; 0: none */
    struct check checks[CHECKS];
    unsigned value;
    char log[LOG];
    size_t n;
};

static void print(struct tester *t, const char *text)
{
    t->n += (size_t)snprintf(t->log + t->n, LOG - t->n, "%s", text);
    if (t->n >= LOG)
        abort();
}

static unsigned address(unsigned check)
{
    return 16 * (check + 1);
}

static void issue(struct tester *t, unsigned index, unsigned time)
{
    struct check *c = &t->checks[index];
    char line[256];
    c->processor = rng_below(&t->rng, t->processors);
    c->write = c->stores < t->bytes;
    snprintf(line, sizeof line, "%u: global: [0x%x, value: 0, status: Idle, store_count: %u]\n", time, address(index),
             c->stores);
    print(t, line);
    if (c->write)
        snprintf(line, sizeof line, "%u: global: Seq write: index %u data 0x%x address 0x%x\n", time, c->processor,
                 t->value + 1, address(index));
    else
        snprintf(line, sizeof line, "%u: global: Seq read: index %u address 0x%x\n", time, c->processor,
                 address(index));
    print(t, line);
    if (rng_below(&t->rng, 8) == 0) {
        print(t, "1: global: failed to initiate - sequencer not ready\n");
        return;
    }
    snprintf(line, sizeof line, "%u: global: initiating %s - successful\n", time, c->write ? "action" : "check");
    print(t, line);
    c->pending = true;
    if (c->write)
        c->written[c->stores][c->count[c->stores]++] = ++t->value;
}

static unsigned found(struct tester *t, const struct check *c, unsigned byte)
{
    unsigned last = c->count[byte] - 1;
    bool old = t->stale && rng_below(&t->rng, t->stale) == 0;
    return c->written[byte][old ? rng_below(&t->rng, last + 1) : last];
}

static void complete(struct tester *t, unsigned index, unsigned time)
{
    struct check *c = &t->checks[index];
    char line[256];
    snprintf(line, sizeof line, "%u: system.cpu: completed request for proc: %u addr: 0x%x, size: %u, data:", time,
             c->processor, address(index), c->write ? 1 : t->bytes);
    print(t, line);
    for (unsigned i = 0; i < (c->write ? 1 : t->bytes); i++) {
        snprintf(line, sizeof line, " %u", found(t, c, i));
        print(t, line);
    }
    print(t, "\n");
    c->stores = c->write ? c->stores + 1 : 0;
    c->pending = false;
}

/* Some requests are still under way when it ends. */
static void run(struct tester *t, unsigned steps)
{
    for (unsigned i = 0; i < CHECKS; i++)
        for (unsigned byte = 0; byte < MOST_BYTES; byte++)
            t->checks[i].written[byte][t->checks[i].count[byte]++] = 0;
    for (unsigned time = 1; time <= steps && t->value < VALUES - 1; time++) {
        unsigned index = rng_below(&t->rng, CHECKS);
        if (t->checks[index].pending)
            complete(t, index, time);
        else
            issue(t, index, time);
    }
}

/* ---- the verdicts ---- */

static const char *const orders[] = {"gem5-rubytest", "gem5-rubytest:issued", "gem5-rubytest:completed",
                                     "gem5-rubytest:certain"};

enum { ORDERS = 4, CERTAIN = 3 };

static void die(const struct tester *t, const char *why)
{
    printf("%s%s\n", t->log, why);
    exit(1);
}

static bool violates(const struct tester *t, const char *format, const char *model)
{
    assay_error e = {0};
    assay_reader *reader = assay_reader_open_memory("log", t->log, t->n, format, &e);
    assay_history *h = reader ? assay_reader_next(reader, &e) : NULL;
    assay_result *r = h ? assay_check(h, model, NULL, &e) : NULL;
    if (!r)
        die(t, e.message);
    bool violation = assay_result_verdict(r) == ASSAY_VIOLATION;
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
    return violation;
}

struct tally {
    unsigned logs, lin, sc[ORDERS];
};

static void judge(const struct tester *t, struct tally *tally)
{
    bool lin = violates(t, orders[0], "lin"), sc[ORDERS];
    for (unsigned i = 0; i < ORDERS; i++) {
        sc[i] = violates(t, orders[i], "sc");
        tally->sc[i] += sc[i];
        if (violates(t, orders[i], "lin") != lin)
            die(t, "lin depends on the order of the threads");
        if (sc[i] && !lin)
            die(t, "an order accuses a memory that is linearizable");
    }
    if (sc[CERTAIN] && !(sc[0] && sc[1] && sc[2]))
        die(t, "an order lacks a certain pair");
    if (!t->stale && lin)
        die(t, "a violation without a stale read");
    tally->logs++;
    tally->lin += lin;
}

int main(int argc, char **argv)
{
    uint32_t count = by_tier(request_of(argc, argv).tier, 1000, 5000, 200000);
    static struct tester t;
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        memset(&t, 0, sizeof t);
        t.rng = (struct rng){seed};
        t.processors = 1 + rng_below(&t.rng, 4);
        t.bytes = 1 + rng_below(&t.rng, MOST_BYTES);
        t.stale = seed % 4 ? 5 << seed % 4 : 0;
        run(&t, 5 + rng_below(&t.rng, 60));
        if (strstr(t.log, "successful"))
            judge(&t, &tally);
    }
    printf("%u logs, %u violate lin; sc: %u by issue, %u by completion, %u by the certain pairs\n", tally.logs,
           tally.lin, tally.sc[1], tally.sc[2], tally.sc[CERTAIN]);
    if (!tally.sc[1] || !tally.sc[2] || tally.sc[1] == tally.lin || tally.sc[0] != tally.sc[1]) {
        printf("the logs distinguish too little\n");
        return 1;
    }
    return 0;
}
