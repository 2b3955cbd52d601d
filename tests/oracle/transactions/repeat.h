/* SPDX-License-Identifier: Apache-2.0 */
/* Histories in which values are written to a register more than once. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_REPEAT_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_REPEAT_H

#include "oracle/transactions/small.h"

/* The oracle alone, on a drawn history and its neighbours */
void agree_on_repeated(void);

/* A drawn history and its neighbours */
void check_repeated(const struct small_options *o);

/* One of the enumerated histories, which the oracle judges in all ways; then all that are committed */
void check_enumerated(const struct small_options *o);
void check_all_enumerated(const struct small_options *o);

#endif
