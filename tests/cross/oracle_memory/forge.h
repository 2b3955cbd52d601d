/* SPDX-License-Identifier: Apache-2.0 */
/* Forged evidence: may be accepted only where its claim is true. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_FORGE_H
#define ASSAY_TESTS_ORACLE_MEMORY_FORGE_H

#include "cross/oracle_memory/history.h"
#include "cross/oracle_memory/models.h"

#include <assay.h>

#include <stdbool.h>

void forge_proofs(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS],
                  int rounds);

/* Claims from nothing: records that need no steps, and orders at random */
void invent_proofs(const struct history *h, const assay_history *a, const char *text, const bool ok[MODELS],
                   int rounds);

/* Proofs about one history are refused for another one, and as proofs about it only accepted where they are true. */
void try_elsewhere(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS]);

#endif
