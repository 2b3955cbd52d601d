/* SPDX-License-Identifier: Apache-2.0 */
/* A third formulation: graphs over orders of writers. It decides a sketch by deriving orders naively, and by cases, and
 * writes its refutations down as evidence. So recheck sees proofs of every rule, whichever proofs the engines give. */
#ifndef ASSAY_TESTS_TRANSACTIONS_PROVER_H
#define ASSAY_TESTS_TRANSACTIONS_PROVER_H

#include "cross/transactions/sketch.h"
#include "model/model.h"

enum proved { PROVED_NOTHING, PROVED_CONSISTENT, PROVED_VIOLATION };

/* Nothing is proved of a history with a read that every model forbids. A violation comes with a line of evidence, which
 * the caller frees. The name of a cycle in it is any one. */
enum proved prove(const struct tx_sketch *s, const assay_history *h, const struct model *m, char **line);

#endif
