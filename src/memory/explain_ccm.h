/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of violations of ccm and wccm: a ForcedCycle (explain_store.h).
 *
 * For ccm it consists of po, wr, ww, cf and rw. For wccm it lies in one of its two graphs, with ppo or loc for po. So
 * do the paths of hb and cf, each with the forced edges of its own order only. A path of ww goes along ppo and may use
 * all edges. The observations of one chain of reads may be contradictory by themselves, and so may whb: then the cycle
 * has hb steps. */
#ifndef ASSAY_MEMORY_EXPLAIN_CCM_H
#define ASSAY_MEMORY_EXPLAIN_CCM_H

#include "engine/engine.h"
#include "memory/ccm.h"
#include "memory/wccm.h"

/* After CCM_HB or CCM_STORE: fills in verdict and evidence of job->out. */
void explain_ccm(struct job *job, struct ccm *ccm, enum ccm_verdict verdict);

/* After any verdict but WCCM_FINE. */
void explain_wccm(struct job *job, struct wccm *wccm, enum wccm_verdict verdict);

#endif
