/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that an implementation has made and left behind.
 *
 * The process group of the implementation is killed with it, but a process can leave its group. On Linux this process
 * becomes the parent of every orphan below it. So orphans are found among its children: they are those that were not
 * there before. Elsewhere nothing is done. */
#ifndef ASSAY_COLLECT_ORPHANS_H
#define ASSAY_COLLECT_ORPHANS_H

struct orphans {
    char *before; /* the children of this process, as the system lists them; NULL: not to be had */
    int adopted;  /* this process was the parent of orphans before */
};

void orphans_expect(struct orphans *o); /* before the process of the implementation is made */
void orphans_end(struct orphans *o);    /* after it has been waited for */

#endif
