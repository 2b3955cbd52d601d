/* SPDX-License-Identifier: Apache-2.0 */
/* Locks and semaphores whose releases return tags (spec/holders.h): recorded parts, one sweep. */
#ifndef ASSAY_SCAN_TAGGED_H
#define ASSAY_SCAN_TAGGED_H

#include "online/online.h"
#include "search/plain_part.h"

enum tagged_kind { TAGGED_TAKE, TAGGED_RELEASE, TAGGED_TRY };

/* Does some release return a tag? Without one, tags say nothing, and the number of holders is all there is. The kind of
 * a call is that of its method (LOCK_ and SEMAPHORE_ of spec/roles.h agree). */
bool tagged_part(const struct job *job);

/* The same of a live operation. */
bool tagged_op(const struct online_op *op);

/* Decides a part of a recorded history in which at most `top` hold it. Declines if some release names no tag, or if a
 * tag is used by calls that overlap. Declines, too, if the sweep fails after an attempt that failed. */
void tagged_run(struct job *job, uint32_t top);

#endif
