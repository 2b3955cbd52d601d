/* SPDX-License-Identifier: Apache-2.0 */
/* Large histories must obey laws: the ladder of models, and changes that change nothing. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_LAWS_H
#define ASSAY_TESTS_ORACLE_MEMORY_LAWS_H

void check_union(void);
void check_large(void);

#endif
