/* SPDX-License-Identifier: Apache-2.0 */
/* A consistency model is data: the conditions it asks for, what it needs of a history, its neighbours in
 * the ladder. Engines say which conditions they decide; check.c matches the two, so a model that combines
 * known conditions needs no engine of its own. Members are listed in model.def, weakest first. */
#ifndef ASSAY_MODEL_MODEL_H
#define ASSAY_MODEL_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum condition { /* the definitions are in docs/models.md */
    COND_CAUSAL = 1 << 0,     /* no read of a value nobody wrote; co acyclic; no r -rw[co]-> w -co-> r */
    COND_CONVERGENT = 1 << 1, /* po, wr and cf[co] together acyclic */
    COND_PER_THREAD = 1 << 2, /* hb_o acyclic for each thread's last operation o */
};

enum need {
    NEED_MEMORY = 1 << 0,        /* the object is a memory: reads and writes of variables */
    NEED_UNIQUE_VALUES = 1 << 1, /* no value is written twice to a variable */
};

struct model {
    const char *name, *title;
    const char *summary;            /* one sentence */
    unsigned conditions;            /* of enum condition */
    unsigned needs;                 /* of enum need */
    const char *const *weaker;      /* directly implied models, up to NULL */
    const char *const *stronger;    /* models known to imply this one directly, up to NULL */
};

extern const struct model *const model_table[]; /* up to NULL */
size_t model_count(void);
const struct model *model_find(const char *name); /* or NULL */
int model_implies(const struct model *strong, const struct model *weak); /* along the ladder; reflexive */

#endif
