/* SPDX-License-Identifier: Apache-2.0 */
/* Forged evidence: true proofs, changed. Recheck may accept one only if its claim is true. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_FORGE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_FORGE_H

#include "cross/oracle_transactions/models.h"

#include <assay.h>

#include <stdbool.h>

void forge_proofs(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS],
                  int rounds);

/* Proofs about another history: refused as they are; made to speak of this one, accepted only if true */
void transplant_proofs(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS]);

#endif
