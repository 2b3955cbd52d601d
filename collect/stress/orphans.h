/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that an implementation has made and left behind.
 *
 * The process group of the implementation is killed with it, but a process can leave its group. On Linux this process
 * becomes the parent of every orphan below it, so all its children are such. Elsewhere nothing is done. */
#ifndef ASSAY_COLLECT_ORPHANS_H
#define ASSAY_COLLECT_ORPHANS_H

void orphans_adopt(void); /* before the process of the implementation is made; there are no children yet */
void orphans_end(void);   /* after it has been waited for */

#endif
