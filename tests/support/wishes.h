/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of a play under weak consistency: models, axioms and levels by method. */
#ifndef ASSAY_TESTS_SUPPORT_WISHES_H
#define ASSAY_TESTS_SUPPORT_WISHES_H

#include "model/model.h"
#include "support/visible.h"

enum { WISH_TEXT = 240 };

struct wish {
    const struct model *named; /* or NULL */
    char model[WISH_TEXT], levels[WISH_TEXT];
};

struct wishes {
    struct wish at[VISIBLE_DEMANDS];
    struct visibility visibility[VISIBLE_DEMANDS];
    uint32_t n;
};

/* The named models, vis;lin, vis = lin and lin;vis, random axioms, and levels by method; the first two kinds are always the same. */
void wishes_take(struct wishes *w, const struct play *p, struct rng *rng);

#endif
