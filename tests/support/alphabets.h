/* SPDX-License-Identifier: Apache-2.0 */
/* What the small plays of the objects with engines of their own consist of, and how random plays of any object begin. */
#ifndef ASSAY_TESTS_SUPPORT_ALPHABETS_H
#define ASSAY_TESTS_SUPPORT_ALPHABETS_H

#include "support/small.h"

extern const struct alphabet alphabets[];         /* up to one without an object */
extern const struct alphabet further_alphabets[]; /* of the same objects, with other parameters, contents and letters */

/* Two objects or two keys each: what small plays with equal times consist of. */
extern const struct alphabet tied_alphabets[];

const char *some_object(const assay_spec *s, struct rng *rng); /* its name, with a parameter where one is needed */
const char *some_init(const assay_spec *s, struct rng *rng);   /* initial values, or NULL */

#endif
