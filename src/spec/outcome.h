/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded results that say no more than that the call took effect. */
#ifndef ASSAY_SPEC_OUTCOME_H
#define ASSAY_SPEC_OUTCOME_H

#include "assay_spec.h"

/* For calls that always succeed: nothing, `ok` or `true`. The step of such a call returns the recorded result. */
static inline bool outcome_acknowledged(assay_value result)
{
    return result.kind == ASSAY_NONE || assay_value_same(result, assay_word("ok")) ||
           assay_value_same(result, assay_word("true"));
}

#endif
