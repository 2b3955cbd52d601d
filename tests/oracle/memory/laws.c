/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/laws.h"

#include "oracle/finding.h"
#include "oracle/memory/across.h"
#include "oracle/memory/compare.h"
#include "oracle/memory/counts.h"
#include "oracle/memory/draw.h"
#include "oracle/memory/engines.h"
#include "oracle/memory/figures.h"
#include "oracle/memory/history.h"
#include "oracle/memory/machine.h"
#include "oracle/memory/models.h"
#include "oracle/memory/oracle.h"
#include "oracle/memory/small.h"
#include "oracle/memory/write.h"
#include "support/chance.h"

#include <assay.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What a model's definition says it implies */
static const int implies[][2] = {{SC, WSC},   {WSC, CCM},   {CCM, CCV}, {CCM, CM}, {CCV, CC},   {CM, CC},
                                 {TSO, WTSO}, {WTSO, WCCM}, {TSO, CCV}, {SC, TSO}, {CCM, WCCM}, {TSO, PSO}};

/* Logic programs are too slow for large histories. */
static void verdicts_of(const struct history *h, const assay_history *a, const char *text, enum expectation v[MODELS])
{
    for (int m = 0; m < MODELS; m++) {
        assay_options o = {ASSAY_OPTIONS_INIT, .evidence = chance(50), .seconds = 2};
        struct question q = {.history = a,
                             .text = text,
                             .model = model_names[m],
                             .options = &o,
                             .expected = UNSURE,
                             .may_decline = true,
                             .may_give_up = true,
                             .may_not_prove = true,
                             .may_be_long = true};
        v[m] = by_logic(h, m) ? UNSURE : ask(&q);
    }
}

static void check_ladder(const char *text, const enum expectation v[MODELS])
{
    for (size_t i = 0; i < sizeof implies / sizeof *implies; i++)
        if (v[implies[i][0]] == HOLDS && v[implies[i][1]] == FAILS)
            finding(text, "%s holds, but %s does not", model_names[implies[i][0]], model_names[implies[i][1]]);
}

/* What a simulated memory guarantees */
static void check_machine(const char *text, enum machine machine, const enum expectation v[MODELS])
{
    for (int m = 0; m < MODELS; m++) {
        bool sure = machine == SEQUENTIAL ||
                    (machine == BUFFERS && (m == TSO || m == WTSO || m == WCCM || m == CCV || m == CC || m == PSO)) ||
                    (machine == PARTIAL && m == PSO) || (machine == REPLICAS && (m == CM || m == CC));
        if (sure && v[m] == FAILS)
            finding(text, "machine %d: %s is violated", (int)machine, model_names[m]);
    }
}

static void large_engines(const assay_history *a, const char *text, const enum expectation v[MODELS])
{
    for (int k = 0; k < engines_found; k++) {
        int m = below(MODELS);
        if (is_slow(engines[k]) || v[m] == UNSURE)
            continue;
        assay_options o = {ASSAY_OPTIONS_INIT, .engine = engines[k], .seconds = 0.3, .evidence = chance(50)};
        ask(&(struct question){.history = a,
                               .text = text,
                               .model = model_names[m],
                               .options = &o,
                               .expected = v[m],
                               .may_give_up = true,
                               .may_not_prove = true,
                               .may_be_long = true});
    }
}

static void rename_all(struct history *h)
{
    int shift = 1 + below(50), turn = below(h->threads);
    for (int i = 0; i < h->n; i++) {
        short after[MAX_THREADS] = {0};
        for (int t = 0; t < h->threads; t++)
            after[(t + turn) % h->threads] = h->ops[i].after[t];
        memcpy(h->ops[i].after, after, sizeof after);
        h->ops[i].thread = (h->ops[i].thread + turn) % h->threads;
        h->ops[i].old += h->ops[i].old >= FRESH ? shift : 0;
        h->ops[i].val += h->ops[i].val >= FRESH ? shift : 0;
    }
    for (int v = 0; v < h->var_count; v++) {
        h->vars[v].name = NAMES + (h->vars[v].name + shift) % 97;
        h->vars[v].final += h->vars[v].final >= FRESH ? shift : 0;
    }
}

static void append(struct history *h, struct op o)
{
    if (h->n < MAX_OPS)
        h->ops[h->n++] = o;
}

/* Operations of a new thread that change no verdict. */
static void add_harmless(struct history *h)
{
    if (h->threads == MAX_THREADS || h->var_count == MAX_VARS)
        return;
    int t = h->threads++, v = h->var_count, old = below(v);
    bool fresh = chance(50);
    if (fresh) {
        h->vars[v] = (struct var){.name = NAMES + 99, .object = h->vars[0].object, .final = NOTHING};
        h->vars[v].init = h->default_init == NOTHING ? 0 : h->default_init;
        h->var_count++;
        append(h, (struct op){.kind = READ, .thread = t, .var = v, .old = h->vars[v].init, .val = NOTHING});
        append(h, (struct op){.kind = WRITE, .thread = t, .var = v, .old = NOTHING, .val = FRESH + 900});
        append(h, (struct op){.kind = FENCE, .thread = t, .old = NOTHING, .val = NOTHING});
        append(h, (struct op){.kind = RMW, .thread = t, .var = v, .old = FRESH + 900, .val = FRESH + 901});
    }
    append(h, (struct op){.kind = (enum kind)below(3),
                          .thread = t,
                          .var = old,
                          .old = FRESH + 902,
                          .val = FRESH + 903,
                          .pending = true});
}

