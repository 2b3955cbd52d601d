/* SPDX-License-Identifier: Apache-2.0 */
/* Is what the store acknowledged still there in the end? From all operations of a history with its final reads.
 *
 * The rules; a final read was called after every other operation has returned, or has an unknown outcome. An operation
 * of unknown outcome may have happened, or not, or happens later, so none of them ever counts as lost, and its effect
 * is never unexpected. Each rule is sound: of a store that keeps what it acknowledges it reports nothing, whatever the
 * unknown operations have done. Nothing is said about a node that could not be read.
 *
 * Registers. A write is lost if the final read at a node returns an older value: the initial one, or one whose write
 * had returned before this one was called, or that an earlier access of the same transaction wrote. Then this write
 * came later in every order, and has no effect any more. Of overlapping writes either may be the last, so none is
 * lost; nor is any where a value of unknown outcome remains, which may be the last. Overwritten values are no loss by
 * themselves.
 * Lists and sets. An element is lost if a node does not have it in the end: nothing ever removes one. It is duplicated
 * if a node has it twice.
 * Queues. Elements that were put in, and that neither a session nor the final reads have taken out, are lost, once the
 * queue says that it is empty; up to one for each dequeue of unknown outcome may have gone with that. An element that
 * came out twice is duplicated.
 * Counters. With a acknowledged increments and u unknown ones, a node has from a to a + u in the end. What it has less
 * is lost, and what it has more is duplicated. Unknown increments may hide a loss: these are least numbers.
 * Accounts. Acknowledged transfers give each balance, unknown ones a margin. A lost transfer explains twice its amount
 * of what is beyond all margins together. So the sum of that, divided by twice the greatest amount, is the least number
 * of transfers that are lost, or were made twice.
 * Unexpected is what nobody wrote, or only an operation that was aborted, which has no effect. */
#ifndef ASSAY_COLLECT_DRIVE_DURABILITY_H
#define ASSAY_COLLECT_DRIVE_DURABILITY_H

#include "collect/drive/workload.h"

enum { DURABILITY_EXAMPLES = 3, DURABILITY_TEXT = 160 };

struct drive_durability {
    uint64_t acknowledged, lost, duplicated, unexpected; /* writes; values */
    bool judged;                                         /* there were final reads */
    bool agreed;                                         /* all nodes have given the same answers */
    uint64_t missed;                                     /* nodes that could not be read */
    uint64_t example_count;
    char examples[DURABILITY_EXAMPLES][DURABILITY_TEXT]; /* "lost: ..." */
};

struct durability_operation {
    const assay_access *accesses; /* with the answers, if it was committed */
    size_t n;
    assay_outcome outcome;
    int64_t called, returned;
    unsigned session, part; /* s0.1: 0 and 1 */
    bool final;
    unsigned node; /* of a final read, from 0 */
};

struct durability;
struct durability *durability_new(const struct workload *w, unsigned keys);      /* NULL: no memory */
bool durability_add(struct durability *d, const struct durability_operation *o); /* false: no memory */
/* Fills in the counts and the examples. */
void durability_judge(struct durability *d, struct drive_durability *out);
void durability_free(struct durability *d);

/* Comments at the end of a history, and a line of them read again: true if it is one. */
void durability_write(const struct drive_durability *d, FILE *to);
bool durability_read(const char *line, struct drive_durability *d);

#endif
