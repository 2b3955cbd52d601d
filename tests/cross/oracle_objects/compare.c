/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_objects/compare.h"

#include "cross/oracle_objects/finding.h"
#include "cross/oracle_objects/history.h"
#include "cross/oracle_objects/object.h"
#include "cross/oracle_objects/order.h"
#include "cross/oracle_objects/search.h"
#include "support/chance.h"

#include <assay.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void compare_evidence(const assay_history *ah, const assay_result *r, const char *text, const char *engine,
                             bool must)
{
    if (!assay_result_proved(r)) {
        if (must)
            disagree(text, "%s gives no proof", engine);
        return;
    }
    char *line = evidence_line(r);
    assay_error e = {0};
    uint32_t index;
    bool searched;
    if (!line)
        disagree(text, "%s: the evidence cannot be written", engine);
    else if (assay_recheck_with(ah, line, NULL, &index, &searched, &e))
        counts.rechecked++;
    else if (e.code == ASSAY_ERROR_LIMIT)
        counts.not_judged++;
    else
        disagree(text, "%s: recheck refuses its proof: %s\n%s", engine, e.message, line);
    free(line);
}

/* What is printed of it must be read again, and still violate. */
static void compare_reread(const assay_history *s, const assay_options *o, const char *text)
{
    char *bytes = NULL;
    size_t n = 0;
    FILE *f = need(open_memstream(&bytes, &n));
    assay_error e = {0};
    bool written = assay_history_write(s, "hist", 0, f, &e);
    fclose(f);
    assay_reader *reader = assay_reader_open_memory("shrunk.hist", bytes, n, "hist", &e);
    assay_history *again = reader ? assay_reader_next(reader, &e) : NULL;
    assay_result *r = again ? assay_check(again, "lin", o, &e) : NULL;
    if (!written || !r || assay_result_verdict(r) != ASSAY_VIOLATION)
        disagree(text, "shrinking leaves what is no violation when it is read again (%s), skew %" PRId64 ":\n%s",
                 r ? assay_verdict_name(assay_result_verdict(r)) : e.message, o->skew, bytes);
    assay_result_free(r);
    assay_history_free(again);
    assay_reader_close(reader);
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
        disagree(text, "shrinking fails: %s", e.message);
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
        disagree(text, "shrinking leaves %d operations that are linearizable", small.ops);
    if (h->clock != AFTER && !h->skew && h->objects == 1 && distinct_list(h)) {
        cut_initial_values(h, &small);
        if (linearizable(&small, true) == YES)
            disagree(text, "shrinking keeps initial values whose removals it cuts; %d operations are left", small.ops);
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
    const char *model = c->model, *engine = c->engine;
    assay_options o = {ASSAY_OPTIONS_INIT, .engine = engine,
                       .skew = h->skew,    .seconds = h->ops > 16 ? 0.3 : 10,
                       .evidence = true,   .visibility = c->visibility};
    assay_error e = {0};
    assay_result *r = assay_check(ah, model, &o, &e);
    const char *name = engine ? engine : "(default)";
    if (!r) {
        counts.not_applicable++;
        bool excused = e.code == ASSAY_ERROR_NOT_APPLICABLE && (engine || exchanges_beside_others(h));
        if (!excused && !(engine && e.code == ASSAY_ERROR_USAGE))
            disagree(text, "%s, %s, skew %" PRId64 ": error %d: %s (%s)", model, name, h->skew, (int)e.code, e.message,
                     e.remedy);
        return;
    }
    assay_verdict v = assay_result_verdict(r);
    if (v == ASSAY_UNDECIDED) {
        counts.undecided++;
        bool sound_only = engine && (!strncmp(engine, "saturate", 8) || strstr(engine, "+r"));
        if (!sound_only && h->ops <= 16)
            disagree(text, "%s, %s, skew %" PRId64 ": undecided: %s", model, name, h->skew, assay_result_undecided(r));
    } else if (expected != TOO_MUCH) {
        counts.verdicts++;
        if ((v == ASSAY_CONSISTENT) != (expected == YES))
            disagree(text, "%s, %s (%s), skew %" PRId64 ": %s, the definition says %s", model, name,
                     assay_result_engine(r), h->skew, assay_verdict_name(v),
                     expected == YES ? "consistent" : "violation");
    }
    if (v != ASSAY_UNDECIDED)
        compare_evidence(ah, r, text, name, !engine || !strcmp(engine, "wgl"));
    if (v == ASSAY_VIOLATION && expected == NO && !engine && !strcmp(model, "lin") && chance(30))
        compare_shrunk(h, r, &o, text);
    assay_result_free(r);
}
