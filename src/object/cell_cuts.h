/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of cells: registers, cas-registers and the variables of a memory.
 *
 * A call reads a value, writes one, or does both (a successful cas, an rmw). A failed cas only found that the value was
 * not a certain one. A call that writes a value goes together with all calls that read that value. If one of these
 * writes a value in turn, all calls that read that one go, too, and so on. All failed cas go with them. Other calls
 * that write the same value may stay. The rest is consistent if the whole was.
 *
 * Proof. Take an order that explains the whole, and leave these calls out of it. Let r be a call that is left and reads
 * the value v. The last write before r was of v. It is left, or r would have gone with it. So it is still the
 * last one, and r reads v. If there was none, r read the initial value, and there is none now. A pending cas that had
 * failed is left out of the order.
 *
 * By itself a call goes that writes nothing: a read, a failed cas, or one from a value to itself. */
#ifndef ASSAY_OBJECT_CELL_CUTS_H
#define ASSAY_OBJECT_CELL_CUTS_H

#include "spec/spec.h"

struct cell_use { /* values of kind ASSAY_NONE: none */
    assay_value reads, writes;
    bool failed; /* it only found that the value was another one */
};

/* False: the object has no cells. */
bool cell_use(const assay_spec *spec, const assay_call *call, struct cell_use *out);

#endif
