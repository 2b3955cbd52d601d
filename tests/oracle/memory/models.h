/* SPDX-License-Identifier: Apache-2.0 */
/* The memory models: which conditions relations must fulfil, from the definitions. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_MODELS_H
#define ASSAY_TESTS_ORACLE_MEMORY_MODELS_H

#include "oracle/memory/execution.h"
#include "oracle/memory/relation.h"

#include <stdbool.h>

enum { CC, CCV, CM, CCM, WSC, SC, WCCM, WTSO, TSO, PSO, MODELS };

extern const char *const model_names[MODELS];

rel causal(const struct execution *x, const rel *pi, const rel *wr);
bool is_cc(const struct execution *x, const rel *co);
bool is_ccv(const struct execution *x, const rel *co);
bool is_cm(const struct execution *x, const rel *co);

/* pi, wr, the store order and what it puts behind reads */
bool fits(const struct execution *x, const rel *pi, const rel *wr, const rel *ww);

rel pww_of(const struct execution *x, const rel *co);
bool is_ccm(const struct execution *x, const rel *co);
rel wpww_of(const struct execution *x);
bool is_wccm(const struct execution *x);

/* Least fixpoint of one store order over one or two graphs (wsc, wtso) */
bool saturated(const struct execution *x, const rel *pi1, const rel *wr1, const rel *pi2, const rel *wr2, rel *store);

#endif
