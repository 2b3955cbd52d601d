/* SPDX-License-Identifier: Apache-2.0 */
/* A decision procedure: the conditions that it decides, its needs, and its run. Members are listed in engine.def, the
 * first that applies is chosen. */
#ifndef ASSAY_ENGINE_ENGINE_H
#define ASSAY_ENGINE_ENGINE_H

#include "base/budget.h"
#include "evidence/evidence.h"
#include "model/model.h"

struct rw;
struct txn_view;
struct calls;
struct part;

struct job {
    const history *h;
    const struct rw *rw;         /* for models that need a memory, else NULL */
    const struct txn_view *txns; /* for models of transactions, else NULL */
    const struct calls *calls;   /* for models of objects, else NULL; the job is about one part of them */
    const struct part *part;
    const struct model *model;
    const char *visibility; /* levels by method, as in axioms.h, or NULL */
    const char *variant;    /* the text behind the colon, or NULL */
    bool asked;             /* the engine was asked for by its name */
    bool witness;           /* keep a consistent history's witness */
    /* Makes the reason why the part is refuted one that a person can check (explain/refuted.h). NULL: only the verdict
     * is asked for, and the reason need not be a good one. */
    void (*explain)(struct job *job);
    struct mem *mem; /* the engine's working memory, released when it is done (with the part) */
    struct budget *budget;
    result *out;        /* to be filled in: verdict, evidence, stats */
    assay_error *error; /* filled in before escape_raise(ESCAPE_ERROR) */
    /* Set by an engine that finds, before it has filled in anything, that the part is not for it. */
    const char *declined;
};

/* A step of the engine begins: an undecided result says how far it came. Each is noted once. */
static inline void job_tries(struct job *job, const char *step)
{
    const char **tried = job->out->tried;
    while (*tried && *tried != step)
        tried++;
    if (tried < job->out->tried + MOST_TRIED - 1)
        *tried = step;
}

struct engine {
    const char *name, *title;
    unsigned conditions;  /* it decides models whose conditions are among these */
    unsigned needs;       /* beyond the model's */
    unsigned lifts;       /* needs of the model that it does without */
    unsigned apart;       /* of its conditions: those that need threads without program order between them */
    uint32_t most_events; /* larger histories are not for it; 0: no limit */
    bool on_request;      /* chosen by itself only where no other engine decides the model */
    bool whole;           /* models of objects: it also takes the whole history, if its parts cannot be judged apart */
    bool tentative;       /* it takes only the whole, and sets job->declined where it finds no order */
    bool no_evidence;     /* its verdicts come without proof; of an object, only those that a history is consistent */
    const char *const *variants;  /* up to NULL; or NULL */
    const char *(*missing)(void); /* why it cannot run here, or NULL; the hook may be NULL */
    /* Models of objects: why it is not for this part ("the object is not a queue"), or NULL, as far as a glance
     * tells; run may still set job->declined. */
    const char *(*declines)(const struct job *job);
    void (*run)(struct job *job);
};

extern const struct engine *const engine_table[]; /* up to NULL */
/* "name" or "name:variant"; *variant is set to the text behind the colon, or NULL. NULL with e when unknown. Two
 * engines may share a name; the first that has the variant and decides the conditions is meant. Else it is the first
 * that has the variant, or else the first. */
const struct engine *engine_find(const char *text, unsigned conditions, const char **variant, assay_error *e);

const char *engine_missing(const struct engine *g); /* why it cannot run here, or NULL */
/* The needs that a model of these conditions need not insist on: an engine that can run does without. */
unsigned engine_lifted(unsigned conditions);

static inline bool engine_decides(const struct engine *g, unsigned conditions)
{
    return (conditions & ~g->conditions) == 0;
}

#endif
