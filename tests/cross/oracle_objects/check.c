/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_objects/check.h"

#include "cross/oracle_objects/calls.h"
#include "cross/oracle_objects/choose.h"
#include "cross/oracle_objects/compare.h"
#include "cross/oracle_objects/finding.h"
#include "cross/oracle_objects/forge.h"
#include "cross/oracle_objects/history.h"
#include "cross/oracle_objects/order.h"
#include "cross/oracle_objects/schedule.h"
#include "cross/oracle_objects/search.h"
#include "cross/oracle_objects/simulate.h"
#include "cross/oracle_objects/value.h"
#include "cross/oracle_objects/write.h"
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

assay_history *parse(const char *text, size_t n)
{
    assay_error e = {0};
    assay_reader *r = assay_reader_open_memory("oracle.hist", text, n, "hist", &e);
    assay_history *ah = r ? assay_reader_next(r, &e) : NULL;
    if (!ah)
        disagree(text, "not read: line %d: %s (%s)", (int)e.line, e.message, e.remedy);
    assay_reader_close(r);
    return ah;
}

/* Written in another format and read again it is the same history. */
static void compare_converted(const struct history *h, const assay_history *ah, const char *format,
                              enum answer expected, const char *text)
{
    char *bytes = NULL, before[17], after[17] = "";
    size_t n = 0;
    FILE *f = need(open_memstream(&bytes, &n));
    assay_error e = {0};
    bool written = assay_history_write(ah, format, 0, f, &e);
    fclose(f);
    assay_reader *r = written ? assay_reader_open_memory("converted", bytes, n, format, &e) : NULL;
    assay_history *again = r ? assay_reader_next(r, &e) : NULL;
    assay_history_digest(ah, before);
    if (again)
        assay_history_digest(again, after);
    counts.converted++;
    if (!again)
        disagree(text, "as %s it cannot be written or read: %s\n%s", format, e.message, bytes);
    else if (strcmp(before, after))
        disagree(text, "as %s it is another history:\n%s", format, bytes);
    else
        compare_engine(h, again, "lin", NULL, expected, text);
    assay_history_free(again);
    assay_reader_close(r);
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
    counts.consistent += lin == YES;
    counts.violations += lin == NO;
    assay_history *ah = parse(t.bytes, t.size);
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
