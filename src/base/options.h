/* SPDX-License-Identifier: Apache-2.0 */
/* Options of callers (assay.h), which may have been built with another version of the header. A shorter struct lacks
 * the newer options. A longer one may ask for options that this library does not know.
 *
 * Invariant: a new option goes to the end and begins at the old size. So the structs have no padding at their ends: its
 * bytes would be arbitrary in old callers. */
#ifndef ASSAY_BASE_OPTIONS_H
#define ASSAY_BASE_OPTIONS_H

#include "base/error.h"

/* Copies the options at `given` (NULL: none) to `mine`, a struct of `size` bytes; both begin with their sizes. False
 * with an error. */
bool options_take(void *mine, size_t size, const void *given, assay_error *e);

#endif
