/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of an engine, for the rest of src/check. */
#ifndef ASSAY_CHECK_CHOOSE_H
#define ASSAY_CHECK_CHOOSE_H

#include "check/check.h"

/* Of one model and one history. */
struct choice {
    const struct checker *c;
    const struct model *model;
    const struct engine *asked; /* by its name; NULL: none was */
    const char *variant;        /* the text behind the colon, or NULL */
    const struct engine *first; /* that decides the model; it may still decline a part */
};

/* False with an error: the engine asked for cannot decide the model here, or none can. */
bool choose(struct choice *choice, const struct checker *c, const struct model *m, assay_error *e);

enum choose_from {
    CHOOSE_ANY,       /* each engine that takes the part, or the whole if it is that */
    CHOOSE_SCAN,      /* the ones that decide interval orders of single objects, without a search */
    CHOOSE_TENTATIVE, /* the ones that look for an order of the whole and may find none */
};

/* A walk through the engines; all 0 but these: */
struct choosing {
    const struct choice *choice;
    enum choose_from from;
    const struct part *part; /* of an object; NULL: the model is not one of objects */
    int round;               /* 1: of the engines on request */
    size_t at;
};

/* The next engine, or NULL. */
const struct engine *choose_next(struct choosing *k);

/* All of CHOOSE_ANY have declined, the last one for this reason (NULL: there was none): the error that says so. */
void choose_refuse(const struct choosing *k, const char *why, assay_error *e);

#endif
