/* SPDX-License-Identifier: Apache-2.0 */
/* The image (base/image.h) of a state of an object: its content (assay_spec.content), from which it is created again.
 *
 * A value of a call has a number, and the feeder knows its text. A text that a specification made up has none. Its
 * letters are saved. */
#ifndef ASSAY_SEARCH_STATE_IMAGE_H
#define ASSAY_SEARCH_STATE_IMAGE_H

#include "base/image.h"
#include "spec/spec.h"

struct state_imaging {
    struct image *x;
    const assay_spec *spec; /* with the hook `content` */
    assay_value parameter;  /* of the object */
    assay_value key;        /* of the part whose states these are, or ASSAY_NONE */
    struct mem *mem;
    assay_value (*known)(void *arg, struct value v); /* the value with its text */
    void *arg;
};

/* Saves the state and returns it; loading, the state is ignored and a new one is returned. */
void *state_image(const struct state_imaging *how, void *state);

#endif
