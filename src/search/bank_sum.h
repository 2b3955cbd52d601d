/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of all balances of a bank, before the search for a linearization (wgl.c).
 *
 * Idea. A transfer takes from one account as much as it gives to another one. So all states of a bank have the same sum
 * of balances, in any order of the transfers. A result of balances() with another sum fits no state. This one
 * operation refutes the part; recheck adds it up again (recheck/balances.c). */
#ifndef ASSAY_SEARCH_BANK_SUM_H
#define ASSAY_SEARCH_BANK_SUM_H

#include "search/linear.h"

/* Refutes the part if the sum of some balances is another one. Of the operations, it is the one that returns first. */
bool bank_sum_refutes(const struct linear *x, struct job *job);

#endif
