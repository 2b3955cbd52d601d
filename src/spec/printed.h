/* SPDX-License-Identifier: Apache-2.0 */
/* States in words, as the hook `describe` wants them: like snprintf, cut where the room ends. */
#ifndef ASSAY_SPEC_PRINTED_H
#define ASSAY_SPEC_PRINTED_H

#include "assay_spec.h"

struct printed {
    char *out;
    size_t size;
    size_t length; /* of the whole text */
};

void printed_text(struct printed *p, const char *text);
void printed_value(struct printed *p, assay_value v);

/* Is all further text cut? Then long states need not be walked to their end. */
static inline bool printed_full(const struct printed *p)
{
    return p->length >= p->size;
}

/* In which order values are listed where their order means nothing: negative, 0 if they are the same, or positive. */
int printed_order(assay_value a, assay_value b);

/* The hook, for states that are one value. */
size_t printed_one(assay_value v, char *out, size_t size);

#endif