/* A plain read goes, or the last operation of a thread if nobody reads it: what was consistent stays so. */
static bool cut_one(struct history *h)
{
    int i = below(h->n);
    if (h->ops[i].kind != READ)
        return false;
    drop(h, i);
    return true;
}

static void check_same(const struct history *h, const enum expectation v[MODELS], const char *what,
                       bool only_consistent)
{
    char *text = history_text(h, any_style());
    assay_history *a = parse(text, "hist");
    enum expectation w[MODELS];
    if (a) {
        verdicts_of(h, a, text, w);
        for (int m = 0; m < MODELS; m++) {
            counts.laws++;
            if (v[m] != UNSURE && w[m] != UNSURE && v[m] != w[m] && (v[m] == HOLDS || !only_consistent))
                finding(text, "%s: %s was %s before and is %s now", what, model_names[m], verdict_word(v[m] == HOLDS),
                        verdict_word(w[m] == HOLDS));
        }
    }
    assay_history_free(a);
    free(text);
}

/* Several small histories side by side, on variables and threads of their own, satisfy what each of them does. */
static void join(struct history *to, const struct history *part)
{
    for (int v = 0; v < part->var_count; v++) {
        struct var x = part->vars[v];
        x.name = NAMES + to->var_count + v;
        x.named_init = x.init != 0;
        x.object = 0;
        to->vars[to->var_count + v] = x;
    }
    for (int i = 0; i < part->n; i++) {
        struct op o = part->ops[i];
        o.var += to->var_count;
        o.thread += to->threads;
        memset(o.after, 0, sizeof o.after);
        for (int t = 0; t < part->threads && part->po_after; t++)
            o.after[to->threads + t] = part->ops[i].after[t];
        to->ops[to->n++] = o;
    }
    to->knows = to->knows || part->po_after;
    to->po_after = to->po_after || part->po_after;
    to->var_count += part->var_count;
    to->threads += part->threads;
}

void check_union(void)
{
    struct history all = {.default_init = NOTHING}, part;
    bool ok[MODELS], one[MODELS];
    memset(ok, true, sizeof ok);
    for (int tries = 0; tries < 40; tries++) {
        int f = chance(20) ? below(FIGURES) : NOTHING;
        if (f >= 0)
            draw_figure(&part, figures[f].text);
        else
            chance(25) ? draw_across(&part) : draw_small(&part);
        if (part.threads + all.threads > MAX_THREADS || part.var_count + all.var_count > MAX_VARS)
            break;
        if (f >= 0)
            memcpy(one, figure_verdicts[f], sizeof one);
        else
            oracle(&part, one);
        int held = 0;
        for (int m = 0; m < MODELS; m++)
            held += one[m];
        if (held < 3 || (held < MODELS && chance(70))) /* so that not everything fails in the end */
            continue;
        for (int m = 0; m < MODELS; m++)
            ok[m] = ok[m] && one[m];
        join(&all, &part);
    }
    char *text = history_text(&all, any_style());
    assay_history *a = parse(text, "hist");
    for (int m = 0; a && m < MODELS; m++) {
        if (by_logic(&all, m))
            continue;
        compare(&all, a, text, m, ok[m], &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true}, NULL);
        int k = below(engines_found);
        if (!is_slow(engines[k]) && strcmp(engines[k], "brute"))
            compare(&all, a, text, m, ok[m],
                    &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true, .engine = engines[k], .seconds = 0.3}, NULL);
    }
    counts.large += a != NULL;
    assay_history_free(a);
    free(text);
}

static void draw_large(struct history *h, enum machine *machine)
{
    struct shape s = {.ops = 65 + below(120), .threads = 2 + below(18), .vars = 1 + below(20)};
    s.alphabet = chance(15) ? 3 : 0;
    s.rmw = chance(40) ? 10 : 0;
    s.fence = chance(30) ? 5 : 0;
    s.write = 20 + below(30);
    s.machine = (enum machine)(1 + below(4));
    struct memory *m = draw_run(h, &s);
    *machine = s.machine;
    if (s.machine == SEQUENTIAL && !h->vars[0].object && chance(50)) /* the true last values */
        for (int v = 0; v < h->var_count; v++)
            h->vars[v].final = m->store[v];
    if (chance(30)) /* that some of it may not have happened makes nothing worse */
        make_pending(h, 40);
    free(m);
}

void check_large(void)
{
    struct history h;
    enum machine machine;
    draw_large(&h, &machine);
    bool bent = chance(50);
    if (chance(30)) { /* along the execution: for a sequential memory nothing changes */
        draw_after(&h, true);
        bent = bent || machine != SEQUENTIAL;
    }
    for (int k = bent ? 1 + below(2) : 0; k > 0; k--)
        bend_read(&h);
    char *text = history_text(&h, any_style());
    assay_history *a = parse(text, "hist");
    enum expectation v[MODELS];
    if (a) {
        counts.large++;
        verdicts_of(&h, a, text, v);
        check_ladder(text, v);
        if (!bent)
            check_machine(text, machine, v);
        large_engines(a, text, v);
        struct history other = h;
        rename_all(&other);
        check_same(&other, v, "renamed and interleaved", false);
        other = h;
        add_harmless(&other);
        check_same(&other, v, "with harmless operations", false);
        other = h;
        if (cut_one(&other))
            check_same(&other, v, "without a read", true);
    }
    assay_history_free(a);
    free(text);
}
