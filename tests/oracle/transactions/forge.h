/* SPDX-License-Identifier: Apache-2.0 */
/* One change of a proof about transactions. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_FORGE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_FORGE_H

#include "oracle/forge.h"

void forge_once_of_transactions(char **line, int ops);

#endif
