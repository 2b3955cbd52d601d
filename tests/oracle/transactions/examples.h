/* SPDX-License-Identifier: Apache-2.0 */
/* The examples of the definitions: each level, and the name of each anomaly, as the table of them says. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_EXAMPLES_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_EXAMPLES_H

void check_examples(void);

#endif
