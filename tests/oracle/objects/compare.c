/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/compare.h"

#include "oracle/compare.h"

#include "oracle/finding.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/history.h"
#include "oracle/objects/object.h"
#include "oracle/objects/order.h"
#include "oracle/objects/search.h"
#include "support/chance.h"

#include <assay.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is printed of it must be read again, and still violate. */
static void compare_reread(const assay_history *s, const assay_options *o, const char *text)
{
    assay_error e = {0};
    char *bytes = written_as(s, "hist", &e);
    assay_history *again = bytes ? parse(bytes, "hist") : NULL;
    assay_result *r = again ? assay_check(again, "lin", o, &e) : NULL;
    if (!r || assay_result_verdict(r) != ASSAY_VIOLATION)
        finding(text, "shrinking leaves what is no violation when it is read again (%s), skew %" PRId64 ":\n%s",
                r ? assay_verdict_name(assay_result_verdict(r)) : e.message, o->skew, bytes);
    assay_result_free(r);
    assay_history_free(again);
    free(bytes);
}

static bool kept_of(const struct history *small, int number)
{
    for (int i = 0; i < small->ops; i++)
        if (small->op[i].number == number)
            return true;
    return false;
}

/* A removal goes together with its value only. So the initial values go of which a removal was cut, but not by being
 * called after the last return. They are all different here. */
static void cut_initial_values(const struct history *h, struct history *small)
{
    int64_t last = INT64_MIN;
    for (int i = 0; i < small->ops; i++)
        if (!small->op[i].pending && small->op[i].ret > last)
            last = small->op[i].ret;
    for (int i = 0; i < h->ops; i++) {
        const struct op *op = &h->op[i];
        bool takes = is_sequence(h->kinds[op->object]) && (op->method == TAKE_FRONT || op->method == TAKE_BACK);
        if (!takes || op->object != small->op[0].object || op->pending || op->call >= last ||
            kept_of(small, op->number))
            continue;
        for (int v = 0; v < small->init_count; v++)
            if (small->init_values[v] == op->result) {
                memmove(&small->init_values[v], &small->init_values[v + 1],
                        (size_t)(--small->init_count - v) * sizeof *small->init_values);
                break;
            }
    }
}

static bool distinct_list(const struct history *h)
{
    for (int i = 0; i < h->init_count; i++)
        for (int k = 0; k < i; k++)
            if (h->init_values[i] == h->init_values[k])
                return false;
    return h->init_list;
}

/* The shrunk history must violate, too: it is judged from its own operations. */
static void compare_shrunk(const struct history *h, const assay_result *r, const assay_options *o, const char *text)
{
    static struct history small;
    uint32_t kept[MAX_OPS];
    assay_error e = {0};
    assay_history *s = assay_shrink(r, o, kept, &e);
    if (!s) {
        finding(text, "shrinking fails: %s", e.message);
        return;
    }
    small = *h;
    small.ops = 0;
    for (uint32_t i = 0; i < assay_history_size(s); i++)
        for (int k = 0; k < h->ops; k++)
            if (h->op[k].number == (int)kept[i]) {
                small.op[small.ops] = h->op[k];
                small.op[small.ops++].pending = assay_history_operation(s, i).pending;
            }
    counts.shrunk++;
    compare_reread(s, o, text);
    if (h->clock != AFTER && linearizable(&small, true) == YES)
        finding(text, "shrinking leaves %d operations that are linearizable", small.ops);
    if (h->clock != AFTER && !h->skew && h->objects == 1 && distinct_list(h)) {
        cut_initial_values(h, &small);
        if (linearizable(&small, true) == YES)
            finding(text, "shrinking keeps initial values whose removals it cuts; %d operations are left", small.ops);
    }
    assay_history_free(s);
}

/* Exchanges have no states: beside other objects, and with an order that is none of intervals, they are refused. */
static bool exchanges_beside_others(const struct history *h)
{
    static struct order r;
    bool any = false;
    for (int i = 0; i < h->objects; i++)
        any = any || h->kinds[i] == EXCHANGER;
    happens_before(h, true, &r);
    return any && h->objects > 1 && !is_interval_order(h, &r);
}

void compare_engine(const struct history *h, const assay_history *ah, const char *model, const char *engine,
                    enum answer expected, const char *text)
{
    compare_claim(h, ah, &(struct claim){model, engine, NULL}, expected, text);
}

void compare_claim(const struct history *h, const assay_history *ah, const struct claim *c, enum answer expected,
                   const char *text)
{
    const char *engine = c->engine;
    assay_options o = {ASSAY_OPTIONS_INIT, .engine = engine,
                       .skew = h->skew,    .seconds = h->ops > 16 ? 0.3 : 10,
                       .evidence = true,   .visibility = c->visibility};
    bool sound_only = engine && (!strncmp(engine, "saturate", 8) || strstr(engine, "+r"));
    enum expectation v = ask(&(struct question){.history = ah,
                                                .text = text,
                                                .model = c->model,
                                                .options = &o,
                                                .expected = expected == TOO_MUCH ? UNSURE
                                                            : expected == YES    ? HOLDS
                                                                                 : FAILS,
                                                .may_decline = exchanges_beside_others(h),
                                                .may_give_up = sound_only || h->ops > 16,
                                                .may_not_prove = engine && strcmp(engine, "wgl"),
                                                .may_be_long = true});
    if (v == FAILS && expected == NO && !engine && !strcmp(c->model, "lin") && chance(30)) {
        assay_result *r = assay_check(ah, c->model, &o, NULL);
        compare_shrunk(h, r, &o, text);
        assay_result_free(r);
    }
}
