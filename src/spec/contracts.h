/* SPDX-License-Identifier: Apache-2.0 */
/* Does a specification keep the contracts of assay_spec.h? Checked by what calls can observe. */
#ifndef ASSAY_SPEC_CONTRACTS_H
#define ASSAY_SPEC_CONTRACTS_H

#include "assay_spec.h"
#include "base/text.h"

enum contract {
    CONTRACT_KEPT,
    CONTRACT_CREATE,  /* a state does not depend on anything but the declaration and the calls */
    CONTRACT_SAME,    /* ASSAY_SAME and ASSAY_BLOCKED leave the state as it was */
    CONTRACT_UNDO,    /* undo restores the state */
    CONTRACT_COPY,    /* a copy is equal to the state, and independent of it */
    CONTRACT_DIGEST,  /* equal states have equal digests; without `equal`, other states have others */
    CONTRACT_EQUAL,   /* states are equal if no call tells them apart */
    CONTRACT_CHOICES, /* there is at least one outcome */
    CONTRACT_RESULT,  /* there is a result where one is required, and none where there is none */
    CONTRACT_CONTENT, /* create makes an equal state of the content */
    CONTRACT_CUT      /* calls that may be left out change nothing for the others */
};

/* Tries the hooks on so many walks. The first contract that is broken; the sentence and the calls that show it go to
 * `out`. An object without sequential states keeps all of them. verdicts_only: not those that only cost time. May
 * escape. */
enum contract contracts_try(const assay_spec *s, unsigned walks, uint64_t seed, bool verdicts_only, struct text *out);
const char *contract_name(enum contract c); /* the hook */

#endif
