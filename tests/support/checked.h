/* SPDX-License-Identifier: Apache-2.0 */
/* What unit tests of the public interface share: a history, and a check that must not end with an error. */
#ifndef ASSAY_TESTS_SUPPORT_CHECKED_H
#define ASSAY_TESTS_SUPPORT_CHECKED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay.h"

/* Fig. 1a: causal memory, but not convergent */
#define DISAGREEING "t0: write(x, 1)\nt0: read(x) => 2\nt1: write(x, 2)\nt1: read(x) => 1\n"

static inline assay_result *check(const assay_history *h, const char *model, const assay_options *options)
{
    assay_error e = {0};
    assay_result *r = assay_check(h, model, options, &e);
    if (!r)
        fail_msg("%s: %s", model ? model : "strongest", e.message);
    assert_int_equal(e.code, ASSAY_OK);
    return r;
}

#endif
