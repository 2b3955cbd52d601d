/* SPDX-License-Identifier: Apache-2.0 */
/* The axioms of a model, by method: the paths that the visibility of each method's operations must contain. */
#ifndef ASSAY_WEAK_DEMANDS_H
#define ASSAY_WEAK_DEMANDS_H

#include "assay_spec.h"
#include "model/axioms.h"

enum { MOST_PATHS = 24, MOST_METHODS = 256 };

struct asked {     /* assumptions that the search may use */
    bool complete; /* every operation sees all before it: x.state is that after the linearization */
    bool plain;    /* no path uses the visibility or the place of another operation */
    bool unmoved;  /* no path depends on the place of an observer */
};

struct demands {
    struct axiom path[MOST_PATHS]; /* of all methods together */
    uint32_t paths, longest;       /* longest: steps of a path */
    uint32_t of[MOST_METHODS];     /* of a method, by its index: a set of paths */
    uint32_t class[MOST_METHODS];  /* methods with the same demands have the same class */
    uint32_t class_demands[MOST_METHODS], classes;
    struct asked asked;
};

/* The demands of the methods that are used, by their indices; NULL: of all. */
void demands_take(const struct visibility *v, const assay_spec *spec, const bool *used, struct demands *out);

/* Must every operation see all that happened before it? */
bool demands_hb(const struct demands *d);

#endif
