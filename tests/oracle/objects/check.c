/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/check.h"

#include "oracle/finding.h"
#include "oracle/objects/calls.h"
#include "oracle/objects/choose.h"
#include "oracle/objects/compare.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/forge.h"
#include "oracle/objects/history.h"
#include "oracle/objects/order.h"
#include "oracle/objects/schedule.h"
#include "oracle/objects/search.h"
#include "oracle/objects/simulate.h"
#include "oracle/objects/value.h"
#include "oracle/objects/write.h"
#include "support/chance.h"

#include <assay.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const engines[] = {"wgl",
                                      "jit",
                                      "saturate",
                                      "saturate+r",
                                      "symbolic",
                                      "symbolic+c",
                                      "symbolic+i",
                                      "symbolic+r",
                                      "symbolic+c+i+r",
                                      "symbolic+c+r",
                                      "symbolic+i+r",
                                      "symbolic+c+i",
                                      "enumerate",
                                      "enumerate+c",
                                      "fast-queue",
                                      "queue-words",
                                      "fast-stack",
                                      "fast-pqueue",
                                      "fast-register",
                                      "fast-set",
                                      "fast-lock",
                                      "fast-semaphore",
                                      "fast-multiset",
                                      "fast-counter",
                                      "deque",
                                      "exchanger",
                                      "execute",
                                      "brute",
                                      "fast-append-map",
                                      "auto",
                                      "search",
                                      "weak-jit",
                                      "weak-wg",
                                      "sat"};

#define ENGINES ((int)(sizeof engines / sizeof *engines))

/* Written in another format and read again it is the same history. */
static void compare_converted(const struct history *h, const assay_history *ah, const char *format,
                              enum answer expected, const char *text)
{
    char before[17], after[17] = "";
    assay_error e = {0};
    char *bytes = written_as(ah, format, &e);
    assay_history *again = bytes ? parse(bytes, format) : NULL;
    assay_history_digest(ah, before);
    if (again)
        assay_history_digest(again, after);
    counts.converted++;
    if (!bytes)
        finding(text, "as %s it cannot be written: %s", format, e.message);
    else if (again && strcmp(before, after))
        finding(text, "as %s it is another history:\n%s", format, bytes);
    else if (again)
        compare_engine(h, again, "lin", NULL, expected, text);
    assay_history_free(again);
    free(bytes);
}

void compare_history(struct history *h)
{
    struct text t = {0};
    static struct order r;
    write_history(&t, h);
    if (chance(10))
        decorate(&t);
    enum answer lin = linearizable(h, true);
    happens_before(h, true, &r);
    counts.histories++;
    counts.not_interval += !is_interval_order(h, &r);
    counts.skipped += lin == TOO_MUCH;
    counts.violations += lin == NO;
    assay_history *ah = parse(t.bytes, "hist");
    if (ah) {
        compare_engine(h, ah, "lin", NULL, lin, t.bytes);
        compare_engine(h, ah, "lin", "wgl", lin, t.bytes);
        compare_engine(h, ah, "lin", "jit", lin, t.bytes);
        for (int k = 0; k < 3; k++) {
            const char *engine = engines[2 + below(ENGINES - 2)];
            bool slow = !strncmp(engine, "symbolic", 8) || !strncmp(engine, "enumerate", 9) || !strcmp(engine, "brute");
            if (!slow || h->ops <= 9)
                compare_engine(h, ah, "lin", engine, lin, t.bytes);
        }
        if (h->objects == 1 && h->kinds[0] != EXCHANGER && h->kinds[0] != MEMORY && h->ops <= 12)
            compare_engine(h, ah, "sc-object", NULL, linearizable(h, false), t.bytes);
        if (chance(10))
            compare_converted(h, ah, chance(50) ? "hist" : "jsonl", lin, t.bytes);
        if (lin != TOO_MUCH && h->ops <= 24)
            compare_forged(h, ah, lin, t.bytes);
    }
    assay_history_free(ah);
    free(t.bytes);
}

void make_history(struct history *h)
{
    static const int sizes[] = {4, 6, 6, 8, 8, 10, 14, 20, 70, 140};
    memset(h, 0, sizeof *h);
    values_reset();
    struct taste t = choose_taste();
    t.lists = chance(50);
    int ops = sizes[below(chance(8) ? 10 : 7)], threads = 2 + below(3), objects = chance(65) ? 1 : 2 + below(2);
    if (ops >= 70)
        threads = 2 + below(2);
    if (chance(3)) {
        ops = 22 + below(20);
        objects = 17 + below(5);
    } else if (chance(3)) {
        ops = 18 + below(8);
        threads = 17 + below(15);
    }
    if (ops <= 10 && chance(6)) /* many at once */
        threads = 5 + below(8);
    if (ops <= 10 && threads <= 4)
        t.pieces = (enum pieces)below(3);
    choose_objects(h, objects, chance(60), &t);
    if (chance(30))
        choose_init(h, &t);
    enum clock clock = (enum clock)below(3);
    shape(h, 1 + (ops < 10 ? below(ops) : ops - 1), threads, clock, chance(50) ? 0 : 15);
    h->event_form = clock == EVENTS && chance(50);
    h->shuffled = !h->event_form && chance(50);
    if (chance(40))
        simulate_apart(h, &t);
    else
        simulate_whole(h, &t);
    for (int n = chance(30) ? 0 : 1 + below(3); n; n--)
        spoil_something(h, &t);
    if (chance(20) && ops <= 14)
        scramble_tags(h);
}
