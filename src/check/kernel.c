/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of sc or tso: the store orders that all explanations of a history share.
 *
 * Idea: saturation (wsc, wtso) finds part of it. A pair of writes that it leaves open belongs to the kernel iff one of
 * its two orders has no explanation. Each explanation that is found shows one order of every pair to be possible. Where
 * all explanations so far agree on the order of a pair, the opposite order is tried. This ends when every open pair has
 * been seen both ways or refuted one way.
 * Source: the thesis, section 4.2.2, which shows that no saturation of this kind finds the whole kernel. It leaves the
 * kernel of tso open: here it is the intersection of all ww that make both graphs of tso acyclic. */
#include "base/given.h"
#include "check/check.h"
#include "check/doubt.h"
#include "history/last_line.h"
#include "memory/ccm.h"
#include "memory/closure.h"
#include "memory/readers.h"
#include "memory/serial.h"
#include "memory/wccm.h"

#include <stdlib.h>

enum { FIRST_BEFORE = 1, SECOND_BEFORE = 2 };

struct open_pair {
    uint32_t v, w;
    uint8_t possible; /* which of the two orders some explanation has */
};

struct assay_kernel {
    const char *model;
    struct mem mem;
    VEC(assay_kernel_pair) pairs;
    uint64_t write_pairs, open_pairs;
};

struct computing {
    const struct checker *c;
    assay_kernel *k;
    struct mem mem, trial; /* of the whole computation; of one explanation */
    struct budget budget;
    result scratch; /* takes the evidence of refuted cases, which is not needed */
    struct job job;
    struct forced_order w;
    struct ccm ccm; /* the store orders of the weaker models, */
    struct wccm wccm;
    struct partial convergent;
    struct closure by_ccm, by_ccv; /* and closed; by_ccm is wccm's for tso */
    VEC(struct open_pair) open;
    uint32_t *position; /* of an event in the latest explanation */
    bool consistent;
};

static void add_pair(struct computing *x, uint32_t v, uint32_t w, bool saturated)
{
    const struct rw *rw = x->c->rw;
    assay_kernel_pair pair = {rw->op[v], rw->op[w], saturated, closure_stored(&x->by_ccm, v, w),
                              closure_stored(&x->by_ccv, v, w)};
    vec_push(&x->k->mem, &x->k->pairs, pair);
}

static void sort_pair(struct computing *x, uint32_t v, uint32_t w)
{
    struct open_pair open = {v, w, 0};
    x->k->write_pairs++;
    if (forced_stored(&x->w, v, w))
        add_pair(x, v, w, true);
    else if (forced_stored(&x->w, w, v))
        add_pair(x, w, v, true);
    else
        vec_push(&x->mem, &x->open, open);
    budget_tick(&x->budget);
}

/* A history that satisfies wsc satisfies ccm; with wtso it satisfies wccm. */
static void close_ccm(struct computing *x, const struct causal *c)
{
    struct stats *stats = &x->scratch.stats;
    bool sc = serial_memory(&x->job) == MEMORY_SC;
    if (sc)
        ccm_check(&x->ccm, c, &x->mem, &x->budget, stats);
    else
        wccm_check(&x->wccm, c, &x->mem, &x->budget, stats);
    closure_build(&x->by_ccm, sc ? &x->ccm.store : &x->wccm.store, &x->mem, &x->budget);
}

/* The pairs that ccv orders: by causes, and by conflict. They, too, are in every store order, of sc and of tso. */
static void close_ccv(struct computing *x, const struct causal *c)
{
    struct groups readers = last_readers(c->v, &x->mem);
    struct partial_pairs pairs = {.before = &c->past, .seen = {&c->past}};
    partial_build(&x->convergent, c->v, &pairs, &readers, c->v->k, c->v->thread, &x->mem, &x->budget,
                  &x->scratch.stats);
    closure_build(&x->by_ccv, &x->convergent, &x->mem, &x->budget);
}

