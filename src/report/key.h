/* SPDX-License-Identifier: Apache-2.0 */
/* The keys that reasons about transactions are about. */
#ifndef ASSAY_REPORT_KEY_H
#define ASSAY_REPORT_KEY_H

#include "history/history.h"

/* A key that the reader read from the source, and that the writer writes; of several the first. ASSAY_NO_OPERATION: the
 * source is the initial transaction, the writer does not matter. The key is of kind ASSAY_NONE if there is none. */
struct value key_that_was_read(const history *h, uint32_t reader, uint32_t source, uint32_t writer);

/* A key that both write. */
struct value key_of_both(const history *h, uint32_t a, uint32_t b);

#endif
