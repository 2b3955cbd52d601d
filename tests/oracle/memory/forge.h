/* SPDX-License-Identifier: Apache-2.0 */
/* Forged evidence: may be accepted only where its claim is true. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_FORGE_H
#define ASSAY_TESTS_ORACLE_MEMORY_FORGE_H

#include "oracle/forge.h"
#include "oracle/memory/history.h"

#include <assay.h>

#include <stdbool.h>

/* One change of a proof about a memory. */
void forge_once_of_memory(char **line, int ops);

/* Claims from nothing: records that need no steps, and orders at random */
void invent_proofs(const struct history *h, const struct truth *truth, int rounds);

#endif
