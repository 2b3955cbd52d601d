/* SPDX-License-Identifier: Apache-2.0 */
/* States that are kept, and numbered: equal states have one number. A digest says where to look; then the contents are
 * compared, if the specification says how. */
#ifndef ASSAY_SPEC_STATES_H
#define ASSAY_SPEC_STATES_H

#include "base/hash.h"
#include "base/vec.h"
#include "spec/spec.h"

struct kept_state {
    void *copy; /* NULL: the specification compares nothing */
    uint64_t digest[2];
    uint32_t next; /* with the same first half; ID_NONE: the last */
};

struct states {
    const assay_spec *spec;
    struct mem *mem;
    struct idmap first; /* half a digest -> a state */
    VEC(struct kept_state) kept;
};

/* All memory is the owner's to release. */
struct states states_in(struct mem *m, const assay_spec *spec);
uint32_t states_find(const struct states *s, const void *state); /* ID_NONE: it has no number */
uint32_t states_number(struct states *s, const void *state);     /* a new one for a new state, which is copied */

#endif