/* All pairs of writes of one variable, which are consecutive in rw->idx. */
static void list_pairs(struct computing *x)
{
    const struct rw *v = x->c->rw;
    uint32_t *event = mem_new(&x->mem, uint32_t, v->writes);
    for (uint32_t g = 0; g < v->groups_of[v->d]; g++)
        for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++)
            event[i] = v->base[v->groups[g].thread] + v->idx[i];
    for (uint32_t d = 0; d < v->d; d++) {
        uint32_t end = v->groups[v->groups_of[d + 1]].from;
        for (uint32_t i = v->groups[v->groups_of[d]].from; i < end; i++)
            for (uint32_t j = i + 1; j < end; j++)
                sort_pair(x, event[i], event[j]);
    }
    x->k->open_pairs = x->open.n;
}

/* Looks for an explanation that extends the present forced order, and notes its orders of the pairs. */
static bool explain_once(struct computing *x)
{
    mem_release(&x->trial);
    struct forced_mark mark = forced_mark(&x->w);
    bool gave_up;
    const uint32_t *order = serial_order(&x->job, &x->w, 0, &gave_up);
    evidence_drop_refutation(&x->scratch.evidence);
    forced_undo(&x->w, mark);
    if (!order)
        return false;
    for (uint32_t i = 0; i < x->c->rw->n; i++)
        x->position[order[i]] = i;
    for (uint32_t i = 0; i < x->open.n; i++) {
        struct open_pair *p = &x->open.at[i];
        p->possible |= x->position[p->v] < x->position[p->w] ? FIRST_BEFORE : SECOND_BEFORE;
    }
    return true;
}

/* A pair that all explanations so far agree on: can it be the other way round? */
static void try_opposite(struct computing *x, struct open_pair p)
{
    uint32_t v = p.possible == FIRST_BEFORE ? p.v : p.w, w = p.possible == FIRST_BEFORE ? p.w : p.v;
    struct forced_mark mark = forced_mark(&x->w);
    forced_assume(&x->w, w, v, ID_NONE);
    bool possible = forced_close(&x->w) && explain_once(x);
    forced_undo(&x->w, mark);
    if (!possible)
        add_pair(x, v, w, false);
}

static void compute(void *arg)
{
    struct computing *x = arg;
    struct causal c;
    const struct rw *v = x->c->rw;
    x->job.mem = &x->mem; /* the forced order outlives the trials */
    if (serial_thin_air(&x->job) || !causal_build(&c, v, &x->mem, &x->budget, &x->scratch.stats))
        return;
    serial_begin_forced_order(&x->job, &c, serial_memory(&x->job), &x->w);
    if (!forced_close(&x->w))
        return;
    x->position = mem_new(&x->mem, uint32_t, v->n);
    close_ccm(x, &c);
    close_ccv(x, &c);
    list_pairs(x);
    forced_final(&x->w); /* wsc and wtso ignore @final, so their pairs are listed before */
    if (!forced_close(&x->w))
        return;
    x->job.mem = &x->trial;
    x->consistent = explain_once(x);
    for (uint32_t i = 0; x->consistent && i < x->open.n; i++)
        if (x->open.at[i].possible != (FIRST_BEFORE | SECOND_BEFORE))
            try_opposite(x, x->open.at[i]);
}

static void refuse(const struct model *m, assay_error *e)
{
    if (m->conditions & COND_SC)
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the history is not sequentially consistent: it has no kernel");
    else
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the history does not satisfy %s: it has no kernel of it", m->name);
    error_remedy(e, "`assay check -m %s` shows why", m->name);
}

static void run(struct computing *x, const struct model *m, assay_error *e)
{
    const assay_options *options = x->c->options;
    x->budget = budget_begin(options);
    x->mem.limit = x->trial.limit = x->k->mem.limit = options->memory;
    x->scratch.evidence = evidence_in(&x->scratch.mem);
    x->job = (struct job){
        .h = x->c->h, .rw = x->c->rw, .model = m, .budget = &x->budget, .out = &x->scratch, .error = e};
    error_from_escape(e, escape_run(compute, x));
    if (!x->consistent)
        refuse(m, e);
    mem_release(&x->mem);
    mem_release(&x->trial);
    mem_release(&x->scratch.mem);
}

