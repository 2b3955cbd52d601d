/* SPDX-License-Identifier: Apache-2.0 */
/* Large blocks of memory, as mappings of their own on large pages.
 *
 * A page costs an entry into the kernel when it is touched first, and an entry of the processor's tables later. With
 * pages of 4 KB this was a sixth of the time of a check of 10^6 operations. So blocks of a megabyte and more ask for
 * pages of 2 MB, and move by their pages when they grow. Linux has both; elsewhere, and where a sanitizer watches the
 * blocks of malloc, there are no such blocks (huge_is). */
#ifndef ASSAY_BASE_HUGE_H
#define ASSAY_BASE_HUGE_H

#include <stdbool.h>
#include <stddef.h>

bool huge_is(size_t bytes); /* are blocks of this size such mappings? */

/* Of sizes for which huge_is holds. NULL: the system refuses; a block to be resized is then as it was. */
void *huge_new(size_t bytes); /* zeroed */
void *huge_resize(void *block, size_t old, size_t bytes);
void huge_free(void *block, size_t bytes);

#endif
