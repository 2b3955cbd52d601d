/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of stores, too large for brute force. The store's level holds. A small history on other keys is planted into
 * them, so that a level holds of both together iff it holds of each. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_LARGE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_LARGE_H

void check_large(int most);

/* The same with registers whose values repeat. A check that takes long is given up. */
void check_large_repeated(int most);

#endif