/* NULL, with an error: the model has no kernel. */
static const struct model *model_of(const char *name, assay_error *e)
{
    const struct model *m = model_called(name);
    if (!m) {
        model_unknown(name, e);
        return NULL;
    }
    if (m->conditions == COND_SC || m->conditions == COND_TSO)
        return m;
    error_set(e, ASSAY_ERROR_USAGE, "there is no kernel of the model '%s'", name);
    error_remedy(e, "sc and tso have kernels");
    return NULL;
}

static assay_kernel *kernel_as_read(const history *h, const char *model, const assay_options *options, assay_error *e)
{
    if (!GIVEN(h && model, e))
        return NULL;
    struct checker c;
    assay_error mine = {0};
    const struct model *m = model_of(model, e);
    assay_kernel *k = m ? calloc(1, sizeof *k) : NULL;
    if (!m)
        return NULL;
    if (!k) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    k->model = m->name;
    bool open = checker_open(&c, h, options, &mine) && checker_applies(&c, m, &mine);
    if (open && c.rw->across) {
        error_set(&mine, ASSAY_ERROR_NOT_APPLICABLE, "a kernel is that of threads without program order between them");
        error_remedy(&mine, "leave out `@po after`");
    } else if (open) {
        struct computing x = {.c = &c, .k = k};
        run(&x, m, &mine);
    }
    checker_close(&c);
    if (!mine.code)
        return k;
    error_copy(e, &mine);
    assay_kernel_free(k);
    return NULL;
}

/* ---- a last line that may be cut ---- */

static bool is_in(const assay_kernel *k, uint32_t first, uint32_t second, const history *h, const history *rest)
{
    for (uint32_t i = 0; i < k->pairs.n; i++)
        if (last_line_origin(h, rest, k->pairs.at[i].first) == first &&
            last_line_origin(h, rest, k->pairs.at[i].second) == second)
            return true;
    return false;
}

/* Are all pairs forced by what is certain of the history? */
static bool is_certain(const history *h, const assay_kernel *k, const char *model, const assay_options *options,
                       assay_error *e)
{
    history *rest;
    assay_error ignored = {0};
    if (!doubt_left_out(h, model_find(model), 0, &rest, e))
        return false;
    if (rest == h)
        return true;
    assay_kernel *sure = kernel_as_read(rest, model, options, &ignored);
    bool certain = sure;
    for (uint32_t i = 0; certain && i < k->pairs.n; i++)
        certain = is_in(sure, k->pairs.at[i].first, k->pairs.at[i].second, h, rest);
    assay_kernel_free(sure);
    history_free(rest);
    if (!certain)
        last_line_fault(h, "kernel", e);
    return certain;
}

assay_kernel *assay_kernel_of_model(const assay_history *h, const char *model, const assay_options *options,
                                    assay_error *e)
{
    assay_kernel *k = kernel_as_read(h, model, options, e);
    if (!k || !h->last_line.line || is_certain(h, k, model, options, e))
        return k;
    assay_kernel_free(k);
    return NULL;
}

assay_kernel *assay_kernel_of(const assay_history *h, const assay_options *options, assay_error *e)
{
    if (!GIVEN(h, e))
        return NULL;
    return assay_kernel_of_model(h, "sc", options, e);
}

void assay_kernel_free(assay_kernel *k)
{
    if (!k)
        return;
    mem_release(&k->mem);
    free(k);
}

const char *assay_kernel_model(const assay_kernel *k)
{
    if (!k)
        return NULL;
    return k->model;
}

size_t assay_kernel_size(const assay_kernel *k)
{
    if (!k)
        return 0;
    return k->pairs.n;
}

assay_kernel_pair assay_kernel_at(const assay_kernel *k, size_t i)
{
    if (i >= assay_kernel_size(k))
        return (assay_kernel_pair){0};
    return k->pairs.at[i];
}

uint64_t assay_kernel_write_pairs(const assay_kernel *k)
{
    if (!k)
        return 0;
    return k->write_pairs;
}

uint64_t assay_kernel_open_pairs(const assay_kernel *k)
{
    if (!k)
        return 0;
    return k->open_pairs;
}
