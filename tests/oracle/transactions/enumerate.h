/* SPDX-License-Identifier: Apache-2.0 */
/* All histories of three transactions with up to two accesses of two registers with the values 0 and 1, in one, two and
 * three sessions, with all outcomes. First come those whose transactions are all committed. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_ENUMERATE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_ENUMERATE_H

#include "oracle/transactions/history.h"

#include <stdint.h>

uint64_t enumerated_count(void);
uint64_t enumerated_committed(void);
/* NULL: another one differs only in the names of registers, or in the order of its sessions */
struct history *enumerated(uint64_t number);

#endif
