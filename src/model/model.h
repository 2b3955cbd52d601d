/* SPDX-License-Identifier: Apache-2.0 */
/* A consistency model is data: its conditions, its needs, its neighbours in the ladder. Engines state the conditions
 * that they decide; check/choose.c matches the two. So a model that combines known conditions needs no engine of its
 * own: it is one row of table.c. */
#ifndef ASSAY_MODEL_MODEL_H
#define ASSAY_MODEL_MODEL_H

#include "assay.h"

#include <stddef.h>
#include <stdint.h>

enum condition {                           /* the definitions are in docs/reference/models-formal.md */
                 COND_CAUSAL = 1 << 0,     /* no read of a value without a write; co acyclic; no r -rw[co]-> w -co->
                                            * r */
                 COND_CONVERGENT = 1 << 1, /* po, wr and cf[co] together acyclic */
                 COND_PER_THREAD = 1 << 2, /* hb_o acyclic for each thread's last operation o */
                 COND_CCM = 1 << 3,        /* po, wr, pww and rw[pww] together acyclic */
                 COND_WSC = 1 << 4,        /* the least hb and st of weak sequential consistency: hb acyclic */
                 COND_SC = 1 << 5,         /* some store order makes po, wr, ww and rw acyclic */
                 COND_WCCM = 1 << 6,       /* as CCM, over ppo and over po per variable */
                 COND_WTSO = 1 << 7,       /* as WSC, over ppo and over po per variable */
                 COND_TSO = 1 << 8,        /* some store order makes both graphs of TSO acyclic */
                 COND_PSO = 1 << 9,        /* the same with the ppo of PSO */
                 COND_LIN = 1 << 10,       /* some legal sequence of the object extends happens-before */
                 COND_SC_OBJECT = 1 << 11, /* some legal sequence of the object extends program order */
                 COND_WEAK = 1 << 12,      /* some linearization and visibility satisfy the model's axioms (axioms.h) */
                 /* Of transactions, over the base order of the model: some order of the commits contains it and wr. It
                  * has t2 before t1 if a t3 reads x from t1, t2 writes x, and t2 is before t3 in ... */
                 COND_RC = 1 << 13,  /* the reads of t3: it read from t2 earlier */
                 COND_RA = 1 << 14,  /* base or wr */
                 COND_TCC = 1 << 15, /* (base, wr)+ */
                 COND_PC = 1 << 16,  /* commits*; base or wr */
                 COND_PSI = 1 << 17, /* (base, wr, ww)+ */
                 COND_SI = 1 << 18,  /* commits*; base, wr or ww */
                 COND_SER = 1 << 19, /* the order of the commits */
};

enum { /* the conditions with a store order that is total: those for which @final counts */
       COND_TOTAL = COND_SC | COND_TSO | COND_PSO
};

enum need {
    NEED_MEMORY = 1 << 0,        /* the object is a memory: reads and writes of variables */
    NEED_UNIQUE_VALUES = 1 << 1, /* no value that is read was written twice to its variable */
    NEED_TIME = 1 << 2,          /* real time, or recorded knowledge in its place */
    NEED_CALLS = 1 << 3,         /* calls of any object, part by part; @final has no meaning there */
    NEED_ONE_OBJECT = 1 << 4,
    NEED_NO_MEMORY = 1 << 5,    /* of a memory another model says the same */
    NEED_OTHER_OBJECT = 1 << 6, /* graded for other objects than a memory only */
    NEED_ASKED = 1 << 7,        /* another name of a model that is graded */
    NEED_TRANSACTIONS = 1 << 8, /* all operations are transactions */
};

enum base { /* of a model of transactions: the order that the order of commits must contain */
            BASE_SESSION,
            BASE_REALTIME, /* and session order */
            BASE_NONE
};

struct model {
    const char *name, *title;
    const char *summary;       /* one sentence */
    unsigned conditions;       /* of enum condition */
    unsigned needs;            /* of enum need */
    enum base base;            /* of NEED_TRANSACTIONS */
    const char *axioms;        /* of COND_WEAK */
    const char *definition;    /* in the notation of table.c; NULL: the axioms are the definition */
    const char *const *weaker; /* directly implied models, up to NULL; or NULL */
};

extern const struct model *const model_table[];   /* weakest first, up to NULL */
const struct model *model_find(const char *name); /* or NULL */
/* The same by another name of the model, by its title, as `linearizability`, or in other letters, as `SI`. */
const struct model *model_called(const char *name);
/* The error of a name that is none of these. A known name that means something else is declined with the nearest
 * model. */
void model_unknown(const char *name, assay_error *e);

enum {
    MODEL_TEXT = 256,
    VISIBILITY_TEXT = 1280
}; /* bytes of a model spelled out, and of levels by method (axioms.h) */

/* A model spelled out as `weak: vis >= po & ...`. It refers to the text. False with an error when the text is of that
 * kind and malformed; true and *is_spelled false when it is not of that kind. */
bool model_spell(const char *text, struct model *out, bool *is_spelled, assay_error *e);
int model_implies(const struct model *strong, const struct model *weak); /* along the ladder; reflexive */

/* Does the verdict on `asked` follow from this verdict on `known`, another model of the same history? A stronger model
 * that holds says so, and a weaker one that is violated. Both must apply to the history. */
bool model_infers(const struct model *known, assay_verdict verdict, const struct model *asked);

#endif
