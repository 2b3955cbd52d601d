/* SPDX-License-Identifier: Apache-2.0 */
/* Public functions take NULL for a handle or a required argument without a crash: they return nothing, and where they
 * can report an error, this one. */
#ifndef ASSAY_BASE_GIVEN_H
#define ASSAY_BASE_GIVEN_H

#include "base/error.h"

static inline bool given_named(bool all, const char *function, const char *wanted, assay_error *e)
{
    if (!all) {
        error_set(e, ASSAY_ERROR_USAGE, "%s was called with NULL", function);
        error_remedy(e, "it needs: %s", wanted);
    }
    return all;
}

/* Are they all there? `wanted` is the condition itself, with && between the pointers. */
#define GIVEN(wanted, e) given_named(wanted, __func__, #wanted, e)

#endif
