/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of Concurrency Kit's tables. A table that grows frees its old memory while readers may still read it, and
 * says so; such memory is kept until the object ends. The hooks know neither table nor user, so there is one list, for
 * the one object that a run has. Only a table's one writer at a time adds to it. */
#ifndef ASSAY_COLLECT_CK_MEMORY_H
#define ASSAY_COLLECT_CK_MEMORY_H

#ifdef ASSAY_WITH_CK
#include <ck_malloc.h>

extern struct ck_malloc ck_memory;
void ck_memory_release(void); /* the kept memory */
#endif

#endif
