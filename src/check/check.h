/* SPDX-License-Identifier: Apache-2.0 */
/* The check of a model: whether it applies, with which engine, within which budgets. */
#ifndef ASSAY_CHECK_CHECK_H
#define ASSAY_CHECK_CHECK_H

#include "engine/engine.h"
#include "memory/rw.h"
#include "search/calls.h"
#include "transaction/view.h"

/* Given by explain/, which stands above: as job.explain. */
typedef void explainer(struct job *job);

/* The data that the checks of one history share: its objects, and the views once a model asks for them. */
struct checker {
    const history *h;
    assay_options given;          /* by the caller, in this build's layout */
    const assay_options *options; /* these */
    struct objects objects;
    struct mem mem;
    struct rw *views[2]; /* without and with declared last values */
    struct rw *rw;       /* the view of the current model */
    bool finals;
    struct txn_view *txn_views[3]; /* by base order */
    struct txn_view *txns;         /* of the current model */
    enum base base;
    struct model spelled; /* a model that was spelled out */
    explainer *explain;   /* as job.explain */
    uint64_t most_ticks;  /* of the budget; 0: no limit */
};

/* False with an error: the history is not one of the object's, or the options are none. Must be closed in either case,
 * and stay where it is until then. */
bool checker_open(struct checker *c, const history *h, const assay_options *options, assay_error *e);
void checker_close(struct checker *c);

struct choice; /* of an engine: choose.h */

/* Runs the job part by part, each with the engine asked for, or the first that takes it, and if need be the whole
 * (parts.c). Fills in the result and the engine's name; may escape. */
void checker_run_parts(const struct choice *choice, struct job *job, struct mem *part_mem);

/* Parts take turns: the ticks of a small part's first turn. Tests change it. */
extern uint64_t checker_first_effort;

/* Merges the orders of the parts into one of the whole (merge.c). False: they do not fit together, and nothing has
 * changed. Memory from m; may escape. */
bool checker_merge(const struct calls *c, struct evidence *ev, struct mem *m, struct budget *b);

/* How the model sees calls: does real time count, and are they judged part by part? */
static inline struct calls_wish checker_wish(const struct model *m, int64_t skew)
{
    bool local = m->needs & NEED_TIME;
    return (struct calls_wish){.real_time = local || m->axioms, .split = local, .skew = skew};
}

/* Are all operations transactions? */
bool checker_transactions(const struct checker *c);

/* One model; NULL with an error when it does not apply or the engine cannot run. */
result *checker_run(struct checker *c, const struct model *m, assay_error *e);
/* The same with a checker for this model alone. */
result *checker_once(const history *h, const struct model *m, const assay_options *options, explainer *explain,
                     assay_error *e);

/* The same, after so many ticks at most (0: no limit). */
result *checker_limited(const history *h, const struct model *m, const assay_options *options, explainer *explain,
                        uint64_t ticks, assay_error *e);

/* The verdict alone, without looking for a reason, after so many ticks at most (0: no limit). ASSAY_UNDECIDED with an
 * error, or without one: the budget is used up. */
assay_verdict checker_verdict(const history *h, const struct model *m, const assay_options *options, uint64_t ticks,
                              assay_error *e);

/* The verdict on a model that applies, which follows from that on another one (infer.h). NULL with an error: no
 * memory. */
result *checker_implied(const struct checker *c, const struct model *m, const result *known, assay_error *e);

/* Does the model apply? False with an error. */
bool checker_applies(struct checker *c, const struct model *m, assay_error *e);

/* The strongest model that applies, or NULL with an error that says why the last one does not. */
const struct model *checker_strongest(struct checker *c, assay_error *e);

#endif
