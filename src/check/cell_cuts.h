/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of cells: registers, cas-registers, the variables of a memory and the keys of a map.
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
 * By itself a call goes that writes nothing: a read, a failed cas, or one from a value to itself.
 *
 * A call of a map reads the value that it returns. A put writes a value, and a remove writes null: no value. A key
 * may also have the value null, which is returned alike. Then a remove that returns null does write: contains-key
 * tells the two apart. If contains-key returns false, it reads null. If it returns true, it only found that there was
 * a value: it is like a failed cas. The proof is the same: the last write before a call that is left is still the
 * last one. */
#ifndef ASSAY_CHECK_CELL_CUTS_H
#define ASSAY_CHECK_CELL_CUTS_H

#include "search/calls.h"

struct cell_use { /* values of kind ASSAY_NONE: none */
    assay_value reads, writes;
    bool failed;  /* it only found that the value was another one */
    bool of_many; /* the part has more cells, and calls about all of them: only calls go that write nothing */
};

/* False: the part has no cells. null_values: a key of a map may have the value null. */
bool cell_use(const struct part *part, const assay_call *call, bool null_values, struct cell_use *out);

/* null, or as it is spelled elsewhere, nil. The calls of a map take both for the same. */
bool cell_is_null(assay_value v);

#endif
