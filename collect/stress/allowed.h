/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that an object knows: a bank has no account of each number, and none of its methods says how many there
 * are. The specification says of a call whether it is one, so a few arguments are tried, once for each method. */
#ifndef ASSAY_COLLECT_ALLOWED_H
#define ASSAY_COLLECT_ALLOWED_H

#include "assay_adapter.h"
#include "assay_spec.h"
#include "base/mem.h"

#include <stdbool.h>

struct allowed_values {
    unsigned n; /* 0: they are not limited */
    int64_t *at;
};

struct allowed_calls {
    const char *why_none;                /* no call is valid: the objection to the first one; else NULL */
    int64_t example[ASSAY_ADAPTER_ARGS]; /* a valid one */
    struct allowed_values of[ASSAY_ADAPTER_ARGS];
};

/* The objection of the specification to the call, or NULL. */
const char *allowed_objection(const assay_spec *spec, const assay_setting *setting, const assay_method *m,
                              const int64_t *args);

void allowed_find(struct allowed_calls *a, const assay_spec *spec, const assay_setting *setting, const assay_method *m,
                  struct mem *mem);

#endif
