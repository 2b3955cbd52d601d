/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of memories (docs/internals/algorithms.md), made a second time from their description.
 *
 * Of a history that the oracle calls consistent, every cut must be consistent. What shrinking leaves of a violation must
 * be one by the oracle, be closed under the cuts, have a proof that recheck accepts, and allow no further cut. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_CUTS_H
#define ASSAY_TESTS_ORACLE_MEMORY_CUTS_H

/* Draws a history and makes all of its cuts. */
void check_cuts(void);

#endif
