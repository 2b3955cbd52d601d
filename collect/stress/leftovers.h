/* SPDX-License-Identifier: Apache-2.0 */
/* What an implementation leaves behind when all its objects have been destroyed. */
#ifndef ASSAY_COLLECT_LEFTOVERS_H
#define ASSAY_COLLECT_LEFTOVERS_H

#include <stdbool.h>
#include <stdint.h>

enum { LEFTOVERS_STATUS = 23 }; /* LeakSanitizer's own, where it ends a process */

/* The threads of this process, without the caller; 0 where the system does not say. */
uint64_t leftovers_threads(void);

/* Has LeakSanitizer, if it is loaded, found memory that nobody can free any more? It writes its report. */
bool leftovers_memory(void);

#endif
